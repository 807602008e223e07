//! Whom one wants nothing to do with.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;

use super::address::ClientPlace;
use super::extract::PathId;
use super::session::CurrentPlayer;
use crate::blocks::MAX_BLOCKED;
use crate::error::{ApiError, Code};
use crate::player::Player;
use crate::state::AppState;
use crate::wire::PlayerJson;

#[derive(Serialize)]
struct BlockJson<'a> {
    player: PlayerJson<'a>,
    created_at: String,
}

#[derive(Serialize)]
struct Envelope<'a> {
    blocks: Vec<BlockJson<'a>>,
}

/// `GET /blocks`.
pub(super) async fn list(
    State(app): State<AppState>,
    CurrentPlayer(player): CurrentPlayer,
) -> Result<Response, ApiError> {
    let blocks = app.store.blocks(player.id).await?;
    let blocks = blocks
        .iter()
        .map(|(player, at)| BlockJson { player: player.into(), created_at: at.to_string() });
    Ok(Json(Envelope { blocks: blocks.collect() }).into_response())
}

async fn named(app: &AppState, name: &str) -> Result<Player, ApiError> {
    let profile = app.store.profile(name).await?;
    Ok(profile.ok_or_else(|| ApiError::not_found("player"))?.player)
}

/// `PUT /blocks/{name}`.
pub(super) async fn block(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    CurrentPlayer(player): CurrentPlayer,
    PathId(name): PathId<String>,
) -> Result<StatusCode, ApiError> {
    app.limits.writes.check(&place)?;
    let other = named(&app, &name).await?;
    if other.id == player.id {
        return Err(ApiError::bad_request("You cannot block yourself."));
    }
    if other.kind.level().is_some() {
        return Err(ApiError::bad_request("A computer cannot be blocked."));
    }
    if !app.blocks.block(player.id, other.id, app.now()).await? {
        let detail = format!("You have blocked {MAX_BLOCKED} players. Unblock one first.");
        return Err(ApiError::new(Code::TooManyBlocks, detail));
    }
    app.lobby.blocks(player.id).await?;
    app.lobby.close_between(player, other.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `DELETE /blocks/{name}`.
pub(super) async fn unblock(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    CurrentPlayer(player): CurrentPlayer,
    PathId(name): PathId<String>,
) -> Result<StatusCode, ApiError> {
    app.limits.writes.check(&place)?;
    let other = named(&app, &name).await?;
    app.blocks.unblock(player.id, other.id).await?;
    app.lobby.blocks(player.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
