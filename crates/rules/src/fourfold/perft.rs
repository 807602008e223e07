//! Counting legal moves without telling them apart, as quickly as can be. `benches/perft.rs` says how quickly.

use super::attacks;
use super::bitboard::Bitboard;
use super::movegen::{PieceMoves, Safety};
use super::position::{Move, Position};
use crate::types::{Color, Role};

/// How many moves the pieces of the side that does not move, its king apart, would have if it were its turn and nobody
/// minded the king; and on which squares it makes a difference to that whether a piece of the side to move stands there.
/// A move without a capture between two other squares leaves the number as it is.
struct Replies {
    pawns: u32,
    pawns_depend_on: Bitboard,
    /// Wherever a knight goes, it goes whether it captures or not.
    knights: u32,
    sliders: u32,
    sliders_depend_on: Bitboard,
}

impl Position {
    /// The number of move sequences of this length, by which move generators are compared. Ends by draw are ignored.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_legal(),
            2 => self.count_replies(),
            _ => {
                let mut leaves = 0;
                self.for_each_successor(|_, next| leaves += next.perft(depth - 1));
                leaves
            }
        }
    }

    /// `perft(2)`: most moves of one side leave the other side's mobility as it was.
    fn count_replies(&self) -> u64 {
        let replies = self.replies();
        let theirs = self.by_color(self.side_to_move().other());
        let mut leaves = 0;
        self.for_each_successor(|Move { from, to }, next| {
            leaves += if theirs.has(to) {
                next.count_legal()
            } else {
                next.count_knowing(&replies, Bitboard::of(from) | Bitboard::of(to))
            };
        });
        leaves
    }

    /// Calls `visit` with every legal move and the position after it.
    fn for_each_successor(&self, mut visit: impl FnMut(Move, &Self)) {
        self.for_each_legal(|PieceMoves { role, from, to: targets }| {
            for to in targets {
                let turn = Move { from, to };
                visit(turn, &self.after_legal(role, turn));
            }
        });
    }

    /// How many legal moves there are, without telling them apart.
    pub fn count_legal(&self) -> u64 {
        let safety = self.safety();
        u64::from(self.king_moves(&safety) + self.other_moves(&safety))
    }

    fn king_moves(&self, safety: &Safety) -> u32 {
        let ours = self.by_color(self.side_to_move());
        (attacks::king(safety.king) & !ours & !safety.attacked).count()
    }

    fn other_moves(&self, safety: &Safety) -> u32 {
        if safety.targets.is_empty() {
            return 0;
        }
        let free = self.mobility(self.side_to_move(), !safety.pinned, safety.targets);
        safety.pinned.into_iter().fold(free, |count, from| match self.role_at(from) {
            Some(role) => count + self.legal_to(role, from, safety).count(),
            None => count,
        })
    }

    /// How many moves the `movable` pieces of a side, its king apart, have to these targets when nobody minds the king.
    fn mobility(&self, us: Color, movable: Bitboard, targets: Bitboard) -> u32 {
        self.pawn_mobility(us, movable, targets)
            + self.knight_mobility(us, movable, targets)
            + self.slider_mobility(us, movable, targets)
    }

    fn pawn_mobility(&self, us: Color, movable: Bitboard, targets: Bitboard) -> u32 {
        let pawns = self.pieces(us, Role::Pawn) & movable;
        let steps = attacks::all_pawn_steps(us, pawns) & targets & !self.occupied();
        let victims = targets & self.by_color(us.other());
        attacks::pawn_captures_by_direction(us, pawns)
            .into_iter()
            .fold(steps.count(), |count, captures| count + (captures & victims).count())
    }

    fn knight_mobility(&self, us: Color, movable: Bitboard, targets: Bitboard) -> u32 {
        let allowed = targets & !self.by_color(us);
        let knights = self.pieces(us, Role::Knight) & movable;
        knights.into_iter().map(|from| (attacks::knight(from) & allowed).count()).sum()
    }

    fn slider_mobility(&self, us: Color, movable: Bitboard, targets: Bitboard) -> u32 {
        let allowed = targets & !self.by_color(us);
        let mut count = 0;
        self.for_each_slider(us, movable, self.occupied(), |_, reached| {
            count += (reached & allowed).count()
        });
        count
    }

    /// What the side that does not move could do now.
    fn replies(&self) -> Replies {
        let them = self.side_to_move().other();
        let pawns = self.pieces(them, Role::Pawn);
        let steps = attacks::all_pawn_steps(them, pawns);
        let captures = attacks::pawn_captures_by_direction(them, pawns);
        let mut slides = Bitboard::EMPTY;
        // A leap to another board is possible whether it captures or not.
        self.for_each_slider(them, Bitboard::ALL, self.occupied(), |from, reached| {
            slides |= reached & Bitboard::board_of(from);
        });
        Replies {
            pawns: self.pawn_mobility(them, Bitboard::ALL, Bitboard::ALL),
            pawns_depend_on: captures.into_iter().fold(steps, |all, captures| all | captures),
            knights: self.knight_mobility(them, Bitboard::ALL, Bitboard::ALL),
            sliders: self.slider_mobility(them, Bitboard::ALL, Bitboard::ALL),
            sliders_depend_on: slides,
        }
    }

    /// How many legal moves there are after a move without a capture, by what was known before it.
    fn count_knowing(&self, replies: &Replies, changed: Bitboard) -> u64 {
        let us = self.side_to_move();
        let safety = self.safety();
        let others = if safety.targets == Bitboard::ALL && safety.pinned.is_empty() {
            let pawns = if replies.pawns_depend_on.meets(changed) {
                self.pawn_mobility(us, Bitboard::ALL, Bitboard::ALL)
            } else {
                replies.pawns
            };
            let sliders = if replies.sliders_depend_on.meets(changed) {
                self.slider_mobility(us, Bitboard::ALL, Bitboard::ALL)
            } else {
                replies.sliders
            };
            pawns + replies.knights + sliders
        } else {
            self.other_moves(&safety)
        };
        u64::from(self.king_moves(&safety) + others)
    }
}
