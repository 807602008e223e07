//! What happens in games, as rows. [`journal`](super::journal) decides when.

use std::sync::{Arc, OnceLock};

use uuid::Uuid;

use super::{StoreError, Tx};
use crate::game::event::Logged;
use crate::ids::GameId;

/// SQLite's statements have 1, 2, 4 … rows, up to so many: it binds at most 32,766 values, and each event is four.
const SIZES: usize = 13;

/// How many events go into one statement.
pub(super) const ROWS: usize = 1 << (SIZES - 1);

/// The one statement that differs: Postgres takes arrays, SQLite a list of rows. At most [`ROWS`].
pub(super) async fn insert_events(
    tx: &mut Tx<'_>,
    rows: &[(GameId, &Logged)],
) -> Result<(), StoreError> {
    let mut bodies = Vec::with_capacity(rows.len());
    for (_, logged) in rows {
        bodies.push(
            serde_json::to_string(&logged.event).map_err(|e| StoreError::Damaged(e.to_string()))?,
        );
    }
    match tx {
        Tx::Pg(tx) => {
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
            .execute(&mut **tx)
            .await?;
        }
        Tx::Lite(tx) => {
            let size = rows.len().next_power_of_two();
            let mut query = sqlx::query(sqlx::AssertSqlSafe(sqlite_statement(size)));
            for ((game, logged), body) in rows.iter().zip(bodies) {
                query = query.bind(*game).bind(logged.seq.cast_signed()).bind(logged.at).bind(body);
            }
            for _ in rows.len()..size {
                query = query.bind(None::<Uuid>).bind(None::<i64>).bind(None::<i64>);
                query = query.bind(None::<String>);
            }
            query.execute(&mut **tx).await?;
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
