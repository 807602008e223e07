//! Fourfold against numbers and games from elsewhere.

use manifold_rules::fourfold::Position;
use manifold_rules::{Game, Variant};

/// Complete games from an independent implementation: `turn`, FEN after it, outcome, number of legal moves there.
const GAMES: &str = include_str!("vectors/fourfold.tsv");

#[test]
fn recorded_games_replay() {
    let mut game = Game::new(Variant::Fourfold);
    let mut positions = 0;
    for line in GAMES.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        match fields[..] {
            ["game", fen] => {
                game = Game::from_fen(Variant::Fourfold, fen).unwrap();
                assert_eq!(game.fen(), fen);
            }
            [turn, fen, outcome, count] => {
                let turn = game.parse_turn(turn).unwrap();
                game.play(&turn).unwrap();
                assert_eq!(game.fen(), fen);
                let end = game.end().map_or("*".to_owned(), |end| end.to_string());
                assert_eq!(end, outcome, "{fen}");
                if count != "-" {
                    assert_eq!(game.position().count_legal().to_string(), count, "{fen}");
                }
            }
            _ => panic!("unexpected line {line}"),
        }
        positions += 1;
    }
    assert_eq!(positions, 6252);
}

fn check_perft(variant: Variant, expected: [u64; 4]) {
    let start = Position::start(variant);
    for (depth, leaves) in (1..).zip(expected) {
        assert_eq!(start.perft(depth), leaves, "{variant} at depth {depth}");
    }
}

#[test]
fn perft_of_fourfold() {
    check_perft(Variant::Fourfold, [48, 2_116, 100_207, 4_700_547]);
}

#[test]
fn perft_of_fourfold_classic() {
    check_perft(Variant::FourfoldClassic, [41, 1_671, 74_569, 3_194_878]);
}
