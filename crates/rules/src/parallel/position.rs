//! A position: who stands where on three levels, whose turn it is, and what has been given up.

use std::fmt;

use super::attacks;
use super::board::Board;
use super::square::{Level, Square, places};
use super::turn::Single;
use crate::error::FenError;
use crate::fen;
use crate::types::{Color, Piece, Role};
use crate::zobrist::random_word;

/// The wing on which a king castles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wing {
    King,
    Queen,
}

/// A way to castle: where king and rook stand and go, as places on their level.
pub(super) struct Castling {
    pub(super) level: Level,
    pub(super) color: Color,
    pub(super) wing: Wing,
    pub(super) king: (u8, u8),
    pub(super) rook: (u8, u8),
    /// Squares that must be empty.
    pub(super) empty: u64,
    /// Squares that no enemy piece of the level may attack.
    pub(super) safe: u64,
}

/// By the bit of the rights that says it is still possible; in the order of the FEN.
pub(super) static CASTLINGS: [Castling; 8] = castlings();

const fn castlings() -> [Castling; 8] {
    const fn one(level: Level, color: Color, wing: Wing) -> Castling {
        let rank = match color {
            Color::White => 0,
            Color::Black => 56,
        };
        let (king_to, rook, empty, safe) = match wing {
            Wing::King => (6, (7, 5), 0b0110_0000, 0b0111_0000),
            Wing::Queen => (2, (0, 3), 0b0000_1110, 0b0001_1100),
        };
        Castling {
            level,
            color,
            wing,
            king: (rank + 4, rank + king_to),
            rook: (rank + rook.0, rank + rook.1),
            empty: empty << rank,
            safe: safe << rank,
        }
    }
    [
        one(Level::First, Color::White, Wing::King),
        one(Level::First, Color::White, Wing::Queen),
        one(Level::First, Color::Black, Wing::King),
        one(Level::First, Color::Black, Wing::Queen),
        one(Level::Third, Color::White, Wing::King),
        one(Level::Third, Color::White, Wing::Queen),
        one(Level::Third, Color::Black, Wing::King),
        one(Level::Third, Color::Black, Wing::Queen),
    ]
}

/// What a single move did besides moving its piece.
pub(super) struct Played {
    pub(super) captured: Option<Role>,
    pub(super) castled_rook: Option<Square>,
    /// The square that a double step passed over.
    pub(super) passed: Option<Square>,
}

/// A position at the start of a turn. Each side has a king on level 1 and one on level 3; the side to move may lack
/// one of its kings, and has then lost.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    levels: [Board; 3],
    /// Zobrist key of all that makes positions repeat, kept up to date.
    hash: u64,
    /// Goes up after each of Black's turns and stays at the highest that a FEN can hold.
    fullmove: u32,
    /// Turns since the last one with a pawn move or a capture.
    halfmove: u8,
    /// One bit for each of [`CASTLINGS`].
    rights: u8,
    /// Where an enemy double step may be answered now, on levels 1 and 3: only squares that a pawn of ours stands ready
    /// to reach. There is at most one a level, as two moves of a turn never end on the same one.
    en_passant: [Option<Square>; 2],
    side_to_move: Color,
}

// Two cache lines: positions are copied rather than undone.
const _: () = assert!(size_of::<Position>() <= 128);

impl Position {
    /// The highest halfmove clock of a FEN; here the game is drawn.
    pub const MAX_HALFMOVE: u8 = fen::MAX_HALFMOVE;

    /// A validated position.
    pub(super) fn new(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        side_to_move: Color,
        rights: u8,
        en_passant: &[Square],
        (halfmove, fullmove): (u8, u32),
    ) -> Result<Self, FenError> {
        let mut position = Self {
            levels: [Board::EMPTY; 3],
            hash: 0,
            fullmove,
            halfmove,
            rights,
            en_passant: [None; 2],
            side_to_move,
        };
        for (square, piece) in pieces {
            position.toggle(piece.color, piece.role, square);
        }
        position.validate_pieces()?;
        position.validate_rights()?;
        for &square in en_passant {
            if !position.can_be_passed(square) {
                return Err(FenError::EnPassant(square.to_string()));
            }
            if position.en_passant[world(square.level)].replace(square).is_some() {
                return Err(FenError::EnPassantTwice { level: square.level.number() });
            }
        }
        position.hash = position.hash_from_scratch();
        Ok(position)
    }

    fn validate_pieces(&self) -> Result<(), FenError> {
        for color in [Color::White, Color::Black] {
            let kings = Level::ALL.map(|level| self.pieces(color, Role::King, level).count_ones());
            match kings {
                [1, 0, 1] => {}
                // A king of the side to move has just been captured.
                [1, 0, 0] | [0, 0, 1] if color == self.side_to_move => {}
                _ => return Err(FenError::LevelKings { color }),
            }
            for level in Level::WORLDS {
                let stuck = self.pieces(color, Role::Pawn, level) & promotion_rank(color, level);
                if let Some(place) = places(stuck).next() {
                    let square = Square::new(level, place).to_string();
                    return Err(FenError::PawnOnPromotionRank { square });
                }
            }
        }
        Ok(())
    }

    fn validate_rights(&self) -> Result<(), FenError> {
        for (bit, castling) in CASTLINGS.iter().enumerate() {
            let Castling { level, color, king, rook, .. } = castling;
            let stands = |role, place: u8| self.pieces(*color, role, *level) & 1 << place != 0;
            let possible = stands(Role::King, king.0) && stands(Role::Rook, rook.0);
            if self.rights & 1 << bit != 0 && !possible {
                return Err(FenError::CastlingImpossible { color: *color, level: level.number() });
            }
        }
        Ok(())
    }

    /// Whether a double step of the side that just moved can have passed over a square, and can be answered there.
    fn can_be_passed(&self, square: Square) -> bool {
        let us = self.side_to_move;
        let them = us.other();
        let (rank, pawn, origin) = match them {
            Color::White => (2, square.bit() << 8, square.bit() >> 8),
            Color::Black => (5, square.bit() >> 8, square.bit() << 8),
        };
        square.level != Level::Second
            && square.rank() == rank
            && self.occupied(square.level) & (square.bit() | origin) == 0
            && self.pieces(them, Role::Pawn, square.level) & pawn != 0
            && self.can_be_answered(square)
    }

    /// Whether a pawn of the side to move stands ready to capture on this square.
    fn can_be_answered(&self, square: Square) -> bool {
        let us = self.side_to_move;
        // Pawns that capture onto a square stand where an enemy pawn on it would capture.
        let ready = attacks::pawn_captures(us.other(), square.place());
        self.pieces(us, Role::Pawn, square.level) & ready != 0
    }

    /// Who moves next.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Turns since the last one with a pawn move or a capture.
    pub fn halfmove_clock(&self) -> u8 {
        self.halfmove
    }

    /// The number of the turn that comes next, as written in a record.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove
    }

    /// One bit for each of [`CASTLINGS`] that is still possible.
    pub(super) fn rights(&self) -> u8 {
        self.rights
    }

    /// Where an enemy double step on a level may be answered.
    pub fn en_passant(&self, level: Level) -> u64 {
        let square = self.en_passant[world(level)].filter(|square| square.level == level);
        square.map_or(0, Square::bit)
    }

    /// One side's pieces on a level; bit `n` is the place `n`.
    pub fn by_color(&self, color: Color, level: Level) -> u64 {
        self.levels[level as usize].by_color(color)
    }

    /// One side's pieces of a role on a level.
    pub fn pieces(&self, color: Color, role: Role, level: Level) -> u64 {
        self.levels[level as usize].by_role(role) & self.by_color(color, level)
    }

    /// Every piece of a level.
    pub fn occupied(&self, level: Level) -> u64 {
        self.levels[level as usize].occupied()
    }

    pub(super) fn role_at(&self, square: Square) -> Option<Role> {
        self.levels[square.level as usize].role_at(square.place())
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let white = self.by_color(Color::White, square.level) & square.bit() != 0;
        Some(Piece { color: if white { Color::White } else { Color::Black }, role })
    }

    /// Whether a side has nothing but kings.
    pub fn has_only_kings(&self, color: Color) -> bool {
        Level::ALL
            .into_iter()
            .all(|level| self.by_color(color, level) == self.pieces(color, Role::King, level))
    }

    /// Whether one of the four kings has been captured.
    pub fn lacks_a_king(&self) -> bool {
        let kings = Level::WORLDS.map(|level| self.levels[level as usize].by_role(Role::King));
        kings.iter().any(|kings| kings.count_ones() < 2)
    }

    /// A key of everything that makes positions repeat: equal positions have equal keys.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// What [`Position::hash`] must be.
    pub fn hash_from_scratch(&self) -> u64 {
        let mut hash = rights_key(self.rights);
        if self.side_to_move == Color::Black {
            hash ^= SIDE_KEY;
        }
        for square in self.en_passant.into_iter().flatten() {
            hash ^= en_passant_key(square);
        }
        for level in Level::ALL {
            for square in places(self.occupied(level)).map(|place| Square::new(level, place)) {
                if let Some(Piece { color, role }) = self.piece_at(square) {
                    hash ^= piece_key(color, role, square);
                }
            }
        }
        hash
    }

    /// Whether pieces, side to move, castling rights and usable en passant are the same.
    pub fn repeats(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.side_to_move == other.side_to_move
            && self.rights == other.rights
            && self.en_passant == other.en_passant
            && self.levels == other.levels
    }

    /// Puts a piece on an empty square, or takes it away.
    fn toggle(&mut self, color: Color, role: Role, square: Square) {
        self.levels[square.level as usize].toggle(color, role, square.bit());
        self.hash ^= piece_key(color, role, square);
    }

    /// Takes a piece of the side to move off the board, and with it the castlings for which it had to stay.
    pub(super) fn lift(&mut self, role: Role, from: Square) {
        self.toggle(self.side_to_move, role, from);
        self.give_up_castlings(from);
    }

    /// A move from or to the home of a king or a rook ends the castlings of both.
    fn give_up_castlings(&mut self, touched: Square) {
        let kept = self.rights & !lost_rights(touched);
        if kept != self.rights {
            self.hash ^= rights_key(self.rights) ^ rights_key(kept);
            self.rights = kept;
        }
    }

    /// Makes a single move of the piece on `from`, within the turn. The caller knows that it is legal.
    pub(super) fn make(&mut self, role: Role, single: Single) -> Played {
        let Single { from, to, promotion } = single;
        let us = self.side_to_move;
        let castling = self.castling_of(role, single);
        let passes_by = role == Role::Pawn
            && from.level == to.level
            && self.en_passant(to.level) & to.bit() != 0
            && from.file() != to.file();
        let victim = if passes_by {
            // The pawn that made the double step stands beside the one that captures it.
            Square::new(to.level, (from.place() & 56 | to.place() & 7) as u8)
        } else {
            to
        };
        let captured = self.role_at(victim);
        if let Some(role) = captured {
            self.toggle(us.other(), role, victim);
        }
        self.toggle(us, role, from);
        self.toggle(us, promotion.unwrap_or(role), to);
        let castled_rook = castling.map(|Castling { level, rook, .. }| {
            let rook_to = Square::new(*level, rook.1);
            self.toggle(us, Role::Rook, Square::new(*level, rook.0));
            self.toggle(us, Role::Rook, rook_to);
            rook_to
        });
        self.give_up_castlings(from);
        self.give_up_castlings(to);
        let double = role == Role::Pawn
            && from.level == to.level
            && from.level != Level::Second
            && from.rank().abs_diff(to.rank()) == 2;
        let passed = double.then(|| Square::new(to.level, (from.place() + to.place()) as u8 / 2));
        Played { captured, castled_rook, passed }
    }

    /// Which castling a move is.
    pub(super) fn castling_of(&self, role: Role, single: Single) -> Option<&'static Castling> {
        let Single { from, to, .. } = single;
        let is = |castling: &&Castling| {
            let king = castling.king;
            from == Square::new(castling.level, king.0) && to == Square::new(castling.level, king.1)
        };
        // A king's single step never goes two files.
        (role == Role::King).then(|| CASTLINGS.iter().find(is)).flatten()
    }

    /// Hands the move to the other side after at least one single move; `passed` are the squares that double steps of
    /// the turn have passed over.
    pub(super) fn end_turn(&mut self, passed: [Option<Square>; 2], irreversible: bool) {
        if self.side_to_move == Color::Black {
            self.fullmove = fen::MAX_FULLMOVE.min(self.fullmove + 1);
        }
        self.halfmove = if irreversible { 0 } else { self.halfmove.saturating_add(1) };
        self.side_to_move = self.side_to_move.other();
        self.hash ^= SIDE_KEY;
        let answerable = passed.map(|passed| passed.filter(|square| self.can_be_answered(*square)));
        for changed in self.en_passant.into_iter().chain(answerable).flatten() {
            self.hash ^= en_passant_key(changed);
        }
        self.en_passant = answerable;
    }
}

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Which of the levels on which chess is played, from 0.
pub(super) fn world(level: Level) -> usize {
    level as usize / 2
}

/// One random word for each piece on each square.
static PIECE_KEYS: [[[u64; 192]; 6]; 2] = piece_keys();
/// Added when Black is to move.
const SIDE_KEY: u64 = random_word(0);
const FIRST_PIECE_WORD: u64 = 1;
const FIRST_RIGHTS_WORD: u64 = FIRST_PIECE_WORD + 2 * 6 * 192;
const FIRST_EN_PASSANT_WORD: u64 = FIRST_RIGHTS_WORD + 256;

const fn piece_keys() -> [[[u64; 192]; 6]; 2] {
    let mut keys = [[[0; 192]; 6]; 2];
    let mut n = 0;
    while n < 2 * 6 * 192 {
        keys[n / (6 * 192)][n / 192 % 6][n % 192] = random_word(FIRST_PIECE_WORD + n as u64);
        n += 1;
    }
    keys
}

/// Of all 192 squares, from 0.
pub(super) fn number(square: Square) -> usize {
    square.level as usize * 64 + square.place()
}

fn piece_key(color: Color, role: Role, square: Square) -> u64 {
    PIECE_KEYS[color as usize][role as usize][number(square)]
}

fn rights_key(rights: u8) -> u64 {
    random_word(FIRST_RIGHTS_WORD + u64::from(rights))
}

fn en_passant_key(square: Square) -> u64 {
    random_word(FIRST_EN_PASSANT_WORD + number(square) as u64)
}

/// The castlings that a move from or to a place of level 1 gives up; those of level 3 are four bits further on.
static LOST_RIGHTS: [u8; 64] = lost_rights_of_level_1();

const fn lost_rights_of_level_1() -> [u8; 64] {
    let mut lost = [0; 64];
    let mut bit = 0;
    while bit < CASTLINGS.len() / 2 {
        lost[CASTLINGS[bit].king.0 as usize] |= 1 << bit;
        lost[CASTLINGS[bit].rook.0 as usize] |= 1 << bit;
        bit += 1;
    }
    lost
}

fn lost_rights(touched: Square) -> u8 {
    let lost = LOST_RIGHTS[touched.place()];
    match touched.level {
        Level::First => lost,
        Level::Second => 0,
        Level::Third => lost << 4,
    }
}

/// Where a side's pawns promote on a level.
pub(super) fn promotion_rank(color: Color, level: Level) -> u64 {
    match level {
        Level::First | Level::Third => 0xff << (8 * last_rank(color)),
        Level::Second => 0,
    }
}

/// The rank on which a side's pawns promote, 0 to 7.
pub(super) fn last_rank(color: Color) -> u8 {
    match color {
        Color::White => 7,
        Color::Black => 0,
    }
}
