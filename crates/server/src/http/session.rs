//! Who asks: the session cookie and the `Authorization` header, log-in and log-out.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use serde::{Deserialize, Serialize};

use super::address::ClientPlace;
use super::extract::Body;
use crate::error::{ApiError, Code};
use crate::ids::{GameId, SessionId};
use crate::player::{AccountName, Password, Player, handle};
use crate::session::{NewSession, Session, SessionKind, Shown, TokenHash, browser_name, new_token};
use crate::state::AppState;
use crate::store::StoreError;
use crate::store::players::Credentials;
use crate::time::Timestamp;
use crate::wire::PlayerJson;

const MS_PER_DAY: i64 = 86_400_000;
/// When a session was last seen is written down at most so often: its owner wants to know the day, and the database has
/// other work.
const SEEN_EVERY_MS: i64 = 600_000;

/// The cookie's name. Behind TLS its prefix has browsers make sure that no other host and no plain connection sets it.
fn cookie_name(app: &AppState) -> &'static str {
    if app.config.server.is_https() { "__Host-manifold_session" } else { "manifold_session" }
}

/// The token of an `Authorization: Bearer` header. Pages of other sites cannot send one.
pub fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// What the request shows, whether it opens anything or not. Who sends a header means that and not the cookie.
pub fn shown(app: &AppState, headers: &HeaderMap) -> Option<Shown> {
    match bearer(headers) {
        Some(token) => Some(Shown::new(SessionKind::Token, token)),
        None => {
            let jar = CookieJar::from_headers(headers);
            jar.get(cookie_name(app)).map(|cookie| Shown::new(SessionKind::Browser, cookie.value()))
        }
    }
}

/// The session of whoever asks. A cookie that opens nothing is nobody's; a token that does not is refused, for a program
/// would otherwise not know why it is nobody.
pub(super) async fn session(
    app: &AppState,
    headers: &HeaderMap,
) -> Result<Option<Session>, ApiError> {
    let Some(shown) = shown(app, headers) else { return Ok(None) };
    let now = app.now();
    let found = app.store.session(shown, now).await?;
    match (&found, shown.kind) {
        (Some(session), kind) if now.ms_since(session.seen_at) >= SEEN_EVERY_MS => {
            // A browser's session is made longer together with its cookie.
            let expires_at = match kind {
                SessionKind::Browser => session.expires_at,
                SessionKind::Token => expiry(app, kind, now),
            };
            if let Err(error) = app.store.see_session(shown.token, now, expires_at).await {
                tracing::warn!(%error, "when a session was last seen is not written");
            }
        }
        (Some(_), _) | (None, SessionKind::Browser) => {}
        (None, SessionKind::Token) => {
            return Err(ApiError::new(
                Code::InvalidToken,
                "This API token is not known: it was revoked, or has expired.",
            ));
        }
    }
    Ok(found)
}

/// Whoever asks, if there is a session.
pub struct MaybePlayer(pub Option<Player>);

impl FromRequestParts<AppState> for MaybePlayer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        Ok(Self(session(app, &parts.headers).await?.map(|session| session.player)))
    }
}

/// Whoever asks; without a session the request is refused.
pub(super) struct CurrentPlayer(pub(super) Player);

impl FromRequestParts<AppState> for CurrentPlayer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let MaybePlayer(player) = MaybePlayer::from_request_parts(parts, app).await?;
        player.map(Self).ok_or_else(ApiError::unauthenticated)
    }
}

/// A person who asks, by a browser's session: only people may change who can act for them.
pub(super) struct CurrentPerson(pub(super) Session);

impl FromRequestParts<AppState> for CurrentPerson {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let session = session(app, &parts.headers).await?.ok_or_else(ApiError::unauthenticated)?;
        match session.shown.kind {
            SessionKind::Browser => Ok(Self(session)),
            SessionKind::Token => Err(session_needed()),
        }
    }
}

fn session_needed() -> ApiError {
    ApiError::new(Code::SessionNeeded, "An API token may not do this: log in.")
}

/// A request that shows no token. Where a cookie is given or taken away a program would be told that something was done which
/// has nothing to do with what it showed.
pub(super) struct NoToken;

impl FromRequestParts<AppState> for NoToken {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        if bearer(&parts.headers).is_none() {
            return Ok(Self);
        }
        // One that is not known is told as everywhere.
        session(app, &parts.headers).await?;
        Err(session_needed())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameAndPassword {
    pub name: String,
    pub password: String,
}

#[derive(Serialize)]
struct WhoJson<'a> {
    player: Option<PlayerJson<'a>>,
    /// Games under way; only where somebody asks who they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    playing: Option<Vec<GameId>>,
}

/// A token, and the session that it opens.
pub(super) fn new_session(app: &AppState, kind: SessionKind, name: String) -> (String, NewSession) {
    let token = new_token(kind, rand::random());
    let begins_at = app.now();
    let session = NewSession {
        id: SessionId::new(),
        shown: Shown::new(kind, &token),
        name,
        begins_at,
        expires_at: expiry(app, kind, begins_at),
    };
    (token, session)
}

/// The session of the browser that sends these headers.
pub(super) fn new_browser(app: &AppState, headers: &HeaderMap) -> (String, NewSession) {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    new_session(app, SessionKind::Browser, browser_name(agent.unwrap_or_default()))
}

/// Answers with a session that has begun, and ends the one in `jar`.
pub(super) async fn welcome(
    app: &AppState,
    jar: CookieJar,
    status: StatusCode,
    player: &Player,
    token: String,
) -> Response {
    if let Some(old) = jar.get(cookie_name(app)) {
        // The new session is there: what cannot be ended now expires.
        let old = Shown::new(SessionKind::Browser, old.value());
        if let Err(error) = end_session(app, old.token).await {
            tracing::warn!(%error, "an old session was not ended");
        }
    }
    (status, jar.add(cookie(app, token)), who(player)).into_response()
}

/// Says who somebody is.
pub(super) fn who(player: &Player) -> Response {
    Json(WhoJson { player: Some(player.into()), playing: None }).into_response()
}

/// Ends a session and closes what hangs on it.
async fn end_session(app: &AppState, token: TokenHash) -> Result<(), StoreError> {
    if app.store.delete_session(token).await? {
        app.sockets.end_session(&token);
    }
    Ok(())
}

fn expiry(app: &AppState, kind: SessionKind, now: Timestamp) -> Timestamp {
    let days = match kind {
        SessionKind::Browser => app.config.session.days,
        SessionKind::Token => app.config.session.token_days,
    };
    now.plus_ms(days * MS_PER_DAY)
}

pub(super) fn cookie(app: &AppState, token: String) -> Cookie<'static> {
    Cookie::build((cookie_name(app), token))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(app.config.server.is_https())
        .max_age(time::Duration::days(app.config.session.days))
        .build()
}

/// What takes the cookie away again. A browser minds only a removal that is as secure as the cookie.
pub(super) fn no_cookie(app: &AppState) -> Cookie<'static> {
    let mut gone = cookie(app, String::new());
    gone.make_removal();
    gone
}

/// Log-in tries for a name from one place, all in all and for this name, where the password is typed once more.
pub(super) fn check_log_in(
    app: &AppState,
    name: &str,
    place: std::net::IpAddr,
) -> Result<(), ApiError> {
    app.limits.logins.check(&place)?;
    app.limits.logins_by_name.check(&(handle(name), place))
}

/// `POST /session`.
pub(super) async fn log_in(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    _: NoToken,
    headers: HeaderMap,
    jar: CookieJar,
    Body(body): Body<NameAndPassword>,
) -> Result<Response, ApiError> {
    let wrong =
        || ApiError::new(Code::WrongCredentials, "Name and password do not belong together.");
    // What cannot be a name or a password is nobody's, and is not worth counting or hashing.
    let name = AccountName::parse(&body.name).map_err(|_| wrong())?;
    let password = Password::attempt(body.password).ok_or_else(wrong)?;
    check_log_in(&app, name.as_str(), place)?;
    let credentials = app.store.credentials(name.as_str()).await?;
    let hash = credentials.as_ref().map(|credentials| credentials.password_hash.clone());
    if !app.passwords.verify(password, hash).await? {
        return Err(wrong());
    }
    let credentials = credentials.ok_or_else(wrong)?;
    enter(&app, &headers, jar, StatusCode::OK, &credentials).await?.ok_or_else(wrong)
}

/// Begins a session of whoever has just proven to know the password. Nothing if it is another by now.
pub(super) async fn enter(
    app: &AppState,
    headers: &HeaderMap,
    jar: CookieJar,
    status: StatusCode,
    Credentials { player, password_hash }: &Credentials,
) -> Result<Option<Response>, ApiError> {
    let (token, session) = new_browser(app, headers);
    let Some(ended) = app.store.create_session(&session, player.id, password_hash).await? else {
        return Ok(None);
    };
    app.sockets.end_sessions(&ended);
    Ok(Some(welcome(app, jar, status, player, token).await))
}

/// `GET /session`. A session that is used lives on.
pub(super) async fn show(
    State(app): State<AppState>,
    headers: HeaderMap,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    let Some(session) = session(&app, &headers).await? else {
        return Ok(Json(WhoJson { player: None, playing: Some(Vec::new()) }).into_response());
    };
    let playing = Some(app.store.under_way(session.player.id).await?);
    let who = Json(WhoJson { player: Some((&session.player).into()), playing });
    let now = app.now();
    let expires_at = expiry(&app, session.shown.kind, now);
    let is_old = expires_at.ms_since(session.expires_at) > MS_PER_DAY;
    let old = jar.get(cookie_name(&app)).filter(|_| is_old && bearer(&headers).is_none());
    match old.map(|cookie| cookie.value().to_owned()) {
        Some(token) => {
            app.store.see_session(session.shown.token, now, expires_at).await?;
            Ok((jar.add(cookie(&app, token)), who).into_response())
        }
        None => Ok(who.into_response()),
    }
}

/// `DELETE /session`.
pub(super) async fn log_out(
    State(app): State<AppState>,
    _: NoToken,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    if let Some(cookie) = jar.get(cookie_name(&app)) {
        end_session(&app, Shown::new(SessionKind::Browser, cookie.value()).token).await?;
    }
    Ok((StatusCode::NO_CONTENT, jar.add(no_cookie(&app))).into_response())
}
