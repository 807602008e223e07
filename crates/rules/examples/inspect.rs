//! Looks at a position: `inspect <variant> "<FEN>" [partial turn]`. The first line has its legal moves, sorted, even if
//! it is drawn; the second one how the game has ended, or `*`. In Parallel Worlds the moves are the single moves that
//! may come first, or after the moves of the partial turn.

use std::process::ExitCode;

use manifold_rules::{Game, Variant};

const USAGE: &str =
    "Usage: inspect <fourfold|fourfold-classic|parallel-worlds> \"<FEN>\" [partial turn]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match inspect(&arguments) {
        Ok((moves, outcome)) => {
            println!("{moves}\n{outcome}");
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn inspect(arguments: &[String]) -> Result<(String, String), String> {
    let (variant, fen, partial) = match arguments {
        [variant, fen] => (variant, fen, ""),
        [variant, fen, partial] => (variant, fen, partial.as_str()),
        _ => return Err("Two or three arguments are needed.".to_owned()),
    };
    let variant: Variant = variant.parse().map_err(|error| format!("{error}"))?;
    let game = Game::from_fen(variant, fen).map_err(|error| error.to_string())?;
    let moves = if partial.is_empty() {
        game.position().first_moves()
    } else {
        game.under_way(partial).map_err(|error| error.to_string())?.legal
    };
    let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    moves.sort();
    let outcome = game.end().map_or("*".to_owned(), |end| end.to_string());
    Ok((moves.join(" "), outcome))
}
