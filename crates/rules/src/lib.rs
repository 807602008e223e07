//! The rules of Manifold's games: what is legal, how it is written, how a game ends. No IO, no clock, no async.
//!
//! ```
//! use manifold_rules::{Color, Game, Variant};
//!
//! let mut game = Game::new(Variant::Fourfold);
//! let turn = game.parse_turn("d1@00d1@11")?;
//! assert_eq!(game.lan(&turn), "Qd1@00-d1@11");
//! game.play(&turn)?;
//! assert_eq!(game.side_to_move(), Color::Black);
//! assert_eq!(game.fen(), "4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/3Q b 1 1");
//! assert_eq!(game.end(), None);
//!
//! let refused = game.parse_turn("a4@01a1@01").unwrap_err();
//! assert_eq!(refused.to_string(), "The pawn on a3[0,1] is in the way.");
//! # Ok::<(), manifold_rules::TurnError>(())
//! ```
//!
//! Where to read next: [`Game`] and [`record::Record`] are all that a server needs. [`fourfold::Position`] is what a search wants: small,
//! copied, and quick at legal moves; `fourfold/attacks.rs` tells why four dimensions fit in one `u64`.
//! [`parallel`] is the same for three levels, where a turn is built move by move: [`Game::under_way`].
//! Why a move is not legal, [`Game::explain`] says; where a piece goes from an empty board's square, [`Variant::reach`],
//! who attacks a square, [`Game::attackers`], and why a king in check cannot go, [`Game::flights`].

mod attackers;
mod error;
mod fen;
mod flights;
pub mod fourfold;
mod game;
mod lan;
pub mod parallel;
mod position;
mod reach;
pub mod record;
mod turn_error;
mod types;
mod zobrist;

pub use attackers::Attacker;
pub use error::{FenError, LanError, LanMark};
pub use flights::{Flight, Flights, Guard};
pub use game::{Game, Turn, UnderWay};
pub use position::{Position, SingleMove};
pub use reach::Reach;
pub use turn_error::{Changes, TurnError};
pub use types::{Color, GameEnd, Marks, Outcome, Piece, Role, Termination, UnknownName, Variant};
