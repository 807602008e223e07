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

/// [`Storage::multiply`] on a connection of either kind.
macro_rules! multiply {
    ($connection:ident, $game:ident, $copies:ident) => {{
        let mut tx = $connection.begin().await?;
        for (copy, from) in [
            ("one_game", "games WHERE id = $1"),
            ("its_events", "game_events WHERE game_id = $1"),
            ("its_white", "players WHERE id = (SELECT white_id FROM games WHERE id = $1)"),
            ("its_black", "players WHERE id = (SELECT black_id FROM games WHERE id = $1)"),
        ] {
            let table = from.split(' ').next().unwrap_or_default();
            execute(
                &mut *tx,
                format!("CREATE TEMPORARY TABLE {copy} AS SELECT * FROM {table} WHERE 1 = 0"),
            )
            .await;
            let fill = format!("INSERT INTO {copy} SELECT * FROM {from}");
            sqlx::query(sqlx::AssertSqlSafe(fill)).bind($game).execute(&mut *tx).await?;
        }
        let mut ids = Vec::with_capacity($copies);
        for number in 0..$copies {
            let id = Uuid::now_v7();
            let (white, black) = (Uuid::now_v7(), Uuid::now_v7());
            for (player, update, insert) in [
                (
                    white,
                    "UPDATE its_white SET id = $1, name = $2, handle = $2",
                    "INSERT INTO players SELECT * FROM its_white",
                ),
                (
                    black,
                    "UPDATE its_black SET id = $1, name = $2, handle = $2",
                    "INSERT INTO players SELECT * FROM its_black",
                ),
            ] {
                let name = format!("copy {number} {player}");
                sqlx::query(update).bind(player).bind(name).execute(&mut *tx).await?;
                sqlx::query(insert).execute(&mut *tx).await?;
            }
            sqlx::query("UPDATE one_game SET id = $1, white_id = $2, black_id = $3")
                .bind(id)
                .bind(white)
                .bind(black)
                .execute(&mut *tx)
                .await?;
            sqlx::query("INSERT INTO games SELECT * FROM one_game").execute(&mut *tx).await?;
            sqlx::query("UPDATE its_events SET game_id = $1").bind(id).execute(&mut *tx).await?;
            sqlx::query("INSERT INTO game_events SELECT * FROM its_events")
                .execute(&mut *tx)
                .await?;
            ids.push(id.to_string());
        }
        tx.commit().await?;
        Ok(ids)
    }};
}

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
            Database::Sqlite => Storage::in_sqlite(directory),
            Database::Postgres => {
                let admin = std::env::var("MANIFOLD_TEST_POSTGRES").expect(
                    "MANIFOLD_TEST_POSTGRES is not set: run `cargo xtask test`, or `cargo xtask postgres -- cargo test …`",
                );
                Storage::in_postgres(&admin).await
            }
        }
    }

    /// A file in `directory`; whoever opens it first creates it.
    pub fn in_sqlite(directory: &Path) -> Storage {
        Storage::Sqlite(format!("sqlite:{}", directory.join("manifold.db").display()))
    }

    /// Creates one in the Postgres that `admin` is a URL of.
    ///
    /// # Panics
    /// If that does not answer.
    pub async fn in_postgres(admin: &str) -> Storage {
        let name = format!("manifold_{}", Uuid::new_v4().simple());
        let mut connection = PgConnection::connect(admin).await.expect("Postgres answers");
        execute(&mut connection, format!("CREATE DATABASE {name}")).await;
        let mut url = Url::parse(admin).expect("Postgres has a URL");
        url.set_path(&name);
        Storage::Postgres { url: url.into(), name, admin: admin.to_owned() }
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

    /// Empties SQLite's journal into its file, so that the next write needs room on the disk. Postgres has no such thing.
    ///
    /// # Panics
    /// If the database cannot be reached.
    pub async fn check_point(&self) {
        if let Storage::Sqlite(url) = self {
            let mut connection =
                SqliteConnection::connect(url).await.expect("SQLite opens its file");
            execute(&mut connection, "PRAGMA busy_timeout = 20000".to_owned()).await;
            execute(&mut connection, "PRAGMA wal_checkpoint(TRUNCATE)".to_owned()).await;
            connection.close().await.expect("SQLite closes its file");
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

    /// Copies a game with all its events, and gives each copy players of its own. Answers the ids of the copies. Nobody but
    /// us may be writing: it goes through tables of the connection's own, so that it need not know what a game consists of.
    ///
    /// # Errors
    /// If the database refuses.
    pub async fn multiply(&self, game: &str, copies: usize) -> sqlx::Result<Vec<String>> {
        let game = Uuid::parse_str(game).map_err(|error| sqlx::Error::Decode(error.into()))?;
        match self {
            Storage::Sqlite(url) => {
                let mut connection = SqliteConnection::connect(url).await?;
                let ids = multiply!(connection, game, copies);
                connection.close().await?;
                ids
            }
            Storage::Postgres { url, .. } => {
                let mut connection = PgConnection::connect(url).await?;
                multiply!(connection, game, copies)
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

    /// Makes what is offered in the lobby older by so many days.
    ///
    /// # Panics
    /// If the database cannot be written.
    pub async fn seeks_grow_older(&self, days: u64) {
        self.move_back(&[&["seeks", "created_at"], &["seeks", "expires_at"]], 24 * days).await;
    }

    /// Gives a player a name that no sign-up would take, as if it had come into the database by another way.
    ///
    /// # Panics
    /// If the database cannot be written.
    pub async fn rename(&self, name: &str, new: &str) {
        let new = new.replace('\'', "''");
        self.run(format!("UPDATE players SET name = '{new}' WHERE name = '{name}'")).await;
    }

    async fn move_back(&self, columns: &[&[&str; 2]], hours: u64) {
        for [table, column] in columns {
            self.run(format!("UPDATE {table} SET {column} = {column} - 3600000000 * {hours}"))
                .await;
        }
    }

    async fn run(&self, sql: String) {
        match self {
            Storage::Sqlite(url) => {
                let mut connection =
                    SqliteConnection::connect(url).await.expect("SQLite opens its file");
                execute(&mut connection, sql).await;
                connection.close().await.expect("SQLite closes its file");
            }
            Storage::Postgres { url, .. } => {
                let mut connection = PgConnection::connect(url).await.expect("Postgres answers");
                execute(&mut connection, sql).await;
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
