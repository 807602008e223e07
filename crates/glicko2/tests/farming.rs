//! Upsets made on purpose drive the volatility up, and with it the deviation and every later gain: hold the rating far
//! below the true strength, lose to the weak, win against the stronger. On sites without a bound that put people at the
//! top of the list who did not belong there.

use manifold_glicko2::{Config, Rating, Score, Settings};

/// What the cheater really plays like.
const STRENGTH: f64 = 1700.0;
/// While preparing, the rating is held this low.
const HELD_AT: f64 = 1300.0;
/// While preparing, opponents are chosen this far above (to win) or below (to lose).
const UPSET: f64 = 350.0;
const PREPARATION: usize = 2_000;
/// The games in earnest after it, from which the peak is taken.
const HARVEST: usize = 300;
/// Some ten games a day.
const ELAPSED: f64 = 0.02;

/// SplitMix64: the same story every time.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) as f64 / u64::MAX as f64
    }
}

#[derive(Clone, Copy)]
enum Player {
    Honest,
    Farmer,
}

struct Career {
    peak_rating: f64,
    peak_volatility: f64,
}

fn career(config: &Config, player: Player, seed: u64) -> Career {
    let known = |rating| Rating { rating, deviation: 60.0, volatility: 0.06 };
    let mut random = Random(seed);
    let mut now = config.start();
    let mut career = Career { peak_rating: 0.0, peak_volatility: 0.0 };
    for game in 0..PREPARATION + HARVEST {
        let (opponent, throws) = match player {
            Player::Farmer if game < PREPARATION && now.rating > HELD_AT => {
                (now.rating - UPSET, true)
            }
            Player::Farmer if game < PREPARATION => (now.rating + UPSET, false),
            Player::Farmer | Player::Honest => (now.rating, false),
        };
        let opponent = known(opponent);
        let chance = config.expected_score(known(STRENGTH), opponent);
        let score = if !throws && random.unit() < chance { Score::Win } else { Score::Loss };
        now = config.update(now, ELAPSED, &[(opponent, score)]);
        career.peak_volatility = career.peak_volatility.max(now.volatility);
        if game >= PREPARATION {
            career.peak_rating = career.peak_rating.max(now.rating);
        }
    }
    career
}

/// Mean peak rating and highest volatility of a hundred careers.
fn careers(config: &Config, player: Player) -> Career {
    let all: Vec<_> = (0..100).map(|seed| career(config, player, seed)).collect();
    Career {
        peak_rating: all.iter().map(|c| c.peak_rating).sum::<f64>() / all.len() as f64,
        peak_volatility: all.iter().map(|c| c.peak_volatility).fold(0.0, f64::max),
    }
}

#[test]
fn case_22_without_the_bound_it_pays() {
    let unbounded = Config::new(Settings {
        max_volatility: 10.0,
        max_deviation: 5000.0,
        ..Settings::default()
    })
    .unwrap();
    let farmer = careers(&unbounded, Player::Farmer);
    let honest = careers(&unbounded, Player::Honest);
    assert!(farmer.peak_volatility > 5.0 * unbounded.settings().start.volatility);
    assert!(farmer.peak_rating > honest.peak_rating + 100.0);
}

#[test]
fn case_22_with_the_bound_it_gains_next_to_nothing() {
    let config = Config::default();
    let farmer = careers(&config, Player::Farmer);
    let honest = careers(&config, Player::Honest);
    assert!(farmer.peak_volatility <= config.settings().max_volatility);
    assert!(farmer.peak_rating < honest.peak_rating + 25.0);
}
