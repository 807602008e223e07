//! Where a side can bring its kings to safety: found by trying turn after turn, as the beam may miss the only ones.
//!
//! A position can have a billion turns, so that every walk through them has an end of its own, and ends at once when
//! time is up.

use manifold_rules::parallel::{MAX_MOVES, PartialTurn, Position, Single};

use super::candidates::{Candidate, Judge, is_drawn, occurrences};
use super::kings;
use crate::control::Control;

/// Where a side can bring its kings to safety in one turn.
pub(super) enum Refuge {
    Found(Candidate),
    /// Every turn was tried.
    Nowhere,
    Unknown,
}

/// How many moves are tried in a search to save a king that no turn of the beam saves.
const REFUGE_TRIES: u32 = 3_000;

/// How many moves are tried where it counts: at the root, and to prove a win. docs/engine.md has how many it takes.
pub(super) const RESCUE_TRIES: u32 = 4_000_000;

/// How many turns that save the kings are compared when the beam has found none.
pub(super) const RESCUES: u32 = 1_000;

/// How many moves are tried before the clock and the stop flag are asked, and asked again: a fraction of a millisecond.
const LOOK_EVERY: u32 = 2_048;

impl Judge<'_> {
    /// Some turn after which no king can be captured. Counts towards the positions that a search may visit.
    pub(super) fn refuge(&self, position: &Position, control: &mut Control<'_>) -> Refuge {
        // To try a move takes about a tenth of what it takes to judge a turn.
        self.seek(position, 1, |tries| {
            tries < REFUGE_TRIES && !(tries.is_multiple_of(10) && control.visit())
        })
    }

    /// The best of the first `wanted` turns after which no king can be captured. Only time, the stop flag and
    /// [`RESCUE_TRIES`] bound it: a king is worth more than the positions that a level may visit.
    pub(super) fn rescue(&self, position: &Position, wanted: u32, control: &Control<'_>) -> Refuge {
        self.seek(position, wanted, |tries| {
            tries < RESCUE_TRIES && !(tries.is_multiple_of(LOOK_EVERY) && control.is_stopped())
        })
    }

    /// Whether the game is drawn if the turn ends here.
    fn draws(&self, turn: &PartialTurn) -> bool {
        let after = turn.finish();
        is_drawn(&after, occurrences(&self.path, &after))
    }

    fn seek(&self, position: &Position, wanted: u32, may_try: impl FnMut(u32) -> bool) -> Refuge {
        let mut best: Option<Candidate> = None;
        let mut safe = 0;
        let complete = Walk { tries: 0, may_try }.every_turn(position, &mut |turn, moves| {
            if is_safe(turn) || self.draws(turn) {
                safe += 1;
                let candidate = self.judge(turn, moves).map(|(candidate, _)| candidate);
                best = best
                    .into_iter()
                    .chain(candidate)
                    .max_by_key(|candidate: &Candidate| candidate.value);
            }
            safe < wanted
        });
        match best {
            Some(candidate) => Refuge::Found(candidate),
            None if complete => Refuge::Nowhere,
            None => Refuge::Unknown,
        }
    }
}

/// Whether no king could be captured if the turn ended here and the game went on.
fn is_safe(turn: &PartialTurn) -> bool {
    let them = turn.board().side_to_move().other();
    kings::endangered(turn.board(), them) == 0
}

/// A walk through the turns of a position.
struct Walk<F> {
    /// How many moves have been made: those that only begin a turn count too.
    tries: u32,
    /// Whether one more may be made after so many.
    may_try: F,
}

impl<F: FnMut(u32) -> bool> Walk<F> {
    /// Visits every turn, short ones first, until `visit` says that it has seen enough or no move may be tried any
    /// more, and tells whether it has come to the end.
    fn every_turn(
        &mut self,
        position: &Position,
        visit: &mut impl FnMut(&PartialTurn, &[Single]) -> bool,
    ) -> bool {
        let start = PartialTurn::new(position);
        (1..=MAX_MOVES)
            .all(|moves| self.go_on(&start, &mut Vec::with_capacity(moves), moves, visit))
    }

    /// Visits every turn of so many further moves.
    fn go_on(
        &mut self,
        turn: &PartialTurn,
        made: &mut Vec<Single>,
        further: usize,
        visit: &mut impl FnMut(&PartialTurn, &[Single]) -> bool,
    ) -> bool {
        let mut moves = Vec::new();
        turn.for_each_next(|piece| moves.extend(turn.singles(piece).map(|one| (piece.role, one))));
        moves.into_iter().all(|(role, single)| {
            self.tries += 1;
            if !(self.may_try)(self.tries) {
                return false;
            }
            let mut longer = *turn;
            longer.play_unchecked(role, single);
            made.push(single);
            let unsated = match further {
                1 => visit(&longer, made),
                _ => self.go_on(&longer, made, further - 1, visit),
            };
            made.pop();
            unsated
        })
    }
}
