//! `GET /g/{id}/{ply}.svg`: a position of a game as a picture, for chats that show one with a link.

mod draw;
mod style;

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, Method, Uri, header};
use axum::response::{IntoResponse, Response};

pub(super) use self::draw::{HEIGHT, WIDTH};
use self::style::Style;
use super::pages;
use crate::assets::content_type;
use crate::error::ApiError;
use crate::game::state::{GameSetup, GameState};
use crate::ids::GameId;
use crate::player::PlayerKind;
use crate::state::AppState;
use crate::store::StoreError;
use crate::store::games::GameSummary;

/// No address has a longer ply, so that a number needs no bound of its own.
const MOST_DIGITS: usize = 5;

/// A picture is nothing but a picture, also where it is opened as a page of its own.
const POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";
/// What is shown changes no more.
const FOR_EVER: &str = "public, max-age=31536000, immutable";
/// A guest who signs up has another name.
const A_DAY: &str = "public, max-age=86400";
/// The game goes on, or a move may be taken back.
const A_MOMENT: &str = "public, max-age=30";

/// A number of moves as addresses have it.
pub(super) fn read_ply(text: &str) -> Option<usize> {
    let is_number =
        (1..=MOST_DIGITS).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// How many moves a game has. Only of one under way has it to be looked for, and no rules are asked.
pub(super) async fn plies(app: &AppState, game: &GameSummary) -> Result<usize, StoreError> {
    match game.ended {
        Some(ended) => Ok(usize::try_from(ended.plies).unwrap_or(0)),
        None => app.registry.plies(game.setup.id).await,
    }
}

/// `GET /g/{id}/{ply}` and `GET /g/{id}/{ply}.svg`. What is neither is answered as any page that is not there.
pub(super) async fn show(
    State(app): State<AppState>,
    Path((id, name)): Path<(String, String)>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if (method == Method::GET || method == Method::HEAD)
        && let Some(ply) = name.strip_suffix(".svg").and_then(read_ply)
        && let Ok(id) = id.parse::<GameId>()
        && let Some(picture) = picture(&app, id, ply).await?
    {
        return Ok(picture);
    }
    pages::page(State(app), method, uri, headers).await
}

async fn picture(app: &AppState, id: GameId, ply: usize) -> Result<Option<Response>, ApiError> {
    let Some(game) = app.registry.summary(id).await? else { return Ok(None) };
    // What there is not is not looked for.
    if ply > plies(app, &game).await? {
        return Ok(None);
    }
    let Some(state) = retold(app, &game).await? else { return Ok(None) };
    let files = (app.assets.file("img/pieces.svg").await, app.assets.file("css/tokens.css").await);
    let (Some(sprite), Some(tokens)) = files else { return Ok(None) };
    let (sprite, tokens) = (String::from_utf8_lossy(&sprite), String::from_utf8_lossy(&tokens));
    let Some(style) = Style::read(&sprite, &tokens) else { return Ok(None) };
    let Some(svg) = draw::draw(&game.setup, &state, ply, &style) else { return Ok(None) };
    let headers = [
        (header::CONTENT_TYPE, content_type("picture.svg")),
        (header::CACHE_CONTROL, caching(&game.setup, &state, ply)),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        // Chats of other sites show it.
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    Ok(Some((headers, svg).into_response()))
}

/// The game with its moves. Its names may be old ones: those of the summary are not.
async fn retold(app: &AppState, game: &GameSummary) -> Result<Option<Arc<GameState>>, StoreError> {
    let id = game.setup.id;
    if let Some(state) = app.retold.get(id) {
        return Ok(Some(state));
    }
    let state = app.registry.look(id).await?;
    if let Some(state) = state.as_ref().filter(|state| state.end().is_some()) {
        app.retold.keep(state);
    }
    Ok(state)
}

/// For how long a picture may be kept. In a rated game no move is taken back.
fn caching(setup: &GameSetup, state: &GameState, ply: usize) -> &'static str {
    let is_settled = state.end().is_some() || (setup.rated && ply < state.moves().len());
    let seats = [&setup.seats.white, &setup.seats.black];
    let has_guest = seats.iter().any(|seat| seat.player.kind == PlayerKind::Guest);
    match (is_settled, has_guest) {
        (true, false) => FOR_EVER,
        (true, true) => A_DAY,
        (false, _) => A_MOMENT,
    }
}
