//! What holds for every rating and every result, and agreement with an independent implementation.

use manifold_glicko2::{Config, Rating, Score, Settings};
use proptest::prelude::*;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2_rating_period};

/// No player's; but beyond it f of the paper's step 5 can have further roots.
const ABSURD_VOLATILITY: f64 = 0.5;

fn any_rating() -> impl Strategy<Value = Rating> {
    (800.0..2400.0, 45.0..500.0, 0.01..0.1).prop_map(|(rating, deviation, volatility)| Rating {
        rating,
        deviation,
        volatility,
    })
}

fn any_score() -> impl Strategy<Value = Score> {
    prop_oneof![Just(Score::Win), Just(Score::Draw), Just(Score::Loss)]
}

/// Any finite number, most of them absurd.
fn absurd() -> impl Strategy<Value = f64> {
    use proptest::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
}

fn absurd_rating() -> impl Strategy<Value = Rating> {
    (absurd(), absurd(), absurd()).prop_map(|(rating, deviation, volatility)| Rating {
        rating,
        deviation,
        volatility,
    })
}

fn unbounded(tau: f64) -> Config {
    Config::new(Settings {
        tau,
        min_rating: -1e6,
        min_deviation: 1e-3,
        max_deviation: 1e6,
        max_volatility: 1e3,
        convergence: 1e-9,
        ..Settings::default()
    })
    .unwrap()
}

fn theirs(rating: Rating) -> Glicko2Rating {
    Glicko2Rating {
        rating: rating.rating,
        deviation: rating.deviation,
        volatility: rating.volatility,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn agrees_with_skillratings(
        player in any_rating(),
        results in prop::collection::vec((any_rating(), any_score()), 1..8),
        tau in 0.3..1.2,
    ) {
        let ours = unbounded(tau).update(player, 1.0, &results);
        let games: Vec<_> = results
            .iter()
            .map(|&(opponent, score)| {
                let outcome = match score {
                    Score::Win => Outcomes::WIN,
                    Score::Draw => Outcomes::DRAW,
                    Score::Loss => Outcomes::LOSS,
                };
                (theirs(opponent), outcome)
            })
            .collect();
        let config = Glicko2Config { tau, convergence_tolerance: 1e-9 };
        let expected = glicko2_rating_period(&theirs(player), &games, &config);
        // It knows no RD above 350, and rounds the scale to 173.7178; hence the thousandth of a point.
        prop_assume!(ours.deviation < 350.0);
        // Of several roots the nearest is ours; theirs may be any.
        let from_before = |volatility: f64| (volatility / player.volatility).ln().abs();
        let is_other_root = from_before(expected.volatility) > from_before(ours.volatility) + 1e-6;
        if is_other_root && expected.volatility > ABSURD_VOLATILITY {
            return Ok(());
        }
        prop_assert!((ours.rating - expected.rating).abs() < 1e-3, "{ours:?} {expected:?}");
        prop_assert!((ours.deviation - expected.deviation).abs() < 1e-3, "{ours:?} {expected:?}");
        prop_assert!((ours.volatility - expected.volatility).abs() < 1e-9, "{ours:?} {expected:?}");
    }

    #[test]
    fn absurd_input_ends_inside_the_bounds(
        player in absurd_rating(),
        elapsed in absurd(),
        results in prop::collection::vec((absurd_rating(), any_score()), 0..20),
    ) {
        let config = Config::default();
        let after = config.update(player, elapsed, &results);
        let s = config.settings();
        prop_assert!(after.rating.is_finite() && after.rating >= s.min_rating, "{after:?}");
        prop_assert!((s.min_deviation..=s.max_deviation).contains(&after.deviation), "{after:?}");
        prop_assert!(after.volatility > 0.0 && after.volatility <= s.max_volatility, "{after:?}");
        for (opponent, _) in results {
            let expected = config.expected_score(player, opponent);
            prop_assert!((0.0..=1.0).contains(&expected), "{expected}");
        }
    }

    #[test]
    fn expected_scores_of_both_sides_add_up_to_one(a in any_rating(), b in any_rating()) {
        let config = Config::default();
        let (ours, other) = (config.expected_score(a, b), config.expected_score(b, a));
        prop_assert!((ours + other - 1.0).abs() < 1e-12);
        prop_assert_eq!(a.rating > b.rating, ours > 0.5);
    }

    #[test]
    fn mirrored_players_move_by_mirrored_amounts(
        gap in 0.0..400.0,
        deviation in 45.0..500.0,
        volatility in 0.01..0.1,
        score in any_score(),
    ) {
        // Far from the lower bound, two players who differ by rating only gain and lose the same.
        let config = Config::default();
        let high = Rating { rating: 2500.0 + gap, deviation, volatility };
        let low = Rating { rating: 2500.0 - gap, ..high };
        let high_after = config.update(high, 0.3, &[(low, score)]);
        let low_after = config.update(low, 0.3, &[(high, score.reversed())]);
        let (up, down) = (high_after.rating - high.rating, low_after.rating - low.rating);
        prop_assert!((up + down).abs() < 1e-6, "{up} {down}");
        prop_assert!((high_after.deviation - low_after.deviation).abs() < 1e-6);
    }

    #[test]
    fn a_better_result_is_never_worth_less(player in any_rating(), opponent in any_rating(), elapsed in 0.0..100.0) {
        let config = Config::default();
        let after = |score| config.update(player, elapsed, &[(opponent, score)]).rating;
        prop_assert!(after(Score::Win) > player.rating);
        prop_assert!(after(Score::Loss) < player.rating);
        prop_assert!(after(Score::Loss) < after(Score::Draw) && after(Score::Draw) < after(Score::Win));
    }

    #[test]
    fn the_order_of_results_does_not_matter(
        player in any_rating(),
        results in prop::collection::vec((any_rating(), any_score()), 1..8),
    ) {
        let config = Config::default();
        let mut reversed = results.clone();
        reversed.reverse();
        let (a, b) = (config.update(player, 1.0, &results), config.update(player, 1.0, &reversed));
        prop_assert!((a.rating - b.rating).abs() < 1e-6 && (a.deviation - b.deviation).abs() < 1e-6);
    }

    #[test]
    fn idle_time_adds_up(player in any_rating(), first in 0.0..200.0, second in 0.0..200.0) {
        let config = Config::default();
        let at_once = config.decay(player, first + second);
        let in_two = config.decay(config.decay(player, first), second);
        prop_assert!((at_once.deviation - in_two.deviation).abs() < 1e-9);
        prop_assert!(at_once.deviation >= player.deviation);
        prop_assert_eq!(at_once.rating, player.rating);
    }
}
