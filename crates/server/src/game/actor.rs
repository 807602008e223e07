//! The task of one game. It alone owns the state, so moves, flags and offers have one order.
//!
//! For every command: decide, have the events committed, apply them, tell everyone. When the commit fails, nothing has
//! changed here; the task then refuses commands until it has read from the database what really happened.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use manifold_rules::Color;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::chat::{Chat, Line, Room, Said};
use super::clock::BySide;
use super::event::{Action, Event, Logged};
use super::handle::{GameHandle, Message};
use super::notice::{EventNotice, GameNotice, GameRefusal, GameView};
use super::registry::{Beginning, Registry};
use super::state::{Command, Decision, GameSetup, GameState, Refusal};
use super::watchers::Watchers;
use crate::ids::{CommandId, GameId, PlayerId};
use crate::outbox::Outbox;
use crate::player::PlayerKind;
use crate::store::StoreError;
use crate::store::journal::{Finish, GameWrite};
use crate::store::ratings::RatedResult;
use crate::time::Timestamp;
use crate::ws::protocol::game::Told;
use suspension::Suspension;

mod rematch;
mod suspension;

/// A move that arrived in time may still be on its way through the process: a flag waits for it.
const FLAG_GRACE: Duration = Duration::from_millis(20);
/// How long a game that time cannot change stays in memory after the last watcher has left.
const LINGER: Duration = Duration::from_secs(10);

/// Looked at again after so long, a game that nothing is to happen in.
const NEVER: Duration = Duration::from_secs(30 * 86_400);

/// The task and all that it owns.
pub(super) struct GameActor {
    id: GameId,
    state: Arc<GameState>,
    registry: Registry,
    messages: mpsc::Receiver<Message>,
    watchers: Watchers,
    chat: Chat,
    suspension: Option<Suspension>,
    /// Keeps the two from other games while it is unknown whether their rematch exists.
    beginning: Option<Beginning>,
    /// When to leave, if nobody comes.
    leave_at: Option<Instant>,
}

impl GameActor {
    /// A task for `state`, to be spawned. `away_since`: the game was under way when the server was last alive, and goes
    /// on now.
    pub(super) fn new(
        state: GameState,
        registry: Registry,
        away_since: Option<Timestamp>,
    ) -> (GameHandle, Self) {
        let (handle, messages) = GameHandle::new();
        let suspension =
            away_since.filter(|_| state.end().is_none()).map(Suspension::after_a_start);
        let patience = [Color::White, Color::Black].map(|color| {
            let is_person = state.setup().seats.get(color).player.kind.level().is_none();
            registry.patience(state.setup().time).filter(|_| is_person && state.end().is_none())
        });
        let id = state.setup().id;
        // As good as random, and the same after a restart.
        let spread = Duration::from_millis(u64::from(id.0.as_bytes()[15]) * 4);
        let mut actor = Self {
            id,
            state: Arc::new(state),
            registry,
            messages,
            watchers: Watchers::new(patience, spread),
            chat: Chat::default(),
            suspension,
            beginning: None,
            leave_at: None,
        };
        actor.plan_leaving();
        (handle, actor)
    }

    /// Runs until nobody watches a game that can wait, or the server stops.
    pub(super) async fn run(mut self, stop: CancellationToken) {
        // Whoever has woken the game with a command finds its clock set.
        if self.suspension.is_some() {
            self.try_to_resume().await;
        }
        let mut stopped = pin!(stop.cancelled());
        let mut alarm = pin!(tokio::time::sleep_until(self.next_wake()));
        loop {
            // An alarm that is too early rings for nothing; to set it anew at each move would cost more.
            let wake = self.next_wake();
            if wake < alarm.deadline() {
                alarm.as_mut().reset(wake);
            }
            tokio::select! {
                biased;
                () = &mut stopped => return,
                message = self.messages.recv() => match message {
                    Some(message) => self.handle(message).await,
                    None => return,
                },
                () = &mut alarm => {
                    if wake <= Instant::now() {
                        self.wake().await;
                    }
                    alarm.as_mut().reset(self.next_wake());
                }
            }
        }
    }

    /// The game may have another task by now: it alone knows what has happened since.
    async fn hand_on(&self, mut message: Message) {
        /// That one can be about to leave as well.
        const TRIES: usize = 3;
        for _ in 0..TRIES {
            let Ok(Some(handle)) = self.registry.get(self.id).await else { break };
            match handle.hand_on(message).await {
                Ok(()) => return,
                Err(unsent) => message = unsent,
            }
        }
        match message {
            Message::Command { id, answer, .. }
            | Message::Chat { id, answer, .. }
            | Message::Question { id, answer, .. }
            | Message::Watch { id, answer, .. } => {
                let why = GameRefusal::StorageUnavailable;
                answer.push(GameNotice::Refused { id, game: self.id, why });
            }
            Message::Unwatch { .. } | Message::Renamed { .. } | Message::Look { .. } => {}
        }
    }

    async fn handle(&mut self, message: Message) {
        if self.messages.is_closed() {
            return self.hand_on(message).await;
        }
        match message {
            Message::Command { received_at, player, id, action, answer } => {
                let line = answer.lag.ms();
                let before = self.state.seq();
                match self.command(received_at, player, &id, action, line).await {
                    Ok(seq) => answer.push(GameNotice::Ack { id, game: self.id, seq }),
                    Err(why) => self.refuse(id, player, why, &answer),
                }
                if self.state.seq() > before {
                    self.credit_commit(received_at).await;
                }
            }
            Message::Chat { at, player, id, text, answer } => {
                let color = self.state.color_of(player.id);
                let line = Line { id: id.clone(), by: player, color, text, at };
                self.say(line, &answer);
            }
            Message::Question { id, question, answer } => {
                answer.push(match self.state.check_ply(question.ply) {
                    Ok(()) => GameNotice::Asked { id, question, state: Arc::clone(&self.state) },
                    // Who plays is told where the game stands; who asks can watch, and would get much for little.
                    Err(why) => GameNotice::Refused { id, game: self.id, why: why.into() },
                });
            }
            Message::Watch { id, player, seen, answer } => self.watch(id, player, seen, answer),
            Message::Renamed { player } => {
                Arc::make_mut(&mut self.state).rename(&player);
                self.watchers.tell(|you| GameNotice::Snapshot {
                    id: None,
                    you,
                    view: self.view(you),
                });
            }
            // Whoever asked and went away is not answered.
            Message::Look { done } => _ = done.send(Arc::clone(&self.state)),
            Message::Unwatch { conn, parting } => {
                self.watchers.remove(conn, parting);
                self.plan_leaving();
            }
        }
    }

    /// Everyone in the room hears it, and then its sender that it was heard.
    fn say(&mut self, line: Line, answer: &Outbox<GameNotice>) {
        let (id, game, room) = (line.id.clone(), self.id, Room::of(line.color));
        answer.push(match self.chat.say(line) {
            Said::Heard(line) => {
                self.watchers
                    .tell_room(room, || GameNotice::Chat { game, line: Arc::clone(&line) });
                GameNotice::Said { id, game }
            }
            Said::Already => GameNotice::Said { id, game },
            Said::IdReused => GameNotice::Refused { id, game, why: Refusal::IdReused.into() },
        });
    }

    /// Says why not; a player who speaks of another ply than the game's is told where it stands.
    fn refuse(
        &self,
        id: CommandId,
        player: PlayerId,
        why: GameRefusal,
        answer: &Outbox<GameNotice>,
    ) {
        let is_stale = matches!(why, GameRefusal::ByRules(Refusal::StalePly { .. }));
        answer.push(GameNotice::Refused { id, game: self.id, why });
        if is_stale {
            let you = self.state.color_of(player);
            answer.push(GameNotice::Snapshot { id: None, you, view: self.view(you) });
        }
    }

    /// The number of the event that the command has become.
    async fn command(
        &mut self,
        received_at: Timestamp,
        player: PlayerId,
        id: &CommandId,
        action: Action,
        lag_ms: i64,
    ) -> Result<u64, GameRefusal> {
        let by = self.state.color_of(player).ok_or(GameRefusal::NotAPlayer)?;
        if self.suspension.is_some() {
            return Err(GameRefusal::StorageUnavailable);
        }
        let command = Command {
            by,
            id: id.clone(),
            action,
            lag_ms,
            opponent_is_away: self.watchers.can_be_claimed_from(by.other(), Instant::now()),
        };
        let now = self.not_before_last_event(received_at);
        match self.state.decide(now, &command) {
            Ok(Decision::Already(seq)) => Ok(seq),
            Ok(Decision::Events(events)) => {
                if events.iter().any(|event| matches!(event, Event::RematchOffered { .. })) {
                    self.may_meet().await?;
                }
                self.commit(now, events).await
            }
            Ok(Decision::Rematch(agreement)) => {
                self.may_meet().await?;
                self.rematch(now, by, agreement).await
            }
            Err(refusal) => {
                if refusal == Refusal::TooLate {
                    // The flag falls by the same clock that refused the command.
                    self.tick(now).await;
                }
                Err(refusal.into())
            }
        }
    }

    fn not_before_last_event(&self, now: Timestamp) -> Timestamp {
        self.state.log().last().map_or(now, |last| now.max(last.at))
    }

    /// How long a flag waits for a move that the network holds up: the worst line of the side to move. The quota bounds it.
    fn lag_ms(&self) -> i64 {
        self.watchers.lag_ms(self.state.game().side_to_move())
    }

    async fn tick(&mut self, now: Timestamp) {
        if let Some(event) = self.state.tick(now, self.lag_ms()) {
            // If it cannot be committed, the task is suspended and the flag falls later.
            _ = self.commit(now, vec![event]).await;
        }
    }

    /// Has the events committed, applies them and tells everyone. Answers the number of the first.
    async fn commit(&mut self, at: Timestamp, events: Vec<Event>) -> Result<u64, GameRefusal> {
        self.commit_with(at, events, None).await
    }

    /// The same, together with the rematch that begins.
    async fn commit_with(
        &mut self,
        at: Timestamp,
        events: Vec<Event>,
        next: Option<Box<GameSetup>>,
    ) -> Result<u64, GameRefusal> {
        let first = self.state.seq() + 1;
        let logged: Vec<Logged> =
            (first..).zip(events).map(|(seq, event)| Logged { seq, at, event }).collect();
        let write = GameWrite {
            game: self.id,
            finish: self.finish(&logged),
            sleeps_until: self.state.sleeps_until(&logged),
            events: logged.clone(),
            next: next.clone(),
        };
        match self.registry.journal().append(write).await {
            Ok(committed) => {
                if let Some(next) = next
                    && let Err(error) = self.registry.adopt(*next)
                {
                    tracing::error!(game = %self.id, %error, "a rematch has no task");
                }
                for logged in logged {
                    self.take_over(logged, committed.ratings);
                }
                Ok(first)
            }
            Err(error) => {
                self.suspend(at, &error);
                Err(GameRefusal::StorageUnavailable)
            }
        }
    }

    /// The result, if one of `events` ends the game.
    fn finish(&self, events: &[Logged]) -> Option<Finish> {
        let plies = self.state.moves().len()
            + events.iter().filter(|logged| matches!(logged.event, Event::Move { .. })).count();
        let logged = events.last()?;
        let Event::Ended { outcome, termination, .. } = logged.event else { return None };
        let setup = self.state.setup();
        let rated = self.state.counts_for_ratings(plies).then(|| RatedResult {
            game: self.id,
            variant: setup.variant,
            speed: self.state.speed(),
            players: BySide {
                white: setup.seats.white.player.id,
                black: setup.seats.black.player.id,
            },
            outcome,
            ended_at: logged.at,
        });
        let end = manifold_rules::GameEnd { outcome, termination };
        Some(Finish { end, ended_at: logged.at, plies, rated })
    }

    /// Applies an event that is in the database, and tells everyone.
    fn take_over(&mut self, logged: Logged, ratings: Option<BySide<super::state::RatingChange>>) {
        let state = Arc::make_mut(&mut self.state);
        if let Err(error) = state.apply(logged.clone()) {
            // What was decided on this very state can be applied to it.
            tracing::error!(game = %self.id, %error, "a committed event does not apply");
            self.suspend(logged.at, &StoreError::Damaged(error.to_string()));
            return;
        }
        tracing::debug!(seq = logged.seq, "took over");
        let is_end = matches!(logged.event, Event::Ended { .. });
        if is_end {
            state.set_ratings(ratings);
        }
        let (played, legal) = match &logged.event {
            Event::Move { .. } => (state.moves().last().cloned(), state.legal_moves()),
            Event::TakenBack { .. } => (None, state.legal_moves()),
            Event::DrawOffered { .. }
            | Event::DrawDeclined { .. }
            | Event::TakebackOffered { .. }
            | Event::TakebackDeclined { .. }
            | Event::Resumed { .. }
            | Event::Ended { .. }
            | Event::RematchOffered { .. }
            | Event::RematchDeclined { .. }
            | Event::Rematched { .. } => (None, Vec::new()),
        };
        let told = Arc::new(Told::new(EventNotice {
            game: self.id,
            clock: self.state.clock(self.registry.clock().now()),
            played,
            legal,
            ratings: ratings.filter(|_| is_end),
            logged,
        }));
        self.watchers.tell(|_| GameNotice::Event(Arc::clone(&told)));
        if is_end {
            self.watchers.nothing_to_claim();
            self.registry.game_ended(&self.state);
        }
        self.plan_leaving();
    }

    fn watch(
        &mut self,
        id: CommandId,
        player: Option<PlayerId>,
        seen: Option<u64>,
        answer: Outbox<GameNotice>,
    ) {
        let you = player.and_then(|player| self.state.color_of(player));
        // First there, then told: the view counts the one who asks for it.
        self.watchers.add(you, answer.clone());
        let view = self.view(you);
        answer.push(match seen {
            Some(after) if after <= self.state.seq() => GameNotice::Replay { id, after, view },
            Some(_) | None => GameNotice::Snapshot { id: Some(id), you, view },
        });
        self.plan_leaving();
    }

    /// The game as it is shown to a side, or to a spectator.
    fn view(&self, you: Option<Color>) -> GameView {
        GameView {
            state: Arc::clone(&self.state),
            clock: self.state.clock(self.registry.clock().now()),
            presence: self.watchers.presence(),
            chat: self.chat.lines(Room::of(you)).cloned().collect(),
        }
    }

    fn plan_leaving(&mut self) {
        let state = &self.state;
        let is_computer = |color: Color| match state.setup().seats.get(color).player.kind {
            PlayerKind::Computer(_) => true,
            PlayerKind::Guest | PlayerKind::Account | PlayerKind::Bot => false,
        };
        // What has ended can wait in the database, and so can what nobody sits at, until the computer has moved.
        let can_wait = state.end().is_some()
            || !(state.setup().time.is_real_time() || is_computer(state.game().side_to_move()));
        let somebody = self.watchers.has(|color| !is_computer(color));
        self.leave_at = (can_wait && !somebody).then(|| Instant::now() + LINGER);
    }

    /// When there is something to do though nobody asks.
    fn next_wake(&self) -> Instant {
        let flag_at = match &self.suspension {
            Some(suspension) => Some(suspension.retry_at),
            None => self
                .state
                .flag_at(self.lag_ms())
                .map(|at| Instant::from_std(self.registry.clock().instant(at)) + FLAG_GRACE),
        };
        let first = [flag_at, self.watchers.tell_at(), self.leave_at].into_iter().flatten().min();
        first.unwrap_or_else(|| Instant::now() + NEVER)
    }

    async fn wake(&mut self) {
        let now = Instant::now();
        if let Some(presence) = self.watchers.news(now) {
            self.watchers.tell(|_| GameNotice::Presence { game: self.id, presence });
        }
        if self.suspension.as_ref().is_some_and(|suspension| suspension.retry_at <= now) {
            self.try_to_resume().await;
        } else if self.suspension.is_none() {
            self.tick(self.registry.clock().now()).await;
        }
        if self.leave_at.is_some_and(|at| at <= now) {
            // From here on nobody finds this task; those who had found it are handed on to the next.
            self.registry.forget(self.id);
            self.messages.close();
        }
    }
}
