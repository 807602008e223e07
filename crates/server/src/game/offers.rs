//! What one side has proposed and the other has not answered yet: one kind of offer.

use manifold_rules::Color;

use super::clock::BySide;

/// The open offers of one kind, known by the numbers of their events.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    open: BySide<Option<u64>>,
    /// How many own moves a side must have made before it may offer again.
    next_after: BySide<usize>,
}

impl Offers {
    pub fn open(&mut self, side: Color, offer: u64) {
        *self.open.get_mut(side) = Some(offer);
    }

    pub fn of(&self, side: Color) -> Option<u64> {
        *self.open.get(side)
    }

    pub fn is_open(&self, side: Color, offer: u64) -> bool {
        self.of(side) == Some(offer)
    }

    /// An open one: who made it, and its number.
    pub fn current(&self) -> Option<(Color, u64)> {
        [Color::White, Color::Black].into_iter().find_map(|side| Some((side, self.of(side)?)))
    }

    /// Whether a side with so many moves of its own does not have to wait after a refusal.
    pub fn may_offer(&self, side: Color, own_moves: usize) -> bool {
        own_moves >= *self.next_after.get(side)
    }

    /// Closes the open offer of `side`, which then waits until it has made so many moves.
    pub fn refuse(&mut self, side: Color, next_after: usize) {
        if self.open.get_mut(side).take().is_some() {
            *self.next_after.get_mut(side) = next_after;
        }
    }

    /// Closes what is open; nobody was refused.
    pub fn close(&mut self) {
        self.open = BySide::default();
    }
}
