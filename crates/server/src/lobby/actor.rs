//! The lobby's task: pools, challenges being accepted, and who is to be told.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use manifold_engine::Level;
use manifold_rules::Color;
use rand::RngExt as _;
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use super::challenge::{Challenge, ChallengeStatus, SeatChoice};
use super::handle::{Lobby, LobbyNotice, LobbyRefusal, Message, Seated};
use super::pool::{PoolKey, Pools, Waiting, Window};
use super::seating::{Seating, Terms, seated};
use crate::game::clock::TimeControl;
use crate::game::registry::Beginning;
use crate::ids::{ChallengeId, GameId, PlayerId};
use crate::outbox::Outbox;
use crate::player::{Player, PlayerKind};
use crate::store::StoreError;
use crate::time::Timestamp;

/// How many messages wait before senders do.
const MAILBOX: usize = 1024;
/// How often those who wait are compared again, as their windows widen.
const PAIRING: Duration = Duration::from_secs(1);
/// How many may wait in all pools.
const MAX_WAITING: usize = 5_000;
/// Of how many challenges that expire at once people are told at a time.
const EXPIRED_AT_ONCE: i64 = 200;

/// The lobby's mailbox, and the task that empties it: to be spawned, it ends when all mailboxes are dropped.
pub fn new(seating: Seating, window: Window) -> (Lobby, impl Future<Output = ()>) {
    let (sender, messages) = mpsc::channel(MAILBOX);
    let seating_now = seating.now();
    let actor = LobbyActor {
        seating,
        pools: Pools::new(window),
        sockets: HashMap::new(),
        paired: HashMap::new(),
        unsure: Vec::new(),
        told_expired_until: seating_now,
        next_expiry: Some(seating_now),
    };
    (Lobby::of(sender), actor.run(messages))
}

struct LobbyActor {
    seating: Seating,
    pools: Pools,
    /// The sockets of everyone who has some.
    sockets: HashMap<PlayerId, Vec<Outbox<LobbyNotice>>>,
    /// The last game that a player was paired into: what a late cancel is told, while it is under way.
    paired: HashMap<PlayerId, GameId>,
    /// Games whose creation may have been committed although the database's answer was lost.
    unsure: Vec<Unsure>,
    /// Up to when those whom it concerns have been told that challenges expired.
    told_expired_until: Timestamp,
    /// When to look for the next that have, if any are open.
    next_expiry: Option<Timestamp>,
}

/// The people of a game and their colors.
type Seats = [(PlayerId, Color)];

struct Unsure {
    game: GameId,
    seats: Vec<(PlayerId, Color)>,
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
                    self.pair().await;
                    self.tell_expired().await;
                }
            }
        }
    }

    fn has_to_look(&self) -> bool {
        !(self.pools.is_empty() && self.unsure.is_empty() && self.next_expiry.is_none())
    }

    /// Tells both ends of challenges whose time is up. What has expired while the server was down is not told: whoever
    /// asks finds it gone.
    async fn tell_expired(&mut self) {
        let now = self.seating.now();
        if self.next_expiry.is_none_or(|at| now < at) {
            return;
        }
        let next =
            self.seating.store.next_to_expire(self.told_expired_until, EXPIRED_AT_ONCE).await;
        let Ok(next) = next.inspect_err(|error| tracing::warn!(%error, "expired challenges"))
        else {
            return;
        };
        self.next_expiry = None;
        for challenge in next {
            if challenge.expires_at > now {
                self.next_expiry = Some(challenge.expires_at);
                return;
            }
            self.told_expired_until = challenge.expires_at;
            self.next_expiry = Some(now);
            self.tell_ends(&challenge, ChallengeStatus::Expired, None);
        }
    }

    /// Tells the creator of a challenge, and whom it names, what has become of it.
    fn tell_ends(&self, challenge: &Challenge, status: ChallengeStatus, by: Option<&Player>) {
        let other = challenge.opponent.as_ref().map(|opponent| opponent.id);
        for player in std::iter::once(challenge.creator.id).chain(other) {
            let by = by.cloned();
            self.tell(player, LobbyNotice::Challenge { challenge: challenge.id, status, by });
        }
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
                    }
                }
            }
            Message::Join { id, player, key, outbox } => {
                let player_id = player.id;
                match self.join(player, key).await {
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
                _ = done.send(());
            }
            Message::Renamed { player } => self.pools.rename(&player),
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
        let rating = self.seating.pool_rating(&player, key).await?;
        let blocked = self.seating.blocks.of(player.id).await?;
        self.paired.remove(&player.id);
        self.pools.join(key, Waiting { player, rating, since: self.seating.now(), blocked });
        Ok(())
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
        let game = setup.id;
        match self.seating.registry.create(setup).await {
            Ok(()) => self.begin_all(game, &seats),
            Err(error) => {
                self.not_seated(&seats, &error);
                self.unsure.push(Unsure { game, seats, _beginning: beginning });
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
            let game = one.game;
            match self.seating.registry.get(game).await {
                Ok(Some(_)) => self.begin_all(game, &one.seats),
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

    fn begin_all(&mut self, game: GameId, seats: &Seats) {
        for (player, color) in seats {
            self.begin(*player, game, *color);
        }
    }

    /// Tells a player that a game begins, and ends the waiting for another.
    fn begin(&mut self, player: PlayerId, game: GameId, color: Color) {
        self.pools.leave(player);
        self.paired.insert(player, game);
        self.tell(player, LobbyNotice::Paired { game, color });
        self.tell(player, LobbyNotice::Pool { waiting: None });
    }

    async fn accept(&mut self, id: ChallengeId, player: Player) -> Result<Seated, LobbyRefusal> {
        let challenge = self.find(id, player.id).await?;
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
            ChallengeStatus::Declined | ChallengeStatus::Canceled | ChallengeStatus::Expired => {
                return Err(LobbyRefusal::ChallengeClosed(challenge.status));
            }
        }
        if challenge.rated && player.kind == PlayerKind::Guest {
            return Err(LobbyRefusal::GuestsPlayCasual);
        }
        if self.seating.blocks.between(challenge.creator.id, player.id).await? {
            return Err(LobbyRefusal::Blocked);
        }
        let players = [&player, &challenge.creator];
        let beginning = self.seating.begin_for(challenge.time, players, player.id).await?;
        let by = player.clone();
        let creators = challenge.color.color(rand::rng().random());
        let (creator_id, player_id) = (challenge.creator.id, player.id);
        let setup = self.seating.challenge_setup(&challenge, creators, player).await?;
        let game = setup.id;
        match self.seating.seat_challenge(id, setup).await {
            Ok(true) => {}
            Ok(false) => return Err(self.closed(id).await),
            Err(error) => {
                let seats = vec![(creator_id, creators), (player_id, creators.other())];
                self.unsure.push(Unsure { game, seats, _beginning: beginning });
                return Err(error.into());
            }
        }
        let status = ChallengeStatus::Accepted(game);
        self.tell_ends(&challenge, status, Some(&by));
        if challenge.opponent.is_none() {
            self.tell(player_id, LobbyNotice::Challenge { challenge: id, status, by: Some(by) });
        }
        if challenge.time.is_real_time() {
            self.leave_pool(creator_id);
            self.leave_pool(player_id);
        }
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
        let computer = Player::computer(level);
        let beginning = self.seating.begin_for(terms.time, [&player, &computer], id).await?;
        let seats = seated(color, player, computer);
        let setup = self.seating.setup(terms, None, seats).await?;
        let game = setup.id;
        if let Err(error) = self.seating.registry.create(setup).await {
            let seats = vec![(id, color)];
            self.unsure.push(Unsure { game, seats, _beginning: beginning });
            return Err(error.into());
        }
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

    /// A challenge that concerns `player`.
    async fn find(&self, id: ChallengeId, player: PlayerId) -> Result<Challenge, LobbyRefusal> {
        let challenge = self.seating.challenge(id).await?;
        let shown = challenge.filter(|challenge| challenge.is_shown_to(Some(player)));
        shown.ok_or(LobbyRefusal::NoSuchChallenge)
    }

    async fn cancel(&mut self, id: ChallengeId, player: &Player) -> Result<(), LobbyRefusal> {
        let challenge = self.find(id, player.id).await?;
        if challenge.creator.id != player.id {
            return Err(LobbyRefusal::NotTheCreator);
        }
        if challenge.status == ChallengeStatus::Canceled {
            return Ok(());
        }
        if !self.seating.cancel_challenge(id).await? {
            return Err(self.closed(id).await);
        }
        self.tell_ends(&challenge, ChallengeStatus::Canceled, Some(player));
        Ok(())
    }

    async fn decline(&mut self, id: ChallengeId, player: &Player) -> Result<(), LobbyRefusal> {
        let challenge = self.find(id, player.id).await?;
        if challenge.opponent.as_ref().is_none_or(|opponent| opponent.id != player.id) {
            return Err(LobbyRefusal::NotTheOpponent);
        }
        if challenge.status == ChallengeStatus::Declined {
            return Ok(());
        }
        if !self.seating.decline_challenge(id).await? {
            return Err(self.closed(id).await);
        }
        self.tell_ends(&challenge, ChallengeStatus::Declined, Some(player));
        Ok(())
    }

    /// Tells every tab of a player.
    fn tell(&self, player: PlayerId, notice: LobbyNotice) {
        for outbox in self.sockets.get(&player).into_iter().flatten() {
            outbox.push(notice.clone());
        }
    }
}
