//! Fits the weights of the Parallel Worlds evaluation to the results of games that the engine plays against itself,
//! prints them, and lets them, or others that are given, play against the old ones.
//!
//! ```text
//! tune-worlds <games> <nodes a turn> <seed> [<weight> …]
//! ```

mod support;

use std::process::ExitCode;

use manifold_engine::parallel::evaluation::term;
use manifold_engine::parallel::{WEIGHTS, Weights, best_turn_by, evaluate};
use manifold_engine::{Choice, Engine, Features, Limits, Score};
use manifold_rules::parallel::Position;
use manifold_rules::{Color, Game, Outcome, Position as AnyPosition, Variant};
use support::{Random, opening};

const USAGE: &str = "Usage: tune-worlds <games> <nodes a turn> <seed> [<weight> …]";
const LONGEST: usize = 160;
/// Random turns before each game, and how much better one side may stand then.
const OPENING: (usize, i32) = (4, 300);
/// The first step of each weight, a share of it in hundredths, halved until it is the last.
const STEPS: [i32; 4] = [40, 20, 10, 5];
/// How much better an evaluation is for a side that is expected to score ten times as much, in hundredths of a pawn.
const SCALES: [f64; 6] = [400.0, 600.0, 900.0, 1300.0, 1800.0, 2500.0];

/// A quiet position, and what the side to move came to score: 0, ½ or 1.
struct Sample {
    position: Position,
    result: f64,
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (games, nodes, seed, given) = match numbers[..] {
        [games, nodes, seed] => (games, nodes, seed, None),
        [games, nodes, seed, ref weights @ ..] if weights.len() == term::COUNT => {
            (games, nodes, seed, Some(std::array::from_fn(|n| weights[n] as i32)))
        }
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::FAILURE;
        }
    };
    let mut random = Random(seed);
    let weights = given.unwrap_or_else(|| fitted(games, nodes, &mut random));
    let mut score = 0.0;
    for n in 0..games {
        let [white, black] = if n % 2 == 0 { [&weights, &WEIGHTS] } else { [&WEIGHTS, &weights] };
        let result = play([white, black], nodes, &mut random, &mut Vec::new());
        score += if n % 2 == 0 { result } else { 1.0 - result };
    }
    println!("{score} of {games} against the old ones");
    ExitCode::SUCCESS
}

/// Weights that explain the results of games between equals.
fn fitted(games: u64, nodes: u64, random: &mut Random) -> Weights {
    let mut samples = Vec::new();
    for _ in 0..games {
        play([&WEIGHTS; 2], nodes, random, &mut samples);
    }
    let (weights, before, after) = fit(&samples);
    println!("{} positions, loss {before:.5}, then {after:.5}\n{weights:?}", samples.len());
    weights
}

/// Plays a game and returns what White scored.
fn play(players: [&Weights; 2], nodes: u64, random: &mut Random, samples: &mut Vec<Sample>) -> f64 {
    let mut game = opening(Variant::ParallelWorlds, OPENING.0, OPENING.1, random);
    let mut quiet = Vec::new();
    while game.ply() < LONGEST {
        let AnyPosition::Parallel(position) = game.position() else { break };
        let position = *position;
        let weights = players[game.side_to_move() as usize];
        let Some(choice) = choose(weights, &game, &position, nodes) else { break };
        if matches!(choice.score, Score::Centipawns(_)) {
            quiet.push(position);
        }
        game.play(&choice.turn).expect("the turn is legal");
    }
    let white = match game.end().map(|end| end.outcome) {
        Some(Outcome::Win(Color::White)) => 1.0,
        Some(Outcome::Win(Color::Black)) => 0.0,
        Some(Outcome::Draw | Outcome::Aborted) | None => 0.5,
    };
    samples.extend(quiet.into_iter().map(|position| Sample {
        result: match position.side_to_move() {
            Color::White => white,
            Color::Black => 1.0 - white,
        },
        position,
    }));
    white
}

fn choose(weights: &Weights, game: &Game, position: &Position, nodes: u64) -> Option<Choice> {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    match game.end() {
        Some(_) => None,
        None => best_turn_by(weights, &Engine::new(Features::ALL), game, position, limits),
    }
}

/// How much a weight that is twice what it was has to explain, as a mean square.
const INERTIA: f64 = 0.000_15;

/// One weight after the other goes up or down as long as that explains the results better.
fn fit(samples: &[Sample]) -> (Weights, f64, f64) {
    let mut weights = WEIGHTS;
    let scale = SCALES
        .into_iter()
        .min_by(|a, b| loss(samples, &weights, *a).total_cmp(&loss(samples, &weights, *b)))
        .unwrap_or(SCALES[0]);
    let before = loss(samples, &weights, scale);
    let mut least = before;
    for step in STEPS {
        // The pawn is the measure.
        for weight in 1..term::COUNT {
            for sign in [1, -1] {
                loop {
                    let mut tried = weights;
                    tried[weight] += sign * (WEIGHTS[weight] * step / 100).max(1);
                    let loss = loss(samples, &tried, scale);
                    if loss >= least - 1e-7 || tried[weight] < 0 {
                        break;
                    }
                    (least, weights) = (loss, tried);
                }
            }
        }
    }
    (weights, before, least)
}

/// The mean square by which results differ from what the evaluation expects, and what it costs that weights have moved.
fn loss(samples: &[Sample], weights: &Weights, scale: f64) -> f64 {
    let moved = weights.iter().zip(WEIGHTS).map(|(weight, old)| {
        let share = f64::from(weight - old) / f64::from(old + 20);
        INERTIA * share * share
    });
    let squares = samples.iter().map(|sample| {
        let value = f64::from(evaluate(&sample.position, weights));
        let expected = 1.0 / (1.0 + 10_f64.powf(-value / scale));
        (sample.result - expected).powi(2)
    });
    squares.sum::<f64>() / samples.len() as f64 + moved.sum::<f64>()
}
