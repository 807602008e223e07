//! What the engine thinks of a position, depth by depth: `analyze <variant> <nodes> ["<FEN>"]`.

use std::process::ExitCode;
use std::time::Instant;

use manifold_engine::{Limits, best_turn};
use manifold_rules::{Game, Variant};

const USAGE: &str =
    "Usage: analyze <fourfold|fourfold-classic|parallel-worlds> <nodes> [\"<FEN>\"]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match analyze(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn analyze(arguments: &[String]) -> Result<(), String> {
    let (variant, nodes, fen) = match arguments {
        [variant, nodes] => (variant, nodes, None),
        [variant, nodes, fen] => (variant, nodes, Some(fen)),
        _ => return Err("Two or three arguments are needed.".to_owned()),
    };
    let variant: Variant = variant.parse().map_err(|error| format!("{error}"))?;
    let nodes: u64 = nodes.parse().map_err(|_| format!("“{nodes}” is not a number."))?;
    let game = match fen {
        Some(fen) => Game::from_fen(variant, fen).map_err(|error| error.to_string())?,
        None => Game::new(variant),
    };
    for depth in 1.. {
        let start = Instant::now();
        let limits = Limits { nodes: Some(nodes), depth: Some(depth), ..Limits::default() };
        let Some(choice) = best_turn(&game, limits) else {
            return Err("The game is over.".to_owned());
        };
        let seconds = start.elapsed().as_secs_f64();
        let line: Vec<String> =
            choice.principal_variation.iter().map(ToString::to_string).collect();
        println!(
            "depth {:>2}  {:>7}  {:>9} nodes  {:>8.0} nodes/s  {}",
            choice.depth,
            choice.score.to_string(),
            choice.nodes,
            choice.nodes as f64 / seconds,
            line.join(" ")
        );
        if choice.depth < depth {
            return Ok(());
        }
    }
    Ok(())
}
