//! Ratings to read: who leads, and how one player's has gone.

use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use manifold_rules::Variant;
use serde::Serialize;

use crate::error::ApiError;
use crate::game::clock::Speed;
use crate::state::AppState;
use crate::wire::PlayerJson;

/// How many lead.
const LEADERS: usize = 100;
/// Among so many of the highest rated they are looked for: some of those have not been sure enough for a while.
const CANDIDATES: i64 = 1_000;
/// How many games of a curve are told, the last ones.
const POINTS: i64 = 1_000;

#[derive(Serialize)]
struct LeaderboardJson<'a> {
    variant: &'a str,
    speed: &'a str,
    players: Vec<LeaderJson<'a>>,
}

#[derive(Serialize)]
struct LeaderJson<'a> {
    player: PlayerJson<'a>,
    rating: f64,
    deviation: f64,
    games: i64,
    last_played_at: String,
}

#[derive(Serialize)]
struct CurveJson<'a> {
    variant: &'a str,
    speed: &'a str,
    points: Vec<PointJson>,
}

#[derive(Serialize)]
struct PointJson {
    at: String,
    game: String,
    rating: f64,
    deviation: f64,
}

fn kind(variant: &str, speed: &str) -> Result<(Variant, Speed), ApiError> {
    let variant = variant.parse().map_err(|_| ApiError::not_found("variant"))?;
    let speed = Speed::RATED
        .into_iter()
        .find(|rated| rated.as_str() == speed)
        .ok_or_else(|| ApiError::not_found("speed"))?;
    Ok((variant, speed))
}

/// `GET /leaderboards/{variant}/{speed}`: those who play and whose rating is sure enough.
pub(super) async fn leaders(
    State(app): State<AppState>,
    Path((variant, speed)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let (variant, speed) = kind(&variant, &speed)?;
    let now = app.now();
    let rules = &app.config.leaderboard;
    let since = now.plus_ms(-rules.active_days * 86_400_000);
    let candidates = app.store.highest_rated(variant, speed, since, CANDIDATES).await?;
    let players = candidates
        .iter()
        .map(|(player, stored)| (player, stored, stored.at(now, &app.glicko2)))
        .filter(|(_, _, rating)| rating.deviation <= rules.max_deviation)
        .take(LEADERS)
        .map(|(player, stored, rating)| LeaderJson {
            player: player.into(),
            rating: rating.rating,
            deviation: rating.deviation,
            games: stored.games,
            last_played_at: stored.last_played_at.to_string(),
        })
        .collect();
    let (variant, speed) = (variant.as_str(), speed.as_str());
    Ok(Json(LeaderboardJson { variant, speed, players }).into_response())
}

/// `GET /players/{name}/ratings/{variant}/{speed}`: after each of the last games, oldest first.
pub(super) async fn curve(
    State(app): State<AppState>,
    Path((name, variant, speed)): Path<(String, String, String)>,
) -> Result<Response, ApiError> {
    let (variant, speed) = kind(&variant, &speed)?;
    let profile = app.store.profile(&name).await?.ok_or_else(|| ApiError::not_found("player"))?;
    let points = app.store.rating_curve(profile.player.id, variant, speed, POINTS).await?;
    let points = points
        .iter()
        .map(|point| PointJson {
            at: point.at.to_string(),
            game: point.game_id.to_string(),
            rating: point.rating_after,
            deviation: point.deviation_after,
        })
        .collect();
    let (variant, speed) = (variant.as_str(), speed.as_str());
    Ok(Json(CurveJson { variant, speed, points }).into_response())
}
