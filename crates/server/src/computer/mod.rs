//! The computer as a player, and as an adviser.
//!
//! [`thinkers`] are the few threads that search, and the queues in front of them. [`mind`] decides, as pure logic, how long
//! to think and what to make of what was found. [`player`] is the task that plays one game, through its mailbox like
//! anyone: it watches, thinks when it is its turn, and sends commands.

pub mod mind;
mod player;
pub mod queue;
pub mod thinkers;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use manifold_rules::Color;
use tokio_util::sync::CancellationToken;

use crate::config::ComputerConfig;
use crate::game::handle::GameHandle;
use crate::game::state::GameSetup;
use crate::outbox::ConnId;
use crate::player::PlayerKind;
use crate::time::Clock;
use thinkers::Thinkers;

/// What plays for the computer; cheap to clone.
#[derive(Clone)]
pub struct Computer {
    thinkers: Thinkers,
    clock: Clock,
    config: Arc<ComputerConfig>,
    next_conn: Arc<AtomicU64>,
}

impl Computer {
    pub fn new(thinkers: Thinkers, clock: Clock, config: ComputerConfig) -> Self {
        // Sockets count from 0.
        let next_conn = Arc::new(AtomicU64::new(1 << 63));
        Self { thinkers, clock, config: Arc::new(config), next_conn }
    }

    /// Whether there is anything to think with.
    pub fn is_there(&self) -> bool {
        self.config.threads > 0
    }

    /// How many games against it a player may have under way.
    pub fn games_per_player(&self) -> i64 {
        self.config.games_per_player
    }

    /// How many games against it there may be under way in all.
    pub fn games(&self) -> i64 {
        self.config.games
    }

    /// What thinks, if anything does.
    pub fn thinkers(&self) -> Option<&Thinkers> {
        self.is_there().then_some(&self.thinkers)
    }

    /// The tasks that play the computer's seats of a game, to be spawned: none where it has no seat.
    pub fn players(
        &self,
        setup: &GameSetup,
        handle: &GameHandle,
        stop: &CancellationToken,
    ) -> Vec<impl Future<Output = ()> + use<>> {
        let seats = [Color::White, Color::Black].into_iter().filter_map(|color| {
            let seat = setup.seats.get(color);
            match seat.player.kind {
                PlayerKind::Computer(level) => Some((color, seat.player.id, level)),
                PlayerKind::Guest | PlayerKind::Account | PlayerKind::Bot => None,
            }
        });
        let task = |(color, id, level)| {
            let conn = ConnId(self.next_conn.fetch_add(1, Ordering::Relaxed));
            player::Player::new(self.clone(), handle.clone(), conn, color, id, level)
                .run(stop.clone())
        };
        seats.filter(|_| self.is_there()).map(task).collect()
    }
}
