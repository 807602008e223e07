//! The web client's shell and files.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Redirect, Response};
use manifold_rules::Variant;
use percent_encoding::percent_decode_str;

use super::pictures;
use crate::assets::{PageHead, Picture, content_type};
use crate::error::ApiError;
use crate::game::clock::{Fischer, TimeControl};
use crate::ids::{ChallengeId, GameId};
use crate::puzzles;
use crate::state::AppState;
use crate::store::games::GameSummary;

const SITE: &str = "Manifold";
const DESCRIPTION: &str = "Chess in four dimensions, online: rated games, challenges by link, on a board of 4 × 4 × 2 × 2.";

/// An address on this server, as people type it.
pub(super) fn own_url(app: &AppState, headers: &HeaderMap, path: &str) -> String {
    match app.config.server.origin() {
        Some(origin) => format!("{origin}{path}"),
        None => {
            let host = headers.get(header::HOST).and_then(|value| value.to_str().ok());
            format!("http://{}{path}", host.unwrap_or("localhost"))
        }
    }
}

/// What a place's head says; `None` where there is no such place.
struct Place {
    title: String,
    description: String,
    /// The path of its picture.
    picture: Option<String>,
}

impl Place {
    fn new(title: &str) -> Self {
        Self {
            title: format!("{title} · {SITE}"),
            description: DESCRIPTION.to_owned(),
            picture: None,
        }
    }
}

/// Any address that is nothing else: the client's shell, which shows the place. What is no place of ours is answered
/// with 404, and with the shell all the same.
pub(super) async fn page(
    State(app): State<AppState>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    if method != Method::GET && method != Method::HEAD {
        return Err(ApiError::method_not_allowed(Some("GET, HEAD")));
    }
    let place = place(&app, uri.path()).await?;
    let status = if place.is_some() { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let place = place.unwrap_or_else(|| Place::new("Not found"));
    let url = own_url(&app, &headers, uri.path());
    let picture = place.picture.map(|path| own_url(&app, &headers, &path));
    let picture = picture.as_deref().map(|url| Picture {
        url,
        width: pictures::WIDTH,
        height: pictures::HEIGHT,
    });
    let head =
        PageHead { title: &place.title, description: &place.description, url: &url, picture };
    let page = app.assets.page(&head).await.ok_or_else(|| ApiError::not_found("page"))?;
    let headers =
        [(header::CONTENT_TYPE, content_type("index.html")), (header::CACHE_CONTROL, "no-cache")];
    Ok((status, headers, page).into_response())
}

async fn place(app: &AppState, path: &str) -> Result<Option<Place>, ApiError> {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    Ok(match parts[..] {
        [""] => Some(Place {
            title: format!("{SITE}: chess in four dimensions"),
            ..Place::new("")
        }),
        ["login"] => Some(Place::new("Log in")),
        ["signup"] => Some(Place::new("Sign up")),
        ["games"] => Some(Place::new("Games")),
        ["analysis"] => Some(Place::new("Analysis")),
        ["leaderboard"] | ["leaderboard", _, _] => Some(Place::new("Leaderboard")),
        ["settings"] => Some(Place::new("Settings")),
        ["learn"] | ["learn", _] => Some(Place {
            title: format!("Learn chess in four dimensions · {SITE}"),
            description: "Four short lessons to play through, and a first game: one more direction at a time."
                .to_owned(),
            picture: None,
        }),
        ["puzzles"] => Some(Place::new("Puzzles")),
        ["puzzles", id] => puzzles::find(id).map(|_| Place::new("Puzzle")),
        ["@", name] => {
            let name = percent_decode_str(name).decode_utf8_lossy();
            let profile = app.store.profile(&name).await?;
            profile.map(|profile| Place::new(&profile.player.name))
        }
        ["g", id] => game_place(app, id, None).await?,
        ["g", id, ply] => match pictures::read_ply(ply) {
            Some(ply) => game_place(app, id, Some(ply)).await?,
            None => None,
        },
        ["c", id] => match id.parse::<ChallengeId>() {
            // One that names a player is nobody else's to see, and a preview does not say who looks.
            Ok(id) => app.store.challenge(id, app.now()).await?.map(|challenge| {
                match challenge.opponent {
                    Some(_) => Place::new("Challenge"),
                    None => Place {
                        title: format!("{} challenges you · {SITE}", challenge.creator.name),
                        description: format!(
                            "{}, {}. Chess in four dimensions: open the link and press Accept.",
                            variant_text(challenge.variant),
                            time_text(challenge.time),
                        ),
                        picture: None,
                    },
                }
            }),
            Err(_) => None,
        },
        _ => None,
    })
}

/// A game as it stands, or at one of its plies.
async fn game_place(
    app: &AppState,
    id: &str,
    ply: Option<usize>,
) -> Result<Option<Place>, ApiError> {
    let Ok(id) = id.parse::<GameId>() else { return Ok(None) };
    let Some(game) = app.registry.summary(id).await? else { return Ok(None) };
    let plies = pictures::plies(app, &game).await?;
    let shown = ply.unwrap_or(plies);
    if shown > plies {
        return Ok(None);
    }
    let GameSummary { setup, .. } = game;
    let players = format!("{} – {}", setup.seats.white.player.name, setup.seats.black.player.name);
    let place = match ply {
        Some(ply) => Place::new(&format!("{players}, ply {ply}")),
        None => Place::new(&players),
    };
    Ok(Some(Place {
        description: format!(
            "{}, {}, {}. Chess in four dimensions: the position at ply {shown}.",
            variant_text(setup.variant),
            kind_text(setup.rated),
            time_text(setup.time)
        ),
        picture: Some(format!("/g/{id}/{shown}.svg")),
        ..place
    }))
}

pub(super) const fn variant_text(variant: Variant) -> &'static str {
    match variant {
        Variant::Fourfold => "Fourfold",
        Variant::FourfoldClassic => "Small army",
        Variant::ParallelWorlds => "Parallel Worlds",
    }
}

pub(super) const fn kind_text(rated: bool) -> &'static str {
    if rated { "rated" } else { "casual" }
}

pub(super) fn time_text(time: TimeControl) -> String {
    match time {
        TimeControl::Fischer(Fischer { base_ms, increment_ms }) => {
            let minutes = if base_ms == 60_000 { "minute" } else { "minutes" };
            format!("{} {minutes} + {} seconds", base_ms as f64 / 60_000.0, increment_ms / 1000)
        }
        TimeControl::Correspondence(days) if days.number() == 1 => "one day per move".to_owned(),
        TimeControl::Correspondence(days) => format!("{} days per move", days.number()),
        TimeControl::Untimed => "without a clock".to_owned(),
    }
}

/// `GET /assets/{hash}/{path}`. Another hash is of other files, which this server does not have.
pub(super) async fn asset(
    State(app): State<AppState>,
    Path((hash, path)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let file = if hash == app.assets.hash() { app.assets.file(&path).await } else { None };
    let file = file.ok_or_else(|| ApiError::not_found("file"))?;
    let caching =
        if app.assets.are_immutable() { "public, max-age=31536000, immutable" } else { "no-cache" };
    Ok((
        [(header::CONTENT_TYPE, content_type(&path)), (header::CACHE_CONTROL, caching)],
        file.into_owned(),
    )
        .into_response())
}

pub(super) async fn favicon(State(app): State<AppState>) -> Redirect {
    Redirect::temporary(&format!("/assets/{}/img/favicon.svg", app.assets.hash()))
}
