//! What every request can reach.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ipnet::IpNet;
use manifold_glicko2::Config as Glicko2;
use manifold_rules::Variant;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::assets::Assets;
use crate::blocks::Blocks;
use crate::computer::Computer;
use crate::computer::thinkers::Thinkers;
use crate::config::Config;
use crate::counts::{count_down, count_up};
use crate::game::clock::Fischer;
use crate::game::registry::Registry;
use crate::game::retold::Retold;
use crate::ids::PlayerId;
use crate::limits::Limits;
use crate::lobby::handle::Lobby;
use crate::lobby::pool::PoolKey;
use crate::metrics::{Gauges, Metrics, page};
use crate::outbox::ConnId;
use crate::password::Passwords;
use crate::session::TokenHash;
use crate::store::Store;
use crate::store::journal::Journal;
use crate::time::{Clock, Timestamp};

/// Shared by all; cheap to clone.
pub type AppState = Arc<App>;

/// The server's parts.
pub struct App {
    pub config: Config,
    /// The games that are offered.
    pub variants: Vec<Variant>,
    pub pools: Vec<(String, Fischer)>,
    pub clock: Clock,
    pub store: Store,
    pub glicko2: Glicko2,
    pub registry: Registry,
    pub computer: Computer,
    pub lobby: Lobby,
    pub blocks: Blocks,
    pub assets: Assets,
    pub retold: Retold,
    pub passwords: Passwords,
    pub limits: Limits,
    pub trusted_proxies: Vec<IpNet>,
    pub sockets: Sockets,
    /// Those that are open, sockets aside.
    pub connections: TaskTracker,
    pub journal: Journal,
    pub metrics: Metrics,
    /// Fires when the server stops.
    pub stop: CancellationToken,
}

impl App {
    /// The pool of that game and time, if there is one.
    pub fn pool(&self, variant: &str, time: &str, rated: bool) -> Option<PoolKey> {
        let (_, control) = self.pools.iter().find(|(name, _)| name == time)?;
        Some(PoolKey { variant: self.variant(variant)?, time: *control, rated })
    }

    /// The game of that name, if it is offered.
    pub fn variant(&self, name: &str) -> Option<Variant> {
        self.variants.iter().copied().find(|variant| variant.as_str() == name)
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// All figures, as Prometheus reads them.
    pub fn figures(&self) -> String {
        let now = Gauges {
            connections: self.connections.len(),
            sockets: self.sockets.tasks.len(),
            live_games: self.registry.live_count(),
            journal_queue: self.journal.waiting(),
            searches: self.computer.thinkers().map_or(0, Thinkers::searches),
            password_queue: self.passwords.waiting(),
            password_hashes: self.passwords.hashed(),
        };
        page(&self.metrics, &self.store.metrics, now)
    }
}

/// All sockets: counted, bounded, and waited for at the end.
pub struct Sockets {
    pub tasks: TaskTracker,
    /// Held while a socket writes down a whole game.
    pub telling: Semaphore,
    stop: CancellationToken,
    next: AtomicU64,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    by_player: HashMap<PlayerId, usize>,
    by_place: HashMap<IpAddr, usize>,
    /// How many sockets hang on a session, and what ends them.
    by_session: HashMap<TokenHash, (usize, CancellationToken)>,
}

impl Sockets {
    /// None yet. All of them end with `stop`.
    pub fn new(stop: CancellationToken) -> Self {
        Self {
            tasks: TaskTracker::new(),
            telling: Semaphore::new(1),
            stop,
            next: AtomicU64::default(),
            counts: Mutex::default(),
        }
    }

    /// Closes the sockets that hang on a session now.
    pub fn end_session(&self, token: &TokenHash) {
        if let Some((_, ended)) = self.counts().by_session.get_mut(token) {
            // Where the session itself goes on, its next socket is another.
            std::mem::replace(ended, self.stop.child_token()).cancel();
        }
    }

    /// Closes the sockets of all that have ended.
    pub fn end_sessions(&self, ended: &[TokenHash]) {
        for token in ended {
            self.end_session(token);
        }
    }

    /// How many players have a tab open.
    pub fn players(&self) -> usize {
        self.counts().by_player.len()
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        // No code panics while it holds this; if some did, the maps are still whole.
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place for one socket; dropped, it is free again.
pub struct SocketPlace {
    pub conn: ConnId,
    /// Fires when the session that the socket hangs on has ended.
    pub session_ended: CancellationToken,
    /// Where it comes from.
    pub place: IpAddr,
    session: Option<TokenHash>,
    player: Option<PlayerId>,
    app: AppState,
}

impl SocketPlace {
    /// A place, if there is one. Whose session it is is looked up afterwards: one that ends in between finds the place.
    pub fn take(app: &AppState, place: IpAddr, session: Option<TokenHash>) -> Option<Self> {
        let (sockets, limits) = (&app.sockets, &app.config.limits);
        if sockets.tasks.len() >= limits.sockets {
            return None;
        }
        let mut counts = sockets.counts();
        if !count_up(&mut counts.by_place, place, limits.sockets_per_address) {
            return None;
        }
        let session_ended = match session {
            Some(token) => {
                let begin = || (0, sockets.stop.child_token());
                let (count, ended) = counts.by_session.entry(token).or_insert_with(begin);
                *count += 1;
                ended.clone()
            }
            None => sockets.stop.clone(),
        };
        let conn = ConnId(sockets.next.fetch_add(1, Ordering::Relaxed));
        Some(Self { conn, session_ended, place, session, player: None, app: Arc::clone(app) })
    }

    /// The place is this player's. `None`, and no place, if the player has too many.
    pub fn of(mut self, player: PlayerId) -> Option<Self> {
        let most = self.app.config.limits.sockets_per_player;
        let fits = count_up(&mut self.app.sockets.counts().by_player, player, most);
        self.player = fits.then_some(player);
        fits.then_some(self)
    }
}

impl Drop for SocketPlace {
    fn drop(&mut self) {
        let mut counts = self.app.sockets.counts();
        count_down(&mut counts.by_place, &self.place);
        if let Some(player) = &self.player {
            count_down(&mut counts.by_player, player);
        }
        if let Some(token) = &self.session
            && let Some((count, _)) = counts.by_session.get_mut(token)
        {
            *count -= 1;
            if *count == 0 {
                counts.by_session.remove(token);
            }
        }
    }
}
