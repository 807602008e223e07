//! What every player keeps, whatever the game and the level.

use std::cell::Cell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use manifold_engine::{Choice, Level, Limits, Score, Time, best_turn};
use manifold_rules::{Game, Termination, Turn, Variant};
use proptest::prelude::*;
use proptest::sample::Index;

fn nodes(nodes: u64) -> Limits<'static> {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// A random turn; in Parallel Worlds of one or two moves, as a position can have a million turns.
fn random_turn(game: &Game, choice: Index) -> Option<Turn> {
    let first = game.legal_first_moves();
    if first.is_empty() {
        return None;
    }
    let first = choice.get(&first).to_string();
    let more = game.under_way(&first).unwrap().legal;
    let turn = match more.get(choice.index(2 * more.len() + 1)) {
        Some(second) => format!("{first},{second}"),
        None => first,
    };
    Some(game.parse_turn(&turn).unwrap())
}

fn games(plies: usize) -> impl Strategy<Value = Game> {
    let choices = prop::collection::vec(any::<Index>(), 0..plies);
    (prop::sample::select(&Variant::ALL[..]), choices).prop_map(|(variant, choices)| {
        let mut game = Game::new(variant);
        for choice in choices {
            match random_turn(&game, choice) {
                Some(turn) => game.play(&turn).unwrap(),
                None => break,
            }
        }
        game
    })
}

/// The turn and the whole line can be played.
fn check_legal(game: &Game, choice: &Choice) {
    assert_eq!(choice.principal_variation.first(), Some(&choice.turn));
    let mut game = game.clone();
    for turn in &choice.principal_variation {
        game.play(turn).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_level_plays_legal_turns(game in games(80), level in prop::sample::select(&Level::ALL[..]), seed: u64) {
        match level.best_turn(&game, seed, nodes(3000)) {
            Some(choice) => check_legal(&game, &choice),
            None => prop_assert!(game.end().is_some()),
        }
    }

    #[test]
    fn there_is_a_turn_whatever_the_limits(game in games(60), level in prop::sample::select(&Level::ALL[..])) {
        let stop = AtomicBool::new(true);
        let late = || Duration::from_secs(1);
        let time = Time { budget: Duration::ZERO, elapsed: &late };
        for limits in [
            nodes(0),
            nodes(1),
            Limits { stop: Some(&stop), ..Limits::default() },
            Limits { time: Some(time), ..Limits::default() },
            Limits { depth: Some(0), ..Limits::default() },
        ] {
            for choice in [best_turn(&game, limits), level.best_turn(&game, 1, limits)] {
                match choice {
                    Some(choice) => check_legal(&game, &choice),
                    None => prop_assert!(game.end().is_some()),
                }
            }
        }
    }

    #[test]
    fn the_same_limits_give_the_same_choice(game in games(60), level in prop::sample::select(&Level::ALL[..]), seed: u64) {
        let choose = || (best_turn(&game, nodes(2000)), level.best_turn(&game, seed, nodes(2000)));
        prop_assert_eq!(choose(), choose());
    }

    #[test]
    fn bounds_are_kept(game in games(60), most in 1..5000u64) {
        if let Some(choice) = best_turn(&game, nodes(most)) {
            prop_assert!(choice.nodes <= most, "{} of {most}", choice.nodes);
        }
        let two = Limits { depth: Some(2), ..nodes(20_000) };
        prop_assert!(best_turn(&game, two).is_none_or(|choice| choice.depth <= 2));
    }
}

#[test]
fn a_search_ends_when_time_is_up() {
    let looks = Cell::new(0);
    let elapsed = || {
        looks.set(looks.get() + 1);
        Duration::from_millis(looks.get())
    };
    let time = Time { budget: Duration::from_millis(20), elapsed: &elapsed };
    let game = Game::new(Variant::Fourfold);
    let choice = best_turn(&game, Limits { time: Some(time), ..Limits::default() }).unwrap();
    assert_eq!(looks.get(), 20);
    assert!(choice.depth >= 2 && choice.nodes > 1000);
}

/// Every level from the third on sees a mate in one, wherever it is and whoever it is.
#[test]
fn a_mate_in_one_is_played() {
    let mut seen = 0;
    for (n, (variant, fen)) in mates_in_one().into_iter().enumerate() {
        for level in &Level::ALL[2..] {
            let mut game = Game::from_fen(variant, &fen).unwrap();
            let choice = level.best_turn(&game, n as u64, nodes(20_000)).unwrap();
            game.play(&choice.turn).unwrap();
            let end = game.end().map(|end| end.termination);
            assert_eq!(
                end,
                Some(Termination::Checkmate),
                "{level} in {fen} played {}",
                choice.turn
            );
            assert_eq!(choice.score, Score::MateIn(1));
            seen += 1;
        }
    }
    assert!(seen >= 60, "{seen}");
}

/// Without any time a player still sees a mate in one.
#[test]
fn there_is_always_time_for_one_look() {
    let stop = AtomicBool::new(true);
    let limits = Limits { stop: Some(&stop), ..Limits::default() };
    for (variant, fen) in mates_in_one() {
        let mut game = Game::from_fen(variant, &fen).unwrap();
        let choice = best_turn(&game, limits).unwrap();
        game.play(&choice.turn).unwrap();
        assert_eq!(game.end().map(|end| end.termination), Some(Termination::Checkmate), "{fen}");
    }
}

/// Positions with a mate in one from games in which the weakest level plays itself.
fn mates_in_one() -> Vec<(Variant, String)> {
    let mut found = Vec::new();
    for variant in [Variant::Fourfold, Variant::FourfoldClassic] {
        for seed in 0..6 {
            let mut game = Game::new(variant);
            while let Some(choice) =
                Level::Point.best_turn(&game, seed + game.ply() as u64, nodes(200))
            {
                let before = game.fen();
                let mates = game.legal_turns().iter().any(|turn| {
                    game.play(turn).unwrap();
                    let mates =
                        game.end().is_some_and(|end| end.termination == Termination::Checkmate);
                    game.undo();
                    mates
                });
                if mates {
                    found.push((variant, before));
                    break;
                }
                game.play(&choice.turn).unwrap();
            }
        }
    }
    found
}
