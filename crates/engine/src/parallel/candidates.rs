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

/// What is judged whatever the limits, so that there is an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FirstLook {
    OneMove,
    /// Every turn of one move: an answer that is not just any turn.
    EveryMove,
}

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
    /// The keys of the game's positions since the last capture or pawn move, then of the line under search.
    pub(super) path: Vec<u64>,
}

/// The most that a position is worth without a king captured: the beam may have missed a way out.
pub(super) const NOT_PROVED: Value = 9_000;

/// How much worse a turn is that leaves one's king to be captured: worse than any that does not.
const UNSAFE: Value = 2 * NOT_PROVED;

impl Judge<'_> {
    pub(super) fn minds_replies(&self) -> bool {
        self.engine.features.has(Feature::Quiescence)
    }

    /// A position's value for the side to move.
    pub(super) fn evaluate(&self, position: &Position) -> Value {
        let evaluation = evaluate(position, self.weights, self.minds_replies());
        bounded(evaluation.value() + self.engine.handicap.misjudge(position.hash()))
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
        let earlier = occurrences(&self.path, &after);
        let is_over = is_drawn(&after, earlier);
        let sees =
            !is_over && self.minds_replies() && !self.engine.handicap.overlooks(after.hash(), 0);
        let endangered = if sees { kings::endangered(&after, after.side_to_move()) } else { 0 };
        let draws = is_over || earlier > 0;
        let kept = if draws { 0 } else { bounded(noise - evaluation.value()) };
        let value = kept - UNSAFE * endangered.min(1);
        // Another move can still save what hangs.
        let promise = noise - evaluation.standing - evaluation.gain / 2 - 300 * endangered;
        let turn = Turn::new(moves)?;
        Some((Candidate { turn, after, value, safe: endangered == 0 }, promise))
    }

    /// The best turns of the beam, best first. Ends early when one is at least as good as `enough`, or when a limit is
    /// reached, before which at least the turns of the `first_look` have been judged.
    pub(super) fn candidates(
        &self,
        position: &Position,
        beam: Beam,
        enough: Value,
        first_look: FirstLook,
        control: &mut Control<'_>,
    ) -> Vec<Candidate> {
        let mut found: Vec<Candidate> = Vec::new();
        let start = PartialTurn::new(position);
        let mut beginnings = vec![Beginning { partial: start, moves: Vec::new(), promise: 0 }];
        for (length, most) in [beam.0, beam.1, 0].into_iter().enumerate() {
            let must_look = length == 0 && first_look == FirstLook::EveryMove;
            let mut longer = self.longer(position, &beginnings);
            let mut complete = true;
            for beginning in &mut longer {
                if control.visit() && !must_look && !found.is_empty() {
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

/// A value that a king's capture is beyond.
fn bounded(value: Value) -> Value {
    value.clamp(1 - NOT_PROVED, NOT_PROVED - 1)
}

/// How often a position has been there before.
pub(super) fn occurrences(before: &[u64], position: &Position) -> usize {
    if position.halfmove_clock() == 0 {
        return 0;
    }
    before.iter().filter(|key| **key == position.hash()).count()
}

/// Whether the game is drawn in a position that has been there so often before, if there is a move at all. Then no
/// king is captured any more.
pub(super) fn is_drawn(position: &Position, earlier: usize) -> bool {
    let us = position.side_to_move();
    earlier >= 2
        || position.halfmove_clock() >= Position::MAX_HALFMOVE
        || (position.has_only_kings(us) && position.has_only_kings(us.other()))
}
