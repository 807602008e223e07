//! One database has one server: a second one would seat games anew that the first is playing.
//!
//! On SQLite it is a locked file beside the database's, and the database's own, which the kernel gives back however the process
//! ends. On Postgres
//! it is an advisory lock of a connection that does nothing else. Such a connection can die while the server lives on:
//! until the lock is taken again, nothing is read or written, and if another server has been there in the meantime, this
//! one stops. What it had begun to write is ended by the other before anything is read.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, PgPool};
use tokio::sync::Notify;
use tokio::time::{Instant, sleep, sleep_until, timeout, timeout_at};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{OpenError, StoreConfig, StoreError, sqlite_file};
use crate::time::Timestamp;

/// The advisory lock's number in each database: "manifold" in ASCII.
const LOCK: i64 = i64::from_be_bytes(*b"manifold");
/// How often a lock that somebody else has is tried again.
const AGAIN: Duration = Duration::from_millis(100);
/// How often the connection that has the lock is asked whether it is still there.
const LOOK: Duration = Duration::from_secs(1);
/// A connection that has said nothing for so long is given up. Postgres gives it up too, but later: where the network is
/// cut, nobody else can have the lock before this server knows that it may have lost it. Where Postgres itself ends the
/// connection, a server that waits for the lock begins a [`LOOK`] later.
const SILENCE: Duration = Duration::from_secs(15);
/// What the connections of a server are called, before whose they are: commands that run beside it have no such name.
const NAME: &str = "manifold server ";
/// So long connections may take to end that were told to: a commit that waits for a slow disk is not interrupted.
const LAST_WORDS: Duration = Duration::from_secs(30);
/// Postgres asks across the network after ten seconds of silence, three times: a machine that has lost its power does not
/// keep its lock for the two hours that are usual.
const KEEPALIVE: &str =
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";

/// Why this program cannot have the database to itself.
#[derive(Debug, thiserror::Error)]
pub enum TenancyError {
    #[error(
        "another server uses this database, or a command that must have it to itself ({0}): one database has one server"
    )]
    Taken(String),
    #[error("cannot lock {0}: {1}")]
    File(PathBuf, io::Error),
    #[error("cannot lock the database: {0}")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Url(#[from] OpenError),
}

/// Whether this program may use the database: not while somebody else may have it.
#[derive(Clone, Debug, Default)]
pub struct Fence(Arc<Gate>);

#[derive(Debug, Default)]
struct Gate {
    is_closed: AtomicBool,
    doubts: Notify,
}

impl Fence {
    /// Nothing is read or written while it is not known whose the database is.
    pub fn check(&self) -> Result<(), StoreError> {
        if !self.0.is_closed.load(Ordering::Acquire) {
            return Ok(());
        }
        let why = "it is not known whether another server has it";
        Err(StoreError::Unavailable(io::Error::other(why).into()))
    }

    /// The database has not answered: whether it is still held is looked at without waiting for the next turn, so that
    /// what begins to work again is not refused a second time when that comes.
    pub fn doubt(&self) {
        self.0.doubts.notify_one();
    }

    fn close(&self) {
        self.0.is_closed.store(true, Ordering::Release);
    }

    fn open(&self) {
        self.0.is_closed.store(false, Ordering::Release);
    }
}

/// The database is this program's alone, for as long as this lives.
#[derive(Debug)]
pub struct Tenancy {
    /// Whose it is: a new one each time.
    pub tenant: Tenant,
    lock: Lock,
    timeout: Duration,
}

#[derive(Debug)]
enum Lock {
    /// Files that are locked while they are open. The kernel takes no lock from a process that lives, and whoever has died
    /// commits nothing any more: so nothing has to be asked within a transaction.
    Lite {
        database: PathBuf,
        _beside: File,
        /// The database's own. None before it is there, and where SQLite's locks would be in the way.
        itself: Option<File>,
    },
    Pg {
        url: Box<PgConnectOptions>,
        connection: Box<PgConnection>,
    },
}

/// How a tenancy came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The server is done with it.
    Left,
    /// Another server has taken the database.
    Evicted,
}

impl Tenancy {
    /// Takes the database. One that somebody has is waited for, as long as for any answer of it: who was killed a moment
    /// ago may not be quite gone.
    pub async fn take(config: &StoreConfig) -> Result<Self, TenancyError> {
        let deadline = Instant::now() + config.timeout;
        let lock = if config.is_postgres() {
            Lock::postgres(config.url.parse()?, config.timeout, deadline).await?
        } else {
            Lock::sqlite(&sqlite_file(config)?, deadline).await?
        };
        Ok(Self { tenant: Tenant(Uuid::now_v7()), lock, timeout: config.timeout })
    }

    /// Writes down whose the database is now. To be called when the schema is there, and before anything is read that
    /// another server could change.
    pub async fn begin(&mut self, now: Timestamp) -> Result<(), TenancyError> {
        match &mut self.lock {
            Lock::Pg { connection, .. } => {
                sqlx::query(
                    "INSERT INTO tenancy (id, tenant, since) VALUES (1, $1, $2)
                     ON CONFLICT (id) DO UPDATE SET tenant = excluded.tenant, since = excluded.since",
                )
                .bind(self.tenant.0)
                .bind(now)
                .execute(&mut **connection)
                .await?;
                end_others(connection, self.tenant).await?;
            }
            // A new database has a file by now.
            Lock::Lite { database, itself, .. } if itself.is_none() => {
                *itself = lock_itself(database, Instant::now() + self.timeout).await?;
            }
            Lock::Lite { .. } => {}
        }
        Ok(())
    }

    /// Looks after the tenancy until `done`. While the database may be somebody else's the fence is closed.
    pub async fn keep(self, fence: Fence, done: CancellationToken) -> Ended {
        let ended = done.run_until_cancelled(self.keep_on(fence)).await;
        ended.unwrap_or(Ended::Left)
    }

    async fn keep_on(self, fence: Fence) -> Ended {
        let tenant = self.tenant;
        let (url, mut connection) = match self.lock {
            Lock::Pg { url, connection } => (url, connection),
            // Nobody can take a lock from the kernel. The file is held here.
            _files @ Lock::Lite { .. } => return std::future::pending().await,
        };
        loop {
            let Err(error) = is_there(&mut connection, &fence).await else { continue };
            fence.close();
            tracing::warn!(%error, "the hold on the database is lost");
            // If Postgres still has the old connection, this is how it learns that nobody needs its lock.
            drop(connection);
            connection = match take_again(&url, self.timeout, tenant).await {
                Some(connection) => connection,
                None => {
                    tracing::error!("another server has taken the database: this one stops");
                    return Ended::Evicted;
                }
            };
            tracing::info!("the database is held again");
            fence.open();
        }
    }
}

/// Who has a database: this process, this time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tenant(Uuid);

impl Tenant {
    /// What Postgres shows of its connections.
    fn name(self) -> String {
        format!("{NAME}{}", self.0)
    }

    /// Connections that Postgres knows to be this tenant's. Once it `is_begun`, none is made unless the database is its own.
    pub(super) async fn connect(
        self,
        pool: PgPoolOptions,
        url: PgConnectOptions,
        is_begun: Arc<AtomicBool>,
    ) -> sqlx::Result<PgPool> {
        let pool = pool.after_connect(move |connection, _| {
            let is_begun = is_begun.load(Ordering::Acquire);
            Box::pin(async move {
                if is_begun && holder(connection).await? != Some(self) {
                    return Err(io::Error::other("another server has it").into());
                }
                Ok(())
            })
        });
        pool.connect_with(url.application_name(&self.name())).await
    }
}

impl Lock {
    async fn sqlite(database: &Path, deadline: Instant) -> Result<Self, TenancyError> {
        // By whichever way one comes to the database, it has one lock.
        let database = database.canonicalize().unwrap_or_else(|_| database.to_owned());
        let path = PathBuf::from(format!("{}.lock", database.display()));
        let failed = |error| TenancyError::File(path.clone(), error);
        if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("")) {
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        // Never removed: two servers could otherwise lock two files of this name.
        let beside = File::options().create(true).append(true).open(&path).map_err(failed)?;
        let beside = lock_file(beside, &path, deadline).await?;
        let itself = lock_itself(&database, deadline).await?;
        Ok(Self::Lite { database, _beside: beside, itself })
    }

    async fn postgres(
        url: PgConnectOptions,
        patience: Duration,
        deadline: Instant,
    ) -> Result<Self, TenancyError> {
        let mut connection = Box::new(connect(&url, patience).await?);
        let mut had_to_wait = false;
        loop {
            if lock(&mut connection).await? {
                if had_to_wait {
                    // Who had it may live on without its connection, and sees that at its next look.
                    sleep(LOOK + AGAIN).await;
                }
                return Ok(Self::Pg { url: Box::new(url), connection });
            }
            if Instant::now() >= deadline {
                let name = url.get_database().unwrap_or("its own").to_owned();
                return Err(TenancyError::Taken(format!("database {name}")));
            }
            had_to_wait = true;
            sleep(AGAIN).await;
        }
    }
}

/// Locks a file, or waits until it can.
async fn lock_file(file: File, path: &Path, deadline: Instant) -> Result<File, TenancyError> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(AGAIN).await,
            Err(TryLockError::WouldBlock) => {
                return Err(TenancyError::Taken(path.display().to_string()));
            }
            Err(TryLockError::Error(error)) => {
                return Err(TenancyError::File(path.to_owned(), error));
            }
        }
    }
}

/// Locks the database's own file, if there is one: it can have more names than one (hard links), and each of them another
/// file beside it. Only on Linux, where such a lock is none of those that SQLite itself takes. Those end when any other
/// handle of the file is closed in this process: so this one is kept for as long as the database is used.
async fn lock_itself(database: &Path, deadline: Instant) -> Result<Option<File>, TenancyError> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    match File::open(database) {
        Ok(file) => lock_file(file, database, deadline).await.map(Some),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(TenancyError::File(database.to_owned(), error)),
    }
}

/// Ends what servers that were here before still have open, and waits until it is gone: what they had begun to write is
/// committed by then or never will be. A server that has lost its hold without knowing it yet makes no new connection, since
/// it finds that the database is not its own. So no transaction has to ask for it.
async fn end_others(connection: &mut PgConnection, tenant: Tenant) -> Result<(), TenancyError> {
    let deadline = Instant::now() + LAST_WORDS;
    loop {
        let others: i64 = sqlx::query_scalar(
            "SELECT CAST(count(pg_terminate_backend(pid)) AS BIGINT) FROM pg_stat_activity
             WHERE datname = current_database() AND usename = current_user
             AND application_name LIKE $1 AND application_name <> $2 AND pid <> pg_backend_pid()",
        )
        .bind(format!("{NAME}%"))
        .bind(tenant.name())
        .fetch_one(&mut *connection)
        .await?;
        if others == 0 {
            return Ok(());
        }
        if Instant::now() >= deadline {
            return Err(TenancyError::Taken(format!("its {others} connections do not end")));
        }
        sleep(AGAIN).await;
    }
}

async fn connect(url: &PgConnectOptions, patience: Duration) -> sqlx::Result<PgConnection> {
    let ready = async {
        let mut connection = url.connect().await?;
        connection.execute(KEEPALIVE).await?;
        Ok(connection)
    };
    timeout(patience, ready).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

async fn lock(connection: &mut PgConnection) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT pg_try_advisory_lock($1)").bind(LOCK).fetch_one(connection).await
}

/// Waits a while, or for a doubt, and asks.
async fn is_there(connection: &mut PgConnection, fence: &Fence) -> sqlx::Result<()> {
    let begun_at = Instant::now();
    sleep_until(begun_at + AGAIN).await;
    _ = timeout_at(begun_at + LOOK, fence.0.doubts.notified()).await;
    timeout(SILENCE, connection.ping()).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// Takes the lock again after its connection was lost, however long that takes: nothing is owed to the database meanwhile.
/// Nothing if it is another server's by now.
async fn take_again(
    url: &PgConnectOptions,
    patience: Duration,
    tenant: Tenant,
) -> Option<Box<PgConnection>> {
    let mut connection = None;
    loop {
        let Some(mut open) = connection.take() else {
            match connect(url, patience).await {
                Ok(open) => connection = Some(Box::new(open)),
                Err(error) => {
                    tracing::debug!(%error, "the database cannot be held yet");
                    sleep(AGAIN).await;
                }
            }
            continue;
        };
        match timeout(patience, look(&mut open)).await {
            Ok(Ok((_, holder))) if holder != Some(tenant) => return None,
            Ok(Ok((true, _))) => return Some(open),
            // Postgres has not noticed yet that the old connection is gone, or another server is about to begin: it shows.
            Ok(Ok((false, _))) => connection = Some(open),
            Ok(Err(error)) => tracing::debug!(%error, "the database cannot be held yet"),
            Err(_) => tracing::debug!("the database does not answer"),
        }
        sleep(AGAIN).await;
    }
}

/// Whether the lock could be taken, and who has written down last that the database is theirs.
async fn look(connection: &mut PgConnection) -> sqlx::Result<(bool, Option<Tenant>)> {
    let locked = lock(connection).await?;
    Ok((locked, holder(connection).await?))
}

/// Who has written down last that the database is theirs.
async fn holder(connection: &mut PgConnection) -> sqlx::Result<Option<Tenant>> {
    let holder: Option<Uuid> = sqlx::query_scalar("SELECT tenant FROM tenancy WHERE id = 1")
        .fetch_optional(connection)
        .await?;
    Ok(holder.map(Tenant))
}
