//! Games to read: one, as JSON or PGN4D, and lists of them.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use super::extract::{Params, PathId};
use super::pages::own_url;
use crate::error::{ApiError, Code};
use crate::ids::{GameId, PlayerId};
use crate::pgn;
use crate::state::AppState;
use crate::store::games::GameStatus;
use crate::wire::GameJson;

const PGN: &str = "application/x-chess-pgn";
const DEFAULT_LIMIT: i64 = 20;
const MAX_LIMIT: i64 = 100;

/// `GET /games/{id}` and `GET /games/{id}.pgn`.
pub(super) async fn show(
    State(app): State<AppState>,
    headers: HeaderMap,
    PathId(name): PathId<String>,
) -> Result<Response, ApiError> {
    let (id, asks_pgn) = match name.strip_suffix(".pgn") {
        Some(id) => (id, true),
        None => (&*name, accepts_pgn(&headers)),
    };
    let not_found = || ApiError::not_found("game");
    let id: GameId = id.parse().map_err(|_| not_found())?;
    let state = app.registry.look(id).await?.ok_or_else(not_found)?;
    if asks_pgn {
        let site = own_url(&app, &headers, &format!("/g/{id}"));
        let disposition = format!("inline; filename=\"{id}.pgn\"");
        let headers = [
            (header::CONTENT_TYPE, format!("{PGN}; charset=utf-8")),
            (header::CONTENT_DISPOSITION, disposition),
            (header::VARY, "Accept".to_owned()),
        ];
        Ok((headers, pgn::write(&state, &site)).into_response())
    } else {
        Ok(([(header::VARY, "Accept")], Json(GameJson::from(&*state))).into_response())
    }
}

fn accepts_pgn(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.contains(PGN))
}

/// Which part of a list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    limit: Option<i64>,
    cursor: Option<String>,
    status: Option<String>,
}

#[derive(Serialize)]
struct GamesJson<'a> {
    games: Vec<GameJson<'a>>,
    /// Where the next part begins. Games never change their place, so a walk meets each exactly once.
    next: Option<GameId>,
}

/// `GET /games`.
pub(super) async fn list(
    State(app): State<AppState>,
    Params(page): Params<Page>,
) -> Result<Response, ApiError> {
    part(&app, None, page).await
}

/// A part of the list of all games, or of one player's.
pub(super) async fn part(
    app: &AppState,
    player: Option<PlayerId>,
    page: Page,
) -> Result<Response, ApiError> {
    let bad = |detail: String| ApiError::new(Code::BadRequest, detail);
    let limit = page.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(bad(format!("limit is from 1 to {MAX_LIMIT}.")));
    }
    let before = match page.cursor {
        Some(cursor) => Some(
            cursor.parse::<GameId>().map_err(|_| bad("This is no cursor of ours.".to_owned()))?,
        ),
        None => None,
    };
    let status = match page.status.as_deref() {
        None => GameStatus::Any,
        Some("live") => GameStatus::Live,
        Some("ended") => GameStatus::Ended,
        Some(_) => return Err(bad("status is live or ended.".to_owned())),
    };
    // One more than asked for tells whether there is a next part.
    let first_move_ms = |time| app.registry.first_move_ms(time);
    let mut games = app.store.list_games(player, status, before, limit + 1, first_move_ms).await?;
    let has_more = games.len() as i64 > limit;
    games.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let next = games.last().filter(|_| has_more).map(|game| game.setup.id);
    Ok(Json(GamesJson { games: games.iter().map(GameJson::from).collect(), next }).into_response())
}
