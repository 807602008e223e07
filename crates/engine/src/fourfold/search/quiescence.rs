//! What is behind the horizon: a position is judged once nothing hangs in it.

use manifold_rules::Role;

use super::candidates::Candidate;
use super::{MAX_PLY, Node, Searcher, cutoff};
use crate::Feature;
use crate::fourfold::exchange::worth;
use crate::score::{INFINITE, MATE_BOUND, Value, mated_in};
use crate::table::{Bound, Entry};

/// So far behind the horizon checks are answered.
const ANSWERED_CHECKS: usize = 4;
/// So far behind the horizon captures are tried that gain nothing and lose nothing.
const ALL_EXCHANGES: usize = 2;

impl Searcher<'_> {
    /// Plays out captures and promotions, and answers checks, until the position can be judged. `beyond` plies behind
    /// the horizon: the boards are crowded, so that few captures are tried far behind it.
    pub(super) fn quiesce(
        &mut self,
        node: Node<'_>,
        beyond: usize,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let Node { position, ply, .. } = node;
        let in_check = node.in_check && beyond < ANSWERED_CHECKS;
        self.lines[ply].clear();
        if self.control.visit() {
            return 0;
        }
        if ply > 0
            && let Some(value) = self.end_by_draw(node)
        {
            return value;
        }
        let searches = self.has(Feature::Quiescence) && ply < MAX_PLY;
        if !searches {
            let mated = in_check && !position.has_legal_move();
            return if mated { mated_in(ply) } else { self.evaluate(position) };
        }
        let known = self.known(position, ply);
        if let Some(value) = known.and_then(|entry| cutoff(entry, 0, alpha, beta)) {
            return value;
        }
        let mut best = if in_check { -INFINITE } else { self.evaluate(position) };
        if best >= beta {
            return best;
        }
        let standing = best;
        let mut floor = alpha.max(best);
        let guess = known.and_then(|entry| entry.best);
        let first = self.candidates.len();
        if in_check {
            if self.generate(position, ply, guess) == 0 {
                return mated_in(ply);
            }
        } else {
            self.generate_captures(position, ply, guess);
        }
        let last = self.candidates.len();
        if in_check && first == last {
            return self.evaluate(position);
        }
        let mut best_move = None;
        for n in first..last {
            let candidate = self.next_candidate(n, last);
            let Candidate { turn, role, quiet, gain, .. } = candidate;
            if !in_check {
                let victim = position.role_at(turn.to).map_or(0, worth);
                let promotes =
                    if role == Role::Pawn && victim == 0 { worth(Role::Queen) } else { 0 };
                let hopeless = standing + victim + promotes + 200 <= floor;
                let least = i32::from(beyond >= ALL_EXCHANGES);
                if (self.has(Feature::StaticExchange) && gain < least)
                    || (self.has(Feature::Futility) && hopeless)
                {
                    continue;
                }
            } else if best > -MATE_BOUND && quiet && n > first + 3 {
                // A few quiet answers show whether there is one at all.
                continue;
            }
            let next = position.after_legal(role, turn);
            self.path.push(next.hash());
            let below = Node {
                position: &next,
                ply: ply + 1,
                in_check: next.in_check(),
                after_pass: false,
            };
            let value = -self.quiesce(below, beyond + 1, -beta, -floor);
            self.path.pop();
            if self.control.is_over() {
                break;
            }
            best = best.max(value);
            if value > floor {
                floor = value;
                best_move = Some(turn);
                self.extend_line(ply, turn);
                if value >= beta {
                    break;
                }
            }
        }
        self.candidates.truncate(first);
        if !self.control.is_over() {
            let bound = if best >= beta { Bound::AtLeast } else { Bound::AtMost };
            self.remember(
                position,
                ply,
                0,
                Entry { best: best_move, value: best, bound, depth: 0 },
            );
        }
        best
    }
}
