//! What a game tells, in words.

use std::sync::OnceLock;

use axum::extract::ws::Utf8Bytes;
use manifold_rules::{Color, TurnError};

use super::server::{OfferJson, RematchJson, ServerMessage, TurnJson, UNSAID};
use crate::error::Code;
use crate::game::event::{Event, Logged};
use crate::game::notice::{EventNotice, GameNotice, GameRefusal, GameView};
use crate::game::question::{About, Question};
use crate::game::state::{GameState, Refusal};
use crate::ids::{CommandId, GameId};
use crate::wire::{ClockJson, EventJson, GameJson, LineJson, MovesJson};

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
            ServerMessage::Ack { id, game: Some(*game), seq: Some(*seq), seek: None }.to_json()
        }
        GameNotice::Chat { game, line } => {
            ServerMessage::Chat { game: *game, line: LineJson::from(&**line) }.to_json()
        }
        GameNotice::Said { id, game } => {
            ServerMessage::Ack { id, game: Some(*game), seq: None, seek: None }.to_json()
        }
        GameNotice::Refused { id, game, why } => refused_by_game(id, *game, why),
    }
    .into()
}

fn refused_by_game(id: &CommandId, game: GameId, why: &GameRefusal) -> String {
    let (code, detail) = (why.into(), why.to_string());
    let game = match why {
        // The game that is in the way.
        GameRefusal::AlreadyPlaying(other) => *other,
        GameRefusal::ByRules(_)
        | GameRefusal::NotAPlayer
        | GameRefusal::Blocked
        | GameRefusal::OpponentAway
        | GameRefusal::OpponentPlaying
        | GameRefusal::TooManyGames(_)
        | GameRefusal::ComputerBusy
        | GameRefusal::BotIsFull(_)
        | GameRefusal::OpponentIsFull
        | GameRefusal::StorageUnavailable => Some(game),
    };
    ServerMessage::Refused { id: Some(id), game, code, detail }.to_json()
}

fn answer(id: &CommandId, question: &Question, state: &GameState) -> String {
    let game = state.setup().id;
    let turn = TurnJson { id, game, ply: question.ply, turn: &question.turn };
    let answer = match &question.about {
        About::Next => state.under_way(question).map(|under_way| {
            let (placement, legal) = (&*under_way.placement, MovesJson(&*under_way.legal));
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
    let legal = state.legal_moves();
    ServerMessage::Snapshot {
        id,
        seq: state.seq(),
        you: you.map(Color::as_str),
        game: Box::new(GameJson::from(&**state)),
        legal: MovesJson(&*legal),
        clock: view.clock.map(ClockJson::from),
        draw_offer: state.draw_offer().map(OfferJson::from),
        takeback_offer: state.takeback_offer().map(OfferJson::from),
        rematch: RematchJson {
            offer: state.rematch_offer().map(OfferJson::from),
            next: state.rematch(),
        },
        presence: view.presence.into(),
        chat: chat(view),
    }
    .to_json()
}

fn chat(view: &GameView) -> Vec<LineJson<'_>> {
    view.chat.iter().map(|line| LineJson::from(&**line)).collect()
}

/// The legal moves go with what has last changed the position; those that were legal in between help nobody.
fn replay(id: &CommandId, after: u64, view: &GameView) -> String {
    let state = &view.state;
    let legal = state.legal_moves();
    let changes_position =
        |logged: &&Logged| matches!(logged.event, Event::Move { .. } | Event::TakenBack { .. });
    let last_change = state.log().iter().rfind(changes_position).map(|logged| logged.seq);
    let events = state.log().iter().filter(|logged| logged.seq > after).filter_map(|logged| {
        let legal = if last_change == Some(logged.seq) { &*legal } else { &[] };
        EventJson::new(logged, state.played(logged.seq), MovesJson(legal), state.ratings())
    });
    ServerMessage::Replay {
        id,
        game: state.setup().id,
        seq: state.seq(),
        events: events.collect(),
        clock: view.clock.map(ClockJson::from),
        presence: view.presence.into(),
        chat: chat(view),
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
    let EventNotice { logged, played, legal, ratings, .. } = notice;
    let clock = notice.clock.map(ClockJson::from);
    match EventJson::new(logged, played.as_ref(), MovesJson(legal), ratings.as_ref()) {
        Some(event) => ServerMessage::Event { game: notice.game, event, clock }.to_json(),
        None => {
            tracing::error!(?notice, "a move is told without how it looks");
            UNSAID.to_owned()
        }
    }
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
                Refusal::CasualOnly => Self::CasualOnly,
                Refusal::NothingToTakeBack => Self::NothingToTakeBack,
                Refusal::TooManyTakebacks => Self::TooManyTakebacks,
                Refusal::NoClaim(_) => Self::NoClaim,
                Refusal::GameUnderWay => Self::GameUnderWay,
                Refusal::RematchBegun => Self::RematchBegun,
            },
            GameRefusal::NotAPlayer => Self::NotAPlayer,
            GameRefusal::AlreadyPlaying(_) => Self::AlreadyPlaying,
            GameRefusal::Blocked => Self::Blocked,
            GameRefusal::OpponentAway => Self::OpponentAway,
            GameRefusal::OpponentPlaying | GameRefusal::OpponentIsFull => Self::OpponentPlaying,
            GameRefusal::TooManyGames(_) | GameRefusal::BotIsFull(_) => Self::TooManyGames,
            GameRefusal::ComputerBusy => Self::ComputerBusy,
            GameRefusal::StorageUnavailable => Self::StorageUnavailable,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_reason_is_documented_and_no_other() {
        let text = include_str!("../../../../../docs/protocol.md");
        let (_, reasons) = text.split_once("\n## Reasons\n").expect("there is such a chapter");
        let rows = reasons.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
        let documented: BTreeSet<&str> = rows.map(|(code, _)| code).collect();
        assert_eq!(documented, TurnError::CODES.iter().copied().collect());
    }
}
