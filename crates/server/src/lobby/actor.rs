//! The lobby's task: pools, challenges being accepted, and who is to be told.

use std::collections::HashMap;
use std::time::Duration;

use manifold_engine::Level;
use manifold_rules::{Color, Variant};
use rand::RngExt as _;
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;

use super::challenge::{ChallengeStatus, SeatChoice};
use super::pool::{PoolKey, Pools, Waiting, Window};
use super::seating::{Seating, Terms, seated};
use crate::game::clock::TimeControl;
use crate::ids::{ChallengeId, CommandId, GameId, PlayerId};
use crate::outbox::{ConnId, Outbox};
use crate::player::{Player, PlayerKind};
use crate::store::StoreError;

/// How many messages wait before senders do.
const MAILBOX: usize = 1024;
/// How often those who wait are compared again, as their windows widen.
const PAIRING: Duration = Duration::from_secs(1);

/// What the lobby tells a socket.
#[derive(Clone, Debug)]
pub enum LobbyNotice {
    Ack {
        id: CommandId,
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
    Challenge {
        challenge: ChallengeId,
        status: ChallengeStatus,
    },
}

/// Why the lobby does not do what it is asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LobbyRefusal {
    #[error("Rated games need an account.")]
    GuestsPlayCasual,
    #[error("You have a game under way.")]
    AlreadyPlaying(GameId),
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
    #[error("Only its creator can cancel a challenge.")]
    NotTheCreator,
    #[error("You have {0} games against the computer under way. End one first.")]
    TooManyGames(i64),
    #[error("The database cannot be written now. Nothing was changed; try again.")]
    StorageUnavailable,
}

impl From<StoreError> for LobbyRefusal {
    fn from(error: StoreError) -> Self {
        tracing::error!(%error, "lobby");
        Self::StorageUnavailable
    }
}

/// A game that was made, and the seat of whom it was made for.
#[derive(Clone, Copy, Debug)]
pub struct Seated {
    pub game: GameId,
    pub color: Color,
}

enum Message {
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
        done: oneshot::Sender<Result<Seated, LobbyRefusal>>,
    },
    Cancel {
        challenge: ChallengeId,
        player: PlayerId,
        done: oneshot::Sender<Result<(), LobbyRefusal>>,
    },
}

/// The lobby's mailbox.
#[derive(Clone)]
pub struct Lobby {
    messages: mpsc::Sender<Message>,
}

impl Lobby {
    /// The mailbox, and the task that empties it: to be spawned, it ends when all mailboxes are dropped.
    pub fn new(seating: Seating, window: Window) -> (Self, impl Future<Output = ()>) {
        let (sender, messages) = mpsc::channel(MAILBOX);
        let actor = LobbyActor {
            seating,
            pools: Pools::new(window),
            sockets: HashMap::new(),
            joined_by: HashMap::new(),
            paired: HashMap::new(),
            unsure: Vec::new(),
        };
        (Self { messages: sender }, actor.run(messages))
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

    /// A casual game against the computer, which begins at once.
    pub async fn play_computer(
        &self,
        player: Player,
        level: Level,
        variant: Variant,
        color: SeatChoice,
        time: TimeControl,
    ) -> Result<Seated, LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        let terms = Terms { variant, time, rated: false };
        self.send(Message::PlayComputer { player, level, color, terms, done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    pub async fn cancel(
        &self,
        challenge: ChallengeId,
        player: PlayerId,
    ) -> Result<(), LobbyRefusal> {
        let (done, answer) = oneshot::channel();
        self.send(Message::Cancel { challenge, player, done }).await;
        answer.await.unwrap_or(Err(LobbyRefusal::StorageUnavailable))
    }

    async fn send(&self, message: Message) {
        // The task lives as long as any mailbox.
        _ = self.messages.send(message).await;
    }
}

struct LobbyActor {
    seating: Seating,
    pools: Pools,
    /// The sockets of everyone who has some.
    sockets: HashMap<PlayerId, Vec<Outbox<LobbyNotice>>>,
    /// The socket by which a player waits: when it goes, the player leaves the pool.
    joined_by: HashMap<PlayerId, ConnId>,
    /// The last game that a player was paired into: what a late cancel is told, while it is under way.
    paired: HashMap<PlayerId, GameId>,
    /// Games whose creation may have been committed although the database's answer was lost.
    unsure: Vec<Unsure>,
}

/// Two players and their colors.
type Seats = [(PlayerId, Color); 2];

struct Unsure {
    game: GameId,
    seats: Seats,
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
                _ = pairing.tick(), if !(self.pools.is_empty() && self.unsure.is_empty()) => {
                    self.settle().await;
                    self.pair().await;
                }
            }
        }
    }

    async fn handle(&mut self, message: Message) {
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
                    }
                }
                if self.joined_by.get(&player) == Some(&conn) {
                    self.leave_pool(player);
                }
            }
            Message::Join { id, player, key, outbox } => {
                let player_id = player.id;
                match self.join(player, key, outbox.conn).await {
                    Ok(()) => {
                        outbox.push(LobbyNotice::Ack { id });
                        self.tell(player_id, LobbyNotice::Pool { waiting: Some(key) });
                        self.pair().await;
                    }
                    Err(why) => outbox.push(LobbyNotice::Refused { id: Some(id), why }),
                }
            }
            Message::Leave { id, player, outbox } => {
                if self.pools.waiting(player).is_some() {
                    outbox.push(LobbyNotice::Ack { id });
                    self.leave_pool(player);
                } else {
                    let playing = self.seating.registry.playing(player);
                    let why = match self.paired.get(&player).filter(|game| playing.contains(game)) {
                        Some(game) => LobbyRefusal::AlreadyPaired(*game),
                        None => LobbyRefusal::NotWaiting,
                    };
                    outbox.push(LobbyNotice::Refused { id: Some(id), why });
                }
            }
            // Whoever asked and went away is not answered.
            Message::Accept { challenge, player, done } => {
                _ = done.send(self.accept(challenge, player).await)
            }
            Message::PlayComputer { player, level, color, terms, done } => {
                _ = done.send(self.play_computer(player, level, color, terms).await)
            }
            Message::Cancel { challenge, player, done } => {
                _ = done.send(self.cancel(challenge, player).await)
            }
        }
    }

    async fn join(
        &mut self,
        player: Player,
        key: PoolKey,
        conn: ConnId,
    ) -> Result<(), LobbyRefusal> {
        if key.rated && player.kind == PlayerKind::Guest {
            return Err(LobbyRefusal::GuestsPlayCasual);
        }
        if let Some(game) = self.seating.playing(player.id) {
            return Err(LobbyRefusal::AlreadyPlaying(game));
        }
        let rating = self.seating.pool_rating(&player, key).await?;
        self.paired.remove(&player.id);
        self.joined_by.insert(player.id, conn);
        self.pools.join(key, Waiting { player, rating, since: self.seating.now() });
        Ok(())
    }

    fn leave_pool(&mut self, player: PlayerId) {
        self.joined_by.remove(&player);
        if self.pools.leave(player).is_some() {
            self.tell(player, LobbyNotice::Pool { waiting: None });
        }
    }

    /// Whoever has begun a game elsewhere, a rematch perhaps, waits no longer.
    fn dismiss_who_plays(&mut self) {
        let waiting: Vec<PlayerId> = self.joined_by.keys().copied().collect();
        for player in waiting {
            if self.seating.playing(player).is_some() {
                self.leave_pool(player);
            }
        }
    }

    async fn pair(&mut self) {
        self.dismiss_who_plays();
        for (key, a, b) in self.pools.pair(self.seating.now()) {
            let (a, b) = (a.player, b.player);
            let (a_id, b_id) = (a.id, b.id);
            let color = SeatChoice::Random.color(rand::rng().random());
            let seats = [(a_id, color), (b_id, color.other())];
            let setup = match self.seating.setup(key.into(), seated(color, a, b)).await {
                Ok(setup) => setup,
                Err(error) => {
                    self.not_seated(&seats, &error);
                    continue;
                }
            };
            let game = setup.id;
            match self.seating.registry.create(setup).await {
                Ok(()) => self.begin_all(game, &seats),
                Err(error) => {
                    self.not_seated(&seats, &error);
                    self.unsure.push(Unsure { game, seats });
                }
            }
        }
    }

    /// Tells players that nothing comes of their waiting, and why.
    fn not_seated(&mut self, seats: &Seats, error: &StoreError) {
        tracing::error!(%error, "a pair was not seated");
        for (player, _) in seats {
            self.joined_by.remove(player);
            let why = LobbyRefusal::StorageUnavailable;
            self.tell(*player, LobbyNotice::Refused { id: None, why });
            self.tell(*player, LobbyNotice::Pool { waiting: None });
        }
    }

    /// Asks what became of games whose creation was not answered.
    async fn settle(&mut self) {
        for unsure in std::mem::take(&mut self.unsure) {
            match self.seating.registry.get(unsure.game).await {
                Ok(Some(_)) => self.begin_all(unsure.game, &unsure.seats),
                Ok(None) => {}
                Err(_) => self.unsure.push(unsure),
            }
        }
    }

    fn begin_all(&mut self, game: GameId, seats: &Seats) {
        for (player, color) in seats {
            self.begin(*player, game, *color);
        }
    }

    /// Tells a player that a game begins, and ends the waiting for another.
    fn begin(&mut self, player: PlayerId, game: GameId, color: Color) {
        self.joined_by.remove(&player);
        self.pools.leave(player);
        self.paired.insert(player, game);
        self.tell(player, LobbyNotice::Paired { game, color });
        self.tell(player, LobbyNotice::Pool { waiting: None });
    }

    async fn accept(&mut self, id: ChallengeId, player: Player) -> Result<Seated, LobbyRefusal> {
        let challenge = self.seating.challenge(id).await?.ok_or(LobbyRefusal::NoSuchChallenge)?;
        if challenge.creator.id == player.id {
            return Err(LobbyRefusal::OwnChallenge);
        }
        match challenge.status {
            ChallengeStatus::Open => {}
            // A retry by the one who has the seat gets the same answer.
            ChallengeStatus::Accepted(game) => {
                let color = self.seating.seat_of(game, player.id).await?;
                let closed = LobbyRefusal::ChallengeClosed(challenge.status);
                return color.map(|color| Seated { game, color }).ok_or(closed);
            }
            ChallengeStatus::Canceled | ChallengeStatus::Expired => {
                return Err(LobbyRefusal::ChallengeClosed(challenge.status));
            }
        }
        let creators = challenge.color.color(rand::rng().random());
        let (creator_id, player_id) = (challenge.creator.id, player.id);
        let setup = self.seating.challenge_setup(&challenge, creators, player).await?;
        let game = setup.id;
        match self.seating.seat_challenge(id, setup).await {
            Ok(true) => {}
            Ok(false) => return Err(self.closed(id).await),
            Err(error) => {
                let seats = [(creator_id, creators), (player_id, creators.other())];
                self.unsure.push(Unsure { game, seats });
                return Err(error.into());
            }
        }
        let status = ChallengeStatus::Accepted(game);
        self.tell(creator_id, LobbyNotice::Challenge { challenge: id, status });
        self.leave_pool(creator_id);
        self.leave_pool(player_id);
        Ok(Seated { game, color: creators.other() })
    }

    async fn play_computer(
        &mut self,
        player: Player,
        level: Level,
        color: SeatChoice,
        terms: Terms,
    ) -> Result<Seated, LobbyRefusal> {
        let (color, id) = (color.color(rand::rng().random()), player.id);
        self.seating.has_room_against_computers(id).await?;
        let seats = seated(color, player, Player::computer(level));
        let setup = self.seating.setup(terms, seats).await?;
        let game = setup.id;
        self.seating.registry.create(setup).await?;
        self.leave_pool(id);
        Ok(Seated { game, color })
    }

    /// Why a challenge that was open a moment ago is not.
    async fn closed(&self, id: ChallengeId) -> LobbyRefusal {
        match self.seating.challenge(id).await {
            Ok(Some(challenge)) => LobbyRefusal::ChallengeClosed(challenge.status),
            Ok(None) => LobbyRefusal::NoSuchChallenge,
            Err(error) => error.into(),
        }
    }

    async fn cancel(&mut self, id: ChallengeId, player: PlayerId) -> Result<(), LobbyRefusal> {
        let challenge = self.seating.challenge(id).await?.ok_or(LobbyRefusal::NoSuchChallenge)?;
        if challenge.creator.id != player {
            return Err(LobbyRefusal::NotTheCreator);
        }
        if !self.seating.cancel_challenge(id).await? {
            return Err(self.closed(id).await);
        }
        self.tell(
            player,
            LobbyNotice::Challenge { challenge: id, status: ChallengeStatus::Canceled },
        );
        Ok(())
    }

    /// Tells every tab of a player.
    fn tell(&self, player: PlayerId, notice: LobbyNotice) {
        for outbox in self.sockets.get(&player).into_iter().flatten() {
            outbox.push(notice.clone());
        }
    }
}
