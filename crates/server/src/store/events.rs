//! What happens in games, as rows. [`journal`](super::journal) decides when.

use std::sync::{Arc, OnceLock};

use sqlx::FromRow;
use uuid::Uuid;

use super::{Connection, Store, StoreError};
use crate::game::event::{Event, Logged};
use crate::ids::GameId;
use crate::time::Timestamp;
use crate::{on_db, on_tx};

/// SQLite's statements have 1, 2, 4 … rows, up to so many: it binds at most 32,766 values, and each event is four.
const SIZES: usize = 13;

/// How many events go into one statement.
pub(super) const ROWS: usize = 1 << (SIZES - 1);

/// One line of a journal as it is stored.
#[derive(FromRow)]
pub(super) struct EventRow {
    seq: i64,
    at: Timestamp,
    body: String,
}

impl TryFrom<EventRow> for Logged {
    type Error = StoreError;
    fn try_from(row: EventRow) -> Result<Self, StoreError> {
        let event: Event = serde_json::from_str(&row.body)
            .map_err(|e| StoreError::Damaged(format!("event {}: {e}: {}", row.seq, row.body)))?;
        Ok(Self { seq: row.seq.cast_unsigned(), at: row.at, event })
    }
}

impl Store {
    /// A game's journal.
    pub(super) async fn events(&self, id: GameId) -> Result<Vec<Logged>, StoreError> {
        let rows: Vec<EventRow> = on_db!(&self.read, |p, D| sqlx::query_as(
            "SELECT seq, at, body FROM game_events WHERE game_id = $1 ORDER BY seq"
        )
        .bind(id)
        .fetch_all(p)
        .await)?;
        rows.into_iter().map(Logged::try_from).collect()
    }

    /// Waits until no commit that was not answered can still write the event `seq` of a game: to write it again waits until
    /// a transaction with it has ended, and to read would not wait. A statement that is still on its way to Postgres is not
    /// waited for: should it be done later, the next event of the game is refused for its number, and the game reads again.
    pub async fn settle_event(&self, game: GameId, seq: u64) -> Result<(), StoreError> {
        self.within(async {
            let mut tx = self.begin().await?;
            // Not committed.
            on_tx!(&mut tx, |p, D| sqlx::query(
                "INSERT INTO game_events (game_id, seq, at, body) VALUES ($1, $2, 0, '')
                 ON CONFLICT (game_id, seq) DO NOTHING"
            )
            .bind(game)
            .bind(seq.cast_signed())
            .execute(p)
            .await
            .map(drop))?;
            Ok(())
        })
        .await
    }

    /// How many moves a game has, those that were taken back not counted. Its rules are not asked.
    pub async fn plies(&self, id: GameId) -> Result<usize, StoreError> {
        let log = self.within(self.events(id)).await?;
        Ok(log.iter().rev().find_map(|logged| logged.event.plies_after()).unwrap_or(0))
    }
}

/// The one statement that differs: Postgres takes arrays, SQLite a list of rows. At most [`ROWS`], all or none.
pub(super) async fn insert_events(
    connection: Connection<'_>,
    rows: &[(GameId, &Logged)],
) -> Result<(), StoreError> {
    let mut bodies = Vec::with_capacity(rows.len());
    for (_, logged) in rows {
        bodies.push(
            serde_json::to_string(&logged.event).map_err(|e| StoreError::Damaged(e.to_string()))?,
        );
    }
    match connection {
        Connection::Pg(connection) => {
            let games: Vec<Uuid> = rows.iter().map(|(game, _)| game.0).collect();
            let seqs: Vec<i64> = rows.iter().map(|(_, logged)| logged.seq.cast_signed()).collect();
            let ats: Vec<i64> = rows.iter().map(|(_, logged)| logged.at.as_micros()).collect();
            sqlx::query(
                "INSERT INTO game_events (game_id, seq, at, body)
                 SELECT * FROM UNNEST($1::UUID[], $2::BIGINT[], $3::BIGINT[], $4::TEXT[])",
            )
            .bind(games)
            .bind(seqs)
            .bind(ats)
            .bind(bodies)
            .execute(connection)
            .await?;
        }
        Connection::Lite(connection) => {
            let size = rows.len().next_power_of_two();
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sqlite_statement(size)));
            for ((game, logged), body) in rows.iter().zip(bodies) {
                query = query.bind(*game).bind(logged.seq.cast_signed()).bind(logged.at).bind(body);
            }
            for _ in rows.len()..size {
                query = query.bind(None::<Uuid>).bind(None::<i64>).bind(None::<i64>);
                query = query.bind(None::<String>);
            }
            query.execute(connection).await?;
        }
    }
    Ok(())
}

/// Inserts so many rows, a power of two, of which those without a game are left out: a few texts, which SQLite has to read
/// once each, instead of one for every number of events.
fn sqlite_statement(size: usize) -> Arc<str> {
    static TEXTS: [OnceLock<Arc<str>>; SIZES] = [const { OnceLock::new() }; SIZES];
    let write = || {
        let rows = vec!["(?,?,?,?)"; size].join(",");
        format!(
            "INSERT INTO game_events (game_id, seq, at, body)
             SELECT column1, column2, column3, column4 FROM (VALUES {rows}) WHERE column1 IS NOT NULL"
        )
        .into()
    };
    let kept = TEXTS.get(size.trailing_zeros() as usize);
    kept.map_or_else(write, |kept| Arc::clone(kept.get_or_init(write)))
}
