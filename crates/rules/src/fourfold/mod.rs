//! Fourfold: chess on a 4 × 4 × 2 × 2 board.

pub mod attacks;
mod bitboard;
mod explain;
mod fen;
mod lan;
mod movegen;
mod perft;
mod position;
mod square;

pub use bitboard::{Bitboard, Squares};
pub use movegen::PieceMoves;
pub use position::{MalformedMove, Move, Position};
pub use square::{Square, SquareError};
