//! Replays a vector file from standard input: `replay <game> < games.tsv`. The last line tells how many positions
//! there were and how many differ from the file.

use std::io::Read;
use std::process::ExitCode;

use manifold_rules::Variant;

#[path = "../tests/support/replay.rs"]
mod replay;

const USAGE: &str = "Usage: replay <fourfold|parallel-worlds> < games.tsv";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match read(&arguments) {
        Ok((variant, text)) => {
            let report = replay::replay(variant, &text);
            for mismatch in &report.mismatches {
                println!("{mismatch}");
            }
            println!("{} positions, {} mismatches", report.positions, report.mismatches.len());
            if report.mismatches.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(reason) => {
            eprintln!("{reason}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn read(arguments: &[String]) -> Result<(Variant, String), String> {
    let [game] = arguments else { return Err("One argument is needed.".to_owned()) };
    let variant: Variant = game.parse().map_err(|error| format!("{error}"))?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok((variant, text))
}
