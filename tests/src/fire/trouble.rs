//! The ways in which a database goes away and comes back.

use std::fmt;

use anyhow::{Context as _, Result};
use xtask::disk::Disk;
use xtask::postgres::Postgres;

use crate::Storage;
use crate::database::Outage;

/// What happens to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// Postgres ends at once, as in a crash, and is started again.
    PostgresStopped,
    /// All processes of Postgres stop where they are; connections stay open, and nothing answers.
    PostgresHung,
    /// Another program holds SQLite's write lock.
    SqliteLocked,
    /// There is no room left on SQLite's disk.
    SqliteFull,
}

impl Trouble {
    /// All of them.
    pub const ALL: [Trouble; 4] = [
        Trouble::PostgresStopped,
        Trouble::PostgresHung,
        Trouble::SqliteLocked,
        Trouble::SqliteFull,
    ];

    /// As it is called in a command line.
    pub fn name(self) -> &'static str {
        match self {
            Trouble::PostgresStopped => "postgres-stopped",
            Trouble::PostgresHung => "postgres-hung",
            Trouble::SqliteLocked => "sqlite-locked",
            Trouble::SqliteFull => "sqlite-full",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trouble::PostgresStopped => "Postgres stopped as by a crash, and started again",
            Trouble::PostgresHung => "Postgres hung: all its processes stopped, and continued",
            Trouble::SqliteLocked => "SQLite locked by another writer",
            Trouble::SqliteFull => "SQLite on a full disk",
        })
    }
}

/// A database that can be taken away, and what it stands on.
pub(super) struct Ground {
    trouble: Trouble,
    cluster: Option<Postgres>,
    disk: Option<Disk>,
    lock: Option<Outage>,
}

impl Ground {
    /// Nothing if that cannot be had here, where nobody may mount a disk.
    pub(super) fn prepare(trouble: Trouble) -> Result<Option<Ground>> {
        let mut ground = Ground { trouble, cluster: None, disk: None, lock: None };
        match trouble {
            Trouble::PostgresStopped | Trouble::PostgresHung => {
                // Others play on the one that MANIFOLD_TEST_POSTGRES names.
                ground.cluster = Some(Postgres::start()?);
            }
            Trouble::SqliteLocked => {}
            Trouble::SqliteFull => match Disk::mount() {
                Ok(disk) => ground.disk = Some(disk),
                Err(_) => return Ok(None),
            },
        }
        Ok(Some(ground))
    }

    /// A fresh database on it; SQLite's file lies in `directory` unless it has a disk of its own.
    pub(super) async fn storage(&self, directory: &std::path::Path) -> Storage {
        match (&self.cluster, &self.disk) {
            (Some(cluster), _) => Storage::in_postgres(cluster.url()).await,
            (None, Some(disk)) => Storage::in_sqlite(disk.path()),
            (None, None) => Storage::in_sqlite(directory),
        }
    }

    /// From now on nothing can be written.
    pub(super) async fn take_away(&mut self, storage: &Storage) -> Result<()> {
        match self.trouble {
            Trouble::PostgresStopped => self.on_cluster(Postgres::stop).await,
            Trouble::PostgresHung => self.on_cluster(Postgres::hang).await,
            Trouble::SqliteLocked => {
                self.lock = Some(storage.fail().await);
                Ok(())
            }
            Trouble::SqliteFull => {
                // Its journal would otherwise have room left from before.
                storage.check_point().await;
                self.disk()?.fill()
            }
        }
    }

    /// It is as it was.
    pub(super) async fn give_back(&mut self) -> Result<()> {
        match self.trouble {
            Trouble::PostgresStopped => self.on_cluster(Postgres::start_again).await,
            Trouble::PostgresHung => self.on_cluster(Postgres::go_on).await,
            Trouble::SqliteLocked => {
                self.lock.take().context("it is not locked")?.end().await;
                Ok(())
            }
            Trouble::SqliteFull => self.disk()?.free(),
        }
    }

    /// Nobody else waits for it: the players are on the same threads.
    async fn on_cluster(&mut self, order: fn(&mut Postgres) -> Result<()>) -> Result<()> {
        let mut cluster = self.cluster.take().context("there is a Postgres for this")?;
        let done = tokio::task::spawn_blocking(move || {
            let done = order(&mut cluster);
            (cluster, done)
        });
        let (cluster, done) = done.await?;
        self.cluster = Some(cluster);
        done
    }

    fn disk(&mut self) -> Result<&mut Disk> {
        self.disk.as_mut().context("there is a disk for this")
    }
}
