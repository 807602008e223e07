//! The task that plays one seat of one game.

use std::pin::pin;
use std::time::Duration;

use manifold_engine::{Choice, Level};
use manifold_rules::{Color, Game};
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Computer;
use super::mind::{self, Memory, Pace};
use super::thinkers::{NoAnswer, Task, Thinker};
use crate::game::actor::{GameHandle, Gone};
use crate::game::event::Action;
use crate::game::notice::{GameNotice, GameView};
use crate::game::state::GameState;
use crate::ids::{CommandId, PlayerId};
use crate::outbox::{ConnId, Outbox};

/// How long to wait before a command that was refused is given another try.
const PAUSE: Duration = Duration::from_secs(1);

/// One seat, and what is needed to play it.
pub(super) struct Player {
    computer: Computer,
    handle: GameHandle,
    conn: ConnId,
    color: Color,
    id: PlayerId,
    level: Level,
    memory: Memory,
}

/// Why a player looks at the game anew.
enum Again {
    /// It has missed something, or was refused.
    Resync,
    /// The game is over, its task has left, or the server stops.
    Never,
}

impl Player {
    pub(super) fn new(
        computer: Computer,
        handle: GameHandle,
        conn: ConnId,
        color: Color,
        id: PlayerId,
        level: Level,
    ) -> Self {
        Self { computer, handle, conn, color, id, level, memory: Memory::default() }
    }

    /// Plays until the game is over, its task leaves, or the server stops.
    pub(super) async fn run(mut self, stop: CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => {}
            () = self.play() => {}
        }
    }

    async fn play(&mut self) {
        loop {
            match self.sit_down().await {
                Again::Resync => tokio::time::sleep(PAUSE).await,
                Again::Never => return,
            }
        }
    }

    /// Watches the game, and plays it from what it sees.
    async fn sit_down(&mut self) -> Again {
        let overflow = CancellationToken::new();
        let (outbox, mut notices) = Outbox::new(self.conn, overflow.clone());
        let watch = CommandId::numbered("watch", 0);
        if self.handle.watch(watch, Some(self.id), None, outbox.clone()).await == Err(Gone) {
            return Again::Never;
        }
        let Some(GameNotice::Snapshot { view: GameView { state, .. }, .. }) = notices.recv().await
        else {
            return Again::Resync;
        };
        // A copy of one's own: the game's task is not to copy its state because of us.
        let mut state = GameState::clone(&state);
        loop {
            let done = if state.end().is_some() {
                Err(Again::Never)
            } else if state.game().side_to_move() == self.color {
                self.take_turn(&mut state, &outbox, &mut notices, &overflow).await
            } else {
                tokio::select! {
                    () = overflow.cancelled() => Err(Again::Resync),
                    news = notices.recv() => take_over(&mut state, news),
                }
            };
            if let Err(again) = done {
                return again;
            }
        }
    }

    /// Thinks and acts. When something happens meanwhile, what was thought is worth nothing.
    async fn take_turn(
        &mut self,
        state: &mut GameState,
        outbox: &Outbox<GameNotice>,
        notices: &mut mpsc::Receiver<GameNotice>,
        overflow: &CancellationToken,
    ) -> Result<(), Again> {
        let seq = state.seq();
        let found = {
            let mut thinking =
                pin!(self.think(state.game().clone(), self.pace(state), seed(state)));
            loop {
                tokio::select! {
                    () = overflow.cancelled() => return Err(Again::Resync),
                    news = notices.recv() => take_over(state, news)?,
                    found = &mut thinking => break found,
                }
                if state.seq() != seq {
                    return Ok(());
                }
            }
        };
        let ply = state.moves().len();
        let actions = match found {
            Ok(Some(choice)) => self.memory.decide(state, self.color, self.level, &choice),
            // The engine has failed: nobody's game is to hang on that.
            Ok(None) => match state.legal_moves().into_iter().next() {
                Some(turn) => vec![Action::Move { ply, turn }],
                None => return Err(Again::Never),
            },
            Err(NoAnswer::Busy | NoAnswer::Closed) => return Err(Again::Never),
        };
        for action in actions {
            self.act(state, ply, action, outbox, notices).await?;
        }
        Ok(())
    }

    fn pace(&self, state: &GameState) -> Pace {
        let most = Duration::from_millis(self.computer.config.move_ms);
        mind::pace(state, self.computer.clock.now(), most)
    }

    /// As long as the clock allows, but not shorter than a person needs to see what has changed.
    async fn think(&self, game: Game, pace: Pace, seed: u64) -> Result<Option<Choice>, NoAnswer> {
        let began = Instant::now();
        let deadline = pace.at_most.map(|at_most| began.into_std() + at_most / 2);
        let thinker = Thinker::Player(self.level, seed);
        let task = Task { game, thinker, budget: pace.budget, deadline };
        let choice = self.computer.thinkers.think(task).await;
        let pause = Duration::from_millis(self.computer.config.pause_ms);
        let pause = pace.at_most.map_or(pause, |at_most| pause.min(at_most / 20));
        tokio::time::sleep_until(began + pause).await;
        choice
    }

    /// Sends a command and waits until it has happened.
    async fn act(
        &self,
        state: &mut GameState,
        ply: usize,
        action: Action,
        outbox: &Outbox<GameNotice>,
        notices: &mut mpsc::Receiver<GameNotice>,
    ) -> Result<(), Again> {
        // A wish, not a step of the game.
        let is_optional = action == Action::OfferDraw;
        let id = command_id(&action, ply);
        let now = self.computer.clock.now();
        let sent = self.handle.command(now, self.id, id.clone(), action, outbox.clone()).await;
        sent.map_err(|Gone| Again::Never)?;
        loop {
            match notices.recv().await {
                Some(GameNotice::Ack { id: done, .. }) if done == id => return Ok(()),
                Some(GameNotice::Refused { id: refused, why, .. }) if refused == id => {
                    tracing::debug!(%why, id = id.as_str(), "the computer was refused");
                    return if is_optional { Ok(()) } else { Err(Again::Resync) };
                }
                news => take_over(state, news)?,
            }
        }
    }
}

/// What a command is called: the same after a crash, so that it happens once.
fn command_id(action: &Action, ply: usize) -> CommandId {
    let name = match action {
        Action::Move { .. } => "move",
        Action::OfferDraw => "offer",
        Action::AcceptDraw { .. } => "accept",
        Action::DeclineDraw { .. } => "decline",
        Action::Resign => "resign",
        Action::Abort => "abort",
    };
    CommandId::numbered(name, ply)
}

/// Tells one game's player from another's, and is the same after a restart.
fn seed(state: &GameState) -> u64 {
    let (high, low) = state.setup().id.0.as_u64_pair();
    high ^ low
}

fn take_over(state: &mut GameState, news: Option<GameNotice>) -> Result<(), Again> {
    match news {
        // The game's task has left.
        None => Err(Again::Never),
        Some(GameNotice::Event(event)) => {
            state.apply(event.logged.clone()).map_err(|_| Again::Resync)
        }
        Some(GameNotice::Snapshot { view, .. }) => {
            *state = GameState::clone(&view.state);
            Ok(())
        }
        Some(
            GameNotice::Replay { .. }
            | GameNotice::Asked { .. }
            | GameNotice::Presence { .. }
            | GameNotice::Ack { .. }
            | GameNotice::Refused { .. },
        ) => Ok(()),
    }
}
