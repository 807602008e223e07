//! A position: who stands where, who moves, and the two counters.

use std::fmt;
use std::str::FromStr;

use super::attacks;
use super::bitboard::Bitboard;
use super::square::Square;
use crate::error::FenError;
use crate::fen;
use crate::lan::write_ascii;
use crate::types::{Color, Piece, Role};
use crate::zobrist::random_word;

/// A single move, by the squares it leaves and reaches. Nothing more is needed: a pawn on its last rank always
/// becomes a queen, and there is no castling and no en passant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The square it leaves.
    pub from: Square,
    /// The square it reaches.
    pub to: Square,
}

/// As stored and sent: `a1@00a1@01`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 10];
        text[..5].copy_from_slice(&self.from.wire());
        text[5..].copy_from_slice(&self.to.wire());
        write_ascii(f, &text)
    }
}

/// The text is not two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedMove;

/// Reads two squares in any spelling. Whether the move is legal depends on the position.
impl FromStr for Move {
    type Err = MalformedMove;

    fn from_str(text: &str) -> Result<Self, MalformedMove> {
        let (from, rest) = Square::parse_prefix(text).ok_or(MalformedMove)?;
        let to = rest.parse().map_err(|_| MalformedMove)?;
        Ok(Self { from, to })
    }
}

/// A position in which each side has exactly one king, no pawn stands on its promotion rank, and the side that just
/// moved is not in check. Copied rather than undone.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// By [`Role`]; the sets are disjoint, and together they are `colors` together.
    roles: [Bitboard; 6],
    /// By [`Color`].
    colors: [Bitboard; 2],
    /// Zobrist key of placement and side to move, kept up to date move by move.
    hash: u64,
    /// Goes up after each of Black's moves and stays at [`Position::MAX_FULLMOVE`], so that every FEN reads back.
    fullmove: u32,
    /// Single moves since the last pawn move or capture.
    halfmove: u8,
    side_to_move: Color,
}

// Two cache lines.
const _: () = assert!(size_of::<Position>() <= 128);

impl Position {
    /// The highest halfmove clock of a FEN; here the game is drawn.
    pub const MAX_HALFMOVE: u8 = fen::MAX_HALFMOVE;
    /// The highest fullmove number of a FEN.
    pub const MAX_FULLMOVE: u32 = fen::MAX_FULLMOVE;

    /// A validated position.
    ///
    /// # Errors
    /// What [`Position`] promises and the pieces do not keep. The counters must be within the limits above.
    pub fn new(
        pieces: impl IntoIterator<Item = (Square, Piece)>,
        side_to_move: Color,
        halfmove: u8,
        fullmove: u32,
    ) -> Result<Self, FenError> {
        if halfmove > Self::MAX_HALFMOVE {
            return Err(FenError::HalfmoveClock(halfmove.to_string()));
        }
        if !(1..=Self::MAX_FULLMOVE).contains(&fullmove) {
            return Err(FenError::FullmoveNumber(fullmove.to_string()));
        }
        let mut position = Self {
            roles: [Bitboard::EMPTY; 6],
            colors: [Bitboard::EMPTY; 2],
            hash: 0,
            fullmove,
            halfmove,
            side_to_move,
        };
        for (square, piece) in pieces {
            let here = Bitboard::of(square);
            for set in position.roles.iter_mut().chain(&mut position.colors) {
                *set &= !here;
            }
            position.roles[piece.role as usize] |= here;
            position.colors[piece.color as usize] |= here;
        }
        position.hash = position.hash_from_scratch();
        position.validate()?;
        Ok(position)
    }

    fn validate(&self) -> Result<(), FenError> {
        for color in [Color::White, Color::Black] {
            let found = self.pieces(color, Role::King).count();
            if found != 1 {
                return Err(FenError::Kings { color, found });
            }
        }
        for (color, rank) in [(Color::White, 3), (Color::Black, 0)] {
            if let Some(pawn) = (self.pieces(color, Role::Pawn) & Bitboard::rank(rank)).first() {
                return Err(FenError::PawnOnPromotionRank { square: pawn.for_people() });
            }
        }
        let idle = self.side_to_move.other();
        let king = self.king(idle);
        if self.attacked(self.side_to_move, self.occupied()).has(king) {
            return Err(FenError::OpponentInCheck { square: king.for_people() });
        }
        Ok(())
    }

    /// Who moves next.
    pub fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// Single moves since the last pawn move or capture.
    pub fn halfmove_clock(&self) -> u8 {
        self.halfmove
    }

    /// The number of the move that comes next, as written in a record.
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove
    }

    /// A key of placement and side to move: equal positions have equal keys.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The squares of one side's pieces of one role.
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.by_role(role) & self.by_color(color)
    }

    /// The squares of one side's pieces.
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of both sides' pieces of one role.
    pub fn by_role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// Every square on which something stands.
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// Where this side's king stands.
    pub fn king(&self, color: Color) -> Square {
        // There is exactly one, so the index is below 64.
        Square::from_index(self.pieces(color, Role::King).0.trailing_zeros() as u8)
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let role = self.role_at(square)?;
        let white = self.by_color(Color::White).has(square);
        Some(Piece { color: if white { Color::White } else { Color::Black }, role })
    }

    /// The role of what stands on a square.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.by_role(role).has(square))
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        let us = self.side_to_move;
        !self.attackers(us.other(), self.king(us)).is_empty()
    }

    /// Whether placement and side to move are the same, whatever the counters.
    pub fn repeats(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.side_to_move == other.side_to_move
            && self.roles == other.roles
            && self.colors == other.colors
    }

    /// The pieces of a side, its king included, that attack a square.
    pub fn attackers(&self, by: Color, square: Square) -> Bitboard {
        self.attackers_among(square, self.occupied()) & self.by_color(by)
    }

    /// Both sides' pieces that attack a square among `occupied`, pinned ones included. A piece that is no longer among
    /// `occupied` still counts, but hides nothing behind it.
    pub fn attackers_among(&self, square: Square, occupied: Bitboard) -> Bitboard {
        // A pawn attacks a square if an enemy pawn there would attack it.
        attacks::pawn_captures(Color::Black, square) & self.pieces(Color::White, Role::Pawn)
            | attacks::pawn_captures(Color::White, square) & self.pieces(Color::Black, Role::Pawn)
            | attacks::knight(square) & self.by_role(Role::Knight)
            | attacks::bishop(square, occupied) & self.by_role(Role::Bishop)
            | attacks::rook(square, occupied) & self.by_role(Role::Rook)
            | attacks::queen(square, occupied) & self.by_role(Role::Queen)
            | attacks::king(square) & self.by_role(Role::King)
    }

    /// Every square that this color's pieces attack among `occupied`, their own and pinned pieces' included.
    pub(super) fn attacked(&self, by: Color, occupied: Bitboard) -> Bitboard {
        let pawns = attacks::pawn_captures_by_direction(by, self.pieces(by, Role::Pawn));
        let mut attacked = pawns.into_iter().fold(Bitboard::EMPTY, |all, some| all | some);
        for square in self.pieces(by, Role::Knight) {
            attacked |= attacks::knight(square);
        }
        self.for_each_slider(by, Bitboard::ALL, occupied, |_, reached| attacked |= reached);
        attacked | attacks::king(self.king(by))
    }

    /// Calls `visit` with each of a side's `movable` bishops, rooks and queens, and where it reaches among `occupied`,
    /// blockers included.
    pub(super) fn for_each_slider(
        &self,
        color: Color,
        movable: Bitboard,
        occupied: Bitboard,
        mut visit: impl FnMut(Square, Bitboard),
    ) {
        for from in self.pieces(color, Role::Bishop) & movable {
            visit(from, attacks::bishop(from, occupied));
        }
        for from in self.pieces(color, Role::Rook) & movable {
            visit(from, attacks::rook(from, occupied));
        }
        for from in self.pieces(color, Role::Queen) & movable {
            visit(from, attacks::queen(from, occupied));
        }
    }

    /// Makes a move of the piece that stands on `from`. The caller knows that it is legal.
    pub(super) fn make(&mut self, role: Role, Move { from, to }: Move) {
        let us = self.side_to_move;
        let them = us.other();
        let (leaves, reaches) = (Bitboard::of(from), Bitboard::of(to));
        self.hash ^= SIDE_KEY ^ key(us, role, from);
        self.halfmove = self.halfmove.saturating_add(1);
        if self.colors[them as usize].meets(reaches) {
            self.halfmove = 0;
            self.colors[them as usize] ^= reaches;
            for victim in Role::ALL {
                if self.roles[victim as usize].meets(reaches) {
                    self.roles[victim as usize] ^= reaches;
                    self.hash ^= key(them, victim, to);
                    break;
                }
            }
        }
        self.colors[us as usize] ^= leaves | reaches;
        self.roles[role as usize] ^= leaves;
        let becomes = if role == Role::Pawn {
            self.halfmove = 0;
            if PROMOTION_RANKS.has(to) { Role::Queen } else { Role::Pawn }
        } else {
            role
        };
        self.roles[becomes as usize] |= reaches;
        self.hash ^= key(us, becomes, to);
        if us == Color::Black {
            self.fullmove = Self::MAX_FULLMOVE.min(self.fullmove + 1);
        }
        self.side_to_move = them;
    }

    /// Hands the move to the other side. Such a position repeats none and counts towards nothing.
    pub(super) fn pass(&mut self) {
        self.hash ^= SIDE_KEY;
        self.side_to_move = self.side_to_move.other();
        self.halfmove = 0;
    }

    /// What [`Position::hash`] must be.
    fn hash_from_scratch(&self) -> u64 {
        let side = if self.side_to_move == Color::Black { SIDE_KEY } else { 0 };
        Square::all().fold(side, |hash, square| match self.piece_at(square) {
            Some(piece) => hash ^ key(piece.color, piece.role, square),
            None => hash,
        })
    }
}

/// Where pawns become queens: a pawn never moves back, so either last rank is its own.
pub(super) const PROMOTION_RANKS: Bitboard = Bitboard(Bitboard::rank(0).0 | Bitboard::rank(3).0);

/// The FEN.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One random word for each piece on each square.
static KEYS: [[[u64; 64]; 6]; 2] = keys();
/// Added when Black is to move.
const SIDE_KEY: u64 = random_word(0);

fn key(color: Color, role: Role, square: Square) -> u64 {
    KEYS[color as usize][role as usize][square.index()]
}

const fn keys() -> [[[u64; 64]; 6]; 2] {
    let mut keys = [[[0; 64]; 6]; 2];
    let mut n = 0;
    while n < 2 * 6 * 64 {
        keys[n / (6 * 64)][n / 64 % 6][n % 64] = random_word(n as u64 + 1);
        n += 1;
    }
    keys
}
