//! Replays vector files, for the tests and for the example `replay`.
//!
//! A line `game<TAB>FEN` starts a game; every line after it is a turn: `turn<TAB>FEN after it<TAB>outcome<TAB>number
//! of legal moves in that position`, where the outcome `*` means that the game goes on and the number `-` was not
//! counted.

use manifold_rules::{Game, Variant};

/// What came of a file.
pub struct Report {
    /// How many turns were played.
    pub positions: usize,
    /// What was wrong with each line that was wrong.
    pub mismatches: Vec<String>,
}

/// Plays every game of a file.
pub fn replay(variant: Variant, text: &str) -> Report {
    let mut report = Report { positions: 0, mismatches: Vec::new() };
    let mut game = Err("no game has started".to_owned());
    for (line, number) in text.lines().zip(1..) {
        let fields: Vec<&str> = line.split('\t').collect();
        let problem = match fields[..] {
            ["game", fen] => {
                game = start(variant, fen);
                game.as_ref().err().cloned()
            }
            [turn, fen, outcome, count] => {
                report.positions += 1;
                let problem = match &mut game {
                    Ok(game) => play(game, turn, fen, outcome, count).err(),
                    Err(reason) => Some(reason.clone()),
                };
                if problem.is_some() {
                    // One wrong line is one mismatch: the next turn starts where this one should have led.
                    game = start(variant, fen);
                }
                problem
            }
            _ => Some("not a line of a vector file".to_owned()),
        };
        report.mismatches.extend(problem.map(|problem| format!("line {number}: {problem}")));
    }
    report
}

fn start(variant: Variant, fen: &str) -> Result<Game, String> {
    let game = Game::from_fen(variant, fen).map_err(|error| error.to_string())?;
    same("FEN", &game.fen(), fen)?;
    Ok(game)
}

fn play(game: &mut Game, turn: &str, fen: &str, outcome: &str, count: &str) -> Result<(), String> {
    let parsed = game.parse_turn(turn).map_err(|error| format!("{turn}: {error}"))?;
    same("turn", &parsed.to_string(), turn)?;
    game.play(&parsed).map_err(|error| format!("{turn}: {error}"))?;
    same("FEN", &game.fen(), fen)?;
    let end = game.end().map_or("*".to_owned(), |end| end.to_string());
    same("outcome", &end, outcome)?;
    if count == "-" {
        Ok(())
    } else {
        same("count", &game.position().first_moves().len().to_string(), count)
    }
}

fn same(what: &str, found: &str, expected: &str) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("the {what} is {found} instead of {expected}"))
    }
}
