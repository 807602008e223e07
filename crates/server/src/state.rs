//! What every request can reach.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use manifold_glicko2::Config as Glicko2;
use manifold_rules::Variant;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::assets::Assets;
use crate::config::Config;
use crate::game::clock::TimeControl;
use crate::game::registry::Registry;
use crate::ids::PlayerId;
use crate::limits::Limits;
use crate::lobby::actor::Lobby;
use crate::lobby::pool::PoolKey;
use crate::outbox::ConnId;
use crate::password::Passwords;
use crate::store::Store;
use crate::store::sessions::TokenHash;
use crate::time::{Clock, Timestamp};

/// Shared by all; cheap to clone.
pub type AppState = Arc<App>;

/// The server's parts.
pub struct App {
    pub config: Config,
    /// The games that are offered.
    pub variants: Vec<Variant>,
    pub pools: Vec<(String, TimeControl)>,
    pub clock: Clock,
    pub store: Store,
    pub glicko2: Glicko2,
    pub registry: Registry,
    pub lobby: Lobby,
    pub assets: Assets,
    pub passwords: Passwords,
    pub limits: Limits,
    pub sockets: Sockets,
    /// Says which session has been ended: its sockets are closed.
    pub ended_sessions: broadcast::Sender<TokenHash>,
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
}

/// All sockets: counted, bounded, and waited for at the end.
#[derive(Default)]
pub struct Sockets {
    pub tasks: TaskTracker,
    next: AtomicU64,
    by_player: Mutex<HashMap<PlayerId, usize>>,
}

/// A place for one socket; dropped, it is free again.
pub struct SocketPlace {
    pub conn: ConnId,
    player: Option<PlayerId>,
    app: AppState,
}

impl SocketPlace {
    /// A place, if there is one for `player`.
    pub fn take(app: &AppState, player: Option<PlayerId>) -> Option<Self> {
        let sockets = &app.sockets;
        if sockets.tasks.len() >= app.config.limits.sockets {
            return None;
        }
        if let Some(player) = player {
            let mut by_player = sockets.by_player.lock().unwrap_or_else(PoisonError::into_inner);
            let count = by_player.entry(player).or_default();
            if *count >= app.config.limits.sockets_per_player {
                return None;
            }
            *count += 1;
        }
        let conn = ConnId(sockets.next.fetch_add(1, Ordering::Relaxed));
        Some(Self { conn, player, app: Arc::clone(app) })
    }
}

impl Drop for SocketPlace {
    fn drop(&mut self) {
        let Some(player) = self.player else { return };
        let mut by_player =
            self.app.sockets.by_player.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = by_player.get_mut(&player) {
            *count -= 1;
            if *count == 0 {
                by_player.remove(&player);
            }
        }
    }
}
