//! The socket's messages: `docs/protocol.md` in types.

use std::collections::BTreeMap;

use axum::extract::ws::Utf8Bytes;
use manifold_rules::{Color, TurnError};
use serde::{Deserialize, Serialize};

use crate::error::Code;
use crate::game::event::{Action, Event};
use crate::game::notice::{EventNotice, GameNotice, GameRefusal, GameView};
use crate::game::question::{About, Question};
use crate::game::state::{GameState, Refusal};
use crate::ids::{ChallengeId, CommandId, GameId};
use crate::lobby::actor::{LobbyNotice, LobbyRefusal};
use crate::lobby::challenge::ChallengeStatus;
use crate::lobby::pool::PoolKey;
use crate::player::Player;
use crate::wire::{ClockJson, EventJson, GameJson, PlayerJson, PresenceJson};

/// The longest frame that a client may send, in bytes.
pub const MAX_FRAME: usize = 8 * 1024;

/// What a client sends.
#[derive(Debug, Deserialize)]
pub struct ClientMessage {
    pub id: CommandId,
    #[serde(flatten)]
    pub ask: Ask,
}

/// What a client asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum Ask {
    Watch {
        game: GameId,
        #[serde(default)]
        seen: Option<u64>,
    },
    Unwatch {
        game: GameId,
    },
    Move {
        game: GameId,
        ply: usize,
        #[serde(rename = "move")]
        turn: String,
    },
    OfferDraw {
        game: GameId,
    },
    AcceptDraw {
        game: GameId,
        offer: u64,
    },
    DeclineDraw {
        game: GameId,
        offer: u64,
    },
    Resign {
        game: GameId,
    },
    Abort {
        game: GameId,
    },
    Legal {
        game: GameId,
        ply: usize,
        turn: String,
    },
    Explain {
        game: GameId,
        ply: usize,
        turn: String,
        from: String,
        to: String,
    },
    JoinPool {
        variant: String,
        time: String,
        rated: bool,
    },
    LeavePool,
    Ping,
}

impl Ask {
    /// For a command to a game: which, and what.
    pub fn game_action(self) -> Result<(GameId, Action), Self> {
        Ok(match self {
            Self::Move { game, ply, turn } => (game, Action::Move { ply, turn }),
            Self::OfferDraw { game } => (game, Action::OfferDraw),
            Self::AcceptDraw { game, offer } => (game, Action::AcceptDraw { offer }),
            Self::DeclineDraw { game, offer } => (game, Action::DeclineDraw { offer }),
            Self::Resign { game } => (game, Action::Resign),
            Self::Abort { game } => (game, Action::Abort),
            other @ (Self::Watch { .. }
            | Self::Unwatch { .. }
            | Self::Legal { .. }
            | Self::Explain { .. }
            | Self::JoinPool { .. }
            | Self::LeavePool
            | Self::Ping) => {
                return Err(other);
            }
        })
    }
}

/// Why the server closes a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    Restart,
    Slow,
    Flood,
    TooLarge,
    /// The player has logged out.
    Session,
}

/// What the server sends.
#[derive(Debug, Serialize)]
#[serde(tag = "t", rename_all = "snake_case")]
pub enum ServerMessage<'a> {
    Hello {
        player: Option<PlayerJson<'a>>,
        assets: &'a str,
    },
    Snapshot {
        id: Option<&'a CommandId>,
        seq: u64,
        you: Option<&'static str>,
        game: Box<GameJson<'a>>,
        legal: Vec<String>,
        clock: Option<ClockJson>,
        draw_offer: Option<DrawOfferJson>,
        presence: PresenceJson,
    },
    Replay {
        id: &'a CommandId,
        game: GameId,
        seq: u64,
        events: Vec<EventJson<'a>>,
        clock: Option<ClockJson>,
        presence: PresenceJson,
    },
    Event {
        game: GameId,
        #[serde(flatten)]
        event: EventJson<'a>,
        clock: Option<ClockJson>,
    },
    Presence {
        game: GameId,
        #[serde(flatten)]
        presence: PresenceJson,
    },
    Ack {
        id: &'a CommandId,
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<GameId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
    },
    Refused {
        id: Option<&'a CommandId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<GameId>,
        code: Code,
        detail: String,
    },
    Legal {
        #[serde(flatten)]
        turn: TurnJson<'a>,
        placement: &'a str,
        legal: &'a [String],
    },
    Explained {
        #[serde(flatten)]
        turn: TurnJson<'a>,
        from: &'a str,
        to: &'a str,
        legal: bool,
        reason: Option<&'static str>,
        args: BTreeMap<&'static str, String>,
        detail: Option<String>,
    },
    Pool {
        waiting: Option<PoolJson>,
    },
    Paired {
        game: GameId,
        color: &'static str,
    },
    Challenge {
        challenge: ChallengeId,
        status: &'static str,
        game: Option<GameId>,
    },
    Pong {
        id: &'a CommandId,
    },
    Closing {
        reason: CloseReason,
    },
}

/// Which turn under way an answer is about.
#[derive(Debug, Serialize)]
pub struct TurnJson<'a> {
    id: &'a CommandId,
    game: GameId,
    ply: usize,
    turn: &'a str,
}

/// An open draw offer.
#[derive(Debug, Serialize)]
pub struct DrawOfferJson {
    by: &'static str,
    offer: u64,
}

/// Where somebody waits.
#[derive(Debug, Serialize)]
pub struct PoolJson {
    variant: &'static str,
    time: String,
    rated: bool,
}

impl From<PoolKey> for PoolJson {
    fn from(key: PoolKey) -> Self {
        let PoolKey { variant, time, rated } = key;
        Self { variant: variant.as_str(), time: time.pool_name(), rated }
    }
}

impl ServerMessage<'_> {
    pub fn to_json(&self) -> String {
        // Nothing in these types can fail: their keys are strings, their numbers finite.
        serde_json::to_string(self).unwrap_or_default()
    }

    pub fn hello(player: Option<&Player>, assets: &str) -> String {
        ServerMessage::Hello { player: player.map(PlayerJson::from), assets }.to_json()
    }

    pub fn refused(id: Option<&CommandId>, code: Code, detail: &str) -> String {
        ServerMessage::Refused { id, game: None, code, detail: detail.to_owned() }.to_json()
    }
}

/// A game's notice as it is sent.
pub fn game_notice(notice: &GameNotice) -> Utf8Bytes {
    match notice {
        GameNotice::Event(event) => return self::event(event),
        GameNotice::Snapshot { id, you, view } => snapshot(id.as_ref(), *you, view),
        GameNotice::Replay { id, after, view } => replay(id, *after, view),
        GameNotice::Asked { id, question, state } => answer(id, question, state),
        GameNotice::Presence { game, presence } => {
            ServerMessage::Presence { game: *game, presence: (*presence).into() }.to_json()
        }
        GameNotice::Ack { id, game, seq } => {
            ServerMessage::Ack { id, game: Some(*game), seq: Some(*seq) }.to_json()
        }
        GameNotice::Refused { id, game, why } => refused_by_game(id, *game, why),
    }
    .into()
}

fn refused_by_game(id: &CommandId, game: GameId, why: &GameRefusal) -> String {
    let (code, detail) = (why.into(), why.to_string());
    ServerMessage::Refused { id: Some(id), game: Some(game), code, detail }.to_json()
}

fn answer(id: &CommandId, question: &Question, state: &GameState) -> String {
    let game = state.setup().id;
    let turn = TurnJson { id, game, ply: question.ply, turn: &question.turn };
    let answer = match &question.about {
        About::Next => state.under_way(question).map(|under_way| {
            let (placement, legal) = (&*under_way.placement, &*under_way.legal);
            ServerMessage::Legal { turn, placement, legal }.to_json()
        }),
        About::Move { from, to } => state.explain(question, from, to).map(|why| {
            ServerMessage::Explained {
                turn,
                from,
                to,
                legal: why.is_none(),
                reason: why.as_ref().map(TurnError::code),
                args: why.iter().flat_map(TurnError::args).collect(),
                detail: why.as_ref().map(ToString::to_string),
            }
            .to_json()
        }),
    };
    answer.unwrap_or_else(|why| refused_by_game(id, game, &why.into()))
}

fn snapshot(id: Option<&CommandId>, you: Option<Color>, view: &GameView) -> String {
    let state = &view.state;
    ServerMessage::Snapshot {
        id,
        seq: state.seq(),
        you: you.map(Color::as_str),
        game: Box::new(GameJson::from(&**state)),
        legal: state.legal_moves(),
        clock: view.clock.map(ClockJson::from),
        draw_offer: state.draw_offer().map(|(by, offer)| DrawOfferJson { by: by.as_str(), offer }),
        presence: view.presence.into(),
    }
    .to_json()
}

/// The legal moves go with the last move; those that were legal in between help nobody.
fn replay(id: &CommandId, after: u64, view: &GameView) -> String {
    let state = &view.state;
    let legal = state.legal_moves();
    let last_ply = state.moves().len().saturating_sub(1);
    let events = state.log().iter().filter(|logged| logged.seq > after).filter_map(|logged| {
        let (played, is_last) = match &logged.event {
            Event::Move { ply, .. } => (state.moves().get(*ply), *ply == last_ply),
            Event::DrawOffered { .. }
            | Event::DrawDeclined { .. }
            | Event::Resumed { .. }
            | Event::Ended { .. } => (None, false),
        };
        EventJson::new(logged, played, if is_last { &legal } else { &[] }, state.ratings())
    });
    ServerMessage::Replay {
        id,
        game: state.setup().id,
        seq: state.seq(),
        events: events.collect(),
        clock: view.clock.map(ClockJson::from),
        presence: view.presence.into(),
    }
    .to_json()
}

/// Written once, whoever is first, and shared by all who watch.
fn event(notice: &EventNotice) -> Utf8Bytes {
    let told = notice.told.get_or_init(|| {
        let (played, legal) = match &notice.played {
            Some((played, legal)) => (Some(played), legal.as_slice()),
            None => (None, [].as_slice()),
        };
        let event = EventJson::new(&notice.logged, played, legal, notice.ratings.as_ref());
        let clock = notice.clock.map(ClockJson::from);
        let message =
            event.map(|event| ServerMessage::Event { game: notice.game, event, clock }.to_json());
        message.unwrap_or_default().into()
    });
    Utf8Bytes::try_from(told.clone()).unwrap_or_default()
}

/// The lobby's notice as it is sent.
pub fn lobby_notice(notice: &LobbyNotice) -> String {
    match notice {
        LobbyNotice::Ack { id } => ServerMessage::Ack { id, game: None, seq: None },
        LobbyNotice::Refused { id, why } => {
            let game = match why {
                LobbyRefusal::AlreadyPlaying(game) | LobbyRefusal::AlreadyPaired(game) => {
                    Some(*game)
                }
                LobbyRefusal::GuestsPlayCasual
                | LobbyRefusal::NotWaiting
                | LobbyRefusal::OwnChallenge
                | LobbyRefusal::ChallengeClosed(_)
                | LobbyRefusal::NoSuchChallenge
                | LobbyRefusal::NotTheCreator
                | LobbyRefusal::TooManyGames(_)
                | LobbyRefusal::StorageUnavailable => None,
            };
            ServerMessage::Refused {
                id: id.as_ref(),
                game,
                code: why.into(),
                detail: why.to_string(),
            }
        }
        LobbyNotice::Pool { waiting } => {
            ServerMessage::Pool { waiting: waiting.map(PoolJson::from) }
        }
        LobbyNotice::Paired { game, color } => {
            ServerMessage::Paired { game: *game, color: color.as_str() }
        }
        LobbyNotice::Challenge { challenge, status } => {
            let game = match status {
                ChallengeStatus::Accepted(game) => Some(*game),
                ChallengeStatus::Open | ChallengeStatus::Canceled | ChallengeStatus::Expired => {
                    None
                }
            };
            ServerMessage::Challenge { challenge: *challenge, status: status.as_str(), game }
        }
    }
    .to_json()
}

impl From<&GameRefusal> for Code {
    fn from(why: &GameRefusal) -> Self {
        match why {
            GameRefusal::ByRules(refusal) => match refusal {
                Refusal::NotYourTurn => Self::NotYourTurn,
                Refusal::StalePly { .. } => Self::StalePly,
                Refusal::IllegalMove(_) => Self::IllegalMove,
                Refusal::IdReused => Self::IdReused,
                Refusal::GameOver => Self::GameOver,
                Refusal::TooLate => Self::TooLate,
                Refusal::NoSuchOffer => Self::NoSuchOffer,
                Refusal::OfferOpen => Self::OfferOpen,
                Refusal::OfferTooSoon => Self::OfferTooSoon,
                Refusal::CannotAbort => Self::CannotAbort,
                Refusal::CannotResign => Self::CannotResign,
            },
            GameRefusal::NotAPlayer => Self::NotAPlayer,
            GameRefusal::StorageUnavailable => Self::StorageUnavailable,
        }
    }
}

impl From<&LobbyRefusal> for Code {
    fn from(why: &LobbyRefusal) -> Self {
        match why {
            LobbyRefusal::GuestsPlayCasual => Self::GuestsPlayCasual,
            LobbyRefusal::AlreadyPlaying(_) => Self::AlreadyPlaying,
            LobbyRefusal::AlreadyPaired(_) => Self::AlreadyPaired,
            LobbyRefusal::NotWaiting => Self::NotWaiting,
            LobbyRefusal::OwnChallenge => Self::OwnChallenge,
            LobbyRefusal::ChallengeClosed(_) => Self::ChallengeClosed,
            LobbyRefusal::NoSuchChallenge => Self::NotFound,
            LobbyRefusal::NotTheCreator => Self::NotTheCreator,
            LobbyRefusal::TooManyGames(_) => Self::TooManyGames,
            LobbyRefusal::StorageUnavailable => Self::StorageUnavailable,
        }
    }
}
