//! The computer's Fourfold.

pub mod evaluation;
mod exchange;
mod levels;
mod search;
mod weights;

pub(crate) use levels::LEVELS;
pub use weights::{WEIGHTS, Weight};

use manifold_rules::fourfold::{Move, Position};
use manifold_rules::{Game, Turn};

use crate::score::{INFINITE, MATE, MATE_BOUND, Value};
use crate::{Choice, Engine, Feature, Limits, game_keys};
use search::{MAX_PLY, Searcher};

/// A search goes on for so many plies after it has found a mate: by then reductions hide no shorter one, as far as is
/// known.
const BEYOND_A_MATE: Value = 5;

/// The best turn in a game of Fourfold that is not over.
pub(crate) fn best_turn(
    engine: &Engine,
    game: &Game,
    position: &Position,
    limits: Limits<'_>,
) -> Option<Choice> {
    let mut searcher = Searcher::new(engine, limits, game_keys(game));
    // A move at hand before anything is searched: whatever happens, there is an answer.
    let first = searcher.candidates(position).first()?.turn;
    let mut best = Best { line: vec![first], value: searcher.evaluate(position), depth: 0 };
    searcher.expected = Some(first);
    let mut depth = 1;
    while depth < MAX_PLY as u32 && searcher.control.allows_depth(depth) {
        let complete = deepen(&mut searcher, position, depth, &mut best);
        if !complete {
            break;
        }
        best.depth = depth;
        searcher.expected = best.line.first().copied();
        if best.value.abs() >= MATE_BOUND
            && depth as Value > MATE - best.value.abs() + BEYOND_A_MATE
        {
            break;
        }
        depth += 1;
    }
    if best.depth == 0
        && let Some((turn, value)) = searcher.glance(position)
    {
        best = Best { line: vec![turn], value, depth: 0 };
    }
    Some(Choice {
        turn: Turn::Fourfold(*best.line.first()?),
        score: best.value.into(),
        depth: best.depth,
        nodes: searcher.control.nodes(),
        principal_variation: best.line.into_iter().map(Turn::Fourfold).collect(),
    })
}

/// What a search has come to so far.
struct Best {
    /// Never empty.
    line: Vec<Move>,
    value: Value,
    /// Searched in full.
    depth: u32,
}

/// Searches one ply deeper, and tells whether that was completed. What was found until then is kept in any case: the
/// move that was best before is tried first, so that another one is better if it was found at all.
fn deepen(searcher: &mut Searcher<'_>, position: &Position, depth: u32, best: &mut Best) -> bool {
    /// How far from the last value the next one is expected; doubled until it is.
    const WINDOW: Value = 30;
    let aspires = searcher.has(Feature::Aspiration) && depth >= 4 && best.value.abs() < MATE_BOUND;
    let mut width = if aspires { WINDOW } else { 2 * INFINITE };
    let (mut alpha, mut beta) =
        ((best.value - width).max(-INFINITE), (best.value + width).min(INFINITE));
    loop {
        searcher.found = None;
        let value = searcher.search_root(position, depth as i32, alpha, beta);
        if let Some((turn, value)) = searcher.found {
            best.value = value;
            best.line = match searcher.line() {
                line if line.first() == Some(&turn) => line.to_vec(),
                _ => vec![turn],
            };
        }
        if searcher.control.is_over() {
            return false;
        }
        width *= 2;
        if value <= alpha && alpha > -INFINITE {
            alpha = if width > 500 { -INFINITE } else { (value - width).max(-INFINITE) };
        } else if value >= beta && beta < INFINITE {
            beta = if width > 500 { INFINITE } else { (value + width).min(INFINITE) };
        } else {
            return true;
        }
    }
}
