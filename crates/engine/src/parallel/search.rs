//! Alpha-beta over whole turns, of which each node looks at the best that a beam finds.

use manifold_rules::parallel::{PartialTurn, Position, Turn};

use super::candidates::{Beam, Candidate, FirstLook, Judge, NOT_PROVED, is_drawn, occurrences};
use super::kings;
use super::refuge::Refuge;
use crate::Feature;
use crate::control::Control;
use crate::score::{INFINITE, MATE, Value, mated_in};
use crate::table::{Bound, Entry, Table};

/// No search looks so many turns ahead.
pub(super) const MAX_DEPTH: u32 = 32;

pub(super) struct Searcher<'a> {
    pub(super) judge: Judge<'a>,
    pub(super) control: Control<'a>,
    table: Table<Turn>,
}

/// A value and the turns that lead to it, the last one first.
type Found = (Value, Vec<Turn>);

impl<'a> Searcher<'a> {
    pub(super) fn new(judge: Judge<'a>, control: Control<'a>, nodes: Option<u64>) -> Self {
        // One position in a few hundred that are judged is searched.
        let table = Table::for_nodes(Some(nodes.unwrap_or(u64::MAX) / 100));
        Self { judge, control, table }
    }

    /// The value of a turn for the side that makes it, and the line from it on, the last turn first.
    pub(super) fn value_of(
        &mut self,
        candidate: &Candidate,
        depth: u32,
        ply: usize,
        (alpha, beta): (Value, Value),
    ) -> Found {
        self.judge.path.push(candidate.after.hash());
        let (value, mut line) = self.search(&candidate.after, depth - 1, ply + 1, (-beta, -alpha));
        self.judge.path.pop();
        line.push(candidate.turn);
        (-value, line)
    }

    /// The value of a position for the side to move, `depth` turns ahead.
    fn search(
        &mut self,
        position: &Position,
        depth: u32,
        ply: usize,
        (mut alpha, beta): (Value, Value),
    ) -> Found {
        // The position itself is the last of the path.
        let earlier = occurrences(&self.judge.path, position).saturating_sub(1);
        if is_drawn(position, earlier) {
            return (0, Vec::new());
        }
        if let Some(moves) = kings::capture(&PartialTurn::new(position)) {
            return (MATE - ply as Value - 1, Turn::new(&moves).into_iter().collect());
        }
        // What can be repeated once can be repeated again.
        if earlier > 0 {
            return (0, Vec::new());
        }
        if depth == 0 {
            self.control.visit();
            return (self.judge.evaluate(position), Vec::new());
        }
        let remembers = self.judge.engine.features.has(Feature::TranspositionTable);
        let known = self.table.get(position.hash(), ply).filter(|_| remembers);
        if let Some(known) = known
            && u32::from(known.depth) >= depth
            && match known.bound {
                Bound::Exact => true,
                Bound::AtLeast => known.value >= beta,
                Bound::AtMost => known.value <= alpha,
            }
        {
            return (known.value, Vec::new());
        }
        let (beam, most) = if depth == 1 { (Beam(4, 3), 1) } else { (Beam(6, 5), 10) };
        let enough = if depth == 1 { beta } else { INFINITE };
        let mut candidates =
            self.judge.candidates(position, beam, enough, FirstLook::OneMove, &mut self.control);
        if candidates.is_empty() {
            // No king can be captured, so that there is no check: stalemate.
            return (0, Vec::new());
        }
        if self.judge.minds_replies() && !candidates.iter().any(|candidate| candidate.safe) {
            match self.judge.refuge(position, &mut self.control) {
                Refuge::Found(candidate) => candidates.insert(0, candidate),
                Refuge::Nowhere => return (mated_in(ply + 2), Vec::new()),
                Refuge::Unknown => {}
            }
        }
        candidates.truncate(most);
        if let Some(best) = known.and_then(|known| known.best)
            && let Some(place) = candidates.iter().position(|candidate| candidate.turn == best)
        {
            candidates[..=place].rotate_right(1);
        }
        let old_alpha = alpha;
        let mut best: Found = (-INFINITE, Vec::new());
        for candidate in &candidates {
            // What is judged already needs no look at the reply.
            let (value, line) = if depth == 1 {
                (candidate.value.max(-NOT_PROVED), vec![candidate.turn])
            } else {
                self.value_of(candidate, depth, ply, (alpha, beta))
            };
            if self.control.is_over() && !best.1.is_empty() {
                break;
            }
            // Other turns than the beam's may save a king.
            let value = value.max(-NOT_PROVED);
            if value > best.0 {
                best = (value, line);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        if !self.control.is_over() {
            let bound = if best.0 >= beta {
                Bound::AtLeast
            } else if best.0 > old_alpha {
                Bound::Exact
            } else {
                Bound::AtMost
            };
            let entry =
                Entry { best: best.1.last().copied(), value: best.0, bound, depth: depth as u8 };
            self.table.put(position.hash(), ply, entry);
        }
        best
    }
}
