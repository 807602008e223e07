//! A fresh database for each server, and how to take it away for a while.

use std::path::Path;

use sqlx::{Connection as _, PgConnection, SqliteConnection};
use url::Url;
use uuid::Uuid;

/// Which kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Database {
    /// A file in the server's own directory.
    Sqlite,
    /// A database of its own in the Postgres that `MANIFOLD_TEST_POSTGRES` names.
    Postgres,
}

/// What the games' own table knows of time while they are under way.
const GAMES: [[&str; 2]; 2] = [["games", "created_at"], ["games", "deadline_at"]];

/// One server's database.
#[derive(Debug)]
pub enum Storage {
    /// The file's URL.
    Sqlite(String),
    /// The database, and the Postgres that it is in.
    Postgres {
        /// For the server.
        url: String,
        /// The name of the database.
        name: String,
        /// Of another database in the same Postgres.
        admin: String,
    },
}

/// A database that nobody can write; it is given back by [`Outage::end`].
#[must_use]
pub enum Outage {
    /// Holds SQLite's write lock.
    Locked(Box<SqliteConnection>),
    /// The database accepts no connections, not from anyone.
    Closed {
        /// To another database.
        admin: Box<PgConnection>,
        /// The closed one.
        name: String,
    },
}

impl Storage {
    /// Creates one; SQLite's file will lie in `directory`.
    ///
    /// # Panics
    /// If there is no Postgres to create it in.
    pub async fn create(database: Database, directory: &Path) -> Storage {
        match database {
            Database::Sqlite => {
                Storage::Sqlite(format!("sqlite:{}", directory.join("manifold.db").display()))
            }
            Database::Postgres => {
                let admin = std::env::var("MANIFOLD_TEST_POSTGRES").expect(
                    "MANIFOLD_TEST_POSTGRES is not set: run `cargo xtask test`, or `cargo xtask postgres -- cargo test …`",
                );
                let name = format!("manifold_{}", Uuid::new_v4().simple());
                let mut connection =
                    PgConnection::connect(&admin).await.expect("MANIFOLD_TEST_POSTGRES answers");
                execute(&mut connection, format!("CREATE DATABASE {name}")).await;
                let mut url = Url::parse(&admin).expect("MANIFOLD_TEST_POSTGRES is a URL");
                url.set_path(&name);
                Storage::Postgres { url: url.into(), name, admin }
            }
        }
    }

    /// What the server is told.
    pub fn url(&self) -> &str {
        match self {
            Storage::Sqlite(url) | Storage::Postgres { url, .. } => url,
        }
    }

    /// Nobody can write from now on. Postgres loses every connection and takes no new ones.
    ///
    /// # Panics
    /// If the database cannot be reached.
    pub async fn fail(&self) -> Outage {
        match self {
            Storage::Sqlite(url) => {
                let mut connection =
                    SqliteConnection::connect(url).await.expect("SQLite opens its file");
                execute(&mut connection, "PRAGMA busy_timeout = 20000".to_owned()).await;
                execute(&mut connection, "BEGIN IMMEDIATE".to_owned()).await;
                Outage::Locked(Box::new(connection))
            }
            Storage::Postgres { name, admin, .. } => {
                let mut connection = PgConnection::connect(admin).await.expect("Postgres answers");
                execute(&mut connection, format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
                    .await;
                let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname";
                execute(&mut connection, format!("{end} = '{name}'")).await;
                Outage::Closed { admin: Box::new(connection), name: name.clone() }
            }
        }
    }

    /// The number that a query answers.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn count(&self, sql: &'static str) -> sqlx::Result<i64> {
        match self {
            Storage::Sqlite(url) => {
                let mut connection = SqliteConnection::connect(url).await?;
                let count = sqlx::query_scalar(sql).fetch_one(&mut connection).await?;
                connection.close().await?;
                Ok(count)
            }
            Storage::Postgres { url, .. } => {
                let mut connection = PgConnection::connect(url).await?;
                sqlx::query_scalar(sql).fetch_one(&mut connection).await
            }
        }
    }

    /// Lets an hour pass while the server is down, by moving everything that it has noted back by an hour.
    ///
    /// # Panics
    /// If the database cannot be written.
    pub async fn an_hour_passes(&self) {
        self.move_back(&[&["game_events", "at"], &["heartbeat", "at"], &GAMES[0], &GAMES[1]], 1)
            .await;
    }

    /// Makes all games older by so many days, as if they had passed while the server ran and was stopped just now.
    ///
    /// # Panics
    /// If the database cannot be written.
    pub async fn days_have_passed(&self, days: u64) {
        self.move_back(&[&["game_events", "at"], &GAMES[0], &GAMES[1]], 24 * days).await;
    }

    async fn move_back(&self, columns: &[&[&str; 2]], hours: u64) {
        for [table, column] in columns {
            let sql = format!("UPDATE {table} SET {column} = {column} - 3600000000 * {hours}");
            match self {
                Storage::Sqlite(url) => {
                    let mut connection =
                        SqliteConnection::connect(url).await.expect("SQLite opens its file");
                    execute(&mut connection, sql).await;
                    connection.close().await.expect("SQLite closes its file");
                }
                Storage::Postgres { url, .. } => {
                    let mut connection =
                        PgConnection::connect(url).await.expect("Postgres answers");
                    execute(&mut connection, sql).await;
                }
            }
        }
    }
}

impl Outage {
    /// The database is there again.
    ///
    /// # Panics
    /// If it cannot be reached.
    pub async fn end(self) {
        match self {
            Outage::Locked(mut connection) => {
                execute(&mut *connection, "ROLLBACK".to_owned()).await;
                connection.close().await.expect("SQLite closes its file");
            }
            Outage::Closed { mut admin, name } => {
                execute(&mut *admin, format!("ALTER DATABASE {name} ALLOW_CONNECTIONS true")).await;
            }
        }
    }
}

async fn execute<'c, D: sqlx::Database>(
    connection: impl sqlx::Executor<'c, Database = D>,
    sql: String,
) where
    for<'q> sqlx::AssertSqlSafe<String>: sqlx::Execute<'q, D>,
{
    connection.execute(sqlx::AssertSqlSafe(sql)).await.expect("the statement is valid");
}
