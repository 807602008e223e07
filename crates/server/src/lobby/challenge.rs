//! A challenge: by link, or to one player.

use manifold_rules::{Color, Variant};

use crate::game::clock::TimeControl;
use crate::ids::{ChallengeId, CommandId, GameId, PlayerId};
use crate::player::Player;
use crate::time::Timestamp;

/// How many challenges a player may have open, and as many to that player.
pub const MAX_OPEN: i64 = 20;
/// How many of them may be of one player to another: nobody closes another's inbox alone.
pub const MAX_OPEN_TO_ONE: i64 = 3;

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

/// How many challenges are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenChallenges {
    /// Those that one player has made.
    pub created: i64,
    /// Those that name another.
    pub received: i64,
    /// Those that are both.
    pub of_both: i64,
}

/// Why there is no room for another challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// Its creator has as many as one may have.
    Creator,
    /// Its creator has as many as one may have to that player.
    Pair,
    /// So many name that player.
    Opponent,
}

impl OpenChallenges {
    /// Whether the one may make another that names the other.
    pub fn has_room(self) -> Result<(), Full> {
        if self.created >= MAX_OPEN {
            Err(Full::Creator)
        } else if self.of_both >= MAX_OPEN_TO_ONE {
            Err(Full::Pair)
        } else if self.received >= MAX_OPEN {
            Err(Full::Opponent)
        } else {
            Ok(())
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

#[cfg(test)]
impl Challenge {
    /// A casual one of 3+2 by link, White's, which is open for a hundred seconds.
    pub fn by_link(creator: &Player, created_at: Timestamp) -> Self {
        let time = crate::game::clock::Fischer { base_ms: 180_000, increment_ms: 2000 };
        Self {
            id: ChallengeId::new(),
            creator: creator.clone(),
            variant: Variant::Fourfold,
            color: SeatChoice::White,
            time: TimeControl::Fischer(time),
            rated: false,
            start_fen: None,
            opponent: None,
            command: None,
            created_at,
            expires_at: created_at.plus_ms(100_000),
            status: ChallengeStatus::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_closes_another_s_inbox_alone() {
        let room =
            |created, received, of_both| OpenChallenges { created, received, of_both }.has_room();
        assert_eq!(room(19, 19, 2), Ok(()));
        assert_eq!(room(3, 3, 3), Err(Full::Pair));
        assert_eq!(room(20, 0, 0), Err(Full::Creator));
        assert_eq!(room(0, 20, 0), Err(Full::Opponent));
        const { assert!(MAX_OPEN_TO_ONE * 2 < MAX_OPEN) };
    }
}
