//! Forgetting what nobody needs any more.

use uuid::Uuid;

use super::{Store, StoreError};
use crate::game::clock::DAY_MS;
use crate::ids::PlayerId;
use crate::on_db;
use crate::time::Timestamp;

/// A guest is made a moment before its session.
const YOUNG_MS: i64 = 3_600_000;
/// A challenge's page tells for so long what became of it.
const CHALLENGE_KEPT_MS: i64 = 7 * DAY_MS;
/// So many rows are deleted at once, and of guests so many are looked at: who has something to write meanwhile does not wait for all of them, however many there
/// are, and what was deleted before the database stopped answering stays deleted.
const AT_ONCE: u64 = 500;

pub(super) const CHALLENGES: &str = "DELETE FROM challenges WHERE id IN (
    SELECT id FROM challenges WHERE game_id IS NULL AND expires_at <= $1 LIMIT $2)";
/// What became of one that was accepted or canceled is asked by retries alone.
pub(super) const SEEKS: &str =
    "DELETE FROM seeks WHERE id IN (SELECT id FROM seeks WHERE expires_at <= $1 LIMIT $2)";
pub(super) const SESSIONS: &str = "DELETE FROM sessions WHERE token_hash IN (
    SELECT token_hash FROM sessions WHERE expires_at <= $1 LIMIT $2)";
/// Where the next guests end that are looked at together, from whom on all of them may stay: those who play are many more than
/// those who go.
pub(super) const LAST_OF_GUESTS: &str = "SELECT created_at, id FROM players WHERE kind = 'guest'
    AND (created_at, id) > ($1, $2) AND created_at <= $3 ORDER BY created_at, id LIMIT 1 OFFSET $4";
pub(super) const GUESTS: &str = "DELETE FROM players WHERE kind = 'guest'
    AND (created_at, id) > ($1, $2) AND (created_at, id) <= ($3, $4)
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.player_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM games WHERE games.white_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM games WHERE games.black_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM seeks WHERE seeks.owner_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM challenges WHERE challenges.creator_id = players.id)
    AND NOT EXISTS (SELECT 1 FROM challenges WHERE challenges.opponent_id = players.id)";

/// A guest's place among all, the oldest first.
pub(super) type Place = (Timestamp, PlayerId);
/// Before all of them.
pub(super) const FIRST: Place = (Timestamp::MIN, PlayerId(Uuid::nil()));

impl Store {
    /// Forgets expired sessions and seeks, challenges that came to nothing, and guests who can neither come back nor be
    /// found in a game, seek or challenge. Answers how many guests.
    pub async fn prune(&self, now: Timestamp) -> Result<u64, StoreError> {
        self.forget(CHALLENGES, now.plus_ms(-CHALLENGE_KEPT_MS)).await?;
        self.forget(SEEKS, now).await?;
        self.forget(SESSIONS, now).await?;
        self.forget_guests(now.plus_ms(-YOUNG_MS)).await
    }

    /// Walks all guests from `until` or before, some at a time.
    async fn forget_guests(&self, until: Timestamp) -> Result<u64, StoreError> {
        let (mut all, mut next) = (0, Some(FIRST));
        while let Some(after) = next {
            let gone;
            (gone, next) = self.forget_guests_after(after, until, AT_ONCE).await?;
            all += gone;
        }
        Ok(all)
    }

    /// Looks at so many guests after a place, and no more. Answers how many are gone, and after whom to go on.
    pub(super) async fn forget_guests_after(
        &self,
        after: Place,
        until: Timestamp,
        most: u64,
    ) -> Result<(u64, Option<Place>), StoreError> {
        let offset = i64::try_from(most).unwrap_or(i64::MAX) - 1;
        let last: Option<Place> = self
            .within(async {
                Ok(on_db!(&self.read, |p, D| sqlx::query_as(LAST_OF_GUESTS)
                    .bind(after.0)
                    .bind(after.1)
                    .bind(until)
                    .bind(offset)
                    .fetch_optional(p)
                    .await)?)
            })
            .await?;
        // Nobody who is older comes after this.
        let (at, id) = last.unwrap_or((until, PlayerId(Uuid::max())));
        let gone = self
            .within(async {
                Ok(on_db!(&self.write, |p, D| sqlx::query(GUESTS)
                    .bind(after.0)
                    .bind(after.1)
                    .bind(at)
                    .bind(id)
                    .execute(p)
                    .await
                    .map(|done| done.rows_affected()))?)
            })
            .await?;
        Ok((gone, last))
    }

    /// Deletes what a statement finds that is from `until` or before. Answers how much that was.
    pub(super) async fn forget(
        &self,
        statement: &'static str,
        until: Timestamp,
    ) -> Result<u64, StoreError> {
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
