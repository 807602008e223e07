//! What a position of Parallel Worlds is worth, without looking ahead.
//!
//! On each of levels 1 and 3 a turn captures at most once, so that each is a chess board of its own as far as exchanges
//! go: what hangs there is told by who attacks and who defends. Nothing is captured on level 2, and everything moves
//! like a queen there; so a pawn is three turns from becoming a queen wherever it stands.

use manifold_rules::parallel::{Level, Position, attacks};
use manifold_rules::{Color, Role};

use super::kings;
use crate::score::Value;

/// The terms of the evaluation, by their place in [`Weights`].
pub mod term {
    /// Material: pawn, knight, bishop, rook, queen.
    pub const MATERIAL: usize = 0;
    /// A pawn on level 1 or 3, for each rank that it has advanced.
    pub const PAWN_RANK: usize = 5;
    /// A pawn on level 1 or 3 one step from promotion.
    pub const PAWN_BEFORE_LAST: usize = 6;
    /// A pawn on level 2.
    pub const PAWN_IN_TRANSIT: usize = 7;
    /// A pawn on level 2 that can go down or up to promote.
    pub const PAWN_READY: usize = 8;
    /// Another piece on level 2.
    pub const PIECE_IN_TRANSIT: usize = 9;
    /// Each square of levels 1 and 3 that a knight, bishop, rook or queen attacks.
    pub const MOBILITY: usize = 10;
    /// What the side to move can gain on each level by capturing, in hundredths.
    pub const GAIN_MOVER: usize = 11;
    /// What the other side could, in hundredths.
    pub const GAIN_OTHER: usize = 12;
    /// Each square beside an enemy king that is attacked.
    pub const KING_ZONE: usize = 13;
    /// Each piece on level 2 that would attack an enemy king after going down or up.
    pub const KING_ARRIVAL: usize = 14;
    /// An enemy king that can step nowhere without being attacked.
    pub const KING_STUCK: usize = 15;
    /// Each king of the side to move that could be captured if it did nothing.
    pub const KING_ENDANGERED: usize = 16;
    /// To be the side to move.
    pub const TEMPO: usize = 17;
    /// How many there are.
    pub const COUNT: usize = 18;
}

/// What each term is worth in hundredths of a pawn.
pub type Weights = [Value; term::COUNT];

/// The weights that the engine plays with, found by self-play: docs/engine.md tells how. A pawn is worth so much beside a
/// knight because it is three turns from becoming a queen.
#[rustfmt::skip]
pub const WEIGHTS: Weights = [
    100, 150, 230, 470, 780,
    5, 40, 95, 360, 3,
    8, 90, 10,
    18, 12, 12, 98, 60,
];

/// Every square that a side's pieces of a role attack on one level.
type Attacked = [u64; 6];

/// A value in two parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluation {
    /// All else, for the side to move.
    pub(super) standing: Value,
    /// What the side to move can gain at once by capturing.
    pub(super) gain: Value,
}

impl Evaluation {
    pub(super) fn value(self) -> Value {
        self.standing + self.gain
    }
}

/// Evaluates for the side to move, which cannot capture a king. `exchanges` tells whether to mind what hangs.
pub(super) fn evaluate(position: &Position, weights: &Weights, exchanges: bool) -> Evaluation {
    let us = position.side_to_move();
    let mut standing = weights[term::TEMPO];
    let mut gain = 0;
    for level in Level::ALL {
        standing +=
            material(position, weights, us, level) - material(position, weights, us.other(), level);
    }
    for level in Level::WORLDS {
        let sides = [Color::White, Color::Black].map(|color| attacked(position, color, level));
        let [ours, theirs] = [us, us.other()].map(|color| sides[color as usize]);
        standing += on_world(position, weights, us, level, (&ours, &theirs));
        standing -= on_world(position, weights, us.other(), level, (&theirs, &ours));
        if exchanges {
            let gains = |by, ours, theirs| best_gain(position, weights, by, level, ours, theirs);
            gain += gains(us, &ours, &theirs) * weights[term::GAIN_MOVER] / 100;
            standing -= gains(us.other(), &theirs, &ours) * weights[term::GAIN_OTHER] / 100;
        }
    }
    if exchanges {
        standing -= weights[term::KING_ENDANGERED] * kings::endangered(position, us.other());
    }
    Evaluation { standing, gain }
}

/// The value of a piece other than the king.
fn worth(weights: &Weights, role: Role) -> Value {
    weights[term::MATERIAL..term::PAWN_RANK].get(role as usize).copied().unwrap_or(0)
}

fn material(position: &Position, weights: &Weights, us: Color, level: Level) -> Value {
    let pieces = Role::ALL.into_iter().take_while(|role| *role != Role::King);
    let mut value: Value =
        pieces.map(|role| worth(weights, role) * count(position.pieces(us, role, level))).sum();
    let pawns = position.pieces(us, Role::Pawn, level);
    match level {
        Level::First | Level::Third => {
            let (second, before_last) = match us {
                Color::White => (0, 0x00ff_0000_0000_0000),
                Color::Black => (56, 0x0000_0000_0000_ff00),
            };
            value += weights[term::PAWN_BEFORE_LAST] * count(pawns & before_last);
            let advanced = (1..7).map(|rank| rank * count(pawns >> (second ^ (8 * rank)) & 0xff));
            value += weights[term::PAWN_RANK] * advanced.sum::<Value>();
        }
        Level::Second => {
            let last_rank = match us {
                Color::White => 0xff00_0000_0000_0000,
                Color::Black => 0xff,
            };
            let beyond = Level::WORLDS.map(|world| !position.occupied(world));
            let ready = pawns & last_rank & (beyond[0] | beyond[1]);
            value += weights[term::PAWN_READY] * count(ready);
            value += weights[term::PAWN_IN_TRANSIT] * count(pawns & !ready);
            value += weights[term::PIECE_IN_TRANSIT]
                * count(position.by_color(us, Level::Second) & !pawns);
        }
    }
    value
}

fn attacked(position: &Position, us: Color, level: Level) -> Attacked {
    let occupied = position.occupied(level);
    let pawns = position.pieces(us, Role::Pawn, level);
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    const FILE_H: u64 = FILE_A << 7;
    let mut attacked = [0; 6];
    attacked[Role::Pawn as usize] = {
        let ahead = attacks::pawn_steps(us, pawns);
        (ahead & !FILE_A) >> 1 | (ahead & !FILE_H) << 1
    };
    for role in &Role::ALL[1..] {
        let mut pieces = position.pieces(us, *role, level);
        while pieces != 0 {
            let place = pieces.trailing_zeros() as usize;
            pieces &= pieces - 1;
            attacked[*role as usize] |= attacks::chess(us, *role, place, occupied);
        }
    }
    attacked
}

/// Mobility, and danger to the king of the other side.
fn on_world(
    position: &Position,
    weights: &Weights,
    us: Color,
    level: Level,
    (ours, theirs): (&Attacked, &Attacked),
) -> Value {
    let own = position.by_color(us, level);
    let mut value = 0;
    for attacked in &ours[Role::Knight as usize..Role::King as usize] {
        value += weights[term::MOBILITY] * count(attacked & !own);
    }
    let king = position.pieces(us.other(), Role::King, level);
    if king == 0 {
        return value;
    }
    let place = king.trailing_zeros() as usize;
    let zone = attacks::king(place);
    let all = ours.iter().fold(0, |all, some| all | some);
    let supported = theirs[..Role::King as usize].iter().fold(0, |all, some| all | some);
    value += weights[term::KING_ZONE] * (count(zone & all) + count(zone & all & !supported));
    let steps = zone & !all & !position.by_color(us.other(), level);
    if steps == 0 {
        value += weights[term::KING_STUCK];
    }
    let occupied = position.occupied(level);
    let can_arrive = |role| position.pieces(us, role, Level::Second) & !occupied;
    let queens = can_arrive(Role::Queen);
    let arrivals = attacks::knight(place) & can_arrive(Role::Knight)
        | attacks::bishop(place, occupied) & (can_arrive(Role::Bishop) | queens)
        | attacks::rook(place, occupied) & (can_arrive(Role::Rook) | queens)
        | attacks::pawn_captures(us.other(), place) & can_arrive(Role::Pawn);
    value + weights[term::KING_ARRIVAL] * count(arrivals)
}

/// The most that a side can gain on a level by one capture, if the other side recaptures where it can.
fn best_gain(
    position: &Position,
    weights: &Weights,
    us: Color,
    level: Level,
    ours: &Attacked,
    theirs: &Attacked,
) -> Value {
    let all = ours.iter().fold(0, |all, some| all | some);
    let defended = theirs.iter().fold(0, |all, some| all | some);
    let mut best = 0;
    for victim in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn] {
        let victims = position.pieces(us.other(), victim, level) & all;
        let worth_victim = worth(weights, victim);
        if victims == 0 || worth_victim <= best {
            continue;
        }
        if victims & !defended != 0 {
            best = worth_victim;
            continue;
        }
        for attacker in Role::ALL.into_iter().take_while(|role| *role < victim) {
            if victims & ours[attacker as usize] != 0 {
                best = best.max(worth_victim - worth(weights, attacker));
                break;
            }
        }
    }
    best
}

fn count(set: u64) -> Value {
    set.count_ones() as Value
}
