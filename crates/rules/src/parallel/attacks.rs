//! Where pieces reach on one 8 × 8 level, as sets of places. The tables are computed at compile time.

use crate::types::{Color, Role};

type Table = [u64; 64];

const KING_STEPS: [(i8, i8); 8] =
    [(1, 0), (0, 1), (1, 1), (-1, 1), (-1, 0), (0, -1), (-1, -1), (1, -1)];
const KNIGHT_JUMPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static KING: Table = leaps(&KING_STEPS);
static KNIGHT: Table = leaps(&KNIGHT_JUMPS);
static PAWN_CAPTURES: [Table; 2] = [leaps(&[(-1, 1), (1, 1)]), leaps(&[(-1, -1), (1, -1)])];
/// The whole lines through each place, without the place itself.
static FILES: Table = lines((0, 1));
static RISING: Table = lines((1, 1));
static FALLING: Table = lines((-1, 1));
/// Where a slider on each file of a rank reaches, by the six inner squares of the rank.
static RANKS: [[u8; 64]; 8] = ranks();

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

/// The squares in a direction up to the first one that is occupied, that one included.
const fn walk(place: usize, direction: (i8, i8), occupied: u64) -> u64 {
    let mut reached = 0;
    let mut at = place;
    while let Some(next) = step(at, direction) {
        reached |= 1 << next;
        if occupied & 1 << next != 0 {
            break;
        }
        at = next;
    }
    reached
}

const fn lines((files, ranks): (i8, i8)) -> Table {
    let mut table = [0; 64];
    let mut place = 0;
    while place < 64 {
        table[place] = walk(place, (files, ranks), 0) | walk(place, (-files, -ranks), 0);
        place += 1;
    }
    table
}

const fn ranks() -> [[u8; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut inner = 0;
        while inner < 64 {
            let occupied = (inner as u64) << 1;
            table[file][inner] =
                (walk(file, (1, 0), occupied) | walk(file, (-1, 0), occupied)) as u8;
            inner += 1;
        }
        file += 1;
    }
    table
}

/// Sliding both ways along a line whose squares lie on different ranks. Taking the slider's bit away from the blockers
/// borrows from the nearest one above it; with the ranks turned around, from the nearest one below.
fn slide(line: u64, place: usize, occupied: u64) -> u64 {
    let slider = 1 << place;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider);
    let down = blockers.swap_bytes().wrapping_sub(slider.swap_bytes()).swap_bytes();
    (up ^ down) & line
}

/// Where a rook on a place goes among `occupied`, blockers included.
pub fn rook(place: usize, occupied: u64) -> u64 {
    let place = place & 63;
    let rank = place & 56;
    let inner = (occupied >> (rank + 1)) as usize & 63;
    u64::from(RANKS[place & 7][inner]) << rank | slide(FILES[place], place, occupied)
}

/// Where a bishop on a place goes among `occupied`, blockers included.
pub fn bishop(place: usize, occupied: u64) -> u64 {
    let place = place & 63;
    slide(RISING[place], place, occupied) | slide(FALLING[place], place, occupied)
}

/// Where a queen on a place goes among `occupied`, blockers included.
pub fn queen(place: usize, occupied: u64) -> u64 {
    rook(place, occupied) | bishop(place, occupied)
}

/// Where a knight on a place jumps.
pub fn knight(place: usize) -> u64 {
    KNIGHT[place & 63]
}

/// Where a king on a place steps.
pub fn king(place: usize) -> u64 {
    KING[place & 63]
}

/// Where a pawn of this color on a place captures.
pub fn pawn_captures(color: Color, place: usize) -> u64 {
    PAWN_CAPTURES[color as usize][place & 63]
}

/// Where pawns of this color step, off the board included as nothing, whatever stands there.
pub fn pawn_steps(color: Color, pawns: u64) -> u64 {
    match color {
        Color::White => pawns << 8,
        Color::Black => pawns >> 8,
    }
}

/// Where a piece attacks among `occupied` as in chess, blockers included.
pub fn chess(color: Color, role: Role, place: usize, occupied: u64) -> u64 {
    match role {
        Role::Pawn => pawn_captures(color, place),
        Role::Knight => knight(place),
        Role::Bishop => bishop(place, occupied),
        Role::Rook => rook(place, occupied),
        Role::Queen => queen(place, occupied),
        Role::King => king(place),
    }
}
