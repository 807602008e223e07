//! Static exchange: what a capture is worth when both sides go on capturing on the same square while it pays.

use manifold_rules::fourfold::{Bitboard, Move, Position};
use manifold_rules::{Color, Role};

use crate::score::Value;

/// What a role is worth in an exchange: its tuned material and usual mobility, rounded. Pawns are strong, as two steps
/// make a queen of them. The king is worth more than everything else together, as its loss ends the exchange.
pub(super) const fn worth(role: Role) -> Value {
    match role {
        Role::Pawn => 100,
        Role::Knight => 170,
        Role::Bishop => 200,
        Role::Rook => 170,
        Role::Queen => 650,
        Role::King => 20_000,
    }
}

/// What the side to move gains by a move of its `role`, or loses, in hundredths of a pawn.
pub(super) fn exchange(position: &Position, role: Role, turn: Move) -> Value {
    let mut gains = [0; 32];
    let mut occupied = position.occupied() & !Bitboard::of(turn.from);
    let promotes = role == Role::Pawn && matches!(turn.to.y(), 0 | 3);
    let (becomes, gain) =
        if promotes { (Role::Queen, worth(Role::Queen) - worth(Role::Pawn)) } else { (role, 0) };
    gains[0] = gain + position.role_at(turn.to).map_or(0, worth);

    let mut at_risk = worth(becomes);
    let mut side = position.side_to_move().other();
    let mut depth = 0;
    // Only sliders change what attacks a square when a piece before them goes, and only within its board.
    let mut attackers = position.attackers_among(turn.to, occupied) & occupied;
    while depth + 1 < gains.len() {
        let Some((attacker, from)) = least(position, side, attackers) else { break };
        occupied &= !from;
        attackers = position.attackers_among(turn.to, occupied) & occupied;
        if attacker == Role::King && attackers.meets(position.by_color(side.other())) {
            // A king may not capture what is defended.
            break;
        }
        depth += 1;
        gains[depth] = at_risk - gains[depth - 1];
        at_risk = worth(attacker);
        side = side.other();
    }
    // Each side may stop capturing where going on would cost it something.
    for depth in (1..=depth).rev() {
        gains[depth - 1] = -Value::max(-gains[depth - 1], gains[depth]);
    }
    gains[0]
}

/// A side's least valuable piece among some.
fn least(position: &Position, side: Color, among: Bitboard) -> Option<(Role, Bitboard)> {
    const CHEAPEST_FIRST: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];
    CHEAPEST_FIRST.into_iter().find_map(|role| {
        let square = (position.pieces(side, role) & among).first()?;
        Some((role, Bitboard::of(square)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(fen: &str, turn: &str, expected: Value) {
        let position: Position = fen.parse().unwrap();
        let turn: Move = turn.parse().unwrap();
        let role = position.check_legal(turn).unwrap();
        assert_eq!(exchange(&position, role, turn), expected, "{turn} in {fen}");
    }

    #[test]
    fn exchanges_are_played_out_while_they_pay() {
        let rook = worth(Role::Rook);
        let queen = worth(Role::Queen);
        // A hanging rook.
        check("3K/4/4/4|4/4/4/4|4/4/4/r2R|k3/4/4/4 w 0 1", "d1@01a1@01", rook);
        // Defended along Z by another rook.
        check("3K/4/4/4|4/4/4/4|4/4/4/r2R|k3/4/4/r3 w 0 1", "d1@01a1@01", 0);
        // The queen captures what a pawn defends through W.
        check("4/4/4/Q3|4/p3/4/3K|4/4/r3/4|3k/4/4/4 w 0 1", "a1@00a2@01", rook);
        check("4/1p2/4/Q3|4/4/4/3K|4/4/r3/4|3k/4/4/4 w 0 1", "a1@00a2@01", rook);
        check("4/p3/4/Q3|4/4/4/3K|4/4/r3/4|3k/4/4/4 w 0 1", "a1@00a2@01", rook - queen);
        // Rook behind rook on a file: what stands behind comes into play.
        check("4/4/4/K3|4/4/4/4|r3/r3/R3/R3|3k/4/4/4 w 0 1", "a2@01a3@01", rook);
        // A king does not capture what is defended.
        check("4/4/4/K3|4/4/4/4|r1RR/4/4/4|k3/4/4/4 w 0 1", "c4@01a4@01", rook);
    }

    #[test]
    fn a_promotion_gains_a_queen_unless_it_is_captured() {
        let queen = worth(Role::Queen);
        let pawn = worth(Role::Pawn);
        check("4/4/4/K3|4/4/4/4|4/3P/4/4|k3/4/4/4 w 0 1", "d3@01d4@01", queen - pawn);
        check("4/4/4/K3|4/4/4/4|r3/3P/4/4|k3/4/4/4 w 0 1", "d3@01d4@01", -pawn);
    }
}
