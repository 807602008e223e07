//! The computer's Parallel Worlds.

mod candidates;
pub mod evaluation;
mod kings;
mod levels;
mod refuge;
mod search;
#[cfg(test)]
mod tests;

pub use evaluation::{WEIGHTS, Weights};
pub(crate) use levels::LEVELS;

use manifold_rules::parallel::{PartialTurn, Position, Turn as ParallelTurn};
use manifold_rules::{Game, Turn};

use crate::control::Control;
use crate::score::{INFINITE, MATE, Value, mated_in};
use crate::{Choice, Engine, Limits, game_keys};
use candidates::{Beam, Candidate, FirstLook, Judge, NOT_PROVED};
use refuge::{RESCUES, Refuge};
use search::{MAX_DEPTH, Searcher};

/// How wide the first look at one's own turn is, and how many turns come of it.
const ROOT_BEAM: Beam = Beam(14, 12);
const ROOT_TURNS: usize = 60;

/// The best turn in a game of Parallel Worlds that is not over.
pub(crate) fn best_turn(
    engine: &Engine,
    game: &Game,
    position: &Position,
    limits: Limits<'_>,
) -> Option<Choice> {
    best_turn_by(&WEIGHTS, engine, game, position, limits)
}

/// As the engine plays with other weights.
pub fn best_turn_by(
    weights: &Weights,
    engine: &Engine,
    game: &Game,
    position: &Position,
    limits: Limits<'_>,
) -> Option<Choice> {
    if let Some(moves) = kings::capture(&PartialTurn::new(position)) {
        return Some(choice(MATE - 1, &[ParallelTurn::new(&moves)?], 1, 0));
    }
    let judge = Judge { engine, weights, path: game_keys(game) };
    let mut searcher = Searcher::new(judge, Control::new(limits), limits.nodes);
    let mut turns = searcher.judge.candidates(
        position,
        ROOT_BEAM,
        INFINITE,
        FirstLook::EveryMove,
        &mut searcher.control,
    );
    if searcher.judge.minds_replies() {
        if !turns.iter().any(|candidate| candidate.safe) {
            // Exactly now it counts that no turn is missed.
            match searcher.judge.rescue(position, RESCUES, &searcher.control) {
                Refuge::Found(rescue) => turns.insert(0, rescue),
                Refuge::Nowhere => return lost(&searcher, &turns, mated_in(2)),
                Refuge::Unknown => return lost(&searcher, &turns, 1 - NOT_PROVED),
            }
        }
        turns.retain(|candidate| candidate.safe);
    }
    turns.truncate(ROOT_TURNS);
    let best = deepen(&mut searcher, &mut turns)?;
    let after = turns.iter().find(|candidate| Some(&candidate.turn) == best.line.first())?.after;
    // The beam of the other side may have missed what saves its king.
    let is_won = || {
        searcher.judge.minds_replies()
            && matches!(searcher.judge.rescue(&after, 1, &searcher.control), Refuge::Nowhere)
    };
    let value = match best.value {
        NOT_PROVED.. if is_won() => MATE - 3,
        value => value.clamp(1 - NOT_PROVED, NOT_PROVED - 1),
    };
    Some(choice(value, &best.line, best.depth, searcher.control.nodes()))
}

/// The turn that seems best where none is known to save a king.
fn lost(searcher: &Searcher<'_>, turns: &[Candidate], value: Value) -> Option<Choice> {
    Some(choice(value, &[turns.first()?.turn], 1, searcher.control.nodes()))
}

/// Whether the side to move can capture a king in this turn: exact, and quick.
pub fn captures_king(position: &Position) -> bool {
    kings::capture(&PartialTurn::new(position)).is_some()
}

/// What a position is worth to the side to move by these weights, without looking ahead.
pub fn evaluate(position: &Position, weights: &Weights) -> i32 {
    evaluation::evaluate(position, weights, true).value()
}

/// What a search has come to so far.
struct Best {
    line: Vec<ParallelTurn>,
    value: Value,
    depth: u32,
}

/// Looks one turn further ahead until a limit is reached.
fn deepen(searcher: &mut Searcher<'_>, turns: &mut [Candidate]) -> Option<Best> {
    let first = turns.first()?;
    let mut best = Best { line: vec![first.turn], value: first.value, depth: 1 };
    for depth in 2..MAX_DEPTH {
        if !searcher.control.allows_depth(depth) || best.value >= NOT_PROVED {
            break;
        }
        let mut alpha = -INFINITE;
        let mut values = Vec::with_capacity(turns.len());
        for (n, candidate) in turns.iter().enumerate() {
            let (value, mut line) = searcher.value_of(candidate, depth, 0, (alpha, INFINITE));
            if searcher.control.is_over() {
                break;
            }
            values.push(value);
            // The best turn so far comes first, so that what is found before a limit is reached is better.
            if value > alpha {
                alpha = value;
                line.reverse();
                best = Best { line, value, depth: if n == 0 { best.depth } else { depth } };
            }
        }
        if searcher.control.is_over() {
            break;
        }
        best.depth = depth;
        let mut order: Vec<(Value, Candidate)> =
            values.into_iter().zip(turns.iter().copied()).collect();
        // A value that failed low is only a bound: the best one has to stay first.
        order.sort_by_key(|(value, _)| -value);
        for (slot, (_, candidate)) in turns.iter_mut().zip(order) {
            *slot = candidate;
        }
        if let Some(place) =
            turns.iter().position(|candidate| Some(&candidate.turn) == best.line.first())
        {
            turns[..=place].rotate_right(1);
        }
    }
    Some(best)
}

fn choice(value: Value, line: &[ParallelTurn], depth: u32, nodes: u64) -> Choice {
    let line: Vec<Turn> = line.iter().copied().map(Turn::Parallel).collect();
    Choice { turn: line[0], score: value.into(), depth, nodes, principal_variation: line }
}
