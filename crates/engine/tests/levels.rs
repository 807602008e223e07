//! The levels are players one can believe in, and each is stronger than the ones below it.

use std::collections::HashSet;

use manifold_engine::{Level, Limits};
use manifold_rules::fourfold::Position;
use manifold_rules::{Color, Game, Outcome, Position as AnyPosition, Role, Turn, Variant};

/// A game after so many turns chosen by a simple generator.
fn random_game(variant: Variant, plies: usize, mut seed: u64) -> Game {
    let mut game = Game::new(variant);
    for _ in 0..plies {
        let turns = game.legal_turns();
        if turns.is_empty() {
            break;
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        game.play(&turns[(seed >> 33) as usize % turns.len()]).unwrap();
    }
    game
}

fn position(game: &Game) -> &Position {
    match game.position() {
        AnyPosition::Fourfold(position) => position,
        AnyPosition::Parallel(_) => panic!("a game of Fourfold"),
    }
}

/// Twice the points of the first of two levels, from openings played with both colors.
fn points(variant: Variant, levels: [Level; 2], openings: u64) -> u64 {
    let mut points = 0;
    for opening in 0..openings {
        for white in [0, 1] {
            let mut game = random_game(variant, 5, opening);
            while let Some(choice) = {
                let mover = if game.side_to_move() == Color::White { white } else { 1 - white };
                levels[mover].best_turn(&game, opening, Limits::default())
            } {
                game.play(&choice.turn).unwrap();
            }
            let first_is = if white == 0 { Color::White } else { Color::Black };
            points += match game.end().unwrap().outcome {
                Outcome::Win(winner) if winner == first_is => 2,
                Outcome::Win(_) => 0,
                Outcome::Draw | Outcome::Aborted => 1,
            };
        }
    }
    points
}

/// docs/engine.md has longer matches between neighbors, up to the top.
#[test]
fn a_higher_level_is_stronger() {
    for variant in [Variant::Fourfold, Variant::FourfoldClassic] {
        for (higher, lower) in [(3, 1), (4, 2), (5, 3)] {
            let levels = [higher, lower].map(|number| Level::new(number).unwrap());
            let scored = points(variant, levels, 8);
            // Many an opening is won for whoever has the better side of it.
            assert!(scored >= 20, "{variant}: {higher} scores {scored} of 32 against {lower}");
        }
    }
}

/// Someone who has just learned how the pieces move takes what is offered, most of the time.
#[test]
fn the_weakest_level_takes_a_queen_that_hangs() {
    let (mut offered, mut taken) = (0, 0);
    for seed in 0..600 {
        let game = random_game(Variant::Fourfold, 6 + seed as usize % 20, seed);
        let here = position(&game);
        let queens = here.pieces(here.side_to_move().other(), Role::Queen);
        let hangs = game.legal_turns().iter().any(|turn| {
            let Turn::Fourfold(turn) = turn else { return false };
            queens.has(turn.to)
                && here.after(*turn).unwrap().legal_moves().iter().all(|reply| reply.to != turn.to)
        });
        let Some(choice) = Level::Point.best_turn(&game, seed, Limits::default()) else { continue };
        let Turn::Fourfold(turn) = choice.turn else { panic!("a game of Fourfold") };
        offered += u32::from(hangs);
        taken += u32::from(hangs && queens.has(turn.to));
    }
    assert!(offered > 30, "{offered}");
    assert!(3 * taken >= 2 * offered, "{taken} of {offered}");
}

/// Whoever plays a weak level again meets another player.
#[test]
fn seeds_are_different_players() {
    for level in &Level::ALL[..4] {
        let replies = (0..8).map(|seed| {
            let mut game = random_game(Variant::FourfoldClassic, 4, 9);
            for _ in 0..4 {
                let choice = level.best_turn(&game, seed, Limits::default()).unwrap();
                game.play(&choice.turn).unwrap();
            }
            game.fen()
        });
        let different: HashSet<String> = replies.collect();
        assert!(different.len() >= 2, "{level}: {different:?}");
    }
}

/// A level's own bounds hold besides those of the caller.
#[test]
fn the_stricter_bound_wins() {
    let game = random_game(Variant::FourfoldClassic, 6, 1);
    let depth = |level: Level, depth| {
        let limits = Limits { depth, nodes: Some(20_000), ..Limits::default() };
        level.best_turn(&game, 1, limits).unwrap().depth
    };
    assert_eq!(depth(Level::Point, None), 1);
    assert_eq!(depth(Level::Cube, Some(9)), 3);
    assert_eq!(depth(Level::Cube, Some(2)), 2);
    assert_eq!(depth(Level::Manifold, Some(2)), 2);
    let nodes = Level::Tesseract.best_turn(&game, 1, Limits::default()).unwrap().nodes;
    assert!((3_000..=4_000).contains(&nodes), "{nodes}");
}
