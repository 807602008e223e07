//! What the lobby tells, in words.

use super::server::{PoolJson, ServerMessage};
use crate::error::Code;
use crate::lobby::handle::{Done, LobbyNotice, LobbyRefusal};
use crate::wire::{ChallengeJson, PlayerJson};

/// The lobby's notice as it is sent.
pub fn lobby_notice(notice: &LobbyNotice) -> String {
    match notice {
        LobbyNotice::Ack { id, done } => {
            let (game, seek) = match *done {
                Done::Pool => (None, None),
                Done::Seek(seek) => (None, Some(seek)),
                Done::Game(game) => (Some(game), None),
            };
            ServerMessage::Ack { id, game, seq: None, seek }
        }
        LobbyNotice::Refused { id, why } => {
            let game = match why {
                LobbyRefusal::AlreadyPlaying(game) => *game,
                LobbyRefusal::AlreadyPaired(game) => Some(*game),
                LobbyRefusal::GuestsPlayCasual
                | LobbyRefusal::OpponentPlaying
                | LobbyRefusal::OpponentIsFull
                | LobbyRefusal::BotIsFull(_)
                | LobbyRefusal::NoBotsInPools
                | LobbyRefusal::NoBotsForSeek
                | LobbyRefusal::CannotBecomeBot
                | LobbyRefusal::Blocked
                | LobbyRefusal::TooManyWaiting
                | LobbyRefusal::NotTheOpponent
                | LobbyRefusal::NotWaiting
                | LobbyRefusal::OwnChallenge
                | LobbyRefusal::ChallengeClosed(_)
                | LobbyRefusal::NoSuchChallenge
                | LobbyRefusal::TooManyChallenges
                | LobbyRefusal::TooManyToOne
                | LobbyRefusal::TooManyToThem
                | LobbyRefusal::NotTheCreator
                | LobbyRefusal::TooManyGames(_)
                | LobbyRefusal::ComputerBusy
                | LobbyRefusal::SeekGone
                | LobbyRefusal::OwnSeek
                | LobbyRefusal::NotTheOwner
                | LobbyRefusal::RatingOutOfRange
                | LobbyRefusal::TooManySeeks
                | LobbyRefusal::LobbyFull
                | LobbyRefusal::IdReused
                | LobbyRefusal::StorageUnavailable
                | LobbyRefusal::Internal => None,
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
        LobbyNotice::Challenged(challenge) => {
            ServerMessage::Challenged { challenge: Box::new(ChallengeJson::new(challenge, None)) }
        }
        LobbyNotice::Challenge { challenge, status, by } => ServerMessage::Challenge {
            challenge: *challenge,
            status: status.as_str(),
            game: status.game(),
            by: by.as_ref().map(PlayerJson::from),
        },
    }
    .to_json()
}

impl From<&LobbyRefusal> for Code {
    fn from(why: &LobbyRefusal) -> Self {
        match why {
            LobbyRefusal::GuestsPlayCasual => Self::GuestsPlayCasual,
            LobbyRefusal::AlreadyPlaying(_) => Self::AlreadyPlaying,
            LobbyRefusal::AlreadyPaired(_) => Self::AlreadyPaired,
            LobbyRefusal::OpponentPlaying | LobbyRefusal::OpponentIsFull => Self::OpponentPlaying,
            LobbyRefusal::NoBotsInPools | LobbyRefusal::NoBotsForSeek => Self::NotForBots,
            LobbyRefusal::CannotBecomeBot => Self::CannotBecomeBot,
            LobbyRefusal::Blocked => Self::Blocked,
            LobbyRefusal::TooManyWaiting => Self::TooManyWaiting,
            LobbyRefusal::NotTheOpponent => Self::NotTheOpponent,
            LobbyRefusal::NotWaiting => Self::NotWaiting,
            LobbyRefusal::OwnChallenge => Self::OwnChallenge,
            LobbyRefusal::ChallengeClosed(_) => Self::ChallengeClosed,
            LobbyRefusal::NoSuchChallenge => Self::NotFound,
            LobbyRefusal::TooManyChallenges
            | LobbyRefusal::TooManyToOne
            | LobbyRefusal::TooManyToThem => Self::TooManyChallenges,
            LobbyRefusal::NotTheCreator => Self::NotTheCreator,
            LobbyRefusal::TooManyGames(_) | LobbyRefusal::BotIsFull(_) => Self::TooManyGames,
            LobbyRefusal::ComputerBusy => Self::ComputerBusy,
            LobbyRefusal::SeekGone => Self::SeekGone,
            LobbyRefusal::OwnSeek => Self::OwnSeek,
            LobbyRefusal::NotTheOwner => Self::NotTheOwner,
            LobbyRefusal::RatingOutOfRange => Self::RatingOutOfRange,
            LobbyRefusal::TooManySeeks | LobbyRefusal::LobbyFull => Self::TooManySeeks,
            LobbyRefusal::IdReused => Self::IdReused,
            LobbyRefusal::StorageUnavailable => Self::StorageUnavailable,
            LobbyRefusal::Internal => Self::Internal,
        }
    }
}
