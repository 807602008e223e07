//! The lobby's task: pools, seeks, challenges being accepted, and who is to be told.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use manifold_engine::Level;
use manifold_rules::Color;
use rand::RngExt as _;
use tokio::sync::{mpsc, watch};
use tokio::time::MissedTickBehavior;

use super::challenge::SeatChoice;
use super::handle::{Done, Lobby, LobbyNotice, LobbyRefusal, Message, Seated};
use super::pool::{PoolKey, Pools, Waiting, Window};
use super::seating::{Seating, Terms, seated};
use super::seek::{Board, Ending, Seek, Seeks};
use crate::game::clock::TimeControl;
use crate::game::registry::Beginning;
use crate::ids::{CommandId, GameId, PlayerId, SeekId};
use crate::outbox::Outbox;
use crate::player::{Player, PlayerKind};
use crate::store::StoreError;
use crate::store::requests::GameRequest;
use crate::time::Timestamp;

mod challenges;
mod seeks;

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
    let (sender, messages) = mpsc::channel(MAILBOX);
    let seeks = seeks::brought_back(&seating).await?;
    let (board, readers) = watch::channel(Arc::new(seeks.board()));
    let seating_now = seating.now();
    let actor = LobbyActor {
        seating,
        pools: Pools::new(window),
        seeks,
        board,
        sockets: HashMap::new(),
        paired: HashMap::new(),
        unsure: Vec::new(),
        unsure_seeks: Vec::new(),
        told_expired_until: seating_now,
        next_expiry: Some(seating_now),
    };
    Ok((Lobby::of(sender, readers), actor.run(messages)))
}

struct LobbyActor {
    seating: Seating,
    pools: Pools,
    seeks: Seeks,
    /// Where whoever looks at the lobby finds the seeks.
    board: watch::Sender<Arc<Board>>,
    /// The sockets of everyone who has some.
    sockets: HashMap<PlayerId, Vec<Outbox<LobbyNotice>>>,
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
}

/// The people of a game and their colors.
type Seats = [(PlayerId, Color)];

/// A game that was made, or may have been.
struct Begun {
    game: GameId,
    seats: Vec<(PlayerId, Color)>,
    /// Whether its people sit down to it, and wait for no other then.
    is_sat_at: bool,
    /// Of which it is the game.
    seek: Option<SeekId>,
}

struct Unsure {
    begun: Begun,
    /// Until it is known, its people begin no other.
    _beginning: Beginning,
}

impl LobbyActor {
    async fn run(mut self, mut messages: mpsc::Receiver<Message>) {
        let mut pairing = tokio::time::interval(PAIRING);
        pairing.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                message = messages.recv() => match message {
                    Some(message) => self.handle(message).await,
                    None => return,
                },
                _ = pairing.tick(), if self.has_to_look() => {
                    self.settle().await;
                    self.settle_seeks().await;
                    self.sweep_seeks();
                    self.pair().await;
                    self.tell_expired().await;
                }
            }
        }
    }

    fn has_to_look(&self) -> bool {
        let is_idle = self.pools.is_empty() && self.seeks.is_empty();
        let is_sure = self.unsure.is_empty() && self.unsure_seeks.is_empty();
        !(is_idle && is_sure && self.next_expiry.is_none())
    }

    async fn handle(&mut self, message: Message) {
        if message.is_given_up() {
            return;
        }
        match message {
            Message::Connect { player, outbox } => {
                if let Some(waiting) = self.pools.waiting(player) {
                    outbox.push(LobbyNotice::Pool { waiting: Some(waiting) });
                }
                self.sockets.entry(player).or_default().push(outbox);
            }
            Message::Disconnect { player, conn } => {
                if let Some(sockets) = self.sockets.get_mut(&player) {
                    sockets.retain(|outbox| outbox.conn != conn);
                    if sockets.is_empty() {
                        self.sockets.remove(&player);
                        self.paired.remove(&player);
                        self.leave_pool(player);
                        self.leave_seeks(player);
                    }
                }
            }
            Message::Join { id, player, key, outbox } => {
                let player_id = player.id;
                let joined = self.join(player, key).await;
                let is_joined = joined.is_ok();
                answer(&outbox, id, joined.map(|()| Done::Pool));
                if is_joined {
                    self.tell(player_id, LobbyNotice::Pool { waiting: Some(key) });
                    self.pair().await;
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
            Message::Challenged { challenge } => {
                let expires_at = challenge.expires_at;
                self.next_expiry =
                    Some(self.next_expiry.map_or(expires_at, |at| at.min(expires_at)));
                if let Some(opponent) = &challenge.opponent {
                    self.tell(opponent.id, LobbyNotice::Challenged(Arc::clone(&challenge)));
                }
            }
            Message::Blocks { player, blocked, done } => {
                self.pools.block(player, &blocked);
                self.seeks.block(player, &blocked);
                // In any case: what the player sees of others' has changed as well.
                self.publish();
                _ = done.send(());
            }
            Message::Renamed { player } => {
                self.pools.rename(&player);
                if self.seeks.rename(&player, self.seating.beginners()) {
                    self.publish();
                }
            }
        }
    }

    async fn join(&mut self, player: Player, key: PoolKey) -> Result<(), LobbyRefusal> {
        if key.rated && player.kind == PlayerKind::Guest {
            return Err(LobbyRefusal::GuestsPlayCasual);
        }
        let game = self.seating.playing(player.id);
        if game.is_some() || self.seating.registry.is_beginning(player.id) {
            return Err(LobbyRefusal::AlreadyPlaying(game));
        }
        if self.pools.len() >= MAX_WAITING && self.pools.waiting(player.id).is_none() {
            return Err(LobbyRefusal::TooManyWaiting);
        }
        let rating = self.seating.strength(&player, key.into()).await?;
        let blocked = self.seating.blocks.of(player.id).await?;
        self.paired.remove(&player.id);
        self.pools.join(key, Waiting { player, rating, since: self.seating.now(), blocked });
        Ok(())
    }

    /// The player sits down at a game, and waits for no other.
    fn sits_down(&mut self, player: PlayerId) {
        self.leave_pool(player);
        self.leave_seeks(player);
    }

    fn leave_pool(&mut self, player: PlayerId) {
        if self.pools.leave(player).is_some() {
            self.tell(player, LobbyNotice::Pool { waiting: None });
        }
    }

    async fn pair(&mut self) {
        // A game can begin in other ways than through here: a rematch, for one.
        let registry = &self.seating.registry;
        let gone = self.pools.sweep(|player| !registry.playing(player).is_empty());
        for player in gone {
            self.tell(player, LobbyNotice::Pool { waiting: None });
        }
        for (key, a, b) in self.pools.pair(self.seating.now()) {
            let time = TimeControl::Fischer(key.time);
            match self.seating.registry.begin_for(time, [&a.player, &b.player]).await {
                Ok(beginning) => self.seat(key, a.player, b.player, beginning).await,
                // Whoever else has begun a game since is swept out next time; the other waits on.
                Err(_) => {
                    self.pools.join(key, a);
                    self.pools.join(key, b);
                }
            }
        }
    }

    /// Makes the game of two who have met in a pool.
    async fn seat(&mut self, key: PoolKey, a: Player, b: Player, beginning: Beginning) {
        let color = SeatChoice::Random.color(rand::rng().random());
        let seats = vec![(a.id, color), (b.id, color.other())];
        let setup = match self.seating.setup(key.into(), None, seated(color, a, b)).await {
            Ok(setup) => setup,
            Err(error) => return self.not_seated(&seats, &error),
        };
        let begun = Begun { game: setup.id, seats, is_sat_at: true, seek: None };
        match self.seating.registry.create(setup).await {
            Ok(()) => self.begin_all(&begun),
            Err(error) => {
                self.not_seated(&begun.seats, &error);
                self.unsure.push(Unsure { begun, _beginning: beginning });
            }
        }
    }

    /// Tells players that nothing comes of their waiting, and why.
    fn not_seated(&mut self, seats: &Seats, error: &StoreError) {
        tracing::error!(%error, "a pair was not seated");
        for (player, _) in seats {
            let why = LobbyRefusal::StorageUnavailable;
            self.tell(*player, LobbyNotice::Refused { id: None, why });
            self.tell(*player, LobbyNotice::Pool { waiting: None });
        }
    }

    /// Asks what became of games whose creation was not answered.
    async fn settle(&mut self) {
        let mut unsure = std::mem::take(&mut self.unsure).into_iter();
        while let Some(one) = unsure.next() {
            let game = one.begun.game;
            match self.seating.registry.get(game).await {
                Ok(Some(_)) => self.begin_all(&one.begun),
                Ok(None) => {}
                // The others would not be answered either, and all who ask the lobby wait meanwhile.
                Err(StoreError::Unavailable(_)) => {
                    self.unsure.push(one);
                    self.unsure.extend(unsure);
                    return;
                }
                // No later look would find more.
                Err(error @ (StoreError::Damaged(_) | StoreError::Constraint(_))) => {
                    tracing::error!(%game, %error, "a game that was made has no task");
                }
            }
        }
    }

    /// Tells the people of a game that it begins, and ends their waiting for another.
    fn begin_all(&mut self, begun: &Begun) {
        let Begun { game, ref seats, is_sat_at, seek } = *begun;
        if let Some(seek) = seek {
            self.end_seek(seek, Ending::Over);
        }
        for &(player, color) in seats {
            self.tell(player, LobbyNotice::Paired { game, color });
            if is_sat_at {
                // Whoever has no socket has nothing to cancel, and would never be forgotten.
                if self.sockets.contains_key(&player) {
                    self.paired.insert(player, game);
                }
                // Whoever was paired has left the pool already.
                self.pools.leave(player);
                self.tell(player, LobbyNotice::Pool { waiting: None });
                self.leave_seeks(player);
            }
        }
    }

    async fn play_computer(
        &mut self,
        player: Player,
        level: Level,
        color: SeatChoice,
        terms: Terms,
        command: Option<CommandId>,
    ) -> Result<Seated, LobbyRefusal> {
        let request = command.map(|command| GameRequest { player: player.id, command, color });
        if let Some(request) = &request
            && let Some(before) = self.seating.requested(request, level, terms).await?
        {
            return Ok(before);
        }
        let (color, id) = (color.color(rand::rng().random()), player.id);
        let computer = Player::computer(level);
        let beginning = self.seating.begin_for(terms.time, [&player, &computer], id).await?;
        let seats = seated(color, player, computer);
        let setup = self.seating.setup(terms, None, seats).await?;
        let game = setup.id;
        if let Err(error) = self.seating.create(setup, request.as_ref()).await {
            let begun = Begun { game, seats: vec![(id, color)], is_sat_at: true, seek: None };
            self.unsure.push(Unsure { begun, _beginning: beginning });
            return Err(error.into());
        }
        self.sits_down(id);
        Ok(Seated { game, color })
    }

    /// Tells every tab of a player.
    fn tell(&self, player: PlayerId, notice: LobbyNotice) {
        for outbox in self.sockets.get(&player).into_iter().flatten() {
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
