//! Players to read.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::extract::{Params, PathId};
use super::games::{Page, part};
use super::session::MaybePlayer;
use crate::error::ApiError;
use crate::state::AppState;
use crate::store::players::Profile;
use crate::store::ratings::StoredRating;
use crate::wire::PlayerJson;

#[derive(Serialize)]
struct ProfileJson<'a> {
    #[serde(flatten)]
    player: PlayerJson<'a>,
    created_at: String,
    /// Whether it and whoever asks have nothing to do with each other, as one of them wants; not which of the two.
    blocked: bool,
    ratings: Vec<RatingJson<'a>>,
}

#[derive(Serialize)]
struct RatingJson<'a> {
    variant: &'a str,
    speed: &'a str,
    rating: f64,
    deviation: f64,
    volatility: f64,
    provisional: bool,
    games: i64,
    last_played_at: String,
}

#[derive(Serialize)]
struct Envelope<'a> {
    player: ProfileJson<'a>,
}

async fn profile(app: &AppState, name: &str) -> Result<Profile, ApiError> {
    app.store.profile(name).await?.ok_or_else(|| ApiError::not_found("player"))
}

/// `GET /players/{name}`. Ratings are worth what they are worth now: their deviation grows with idle time.
pub(super) async fn show(
    State(app): State<AppState>,
    MaybePlayer(asker): MaybePlayer,
    PathId(name): PathId<String>,
) -> Result<Response, ApiError> {
    let profile = profile(&app, &name).await?;
    let blocked = match asker {
        Some(asker) => app.blocks.between(asker.id, profile.player.id).await?,
        None => false,
    };
    let stored = app.store.ratings(profile.player.id).await?;
    let now = app.now();
    let rating = |stored: &'_ StoredRating| {
        let rating = stored.at(now, &app.glicko2);
        (rating, app.glicko2.is_provisional(rating))
    };
    let ratings = stored.iter().map(|stored| {
        let (now, provisional) = rating(stored);
        RatingJson {
            variant: &stored.variant,
            speed: &stored.speed,
            rating: now.rating,
            deviation: now.deviation,
            volatility: now.volatility,
            provisional,
            games: stored.games,
            last_played_at: stored.last_played_at.to_string(),
        }
    });
    let player = ProfileJson {
        player: (&profile.player).into(),
        created_at: profile.created_at.to_string(),
        blocked,
        ratings: ratings.collect(),
    };
    Ok(Json(Envelope { player }).into_response())
}

/// `GET /players/{name}/games`.
pub(super) async fn games(
    State(app): State<AppState>,
    PathId(name): PathId<String>,
    Params(page): Params<Page>,
) -> Result<Response, ApiError> {
    let profile = profile(&app, &name).await?;
    part(&app, Some(profile.player.id), page).await
}
