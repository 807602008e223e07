//! Turns: one to three single moves.

use std::fmt;
use std::str::FromStr;

use super::position::Position;
use super::square::{Level, Square};
use crate::turn_error::TurnError;
use crate::types::{Color, Piece, Role};

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
        write!(f, "{}{}", self.from, self.to)?;
        match self.promotion {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase()),
            None => Ok(()),
        }
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
#[derive(Clone, Copy, Debug)]
pub struct PartialTurn {
    /// With the moves made, but still with the counters and the en passant squares of the turn's start.
    board: Position,
    /// Where the pieces that have moved stand, by level.
    moved: [u64; 3],
    /// Whether a move has ended on each level.
    ended: [bool; 3],
    /// Behind the pawns that have made a double step, by level.
    passed: [u64; 3],
    /// How many more moves the turn may hold.
    left: usize,
    /// Whether there was a pawn move or a capture.
    irreversible: bool,
}

impl PartialTurn {
    /// A turn without a move yet.
    pub fn new(position: &Position) -> Self {
        Self {
            board: *position,
            moved: [0; 3],
            ended: [false; 3],
            passed: [0; 3],
            left: if is_very_first(position) { MAX_MOVES - 1 } else { MAX_MOVES },
            irreversible: false,
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

    /// Every move that may come next.
    pub fn next_moves(&self) -> Vec<Single> {
        let mut moves = Vec::new();
        if self.may_go_on() {
            let us = self.board.side_to_move();
            for level in Level::ALL {
                let movable = self.board.by_color(us, level) & !self.moved[level as usize];
                for place in super::square::places(movable) {
                    let from = Square::new(level, place);
                    if let Some(role) = self.board.role_at(from) {
                        self.push_moves(role, from, &mut moves);
                    }
                }
            }
        }
        moves
    }

    fn may_go_on(&self) -> bool {
        // A captured king ends everything.
        self.left > 0 && !self.board.lacks_a_king()
    }

    fn push_moves(&self, role: Role, from: Square, moves: &mut Vec<Single>) {
        let reached = self.board.reached(role, from);
        for level in Level::ALL {
            if self.ended[level as usize] {
                continue;
            }
            for place in super::square::places(reached[level as usize]) {
                let to = Square::new(level, place);
                if self.promotes(role, to) {
                    let single = |role| Single { from, to, promotion: Some(role) };
                    moves.extend(PROMOTIONS.map(single));
                } else {
                    moves.push(Single { from, to, promotion: None });
                }
            }
        }
    }

    /// Whether a piece that reaches a square promotes there.
    fn promotes(&self, role: Role, to: Square) -> bool {
        role == Role::Pawn && self.board.is_promotion_square(to)
    }

    /// Makes a move.
    ///
    /// # Errors
    /// Why the move may not come next; the turn is then unchanged.
    pub fn play(&mut self, single: Single) -> Result<(), TurnError> {
        let role = self.check(single)?;
        let played = self.board.make(role, single);
        self.left -= 1;
        self.irreversible |= played.captured || role == Role::Pawn;
        self.ended[single.to.level as usize] = true;
        self.moved[single.to.level as usize] |= single.to.bit();
        if let Some(rook) = played.castled_rook {
            self.moved[rook.level as usize] |= rook.bit();
        }
        if let Some(passed) = played.passed {
            self.passed[passed.level as usize] |= passed.bit();
        }
        Ok(())
    }

    /// The role of the piece that a move moves.
    pub(super) fn check(&self, single: Single) -> Result<Role, TurnError> {
        let role = self.check_squares(single)?;
        let to = single.to;
        match (self.promotes(role, to), single.promotion) {
            (true, None) => Err(TurnError::PromotionMissing { square: to.to_string() }),
            (false, Some(_)) => Err(TurnError::NoPromotion { role, square: to.to_string() }),
            (true, Some(_)) | (false, None) => Ok(role),
        }
    }

    /// The role of the piece that a move moves, whatever it becomes.
    pub(crate) fn check_squares(&self, Single { from, to, .. }: Single) -> Result<Role, TurnError> {
        if self.board.lacks_a_king() {
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
        if self.board.reached(role, from)[to.level as usize] & to.bit() == 0 {
            return Err(self.board.why_not(role, from, to));
        }
        if self.ended[to.level as usize] {
            return Err(TurnError::LevelTaken { level: to.level.number() });
        }
        Ok(role)
    }

    /// The position after the turn. There is no passing: the caller has made a move.
    pub(super) fn finish(self) -> Position {
        let mut next = self.board;
        next.end_turn(self.passed, self.irreversible);
        next
    }
}

/// Whether it is White's first turn of the game.
fn is_very_first(position: &Position) -> bool {
    position.side_to_move() == Color::White && position.fullmove_number() == 1
}
