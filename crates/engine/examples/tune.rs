//! Fits the weights of the Fourfold evaluation to the results of games that the engine plays against itself, by logistic
//! regression, and prints `src/fourfold/weights.rs`.
//!
//! ```text
//! tune <games> <nodes a turn> <seed>
//! ```

mod support;

use std::process::ExitCode;

use manifold_engine::fourfold::evaluation::{FULL_PHASE, for_each_term, phase, term};
use manifold_engine::fourfold::{WEIGHTS, Weight};
use manifold_engine::{Limits, Score, best_turn};
use manifold_rules::{Color, Game, Outcome, Position, Turn, Variant};
use support::{Random, opening};

const USAGE: &str = "Usage: tune <games> <nodes a turn> <seed>";
const LONGEST: usize = 300;
/// Random turns before each game; games in which one side stands much better teach what that is worth, too.
const OPENING: (usize, i32) = (8, 400);
const ROUNDS: usize = 400;
/// How far a weight moves in a round, at most and about, in hundredths of a pawn.
const STEP: f64 = 1.0;
/// How far from what it was a weight is believed to be, in hundredths of a pawn: what hardly occurs stays.
const SPREAD: f64 = 20.0;
/// The variance of a result around what the evaluation expects.
const NOISE: f64 = 0.1;

/// A quiet position, and what became of it.
struct Sample {
    terms: Vec<(usize, f64)>,
    /// The share of the weights at the start of a game, 0 to 1.
    early: f64,
    /// What the side to move scored: 0, ½ or 1.
    result: f64,
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let [games, nodes, seed] = numbers[..] else {
        eprintln!("{USAGE}");
        return ExitCode::FAILURE;
    };
    let mut random = Random(seed);
    let mut samples = Vec::new();
    for game in 0..games {
        let variants = [Variant::Fourfold, Variant::FourfoldClassic];
        let start = opening(variants[game as usize % 2], OPENING.0, OPENING.1, &mut random);
        play(start, nodes, &mut samples);
        if (game + 1) % 200 == 0 {
            eprintln!("{} games, {} positions", game + 1, samples.len());
        }
    }
    let weights = fit(&samples);
    print(&weights);
    ExitCode::SUCCESS
}

/// Plays a game and keeps its quiet positions.
fn play(mut game: Game, nodes: u64, samples: &mut Vec<Sample>) {
    let mut kept: Vec<(Color, Sample)> = Vec::new();
    while game.ply() < LONGEST {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let Some(choice) = best_turn(&game, limits) else { break };
        if let (Position::Fourfold(position), Turn::Fourfold(turn)) = (game.position(), choice.turn)
        {
            let quiet = !position.in_check() && position.role_at(turn.to).is_none();
            // A game is won before the mate.
            if quiet && matches!(choice.score, Score::Centipawns(_)) {
                let mut counts = vec![0; term::COUNT];
                for_each_term(position, |term, count| counts[term] += count);
                let terms = counts.iter().enumerate().filter(|(_, count)| **count != 0);
                let terms = terms.map(|(term, count)| (term, f64::from(*count))).collect();
                let early = f64::from(phase(position)) / f64::from(FULL_PHASE);
                kept.push((position.side_to_move(), Sample { terms, early, result: 0.5 }));
            }
        }
        game.play(&choice.turn).expect("the engine plays legal turns");
    }
    let outcome = game.end().map_or(Outcome::Draw, |end| end.outcome);
    samples.extend(kept.into_iter().map(|(mover, sample)| {
        let result = match outcome {
            Outcome::Win(winner) => f64::from(u8::from(winner == mover)),
            Outcome::Draw | Outcome::Aborted => 0.5,
        };
        Sample { result, ..sample }
    }));
}

type Weights = Vec<[f64; 2]>;

fn value(sample: &Sample, weights: &Weights) -> f64 {
    let sum = |n: usize| sample.terms.iter().map(|&(t, count)| weights[t][n] * count).sum::<f64>();
    sample.early * sum(0) + (1.0 - sample.early) * sum(1)
}

/// What is scored on average by who stands better by so much.
fn expected(value: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-value * scale).exp())
}

fn error(samples: &[Sample], weights: &Weights, scale: f64) -> f64 {
    let squares = samples.iter().map(|s| (s.result - expected(value(s, weights), scale)).powi(2));
    squares.sum::<f64>() / samples.len() as f64
}

/// Gradient descent with momentum and a step for each weight of its own (Adam: Kingma and Ba 2014).
fn fit(samples: &[Sample]) -> Weights {
    let start: Weights = WEIGHTS.iter().map(|&Weight(a, b)| [f64::from(a), f64::from(b)]).collect();
    // The scale at which the present weights fit best, so that a pawn remains a pawn.
    let scales = (1..60).map(|n| f64::from(n) * 0.0002);
    let scale = scales
        .min_by(|a, b| error(samples, &start, *a).total_cmp(&error(samples, &start, *b)))
        .unwrap_or(0.004);
    eprintln!(
        "{} positions, scale {scale:.4}, error {:.5}",
        samples.len(),
        error(samples, &start, scale)
    );
    let mut weights = start.clone();
    let pull = NOISE / (samples.len() as f64 * SPREAD * SPREAD);
    let mut means = vec![[0.0; 2]; weights.len()];
    let mut squares = means.clone();
    for round in 1..=ROUNDS {
        let mut gradient = vec![[0.0; 2]; weights.len()];
        for sample in samples {
            let guess = expected(value(sample, &weights), scale);
            let slope =
                (guess - sample.result) * guess * (1.0 - guess) * scale / samples.len() as f64;
            for &(term, count) in &sample.terms {
                gradient[term][0] += slope * count * sample.early;
                gradient[term][1] += slope * count * (1.0 - sample.early);
            }
        }
        for term in 0..weights.len() {
            for end in 0..2 {
                let away = weights[term][end] - start[term][end];
                let g = gradient[term][end] + pull * away;
                let (mean, square) = (&mut means[term][end], &mut squares[term][end]);
                *mean = 0.9 * *mean + 0.1 * g;
                *square = 0.999 * *square + 0.001 * g * g;
                let mean = *mean / (1.0 - 0.9f64.powi(round as i32));
                let square = *square / (1.0 - 0.999f64.powi(round as i32));
                weights[term][end] -= STEP * mean / (square.sqrt() + 1e-12);
            }
        }
    }
    eprintln!("error {:.5}", error(samples, &weights, scale));
    // Only the ratios matter: a pawn counts a hundred again.
    let [early, late] = weights[term::MATERIAL];
    let factor = 200.0 / (early + late);
    weights.iter().map(|weight| weight.map(|value| value * factor)).collect()
}

fn print(weights: &Weights) {
    const PLACES: &str =
        "ranks 1 to 4 of the own row on the rim, of the enemy's; then both inside.";
    let squares = |n: usize| term::SQUARES + 16 * n;
    let groups = [
        (term::MATERIAL, "Material: pawn, knight, bishop, rook, queen."),
        (squares(0), "Pawn: "),
        (squares(1), "Knight: "),
        (squares(2), "Bishop: "),
        (squares(3), "Rook: "),
        (squares(4), "Queen: "),
        (squares(5), "King: "),
        (term::MOBILITY, "Mobility: knight, bishop, rook, queen."),
        (
            term::ZONE_ATTACKS,
            "Attacks on the neighbors of the king: pawn, knight, bishop, rook, queen.",
        ),
        (term::ZONE_ATTACKERS, "Attackers of the neighbors of the king, 0 to 7."),
        (term::ESCAPES, "Squares to which the own king can go, 0 to 7."),
        (term::WEAK_ZONE, "Neighbors of the king that it defends alone."),
        (term::SAFE_CHECK, "Safe checks: knight, bishop, rook, queen."),
        (term::FREE_PAWN, "A free pawn, ranks 1 to 3."),
        (term::SAFE_PAWN, "A free pawn with a safe step, ranks 1 to 3."),
        (term::HANGING, "Hanging, attacker not to move: pawn, knight, bishop, rook, queen."),
        (term::HANGING + 5, "Hanging, attacker to move."),
        (
            term::PAWN_THREAT,
            "Attacked by a pawn, which is not to move: knight, bishop, rook, queen.",
        ),
        (term::PAWN_THREAT + 4, "Attacked by a pawn, which is to move."),
        (term::QUEEN_THREAT, "A queen attacked by a lesser piece: which is not to move, which is."),
        (term::BISHOP_PAIR, "A pair of bishops."),
        (term::TEMPO, "To be the side to move."),
    ];
    println!("pub const WEIGHTS: [Weight; term::COUNT] = [");
    let ends = groups.iter().skip(1).map(|&(start, _)| start).chain([term::COUNT]);
    for (&(start, name), end) in groups.iter().zip(ends) {
        println!("    // {name}{}", if name.ends_with(": ") { PLACES } else { "" });
        for line in weights[start..end].chunks(8) {
            let line: Vec<_> = line.iter().map(|[a, b]| format!("w({a:.0}, {b:.0}),")).collect();
            println!("    {}", line.join(" ").replace("-0,", "0,").replace("-0)", "0)"));
        }
    }
    println!("];");
}
