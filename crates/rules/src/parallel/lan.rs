//! The notation of records: `e2@1-e4@1,Ng1@3-f3@3`, `O-O@1`, `a7@1-a8@1=Q`, `Qd1@1xe8@1#`.

use super::position::{CASTLINGS, Castling, Position, Wing};
use super::square::Square;
use super::turn::{MAX_MOVES, PROMOTIONS, PartialTurn, Single, Turn};
use crate::error::{LanError, LanMark};
use crate::lan;
use crate::turn_error::TurnError;
use crate::types::Role;

/// A move, taken apart but not yet compared with a position.
struct Parts {
    role: Role,
    single: Single,
    capture: bool,
    /// `#`: the game is over.
    king_captured: bool,
    castling: Option<Wing>,
}

impl Position {
    /// A legal turn in the notation of records.
    ///
    /// # Errors
    /// Why the turn is not legal.
    pub fn lan(&self, turn: Turn) -> Result<String, TurnError> {
        let mut partial = PartialTurn::new(self);
        let mut moves = Vec::with_capacity(MAX_MOVES);
        for single in turn.moves() {
            let role = partial.check(single)?;
            let before = *partial.board();
            partial.play(single)?;
            moves.push(parts(&before, role, single, partial.board()).to_string());
        }
        Ok(moves.join(","))
    }

    /// Reads a legal turn in the notation of records.
    ///
    /// # Errors
    /// If it is not in that notation, not legal, or if one of its marks is wrong.
    pub fn parse_lan(&self, text: &str) -> Result<Turn, LanError> {
        let malformed = || LanError::Malformed(text.to_owned());
        let mut partial = PartialTurn::new(self);
        let mut moves = Vec::with_capacity(MAX_MOVES);
        for part in text.split(',').take(MAX_MOVES + 1) {
            let read = parse(part, self).ok_or_else(malformed)?;
            let role = partial.check(read.single)?;
            let before = *partial.board();
            partial.play(read.single)?;
            let right = parts(&before, role, read.single, partial.board());
            let wrong = if read.role != right.role || read.castling != right.castling {
                LanMark::Piece
            } else if read.capture != right.capture {
                LanMark::Capture
            } else if read.king_captured != right.king_captured {
                LanMark::Check
            } else {
                moves.push(read.single);
                continue;
            };
            return Err(LanError::Mark {
                found: part.to_owned(),
                mark: wrong,
                expected: right.to_string(),
            });
        }
        Turn::new(&moves).ok_or_else(malformed)
    }
}

fn parts(before: &Position, role: Role, single: Single, after: &Position) -> Parts {
    let pieces = |position: &Position| {
        super::square::Level::ALL
            .map(|level| position.occupied(level).count_ones())
            .iter()
            .sum::<u32>()
    };
    Parts {
        role,
        single,
        capture: pieces(after) < pieces(before),
        king_captured: after.lacks_a_king(),
        castling: before.castling_of(role, single).map(|castling| castling.wing),
    }
}

impl std::fmt::Display for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Single { from, to, promotion } = self.single;
        match self.castling {
            Some(Wing::King) => return write!(f, "O-O@{}", from.level.number()),
            Some(Wing::Queen) => return write!(f, "O-O-O@{}", from.level.number()),
            None => {}
        }
        f.write_str(&lan::write_way(self.role, from, to, self.capture))?;
        if let Some(role) = promotion {
            write!(f, "={}", role.letter())?;
        }
        f.write_str(if self.king_captured { "#" } else { "" })
    }
}

/// Takes a single move apart; whose king castles depends on the side to move.
fn parse(text: &str, position: &Position) -> Option<Parts> {
    for Castling { level, color, wing, king, .. } in &CASTLINGS {
        let single = Single {
            from: Square::new(*level, king.0),
            to: Square::new(*level, king.1),
            promotion: None,
        };
        let castling = Parts {
            role: Role::King,
            single,
            capture: false,
            king_captured: false,
            castling: Some(*wing),
        };
        if *color == position.side_to_move() && castling.to_string() == text {
            return Some(castling);
        }
    }
    let (role, rest) = lan::role_prefix(text)?;
    let (from, rest) = Square::parse_prefix(rest)?;
    let (capture, rest) = lan::capture_prefix(rest)?;
    let (to, rest) = Square::parse_prefix(rest)?;
    let (promotion, rest) = match rest.strip_prefix('=') {
        Some(rest) => {
            let role = Role::from_letter(rest.chars().next()?)?;
            (Some(PROMOTIONS.into_iter().find(|promotion| *promotion == role)?), &rest[1..])
        }
        None => (None, rest),
    };
    let king_captured = match rest {
        "" => false,
        "#" => true,
        _ => return None,
    };
    let single = Single { from, to, promotion };
    Some(Parts { role, single, capture, king_captured, castling: None })
}
