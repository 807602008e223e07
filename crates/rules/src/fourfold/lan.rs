//! LAN4D, the notation of records: `Ra1@00-a1@01`, `c3@11xd2@11`, `d2@11xc1@11=Q+`.

use super::position::{Move, Position};
use super::square::Square;
use crate::error::{LanError, LanMark};
use crate::lan;
use crate::types::{Marks, Role};

/// A move in LAN, taken apart but not yet compared with a position.
struct Parts {
    role: Role,
    turn: Move,
    capture: bool,
    promotion: bool,
    /// `+`, `#` or nothing.
    check: &'static str,
}

impl Position {
    /// A legal move in LAN4D.
    pub fn lan(&self, role: Role, turn: Move) -> String {
        let parts = self.parts(role, turn);
        let way = lan::write_way(role, turn.from, turn.to, parts.capture);
        let promotion = if parts.promotion { "=Q" } else { "" };
        format!("{way}{promotion}{}", parts.check)
    }

    /// Reads a legal move in LAN4D, with squares in any spelling.
    ///
    /// # Errors
    /// If it is not LAN, not legal, or if one of its marks is wrong.
    pub fn parse_lan(&self, text: &str, marks: Marks) -> Result<Move, LanError> {
        let read = parse(text).ok_or_else(|| LanError::Malformed(text.to_owned()))?;
        let role = self.check_legal(read.turn)?;
        let right = self.parts(role, read.turn);
        let may_lack = marks == Marks::Optional;
        let wrong = if read.role != right.role {
            LanMark::Piece
        } else if read.capture != right.capture {
            LanMark::Capture
        } else if read.promotion != right.promotion && (read.promotion || !may_lack) {
            LanMark::Promotion
        } else if read.check != right.check && !(read.check.is_empty() && may_lack) {
            LanMark::Check
        } else {
            return Ok(read.turn);
        };
        let expected = self.lan(role, read.turn);
        Err(LanError::Mark { found: text.to_owned(), mark: wrong, expected })
    }

    fn parts(&self, role: Role, turn: Move) -> Parts {
        let mut after = *self;
        after.make(role, turn);
        let check = match (after.in_check(), after.has_legal_move()) {
            (false, _) => "",
            (true, true) => "+",
            (true, false) => "#",
        };
        Parts {
            role,
            turn,
            capture: self.occupied().has(turn.to),
            promotion: role == Role::Pawn && after.by_role(Role::Queen).has(turn.to),
            check,
        }
    }
}

fn parse(text: &str) -> Option<Parts> {
    let (role, rest) = lan::role_prefix(text)?;
    let (from, rest) = Square::parse_prefix(rest)?;
    let (capture, rest) = lan::capture_prefix(rest)?;
    let (to, rest) = Square::parse_prefix(rest)?;
    let (promotion, rest) = match rest.strip_prefix("=Q") {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let check = match rest {
        "" => "",
        "+" => "+",
        "#" => "#",
        _ => return None,
    };
    Some(Parts { role, turn: Move { from, to }, capture, promotion, check })
}
