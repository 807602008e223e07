//! Objects that the socket and the REST API both send: see `docs/protocol.md`.

use manifold_engine::Level;
use manifold_rules::{Color, GameEnd, SingleMove};
use serde::{Serialize, Serializer};
use tokio::time::Instant;

use crate::game::chat::Line;
use crate::game::clock::{BySide, ClockReading, Fischer, TimeControl};
use crate::game::event::{Event, Logged};
use crate::game::notice::Presence;
use crate::game::state::{GameSetup, GameState, PlayedMove, RatingChange, Seat};
use crate::ids::{ChallengeId, CommandId, GameId, PlayerId, SeekId};
use crate::lobby::challenge::Challenge;
use crate::lobby::handle::Seated;
use crate::lobby::seek::{RatingRange, Seek};
use crate::player::Player;
use crate::store::games::GameSummary;

/// Who somebody is.
#[derive(Debug, Serialize)]
pub struct PlayerJson<'a> {
    name: &'a str,
    kind: &'static str,
    /// How strong a computer plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u8>,
}

impl<'a> From<&'a Player> for PlayerJson<'a> {
    fn from(player: &'a Player) -> Self {
        Self {
            name: &player.name,
            kind: player.kind.as_str(),
            level: player.kind.level().map(Level::number),
        }
    }
}

/// A seat: the player, and the rating when the game began, rounded as people see it.
#[derive(Debug, Serialize)]
pub struct SeatJson<'a> {
    #[serde(flatten)]
    player: PlayerJson<'a>,
    rating: Option<i64>,
    provisional: bool,
}

impl<'a> From<&'a Seat> for SeatJson<'a> {
    fn from(seat: &'a Seat) -> Self {
        Self {
            player: (&seat.player).into(),
            rating: seat.rating.map(|r| round(r.rating)),
            provisional: seat.rating.is_some_and(|r| r.provisional),
        }
    }
}

/// A rating as people see it.
pub fn round(rating: f64) -> i64 {
    // Ratings are far inside the range.
    rating.round() as i64
}

/// A value for each side.
#[derive(Debug, Serialize)]
pub struct SidesJson<T> {
    white: T,
    black: T,
}

impl<T> From<BySide<T>> for SidesJson<T> {
    fn from(sides: BySide<T>) -> Self {
        Self { white: sides.white, black: sides.black }
    }
}

/// A rating before and after.
#[derive(Debug, Serialize)]
pub struct RatingChangeJson {
    before: i64,
    after: i64,
}

impl From<RatingChange> for RatingChangeJson {
    fn from(change: RatingChange) -> Self {
        Self { before: round(change.before), after: round(change.after) }
    }
}

/// Both ratings.
pub fn ratings(changes: &BySide<RatingChange>) -> SidesJson<RatingChangeJson> {
    changes.map(RatingChangeJson::from).into()
}

/// A clock, or days per move.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum TimeJson {
    Fischer { base_ms: i64, increment_ms: i64 },
    Correspondence { days_per_move: u8 },
}

impl From<Fischer> for TimeJson {
    fn from(Fischer { base_ms, increment_ms }: Fischer) -> Self {
        Self::Fischer { base_ms, increment_ms }
    }
}

/// A game's time; `null` without a clock.
pub fn time(time: TimeControl) -> Option<TimeJson> {
    match time {
        TimeControl::Fischer(fischer) => Some(fischer.into()),
        TimeControl::Correspondence(days) => {
            Some(TimeJson::Correspondence { days_per_move: days.number() })
        }
        TimeControl::Untimed => None,
    }
}

/// A challenge, to whoever may know of it.
#[derive(Debug, Serialize)]
pub struct ChallengeJson<'a> {
    id: ChallengeId,
    /// Its page; only in answers to requests, which know by what name this server is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    creator: PlayerJson<'a>,
    opponent: Option<PlayerJson<'a>>,
    variant: &'static str,
    color: &'static str,
    time: Option<TimeJson>,
    speed: &'static str,
    rated: bool,
    fen: Option<&'a str>,
    status: &'static str,
    game: Option<GameId>,
    created_at: String,
    expires_at: String,
    yours: bool,
}

impl<'a> ChallengeJson<'a> {
    pub fn new(challenge: &'a Challenge, asker: Option<PlayerId>) -> Self {
        Self {
            id: challenge.id,
            url: None,
            creator: (&challenge.creator).into(),
            opponent: challenge.opponent.as_ref().map(PlayerJson::from),
            variant: challenge.variant.as_str(),
            color: challenge.color.as_str(),
            time: time(challenge.time),
            speed: challenge.time.speed().as_str(),
            rated: challenge.rated,
            fen: challenge.start_fen.as_deref(),
            status: challenge.status.as_str(),
            game: challenge.status.game(),
            created_at: challenge.created_at.to_string(),
            expires_at: challenge.expires_at.to_string(),
            yours: asker == Some(challenge.creator.id),
        }
    }
}

/// A seek, to whoever looks at the lobby.
#[derive(Debug, Serialize)]
pub struct SeekJson<'a> {
    id: SeekId,
    owner: PlayerJson<'a>,
    owner_rating: Option<i64>,
    provisional: bool,
    variant: &'static str,
    color: &'static str,
    time: Option<TimeJson>,
    speed: &'static str,
    rated: bool,
    rating: RangeJson,
    created_at: String,
}

#[derive(Debug, Serialize)]
struct RangeJson {
    min: Option<u16>,
    max: Option<u16>,
}

impl From<RatingRange> for RangeJson {
    fn from(range: RatingRange) -> Self {
        Self { min: range.min(), max: range.max() }
    }
}

impl<'a> From<&'a Seek> for SeekJson<'a> {
    fn from(seek: &'a Seek) -> Self {
        Self {
            id: seek.id,
            owner: (&seek.owner).into(),
            owner_rating: seek.rating.map(|r| round(r.rating)),
            provisional: seek.rating.is_some_and(|r| r.provisional),
            variant: seek.wanted.variant.as_str(),
            color: seek.wanted.color.as_str(),
            time: time(seek.wanted.time),
            speed: seek.wanted.time.speed().as_str(),
            rated: seek.wanted.rated,
            rating: seek.wanted.range.into(),
            created_at: seek.created_at.to_string(),
        }
    }
}

/// A seat that was taken.
#[derive(Debug, Serialize)]
pub struct SeatedJson {
    game: GameId,
    color: &'static str,
}

impl From<Seated> for SeatedJson {
    fn from(seated: Seated) -> Self {
        Self { game: seated.game, color: seated.color.as_str() }
    }
}

/// What the clocks show.
#[derive(Debug, Serialize)]
pub struct ClockJson {
    white_ms: i64,
    black_ms: i64,
    running: Option<&'static str>,
    first_move_ms: Option<i64>,
}

impl From<ClockReading> for ClockJson {
    fn from(clock: ClockReading) -> Self {
        Self {
            white_ms: clock.remaining_ms.white,
            black_ms: clock.remaining_ms.black,
            running: clock.running.map(Color::as_str),
            first_move_ms: clock.first_move_ms,
        }
    }
}

/// Who is there.
#[derive(Debug, Serialize)]
pub struct PresenceJson {
    #[serde(flatten)]
    players: SidesJson<bool>,
    spectators: usize,
    claim_in_ms: SidesJson<Option<u64>>,
}

impl From<Presence> for PresenceJson {
    fn from(presence: Presence) -> Self {
        let now = Instant::now();
        let claim_in_ms = presence.claims_from.map(|from| {
            // Far less than what does not fit.
            from.map(|from| from.saturating_duration_since(now).as_millis() as u64)
        });
        Self {
            players: presence.players.into(),
            spectators: presence.spectators,
            claim_in_ms: claim_in_ms.into(),
        }
    }
}

/// A line of chat.
#[derive(Debug, Serialize)]
pub struct LineJson<'a> {
    by: PlayerJson<'a>,
    color: Option<&'static str>,
    text: &'a str,
    at: String,
}

impl<'a> From<&'a Line> for LineJson<'a> {
    fn from(line: &'a Line) -> Self {
        Self {
            by: (&line.by).into(),
            color: line.color.map(Color::as_str),
            text: line.text.as_str(),
            at: line.at.to_string(),
        }
    }
}

/// A move as it is shown.
#[derive(Debug, Serialize)]
pub struct MoveJson<'a> {
    #[serde(rename = "move")]
    turn: &'a str,
    lan: &'a str,
    fen: &'a str,
    check: Option<&'a str>,
    spent_ms: i64,
    compensated_ms: i64,
    played_at: String,
}

impl<'a> From<&'a PlayedMove> for MoveJson<'a> {
    fn from(played: &'a PlayedMove) -> Self {
        Self {
            turn: &played.turn,
            lan: &played.lan,
            fen: &played.fen,
            check: played.check.as_deref(),
            spent_ms: played.spent_ms,
            compensated_ms: played.compensated_ms,
            played_at: played.played_at.to_string(),
        }
    }
}

/// A game: with its moves where one is looked at, with their number in a list.
#[derive(Debug, Serialize)]
pub struct GameJson<'a> {
    id: GameId,
    variant: &'static str,
    rated: bool,
    speed: &'static str,
    time: Option<TimeJson>,
    white: SeatJson<'a>,
    black: SeatJson<'a>,
    created_at: String,
    ended_at: Option<String>,
    /// The game whose rematch it is, and the points before it.
    previous: Option<GameId>,
    series: Option<SidesJson<f64>>,
    start_fen: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveJson<'a>>>,
    /// Known once a game in a list has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<i64>,
    outcome: Option<&'static str>,
    termination: Option<&'static str>,
    ratings: Option<SidesJson<RatingChangeJson>>,
}

impl<'a> GameJson<'a> {
    fn new(
        setup: &'a GameSetup,
        end: Option<GameEnd>,
        changes: Option<&BySide<RatingChange>>,
    ) -> Self {
        Self {
            id: setup.id,
            variant: setup.variant.as_str(),
            rated: setup.rated,
            speed: setup.time.speed().as_str(),
            time: time(setup.time),
            white: (&setup.seats.white).into(),
            black: (&setup.seats.black).into(),
            created_at: setup.created_at.to_string(),
            ended_at: None,
            previous: setup.series.map(|series| series.previous),
            series: setup
                .series
                .map(|series| series.half_points.map(|half| half as f64 / 2.0).into()),
            start_fen: &setup.start_fen,
            moves: None,
            plies: None,
            outcome: end.map(|end| end.outcome.as_str()),
            termination: end.map(|end| end.termination.as_str()),
            ratings: changes.map(ratings),
        }
    }
}

impl<'a> From<&'a GameState> for GameJson<'a> {
    fn from(state: &'a GameState) -> Self {
        Self {
            ended_at: state.ended_at().map(|at| at.to_string()),
            moves: Some(state.moves().iter().map(MoveJson::from).collect()),
            ..Self::new(state.setup(), state.end(), state.ratings())
        }
    }
}

impl<'a> From<&'a GameSummary> for GameJson<'a> {
    fn from(game: &'a GameSummary) -> Self {
        Self {
            ended_at: game.ended.map(|ended| ended.ended_at.to_string()),
            plies: game.ended.map(|ended| ended.plies),
            ..Self::new(&game.setup, game.ended.map(|ended| ended.end), game.ratings.as_ref())
        }
    }
}

/// Moves as they are sent. Each is written where it goes to: dozens are with every move that is told.
#[derive(Clone, Copy, Debug)]
pub struct MovesJson<M>(pub M);

impl<M: AsRef<[SingleMove]>> Serialize for MovesJson<M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// A move is text.
        struct Text(SingleMove);
        impl Serialize for Text {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }
        serializer.collect_seq(self.0.as_ref().iter().copied().map(Text))
    }
}

/// What has happened, without the message around it.
#[derive(Debug, Serialize)]
pub struct EventJson<'a> {
    seq: u64,
    #[serde(flatten)]
    kind: EventKindJson<'a>,
}

#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum EventKindJson<'a> {
    Move {
        by: &'static str,
        ply: usize,
        id: &'a CommandId,
        #[serde(flatten)]
        played: MoveJson<'a>,
        legal: MovesJson<&'a [SingleMove]>,
    },
    DrawOffered {
        by: &'static str,
    },
    DrawDeclined {
        by: &'static str,
        offer: u64,
    },
    TakebackOffered {
        by: &'static str,
    },
    TakebackDeclined {
        by: &'static str,
        offer: u64,
    },
    TakenBack {
        by: &'static str,
        offer: u64,
        ply: usize,
        legal: MovesJson<&'a [SingleMove]>,
    },
    Resumed,
    Ended {
        outcome: &'static str,
        termination: &'static str,
        ended_at: String,
        ratings: Option<SidesJson<RatingChangeJson>>,
    },
    RematchOffered {
        by: &'static str,
    },
    RematchDeclined {
        by: &'static str,
        offer: u64,
    },
    Rematched {
        by: &'static str,
        offer: Option<u64>,
        next: GameId,
    },
}

impl<'a> EventJson<'a> {
    /// `played` belongs to a move, `legal` to whatever has changed the position, `changes` to a rated end. `None` for a move
    /// without its `played`.
    pub fn new(
        logged: &'a Logged,
        played: Option<&'a PlayedMove>,
        legal: MovesJson<&'a [SingleMove]>,
        changes: Option<&BySide<RatingChange>>,
    ) -> Option<Self> {
        let kind = match &logged.event {
            Event::Move { by, ply, id, .. } => EventKindJson::Move {
                by: by.as_str(),
                ply: *ply,
                id,
                played: played?.into(),
                legal,
            },
            Event::DrawOffered { by, .. } => EventKindJson::DrawOffered { by: by.as_str() },
            Event::DrawDeclined { by, offer, .. } => {
                EventKindJson::DrawDeclined { by: by.as_str(), offer: *offer }
            }
            Event::TakebackOffered { by, .. } => EventKindJson::TakebackOffered { by: by.as_str() },
            Event::TakebackDeclined { by, offer, .. } => {
                EventKindJson::TakebackDeclined { by: by.as_str(), offer: *offer }
            }
            Event::TakenBack { by, offer, ply, .. } => {
                EventKindJson::TakenBack { by: by.as_str(), offer: *offer, ply: *ply, legal }
            }
            Event::RematchOffered { by, .. } => EventKindJson::RematchOffered { by: by.as_str() },
            Event::RematchDeclined { by, offer, .. } => {
                EventKindJson::RematchDeclined { by: by.as_str(), offer: *offer }
            }
            Event::Rematched { by, offer, next, .. } => {
                EventKindJson::Rematched { by: by.as_str(), offer: *offer, next: *next }
            }
            Event::Resumed { .. } => EventKindJson::Resumed,
            Event::Ended { outcome, termination, .. } => EventKindJson::Ended {
                outcome: outcome.as_str(),
                termination: termination.as_str(),
                ended_at: logged.at.to_string(),
                ratings: changes.map(ratings),
            },
        };
        Some(Self { seq: logged.seq, kind })
    }
}
