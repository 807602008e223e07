//! The socket's messages: `docs/protocol.md` in types.

use std::collections::BTreeMap;
use std::sync::OnceLock;

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

/// What is said instead of what cannot be written.
const UNSAID: &str = r#"{"t":"refused","id":null,"code":"internal","detail":"Something went wrong here. It has been noted."}"#;

/// What a client sends.
#[derive(Debug, Deserialize)]
pub struct ClientMessage {
    pub id: CommandId,
    #[serde(flatten)]
    pub ask: Ask,
}

/// What a client asks, by whom it is answered.
#[derive(Debug, Deserialize)]
#[serde(from = "AskJson")]
pub enum Ask {
    /// To change a game.
    Command { game: GameId, action: Action },
    /// To be told something about a game.
    Question { game: GameId, question: Question },
    /// To be told what happens in a game, perhaps only since an event.
    Watch { game: GameId, seen: Option<u64> },
    /// Not to be told so any more.
    Unwatch { game: GameId },
    /// To wait for an opponent.
    JoinPool { variant: String, time: String, rated: bool },
    /// Not to wait any more.
    LeavePool,
    /// Whether the line holds.
    Ping,
}

/// The same as it is written.
#[derive(Debug, Deserialize)]
#[serde(tag = "t", rename_all = "snake_case")]
enum AskJson {
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

impl From<AskJson> for Ask {
    fn from(ask: AskJson) -> Self {
        let command = |game, action| Self::Command { game, action };
        let question = |game, ply, turn, about| Self::Question {
            game,
            question: Question { ply, turn, about },
        };
        match ask {
            AskJson::Move { game, ply, turn } => command(game, Action::Move { ply, turn }),
            AskJson::OfferDraw { game } => command(game, Action::OfferDraw),
            AskJson::AcceptDraw { game, offer } => command(game, Action::AcceptDraw { offer }),
            AskJson::DeclineDraw { game, offer } => command(game, Action::DeclineDraw { offer }),
            AskJson::Resign { game } => command(game, Action::Resign),
            AskJson::Abort { game } => command(game, Action::Abort),
            AskJson::Legal { game, ply, turn } => question(game, ply, turn, About::Next),
            AskJson::Explain { game, ply, turn, from, to } => {
                question(game, ply, turn, About::Move { from, to })
            }
            AskJson::Watch { game, seen } => Self::Watch { game, seen },
            AskJson::Unwatch { game } => Self::Unwatch { game },
            AskJson::JoinPool { variant, time, rated } => Self::JoinPool { variant, time, rated },
            AskJson::LeavePool => Self::LeavePool,
            AskJson::Ping => Self::Ping,
        }
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
        serde_json::to_string(self).unwrap_or_else(|error| {
            tracing::error!(%error, message = ?self, "a message cannot be written");
            UNSAID.to_owned()
        })
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
        GameNotice::Event(told) => return told.text(),
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

/// An event on its way to everyone who watches, written once by whichever socket is first.
#[derive(Debug)]
pub struct Told {
    pub notice: EventNotice,
    text: OnceLock<Utf8Bytes>,
}

impl Told {
    pub const fn new(notice: EventNotice) -> Self {
        Self { notice, text: OnceLock::new() }
    }

    fn text(&self) -> Utf8Bytes {
        self.text.get_or_init(|| event(&self.notice).into()).clone()
    }
}

fn event(notice: &EventNotice) -> String {
    let (played, legal) = match &notice.played {
        Some((played, legal)) => (Some(played), legal.as_slice()),
        None => (None, [].as_slice()),
    };
    let clock = notice.clock.map(ClockJson::from);
    match EventJson::new(&notice.logged, played, legal, notice.ratings.as_ref()) {
        Some(event) => ServerMessage::Event { game: notice.game, event, clock }.to_json(),
        None => {
            tracing::error!(?notice, "a move is told without how it looks");
            UNSAID.to_owned()
        }
    }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_reason_is_documented_and_no_other() {
        let text = include_str!("../../../../docs/protocol.md");
        let (_, reasons) = text.split_once("\n## Reasons\n").expect("there is such a chapter");
        let rows = reasons.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
        let documented: BTreeSet<&str> = rows.map(|(code, _)| code).collect();
        assert_eq!(documented, TurnError::CODES.iter().copied().collect());
    }

    #[test]
    fn what_is_said_instead_is_a_message() {
        let said: serde_json::Value = serde_json::from_str(UNSAID).expect("JSON");
        let refused = ServerMessage::refused(
            None,
            Code::Internal,
            "Something went wrong here. It has been noted.",
        );
        assert_eq!(said, serde_json::from_str::<serde_json::Value>(&refused).expect("JSON"));
    }
}
