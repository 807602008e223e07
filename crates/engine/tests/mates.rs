//! The engine finds mates that brute force has proven, at their true distance.

#[path = "support/brute.rs"]
mod brute;

use brute::shortest_mate;
use manifold_engine::{Limits, Score, best_turn};
use manifold_rules::{Game, Position, Variant};

/// Enough for each of them many times over, and well under a second.
const NODES: u64 = 400_000;

fn mates() -> Vec<(Variant, &'static str, u32)> {
    let lines = include_str!("mates/fourfold.tsv").lines().filter(|line| !line.starts_with('#'));
    let parse = |line: &'static str| {
        let [variant, fen, moves] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line} has three fields");
        };
        (variant.parse().unwrap(), fen, moves.parse().unwrap())
    };
    lines.map(parse).collect()
}

#[test]
fn the_engine_finds_every_mate_at_its_distance() {
    let mut missed = Vec::new();
    for (variant, fen, moves) in mates() {
        let game = Game::from_fen(variant, fen).unwrap();
        let choice = best_turn(&game, Limits { nodes: Some(NODES), ..Limits::default() }).unwrap();
        if choice.score != Score::MateIn(moves) {
            missed.push(format!("{variant} {fen}: {} instead of #{moves}", choice.score));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn brute_force_proves_every_mate() {
    for (variant, fen, moves) in mates() {
        let game = Game::from_fen(variant, fen).unwrap();
        let Position::Fourfold(position) = game.position() else { panic!("{variant}") };
        assert_eq!(shortest_mate(position, moves), Some(moves), "{variant} {fen}");
    }
}

#[test]
fn there_are_many_mates_of_every_kind() {
    let mates = mates();
    for variant in [Variant::Fourfold, Variant::FourfoldClassic] {
        for moves in [2, 3] {
            let kind = mates.iter().filter(|mate| (mate.0, mate.2) == (variant, moves));
            assert!(kind.count() >= 15, "{variant} in {moves}");
        }
    }
}

/// White mates in four from the start of the full army: a check by the pawn a2[1,0]-a3[1,0] starts it.
#[test]
fn white_mates_in_four_from_the_start_of_the_full_army() {
    let game = Game::new(Variant::Fourfold);
    let Position::Fourfold(position) = game.position() else { panic!("a game of Fourfold") };
    assert_eq!(shortest_mate(position, 4), Some(4));
    let choice = best_turn(&game, Limits { nodes: Some(NODES), ..Limits::default() }).unwrap();
    assert_eq!(choice.score, Score::MateIn(4));
    assert_eq!(game.lan(&choice.turn), "a2@10-a3@10+");
}
