//! Which turns are worth a look. A position has up to a million; a turn is built move by move, and at each stage only
//! the most promising beginnings are gone on with.

use manifold_rules::Role;
use manifold_rules::parallel::{PartialTurn, Position, Single, Square, Turn};

use super::evaluation::{Weights, evaluate};
use super::kings;
use crate::Engine;
use crate::Feature;
use crate::control::Control;
use crate::score::Value;

/// How many beginnings of one move, and of two, are gone on with.
#[derive(Clone, Copy)]
pub(super) struct Beam(pub(super) usize, pub(super) usize);

/// A turn, and what it leads to.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) turn: Turn,
    pub(super) after: Position,
    /// For the side that makes the turn.
    pub(super) value: Value,
    /// Whether no king can be captured in return.
    pub(super) safe: bool,
}

/// The beginning of a turn.
struct Beginning {
    partial: PartialTurn,
    moves: Vec<Single>,
    /// How good it seems to go on from here.
    promise: Value,
}

/// What it takes to judge turns.
pub(super) struct Judge<'a> {
    pub(super) engine: &'a Engine,
    pub(super) weights: &'a Weights,
}

/// A turn that leaves one's king to be captured, before it is known that all do.
const UNSAFE: Value = 10_000;

impl Judge<'_> {
    pub(super) fn minds_replies(&self) -> bool {
        self.engine.features.has(Feature::Quiescence)
    }

    /// A position's value for the side to move.
    pub(super) fn evaluate(&self, position: &Position) -> Value {
        evaluate(position, self.weights, self.minds_replies()).value()
            + self.engine.handicap.misjudge(position.hash())
    }

    /// The turn and what comes of it, and how good it seems to add another move.
    pub(super) fn judge(
        &self,
        partial: &PartialTurn,
        moves: &[Single],
    ) -> Option<(Candidate, Value)> {
        let after = partial.finish();
        let evaluation = evaluate(&after, self.weights, self.minds_replies());
        let noise = self.engine.handicap.misjudge(after.hash());
        let sees = self.minds_replies() && !self.engine.handicap.overlooks(after.hash(), 0);
        let endangered = if sees { kings::endangered(&after, after.side_to_move()) } else { 0 };
        let value = noise - evaluation.value() - UNSAFE * endangered.min(1);
        // Another move can still save what hangs.
        let promise = noise - evaluation.standing - evaluation.gain / 2 - 300 * endangered;
        let turn = Turn::new(moves)?;
        Some((Candidate { turn, after, value, safe: endangered == 0 }, promise))
    }

    /// The best turns of the beam, best first. Ends early when one is at least as good as `enough`.
    pub(super) fn candidates(
        &self,
        position: &Position,
        beam: Beam,
        enough: Value,
        control: &mut Control<'_>,
    ) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let start = PartialTurn::new(position);
        let mut beginnings = vec![Beginning { partial: start, moves: Vec::new(), promise: 0 }];
        for most in [beam.0, beam.1, 0] {
            let mut longer = self.longer(position, &beginnings);
            let mut complete = true;
            for beginning in &mut longer {
                // Whatever the limits, there is an answer.
                if control.visit() && !found.is_empty() {
                    complete = false;
                    break;
                }
                if let Some((candidate, promise)) = self.judge(&beginning.partial, &beginning.moves)
                {
                    beginning.promise = promise;
                    found.push(candidate);
                    if candidate.value >= enough {
                        return vec![candidate];
                    }
                }
            }
            if !complete || most == 0 {
                break;
            }
            longer.sort_by_key(|beginning| -beginning.promise);
            longer.truncate(most);
            beginnings = longer;
        }
        found.sort_by_key(|candidate| -candidate.value);
        found
    }

    /// Each beginning with each further move; those that come to the same only once.
    fn longer(&self, position: &Position, beginnings: &[Beginning]) -> Vec<Beginning> {
        let mut longer = self.longer_if(beginnings, |single| !self.overlooks(position, single));
        if longer.is_empty() {
            // Who would overlook every move thinks of them after all.
            longer = self.longer_if(beginnings, |_| true);
        }
        longer
    }

    fn longer_if(
        &self,
        beginnings: &[Beginning],
        comes_to_mind: impl Fn(Single) -> bool,
    ) -> Vec<Beginning> {
        let mut keyed: Vec<(u64, Beginning)> = Vec::new();
        for Beginning { partial, moves, .. } in beginnings {
            partial.for_each_next(|piece| {
                for single in partial.singles(piece) {
                    // What else a pawn may become is hardly ever better.
                    let odd = matches!(single.promotion, Some(Role::Rook | Role::Bishop));
                    if odd || !comes_to_mind(single) {
                        continue;
                    }
                    let mut partial = *partial;
                    partial.play_unchecked(piece.role, single);
                    let moves = moves.iter().copied().chain([single]).collect();
                    keyed.push((partial.hash(), Beginning { partial, moves, promise: 0 }));
                }
            });
        }
        keyed.sort_by_key(|(key, _)| *key);
        keyed.dedup_by_key(|(key, _)| *key);
        keyed.into_iter().map(|(_, beginning)| beginning).collect()
    }

    fn overlooks(&self, position: &Position, single: Single) -> bool {
        let index = |square: Square| square.level as u64 * 64 + square.place() as u64;
        single.from.level != single.to.level
            && self
                .engine
                .handicap
                .overlooks(position.hash(), index(single.from) << 8 | index(single.to))
    }
}

/// Whether a position is drawn whatever came before, if there is a move at all.
pub(super) fn is_drawn(position: &Position) -> bool {
    let us = position.side_to_move();
    position.halfmove_clock() >= 100
        || (position.has_only_kings(us) && position.has_only_kings(us.other()))
}
