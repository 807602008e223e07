//! The task that plays one seat of one game.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use manifold_engine::{Choice, Level};
use manifold_rules::{Color, Game};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Computer;
use super::mind::{self, Memory, Pace};
use super::queue::Need;
use super::thinkers::{NoAnswer, Task, Thinker};
use crate::game::event::Action;
use crate::game::handle::{GameHandle, Gone};
use crate::game::notice::{GameNotice, GameView};
use crate::game::state::GameState;
use crate::ids::{CommandId, PlayerId};
use crate::outbox::{ConnId, Inbox, Outbox};

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
        let handle = self.handle.clone();
        tokio::select! {
            () = stop.cancelled() => {}
            // No news tells of it: the outbox that its commands are answered by keeps a player's own channel open.
            () = handle.closed() => {}
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

    /// Watches the game, and plays it from what it sees, as long as it keeps up with it.
    async fn sit_down(&mut self) -> Again {
        let overflow = CancellationToken::new();
        let (outbox, notices) = Outbox::new(self.conn, overflow.clone());
        tokio::select! {
            () = overflow.cancelled() => Again::Resync,
            done = self.watch(outbox, notices) => match done { Err(again) => again },
        }
    }

    async fn watch(
        &mut self,
        outbox: Outbox<GameNotice>,
        mut notices: Inbox<GameNotice>,
    ) -> Result<Infallible, Again> {
        let watch = CommandId::numbered("watch", 0);
        let watching = self.handle.watch(watch, Some(self.id), None, outbox.clone()).await;
        watching.map_err(|Gone| Again::Never)?;
        let Some(GameNotice::Snapshot { view: GameView { state, .. }, .. }) =
            hear(&mut notices).await
        else {
            return Err(Again::Resync);
        };
        // A copy of one's own: the game's task is not to copy its state because of us.
        let mut state = GameState::clone(&state);
        loop {
            if state.end().is_some() {
                return Err(Again::Never);
            }
            let is_ours = state.game().side_to_move() == self.color;
            match self.pace(&state).filter(|_| is_ours) {
                Some(pace) => self.take_turn(&mut state, pace, &outbox, &mut notices).await?,
                None => take_over(&mut state, hear(&mut notices).await)?,
            }
        }
    }

    /// Thinks and acts. When something happens meanwhile, what was thought is worth nothing.
    async fn take_turn(
        &mut self,
        state: &mut GameState,
        pace: Pace,
        outbox: &Outbox<GameNotice>,
        notices: &mut Inbox<GameNotice>,
    ) -> Result<(), Again> {
        let seq = state.seq();
        let found = {
            let mut thinking = pin!(self.think(state.game().clone(), pace, seed(state)));
            loop {
                tokio::select! {
                    news = hear(notices) => take_over(state, news)?,
                    found = &mut thinking => break found,
                }
                if state.seq() != seq {
                    return Ok(());
                }
            }
        };
        let (ply, turn) = (state.moves().len(), state.moves_made());
        let actions = match found {
            Ok(Some(choice)) => self.memory.decide(state, self.color, self.level, &choice),
            // The engine has failed: nobody's game is to hang on that.
            Ok(None) => match state.legal_moves().into_iter().next() {
                Some(turn) => vec![Action::Move { ply, turn: turn.to_string() }],
                None => return Err(Again::Never),
            },
            Err(NoAnswer::Busy | NoAnswer::Closed) => return Err(Again::Never),
        };
        for action in actions {
            self.act(state, turn, action, outbox, notices).await?;
        }
        Ok(())
    }

    fn pace(&self, state: &GameState) -> Option<Pace> {
        let most = Duration::from_millis(self.computer.config.move_ms);
        mind::pace(state, self.computer.clock.now(), most)
    }

    /// As long as the clock allows, but not shorter than a person needs to see what has changed.
    async fn think(&self, game: Game, pace: Pace, seed: u64) -> Result<Option<Choice>, NoAnswer> {
        let began = Instant::now();
        let need = match pace.at_most {
            Some(at_most) => Need::Timed { deadline: began.into_std() + at_most / 2 },
            None => Need::Untimed,
        };
        let thinker = Thinker::Player(self.level, seed);
        let task = Task { game, thinker, budget: pace.budget, need };
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
        turn: usize,
        action: Action,
        outbox: &Outbox<GameNotice>,
        notices: &mut Inbox<GameNotice>,
    ) -> Result<(), Again> {
        // A wish, not a step of the game.
        let is_optional = action == Action::OfferDraw;
        let id = command_id(&action, turn);
        let now = self.computer.clock.now();
        let sent = self.handle.command(now, self.id, id.clone(), action, outbox.clone()).await;
        sent.map_err(|Gone| Again::Never)?;
        loop {
            match hear(notices).await {
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

/// What a command is called: the same after a crash, so that it happens once. `turn` counts all moves that were ever made:
/// one that was taken back is played again under another name.
fn command_id(action: &Action, turn: usize) -> CommandId {
    let name = match action {
        Action::Move { .. } => "move",
        Action::OfferDraw => "offer",
        Action::AcceptDraw { .. } => "accept",
        Action::DeclineDraw { .. } => "decline",
        Action::Resign => "resign",
        Action::Abort => "abort",
        Action::OfferTakeback | Action::AcceptTakeback { .. } | Action::DeclineTakeback { .. } => {
            "takeback"
        }
        Action::ClaimWin | Action::ClaimDraw => "claim",
        Action::OfferRematch | Action::AcceptRematch { .. } | Action::DeclineRematch { .. } => {
            "rematch"
        }
    };
    CommandId::numbered(name, turn)
}

/// Tells one game's player from another's, and is the same after a restart.
fn seed(state: &GameState) -> u64 {
    let (high, low) = state.setup().id.0.as_u64_pair();
    high ^ low
}

/// The game's next notice; `None` when its task has left.
async fn hear(notices: &mut Inbox<GameNotice>) -> Option<GameNotice> {
    notices.recv().await.map(|notice| *notice)
}

fn take_over(state: &mut GameState, news: Option<GameNotice>) -> Result<(), Again> {
    match news {
        // The game's task has left.
        None => Err(Again::Never),
        Some(GameNotice::Event(told)) => {
            state.apply(told.notice.logged.clone()).map_err(|_| Again::Resync)
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
            | GameNotice::Chat { .. }
            | GameNotice::Said { .. }
            | GameNotice::Refused { .. },
        ) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::thinkers::Thinkers;
    use super::*;
    use crate::computer::mind::tests::untimed;
    use crate::config::Config;
    use crate::time::Clock;

    #[tokio::test]
    async fn it_ends_when_the_game_s_task_leaves() {
        let config = Config::load(None, &std::collections::BTreeMap::new()).expect("the defaults");
        let (thinkers, _threads) = Thinkers::start(0, 0).expect("no threads");
        let computer = Computer::new(thinkers, Clock::system(), config.computer);
        let leave = CancellationToken::new();
        let state = untimed();
        // White is to move, and Black waits.
        let seat = state.setup().seats.black.player.clone();
        let (handle, game) = GameHandle::idle(state, leave.clone());
        let level = seat.kind.level().expect("a computer");
        let player = Player::new(computer, handle, ConnId(0), Color::Black, seat.id, level);
        let player = tokio::spawn(player.run(CancellationToken::new()));
        let game = tokio::spawn(game);
        leave.cancel();
        game.await.expect("no panic");
        let ended = tokio::time::timeout(Duration::from_secs(20), player).await;
        ended.expect("it ends, too").expect("no panic");
    }
}
