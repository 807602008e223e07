//! Where pieces reach on one 8 × 8 level. The tables are computed at compile time.

use crate::types::{Color, Role};

type Table = [u64; 64];

/// Steps along file and rank. The first four go towards higher places.
const DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];
const ORTHOGONALS: [usize; 4] = [0, 1, 4, 5];
const DIAGONALS: [usize; 4] = [2, 3, 6, 7];
const KNIGHT_JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static RAYS: [Table; 8] = rays();
static KING: Table = leaps(&DIRECTIONS);
static KNIGHT: Table = leaps(&KNIGHT_JUMPS);
static PAWN_CAPTURES: [Table; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];

const fn step(place: usize, (files, ranks): (i8, i8)) -> Option<usize> {
    let (file, rank) = ((place & 7) as i8 + files, (place >> 3) as i8 + ranks);
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        None
    } else {
        Some((file + 8 * rank) as usize)
    }
}

const fn leaps(steps: &[(i8, i8)]) -> Table {
    let mut table = [0; 64];
    let mut place = 0;
    while place < 64 {
        let mut s = 0;
        while s < steps.len() {
            if let Some(to) = step(place, steps[s]) {
                table[place] |= 1 << to;
            }
            s += 1;
        }
        place += 1;
    }
    table
}

const fn rays() -> [Table; 8] {
    let mut rays = [[0; 64]; 8];
    let mut d = 0;
    while d < 8 {
        let mut place = 0;
        while place < 64 {
            let mut at = place;
            while let Some(next) = step(at, DIRECTIONS[d]) {
                rays[d][place] |= 1 << next;
                at = next;
            }
            place += 1;
        }
        d += 1;
    }
    rays
}

fn slide(directions: [usize; 4], place: usize, occupied: u64) -> u64 {
    let mut reached = 0;
    for direction in directions {
        let ray = RAYS[direction][place];
        let blockers = ray & occupied;
        let upwards = direction < 4;
        let nearest =
            if upwards { blockers.trailing_zeros() } else { blockers.leading_zeros() ^ 63 };
        reached |= if blockers == 0 { ray } else { ray ^ RAYS[direction][nearest as usize & 63] };
    }
    reached
}

/// Where a queen goes among `occupied`, blockers included.
pub(super) fn queen(place: usize, occupied: u64) -> u64 {
    slide(ORTHOGONALS, place, occupied) | slide(DIAGONALS, place, occupied)
}

/// Where a pawn captures.
pub(super) fn pawn_captures(color: Color, place: usize) -> u64 {
    PAWN_CAPTURES[color as usize][place & 63]
}

/// Where a piece attacks among `occupied` as in chess, blockers included.
pub(super) fn chess(color: Color, role: Role, place: usize, occupied: u64) -> u64 {
    match role {
        Role::Pawn => pawn_captures(color, place),
        Role::Knight => KNIGHT[place & 63],
        Role::Bishop => slide(DIAGONALS, place, occupied),
        Role::Rook => slide(ORTHOGONALS, place, occupied),
        Role::Queen => queen(place, occupied),
        Role::King => KING[place & 63],
    }
}
