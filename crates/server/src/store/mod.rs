//! Everything that is stored, and all SQL. One file an aggregate; [`journal`] commits what happens in games.
//!
//! The same statements run on SQLite and on Postgres: [`on_db`](crate::on_db) runs one on whichever is there.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, PgPool, SqlitePool, migrate::Migrator, postgres::PgPoolOptions};
use tokio::time::Instant;

use crate::game::clock::{Days, Fischer, TimeControl};
use crate::metrics::StoreMetrics;

pub mod backup;
pub mod blocks;
pub mod challenges;
pub mod games;
pub mod journal;
pub mod players;
pub mod ratings;
pub mod seeks;
pub mod sessions;

static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

/// Why something could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database is away, full, locked or slow. Nothing is known to have been written; what was, shows when it is back.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// A named constraint of the schema was in the way.
    #[error("constraint {0}")]
    Constraint(String),
    /// What was read does not make sense.
    #[error("stored data is damaged: {0}")]
    Damaged(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(e: sqlx::Error) -> Self {
        let Some(db) = e.as_database_error() else { return Self::Unavailable(e) };
        if db.is_unique_violation() || db.is_check_violation() || db.is_foreign_key_violation() {
            // Postgres names the constraint; SQLite tells its table and columns in the message.
            return Self::Constraint(
                db.constraint().map_or_else(|| db.message().to_owned(), str::to_owned),
            );
        }
        Self::Unavailable(e)
    }
}

impl StoreError {
    /// Which of the few kinds it is.
    const fn kind(&self) -> &'static str {
        match self {
            Self::Unavailable(_) => "unavailable",
            Self::Constraint(_) => "constraint",
            Self::Damaged(_) => "damaged",
        }
    }

    /// Whether it is the constraint `name` of the schema, which covers `columns` (`table.column, …`).
    pub fn is_constraint(&self, name: &str, columns: &str) -> bool {
        matches!(self, Self::Constraint(what) if what == name || what.contains(columns))
    }
}

/// A pool of connections to one of the two databases.
#[derive(Clone, Debug)]
pub enum Db {
    Pg(PgPool),
    Lite(SqlitePool),
}

/// Runs `$body` with `$p`, the pool or connection of whichever database is there, and `$D`, its sqlx type.
#[macro_export]
macro_rules! on_db {
    ($db:expr, |$p:ident, $D:ident| $body:expr) => {
        match $db {
            $crate::store::Db::Pg($p) => {
                #[allow(dead_code, reason = "not every statement names its database")]
                type $D = sqlx::Postgres;
                $body
            }
            $crate::store::Db::Lite($p) => {
                #[allow(dead_code, reason = "not every statement names its database")]
                type $D = sqlx::Sqlite;
                $body
            }
        }
    };
}

/// A transaction that writes. Dropped without `commit` it never happened.
pub enum Tx {
    Pg(sqlx::Transaction<'static, sqlx::Postgres>),
    Lite(sqlx::Transaction<'static, sqlx::Sqlite>),
}

/// [`on_db`](crate::on_db) for a transaction.
#[macro_export]
macro_rules! on_tx {
    ($tx:expr, |$p:ident, $D:ident| $body:expr) => {
        match $tx {
            $crate::store::Tx::Pg(tx) => {
                #[allow(dead_code, reason = "not every statement names its database")]
                type $D = sqlx::Postgres;
                let $p = &mut **tx;
                $body
            }
            $crate::store::Tx::Lite(tx) => {
                #[allow(dead_code, reason = "not every statement names its database")]
                type $D = sqlx::Sqlite;
                let $p = &mut **tx;
                $body
            }
        }
    };
}

impl Tx {
    pub async fn commit(self) -> Result<(), StoreError> {
        match self {
            Self::Pg(tx) => tx.commit().await?,
            Self::Lite(tx) => tx.commit().await?,
        }
        Ok(())
    }
}

/// Where to connect, and how patiently.
#[derive(Clone, Debug)]
pub struct StoreConfig {
    /// `sqlite:<path>` or `postgres://…`.
    pub url: String,
    pub max_connections: u32,
    /// How long anything may take before it counts as unavailable.
    pub timeout: Duration,
}

/// Why the database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the database url begins with sqlite: or postgres://")]
    UnknownScheme,
    #[error("cannot make the folder of the database: {0}")]
    Folder(#[from] std::io::Error),
    #[error("cannot open the database: {0}")]
    Connect(#[from] sqlx::Error),
    #[error("cannot bring the schema up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
}

/// How a time is stored: base and increment, or days per move, or none of them without a clock.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
struct TimeColumns {
    base_ms: Option<i64>,
    increment_ms: Option<i64>,
    days_per_move: Option<i64>,
}

impl TimeColumns {
    fn of(time: TimeControl) -> Self {
        Self {
            base_ms: time.fischer().map(|time| time.base_ms),
            increment_ms: time.fischer().map(|time| time.increment_ms),
            days_per_move: time.days().map(|days| days.number().into()),
        }
    }

    fn time(self) -> Result<TimeControl, StoreError> {
        match self {
            Self { base_ms: Some(base_ms), increment_ms: Some(increment_ms), .. } => {
                Ok(TimeControl::Fischer(Fischer { base_ms, increment_ms }))
            }
            Self { days_per_move: Some(days), .. } => Days::new(days)
                .map(TimeControl::Correspondence)
                .ok_or_else(|| StoreError::Damaged(format!("{days} days per move"))),
            Self { .. } => Ok(TimeControl::Untimed),
        }
    }
}

/// The database.
#[derive(Clone, Debug)]
pub struct Store {
    /// For statements that only read.
    read: Db,
    /// For statements that write. SQLite has one writer: a pool of one connection is its queue.
    write: Db,
    timeout: Duration,
    pub metrics: Arc<StoreMetrics>,
}

impl Store {
    /// Connects, creates what is missing and brings the schema up to date.
    pub async fn open(config: &StoreConfig) -> Result<Self, OpenError> {
        if config.url.starts_with("postgres://") || config.url.starts_with("postgresql://") {
            Self::open_postgres(config).await
        } else if config.url.starts_with("sqlite:") {
            Self::open_sqlite(config).await
        } else {
            Err(OpenError::UnknownScheme)
        }
    }

    fn of(read: Db, write: Db, config: &StoreConfig) -> Self {
        Self { read, write, timeout: config.timeout, metrics: Arc::default() }
    }

    async fn open_postgres(config: &StoreConfig) -> Result<Self, OpenError> {
        let pool = PgPoolOptions::new()
            .max_connections(config.max_connections)
            .acquire_timeout(config.timeout)
            .connect(&config.url)
            .await?;
        MIGRATIONS.run(&pool).await?;
        Ok(Self::of(Db::Pg(pool.clone()), Db::Pg(pool), config))
    }

    async fn open_sqlite(config: &StoreConfig) -> Result<Self, OpenError> {
        let options: SqliteConnectOptions = config.url.parse()?;
        if let Some(folder) = options.get_filename().parent().filter(|f| *f != Path::new("")) {
            std::fs::create_dir_all(folder)?;
        }
        let options = options
            .create_if_missing(true)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A commit is on the disk before it is acknowledged.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(config.timeout / 2);
        let pool = |connections| {
            SqlitePoolOptions::new().max_connections(connections).acquire_timeout(config.timeout)
        };
        // After some errors, a full disk among them, SQLite rolls back by itself, and sqlx believes the connection to be in
        // a transaction for ever. Such a connection is not handed out again: a new one takes its place.
        let write = pool(1)
            .before_acquire(|connection, _| {
                Box::pin(async move { Ok(!connection.is_in_transaction()) })
            })
            .connect_with(options.clone())
            .await?;
        MIGRATIONS.run(&write).await?;
        let read = pool(config.max_connections).connect_with(options.read_only(true)).await?;
        Ok(Self::of(Db::Lite(read), Db::Lite(write), config))
    }

    /// Begins a transaction that writes.
    async fn begin(&self) -> Result<Tx, StoreError> {
        Ok(match &self.write {
            Db::Pg(pool) => Tx::Pg(pool.begin().await?),
            // Takes the write lock at once: a later upgrade could find the database changed under it.
            Db::Lite(pool) => Tx::Lite(pool.begin_with("BEGIN IMMEDIATE").await?),
        })
    }

    /// Runs `work`, but not for longer than a player should wait.
    async fn within<T>(
        &self,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        self.until(Instant::now() + self.timeout, work).await
    }

    /// Runs `work` until it is done, or given up.
    async fn until<T>(
        &self,
        deadline: Instant,
        work: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let done = tokio::time::timeout_at(deadline, work)
            .await
            .unwrap_or(Err(StoreError::Unavailable(sqlx::Error::PoolTimedOut)));
        if let Err(error) = &done {
            self.metrics.errors.add(error.kind(), "");
        }
        done
    }

    /// Whether the database answers, and can be written.
    pub async fn is_ready(&self) -> bool {
        let ask = async {
            on_db!(&self.read, |p, D| sqlx::query("SELECT 1").execute(p).await.map(drop))?;
            self.begin().await.map(drop)
        };
        self.within(ask).await.is_ok()
    }

    /// Closes all connections; what was begun and not committed is undone.
    pub async fn close(&self) {
        on_db!(&self.read, |p, D| p.close().await);
        on_db!(&self.write, |p, D| p.close().await);
    }
}

#[cfg(test)]
pub(crate) mod tests;
