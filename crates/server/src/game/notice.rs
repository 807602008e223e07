//! What a game tells those who watch it. How it looks on the wire is the socket's business.

use std::sync::Arc;

use manifold_rules::{Color, SingleMove};
use tokio::time::Instant;

use super::chat::Line;
use super::clock::{BySide, ClockReading};
use super::event::Logged;
use super::question::Question;
use super::state::{GameState, PlayedMove, RatingChange, Refusal};
use crate::ids::{CommandId, GameId};
use crate::ws::protocol::game::Told;

/// Who is there: sockets counted a game, so one of two tabs closing is no leaving.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Presence {
    pub players: BySide<bool>,
    /// Sockets of everyone else.
    pub spectators: usize,
    /// Since when, or from when on, a side that is away can be said to have left the game.
    pub claims_from: BySide<Option<Instant>>,
}

impl Presence {
    /// What of it matters to those who play.
    pub fn without_spectators(self) -> Self {
        Self { spectators: 0, ..self }
    }
}

/// How a socket stops watching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parting {
    /// The page was closed or left: nobody loses a line like that.
    Left,
    /// Nothing is known; a line that has broken may be mended.
    Lost,
}

/// One message to one socket.
#[derive(Clone, Debug)]
pub enum GameNotice {
    /// The whole game. `id` is the request that it answers, if one did.
    Snapshot {
        id: Option<CommandId>,
        you: Option<Color>,
        view: GameView,
    },
    /// Exactly the events after the number `after`.
    Replay {
        id: CommandId,
        after: u64,
        view: GameView,
    },
    /// A question about the game as it is now. Whoever asked works the answer out, and the game's task is not kept.
    Asked {
        id: CommandId,
        question: Question,
        state: Arc<GameState>,
    },
    /// Something has happened, and is committed.
    Event(Arc<Told>),
    Presence {
        game: GameId,
        presence: Presence,
    },
    /// The command has become the event `seq`.
    Ack {
        id: CommandId,
        game: GameId,
        seq: u64,
    },
    /// Somebody has said something in the room of the socket.
    Chat {
        game: GameId,
        line: Arc<Line>,
    },
    /// What the socket's player has said was heard.
    Said {
        id: CommandId,
        game: GameId,
    },
    /// The command has changed nothing.
    Refused {
        id: CommandId,
        game: GameId,
        why: GameRefusal,
    },
}

impl GameNotice {
    /// What people have said in it.
    pub fn lines(&self) -> &[Arc<Line>] {
        match self {
            Self::Chat { line, .. } => std::slice::from_ref(line),
            Self::Snapshot { view, .. } | Self::Replay { view, .. } => &view.chat,
            Self::Asked { .. }
            | Self::Event(_)
            | Self::Presence { .. }
            | Self::Ack { .. }
            | Self::Said { .. }
            | Self::Refused { .. } => &[],
        }
    }

    /// Leaves out the lines that are not for the one who is told. `false` if nothing is left to tell.
    pub fn keep_lines(&mut self, is_for: impl Fn(&Line) -> bool) -> bool {
        match self {
            Self::Chat { line, .. } => is_for(line),
            Self::Snapshot { view, .. } | Self::Replay { view, .. } => {
                view.chat.retain(|line| is_for(line));
                true
            }
            Self::Asked { .. }
            | Self::Event(_)
            | Self::Presence { .. }
            | Self::Ack { .. }
            | Self::Said { .. }
            | Self::Refused { .. } => true,
        }
    }
}

/// A game as it is at one moment.
#[derive(Clone, Debug)]
pub struct GameView {
    pub state: Arc<GameState>,
    /// `None` without a clock.
    pub clock: Option<ClockReading>,
    pub presence: Presence,
    /// The last lines of the watcher's room.
    pub chat: Vec<Arc<Line>>,
}

/// An event with what only the position after it tells.
#[derive(Clone, Debug)]
pub struct EventNotice {
    pub game: GameId,
    pub logged: Logged,
    pub clock: Option<ClockReading>,
    /// For a move: how it looks.
    pub played: Option<PlayedMove>,
    /// Where the position has changed: what may be played in it.
    pub legal: Vec<SingleMove>,
    /// For an end that was rated.
    pub ratings: Option<BySide<RatingChange>>,
}

/// Why the game's task changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameRefusal {
    #[error(transparent)]
    ByRules(#[from] Refusal),
    #[error("You have no seat in this game.")]
    NotAPlayer,
    #[error("You have a game with a clock under way.")]
    AlreadyPlaying(Option<GameId>),
    #[error("One of you two has blocked the other.")]
    Blocked,
    #[error("Your opponent has left.")]
    OpponentAway,
    #[error("Your opponent has another game with a clock under way.")]
    OpponentPlaying,
    #[error("You have {0} games against the computer under way. End one first.")]
    TooManyGames(i64),
    #[error("The computer plays as many games as it can now. Try again later.")]
    ComputerBusy,
    #[error("A bot has at most {0} games under way. End one first.")]
    BotIsFull(i64),
    #[error("This bot has as many games under way as it may have.")]
    OpponentIsFull,
    #[error("The database does not answer now. Try again in a moment.")]
    StorageUnavailable,
}
