//! Looks for positions with a mate in two or three moves in games that a weak level plays against itself, proves by
//! brute force that there is none shorter, and prints them as lines of `tests/mates/fourfold.tsv`.
//!
//! ```text
//! find-mates <positions of each kind> <seed>
//! find-mates prove <variant> <moves> ["<FEN>"]
//! ```

#[path = "../tests/support/brute.rs"]
mod brute;
mod support;

use std::collections::HashSet;
use std::process::ExitCode;

use brute::shortest_mate;
use manifold_engine::{Level, Limits};
use manifold_rules::fourfold::Position;
use manifold_rules::{Game, Position as AnyPosition, Termination, Variant};
use support::{Random, opening};

const USAGE: &str = "Usage: find-mates <positions of each kind> <seed>\n       \
                     find-mates prove <variant> <moves> [\"<FEN>\"]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["prove", variant, moves] => prove(variant, moves, None),
        ["prove", variant, moves, fen] => prove(variant, moves, Some(fen)),
        [each, seed] => {
            each.parse().ok().zip(seed.parse().ok()).map(|(each, seed)| find(each, seed))
        }
        _ => None,
    };
    if done.is_none() {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// Says in how many moves the side to move mates.
fn prove(variant: &str, moves: &str, fen: Option<&str>) -> Option<()> {
    let variant: Variant = variant.parse().ok()?;
    let game = match fen {
        Some(fen) => Game::from_fen(variant, fen).ok()?,
        None => Game::new(variant),
    };
    let AnyPosition::Fourfold(position) = game.position() else { return None };
    match shortest_mate(position, moves.parse().ok()?) {
        Some(mate) => println!("mate in {mate}"),
        None => println!("no mate in {moves}"),
    }
    Some(())
}

fn find(each: usize, seed: u64) {
    let mut random = Random(seed);
    for variant in [Variant::FourfoldClassic, Variant::Fourfold] {
        for moves in [2, 3] {
            let mut seen = HashSet::new();
            while seen.len() < each {
                let mut game = opening(variant, 6, 300, &mut random);
                let player = random.below(1000) as u64;
                while let Some(choice) = Level::Cube.best_turn(&game, player, Limits::default()) {
                    game.play(&choice.turn).expect("the engine plays legal turns");
                }
                if game.end().is_none_or(|end| end.termination != Termination::Checkmate) {
                    continue;
                }
                // Where the winner was to move, and that many moves were left.
                let Some(position) = game.positions().rev().nth(2 * moves as usize - 1) else {
                    continue;
                };
                let AnyPosition::Fourfold(position) = position else { continue };
                let fen = position.to_string();
                if is_early(position)
                    && shortest_mate(position, moves) == Some(moves)
                    && seen.insert(fen.clone())
                {
                    println!("{variant}\t{fen}\t{moves}");
                }
            }
        }
    }
}

/// Whether the hundred moves are far away, so that they do not come before the mate.
fn is_early(position: &Position) -> bool {
    position.halfmove_clock() < 50
}
