//! The computer as an opponent: who it is, and games against it.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use manifold_engine::Level;
use serde::{Deserialize, Serialize};

use super::address::ClientPlace;
use super::extract::Body;
use super::session::CurrentPlayer;
use crate::error::ApiError;
use crate::ids::CommandId;
use crate::state::AppState;
use crate::terms::{Terms, TermsBody, TimeBody};
use crate::wire::SeatedJson;

#[derive(Serialize)]
pub(super) struct ComputersJson {
    /// The weakest first; none where nothing thinks.
    computers: Vec<ComputerJson>,
}

#[derive(Serialize)]
struct ComputerJson {
    level: u8,
    name: &'static str,
}

/// `GET /computers`.
pub(super) async fn list(State(app): State<AppState>) -> Json<ComputersJson> {
    let levels: &[Level] = if app.computer.is_there() { &Level::ALL } else { &[] };
    let computer = |level: &Level| ComputerJson { level: level.number(), name: level.name() };
    Json(ComputersJson { computers: levels.iter().map(computer).collect() })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewGame {
    level: u8,
    variant: String,
    color: String,
    time: Option<TimeBody>,
    /// What its player calls it: the same again is the same game.
    id: Option<CommandId>,
}

/// `POST /games`: a casual game against the computer, which begins at once.
pub(super) async fn begin(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    CurrentPlayer(player): CurrentPlayer,
    Body(body): Body<NewGame>,
) -> Result<Response, ApiError> {
    let NewGame { level, variant, color, time, id } = body;
    let Terms { variant, color, time } =
        TermsBody { variant, color, time }.parse(&app).map_err(ApiError::bad_request)?;
    if time.days().is_some() {
        let detail = "The computer plays with a clock or without one.";
        return Err(ApiError::bad_request(detail));
    }
    let level = Level::new(level).ok_or_else(|| ApiError::bad_request("level is from 1 to 8."))?;
    if !app.computer.is_there() {
        return Err(ApiError::no_computer());
    }
    app.limits.writes.check(&place)?;
    let seated = app.lobby.play_computer(player, level, variant, color, time, id).await?;
    let location = format!("/api/v1/games/{}", seated.game);
    let body = Json(SeatedJson::from(seated));
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], body).into_response())
}
