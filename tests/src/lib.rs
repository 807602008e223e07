//! Stories told against the real server: the binary that people run, over real sockets, on both databases.
//!
//! [`Server`] starts it with a fresh database, kills and restarts it; [`Client`] is somebody's browser as far as REST is
//! concerned, [`Socket`] one of their tabs; [`table`] seats two people at a game. Nothing here sleeps: a story waits for
//! what it expects, and fails when that does not come in time. The stories are in `tests/`; [`load`] measures, and [`fire`]
//! breaks things.
//!
//! `cargo xtask test` runs them with all that they need.

pub mod assistive;
pub mod browser;
pub mod client;
pub mod database;
pub mod driver;
pub mod fire;
pub mod load;
pub mod process;
pub mod raw;
mod server;
pub mod site;
pub mod socket;
pub mod table;

use std::time::Duration;

pub use client::{Answer, Client, PASSWORD};
pub use database::{Database, Storage};
pub use server::{Metrics, Server};
pub use socket::Socket;

/// How long anything that must happen may take on a machine that is busy with something else. Only failures wait so long.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Tells a story once on each database: `on_both_databases! { async fn name(db: Database) { … } }`.
#[macro_export]
macro_rules! on_both_databases {
    ($($(#[$attribute:meta])* async fn $name:ident($db:ident: $kind:ty) $body:block)*) => {$(
        $(#[$attribute])*
        mod $name {
            #[allow(unused_imports)]
            use super::*;

            async fn story($db: $kind) $body

            #[tokio::test]
            async fn on_sqlite() {
                story($crate::Database::Sqlite).await;
            }

            #[tokio::test]
            async fn on_postgres() {
                story($crate::Database::Postgres).await;
            }
        }
    )*};
}
