//! What stands on one level.

use crate::types::{Color, Role};

/// The pieces of one level in four words.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Board {
    /// The bits of a number that is 0 for an empty square and otherwise one more than the [`Role`].
    roles: [u64; 3],
    /// White's pieces.
    white: u64,
}

impl Board {
    pub(super) const EMPTY: Self = Self { roles: [0; 3], white: 0 };

    pub(super) fn occupied(&self) -> u64 {
        let [ones, twos, fours] = self.roles;
        ones | twos | fours
    }

    pub(super) fn by_color(&self, color: Color) -> u64 {
        match color {
            Color::White => self.white,
            Color::Black => self.occupied() & !self.white,
        }
    }

    pub(super) fn by_role(&self, role: Role) -> u64 {
        let number = role as u64 + 1;
        let [ones, twos, fours] = self.roles;
        // All ones where the bit of the number is not set.
        let unless = |bit: u64| (number >> bit & 1).wrapping_sub(1);
        (ones ^ unless(0)) & (twos ^ unless(1)) & (fours ^ unless(2))
    }

    pub(super) fn role_at(&self, place: usize) -> Option<Role> {
        let [ones, twos, fours] = self.roles.map(|plane| (plane >> (place & 63)) as usize & 1);
        let number = ones | twos << 1 | fours << 2;
        // Nothing has the number 0, and no role is the one before the first.
        Role::ALL.get(number.wrapping_sub(1)).copied()
    }

    /// Puts a piece on an empty square, or takes it away.
    pub(super) fn toggle(&mut self, color: Color, role: Role, bit: u64) {
        let number = role as u64 + 1;
        for (n, plane) in self.roles.iter_mut().enumerate() {
            *plane ^= bit & 0_u64.wrapping_sub(number >> n & 1);
        }
        if color == Color::White {
            self.white ^= bit;
        }
    }
}
