//! Which pieces attack a square, and which of them could not go there: what is told about a square that somebody looks at.

use crate::game::{Game, Turn};
use crate::position::Position;
use crate::turn_error::TurnError;
use crate::types::{Piece, Role};
use crate::{fourfold, parallel};

/// A piece that attacks a square, whoever is to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attacker {
    /// Where it stands, in wire form.
    pub square: String,
    /// What it is.
    pub piece: Piece,
    /// Whether its own king would stand attacked once it had gone there, so that it attacks and yet may not go: a pinned
    /// piece, one that does nothing against a check, or a king where the enemy guards the square. It is false for whoever
    /// guards a piece of its own, as it depends on what captures there first; and in Parallel Worlds, where a king may stand
    /// attacked.
    pub exposes_king: bool,
}

impl Game {
    /// Both sides' pieces that could capture on a square if an enemy stood there, in the order of the squares, after the
    /// first moves of a turn; `None` if the text is no square of this game. En passant is left out.
    ///
    /// # Errors
    /// If the first moves cannot be read or are not legal.
    pub fn attackers(
        &self,
        partial: &str,
        square: &str,
    ) -> Result<Option<Vec<Attacker>>, TurnError> {
        let turn = match partial {
            "" => None,
            made => Some(self.parse_turn(made)?),
        };
        let attackers = match (self.position(), turn) {
            (Position::Fourfold(position), None) => fourfold_attackers(position, square),
            (Position::Fourfold(position), Some(Turn::Fourfold(turn))) => {
                fourfold_attackers(&position.after(turn)?, square)
            }
            (Position::Parallel(position), None) => parallel_attackers(position, square),
            (Position::Parallel(position), Some(Turn::Parallel(turn))) => {
                let after = parallel::PartialTurn::after(position, turn)?;
                parallel_attackers(after.board(), square)
            }
            (Position::Fourfold(_), Some(Turn::Parallel(_)))
            | (Position::Parallel(_), Some(Turn::Fourfold(_))) => return Err(TurnError::OtherGame),
        };
        Ok(attackers)
    }
}

fn fourfold_attackers(position: &fourfold::Position, square: &str) -> Option<Vec<Attacker>> {
    use fourfold::{Bitboard, Square};
    let to: Square = square.parse().ok()?;
    let attackers = position.attackers_among(to, position.occupied());
    let told = attackers.into_iter().filter_map(|from| {
        let piece = position.piece_at(from)?;
        let enemies = position.by_color(piece.color.other()) & !Bitboard::of(to);
        let occupied = position.occupied() & !Bitboard::of(from) | Bitboard::of(to);
        let king = match piece.role {
            Role::King => to,
            Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => {
                position.king(piece.color)
            }
        };
        let exposes_king = !position.by_color(piece.color).has(to)
            && position.attackers_among(king, occupied).meets(enemies);
        Some(Attacker { square: from.to_string(), piece, exposes_king })
    });
    Some(told.collect())
}

/// Pieces of levels 1 and 3 attack on their own level, as in chess; on level 2 nothing captures.
fn parallel_attackers(position: &parallel::Position, square: &str) -> Option<Vec<Attacker>> {
    use parallel::{Level, Square, attacks};
    let to = Square::read(square)?;
    let level = match to.level {
        Level::First | Level::Third => to.level,
        Level::Second => return Some(Vec::new()),
    };
    let occupied = position.occupied(level);
    let told = (0..64).filter_map(|place| {
        let from = Square::new(level, place);
        let piece = position.piece_at(from)?;
        let reached = attacks::chess(piece.color, piece.role, from.place(), occupied);
        let attacker = Attacker { square: from.to_string(), piece, exposes_king: false };
        (reached & to.bit() != 0).then_some(attacker)
    });
    Some(told.collect())
}
