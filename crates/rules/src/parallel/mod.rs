//! Parallel Worlds: R. Wayne Schmittberger's chess on three levels, where a turn holds up to three moves
//! (*New Rules for Classic Games*, 1992, pp. 106–07).

pub mod attacks;
mod board;
mod count;
mod explain;
mod fen;
mod lan;
mod movegen;
mod position;
mod square;
mod turn;

pub use movegen::PieceMoves;
pub use position::Position;
pub use square::{Level, Square};
pub use turn::{MAX_MOVES, MalformedTurn, PartialTurn, Single, Turn, promotes};
