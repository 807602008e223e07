//! What the server has kept of its promises, read from the database and over REST.

use std::fmt;
use std::time::Duration;

use anyhow::Result;

use super::table::{Book, Record};
use crate::Server;

/// What was promised and what came of it.
#[derive(Debug, Default)]
pub struct Verdict {
    /// Games that were played.
    pub games: usize,
    /// Moves that were acknowledged.
    pub moves: usize,
    /// Of these, how many are not where they were played.
    pub moves_lost: usize,
    /// Games that are not there, or that go on after their end was acknowledged.
    pub games_lost: usize,
    /// Rated games that have ended without exactly one change of rating a player.
    pub wrongly_rated: i64,
    /// Games whose events are not numbered 1, 2, 3 …
    pub gaps: i64,
    /// How many clocks were compared with what they had shown before.
    pub clocks: usize,
    /// Clocks that were shown with an absence charged, until their games said that they go on.
    pub shown_early: usize,
    /// By how much one of them had moved more than the server lived, at worst.
    pub worst_charge: Duration,
    /// And by how much less.
    pub worst_gift: Duration,
    /// Commands to which nothing was said.
    pub unanswered: usize,
    /// Whatever else the server said that it must not.
    pub broken: Vec<String>,
}

const WRONGLY_RATED: &str = "SELECT COUNT(*) FROM games WHERE rated AND ended_at IS NOT NULL AND outcome <> 'none' \
    AND plies >= 2 AND (SELECT COUNT(*) FROM rating_changes WHERE game_id = games.id) <> 2";
const GAPS: &str = "SELECT COUNT(*) FROM (SELECT game_id FROM game_events GROUP BY game_id \
    HAVING COUNT(*) <> MAX(seq) OR MIN(seq) <> 1) AS odd";

impl Verdict {
    pub(super) async fn reach(server: &Server, books: Vec<Book>) -> Result<Verdict> {
        let mut verdict = Verdict {
            wrongly_rated: server.storage().count(WRONGLY_RATED).await?,
            gaps: server.storage().count(GAPS).await?,
            ..Verdict::default()
        };
        let client = server.client();
        for Book {
            records,
            broken,
            clocks,
            shown_early,
            worst_charge,
            worst_gift,
            unanswered,
            ..
        } in books
        {
            verdict.broken.extend(broken);
            verdict.clocks += clocks;
            verdict.shown_early += shown_early;
            verdict.unanswered += unanswered;
            verdict.worst_charge = verdict.worst_charge.max(worst_charge);
            verdict.worst_gift = verdict.worst_gift.max(worst_gift);
            for Record { id, moves, ended } in records {
                verdict.games += 1;
                verdict.moves += moves.len();
                let answer = client.get(&format!("/api/v1/games/{id}")).await;
                let Ok(game) = serde_json::from_str::<serde_json::Value>(&answer.body) else {
                    verdict.games_lost += 1;
                    continue;
                };
                let kept = moves
                    .iter()
                    .enumerate()
                    .filter(|(ply, turn)| game["moves"][ply]["move"] == turn.as_str())
                    .count();
                verdict.moves_lost += moves.len() - kept;
                let has_ended = game["outcome"].is_string();
                if game["id"] != id.as_str() || ended && !has_ended {
                    verdict.games_lost += 1;
                }
            }
        }
        Ok(verdict)
    }

    /// Whether every promise was kept.
    pub fn is_good(&self) -> bool {
        self.moves_lost == 0
            && self.games_lost == 0
            && self.wrongly_rated == 0
            && self.gaps == 0
            && self.unanswered == 0
            && self.broken.is_empty()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>9} games, {} lost", self.games, self.games_lost)?;
        writeln!(f, "{:>9} moves acknowledged, {} lost", self.moves, self.moves_lost)?;
        writeln!(f, "{:>9} games not rated exactly once", self.wrongly_rated)?;
        writeln!(f, "{:>9} games with a gap in their events", self.gaps)?;
        writeln!(f, "{:>9} commands not answered", self.unanswered)?;
        writeln!(
            f,
            "{:>9} clocks compared; at worst {} ms too much were charged, or {} ms too little",
            self.clocks,
            self.worst_charge.as_millis(),
            self.worst_gift.as_millis()
        )?;
        writeln!(f, "{:>9} were shown before they had been given that back", self.shown_early)?;
        write!(f, "{:>9} other promises broken", self.broken.len())?;
        for why in &self.broken {
            write!(f, "\n          {why}")?;
        }
        Ok(())
    }
}
