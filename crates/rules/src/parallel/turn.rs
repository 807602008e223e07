//! Turns: one to three single moves.

use std::fmt;
use std::str::FromStr;

use super::movegen::PieceMoves;
use super::position::{Position, number, promotion_rank, world};
use super::square::{Level, Square, places};
use crate::lan::write_ascii;
use crate::turn_error::TurnError;
use crate::types::{Color, Piece, Role};
use crate::zobrist::random_word;

/// The most moves that a turn ever holds.
pub const MAX_MOVES: usize = 3;

/// One move of a turn; castling is the king's move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Single {
    /// The square it leaves.
    pub from: Square,
    /// The square it reaches.
    pub to: Square,
    /// What a pawn becomes on its last rank of level 1 or 3.
    pub promotion: Option<Role>,
}

/// The roles that a pawn can become.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// As stored and sent: `a7@1a8@1q`.
impl fmt::Display for Single {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [0; 9];
        text[..4].copy_from_slice(&self.from.wire());
        text[4..8].copy_from_slice(&self.to.wire());
        let length = match self.promotion {
            Some(role) => {
                text[8] = role.letter().to_ascii_lowercase() as u8;
                9
            }
            None => 8,
        };
        write_ascii(f, &text[..length])
    }
}

/// The text is not a turn, whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedTurn;

impl FromStr for Single {
    type Err = MalformedTurn;

    fn from_str(text: &str) -> Result<Self, MalformedTurn> {
        let (from, rest) = Square::parse_prefix(text).ok_or(MalformedTurn)?;
        let (to, rest) = Square::parse_prefix(rest).ok_or(MalformedTurn)?;
        let promotion = match rest {
            "" => None,
            "q" => Some(Role::Queen),
            "r" => Some(Role::Rook),
            "b" => Some(Role::Bishop),
            "n" => Some(Role::Knight),
            _ => return Err(MalformedTurn),
        };
        Ok(Self { from, to, promotion })
    }
}

/// One to three moves in the order in which they are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    first: Single,
    /// The second move and the third; no third without a second.
    more: [Option<Single>; MAX_MOVES - 1],
}

impl Turn {
    /// A turn of these moves; `None` if there are none or too many.
    pub fn new(moves: &[Single]) -> Option<Self> {
        match *moves {
            [first] => Some(Self { first, more: [None, None] }),
            [first, second] => Some(Self { first, more: [Some(second), None] }),
            [first, second, third] => Some(Self { first, more: [Some(second), Some(third)] }),
            _ => None,
        }
    }

    /// The moves in their order.
    pub fn moves(&self) -> impl Iterator<Item = Single> + use<> {
        std::iter::once(self.first).chain(self.more.into_iter().flatten())
    }
}

/// As stored and sent: moves joined by commas.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, single) in self.moves().enumerate() {
            write!(f, "{}{single}", if n > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

impl FromStr for Turn {
    type Err = MalformedTurn;

    fn from_str(text: &str) -> Result<Self, MalformedTurn> {
        let moves: Vec<Single> =
            text.split(',').take(MAX_MOVES + 1).map(str::parse).collect::<Result<_, _>>()?;
        Self::new(&moves).ok_or(MalformedTurn)
    }
}

/// A turn under way: the moves made so far, and what they forbid the next ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialTurn {
    /// With the moves made, but still with the counters and the en passant squares of the turn's start.
    pub(super) board: Position,
    /// Where the pieces that have moved stand, by level.
    pub(super) moved: [u64; 3],
    /// Behind the pawns that have made a double step, on levels 1 and 3.
    passed: [Option<Square>; 2],
    /// One bit for each level on which a move has ended.
    pub(super) ended: u8,
    /// How many more moves the turn may hold; none after the capture of a king.
    pub(super) left: u8,
    /// Whether there was a pawn move or a capture.
    irreversible: bool,
    king_captured: bool,
}

impl PartialTurn {
    /// A turn without a move yet.
    pub fn new(position: &Position) -> Self {
        let king_captured = position.lacks_a_king();
        let most = if is_very_first(position) { MAX_MOVES - 1 } else { MAX_MOVES };
        Self {
            board: *position,
            moved: [0; 3],
            passed: [None; 2],
            ended: 0,
            left: if king_captured { 0 } else { most as u8 },
            irreversible: false,
            king_captured,
        }
    }

    /// The turn under way after these moves.
    ///
    /// # Errors
    /// Why one of them is not legal.
    pub fn after(position: &Position, turn: Turn) -> Result<Self, TurnError> {
        let mut partial = Self::new(position);
        for single in turn.moves() {
            partial.play(single)?;
        }
        Ok(partial)
    }

    /// What stands where after the moves made. All else is as at the turn's start.
    pub fn board(&self) -> &Position {
        &self.board
    }

    /// Whether a king has been captured, in this turn or the one before.
    pub fn has_captured_king(&self) -> bool {
        self.king_captured
    }

    /// How many more moves the turn may hold; none after the capture of a king.
    pub fn moves_left(&self) -> usize {
        usize::from(self.left)
    }

    /// Whether no move of the turn has ended on a level yet.
    pub fn is_open(&self, level: Level) -> bool {
        self.ended & 1 << level as u8 == 0
    }

    /// The pieces of the side to move on a level that have not moved in this turn.
    pub fn movable(&self, level: Level) -> u64 {
        self.board.by_color(self.board.side_to_move(), level) & !self.moved[level as usize]
    }

    /// A key of everything on which it depends what the turn can still come to, and where it leads.
    pub fn hash(&self) -> u64 {
        let words = self.moved.into_iter().chain([u64::from(self.ended)
            | u64::from(self.left) << 8
            | u64::from(self.irreversible) << 16]);
        let passed = self.passed.into_iter().flatten().map(|square| number(square) as u64);
        words
            .chain(passed)
            .fold(self.board.hash(), |hash, word| random_word(hash.rotate_left(7) ^ word))
    }

    /// Calls `visit` with every piece that may move next and where it may go, level by level.
    pub fn for_each_next(&self, mut visit: impl FnMut(PieceMoves)) {
        if self.left == 0 {
            return;
        }
        for start in Level::ALL {
            for place in places(self.movable(start)) {
                let from = Square::new(start, place);
                let Some(role) = self.board.role_at(from) else { continue };
                for level in Level::ALL.into_iter().filter(|level| self.is_open(*level)) {
                    let to = self.board.reached(role, from, level);
                    if to != 0 {
                        visit(PieceMoves { role, from, level, to });
                    }
                }
            }
        }
    }

    /// Every move that may come next.
    pub fn next_moves(&self) -> Vec<Single> {
        let mut moves = Vec::with_capacity(128);
        self.for_each_next(|piece| moves.extend(self.singles(piece)));
        moves
    }

    /// The moves of a piece one by one: four where a pawn promotes.
    pub fn singles(&self, moves: PieceMoves) -> impl Iterator<Item = Single> + use<> {
        let PieceMoves { role, from, level, to } = moves;
        let us = self.board.side_to_move();
        places(to).flat_map(move |place| {
            let to = Square::new(level, place);
            let promotions = promotes(us, role, to);
            let becomes: &[Option<Role>] = if promotions { &SOMETHING } else { &[None] };
            becomes.iter().map(move |&promotion| Single { from, to, promotion })
        })
    }

    /// Makes a move.
    ///
    /// # Errors
    /// Why the move may not come next; the turn is then unchanged.
    pub fn play(&mut self, single: Single) -> Result<(), TurnError> {
        let role = self.check(single)?;
        self.play_unchecked(role, single);
        Ok(())
    }

    /// Makes a move of a piece of this role that [`PartialTurn::for_each_next`] has found.
    pub fn play_unchecked(&mut self, role: Role, single: Single) {
        let played = self.board.make(role, single);
        self.king_captured |= played.captured == Some(Role::King);
        self.left = if self.king_captured { 0 } else { self.left - 1 };
        self.irreversible |= played.captured.is_some() || role == Role::Pawn;
        self.ended |= 1 << single.to.level as u8;
        self.moved[single.to.level as usize] |= single.to.bit();
        if let Some(rook) = played.castled_rook {
            self.moved[rook.level as usize] |= rook.bit();
        }
        if let Some(passed) = played.passed {
            self.passed[world(passed.level)] = Some(passed);
        }
    }

    /// The role of the piece that a move moves.
    pub(super) fn check(&self, single: Single) -> Result<Role, TurnError> {
        let role = self.check_squares(single)?;
        let to = single.to;
        match (promotes(self.board.side_to_move(), role, to), single.promotion) {
            (true, None) => Err(TurnError::PromotionMissing { square: to.to_string() }),
            (false, Some(_)) => Err(TurnError::NoPromotion { role, square: to.to_string() }),
            (true, Some(_)) | (false, None) => Ok(role),
        }
    }

    /// The role of the piece that a move moves, whatever it becomes.
    pub(crate) fn check_squares(&self, Single { from, to, .. }: Single) -> Result<Role, TurnError> {
        if self.king_captured {
            return Err(TurnError::GameOver);
        }
        if self.left == 0 {
            return Err(if is_very_first(&self.board) {
                TurnError::FirstTurnFull
            } else {
                TurnError::TurnFull
            });
        }
        let square = || from.to_string();
        let role = match self.board.piece_at(from) {
            None => return Err(TurnError::EmptySquare { square: square() }),
            Some(Piece { color, role }) if color != self.board.side_to_move() => {
                return Err(TurnError::EnemyPiece { role, square: square() });
            }
            Some(Piece { role, .. }) => role,
        };
        if self.moved[from.level as usize] & from.bit() != 0 {
            return Err(TurnError::MovedAlready { role, square: square() });
        }
        if self.board.reached(role, from, to.level) & to.bit() == 0 {
            return Err(self.board.why_not(role, from, to));
        }
        if !self.is_open(to.level) {
            return Err(TurnError::LevelTaken { level: to.level.number() });
        }
        Ok(role)
    }

    /// The position after the turn. There is no passing: the caller has made a move.
    pub fn finish(self) -> Position {
        let mut next = self.board;
        next.end_turn(self.passed, self.irreversible);
        next
    }
}

/// Whether it is White's first turn of the game.
fn is_very_first(position: &Position) -> bool {
    position.side_to_move() == Color::White && position.fullmove_number() == 1
}

/// Whether a piece that reaches a square becomes another one there.
pub fn promotes(us: Color, role: Role, to: Square) -> bool {
    role == Role::Pawn && promotion_rank(us, to.level) & to.bit() != 0
}

/// [`PROMOTIONS`], as moves have them.
const SOMETHING: [Option<Role>; 4] =
    [Some(Role::Queen), Some(Role::Rook), Some(Role::Bishop), Some(Role::Knight)];
