//! What the notations of both games have in common.

use std::fmt;

use crate::types::Role;

/// Writes all at once: moves are written by the dozen after each move.
pub(crate) fn write_ascii(f: &mut fmt::Formatter<'_>, text: &[u8]) -> fmt::Result {
    f.write_str(std::str::from_utf8(text).map_err(|_| fmt::Error)?)
}

/// Takes the letter of the piece off a move; pawns have none.
pub(crate) fn role_prefix(text: &str) -> Option<(Role, &str)> {
    match Role::from_letter(text.chars().next()?) {
        Some(Role::Pawn) => None,
        Some(role) => Some((role, &text[1..])),
        None => Some((Role::Pawn, text)),
    }
}

/// Takes `x` or `-` off, and tells whether it means a capture.
pub(crate) fn capture_prefix(text: &str) -> Option<(bool, &str)> {
    match text.strip_prefix('-') {
        Some(rest) => Some((false, rest)),
        None => Some((true, text.strip_prefix('x')?)),
    }
}

/// A piece and the way from one square to another, as both notations begin.
pub(crate) fn write_way(
    role: Role,
    from: impl std::fmt::Display,
    to: impl std::fmt::Display,
    capture: bool,
) -> String {
    let letter = if role == Role::Pawn { String::new() } else { role.letter().to_string() };
    format!("{letter}{from}{}{to}", if capture { 'x' } else { '-' })
}
