//! Where each role reaches from each square. All tables are computed at compile time.
//!
//! Z and W have two values, so only lines along X, Y and both are longer than one step. A move inside one 16-square
//! board may slide; a move that changes board is a leap. Sliding, blocking and pins therefore happen within 16 bits,
//! and everything else is a table of 64 words.

use super::bitboard::Bitboard;
use super::square::Square;
use crate::types::Color;

/// A table with a set of squares for each square.
type Table = [u64; 64];

/// How two squares must lie to each other to be in a table.
#[derive(Clone, Copy)]
enum Reach {
    King,
    Knight,
    WhitePawnCapture,
    BlackPawnCapture,
    /// The rook's steps to another board.
    RookLeap,
    /// The bishop's steps to another board.
    BishopLeap,
    /// The queen's steps to another board.
    QueenLeap,
    /// The rook's lines on an empty board, within the board.
    RookLine,
    /// The bishop's lines on an empty board, within the board.
    BishopLine,
}

const fn reaches(reach: Reach, from: usize, to: usize) -> bool {
    let dx = (from & 3).abs_diff(to & 3);
    let dy = (from >> 2 & 3).abs_diff(to >> 2 & 3);
    let (dz, dw) = ((from ^ to) >> 4 & 1, (from ^ to) >> 5);
    let changed = (dx != 0) as usize + (dy != 0) as usize + dz + dw;
    let one_step = changed > 0 && dx <= 1 && dy <= 1;
    let other_board = dz + dw > 0;
    let pawn_sidestep = one_step && changed == 2 && dy == 1;
    match reach {
        Reach::King => one_step,
        Reach::Knight => {
            changed == 2 && ((dx == 2 && dy + dz + dw == 1) || (dy == 2 && dx + dz + dw == 1))
        }
        Reach::WhitePawnCapture => pawn_sidestep && to >> 2 & 3 > from >> 2 & 3,
        Reach::BlackPawnCapture => pawn_sidestep && (to >> 2 & 3) < from >> 2 & 3,
        Reach::RookLeap => other_board && one_step && changed == 1,
        Reach::BishopLeap => other_board && one_step && changed == 2,
        Reach::QueenLeap => other_board && one_step,
        Reach::RookLine => !other_board && changed == 1,
        Reach::BishopLine => !other_board && changed == 2 && dx == dy,
    }
}

const fn table(reach: Reach) -> Table {
    let mut table = [0; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            table[from] |= (reaches(reach, from, to) as u64) << to;
            to += 1;
        }
        from += 1;
    }
    table
}

const FILE_A: u64 = 0x1111_1111_1111_1111;
const FILE_D: u64 = FILE_A << 3;
/// The boards with Z = 0.
const LEFT_BOARDS: u64 = 0x0000_ffff_0000_ffff;

static KING: Table = table(Reach::King);
static KNIGHT: Table = table(Reach::Knight);
static PAWN_CAPTURES: [Table; 2] = [table(Reach::WhitePawnCapture), table(Reach::BlackPawnCapture)];
static ROOK_LEAPS: Table = table(Reach::RookLeap);
static BISHOP_LEAPS: Table = table(Reach::BishopLeap);
static QUEEN_LEAPS: Table = table(Reach::QueenLeap);
static ROOK_LINES: Table = table(Reach::RookLine);
static BISHOP_LINES: Table = table(Reach::BishopLine);

/// Steps along X and Y.
const ORTHOGONALS: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const ALL_DIRECTIONS: [(i8, i8); 8] =
    [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// The next square of a board in a direction.
const fn step(square: usize, (dx, dy): (i8, i8)) -> Option<usize> {
    let (x, y) = ((square & 3) as i8 + dx, (square >> 2) as i8 + dy);
    if x < 0 || x > 3 || y < 0 || y > 3 { None } else { Some((x + 4 * y) as usize) }
}

/// The squares of a board that a slider on `square` reaches among `occupied`, blockers included.
const fn walk(square: usize, directions: &[(i8, i8)], occupied: u16) -> u16 {
    let mut reached = 0;
    let mut d = 0;
    while d < directions.len() {
        let mut at = square;
        while let Some(next) = step(at, directions[d]) {
            reached |= 1 << next;
            if occupied & 1 << next != 0 {
                break;
            }
            at = next;
        }
        d += 1;
    }
    reached
}

/// The squares whose occupation matters to a slider on `square`: those with another square behind them.
const fn relevant(square: usize, directions: &[(i8, i8)]) -> u16 {
    let mut mask = 0;
    let mut d = 0;
    while d < directions.len() {
        let mut at = square;
        while let Some(next) = step(at, directions[d]) {
            if step(next, directions[d]).is_some() {
                mask |= 1 << next;
            }
            at = next;
        }
        d += 1;
    }
    mask
}

/// Sliding from one square of a board by multiplication: `(occupied & mask) · magic` gathers the relevant squares in
/// its high bits, which pick the entry. What one lookup needs lies side by side.
struct Slider<const ENTRIES: usize> {
    magic: u64,
    mask: u16,
    reached: [u16; ENTRIES],
}

/// A slider's lookups by the square of the board.
type Sliders<const ENTRIES: usize> = [Slider<ENTRIES>; 16];

impl<const ENTRIES: usize> Slider<ENTRIES> {
    const SHIFT: u32 = u64::BITS - ENTRIES.trailing_zeros();

    /// Fills the table. A magic that sends two different sets of reached squares to one entry stops compilation.
    const fn new(square: usize, directions: &[(i8, i8)], magic: u64) -> Self {
        let mask = relevant(square, directions);
        let mut reached = [0; ENTRIES];
        let mut subset = mask;
        loop {
            let entry = (subset as u64).wrapping_mul(magic) >> Self::SHIFT;
            let slot = &mut reached[entry as usize];
            let walked = walk(square, directions, subset);
            assert!(*slot == 0 || *slot == walked, "this magic collides");
            *slot = walked;
            if subset == 0 {
                return Self { magic, mask, reached };
            }
            subset = (subset - 1) & mask;
        }
    }
}

const fn sliders<const ENTRIES: usize>(
    directions: &[(i8, i8)],
    magics: [u64; 16],
) -> Sliders<ENTRIES> {
    let mut sliders = [const { Slider { magic: 0, mask: 0, reached: [0; ENTRIES] } }; 16];
    let mut square = 0;
    while square < 16 {
        sliders[square] = Slider::new(square, directions, magics[square]);
        square += 1;
    }
    sliders
}

fn reach<const ENTRIES: usize>(
    sliders: &Sliders<ENTRIES>,
    square: Square,
    occupied: Bitboard,
) -> u64 {
    let board = square.index() & 48;
    let slider = &sliders[square.index() & 15];
    let blockers = (occupied.0 >> board) & u64::from(slider.mask);
    let entry = blockers.wrapping_mul(slider.magic) >> Slider::<ENTRIES>::SHIFT;
    u64::from(slider.reached[entry as usize & (ENTRIES - 1)]) << board
}

// Found by trying random numbers; `Slider::new` proves that they work.
static ROOK: Sliders<16> = sliders(
    &ORTHOGONALS,
    [
        0xa840_0834_0000_0000,
        0x0a55_a800_0000_0000,
        0x3206_00a1_0000_0000,
        0xc484_1457_0000_0000,
        0x4080_6080_0000_0000,
        0x0708_9268_0000_0000,
        0x8508_0719_0000_0000,
        0x8d11_0000_0000_0000,
        0x6164_0428_0000_0000,
        0x20a8_9882_0000_0000,
        0x0ca0_ac10_0000_0000,
        0x2120_0010_0000_0000,
        0xe72a_0591_0000_0000,
        0xc109_0073_0000_0000,
        0x948c_1201_0000_0000,
        0x0042_0521_0000_0000,
    ],
);
static BISHOP: Sliders<4> = sliders(
    &DIAGONALS,
    [
        0x6378_1028_0000_0000,
        0x0701_f000_0000_0000,
        0x02e0_0b30_0000_0000,
        0x1144_48c0_0000_0000,
        0xa061_2040_0000_0000,
        0x8a92_5009_0000_0000,
        0x0160_0083_0000_0000,
        0x20d3_0418_0000_0000,
        0x2402_4180_0000_0000,
        0x1104_2010_0000_0000,
        0x8e40_1094_0000_0000,
        0x8190_4801_0000_0000,
        0x2230_0500_0000_0000,
        0x2238_c409_0000_0000,
        0x2146_4042_0000_0000,
        0x04d0_0194_0000_0000,
    ],
);
static QUEEN: Sliders<128> = sliders(
    &ALL_DIRECTIONS,
    [
        0x0420_0009_4a20_0200,
        0x0602_2202_1020_0000,
        0x04c6_0404_0420_3090,
        0x1208_0000_0080_0400,
        0x8028_0001_4018_2200,
        0x0202_9004_0000_0002,
        0x0011_8200_ca01_0111,
        0x31a9_0040_c040_8000,
        0x0215_0102_0a00_0290,
        0x0688_0100_1000_0000,
        0x0010_0042_1000_0160,
        0x0250_0200_0010_0024,
        0x1484_1000_0000_1200,
        0x0011_0008_080a_4108,
        0x4016_0203_4002_0b20,
        0x0050_2000_0608_0104,
    ],
);

/// For each two squares of a board, those strictly between them on a line, or none.
static BETWEEN: [[u16; 16]; 16] = pairs(false);
/// For each two squares of a board, the whole line through both, or nothing when they share none.
static LINE: [[u16; 16]; 16] = pairs(true);

const fn pairs(whole_line: bool) -> [[u16; 16]; 16] {
    let mut table = [[0; 16]; 16];
    let mut from = 0;
    while from < 16 {
        let mut d = 0;
        while d < ALL_DIRECTIONS.len() {
            let (dx, dy) = ALL_DIRECTIONS[d];
            let mut line = 1 << from;
            let mut back = from;
            while let Some(next) = step(back, (-dx, -dy)) {
                line |= 1 << next;
                back = next;
            }
            let mut at = from;
            while let Some(next) = step(at, (dx, dy)) {
                line |= 1 << next;
                at = next;
            }
            let mut passed = 0;
            at = from;
            while let Some(next) = step(at, (dx, dy)) {
                table[from][next] = if whole_line { line } else { passed };
                passed |= 1 << next;
                at = next;
            }
            d += 1;
        }
        from += 1;
    }
    table
}

fn of_pair(table: &[[u16; 16]; 16], a: Square, b: Square) -> Bitboard {
    let (board, other) = (a.index() & 48, b.index() & 48);
    if board != other {
        return Bitboard::EMPTY;
    }
    Bitboard(u64::from(table[a.index() & 15][b.index() & 15]) << board)
}

/// The squares strictly between two squares, when a slider could go from one to the other.
pub fn between(a: Square, b: Square) -> Bitboard {
    of_pair(&BETWEEN, a, b)
}

/// The whole line through two squares of one board, both included, or nothing when they share none.
pub fn line(a: Square, b: Square) -> Bitboard {
    of_pair(&LINE, a, b)
}

/// Where a king on `square` steps.
pub fn king(square: Square) -> Bitboard {
    Bitboard(KING[square.index()])
}

/// Where a knight on `square` jumps.
pub fn knight(square: Square) -> Bitboard {
    Bitboard(KNIGHT[square.index()])
}

/// Where a pawn of this color on `square` captures.
pub fn pawn_captures(color: Color, square: Square) -> Bitboard {
    Bitboard(PAWN_CAPTURES[color as usize][square.index()])
}

/// Where these pawns of this color capture: a set each for the steps along X down and up, along Z, and along W.
pub fn pawn_captures_by_direction(color: Color, pawns: Bitboard) -> [Bitboard; 4] {
    let ahead = all_pawn_steps(color, pawns).0;
    let along_z = (ahead & LEFT_BOARDS) << 16 | (ahead & !LEFT_BOARDS) >> 16;
    [(ahead & !FILE_A) >> 1, (ahead & !FILE_D) << 1, along_z, ahead.rotate_left(32)].map(Bitboard)
}

/// Where these pawns of this color step if nothing stands there, all at once.
pub fn all_pawn_steps(color: Color, pawns: Bitboard) -> Bitboard {
    match color {
        Color::White => Bitboard((pawns & !Bitboard::rank(3)).0 << 4),
        Color::Black => Bitboard((pawns & !Bitboard::rank(0)).0 >> 4),
    }
}

/// Where a pawn of this color on `square` steps if nothing stands there.
pub fn pawn_step(color: Color, square: Square) -> Bitboard {
    all_pawn_steps(color, Bitboard::of(square))
}

/// Where a bishop on `square` goes among `occupied`, blockers included.
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(reach(&BISHOP, square, occupied) | BISHOP_LEAPS[square.index()])
}

/// Where a rook on `square` goes among `occupied`, blockers included.
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(reach(&ROOK, square, occupied) | ROOK_LEAPS[square.index()])
}

/// Where a queen on `square` goes among `occupied`, blockers included.
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(reach(&QUEEN, square, occupied) | QUEEN_LEAPS[square.index()])
}

/// The squares of its board that a bishop on `square` sees when the board is empty.
pub fn bishop_lines(square: Square) -> Bitboard {
    Bitboard(BISHOP_LINES[square.index()])
}

/// The squares of its board that a rook on `square` sees when the board is empty.
pub fn rook_lines(square: Square) -> Bitboard {
    Bitboard(ROOK_LINES[square.index()])
}
