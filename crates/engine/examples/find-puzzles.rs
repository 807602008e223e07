//! Looks for puzzles, proves them by the rules alone, and prints them as lines of `puzzles/puzzles.tsv`.
//!
//! Mates across W come from games that a weak level plays against itself, captures of a king in one turn of Parallel Worlds
//! too; captures in two turns from endgames with few pieces, so that every reply can be tried.
//!
//! ```text
//! find-puzzles mates|captures|endgames <puzzles of each kind> <seed>
//! ```

#[path = "../tests/support/brute.rs"]
mod brute;
#[path = "../tests/support/puzzles.rs"]
mod puzzles;
mod support;

use std::collections::HashSet;
use std::process::ExitCode;

use brute::shortest_mate;
use manifold_engine::{Level, Limits, Score, best_turn};
use manifold_rules::fourfold::{Move, Position};
use manifold_rules::{Game, Position as AnyPosition, Termination, Turn, Variant};
use puzzles::{mating_moves, shortest_capture, wins_in_two};
use support::{Random, opening};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let [kind, each, seed] = arguments[..] else { return usage() };
    let (Ok(each), Ok(seed)) = (each.parse(), seed.parse()) else { return usage() };
    let mut random = Random(seed);
    match kind {
        "mates" => {
            for variant in [Variant::FourfoldClassic, Variant::Fourfold] {
                mates(variant, each, &mut random);
            }
        }
        "captures" => captures(each, &mut random),
        "endgames" => captures_in_two(each, &mut random),
        _ => return usage(),
    }
    ExitCode::SUCCESS
}

fn usage() -> ExitCode {
    eprintln!("Usage: find-puzzles mates|captures|endgames <puzzles of each kind> <seed>");
    ExitCode::FAILURE
}

/// The positions of a game between two players of a level, if it ended in this way.
fn self_play(
    variant: Variant,
    level: Level,
    wanted: Termination,
    random: &mut Random,
) -> Option<Game> {
    let mut game = opening(variant, 6, 300, random);
    let player = random.below(1000) as u64;
    while let Some(choice) = level.best_turn(&game, player, Limits::default()) {
        game.play(&choice.turn).ok()?;
        if game.ply() > 160 {
            return None;
        }
    }
    (game.end()?.termination == wanted).then_some(game)
}

/// Mates in one and in two with a single right first move, which has to do with W.
fn mates(variant: Variant, each: usize, random: &mut Random) {
    let mut seen = [HashSet::new(), HashSet::new()];
    while seen.iter().any(|seen| seen.len() < each) {
        let Some(game) = self_play(variant, Level::Square, Termination::Checkmate, random) else {
            continue;
        };
        let positions: Vec<AnyPosition<'_>> = game.positions().collect();
        for moves in [1, 2] {
            let Some(at) = positions.len().checked_sub(2 * moves) else { continue };
            let AnyPosition::Fourfold(position) = positions[at] else { continue };
            let right = mating_moves(position, moves as u32);
            if let [only] = right[..]
                && position.halfmove_clock() < 50
                && shortest_mate(position, 2) == Some(moves as u32)
                && crosses_w(position, only)
                && seen[moves - 1].len() < each
                && seen[moves - 1].insert(position.to_string())
            {
                println!("{variant}\t{position}\t{moves}\t{only}");
            }
        }
    }
}

/// Whether a move goes from one cube to the other, or aims at a king in the other one.
fn crosses_w(position: &Position, turn: Move) -> bool {
    let king = position.king(position.side_to_move().other());
    turn.from.w() != turn.to.w() || turn.to.w() != king.w()
}

/// Kings that fall in this turn, but not to its first move.
fn captures(each: usize, random: &mut Random) {
    let mut seen = HashSet::new();
    while seen.len() < each {
        let Some(game) =
            self_play(Variant::ParallelWorlds, Level::Square, Termination::KingCaptured, random)
        else {
            continue;
        };
        let Some(AnyPosition::Parallel(position)) = game.positions().rev().nth(1) else { continue };
        let Some(turn) = shortest_capture(position) else { continue };
        if turn.moves().count() >= 2 && seen.insert(position.to_string()) {
            println!("parallel-worlds\t{position}\t1\t{turn}");
        }
    }
}

/// Few pieces, and a turn after which a king falls whatever the other side does.
fn captures_in_two(each: usize, random: &mut Random) {
    let mut found = 0;
    while found < each {
        let Some(game) = endgame(random) else { continue };
        let AnyPosition::Parallel(position) = game.position() else { continue };
        if shortest_capture(position).is_some() {
            continue;
        }
        let limits = Limits { nodes: Some(20_000), ..Limits::default() };
        let Some(choice) = best_turn(&game, limits) else { continue };
        let (Score::MateIn(2), Turn::Parallel(turn)) = (choice.score, choice.turn) else {
            continue;
        };
        if wins_in_two(position, turn) {
            println!("parallel-worlds\t{position}\t2\t{turn}");
            found += 1;
        }
    }
}

/// White with some pieces against next to nothing.
fn endgame(random: &mut Random) -> Option<Game> {
    let mut boards = [[b'1'; 64]; 3];
    let armies = ["QRR", "QRN", "QBR", "QQN", "RRBN", "QNBp", "QRNp", "RRQp", "QRBn"];
    let army = armies[random.below(armies.len())];
    let kings = [(0, b'K'), (0, b'k'), (2, b'K'), (2, b'k')];
    let others = army.bytes().map(|piece| (random.below(3), piece)).collect::<Vec<_>>();
    for (board, piece) in kings.into_iter().chain(others) {
        let free: Vec<usize> = (8..56).filter(|&at| boards[board][at] == b'1').collect();
        boards[board][free[random.below(free.len())]] = piece;
    }
    let placement = boards.map(|board| {
        let ranks = board.chunks(8).rev().map(|rank| String::from_utf8_lossy(rank).into_owned());
        ranks.collect::<Vec<_>>().join("/")
    });
    // Ones in a row are counted together.
    let mut placement = placement.join("|");
    for n in (2..=8).rev() {
        placement = placement.replace(&"1".repeat(n), &n.to_string());
    }
    Game::from_fen(Variant::ParallelWorlds, &format!("{placement} w -|- - 0 30")).ok()
}
