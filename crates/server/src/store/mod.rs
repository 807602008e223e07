//! Everything that is stored, and all SQL. One file an aggregate; [`journal`] commits what happens in games.
//!
//! The same statements run on SQLite and on Postgres: [`on_db`](crate::on_db) runs one on whichever is there.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::error::ErrorKind;
use sqlx::pool::PoolConnection;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Connection as _, PgPool, SqlitePool, migrate::Migrator, postgres::PgPoolOptions};
use tokio::time::Instant;

use crate::game::clock::{Days, Fischer, TimeControl};
use crate::metrics::StoreMetrics;
use tenancy::{Fence, Tenant};

pub mod backup;
pub mod blocks;
pub mod bots;
pub mod challenges;
mod events;
pub mod games;
pub mod journal;
pub mod players;
mod prune;
pub mod ratings;
pub mod requests;
pub mod seeks;
pub mod sessions;
pub mod tenancy;
mod under_way;

/// Takes SQLite's write lock at once: a later upgrade could find the database changed under it.
const BEGIN_WRITING: &str = "BEGIN IMMEDIATE";

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
    /// What was read does not make sense, or the database does not understand what it was asked. Time does not mend it.
    #[error("stored data is damaged, or a statement wrong: {0}")]
    Damaged(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(e: sqlx::Error) -> Self {
        let Some(db) = e.as_database_error() else {
            return if is_of_the_moment(&e) {
                Self::Unavailable(e)
            } else {
                Self::Damaged(e.to_string())
            };
        };
        if !matches!(db.kind(), ErrorKind::Other) {
            // Postgres names the constraint; SQLite tells its table and columns in the message.
            return Self::Constraint(
                db.constraint().map_or_else(|| db.message().to_owned(), str::to_owned),
            );
        }
        match db.code().as_deref().map(may_pass) {
            // Without a code nobody knows: the line broke, for one.
            Some(true) | None => Self::Unavailable(e),
            Some(false) => Self::Damaged(e.to_string()),
        }
    }
}

/// Whether an error that does not come from the database itself is over when the database answers again.
fn is_of_the_moment(error: &sqlx::Error) -> bool {
    !matches!(
        error,
        sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::ColumnIndexOutOfBounds { .. }
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::Decode(_)
            | sqlx::Error::Encode(_)
            | sqlx::Error::RowNotFound
            | sqlx::Error::TypeNotFound { .. }
    )
}

/// Whether what a database says with this code is a matter of time: it is away, full, locked or slow.
fn may_pass(code: &str) -> bool {
    // Postgres has five characters, of which the first two are a class; SQLite's numbers are shorter.
    if code.len() == 5 {
        // Connections, a lost race, want of room, what has to be done first, the hand of whoever keeps it, the system.
        let passing = ["08", "28", "40", "53", "55", "57", "58"];
        // There is no such database (yet), and for the moment it may only be read.
        return passing.contains(&&code[..2]) || ["3D000", "25006"].contains(&code);
    }
    /// BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL.
    const PASSING: [u32; 9] = [5, 6, 7, 8, 9, 10, 13, 14, 15];
    // More than a byte tells more precisely what the lowest byte says.
    code.parse::<u32>().is_ok_and(|code| PASSING.contains(&(code & 0xff)))
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

/// What a database says of its schema: [`is_current`] and [`is_known`] read it.
const SCHEMA: &str = "SELECT version, checksum FROM _sqlx_migrations ORDER BY version";

/// Whether a database with this schema is one of ours, perhaps of an earlier version.
fn is_known(schema: &[(i64, Vec<u8>)]) -> bool {
    let ours = |(version, checksum): &(i64, Vec<u8>)| {
        MIGRATIONS.iter().any(|ours| ours.version == *version && *ours.checksum == **checksum)
    };
    !schema.is_empty() && schema.iter().all(ours)
}

/// Whether it is the schema of this version.
fn is_current(schema: &[(i64, Vec<u8>)]) -> bool {
    is_known(schema) && schema.len() == MIGRATIONS.iter().count()
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
pub enum Tx<'c> {
    Pg(sqlx::Transaction<'c, sqlx::Postgres>),
    Lite(sqlx::Transaction<'c, sqlx::Sqlite>),
}

/// A connection that writes: each statement for itself, or those of a transaction.
enum Connection<'c> {
    Pg(&'c mut sqlx::PgConnection),
    Lite(&'c mut sqlx::SqliteConnection),
}

/// A connection that writes, out of its pool.
enum Writing {
    Pg(PoolConnection<sqlx::Postgres>),
    Lite(PoolConnection<sqlx::Sqlite>),
}

impl Writing {
    async fn begin(&mut self) -> Result<Tx<'_>, StoreError> {
        Ok(match self {
            Self::Pg(connection) => Tx::Pg(connection.begin().await?),
            Self::Lite(connection) => Tx::Lite(connection.begin_with(BEGIN_WRITING).await?),
        })
    }

    fn connection(&mut self) -> Connection<'_> {
        match self {
            Self::Pg(connection) => Connection::Pg(connection),
            Self::Lite(connection) => Connection::Lite(connection),
        }
    }
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

impl Tx<'_> {
    fn connection(&mut self) -> Connection<'_> {
        match self {
            Self::Pg(tx) => Connection::Pg(tx),
            Self::Lite(tx) => Connection::Lite(tx),
        }
    }

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
    /// As whom, for a server.
    pub tenant: Option<Tenant>,
}

impl StoreConfig {
    fn is_postgres(&self) -> bool {
        self.url.starts_with("postgres://") || self.url.starts_with("postgresql://")
    }
}

/// What is kept of the time that anything may take for those who have waited behind somebody else: SQLite's one writer waits for
/// a lock that another process holds for as long as it may but for this, so that all who were refused with it, or after it, are
/// refused in time.
const fn last_chance(timeout: Duration) -> Duration {
    timeout.checked_div(8).expect("eight is not zero")
}

/// Where SQLite's database is.
fn sqlite_file(config: &StoreConfig) -> Result<PathBuf, OpenError> {
    if !config.url.starts_with("sqlite:") {
        return Err(OpenError::UnknownScheme);
    }
    let options: SqliteConnectOptions = config.url.parse()?;
    Ok(options.get_filename().to_owned())
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
    #[error(
        "its schema is not the one of this version: stop the server and run `manifold migrate`"
    )]
    OtherSchema,
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
    /// Closed while the database may be another server's.
    pub fence: Fence,
    /// Whether connections from now on are good for nothing unless the database is ours.
    is_begun: Arc<AtomicBool>,
    pub metrics: Arc<StoreMetrics>,
}

impl Store {
    /// Connects, creates what is missing and brings the schema up to date.
    pub async fn open(config: &StoreConfig) -> Result<Self, OpenError> {
        let store = Self::connect(config, true).await?;
        on_db!(&store.write, |p, D| MIGRATIONS.run(p).await)?;
        Ok(store)
    }

    /// Connects to a database that is there, perhaps while a server uses it, and leaves its schema as it is.
    pub async fn join(config: &StoreConfig) -> Result<Self, OpenError> {
        let store = Self::connect(config, false).await?;
        let schema = on_db!(&store.write, |p, D| sqlx::query_as(SCHEMA).fetch_all(p).await);
        match schema {
            Ok(schema) if is_current(&schema) => Ok(store),
            Ok(_) => Err(OpenError::OtherSchema),
            // There is a database, and no table in it that would tell.
            Err(error) if error.as_database_error().is_some() => Err(OpenError::OtherSchema),
            Err(error) => Err(error.into()),
        }
    }

    async fn connect(config: &StoreConfig, create: bool) -> Result<Self, OpenError> {
        let is_begun = Arc::new(AtomicBool::new(false));
        if config.is_postgres() {
            let pool = PgPoolOptions::new()
                .max_connections(config.max_connections)
                .acquire_timeout(config.timeout);
            let url = config.url.parse()?;
            let pool = match config.tenant {
                Some(tenant) => tenant.connect(pool, url, Arc::clone(&is_begun)).await?,
                None => pool.connect_with(url).await?,
            };
            return Ok(Self::of(Db::Pg(pool.clone()), Db::Pg(pool), config, is_begun));
        }
        let file = sqlite_file(config)?;
        if let Some(folder) = file.parent().filter(|f| create && *f != Path::new("")) {
            std::fs::create_dir_all(folder)?;
        }
        let options = config.url.parse::<SqliteConnectOptions>()?;
        let options = options
            .create_if_missing(create)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Wal)
            // A commit is on the disk before it is acknowledged.
            .synchronous(SqliteSynchronous::Full)
            .busy_timeout(config.timeout - last_chance(config.timeout));
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
        let read = pool(config.max_connections).connect_with(options.read_only(true)).await?;
        Ok(Self::of(Db::Lite(read), Db::Lite(write), config, is_begun))
    }

    fn of(read: Db, write: Db, config: &StoreConfig, is_begun: Arc<AtomicBool>) -> Self {
        let (fence, metrics) = (Fence::default(), Arc::default());
        Self { read, write, timeout: config.timeout, fence, is_begun, metrics }
    }

    /// The database is written down as this server's: no connection is made any more after another one has taken it.
    pub fn begin_tenancy(&self) {
        self.is_begun.store(true, Ordering::Release);
    }

    /// How long anything may take before it counts as unavailable.
    pub fn patience(&self) -> Duration {
        self.timeout
    }

    /// Begins a transaction that writes.
    async fn begin(&self) -> Result<Tx<'static>, StoreError> {
        Ok(match &self.write {
            Db::Pg(pool) => Tx::Pg(pool.begin().await?),
            Db::Lite(pool) => Tx::Lite(pool.begin_with(BEGIN_WRITING).await?),
        })
    }

    /// A connection for one of those, or for a statement without.
    async fn writing(&self) -> Result<Writing, StoreError> {
        Ok(match &self.write {
            Db::Pg(pool) => Writing::Pg(pool.acquire().await?),
            Db::Lite(pool) => Writing::Lite(pool.acquire().await?),
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
        let done = match self.fence.check() {
            Ok(()) => tokio::time::timeout_at(deadline, work)
                .await
                .unwrap_or(Err(StoreError::Unavailable(sqlx::Error::PoolTimedOut))),
            Err(closed) => Err(closed),
        };
        if let Err(error) = &done {
            if matches!(error, StoreError::Unavailable(_)) {
                self.fence.doubt();
            }
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
