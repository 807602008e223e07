//! Every puzzle is what it claims to be: tried out by the rules alone.

#[path = "support/brute.rs"]
mod brute;
#[path = "support/puzzles.rs"]
mod puzzles;

use std::collections::HashMap;

use brute::shortest_mate;
use manifold_rules::{Game, Position, Turn};
use puzzles::{mating_moves, shortest_capture, wins_in_two};

struct Puzzle {
    id: &'static str,
    game: Game,
    moves: u32,
    answer: Turn,
}

fn all() -> Vec<Puzzle> {
    let lines = include_str!("../../../puzzles/puzzles.tsv").lines();
    let parse = |line: &'static str| {
        let [id, variant, fen, moves, answer] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line} has five fields");
        };
        let game = Game::from_fen(variant.parse().unwrap(), fen).unwrap();
        assert_eq!(game.end(), None, "{id} is over");
        let answer = game.parse_turn(answer).unwrap();
        Puzzle { id, game, moves: moves.parse().unwrap(), answer }
    };
    lines.filter(|line| !line.starts_with('#')).map(parse).collect()
}

#[test]
fn every_puzzle_is_won_in_so_many_turns_and_not_sooner() {
    for Puzzle { id, game, moves, answer } in all() {
        match (game.position(), answer) {
            (Position::Fourfold(position), Turn::Fourfold(answer)) => {
                assert_eq!(shortest_mate(position, moves), Some(moves), "{id}");
                assert_eq!(mating_moves(position, moves), [answer], "{id} has one right move");
            }
            (Position::Parallel(position), Turn::Parallel(answer)) => {
                let capture = shortest_capture(position);
                if moves == 1 {
                    let shortest = capture.unwrap().moves().count();
                    assert!(shortest >= 2, "{id} is won by its first move");
                    assert_eq!(shortest, answer.moves().count(), "{id}");
                    assert!(position.after(answer).unwrap().lacks_a_king(), "{id}");
                } else {
                    assert_eq!(capture, None, "{id} is won at once");
                    assert!(wins_in_two(position, answer), "{id}");
                }
            }
            (Position::Fourfold(_), Turn::Parallel(_))
            | (Position::Parallel(_), Turn::Fourfold(_)) => {
                panic!("{id} answers another game")
            }
        }
    }
}

#[test]
fn there_are_puzzles_of_every_kind() {
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    for puzzle in all() {
        *kinds.entry(puzzle.id.split('-').next().unwrap()).or_default() += 1;
    }
    for (kind, least) in [("m1", 16), ("m2", 16), ("k1", 10), ("k2", 4)] {
        assert!(kinds.get(kind).is_some_and(|n| *n >= least), "{kinds:?}");
    }
}
