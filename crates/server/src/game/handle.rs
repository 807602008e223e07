//! A game's mailbox, and what may be put there.

use std::sync::Arc;

use tokio::sync::{mpsc, oneshot};

use super::chat::Text;
use super::event::Action;
use super::notice::{GameNotice, Parting};
use super::question::Question;
use super::state::GameState;
use crate::ids::{CommandId, PlayerId};
use crate::outbox::{ConnId, Outbox};
use crate::player::Player;
use crate::time::Timestamp;

/// How many messages wait before senders do.
const MAILBOX: usize = 64;

/// What the task is asked.
#[derive(Debug)]
pub(super) enum Message {
    Command {
        received_at: Timestamp,
        player: PlayerId,
        id: CommandId,
        action: Action,
        answer: Outbox<GameNotice>,
    },
    Chat {
        at: Timestamp,
        player: Player,
        id: CommandId,
        text: Text,
        answer: Outbox<GameNotice>,
    },
    Question {
        id: CommandId,
        question: Question,
        answer: Outbox<GameNotice>,
    },
    Watch {
        id: CommandId,
        player: Option<PlayerId>,
        seen: Option<u64>,
        answer: Outbox<GameNotice>,
    },
    Unwatch {
        conn: ConnId,
        parting: Parting,
    },
    Renamed {
        player: Player,
    },
    Look {
        done: oneshot::Sender<Arc<GameState>>,
    },
}

/// A game's mailbox.
#[derive(Clone, Debug)]
pub struct GameHandle {
    messages: mpsc::Sender<Message>,
}

/// The game's task is over: look the game up again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

impl GameHandle {
    /// A mailbox, and its other end.
    pub(super) fn new() -> (Self, mpsc::Receiver<Message>) {
        let (messages, receiver) = mpsc::channel(MAILBOX);
        (Self { messages }, receiver)
    }

    /// A command that arrived at `received_at`. The answer comes by `answer`.
    pub async fn command(
        &self,
        received_at: Timestamp,
        player: PlayerId,
        id: CommandId,
        action: Action,
        answer: Outbox<GameNotice>,
    ) -> Result<(), Gone> {
        self.put(Message::Command { received_at, player, id, action, answer }).await
    }

    /// A line of chat, for the room of whoever says it.
    pub async fn chat(
        &self,
        at: Timestamp,
        player: Player,
        id: CommandId,
        text: Text,
        answer: Outbox<GameNotice>,
    ) -> Result<(), Gone> {
        self.put(Message::Chat { at, player, id, text, answer }).await
    }

    /// A question about the turn under way; it changes nothing.
    pub async fn question(
        &self,
        id: CommandId,
        question: Question,
        answer: Outbox<GameNotice>,
    ) -> Result<(), Gone> {
        self.put(Message::Question { id, question, answer }).await
    }

    /// Sends a snapshot, or the events after `seen`, and then every event until [`unwatch`](Self::unwatch).
    pub async fn watch(
        &self,
        id: CommandId,
        player: Option<PlayerId>,
        seen: Option<u64>,
        answer: Outbox<GameNotice>,
    ) -> Result<(), Gone> {
        self.put(Message::Watch { id, player, seen, answer }).await
    }

    pub async fn unwatch(&self, conn: ConnId, parting: Parting) {
        // A task that is gone tells nobody anything.
        _ = self.put(Message::Unwatch { conn, parting }).await;
    }

    /// A player's name or kind has changed.
    pub async fn renamed(&self, player: Player) {
        // A game without a task reads the name from the database.
        _ = self.put(Message::Renamed { player }).await;
    }

    /// The game as it is now.
    pub async fn look(&self) -> Result<Arc<GameState>, Gone> {
        let (done, answer) = oneshot::channel();
        self.put(Message::Look { done }).await?;
        answer.await.map_err(|_| Gone)
    }

    pub fn is_gone(&self) -> bool {
        self.messages.is_closed()
    }

    /// Waits until the task has left.
    pub async fn closed(&self) {
        self.messages.closed().await;
    }

    async fn put(&self, message: Message) -> Result<(), Gone> {
        self.hand_on(message).await.map_err(|_| Gone)
    }

    /// A message that another task has got; it comes back if this one is gone, too.
    pub(super) async fn hand_on(&self, message: Message) -> Result<(), Message> {
        self.messages.send(message).await.map_err(|unsent| unsent.0)
    }
}

#[cfg(test)]
impl GameHandle {
    /// A task that shows whoever watches first the game as it is, and leaves once `leave` fires.
    pub fn idle(
        state: GameState,
        leave: tokio_util::sync::CancellationToken,
    ) -> (Self, impl Future<Output = ()>) {
        let (handle, mut messages) = Self::new();
        let task = async move {
            if let Some(Message::Watch { id, answer, .. }) = messages.recv().await {
                let presence = super::notice::Presence::default();
                let view = super::notice::GameView {
                    state: Arc::new(state),
                    clock: None,
                    presence,
                    chat: Vec::new(),
                };
                answer.push(GameNotice::Snapshot { id: Some(id), you: None, view });
            }
            leave.cancelled().await;
        };
        (handle, task)
    }
}
