//! The way to the lobby: what it is asked, what it tells, and why it does not do what it is asked.

use std::sync::Arc;

use manifold_engine::Level;
use manifold_rules::{Color, Variant};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::challenge::{Challenge, ChallengeStatus, MAX_OPEN, MAX_OPEN_TO_ONE, SeatChoice};
use super::pool::{Crowd, PoolKey};
use super::seating::Terms;
use super::seek::{Board, MAX_OF_ONE, Wanted};
use crate::game::clock::TimeControl;
use crate::ids::{ChallengeId, CommandId, GameId, PlayerId, SeekId};
use crate::outbox::{ConnId, Outbox};
use crate::player::Player;
use crate::store::StoreError;
use crate::store::bots::BecameBot;

/// What the lobby tells a socket.
#[derive(Clone, Debug)]
pub enum LobbyNotice {
    Ack {
        id: CommandId,
        done: Done,
    },
    /// `id` is the command's; none for what the lobby could not do later.
    Refused {
        id: Option<CommandId>,
        why: LobbyRefusal,
    },
    /// Where the player waits now.
    Pool {
        waiting: Option<PoolKey>,
    },
    Paired {
        game: GameId,
        color: Color,
    },
    /// Somebody challenges this player.
    Challenged(Arc<Challenge>),
    /// What has become of a challenge, and who did it.
    Challenge {
        challenge: ChallengeId,
        status: ChallengeStatus,
        by: Option<Player>,
    },
}

/// What the lobby has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Pool,
    /// Made a seek, or canceled it.
    Seek(SeekId),
    /// Made a game of a seek.
    Game(GameId),
}

/// Why the lobby does not do what it is asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LobbyRefusal {
    #[error("Rated games need an account.")]
    GuestsPlayCasual,
    #[error("You have a game under way.")]
    AlreadyPlaying(Option<GameId>),
    #[error("Your opponent is playing another game with a clock.")]
    OpponentPlaying,
    #[error("A bot has at most {0} games under way. End one first.")]
    BotIsFull(i64),
    #[error("This bot has as many games under way as it may have.")]
    OpponentIsFull,
    #[error("Pools are for people. A bot plays by challenges and seeks.")]
    NoBotsInPools,
    #[error("A person's rated seek is for people. A bot accepts casual ones, and those of bots.")]
    NoBotsForSeek,
    #[error("Only an account that has finished no rated game becomes a bot.")]
    CannotBecomeBot,
    #[error("One of you two has blocked the other.")]
    Blocked,
    #[error("So many wait for an opponent that nobody else can. Try again in a moment.")]
    TooManyWaiting,
    #[error("Only the player whom it names declines a challenge.")]
    NotTheOpponent,
    #[error("You were paired already.")]
    AlreadyPaired(GameId),
    #[error("You are in no pool.")]
    NotWaiting,
    #[error("You cannot accept your own challenge.")]
    OwnChallenge,
    #[error("This challenge is no longer open.")]
    ChallengeClosed(ChallengeStatus),
    #[error("There is no such challenge.")]
    NoSuchChallenge,
    #[error("You have {MAX_OPEN} open challenges. Cancel one first.")]
    TooManyChallenges,
    #[error("{MAX_OPEN_TO_ONE} challenges of yours to this player are open already.")]
    TooManyToOne,
    #[error("So many challenges to this player are open that there can be no other now.")]
    TooManyToThem,
    #[error("Only its creator can cancel a challenge.")]
    NotTheCreator,
    #[error("You have {0} games against the computer under way. End one first.")]
    TooManyGames(i64),
    #[error("The computer plays as many games as it can now. Try again later.")]
    ComputerBusy,
    #[error("This seek is not open any more.")]
    SeekGone,
    #[error("You cannot accept your own seek.")]
    OwnSeek,
    #[error("Only its owner can cancel a seek.")]
    NotTheOwner,
    #[error("Your rating is not what this seek asks for.")]
    RatingOutOfRange,
    #[error("You have {MAX_OF_ONE} seeks. Cancel one first.")]
    TooManySeeks,
    #[error("The lobby is full. Try again in a moment.")]
    LobbyFull,
    #[error("This id was used for another seek, challenge or game of yours.")]
    IdReused,
    #[error("The database does not answer now. Try again in a moment.")]
    StorageUnavailable,
    #[error("Something went wrong here. It has been noted.")]
    Internal,
}

impl From<StoreError> for LobbyRefusal {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "lobby");
        match error {
            StoreError::Unavailable(_) => Self::StorageUnavailable,
            StoreError::Constraint(_) | StoreError::Damaged(_) => Self::Internal,
        }
    }
}

/// A game that was made, and the seat of whom it was made for.
#[derive(Clone, Copy, Debug)]
pub struct Seated {
    pub game: GameId,
    pub color: Color,
}

pub(super) enum Message {
    Connect {
        player: PlayerId,
        outbox: Outbox<LobbyNotice>,
    },
    Disconnect {
        player: PlayerId,
        conn: ConnId,
    },
    Join {
        id: CommandId,
        player: Player,
        key: PoolKey,
        outbox: Outbox<LobbyNotice>,
    },
    Leave {
        id: CommandId,
        player: PlayerId,
        outbox: Outbox<LobbyNotice>,
    },
    Seek {
        id: CommandId,
        player: Player,
        wanted: Wanted,
        outbox: Outbox<LobbyNotice>,
    },
    CancelSeek {
        id: CommandId,
        player: PlayerId,
        seek: SeekId,
        outbox: Outbox<LobbyNotice>,
    },
    AcceptSeek {
        id: CommandId,
        player: Player,
        seek: SeekId,
        outbox: Outbox<LobbyNotice>,
    },
    Accept {
        challenge: ChallengeId,
        player: Player,
        done: oneshot::Sender<Result<Seated, LobbyRefusal>>,
    },
    PlayComputer {
        player: Player,
        level: Level,
        color: SeatChoice,
        terms: Terms,
        /// What the player calls the request, if it is to be done once.
        command: Option<CommandId>,
        done: oneshot::Sender<Result<Seated, LobbyRefusal>>,
    },
    Cancel {
        challenge: ChallengeId,
        player: Player,
        done: oneshot::Sender<Result<(), LobbyRefusal>>,
    },
    Decline {
        challenge: ChallengeId,
        player: Player,
        done: oneshot::Sender<Result<(), LobbyRefusal>>,
    },
    Challenge {
        challenge: Box<Challenge>,
        done: oneshot::Sender<Result<Challenge, LobbyRefusal>>,
    },
    CloseBetween {
        player: Player,
        other: PlayerId,
        done: oneshot::Sender<Result<(), LobbyRefusal>>,
    },
    Blocks {
        player: PlayerId,
        done: oneshot::Sender<Result<(), LobbyRefusal>>,
    },
    SignedUp {
        player: Player,
        done: oneshot::Sender<()>,
    },
    BecomeBot {
        player: PlayerId,
        done: oneshot::Sender<Result<BecameBot, LobbyRefusal>>,
    },
}

impl Message {
    /// Whether whoever asked has gone, or was told that nothing came of it: then nothing may come of it later.
    pub(super) fn is_given_up(&self) -> bool {
        match self {
            Self::Accept { done, .. } | Self::PlayComputer { done, .. } => done.is_closed(),
            Self::Challenge { done, .. } => done.is_closed(),
            Self::Cancel { done, .. }
            | Self::Decline { done, .. }
            | Self::CloseBetween { done, .. } => done.is_closed(),
            Self::BecomeBot { done, .. } => done.is_closed(),
            Self::Join { outbox, .. }
            | Self::Leave { outbox, .. }
            | Self::Seek { outbox, .. }
            | Self::CancelSeek { outbox, .. }
            | Self::AcceptSeek { outbox, .. } => outbox.is_closed(),
            // These the lobby has to know in any case.
            Self::Connect { .. }
            | Self::Disconnect { .. }
            | Self::Blocks { .. }
            | Self::SignedUp { .. } => false,
        }
    }

    /// Refuses what is asked. What needs no database, and the lobby has to know or do in any case, is given back.
    pub(super) fn refuse(self, why: LobbyRefusal) -> Option<Self> {
        match self {
            // Whoever asked and went away is not answered.
            Self::Accept { done, .. } | Self::PlayComputer { done, .. } => {
                _ = done.send(Err(why));
            }
            Self::Challenge { done, .. } => _ = done.send(Err(why)),
            Self::Cancel { done, .. }
            | Self::Decline { done, .. }
            | Self::CloseBetween { done, .. } => _ = done.send(Err(why)),
            Self::BecomeBot { done, .. } => _ = done.send(Err(why)),
            Self::Join { id, outbox, .. }
            | Self::Seek { id, outbox, .. }
            | Self::CancelSeek { id, outbox, .. }
            | Self::AcceptSeek { id, outbox, .. } => {
                outbox.push(LobbyNotice::Refused { id: Some(id), why });
            }
            Self::Leave { .. }
            | Self::Connect { .. }
            | Self::Disconnect { .. }
            | Self::Blocks { .. }
            | Self::SignedUp { .. } => return Some(self),
        }
        None
    }
}

/// A message, and since when it waits.
pub(super) struct Asked {
    pub message: Message,
    pub at: Instant,
}

/// The lobby's mailbox.
#[derive(Clone)]
pub struct Lobby {
    messages: mpsc::Sender<Asked>,
    board: watch::Receiver<Arc<Board>>,
    crowds: watch::Receiver<Arc<[Crowd]>>,
}

impl Lobby {
    pub(super) fn of(
        messages: mpsc::Sender<Asked>,
        board: watch::Receiver<Arc<Board>>,
        crowds: watch::Receiver<Arc<[Crowd]>>,
    ) -> Self {
        Self { messages, board, crowds }
    }

    /// How many wait in each pool where somebody does.
    pub fn crowds(&self) -> Arc<[Crowd]> {
        Arc::clone(&self.crowds.borrow())
    }

    /// The seeks that are open: as they are now, and whenever they change. A reader who is slow finds the last state.
    pub fn board(&self) -> watch::Receiver<Arc<Board>> {
        self.board.clone()
    }

    /// A socket of `player` wants to be told what concerns the player.
    pub async fn connect(&self, player: PlayerId, outbox: Outbox<LobbyNotice>) {
        self.send(Message::Connect { player, outbox }).await;
    }

    pub async fn disconnect(&self, player: PlayerId, conn: ConnId) {
        self.send(Message::Disconnect { player, conn }).await;
    }

    pub async fn join(
        &self,
        id: CommandId,
        player: Player,
        key: PoolKey,
        outbox: Outbox<LobbyNotice>,
    ) {
        self.send(Message::Join { id, player, key, outbox }).await;
    }

    pub async fn leave(&self, id: CommandId, player: PlayerId, outbox: Outbox<LobbyNotice>) {
        self.send(Message::Leave { id, player, outbox }).await;
    }

    pub async fn seek(
        &self,
        id: CommandId,
        player: Player,
        wanted: Wanted,
        outbox: Outbox<LobbyNotice>,
    ) {
        self.send(Message::Seek { id, player, wanted, outbox }).await;
    }

    pub async fn cancel_seek(
        &self,
        id: CommandId,
        player: PlayerId,
        seek: SeekId,
        outbox: Outbox<LobbyNotice>,
    ) {
        self.send(Message::CancelSeek { id, player, seek, outbox }).await;
    }

    pub async fn accept_seek(
        &self,
        id: CommandId,
        player: Player,
        seek: SeekId,
        outbox: Outbox<LobbyNotice>,
    ) {
        self.send(Message::AcceptSeek { id, player, seek, outbox }).await;
    }

    /// Takes the other seat of a challenge, if nobody has.
    pub async fn accept(
        &self,
        challenge: ChallengeId,
        player: Player,
    ) -> Result<Seated, LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        self.send(Message::Accept { challenge, player, done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    /// A casual game against the computer, which begins at once. The same `command` again is the same game.
    pub async fn play_computer(
        &self,
        player: Player,
        level: Level,
        variant: Variant,
        color: SeatChoice,
        time: TimeControl,
        command: Option<CommandId>,
    ) -> Result<Seated, LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        let terms = Terms { variant, time, rated: false };
        self.send(Message::PlayComputer { player, level, color, terms, command, done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    pub async fn cancel(&self, challenge: ChallengeId, player: Player) -> Result<(), LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        self.send(Message::Cancel { challenge, player, done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    pub async fn decline(
        &self,
        challenge: ChallengeId,
        player: Player,
    ) -> Result<(), LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        self.send(Message::Decline { challenge, player, done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    /// Makes a challenge, or finds the one that it is a retry of. Whom it names is told, and both when it expires.
    pub async fn challenge(&self, challenge: Challenge) -> Result<Challenge, LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        self.send(Message::Challenge { challenge: Box::new(challenge), done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    /// Closes what is open between a player and another whom the player has blocked.
    pub async fn close_between(&self, player: Player, other: PlayerId) -> Result<(), LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        self.send(Message::CloseBetween { player, other, done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    /// A player has blocked others than before. Once this returns, no pairing goes by what was before.
    pub async fn blocks(&self, player: PlayerId) -> Result<(), LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        self.send(Message::Blocks { player, done }).await;
        // When the lobby has ended, nobody is paired any more.
        answer.await.unwrap_or(Ok(()))
    }

    /// A guest has become this account, whose tabs are closed after this and opened again: what the player waits for stays. Once
    /// this returns, every game that was begun under the old name has its task, and none is begun under it any more.
    pub async fn signed_up(&self, player: Player) {
        let (done, answer) = oneshot::channel();
        self.send(Message::SignedUp { player, done }).await;
        // When the lobby has ended, it begins no game under the old name either.
        _ = answer.await;
    }

    /// Makes an account a bot, for good: it leaves its pool, and what it offers is a bot's from then on. Of one that is a
    /// bot already the answer is the same.
    pub async fn become_bot(&self, player: PlayerId) -> Result<BecameBot, LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        self.send(Message::BecomeBot { player, done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    async fn send(&self, message: Message) {
        self.send_as_of(Instant::now(), message).await;
    }

    pub(super) async fn send_as_of(&self, at: Instant, message: Message) {
        // The task lives as long as any mailbox.
        _ = self.messages.send(Asked { message, at }).await;
    }
}
