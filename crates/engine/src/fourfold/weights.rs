//! The weights of the evaluation: the table is what `examples/tune.rs` prints.

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
    w(90, 110), w(124, 110), w(153, 136), w(125, 132), w(422, 452),
    // Pawn: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, 0), w(-6, -32), w(70, 83), w(0, 0), w(0, 0), w(0, 0), w(46, 51), w(0, 0),
    w(2, 2), w(-11, -9), w(65, 84), w(2, 2), w(2, 2), w(2, 2), w(-9, 14), w(2, 2),
    // Knight: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(-23, -4), w(58, 22), w(-11, -11), w(13, 3), w(36, 13), w(-10, 16), w(35, 15), w(19, 15),
    w(-30, 25), w(22, -36), w(-58, 34), w(22, 6), w(17, 29), w(21, -16), w(22, -8), w(4, 0),
    // Bishop: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, -6), w(-2, 6), w(55, 34), w(-32, -12), w(8, 28), w(29, 21), w(-26, 34), w(21, 13),
    w(-24, 55), w(40, -6), w(13, -41), w(-23, -5), w(24, 21), w(1, 24), w(33, -30), w(-13, 8),
    // Rook: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(25, 30), w(26, 2), w(-37, 9), w(71, 32), w(-4, 70), w(2, 1), w(25, -30), w(7, 27),
    w(-26, 50), w(-9, -5), w(-45, -17), w(51, -13), w(81, 51), w(-9, -8), w(-28, -14), w(0, 2),
    // Queen: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(0, 59), w(3, 11), w(52, 46), w(45, 54), w(-13, 12), w(12, 0), w(8, 21), w(4, 32),
    w(85, 59), w(36, -39), w(-36, -42), w(-12, 14), w(45, 1), w(-44, -22), w(-65, -57), w(-35, 11),
    // King: ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.
    w(-13, -17), w(32, 5), w(55, 9), w(17, 66), w(-99, -56), w(18, 8), w(8, 13), w(-14, 26),
    w(88, 7), w(83, -8), w(-20, -6), w(-22, 9), w(-86, 13), w(8, 12), w(-8, -8), w(-18, 20),
    // Mobility: knight, bishop, rook, queen.
    w(8, -2), w(16, 2), w(2, -2), w(7, 17),
    // Attacks on the neighbors of the king: pawn, knight, bishop, rook, queen.
    w(15, 13), w(-9, -6), w(-17, -11), w(-16, -8), w(6, 0),
    // Attackers of the neighbors of the king, 0 to 7.
    w(58, 63), w(14, -40), w(-50, -89), w(-1, -59), w(-49, 40), w(-30, 62), w(6, 55), w(64, 51),
    // Squares to which the own king can go, 0 to 7.
    w(-23, -13), w(7, 11), w(-11, -28), w(-33, -31), w(-39, 42), w(-13, 0), w(7, -2), w(35, 8),
    // Neighbors of the king that it defends alone.
    w(11, 5),
    // Safe checks: knight, bishop, rook, queen.
    w(92, -19), w(43, -11), w(84, -5), w(64, 43),
    // A free pawn, ranks 1 to 3.
    w(0, 0), w(36, 12), w(55, 85),
    // A free pawn with a safe step, ranks 1 to 3.
    w(0, 0), w(-40, 107), w(100, 145),
    // Hanging, attacker not to move: pawn, knight, bishop, rook, queen.
    w(-9, 91), w(5, 2), w(13, 2), w(4, 40), w(4, 25),
    // Hanging, attacker to move.
    w(85, 106), w(45, 29), w(35, 20), w(23, 32), w(158, 115),
    // Attacked by a pawn, which is not to move: knight, bishop, rook, queen.
    w(-9, 22), w(-17, 21), w(-45, 43), w(72, 59),
    // Attacked by a pawn, which is to move.
    w(87, 64), w(87, 70), w(60, 77), w(145, 113),
    // A queen attacked by a lesser piece: which is not to move, which is.
    w(13, 9), w(129, 106),
    // A pair of bishops.
    w(8, 8),
    // To be the side to move.
    w(112, -10),
];
