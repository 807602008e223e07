//! Legal moves.
//!
//! Only slides inside one board can be blocked, so an attacker on another board must be captured or fled from, and a
//! piece is pinned only by a slider on its king's own board.

use super::attacks;
use super::bitboard::Bitboard;
use super::position::{Move, Position};
use super::square::Square;
use crate::error::TurnError;
use crate::types::{Color, Role};

/// The legal moves of one piece; never none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceMoves {
    /// What moves.
    pub role: Role,
    /// From where.
    pub from: Square,
    /// To each of these squares.
    pub to: Bitboard,
}

/// What the safety of the king asks of every move.
struct Safety {
    king: Square,
    /// Where a piece other than the king may go: anywhere without check; with one checker onto it or between it and
    /// the king; nowhere with several.
    targets: Bitboard,
    /// Our pieces that may only move along the line through themselves and the king.
    pinned: Bitboard,
    /// Where the king may not go.
    attacked: Bitboard,
}

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
    /// Calls `visit` once for each piece that has a legal move.
    pub fn for_each_legal(&self, mut visit: impl FnMut(PieceMoves)) {
        let safety = self.safety();
        for role in Role::ALL {
            for from in self.pieces(self.side_to_move(), role) {
                let to = self.legal_to(role, from, &safety);
                if !to.is_empty() {
                    visit(PieceMoves { role, from, to });
                }
            }
        }
    }

    /// Every legal move.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        self.for_each_legal(|PieceMoves { from, to: targets, .. }| {
            moves.extend(targets.into_iter().map(|to| Move { from, to }));
        });
        moves
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
        self.for_each_slider(us, movable, |_, reached| count += (reached & allowed).count());
        count
    }

    /// Calls `visit` with each of a side's `movable` bishops, rooks and queens and where it reaches, blockers included.
    fn for_each_slider(
        &self,
        us: Color,
        movable: Bitboard,
        mut visit: impl FnMut(Square, Bitboard),
    ) {
        let occupied = self.occupied();
        for from in self.pieces(us, Role::Bishop) & movable {
            visit(from, attacks::bishop(from, occupied));
        }
        for from in self.pieces(us, Role::Rook) & movable {
            visit(from, attacks::rook(from, occupied));
        }
        for from in self.pieces(us, Role::Queen) & movable {
            visit(from, attacks::queen(from, occupied));
        }
    }

    /// What the side that does not move could do now.
    fn replies(&self) -> Replies {
        let them = self.side_to_move().other();
        let pawns = self.pieces(them, Role::Pawn);
        let steps = attacks::all_pawn_steps(them, pawns);
        let captures = attacks::pawn_captures_by_direction(them, pawns);
        let mut slides = Bitboard::EMPTY;
        // A leap to another board is possible whether it captures or not.
        self.for_each_slider(them, Bitboard::ALL, |from, reached| {
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

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        let safety = self.safety();
        let mut ours = self.by_color(self.side_to_move()).into_iter();
        ours.any(|from| {
            self.role_at(from).is_some_and(|role| !self.legal_to(role, from, &safety).is_empty())
        })
    }

    /// The position after a legal move.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn after(&self, turn: Move) -> Result<Self, TurnError> {
        let role = self.check_legal(turn)?;
        let mut next = *self;
        next.make(role, turn);
        Ok(next)
    }

    /// The role of the piece that a legal move moves.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn check_legal(&self, Move { from, to }: Move) -> Result<Role, TurnError> {
        let ours = self.by_color(self.side_to_move());
        let role = match self.role_at(from) {
            Some(role) if ours.has(from) => role,
            Some(_) | None => return Err(TurnError::NoPiece { square: from.for_people() }),
        };
        if !self.pseudo_legal_to(role, from).has(to) {
            let (from, to) = (from.for_people(), to.for_people());
            return Err(TurnError::CannotMove { role, from, to });
        }
        if !self.legal_to(role, from, &self.safety()).has(to) {
            return Err(TurnError::KingAttacked);
        }
        Ok(role)
    }

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
                let mut next = *self;
                next.make(role, Move { from, to });
                visit(Move { from, to }, &next);
            }
        });
    }

    /// Where a piece of the side to move goes when nobody minds the king.
    fn pseudo_legal_to(&self, role: Role, from: Square) -> Bitboard {
        let us = self.side_to_move();
        let occupied = self.occupied();
        let reached = match role {
            Role::Pawn => {
                let steps = attacks::pawn_step(us, from) & !occupied;
                let captures = attacks::pawn_captures(us, from) & self.by_color(us.other());
                steps | captures
            }
            Role::Knight => attacks::knight(from),
            Role::Bishop => attacks::bishop(from, occupied),
            Role::Rook => attacks::rook(from, occupied),
            Role::Queen => attacks::queen(from, occupied),
            Role::King => attacks::king(from),
        };
        // The enemy king is never attacked by the side to move, so it needs no exception.
        reached & !self.by_color(us)
    }

    fn legal_to(&self, role: Role, from: Square, safety: &Safety) -> Bitboard {
        let reached = self.pseudo_legal_to(role, from);
        match role {
            Role::King => reached & !safety.attacked,
            Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
                let line = if safety.pinned.has(from) {
                    attacks::line(safety.king, from)
                } else {
                    Bitboard::ALL
                };
                reached & safety.targets & line
            }
        }
    }

    fn safety(&self) -> Safety {
        let us = self.side_to_move();
        let them = us.other();
        let king = self.king(us);
        let occupied = self.occupied();
        // The king does not hide the squares behind it from a slider that attacks it.
        let attacked = self.attacked(them, occupied & !Bitboard::of(king));

        let queens = self.pieces(them, Role::Queen);
        let mut checkers = Bitboard::EMPTY;
        if attacked.has(king) {
            checkers = attacks::pawn_captures(us, king) & self.pieces(them, Role::Pawn)
                | attacks::knight(king) & self.pieces(them, Role::Knight)
                | attacks::bishop(king, occupied) & self.pieces(them, Role::Bishop)
                | attacks::rook(king, occupied) & self.pieces(them, Role::Rook)
                | attacks::queen(king, occupied) & queens;
        }

        let snipers = attacks::rook_lines(king) & (self.pieces(them, Role::Rook) | queens)
            | attacks::bishop_lines(king) & (self.pieces(them, Role::Bishop) | queens);
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if !blockers.has_several() {
                pinned |= blockers & self.by_color(us);
            }
        }

        let targets = match checkers.first() {
            None => Bitboard::ALL,
            Some(_) if checkers.has_several() => Bitboard::EMPTY,
            Some(checker) => checkers | attacks::between(king, checker),
        };
        Safety { king, targets, pinned, attacked }
    }
}
