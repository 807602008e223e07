//! Why a position or a record's move was refused, in sentences for people.

use thiserror::Error;

use crate::turn_error::TurnError;
use crate::types::Color;

/// Why a FEN was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FenError {
    /// The text is not made of the right number of fields with one space between them.
    #[error("A FEN has {expected} fields with one space between them, not {found}.")]
    Fields {
        /// How many this game's FEN has.
        expected: usize,
        /// How many there were.
        found: usize,
    },
    /// The placement is not made of the right number of boards.
    #[error("The placement has {expected} boards joined by “|”, not {found}.")]
    Boards {
        /// How many this game has.
        expected: usize,
        /// How many there were.
        found: usize,
    },
    /// A board is not made of the right number of ranks.
    #[error(
        "Board {board} of the placement has {found} ranks joined by “/” instead of {expected}."
    )]
    Ranks {
        /// Which board, from 1, in the order of the FEN.
        board: usize,
        /// How many ranks a board of this game has.
        expected: usize,
        /// How many there were.
        found: usize,
    },
    /// A rank does not describe each of its squares exactly once.
    #[error("“{rank}” on board {board} does not describe exactly {expected} squares.")]
    RankLength {
        /// Which board, from 1, in the order of the FEN.
        board: usize,
        /// The text of the rank.
        rank: String,
        /// How many squares a rank of this game has.
        expected: u8,
    },
    /// A character of the placement is neither a piece nor a number of empty squares.
    #[error("“{0}” is neither a piece nor a number of empty squares.")]
    Piece(char),
    /// The side to move is neither `w` nor `b`.
    #[error("The side to move is “w” or “b”, not “{0}”.")]
    SideToMove(String),
    /// The halfmove clock is not a plain number from 0 to 100.
    #[error("The halfmove clock is a number from 0 to 100, not “{0}”.")]
    HalfmoveClock(String),
    /// The fullmove number is not a plain number from 1 to 1,000,000.
    #[error("The fullmove number is a number from 1 to 1000000, not “{0}”.")]
    FullmoveNumber(String),
    /// A side has too few or too many kings.
    #[error("A side has exactly one king, but {color} has {found}.")]
    Kings {
        /// Whose kings.
        color: Color,
        /// How many there were.
        found: u32,
    },
    /// A pawn stands where it would have become a queen.
    #[error("The pawn on {square} stands on its promotion rank.")]
    PawnOnPromotionRank {
        /// Where it stands, as people are shown it.
        square: String,
    },
    /// Each side needs a king on level 1 and one on level 3, unless one of the side to move has just been captured.
    #[error("{color} does not have one king on level 1 and one on level 3.")]
    LevelKings {
        /// Whose kings.
        color: Color,
    },
    /// The castling rights are not written in the one way there is.
    #[error("Castling rights are written like “KQkq|-”, not “{0}”.")]
    CastlingRights(String),
    /// King or rook are not at home.
    #[error("{color} cannot castle on level {level}: its king or its rook is away.")]
    CastlingImpossible {
        /// Whose right.
        color: Color,
        /// 1 or 3.
        level: u8,
    },
    /// No double step can have passed there, or no pawn can answer it.
    #[error("“{0}” is not where a double step can be answered.")]
    EnPassant(String),
    /// Two moves of a turn never end on the same level, so one of the double steps was not made.
    #[error("Level {level} has two en passant squares, but a turn has one double step on a level.")]
    EnPassantTwice {
        /// 1 or 3.
        level: u8,
    },
    /// The king of the side that just moved could be captured.
    #[error("The king of the side that just moved, on {square}, is attacked.")]
    OpponentInCheck {
        /// Where that king stands, as people are shown it.
        square: String,
    },
}

/// Why a move in LAN was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LanError {
    /// The text is not LAN.
    #[error("“{0}” is not a move in long algebraic notation.")]
    Malformed(String),
    /// The move is not legal.
    #[error(transparent)]
    Turn(#[from] TurnError),
    /// The move is legal, but is not written like that.
    #[error("“{found}” has a wrong {mark}; the move is written “{expected}”.")]
    Mark {
        /// What was read.
        found: String,
        /// Which part of it is wrong.
        mark: LanMark,
        /// The whole move as it should be.
        expected: String,
    },
}

/// A part of a move in LAN that says something about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LanMark {
    /// The letter of the piece.
    #[error("piece letter")]
    Piece,
    /// `x` or `-`.
    #[error("capture mark")]
    Capture,
    /// `=Q`.
    #[error("promotion mark")]
    Promotion,
    /// `+` or `#`.
    #[error("check mark")]
    Check,
}
