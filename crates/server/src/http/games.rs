//! Games to read: one, as JSON or PGN4D, and lists of them.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use manifold_rules::{Color, Outcome, Variant};
use serde::{Deserialize, Serialize};

use super::extract::{Params, PathId};
use super::pages::own_url;
use crate::error::ApiError;
use crate::game::clock::Speed;
use crate::game::state::GameSetup;
use crate::ids::{GameId, PlayerId};
use crate::pgn;
use crate::state::AppState;
use crate::store::games::{GameStatus, GameSummary};
use crate::wire::GameJson;

const PGN: &str = "application/x-chess-pgn";
const DEFAULT_LIMIT: i64 = 20;
const MAX_LIMIT: i64 = 100;
/// A list that is narrowed reads so many games at once,
const LOOKED_AT_ONCE: i64 = 250;
/// and looks at about so many for one part.
const MOST_LOOKED_AT: usize = 1000;
const OUTCOMES: [Outcome; 4] =
    [Outcome::Win(Color::White), Outcome::Win(Color::Black), Outcome::Draw, Outcome::Aborted];

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

/// Which part of a list, and what it is narrowed to.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Page {
    limit: Option<i64>,
    cursor: Option<String>,
    status: Option<String>,
    variant: Option<String>,
    speed: Option<String>,
    rated: Option<bool>,
    outcome: Option<String>,
    /// By name; of whom nobody is, there are no games.
    player: Option<String>,
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
    let Some(name) = &page.player else { return part(&app, None, page).await };
    match app.store.profile(name).await? {
        Some(profile) => part(&app, Some(profile.player.id), page).await,
        None => Ok(Json(GamesJson { games: Vec::new(), next: None }).into_response()),
    }
}

/// What a list is narrowed to besides its status and player, for which there are indexes. Nothing: all games.
#[derive(Debug, Default, PartialEq, Eq)]
struct Narrowed {
    variant: Option<Variant>,
    speed: Option<Speed>,
    rated: Option<bool>,
    outcome: Option<Outcome>,
}

impl Narrowed {
    fn read(app: &AppState, page: &Page) -> Result<Self, ApiError> {
        let variant = |name: &String| {
            app.variant(name).ok_or_else(|| ApiError::bad_request("There is no such variant."))
        };
        let speed = |name: &String| {
            let all = Speed::RATED.into_iter().chain([Speed::Untimed]);
            all.into_iter()
                .find(|speed| speed.as_str() == name)
                .ok_or_else(|| ApiError::bad_request("There is no such speed."))
        };
        let outcome = |name: &String| {
            OUTCOMES
                .into_iter()
                .find(|outcome| outcome.as_str() == name)
                .ok_or_else(|| ApiError::bad_request("outcome is white, black, draw or none."))
        };
        Ok(Self {
            variant: page.variant.as_ref().map(variant).transpose()?,
            speed: page.speed.as_ref().map(speed).transpose()?,
            rated: page.rated,
            outcome: page.outcome.as_ref().map(outcome).transpose()?,
        })
    }

    fn takes(&self, game: &GameSummary) -> bool {
        let GameSetup { variant, rated, time, .. } = &game.setup;
        let outcome = game.ended.map(|ended| ended.end.outcome);
        self.variant.is_none_or(|wanted| wanted == *variant)
            && self.speed.is_none_or(|wanted| wanted == time.speed())
            && self.rated.is_none_or(|wanted| wanted == *rated)
            && self.outcome.is_none_or(|wanted| Some(wanted) == outcome)
    }
}

/// A part of the list of all games, or of one player's.
pub(super) async fn part(
    app: &AppState,
    player: Option<PlayerId>,
    page: Page,
) -> Result<Response, ApiError> {
    let limit = page.limit.unwrap_or(DEFAULT_LIMIT);
    if !(1..=MAX_LIMIT).contains(&limit) {
        return Err(ApiError::bad_request(format!("limit is from 1 to {MAX_LIMIT}.")));
    }
    let narrowed = Narrowed::read(app, &page)?;
    let status = match page.status.as_deref() {
        None => GameStatus::Any,
        Some("live") => GameStatus::Live,
        Some("ended") => GameStatus::Ended,
        Some(_) => return Err(ApiError::bad_request("status is live or ended.")),
    };
    let mut before = match page.cursor {
        Some(cursor) => Some(
            cursor
                .parse::<GameId>()
                .map_err(|_| ApiError::bad_request("This is no cursor of ours."))?,
        ),
        None => None,
    };
    // One more than asked for tells whether there is a next part.
    let rows = if narrowed == Narrowed::default() { limit + 1 } else { LOOKED_AT_ONCE };
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut games: Vec<GameSummary> = Vec::new();
    let mut looked_at = 0;
    let next = 'walk: loop {
        let first_move_ms = |time| app.registry.first_move_ms(time);
        let found = app.store.list_games(player, status, before, rows, first_move_ms).await?;
        let is_last = (found.len() as i64) < rows;
        looked_at += found.len();
        for game in found {
            before = Some(game.setup.id);
            if !narrowed.takes(&game) {
                continue;
            }
            if games.len() == limit {
                break 'walk games.last().map(|last| last.setup.id);
            }
            games.push(game);
        }
        if is_last {
            break None;
        }
        // Among games that are rare one goes on where this part has stopped looking.
        if looked_at >= MOST_LOOKED_AT {
            break before;
        }
    };
    Ok(Json(GamesJson { games: games.iter().map(GameJson::from).collect(), next }).into_response())
}
