//! What a client may say.

use std::borrow::Cow;

use serde::Deserialize;

use crate::decode::decode;
use crate::game::event::Action;
use crate::game::question::{About, Question};
use crate::ids::{CommandId, GameId, SeekId};
use crate::terms::TimeBody;

/// The longest frame that a client may send, in bytes.
pub const MAX_FRAME: usize = 8 * 1024;

/// What a client sends.
#[derive(Debug, Deserialize)]
pub struct ClientMessage {
    pub id: CommandId,
    #[serde(flatten)]
    pub ask: Ask,
}

impl ClientMessage {
    /// What the text says, or the sentence that tells its sender what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Kind<'a> {
            // Nothing looks at it: that it is text is all that matters.
            #[serde(borrow, rename = "t")]
            _t: Cow<'a, str>,
        }
        // Nearly all are moves. Read as any kind, a message is kept in pieces until its kind is known.
        if let Ok(MoveJson { t: MoveKind::Move, id, game, ply, turn }) = serde_json::from_str(text)
        {
            let action = Action::Move { ply, turn };
            return Ok(Self { id, ask: Ask::Command { game, action } });
        }
        let message = decode(text.as_bytes())?;
        // A kind is its name. serde takes its number as well, which changes with every kind that is added.
        match serde_json::from_str::<Kind<'_>>(text) {
            Ok(_) => Ok(message),
            Err(_) => Err("The field t has a value that it cannot have.".to_owned()),
        }
    }
}

/// A move as it is written.
#[derive(Deserialize)]
struct MoveJson {
    t: MoveKind,
    id: CommandId,
    game: GameId,
    ply: usize,
    #[serde(rename = "move")]
    turn: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum MoveKind {
    Move,
}

/// What a client asks, by whom it is answered.
#[derive(Debug, Deserialize)]
#[serde(from = "AskJson")]
pub enum Ask {
    /// To change a game.
    Command { game: GameId, action: Action },
    /// To say something beside a game.
    Chat { game: GameId, text: String },
    /// To be told something about a game.
    Question { game: GameId, question: Question },
    /// To be told what happens in a game, perhaps only since an event.
    Watch { game: GameId, seen: Option<u64> },
    /// Not to be told so any more.
    Unwatch { game: GameId },
    /// To be shown the seeks, and told what changes.
    Look,
    /// Not to be told so any more.
    LookAway,
    /// To find an opponent.
    Lobby(LobbyAsk),
    /// Whether the line holds.
    Ping,
}

/// What a client asks the lobby.
#[derive(Debug)]
pub enum LobbyAsk {
    /// To wait for an opponent.
    JoinPool { variant: String, time: String, rated: bool },
    /// Not to wait any more.
    LeavePool,
    /// To offer a game to whoever fits.
    Seek(SeekBody),
    /// Not to offer it any more.
    CancelSeek { seek: SeekId },
    /// To play it.
    AcceptSeek { seek: SeekId },
}

/// A seek as it comes.
#[derive(Debug)]
pub struct SeekBody {
    pub variant: String,
    pub color: String,
    pub time: TimeBody,
    pub rated: bool,
    pub rating: RangeBody,
}

/// A range of ratings as it comes.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeBody {
    pub min: Option<u16>,
    pub max: Option<u16>,
}

impl Ask {
    /// Its kind, as a client names it.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Command { action, .. } => action.kind(),
            Self::Chat { .. } => "chat",
            Self::Question { .. } => "question",
            Self::Watch { .. } => "watch",
            Self::Unwatch { .. } => "unwatch",
            Self::Lobby(LobbyAsk::JoinPool { .. }) => "join_pool",
            Self::Lobby(LobbyAsk::LeavePool) => "leave_pool",
            Self::Look => "lobby",
            Self::LookAway => "leave_lobby",
            Self::Lobby(LobbyAsk::Seek(_)) => "seek",
            Self::Lobby(LobbyAsk::CancelSeek { .. }) => "cancel_seek",
            Self::Lobby(LobbyAsk::AcceptSeek { .. }) => "accept_seek",
            Self::Ping => "ping",
        }
    }
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
    OfferTakeback {
        game: GameId,
    },
    AcceptTakeback {
        game: GameId,
        offer: u64,
    },
    DeclineTakeback {
        game: GameId,
        offer: u64,
    },
    ClaimWin {
        game: GameId,
    },
    ClaimDraw {
        game: GameId,
    },
    OfferRematch {
        game: GameId,
    },
    AcceptRematch {
        game: GameId,
        offer: u64,
    },
    DeclineRematch {
        game: GameId,
        offer: u64,
    },
    Chat {
        game: GameId,
        text: String,
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
    Lobby,
    LeaveLobby,
    Seek {
        variant: String,
        color: String,
        time: TimeBody,
        rated: bool,
        #[serde(default)]
        rating: Option<RangeBody>,
    },
    CancelSeek {
        seek: SeekId,
    },
    AcceptSeek {
        seek: SeekId,
    },
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
            AskJson::OfferTakeback { game } => command(game, Action::OfferTakeback),
            AskJson::AcceptTakeback { game, offer } => {
                command(game, Action::AcceptTakeback { offer })
            }
            AskJson::DeclineTakeback { game, offer } => {
                command(game, Action::DeclineTakeback { offer })
            }
            AskJson::ClaimWin { game } => command(game, Action::ClaimWin),
            AskJson::ClaimDraw { game } => command(game, Action::ClaimDraw),
            AskJson::OfferRematch { game } => command(game, Action::OfferRematch),
            AskJson::AcceptRematch { game, offer } => {
                command(game, Action::AcceptRematch { offer })
            }
            AskJson::DeclineRematch { game, offer } => {
                command(game, Action::DeclineRematch { offer })
            }
            AskJson::Chat { game, text } => Self::Chat { game, text },
            AskJson::Legal { game, ply, turn } => question(game, ply, turn, About::Next),
            AskJson::Explain { game, ply, turn, from, to } => {
                question(game, ply, turn, About::Move { from, to })
            }
            AskJson::Watch { game, seen } => Self::Watch { game, seen },
            AskJson::Unwatch { game } => Self::Unwatch { game },
            AskJson::JoinPool { variant, time, rated } => {
                Self::Lobby(LobbyAsk::JoinPool { variant, time, rated })
            }
            AskJson::LeavePool => Self::Lobby(LobbyAsk::LeavePool),
            AskJson::Lobby => Self::Look,
            AskJson::LeaveLobby => Self::LookAway,
            AskJson::Seek { variant, color, time, rated, rating } => {
                let rating = rating.unwrap_or_default();
                Self::Lobby(LobbyAsk::Seek(SeekBody { variant, color, time, rated, rating }))
            }
            AskJson::CancelSeek { seek } => Self::Lobby(LobbyAsk::CancelSeek { seek }),
            AskJson::AcceptSeek { seek } => Self::Lobby(LobbyAsk::AcceptSeek { seek }),
            AskJson::Ping => Self::Ping,
        }
    }
}
