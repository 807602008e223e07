//! Legal moves.
//!
//! Only slides inside one board can be blocked, so an attacker on another board must be captured or fled from, and a
//! piece is pinned only by a slider on its king's own board.

use super::attacks;
use super::bitboard::Bitboard;
use super::position::{Move, PROMOTION_RANKS, Position};
use super::square::Square;
use crate::turn_error::TurnError;
use crate::types::{Piece, Role};

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
pub(super) struct Safety {
    pub(super) king: Square,
    /// Where a piece other than the king may go: anywhere without check; with one checker onto it or between it and
    /// the king; nowhere with several.
    pub(super) targets: Bitboard,
    /// Our pieces that may only move along the line through themselves and the king.
    pub(super) pinned: Bitboard,
    /// Where the king may not go.
    pub(super) attacked: Bitboard,
}

impl Position {
    /// Calls `visit` once for each piece that has a legal move.
    pub fn for_each_legal(&self, visit: impl FnMut(PieceMoves)) {
        self.for_each_legal_to(Bitboard::ALL, Bitboard::ALL, visit);
    }

    /// Calls `visit` once for each piece that has a legal capture or promotion, with those moves alone.
    pub fn for_each_capture_or_promotion(&self, visit: impl FnMut(PieceMoves)) {
        let captures = self.by_color(self.side_to_move().other());
        self.for_each_legal_to(captures | PROMOTION_RANKS, captures, visit);
    }

    /// [`Position::for_each_legal`] for the moves of pawns to some squares, and of other pieces to others.
    fn for_each_legal_to(
        &self,
        of_pawns: Bitboard,
        of_others: Bitboard,
        mut visit: impl FnMut(PieceMoves),
    ) {
        let safety = self.safety();
        for role in Role::ALL {
            let wanted = if role == Role::Pawn { of_pawns } else { of_others };
            for from in self.pieces(self.side_to_move(), role) {
                let to = self.legal_to(role, from, &safety) & wanted;
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
        Ok(self.after_legal(role, turn))
    }

    /// The position after a legal move of a piece of this role, as [`Position::for_each_legal`] gives them. Of any other
    /// move there comes a position that no game has.
    pub fn after_legal(&self, role: Role, turn: Move) -> Self {
        let mut next = *self;
        next.make(role, turn);
        next
    }

    /// The position in which the other side is to move, as if a move could be passed; `None` in check. No game has
    /// this, but a search asks whether a side stands well even so.
    pub fn after_pass(&self) -> Option<Self> {
        (!self.in_check()).then(|| {
            let mut next = *self;
            next.pass();
            next
        })
    }

    /// The role of the piece that a legal move moves.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn check_legal(&self, Move { from, to }: Move) -> Result<Role, TurnError> {
        let square = || from.for_people();
        let role = match self.piece_at(from) {
            None => return Err(TurnError::EmptySquare { square: square() }),
            Some(Piece { color, role }) if color != self.side_to_move() => {
                return Err(TurnError::EnemyPiece { role, square: square() });
            }
            Some(Piece { role, .. }) => role,
        };
        if self.legal_to(role, from, &self.safety()).has(to) {
            Ok(role)
        } else {
            Err(self.why_not(role, Move { from, to }))
        }
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

    pub(super) fn legal_to(&self, role: Role, from: Square, safety: &Safety) -> Bitboard {
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

    pub(super) fn safety(&self) -> Safety {
        let us = self.side_to_move();
        let them = us.other();
        let king = self.king(us);
        let occupied = self.occupied();
        // The king does not hide the squares behind it from a slider that attacks it.
        let attacked = self.attacked(them, occupied & !Bitboard::of(king));

        let checkers =
            if attacked.has(king) { self.attackers(them, king) } else { Bitboard::EMPTY };

        let queens = self.pieces(them, Role::Queen);
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
