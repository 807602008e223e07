//! What the server says.

use std::collections::BTreeMap;

use manifold_rules::{Color, SingleMove};
use serde::Serialize;

use crate::error::Code;
use crate::ids::{ChallengeId, CommandId, GameId, SeekId};
use crate::lobby::pool::{Crowd, PoolKey};
use crate::player::Player;
use crate::wire::{
    ChallengeJson, ClockJson, EventJson, GameJson, LineJson, MovesJson, PlayerJson, PresenceJson,
    SeekJson,
};

/// What is said instead of what cannot be written.
pub(super) const UNSAID: &str = r#"{"t":"refused","id":null,"code":"internal","detail":"Something went wrong here. It has been noted."}"#;

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
        legal: MovesJson<&'a [SingleMove]>,
        clock: Option<ClockJson>,
        draw_offer: Option<OfferJson>,
        takeback_offer: Option<OfferJson>,
        rematch: RematchJson,
        presence: PresenceJson,
        chat: Vec<LineJson<'a>>,
    },
    Replay {
        id: &'a CommandId,
        game: GameId,
        seq: u64,
        events: Vec<EventJson<'a>>,
        clock: Option<ClockJson>,
        presence: PresenceJson,
        chat: Vec<LineJson<'a>>,
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
    Chat {
        game: GameId,
        #[serde(flatten)]
        line: LineJson<'a>,
    },
    Ack {
        id: &'a CommandId,
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<GameId>,
        #[serde(skip_serializing_if = "Option::is_none")]
        seq: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        seek: Option<SeekId>,
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
        legal: MovesJson<&'a [SingleMove]>,
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
    Lobby {
        id: Option<&'a CommandId>,
        #[serde(flatten)]
        counts: CountsJson,
        waiting: Option<PoolJson>,
        seeks: Vec<SeekJson<'a>>,
    },
    SeekAdded {
        seek: Box<SeekJson<'a>>,
    },
    SeekRemoved {
        seek: SeekId,
    },
    LobbyCounts(CountsJson),
    Challenged {
        challenge: Box<ChallengeJson<'a>>,
    },
    Challenge {
        challenge: ChallengeId,
        status: &'static str,
        game: Option<GameId>,
        by: Option<PlayerJson<'a>>,
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
    pub id: &'a CommandId,
    pub game: GameId,
    pub ply: usize,
    pub turn: &'a str,
}

/// An open offer.
#[derive(Debug, Serialize)]
pub struct OfferJson {
    by: &'static str,
    offer: u64,
}

impl From<(Color, u64)> for OfferJson {
    fn from((by, offer): (Color, u64)) -> Self {
        Self { by: by.as_str(), offer }
    }
}

/// What has come of the wish to play again.
#[derive(Debug, Serialize)]
pub struct RematchJson {
    pub offer: Option<OfferJson>,
    pub next: Option<GameId>,
}

/// Where somebody waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
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

/// How many are here, how many games are under way, and how many wait in each pool where somebody does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountsJson {
    pub online: usize,
    pub games: usize,
    pub pools: Vec<CrowdJson>,
}

/// How many wait in one pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CrowdJson {
    #[serde(flatten)]
    pool: PoolJson,
    waiting: usize,
}

impl From<&Crowd> for CrowdJson {
    fn from(&Crowd { key, waiting }: &Crowd) -> Self {
        Self { pool: key.into(), waiting }
    }
}

impl ServerMessage<'_> {
    pub fn to_json(&self) -> String {
        let mut json = Vec::with_capacity(self.room());
        let written = serde_json::to_writer(&mut json, self).map_err(|error| error.to_string());
        let text =
            written.and_then(|()| String::from_utf8(json).map_err(|error| error.to_string()));
        // Nothing in these types can fail: their keys are strings, their numbers finite.
        text.unwrap_or_else(|error| {
            tracing::error!(%error, message = ?self, "a message cannot be written");
            UNSAID.to_owned()
        })
    }

    /// About how many bytes it takes, so that a long message is not copied again and again while it is written.
    const fn room(&self) -> usize {
        match self {
            Self::Event { .. } => 1536,
            Self::Snapshot { .. } | Self::Replay { .. } => 16 * 1024,
            Self::Hello { .. }
            | Self::Presence { .. }
            | Self::Chat { .. }
            | Self::Ack { .. }
            | Self::Refused { .. }
            | Self::Legal { .. }
            | Self::Explained { .. }
            | Self::Pool { .. }
            | Self::Paired { .. }
            | Self::Lobby { .. }
            | Self::SeekAdded { .. }
            | Self::SeekRemoved { .. }
            | Self::LobbyCounts(_)
            | Self::Challenged { .. }
            | Self::Challenge { .. }
            | Self::Pong { .. }
            | Self::Closing { .. } => 128,
        }
    }

    pub fn hello(player: Option<&Player>, assets: &str) -> String {
        ServerMessage::Hello { player: player.map(PlayerJson::from), assets }.to_json()
    }

    pub fn refused(id: Option<&CommandId>, code: Code, detail: &str) -> String {
        ServerMessage::Refused { id, game: None, code, detail: detail.to_owned() }.to_json()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
