//! A challenge: by link, or to one player.

use manifold_rules::{Color, Variant};

use crate::game::clock::TimeControl;
use crate::ids::{ChallengeId, CommandId, GameId, PlayerId};
use crate::player::Player;
use crate::time::Timestamp;

/// How many challenges a player may have open, and as many to that player.
pub const MAX_OPEN: i64 = 20;

/// An invitation: whom it names, or else whoever accepts it first, has the other seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Challenge {
    pub id: ChallengeId,
    pub creator: Player,
    pub variant: Variant,
    /// The creator's color.
    pub color: SeatChoice,
    pub time: TimeControl,
    pub rated: bool,
    /// The position to start from; none for the standard one.
    pub start_fen: Option<String>,
    /// Whom it names.
    pub opponent: Option<Player>,
    /// What its creator called the request: the key of a retry.
    pub command: Option<CommandId>,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub status: ChallengeStatus,
}

/// The color that somebody asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatChoice {
    White,
    Black,
    Random,
}

impl SeatChoice {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
            Self::Random => "random",
        }
    }

    pub fn parse(s: &str) -> Option<Self> {
        [Self::White, Self::Black, Self::Random].into_iter().find(|choice| choice.as_str() == s)
    }

    /// The color that it comes to; `coin` decides where nothing is asked for.
    pub const fn color(self, coin: bool) -> Color {
        match (self, coin) {
            (Self::White, _) | (Self::Random, true) => Color::White,
            (Self::Black, _) | (Self::Random, false) => Color::Black,
        }
    }
}

/// What has become of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeStatus {
    Open,
    Accepted(GameId),
    Declined,
    Canceled,
    Expired,
}

impl ChallengeStatus {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted(_) => "accepted",
            Self::Declined => "declined",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
        }
    }

    /// The game that has come of it.
    pub const fn game(self) -> Option<GameId> {
        match self {
            Self::Accepted(game) => Some(game),
            Self::Open | Self::Declined | Self::Canceled | Self::Expired => None,
        }
    }
}

impl Challenge {
    /// Whether `player` may know of it: one that names somebody concerns nobody else.
    pub fn is_shown_to(&self, player: Option<PlayerId>) -> bool {
        match &self.opponent {
            Some(opponent) => player == Some(opponent.id) || player == Some(self.creator.id),
            None => true,
        }
    }

    /// Whether the same is asked for in both.
    pub fn is_like(&self, other: &Self) -> bool {
        let asked = |challenge: &Self| {
            let opponent = challenge.opponent.as_ref().map(|player| player.id);
            let Self { variant, color, time, rated, .. } = *challenge;
            (variant, color, time, rated, opponent)
        };
        asked(self) == asked(other) && self.start_fen == other.start_fen
    }

    /// The challenge as it is at `now`.
    pub fn at(self, now: Timestamp) -> Self {
        let is_over = self.status == ChallengeStatus::Open && now >= self.expires_at;
        Self { status: if is_over { ChallengeStatus::Expired } else { self.status }, ..self }
    }
}
