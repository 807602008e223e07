//! The weights of the evaluation.

use super::evaluation::term;

/// What a term is worth in hundredths of a pawn, while both armies are complete and when only pawns are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(pub i16, pub i16);

const fn w(early: i16, late: i16) -> Weight {
    Weight(early, late)
}

/// By term.
#[rustfmt::skip]
pub const WEIGHTS: [Weight; term::COUNT] = [
    // Material: pawn, knight, bishop, rook, queen.
    w(100, 120), w(250, 250), w(250, 250), w(250, 280), w(900, 950),
    // Pawn: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, 0), w(0, 0), w(40, 40), w(0, 0), w(0, 0), w(0, 0), w(40, 40), w(0, 0),
    w(5, 5), w(5, 5), w(45, 45), w(5, 5), w(5, 5), w(5, 5), w(45, 45), w(5, 5),
    // Knight: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, 0), w(5, 5), w(5, 5), w(0, 0), w(0, 0), w(5, 5), w(5, 5), w(0, 0),
    w(5, 5), w(10, 10), w(10, 10), w(5, 5), w(5, 5), w(10, 10), w(10, 10), w(5, 5),
    // Bishop: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, 0), w(5, 5), w(5, 5), w(0, 0), w(0, 0), w(5, 5), w(5, 5), w(0, 0),
    w(5, 5), w(10, 10), w(10, 10), w(5, 5), w(5, 5), w(10, 10), w(10, 10), w(5, 5),
    // Rook: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, 0), w(5, 5), w(5, 5), w(0, 0), w(0, 0), w(5, 5), w(5, 5), w(0, 0),
    w(5, 5), w(10, 10), w(10, 10), w(5, 5), w(5, 5), w(10, 10), w(10, 10), w(5, 5),
    // Queen: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, 0), w(5, 5), w(5, 5), w(0, 0), w(0, 0), w(5, 5), w(5, 5), w(0, 0),
    w(5, 5), w(10, 10), w(10, 10), w(5, 5), w(5, 5), w(10, 10), w(10, 10), w(5, 5),
    // King: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, 0), w(-8, 5), w(-16, 5), w(-24, 0), w(-10, 0), w(-18, 5), w(-26, 5), w(-34, 0),
    w(0, 5), w(-8, 10), w(-16, 10), w(-24, 5), w(-10, 5), w(-18, 10), w(-26, 10), w(-34, 5),
    // Mobility: knight, bishop, rook, queen.
    w(4, 4), w(4, 4), w(4, 5), w(2, 4),
    // Attacks on the neighbors of the king: pawn, knight, bishop, rook, queen.
    w(4, 0), w(4, 0), w(4, 0), w(4, 0), w(4, 0),
    // Attackers of the neighbors of the king, 0 to 7.
    w(0, 0), w(0, 0), w(5, 0), w(10, 0), w(15, 5), w(25, 5), w(35, 5), w(45, 5),
    // Squares to which the own king can go, 0 to 7.
    w(-40, -40), w(-20, -20), w(-10, -10), w(-5, -5), w(0, 0), w(0, 0), w(0, 0), w(0, 0),
    // Neighbors of the king that it defends alone.
    w(6, 2),
    // Safe checks: knight, bishop, rook, queen.
    w(10, 5), w(10, 5), w(10, 5), w(10, 5),
    // A free pawn, ranks 1 to 3.
    w(0, 0), w(5, 10), w(15, 30),
    // A free pawn with a safe step, ranks 1 to 3.
    w(0, 0), w(10, 20), w(80, 120),
    // Hanging, attacker not to move: pawn, knight, bishop, rook, queen.
    w(10, 10), w(25, 25), w(25, 25), w(25, 25), w(40, 40),
    // Hanging, attacker to move.
    w(40, 40), w(100, 100), w(100, 100), w(100, 100), w(200, 200),
    // Attacked by a pawn, which is not to move: knight, bishop, rook, queen.
    w(20, 20), w(20, 20), w(20, 20), w(40, 40),
    // Attacked by a pawn, which is to move.
    w(60, 60), w(60, 60), w(60, 60), w(150, 150),
    // A queen attacked by a lesser piece: which is not to move, which is.
    w(20, 20), w(100, 100),
    // A pair of bishops.
    w(20, 20),
    // To be the side to move.
    w(20, 20),
];
