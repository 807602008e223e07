//! What a client says: read, kept within bounds, and put to whom it concerns.

use std::num::NonZeroU32;

use axum::extract::ws::{Message, close_code};
use tokio::time::Instant;

use super::protocol::client::{Ask, ClientMessage, MAX_FRAME};
use super::protocol::server::{CloseReason, ServerMessage};
use super::{Connection, End};
use crate::error::Code;
use crate::game::chat::{MAX_CHARS, Text};
use crate::game::event::Action;
use crate::game::handle::{GameHandle, Gone};
use crate::game::notice::{GameNotice, Parting};
use crate::game::question::Question;
use crate::ids::{CommandId, GameId, PlayerId};
use crate::outbox::Outbox;
use crate::player::Player;
use crate::store::StoreError;
use crate::time::Timestamp;

/// How many games a socket may watch.
const MAX_WATCHED: usize = 16;
/// To watch, or look at the lobby, counts as one command and so many more: it may tell a whole game for a hundred bytes.
const WATCH_COST: NonZeroU32 = NonZeroU32::new(3).expect("it is not zero");
/// So many refusals in a row for haste, and the socket is closed.
const MAX_STRIKES: u32 = 100;

/// What a game's task is asked.
enum GameAsk {
    Command { received_at: Timestamp, player: PlayerId, action: Action },
    Chat { at: Timestamp, player: Player, text: Text },
    Question { question: Question },
    Watch { player: Option<PlayerId>, seen: Option<u64> },
}

impl GameAsk {
    async fn put_to(
        &self,
        handle: &GameHandle,
        id: CommandId,
        answer: Outbox<GameNotice>,
    ) -> Result<(), Gone> {
        match self {
            Self::Command { received_at, player, action } => {
                handle.command(*received_at, *player, id, action.clone(), answer).await
            }
            Self::Chat { at, player, text } => {
                handle.chat(*at, player.clone(), id, text.clone(), answer).await
            }
            Self::Question { question } => handle.question(id, question.clone(), answer).await,
            Self::Watch { player, seen } => handle.watch(id, *player, *seen, answer).await,
        }
    }
}

impl Connection {
    pub(super) async fn read(&mut self, message: Message) -> Result<(), End> {
        let received_at = self.app.now();
        self.heard_at = Instant::now();
        let text = match message {
            Message::Text(text) => text,
            Message::Ping(_) => return Ok(()),
            Message::Pong(payload) => {
                if let Some(lag_ms) = self.meter.answered(self.heard_at.into_std(), &payload) {
                    self.game_outbox.lag.set_ms(lag_ms);
                }
                return Ok(());
            }
            Message::Close(frame) => {
                let code = frame.map_or(close_code::NORMAL, |frame| frame.code);
                let is_farewell = matches!(code, close_code::NORMAL | close_code::AWAY);
                let parting = if is_farewell { Parting::Left } else { Parting::Lost };
                return Err(End::Gone(parting));
            }
            Message::Binary(_) => {
                return self.refuse(None, Code::BadMessage, "Messages are text, not binary.").await;
            }
        };
        if text.len() > MAX_FRAME {
            let detail = format!("A message has at most {MAX_FRAME} bytes.");
            self.refuse(None, Code::TooLarge, &detail).await?;
            return Err(End::Closed(CloseReason::TooLarge));
        }
        if self.haste.check().is_err() {
            return self.refuse_haste(id_of(&text).as_ref()).await;
        }
        match ClientMessage::read(&text) {
            Ok(ClientMessage { id, ask: Ask::Watch { .. } | Ask::Look }) if !self.may_hurry() => {
                self.refuse_haste(Some(&id)).await
            }
            Ok(message) => {
                self.strikes = 0;
                self.obey(received_at, message).await
            }
            Err(why) => {
                self.strikes = 0;
                self.refuse(id_of(&text).as_ref(), Code::BadMessage, &why).await
            }
        }
    }

    /// Whether there is room for a command that costs as much as several.
    fn may_hurry(&self) -> bool {
        // Where so many are never allowed at once, one is.
        !matches!(self.haste.check_n(WATCH_COST), Ok(Err(_)))
    }

    async fn refuse_haste(&mut self, id: Option<&CommandId>) -> Result<(), End> {
        self.strikes += 1;
        if self.strikes > MAX_STRIKES {
            return Err(End::Closed(CloseReason::Flood));
        }
        self.refuse(id, Code::RateLimited, "Too many commands in a short time.").await
    }

    pub(super) async fn refuse(
        &mut self,
        id: Option<&CommandId>,
        code: Code,
        detail: &str,
    ) -> Result<(), End> {
        self.app.metrics.refused(code);
        self.send(ServerMessage::refused(id, code, detail)).await
    }

    async fn obey(&mut self, received_at: Timestamp, message: ClientMessage) -> Result<(), End> {
        let ClientMessage { id, ask } = message;
        self.app.metrics.commands.add(ask.kind(), "");
        match ask {
            Ask::Command { game, action } => {
                let Some(player) = self.player.as_ref().map(|p| p.id) else {
                    return self.refuse_stranger(&id).await;
                };
                self.ask_game(id, game, GameAsk::Command { received_at, player, action }).await
            }
            Ask::Chat { game, text } => self.chat(received_at, id, game, &text).await,
            Ask::Question { game, question } => {
                self.ask_game(id, game, GameAsk::Question { question }).await
            }
            Ask::Watch { game, seen } => self.watch(id, game, seen).await,
            Ask::Unwatch { game } => {
                self.timed.remove(&game);
                if self.watched.remove(&game) {
                    self.unwatch(game, Parting::Left).await;
                }
                let ack = ServerMessage::Ack { id: &id, game: Some(game), seq: None, seek: None };
                self.send(ack.to_json()).await
            }
            Ask::Look => self.look(&id).await,
            Ask::LookAway => self.look_away(&id).await,
            Ask::Lobby(ask) => self.ask_lobby(id, ask).await,
            Ask::Ping => self.send(ServerMessage::Pong { id: &id }.to_json()).await,
        }
    }

    async fn chat(
        &mut self,
        at: Timestamp,
        id: CommandId,
        game: GameId,
        text: &str,
    ) -> Result<(), End> {
        let Some(player) = self.player.clone() else {
            return self.refuse_stranger(&id).await;
        };
        let Some(text) = Text::parse(text) else {
            let detail =
                format!("A line has 1 to {MAX_CHARS} characters and no control characters.");
            return self.refuse(Some(&id), Code::BadText, &detail).await;
        };
        // By player and not by socket: more tabs are not more voices.
        if !self.app.limits.chat.allows(&player.id) {
            let detail = "You have said much in a short time. Wait a moment.";
            return self.refuse(Some(&id), Code::RateLimited, detail).await;
        }
        self.ask_game(id, game, GameAsk::Chat { at, player, text }).await
    }

    pub(super) async fn refuse_stranger(&mut self, id: &CommandId) -> Result<(), End> {
        self.refuse(
            Some(id),
            Code::Unauthenticated,
            "This needs a session: log in, or play as a guest.",
        )
        .await
    }

    async fn watch(&mut self, id: CommandId, game: GameId, seen: Option<u64>) -> Result<(), End> {
        if self.watched.len() >= MAX_WATCHED && !self.watched.contains(&game) {
            let detail = format!("A socket watches at most {MAX_WATCHED} games.");
            return self.refuse(Some(&id), Code::TooManyWatched, &detail).await;
        }
        let player = self.player.as_ref().map(|p| p.id);
        self.watched.insert(game);
        self.ask_game(id, game, GameAsk::Watch { player, seen }).await
    }

    /// Asks the game's task, and says so if there is no such game.
    async fn ask_game(&mut self, id: CommandId, game: GameId, ask: GameAsk) -> Result<(), End> {
        // The task of a game that has ended may leave between being found and being asked: then it is found anew.
        loop {
            let found = match self.app.registry.find(game) {
                Some(handle) => Ok(Some(handle)),
                None => Box::pin(self.app.registry.get(game)).await,
            };
            match found {
                Ok(Some(handle)) => {
                    if ask.put_to(&handle, id.clone(), self.game_outbox.clone()).await.is_ok() {
                        return Ok(());
                    }
                    if self.app.stop.is_cancelled() {
                        return self.refuse_to_begin(&id).await;
                    }
                }
                Ok(None) => {
                    self.watched.remove(&game);
                    return self.refuse(Some(&id), Code::NotFound, "There is no such game.").await;
                }
                Err(_) if self.app.stop.is_cancelled() => {
                    return self.refuse_to_begin(&id).await;
                }
                Err(error) => {
                    self.watched.remove(&game);
                    tracing::error!(%game, %error, "a game cannot be read");
                    let (code, detail) = match error {
                        StoreError::Unavailable(_) => (
                            Code::StorageUnavailable,
                            "The database is not available now. Try again in a moment.",
                        ),
                        StoreError::Constraint(_) | StoreError::Damaged(_) => {
                            (Code::Internal, "Something went wrong here. It has been noted.")
                        }
                    };
                    return self.refuse(Some(&id), code, detail).await;
                }
            }
        }
    }

    async fn refuse_to_begin(&mut self, id: &CommandId) -> Result<(), End> {
        self.refuse(Some(id), Code::ShuttingDown, "The server is about to restart.").await
    }
}

/// The id of a message that is otherwise wrong, so that its sender knows which one it was.
fn id_of(text: &str) -> Option<CommandId> {
    #[derive(serde::Deserialize)]
    struct WithId {
        id: CommandId,
    }
    serde_json::from_str::<WithId>(text).ok().map(|message| message.id)
}
