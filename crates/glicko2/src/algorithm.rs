//! The arithmetic. Greek letters and steps are those of Glickman's paper; bounds are applied by [`crate::Config`].

use crate::{Rating, Score, Settings};

/// Rating points in one unit of the internal scale: 400 / ln 10.
const SCALE: f64 = 173.717_792_761_249_2;

/// A result so certain that it says nothing would make the variance infinite; from here on it only is very large.
const MIN_INFORMATION: f64 = 1e-12;

/// Keeps ln σ² finite. Far below what any series of results leads to.
const MIN_VOLATILITY: f64 = 1e-6;

/// Every third step halves the bracket, so that it is below any sensible ε long before this.
const MAX_STEPS: usize = 300;

/// How far the search for a volatility's new value goes at once, in τ.
const SEARCH_STEP: f64 = 0.125;

pub(crate) fn update(
    settings: &Settings,
    player: Rating,
    elapsed_periods: f64,
    results: &[(Rating, Score)],
) -> Rating {
    // `max` also turns NaN into 0.
    let elapsed = elapsed_periods.max(0.0);
    let phi = player.deviation / SCALE;
    let sigma = player.volatility.max(MIN_VOLATILITY);
    if results.is_empty() {
        let grown = grown(settings, phi, sigma, elapsed);
        return Rating { deviation: grown * SCALE, volatility: sigma, ..player };
    }

    // Steps 3 and 4. `information` is 1/v, `surprise` is Δ/v.
    let (mut information, mut surprise) = (0.0, 0.0);
    for &(opponent, score) in results {
        let g = attenuation(opponent.deviation / SCALE);
        let expected = logistic(g * ((player.rating - opponent.rating) / SCALE));
        information += g * g * expected * (1.0 - expected);
        surprise += g * (score.points() - expected);
    }
    let v = 1.0 / information.max(MIN_INFORMATION);

    let sigma = new_volatility(settings, phi, sigma, v, v * surprise);
    // Steps 6 and 7.
    let grown = grown(settings, phi, sigma, elapsed);
    let variance = 1.0 / (1.0 / (grown * grown) + 1.0 / v);
    Rating {
        rating: player.rating + SCALE * variance * surprise,
        deviation: SCALE * variance.sqrt(),
        volatility: sigma,
    }
}

pub(crate) fn expected_score(a: Rating, b: Rating) -> f64 {
    let g = attenuation(a.deviation.hypot(b.deviation) / SCALE);
    logistic(g * ((a.rating - b.rating) / SCALE))
}

/// Step 6, for any length of time: φ* = √(φ² + t·σ²), no larger than the bound.
fn grown(settings: &Settings, phi: f64, sigma: f64, elapsed: f64) -> f64 {
    phi.hypot(elapsed.sqrt() * sigma).min(settings.max_deviation / SCALE)
}

/// g(φ): how much less a result says when the opponent's own strength is uncertain.
fn attenuation(phi: f64) -> f64 {
    use std::f64::consts::PI;
    1.0 / (1.0 + 3.0 * phi * phi / (PI * PI)).sqrt()
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Step 5: the root of f, by the Illinois method, with a halving now and then so that it ends for every input.
///
/// An upset beyond all probability gives f several roots, the outer ones absurd (a volatility of thousands). The one
/// nearest to the volatility so far is meant, so that is looked for step by step, and no further than the bound.
fn new_volatility(settings: &Settings, phi: f64, sigma: f64, v: f64, delta: f64) -> f64 {
    let tau = settings.tau;
    let a = 2.0 * sigma.ln();
    let base = phi * phi + v;
    let f = |x: f64| {
        let e = x.exp();
        e * (delta * delta - base - e) / (2.0 * (base + e) * (base + e)) - (x - a) / (tau * tau)
    };

    let (mut low, mut high);
    if f(a) > 0.0 {
        // Here Δ² > φ² + v + σ²: a surprise. f is negative from ln(Δ² - φ² - v) on, and perhaps before.
        let bound = 2.0 * settings.max_volatility.ln();
        low = a;
        high = a + tau * SEARCH_STEP;
        while high < bound && f(high) > 0.0 {
            (low, high) = (high, high + tau * SEARCH_STEP);
        }
        if high >= bound {
            if f(bound) >= 0.0 {
                return settings.max_volatility;
            }
            high = bound;
        }
    } else {
        // Far enough to the left f is positive: its last part outweighs the rest, which is above -1/2.
        high = a;
        low = a - tau;
        while f(low) < 0.0 {
            low -= tau;
        }
    }

    let (mut f_low, mut f_high) = (f(low), f(high));
    for step in 0..MAX_STEPS {
        if (high - low).abs() <= settings.convergence {
            break;
        }
        let middle = if step % 3 == 2 {
            (low + high) / 2.0
        } else {
            low + (low - high) * f_low / (f_high - f_low)
        };
        let f_middle = f(middle);
        if f_middle * f_high <= 0.0 {
            (low, f_low) = (high, f_high);
        } else {
            f_low /= 2.0;
        }
        (high, f_high) = (middle, f_middle);
    }
    (low / 2.0).exp()
}
