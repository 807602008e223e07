//! Counts the sequences of this many turns: `perft <variant> <depth> ["<FEN>"]`. The last line is the count.

use std::process::ExitCode;

use manifold_rules::{Game, Variant};

const USAGE: &str = "Usage: perft <fourfold|fourfold-classic|parallel-worlds> <depth> [\"<FEN>\"]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match count(&arguments) {
        Ok(leaves) => {
            println!("{leaves}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn count(arguments: &[String]) -> Result<u64, String> {
    let (variant, depth, fen) = match arguments {
        [variant, depth] => (variant, depth, None),
        [variant, depth, fen] => (variant, depth, Some(fen)),
        _ => return Err("Two or three arguments are needed.".to_owned()),
    };
    let variant: Variant = variant.parse().map_err(|error| format!("{error}"))?;
    let depth: u32 = depth.parse().map_err(|_| format!("“{depth}” is not a depth."))?;
    let game = match fen {
        Some(fen) => Game::from_fen(variant, fen).map_err(|error| error.to_string())?,
        None => Game::new(variant),
    };
    Ok(game.position().perft(depth))
}
