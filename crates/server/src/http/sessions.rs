//! What lets others in as me: my browsers and my programs' tokens, to look at and to end.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum_extra::extract::CookieJar;
use serde::{Deserialize, Serialize};

use super::extract::{Body, PathId};
use super::session::{CurrentPerson, new_session, no_cookie};
use crate::error::{ApiError, Code};
use crate::ids::{PlayerId, SessionId};
use crate::player::PlayerKind;
use crate::session::{SessionKind, token_name};
use crate::state::AppState;

#[derive(Serialize)]
struct SessionJson {
    id: SessionId,
    name: String,
    created_at: String,
    seen_at: String,
    expires_at: String,
    /// Whether it is the one that asks.
    current: bool,
}

async fn list(
    app: &AppState,
    CurrentPerson(person): CurrentPerson,
    kind: SessionKind,
) -> Result<Vec<SessionJson>, ApiError> {
    let sessions = app.store.sessions_of(person.player.id, kind, app.now()).await?;
    let told = sessions.into_iter().map(|session| SessionJson {
        id: session.id,
        created_at: session.created_at.to_string(),
        seen_at: session.seen_at.to_string(),
        expires_at: session.expires_at.to_string(),
        current: session.id == person.id,
        name: session.name,
    });
    Ok(told.collect())
}

async fn end(
    app: &AppState,
    player: PlayerId,
    kind: SessionKind,
    id: SessionId,
) -> Result<StatusCode, ApiError> {
    let ended = app.store.end_session(player, kind, id).await?;
    app.sockets.end_sessions(&ended);
    if ended.is_empty() {
        return Err(ApiError::not_found(match kind {
            SessionKind::Browser => "session",
            SessionKind::Token => "token",
        }));
    }
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Serialize)]
struct Sessions {
    sessions: Vec<SessionJson>,
}

/// `GET /sessions`.
pub(super) async fn browsers(
    State(app): State<AppState>,
    person: CurrentPerson,
) -> Result<Response, ApiError> {
    let sessions = list(&app, person, SessionKind::Browser).await?;
    Ok(Json(Sessions { sessions }).into_response())
}

/// `DELETE /sessions/{id}`.
pub(super) async fn end_browser(
    State(app): State<AppState>,
    CurrentPerson(person): CurrentPerson,
    PathId(id): PathId<SessionId>,
) -> Result<StatusCode, ApiError> {
    end(&app, person.player.id, SessionKind::Browser, id).await
}

/// `DELETE /sessions`: log out everywhere, here too.
pub(super) async fn end_browsers(
    State(app): State<AppState>,
    CurrentPerson(person): CurrentPerson,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    let ended = app.store.end_browsers(person.player.id).await?;
    app.sockets.end_sessions(&ended);
    Ok((StatusCode::NO_CONTENT, jar.add(no_cookie(&app))).into_response())
}

#[derive(Serialize)]
struct Tokens {
    tokens: Vec<SessionJson>,
}

/// `GET /tokens`.
pub(super) async fn tokens(
    State(app): State<AppState>,
    person: CurrentPerson,
) -> Result<Response, ApiError> {
    let tokens = list(&app, person, SessionKind::Token).await?;
    Ok(Json(Tokens { tokens }).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewToken {
    pub(super) name: String,
}

#[derive(Serialize)]
struct TokenJson<'a> {
    id: SessionId,
    name: &'a str,
    /// Shown this once: only its hash is kept.
    token: String,
    expires_at: String,
}

/// `POST /tokens`.
pub(super) async fn create_token(
    State(app): State<AppState>,
    CurrentPerson(person): CurrentPerson,
    Body(body): Body<NewToken>,
) -> Result<Response, ApiError> {
    if person.player.kind == PlayerKind::Guest {
        return Err(ApiError::new(Code::NotAnAccount, "Tokens are for accounts: sign up."));
    }
    let name = token_name(&body.name).ok_or_else(|| {
        ApiError::bad_request("A token's name has 1 to 40 characters that can be seen.")
    })?;
    let (token, session) = new_session(&app, SessionKind::Token, name.to_owned());
    let most = app.config.session.tokens;
    if !app.store.create_token(&session, person.player.id, most).await? {
        let detail = format!("An account has at most {most} tokens. Revoke one first.");
        return Err(ApiError::new(Code::TooManyTokens, detail));
    }
    let location = format!("/api/v1/tokens/{}", session.id);
    let expires_at = session.expires_at.to_string();
    let made = TokenJson { id: session.id, name, token, expires_at };
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], Json(made)).into_response())
}

/// `DELETE /tokens/{id}`.
pub(super) async fn end_token(
    State(app): State<AppState>,
    CurrentPerson(person): CurrentPerson,
    PathId(id): PathId<SessionId>,
) -> Result<StatusCode, ApiError> {
    end(&app, person.player.id, SessionKind::Token, id).await
}
