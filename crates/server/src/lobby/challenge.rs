//! A challenge by link.

use manifold_rules::{Color, Variant};

use crate::game::clock::TimeControl;
use crate::ids::{ChallengeId, GameId};
use crate::player::Player;
use crate::time::Timestamp;

/// How many challenges a player may have open.
pub const MAX_OPEN: i64 = 20;

/// An invitation: whoever accepts it first has the other seat.
#[derive(Clone, Debug)]
pub struct Challenge {
    pub id: ChallengeId,
    pub creator: Player,
    pub variant: Variant,
    /// The creator's color.
    pub color: SeatChoice,
    pub time: TimeControl,
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
    Canceled,
    Expired,
}

impl ChallengeStatus {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Accepted(_) => "accepted",
            Self::Canceled => "canceled",
            Self::Expired => "expired",
        }
    }
}

impl Challenge {
    /// The challenge as it is at `now`.
    pub fn at(self, now: Timestamp) -> Self {
        let is_over = self.status == ChallengeStatus::Open && now >= self.expires_at;
        Self { status: if is_over { ChallengeStatus::Expired } else { self.status }, ..self }
    }
}
