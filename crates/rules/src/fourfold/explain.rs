//! Why a move is not legal, in the words of the rules.

use super::attacks;
use super::position::{Move, Position};
use super::square::Square;
use crate::turn_error::{Changes, TurnError};
use crate::types::{Color, Role};

impl Position {
    /// Why a move of this piece of the side to move, which is not legal, is not.
    pub(super) fn why_not(&self, role: Role, turn: Move) -> TurnError {
        let Move { from, to } = turn;
        if from == to {
            return TurnError::SameSquare { role, square: from.for_people() };
        }
        let changes = changes(from, to);
        let wrong_shape = match role {
            Role::Pawn => self.why_no_pawn_move(changes, to),
            Role::Knight => {
                (!attacks::knight(from).has(to)).then_some(TurnError::KnightShape { changes })
            }
            Role::Bishop => match changes.iter().count() {
                2 => unequal(role, changes),
                _ => Some(TurnError::BishopShape { changes }),
            },
            Role::Rook => match changes.iter().count() {
                1 => None,
                _ => Some(TurnError::RookShape { changes }),
            },
            Role::Queen => unequal(role, changes),
            Role::King => {
                (!attacks::king(from).has(to)).then_some(TurnError::KingShape { changes })
            }
        };
        let own_piece = || {
            let role = self.role_at(to).filter(|_| self.by_color(self.side_to_move()).has(to))?;
            Some(TurnError::OwnPiece { role, square: to.for_people() })
        };
        wrong_shape
            .or_else(|| self.why_blocked(from, to))
            .or_else(own_piece)
            .unwrap_or_else(|| self.why_attacked(role, turn))
    }

    fn why_no_pawn_move(&self, changes: Changes, to: Square) -> Option<TurnError> {
        let us = self.side_to_move();
        let (forward, rank) = match us {
            Color::White => (1, 4),
            Color::Black => (-1, 1),
        };
        let [x, y, z, w] = changes.0;
        let square = to.for_people();
        let there = self.piece_at(to);
        if y != forward {
            return Some(TurnError::PawnDirection { color: us, rank });
        }
        match [x, z, w].map(i8::abs).iter().sum() {
            0 => there.map(|piece| TurnError::PawnStepBlocked { role: piece.role, square }),
            1 if there.is_none() => Some(TurnError::PawnCaptureEmpty { square }),
            1 => None,
            _ => Some(TurnError::PawnShape { changes }),
        }
    }

    fn why_blocked(&self, from: Square, to: Square) -> Option<TurnError> {
        let between = attacks::between(from, to) & self.occupied();
        // A board has four ranks and files: of two squares between, the nearer one is named.
        let nearest =
            between.into_iter().min_by_key(|square| square.index().abs_diff(from.index()))?;
        let role = self.role_at(nearest)?;
        Some(TurnError::Blocked { role, square: nearest.for_people() })
    }

    /// Nothing else is wrong with the move: the king could be captured afterwards.
    fn why_attacked(&self, role: Role, turn: Move) -> TurnError {
        let us = self.side_to_move();
        let before = self.attackers(us.other(), self.king(us));
        let mut after = *self;
        after.make(role, turn);
        let attackers = after.attackers(us.other(), after.king(us));
        let still = attackers & before;
        let (attacker, from) = (if still.is_empty() { attackers } else { still })
            .first()
            .and_then(|square| Some((after.role_at(square)?, square.for_people())))
            .expect("nothing else is wrong with the move");
        if role == Role::King {
            TurnError::KingWouldBeAttacked { square: turn.to.for_people(), attacker, from }
        } else if still.is_empty() {
            TurnError::Pinned { role, square: turn.from.for_people(), attacker, from }
        } else {
            TurnError::StillInCheck { attacker, from }
        }
    }
}

fn unequal(role: Role, changes: Changes) -> Option<TurnError> {
    let mut distances = changes.iter().map(|(_, by)| by.abs());
    let first = distances.next();
    (!distances.all(|other| Some(other) == first))
        .then_some(TurnError::UnequalDistances { role, changes })
}

fn changes(from: Square, to: Square) -> Changes {
    let coordinates = |square: Square| [square.x(), square.y(), square.z(), square.w()];
    let (from, to) = (coordinates(from), coordinates(to));
    Changes(std::array::from_fn(|axis| to[axis] as i8 - from[axis] as i8))
}
