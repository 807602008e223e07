//! Why a move is not legal, in the words of the rules.

use super::attacks;
use super::position::{CASTLINGS, Castling, Position, last_rank};
use super::square::{Level, Square, places};
use crate::turn_error::TurnError;
use crate::types::{Color, Role};

impl Position {
    /// Why a piece of the side to move, which does not reach a square, does not.
    pub(super) fn why_not(&self, role: Role, from: Square, to: Square) -> TurnError {
        let own_piece = || {
            let role = self.role_at(to)?;
            let ours = self.by_color(self.side_to_move(), to.level) & to.bit() != 0;
            ours.then(|| TurnError::OwnPiece { role, square: to.to_string() })
        };
        if from == to {
            TurnError::SameSquare { role, square: from.to_string() }
        } else if from.level != to.level {
            self.why_no_change_of_level(role, from, to)
        } else if from.level == Level::Second {
            let captures = || {
                let role = self.role_at(to)?;
                Some(TurnError::NoCaptureOnLevel2 { role, square: to.to_string() })
            };
            self.why_no_line(Role::Queen, from, to, TurnError::QueenLineOnLevel2)
                .or_else(own_piece)
                .or_else(captures)
                .unwrap_or(TurnError::QueenLineOnLevel2)
        } else {
            let castling = || self.why_no_castling(role, from, to);
            let shape = wrong_shape(role, self.side_to_move());
            castling()
                .or_else(|| match role {
                    Role::Pawn => self.why_no_pawn_move(from, to),
                    Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                        self.why_no_line(role, from, to, shape.clone())
                    }
                })
                .or_else(own_piece)
                .unwrap_or(shape)
        }
    }

    fn why_no_change_of_level(&self, role: Role, from: Square, to: Square) -> TurnError {
        if role == Role::King {
            TurnError::KingLevel
        } else if !from.level.neighbors().contains(&to.level) {
            TurnError::LevelDistance
        } else {
            match self.role_at(to) {
                Some(role) if from.place() == to.place() => {
                    TurnError::LevelBlocked { role, square: to.to_string() }
                }
                Some(_) | None => TurnError::LevelAslant,
            }
        }
    }

    /// Whether the piece does not move like that, or what is in its way.
    fn why_no_line(
        &self,
        role: Role,
        from: Square,
        to: Square,
        shape: TurnError,
    ) -> Option<TurnError> {
        let reached = |occupied| attacks::chess(self.side_to_move(), role, from.place(), occupied);
        if reached(0) & to.bit() == 0 {
            return Some(shape);
        }
        // What is reached and occupied is the nearest piece of each direction.
        let occupied = self.occupied(from.level);
        let blocker = places(reached(occupied) & occupied)
            .map(|place| Square::new(from.level, place))
            .find(|blocker| blocker.is_between(from, to))?;
        let role = self.role_at(blocker)?;
        Some(TurnError::Blocked { role, square: blocker.to_string() })
    }

    fn why_no_pawn_move(&self, from: Square, to: Square) -> Option<TurnError> {
        let us = self.side_to_move();
        let forward: i16 = match us {
            Color::White => 8,
            Color::Black => -8,
        };
        let second_rank = last_rank(us.other()).abs_diff(1);
        let ahead = to.place() as i16 - from.place() as i16;
        if attacks::pawn_captures(us, from.place()) & to.bit() != 0 {
            return self
                .role_at(to)
                .is_none()
                .then(|| TurnError::PawnCaptureEmpty { square: to.to_string() });
        }
        if ahead != forward && ahead != 2 * forward {
            return Some(wrong_shape(Role::Pawn, us));
        }
        if ahead == 2 * forward && from.rank() != second_rank {
            return Some(TurnError::DoubleStep { rank: second_rank + 1 });
        }
        let passed = Square::new(from.level, (from.place() as i16 + forward) as u8);
        [passed, to].into_iter().find_map(|square| {
            let role = self.role_at(square)?;
            Some(TurnError::PawnStepBlocked { role, square: square.to_string() })
        })
    }

    /// Why the king may not castle, if that is what the move looks like.
    fn why_no_castling(&self, role: Role, from: Square, to: Square) -> Option<TurnError> {
        let looks_like = |castling: &&Castling| {
            castling.color == self.side_to_move()
                && from == Square::new(castling.level, castling.king.0)
                && to == Square::new(castling.level, castling.king.1)
        };
        let (bit, Castling { level, empty, safe, .. }) = CASTLINGS
            .iter()
            .enumerate()
            .find(|(_, castling)| role == Role::King && looks_like(castling))?;
        if self.rights() & 1 << bit == 0 {
            return Some(TurnError::CastlingGone { level: level.number() });
        }
        let occupied = self.occupied(*level);
        if let Some(place) = places(occupied & empty).next() {
            let square = Square::new(*level, place);
            let role = self.role_at(square)?;
            return Some(TurnError::CastlingBlocked { role, square: square.to_string() });
        }
        let them = self.side_to_move().other();
        Role::ALL.into_iter().find_map(|attacker| {
            places(self.pieces(them, attacker, *level)).find_map(|place| {
                let attacked = attacks::chess(them, attacker, usize::from(place), occupied) & safe;
                let square = Square::new(*level, places(attacked).next()?).to_string();
                let from = Square::new(*level, place).to_string();
                Some(TurnError::CastlingAttacked { square, attacker, from })
            })
        })
    }
}

/// How a piece moves on levels 1 and 3.
fn wrong_shape(role: Role, us: Color) -> TurnError {
    match role {
        Role::Pawn => TurnError::PawnMove { color: us, rank: last_rank(us) + 1 },
        Role::Knight => TurnError::KnightMove,
        Role::Bishop => TurnError::BishopMove,
        Role::Rook => TurnError::RookMove,
        Role::Queen => TurnError::QueenMove,
        Role::King => TurnError::KingMove,
    }
}
