//! Forgetting what nobody needs any more.

use super::{Store, StoreError};
use crate::game::clock::DAY_MS;
use crate::on_db;
use crate::time::Timestamp;

/// A guest is made a moment before its session.
const YOUNG_MS: i64 = 3_600_000;
/// A challenge's page tells for so long what became of it.
const CHALLENGE_KEPT_MS: i64 = 7 * DAY_MS;
/// So many rows are deleted at once: who has something to write meanwhile does not wait for all of them, however many there
/// are, and what was deleted before the database stopped answering stays deleted.
const AT_ONCE: u64 = 500;

const CHALLENGES: &str = "DELETE FROM challenges WHERE id IN (
    SELECT id FROM challenges WHERE game_id IS NULL AND expires_at <= $1 LIMIT $2)";
/// What became of one that was accepted or canceled is asked by retries alone.
const SEEKS: &str =
    "DELETE FROM seeks WHERE id IN (SELECT id FROM seeks WHERE expires_at <= $1 LIMIT $2)";
const SESSIONS: &str = "DELETE FROM sessions WHERE token_hash IN (
    SELECT token_hash FROM sessions WHERE expires_at <= $1 LIMIT $2)";
const GUESTS: &str = "DELETE FROM players WHERE id IN (
    SELECT id FROM players WHERE kind = 'guest' AND created_at <= $1
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.player_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM games WHERE games.white_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM games WHERE games.black_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM seeks WHERE seeks.owner_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM challenges WHERE challenges.creator_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM challenges WHERE challenges.opponent_id = players.id) LIMIT $2)";

impl Store {
    /// Forgets expired sessions and seeks, challenges that came to nothing, and guests who can neither come back nor be
    /// found in a game, seek or challenge. Answers how many guests.
    pub async fn prune(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.forget(CHALLENGES, now.plus_ms(-CHALLENGE_KEPT_MS)).await?;
        self.forget(SEEKS, now).await?;
        self.forget(SESSIONS, now).await?;
        self.forget(GUESTS, now.plus_ms(-YOUNG_MS)).await
    }

    /// Deletes what a statement finds that is from `until` or before. Answers how much that was.
    async fn forget(&self, statement: &'static str, until: Timestamp) -> Result<u64, StoreError> {
        let mut all = 0;
        loop {
            let gone = self
                .within(async {
                    Ok(on_db!(&self.write, |p, D| sqlx::query(statement)
                        .bind(until)
                        .bind(AT_ONCE as i64)
                        .execute(p)
                        .await
                        .map(|done| done.rows_affected()))?)
                })
                .await?;
            all += gone;
            if gone < AT_ONCE {
                return Ok(all);
            }
        }
    }
}
