//! Plays two players against each other, each opening twice with colors swapped, and tells who is stronger.
//!
//! ```text
//! match <A> <B> [--variant fourfold] [--games 200] [--seed 1] [--plies 6]
//! ```
//!
//! A player is `level:3`, or `full@4000` (the engine with a bound of 4,000 positions a turn), or
//! `without:null-move,futility@4000` (the same less some of its parts). The same arguments give the same games.

mod support;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use manifold_engine::{Choice, Engine, Features, Level, Limits};
use manifold_rules::{Color, Game, Outcome, Variant};
use support::{Random, opening};

const USAGE: &str = "Usage: match <player> <player> [--variant <name>] [--games <n>] [--seed <n>] \
                     [--plies <n>]\nA player is level:<n>, full@<nodes> or without:<feature>,…@<nodes>.";
/// A game that goes on so long is a draw.
const LONGEST: usize = 500;
/// How much better one side may stand after the opening, in hundredths of a pawn.
const BALANCE: i32 = 150;

enum Player {
    Level(Level),
    Engine { engine: Engine, nodes: u64 },
}

impl Player {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some(number) = text.strip_prefix("level:") {
            let level = number.parse().ok().and_then(Level::new);
            return level.map(Self::Level).ok_or_else(|| format!("“{number}” is not a level."));
        }
        let (parts, nodes) =
            text.split_once('@').ok_or("After an engine comes @ and its nodes.")?;
        let nodes = nodes.parse().map_err(|_| format!("“{nodes}” is not a number."))?;
        let mut features = Features::ALL;
        match parts.strip_prefix("without:") {
            Some(names) => {
                for name in names.split(',') {
                    features = features.without(name.parse().map_err(|error| format!("{error}"))?);
                }
            }
            None if parts == "full" => {}
            None => return Err(format!("“{parts}” is not a player.")),
        }
        Ok(Self::Engine { engine: Engine::new(features), nodes })
    }

    fn choose(&self, game: &Game, seed: u64) -> Option<Choice> {
        match self {
            Self::Level(level) => level.best_turn(game, seed, Limits::default()),
            Self::Engine { engine, nodes } => {
                engine.best_turn(game, Limits { nodes: Some(*nodes), ..Limits::default() })
            }
        }
    }
}

/// What a player has used.
#[derive(Default)]
struct Effort {
    nodes: u64,
    turns: u64,
    depth: u64,
    time: Duration,
}

struct Options {
    players: [Player; 2],
    variant: Variant,
    games: usize,
    seed: u64,
    plies: usize,
}

impl Options {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let [a, b, rest @ ..] = arguments else { return Err("Two players are needed.".to_owned()) };
        let mut options = Self {
            players: [Player::parse(a)?, Player::parse(b)?],
            variant: Variant::Fourfold,
            games: 200,
            seed: 1,
            plies: 6,
        };
        for pair in rest.chunks(2) {
            let [name, value] = pair else { return Err(format!("{} needs a value.", pair[0])) };
            let number = || value.parse().map_err(|_| format!("“{value}” is not a number."));
            match name.as_str() {
                "--variant" => options.variant = value.parse().map_err(|e| format!("{e}"))?,
                "--games" => options.games = number()?,
                "--seed" => options.seed = number()? as u64,
                "--plies" => options.plies = number()?,
                _ => return Err(format!("“{name}” is not an option.")),
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match Options::parse(&arguments) {
        Ok(options) => {
            play_match(&options);
            ExitCode::SUCCESS
        }
        Err(reason) => {
            eprintln!("{reason}\n{USAGE}");
            ExitCode::FAILURE
        }
    }
}

fn play_match(options: &Options) {
    let mut random = Random(options.seed);
    let mut efforts = [Effort::default(), Effort::default()];
    let [mut wins, mut draws, mut losses] = [0; 3];
    // Of two games from one opening, as the first player sees it: 0 to 1.
    let mut pairs = Vec::new();
    for pair in 0..options.games.div_ceil(2) {
        let start = opening(options.variant, options.plies, BALANCE, &mut random);
        let mut points = 0.0;
        for white in [0, 1] {
            let seed = options.seed.wrapping_add(2 * pair as u64 + white as u64);
            let outcome = play(options, start.clone(), white, seed, &mut efforts);
            let first_is = if white == 0 { Color::White } else { Color::Black };
            match outcome {
                Some(Outcome::Win(winner)) if winner == first_is => {
                    wins += 1;
                    points += 0.5;
                }
                Some(Outcome::Win(_)) => losses += 1,
                Some(Outcome::Draw | Outcome::Aborted) | None => {
                    draws += 1;
                    points += 0.25;
                }
            }
        }
        pairs.push(points);
    }
    let games = wins + draws + losses;
    let score = pairs.iter().sum::<f64>() / pairs.len() as f64;
    let margin = margin(&pairs, score);
    println!(
        "{}: {games} games, +{wins} ={draws} -{losses}, score {:.1} %, Elo {} (95 %: {} to {})",
        options.variant,
        100.0 * score,
        elo(score),
        elo(score - margin),
        elo(score + margin),
    );
    for (name, effort) in ["first", "second"].iter().zip(&efforts) {
        let turns = effort.turns.max(1) as f64;
        println!(
            "{name:>6}: {:.0} nodes/s, {:.0} nodes, depth {:.1} and {:.1} ms a turn",
            effort.nodes as f64 / effort.time.as_secs_f64(),
            effort.nodes as f64 / turns,
            effort.depth as f64 / turns,
            1000.0 * effort.time.as_secs_f64() / turns,
        );
    }
}

fn play(
    options: &Options,
    mut game: Game,
    white: usize,
    seed: u64,
    efforts: &mut [Effort; 2],
) -> Option<Outcome> {
    while game.ply() < LONGEST {
        let player = match game.side_to_move() {
            Color::White => white,
            Color::Black => 1 - white,
        };
        let start = Instant::now();
        let Some(choice) = options.players[player].choose(&game, seed) else { break };
        let effort = &mut efforts[player];
        effort.time += start.elapsed();
        effort.nodes += choice.nodes;
        effort.depth += u64::from(choice.depth);
        effort.turns += 1;
        game.play(&choice.turn).expect("the engine plays legal turns");
    }
    game.end().map(|end| end.outcome)
}

/// Half the 95 % interval of the mean: both games from an opening are one sample, as they are not independent.
fn margin(pairs: &[f64], mean: f64) -> f64 {
    let samples = pairs.len() as f64;
    let variance =
        pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (samples - 1.0).max(1.0);
    1.96 * (variance / samples).sqrt()
}

/// The difference in rating at which this score is expected.
fn elo(score: f64) -> String {
    if score <= 0.0 {
        "-∞".to_owned()
    } else if score >= 1.0 {
        "+∞".to_owned()
    } else {
        format!("{:+.0}", -400.0 * (1.0 / score - 1.0).log10())
    }
}
