//! Looks at a position: `inspect <variant> "<FEN>"`. The first line has its legal moves, sorted, even if it is drawn;
//! the second one how the game has ended, or `*`.

use std::process::ExitCode;

use manifold_rules::{Game, Variant};

const USAGE: &str = "Usage: inspect <fourfold|fourfold-classic> \"<FEN>\"";

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
    let [variant, fen] = arguments else { return Err("Two arguments are needed.".to_owned()) };
    let variant: Variant = variant.parse().map_err(|error| format!("{error}"))?;
    let game = Game::from_fen(variant, fen).map_err(|error| error.to_string())?;
    let mut moves: Vec<String> =
        game.position().legal_turns().iter().map(ToString::to_string).collect();
    moves.sort();
    let outcome = game.end().map_or("*".to_owned(), |end| end.to_string());
    Ok((moves.join(" "), outcome))
}
