//! The lobby's task: pools, seeks, challenges being accepted, and who is to be told.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::time::MissedTickBehavior;

use super::handle::{Asked, Done, Lobby, LobbyNotice, LobbyRefusal, Message};
use super::pool::{Crowd, Pools, Window};
use super::seating::Seating;
use super::seek::{Board, Seek, Seeks};
use super::tabs::Tabs;
use crate::ids::{CommandId, GameId, PlayerId};
use crate::outbox::Outbox;
use crate::player::Player;
use crate::store::StoreError;
use crate::store::bots::BecameBot;
use crate::time::Timestamp;
use unsure::Unsure;

mod challenges;
mod computer;
mod pools;
mod seeks;
mod unsure;

/// How many messages wait before senders do.
const MAILBOX: usize = 1024;
/// How often those who wait are compared again, as their windows widen.
const PAIRING: Duration = Duration::from_secs(1);
/// How many may wait in all pools.
const MAX_WAITING: usize = 5_000;

/// The lobby's mailbox, and the task that empties it: to be spawned, it ends when all mailboxes are dropped. Seeks that were
/// open before are there from the beginning.
pub async fn new(
    seating: Seating,
    window: Window,
) -> Result<(Lobby, impl Future<Output = ()>), StoreError> {
    let (lobby, actor, messages) = LobbyActor::new(seating, window).await?;
    Ok((lobby, actor.run(messages)))
}

struct LobbyActor {
    seating: Seating,
    pools: Pools,
    seeks: Seeks,
    /// Where whoever looks at the lobby finds the seeks.
    board: watch::Sender<Arc<Board>>,
    /// Where whoever looks at the lobby finds how many wait.
    crowds: watch::Sender<Arc<[Crowd]>>,
    tabs: Tabs,
    /// The last game that a player was paired into: what a late cancel is told, while it is under way.
    paired: HashMap<PlayerId, GameId>,
    /// Games whose creation may have been committed although the database's answer was lost.
    unsure: Vec<Unsure>,
    /// The same for seeks of days per move.
    unsure_seeks: Vec<Seek>,
    /// Up to when those whom it concerns have been told that challenges expired.
    told_expired_until: Timestamp,
    /// When to look for the next that have, if any are open.
    next_expiry: Option<Timestamp>,
    /// The last pairs that were made may not be all that fit.
    has_more_pairs: bool,
}

impl LobbyActor {
    async fn new(
        seating: Seating,
        window: Window,
    ) -> Result<(Lobby, Self, mpsc::Receiver<Asked>), StoreError> {
        let (sender, messages) = mpsc::channel(MAILBOX);
        let seeks = seeks::brought_back(&seating).await?;
        let (board, readers) = watch::channel(Arc::new(seeks.board()));
        let (crowds, crowd_readers) = watch::channel(Arc::default());
        let now = seating.now();
        let actor = Self {
            seating,
            pools: Pools::new(window),
            seeks,
            board,
            crowds,
            tabs: Tabs::default(),
            paired: HashMap::new(),
            unsure: Vec::new(),
            unsure_seeks: Vec::new(),
            told_expired_until: now,
            next_expiry: Some(now),
            has_more_pairs: false,
        };
        Ok((Lobby::of(sender, readers, crowd_readers), actor, messages))
    }

    async fn run(mut self, mut messages: mpsc::Receiver<Asked>) {
        let mut pairing = tokio::time::interval(PAIRING);
        pairing.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if self.has_more_pairs && !messages.is_closed() {
                // Those who wait by now, and no others: neither keeps the other from going on.
                for _ in 0..messages.len() {
                    let Ok(asked) = messages.try_recv() else { break };
                    self.take(asked).await;
                }
                if let Err(error) = self.pair().await {
                    tracing::warn!(%error, "the lobby");
                }
                self.count_crowds();
                continue;
            }
            tokio::select! {
                message = messages.recv() => match message {
                    Some(asked) => self.take(asked).await,
                    None => return,
                },
                _ = pairing.tick(), if self.has_to_look() => {
                    self.sweep_seeks();
                    for player in self.tabs.stayed_away(self.seating.now()) {
                        self.go(player);
                    }
                    if let Err(error) = self.look().await {
                        tracing::warn!(%error, "the lobby");
                    }
                    self.count_crowds();
                }
            }
        }
    }

    fn has_to_look(&self) -> bool {
        // A pool that somebody has left has to be told of as well.
        let is_quiet = self.pools.is_empty() && self.crowds.borrow().is_empty();
        let is_idle = is_quiet && self.seeks.is_empty();
        let is_due = self.next_expiry.is_some() || self.tabs.is_anyone_coming_back();
        !(is_idle && self.is_sure()) || is_due
    }

    /// Does what is due though nobody asks, up to the first for which the database does not answer.
    async fn look(&mut self) -> Result<(), StoreError> {
        self.settle().await?;
        self.pair().await?;
        self.tell_expired().await
    }

    /// Does what is asked, unless nobody waits for it any more. While the database is slow messages wait for one another: one
    /// that it did not answer keeps nobody else from being served, but after two of them nobody expects to be.
    async fn take(&mut self, Asked { message, at }: Asked) {
        if message.is_given_up() {
            return;
        }
        let is_late = at.elapsed() > 2 * self.seating.store.patience();
        let message =
            if is_late { message.refuse(LobbyRefusal::StorageUnavailable) } else { Some(message) };
        if let Some(message) = message {
            self.handle(message).await;
        }
    }

    async fn handle(&mut self, message: Message) {
        match message {
            Message::Connect { player, outbox } => {
                if let Some(waiting) = self.pools.waiting(player) {
                    outbox.push(LobbyNotice::Pool { waiting: Some(waiting) });
                }
                self.tabs.open(player, outbox);
            }
            Message::Disconnect { player, conn } => {
                if self.tabs.close(player, conn) {
                    self.go(player);
                }
            }
            Message::Join { id, player, key, outbox } => {
                let player_id = player.id;
                let joined = self.join(player, key).await;
                let is_joined = joined.is_ok();
                answer(&outbox, id, joined.map(|()| Done::Pool));
                if is_joined {
                    self.tell(player_id, LobbyNotice::Pool { waiting: Some(key) });
                    // Whom it did not answer has been told.
                    _ = self.pair().await;
                }
            }
            Message::Leave { id, player, outbox } => {
                if self.pools.waiting(player).is_some() {
                    answer(&outbox, id, Ok(Done::Pool));
                    self.leave_pool(player);
                } else {
                    let playing = self.seating.registry.playing(player);
                    let why = match self.paired.get(&player).filter(|game| playing.contains(game)) {
                        Some(game) => LobbyRefusal::AlreadyPaired(*game),
                        None => LobbyRefusal::NotWaiting,
                    };
                    answer(&outbox, id, Err(why));
                }
            }
            Message::Seek { id, player, wanted, outbox } => {
                let made = self.make_seek(&id, player, wanted).await;
                answer(&outbox, id, made.map(Done::Seek));
            }
            Message::CancelSeek { id, player, seek, outbox } => {
                let canceled = self.cancel_seek(seek, player).await;
                answer(&outbox, id, canceled.map(|()| Done::Seek(seek)));
            }
            Message::AcceptSeek { id, player, seek, outbox } => {
                let accepted = self.accept_seek(seek, player).await;
                answer(&outbox, id, accepted.map(Done::Game));
            }
            // Whoever asked and went away is not answered.
            Message::Accept { challenge, player, done } => {
                _ = done.send(self.accept(challenge, player).await)
            }
            Message::PlayComputer { player, level, color, terms, command, done } => {
                _ = done.send(self.play_computer(player, level, color, terms, command).await)
            }
            Message::Cancel { challenge, player, done } => {
                _ = done.send(self.cancel(challenge, &player).await)
            }
            Message::Decline { challenge, player, done } => {
                _ = done.send(self.decline(challenge, &player).await)
            }
            Message::Challenge { challenge, done } => {
                _ = done.send(self.challenge(*challenge).await)
            }
            Message::CloseBetween { player, other, done } => {
                _ = done.send(self.close_between(&player, other).await)
            }
            Message::Blocks { player, done } => _ = done.send(self.blocks(player).await),
            Message::SignedUp { player, done } => {
                self.tabs.sign_up(player.id, self.seating.now());
                self.renamed(&player);
                _ = done.send(());
            }
            Message::BecomeBot { player, done } => _ = done.send(self.become_bot(player).await),
        }
    }

    /// The player has gone, and waits for nothing.
    fn go(&mut self, player: PlayerId) {
        self.paired.remove(&player);
        self.leave_pool(player);
        self.leave_seeks(player);
    }

    /// A player has another name or kind.
    fn renamed(&mut self, player: &Player) {
        self.pools.rename(player);
        if self.seeks.rename(player, self.seating.beginners()) {
            self.publish();
        }
    }

    /// Whom the player has blocked is asked here: of two changes at once, what was read first could come last.
    async fn blocks(&mut self, player: PlayerId) -> Result<(), LobbyRefusal> {
        let blocked = self.seating.blocks.of(player).await?;
        self.pools.block(player, &blocked);
        self.seeks.block(player, &blocked);
        // In any case: what the player sees of others' has changed as well.
        self.publish();
        Ok(())
    }

    /// Nobody is paired or seated meanwhile: whoever sits at a game or waits in a pool is there as what they are.
    async fn become_bot(&mut self, id: PlayerId) -> Result<BecameBot, LobbyRefusal> {
        let became = self.seating.become_bot(id).await;
        if let Ok(became) = &became {
            self.leave_pool(id);
            self.renamed(&became.player);
        } else if matches!(became, Err(LobbyRefusal::StorageUnavailable)) {
            // It may be a bot all the same, and would be paired with people.
            self.sits_down(id);
        }
        became
    }

    /// The player sits down at a game, and waits for no other.
    fn sits_down(&mut self, player: PlayerId) {
        self.leave_pool(player);
        self.leave_seeks(player);
    }

    /// Tells every tab of a player.
    fn tell(&self, player: PlayerId, notice: LobbyNotice) {
        for outbox in self.tabs.of(player) {
            outbox.push(notice.clone());
        }
    }
}

/// Tells a socket what has become of its command.
fn answer(outbox: &Outbox<LobbyNotice>, id: CommandId, done: Result<Done, LobbyRefusal>) {
    outbox.push(match done {
        Ok(done) => LobbyNotice::Ack { id, done },
        Err(why) => LobbyNotice::Refused { id: Some(id), why },
    });
}
