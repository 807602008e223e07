//! Who asks: sign-up, log-in, guests, and the session cookie.

use axum::Json;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::address::ClientPlace;
use super::extract::Body;
use crate::assets::hex;
use crate::error::{ApiError, Code};
use crate::ids::{GameId, PlayerId};
use crate::player::{AccountName, Password, Player, PlayerKind, guest_name, handle};
use crate::state::AppState;
use crate::store::StoreError;
use crate::store::players::is_name_taken;
use crate::store::sessions::{NewSession, TokenHash};
use crate::time::Timestamp;
use crate::wire::PlayerJson;

const COOKIE: &str = "manifold_session";
const MS_PER_DAY: i64 = 86_400_000;

/// Whoever asks, if there is a session.
pub struct MaybePlayer(pub Option<Player>);

impl FromRequestParts<AppState> for MaybePlayer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let jar = CookieJar::from_headers(&parts.headers);
        Ok(Self(session(app, &jar).await?.map(|session| session.player)))
    }
}

/// What the cookie names, whether there is such a session or not.
pub fn session_token(headers: &HeaderMap) -> Option<TokenHash> {
    CookieJar::from_headers(headers).get(COOKIE).map(|cookie| token_hash(cookie.value()))
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

struct Session {
    player: Player,
    token: TokenHash,
    expires_at: Timestamp,
}

async fn session(app: &AppState, jar: &CookieJar) -> Result<Option<Session>, ApiError> {
    let Some(token) = jar.get(COOKIE).map(|cookie| token_hash(cookie.value())) else {
        return Ok(None);
    };
    let found = app.store.session(token, app.now()).await?;
    Ok(found.map(|(player, expires_at)| Session { player, token, expires_at }))
}

fn token_hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NameAndPassword {
    name: String,
    password: String,
}

#[derive(Serialize)]
struct WhoJson<'a> {
    player: Option<PlayerJson<'a>>,
    /// Games under way; only where somebody asks who they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    playing: Option<Vec<GameId>>,
}

/// A token that nobody can guess, and the session that it opens.
fn new_session(app: &AppState) -> (String, NewSession) {
    let token = hex(&rand::random::<[u8; 32]>());
    let begins_at = app.now();
    let session =
        NewSession { token: token_hash(&token), begins_at, expires_at: expiry(app, begins_at) };
    (token, session)
}

/// Answers with a session that has begun, and ends the one in `jar`.
async fn welcome(
    app: &AppState,
    jar: CookieJar,
    status: StatusCode,
    player: &Player,
    token: String,
) -> Response {
    if let Some(old) = jar.get(COOKIE) {
        // The new session is there: what cannot be ended now expires.
        if let Err(error) = end_session(app, token_hash(old.value())).await {
            tracing::warn!(%error, "an old session was not ended");
        }
    }
    let who = WhoJson { player: Some(player.into()), playing: None };
    (status, jar.add(cookie(app, token)), Json(who)).into_response()
}

/// Ends a session and closes what hangs on it.
async fn end_session(app: &AppState, token: TokenHash) -> Result<(), StoreError> {
    if app.store.delete_session(token).await? {
        app.sockets.end_session(&token);
    }
    Ok(())
}

fn expiry(app: &AppState, now: Timestamp) -> Timestamp {
    now.plus_ms(app.config.session.days * MS_PER_DAY)
}

fn cookie(app: &AppState, token: String) -> Cookie<'static> {
    let days = app.config.session.days;
    Cookie::build((COOKIE, token))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Lax)
        .secure(app.config.server.is_https())
        .max_age(time::Duration::days(days))
        .build()
}

/// `POST /accounts`.
pub(super) async fn sign_up(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    jar: CookieJar,
    Body(body): Body<NameAndPassword>,
) -> Result<Response, ApiError> {
    let name =
        AccountName::parse(&body.name).map_err(|why| ApiError::new(Code::InvalidName, why))?;
    let password = Password::new(body.password, &name)
        .map_err(|why| ApiError::new(Code::WeakPassword, why))?;
    app.limits.new_players.check(&place)?;
    if app.store.profile(name.as_str()).await?.is_some() {
        return Err(name_taken());
    }
    let hash = app.passwords.hash(password).await?;
    let taken = |error: StoreError| if is_name_taken(&error) { name_taken() } else { error.into() };
    let guest =
        self::session(&app, &jar).await?.filter(|session| session.player.kind == PlayerKind::Guest);
    let (token, session) = new_session(&app);
    let promoted = match guest {
        Some(guest) => {
            let promoted = app.store.promote_guest(guest.player.id, &name, &hash, &session);
            promoted.await.map_err(taken)?
        }
        None => None,
    };
    let player = match promoted {
        Some(player) => {
            // The account is there: a game that is not told reads the name when it is next brought back.
            if let Err(error) = app.registry.renamed(&player).await {
                tracing::warn!(%error, "games were not told a new name");
            }
            player
        }
        None => app
            .store
            .create_account(PlayerId::new(), &name, &hash, &session)
            .await
            .map_err(taken)?,
    };
    Ok(welcome(&app, jar, StatusCode::CREATED, &player, token).await)
}

fn name_taken() -> ApiError {
    ApiError::new(Code::NameTaken, "Somebody has this name already.")
}

/// `POST /guests`.
pub(super) async fn play_as_guest(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    if let Some(session) = session(&app, &jar).await? {
        let who = WhoJson { player: Some((&session.player).into()), playing: None };
        return Ok(Json(who).into_response());
    }
    app.limits.new_players.check(&place)?;
    /// Of a billion names, two in a row that are taken would be no accident.
    const TRIES: usize = 4;
    for _ in 0..TRIES {
        let name = guest_name(&mut rand::rng());
        let (token, session) = new_session(&app);
        match app.store.create_guest(PlayerId::new(), &name, &session).await {
            Ok(player) => return Ok(welcome(&app, jar, StatusCode::CREATED, &player, token).await),
            Err(error) if is_name_taken(&error) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(ApiError::new(Code::Internal, "No free name was found for a guest."))
}

/// `POST /session`.
pub(super) async fn log_in(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    jar: CookieJar,
    Body(body): Body<NameAndPassword>,
) -> Result<Response, ApiError> {
    let wrong =
        || ApiError::new(Code::WrongCredentials, "Name and password do not belong together.");
    // What cannot be a name or a password is nobody's, and is not worth counting or hashing.
    let name = AccountName::parse(&body.name).map_err(|_| wrong())?;
    let password = Password::attempt(body.password).ok_or_else(wrong)?;
    app.limits.logins.check(&place)?;
    app.limits.logins_by_name.check(&(handle(name.as_str()), place))?;
    let credentials = app.store.credentials(name.as_str()).await?;
    let (player, hash) = credentials.map(|c| (c.player, c.password_hash)).unzip();
    if !app.passwords.verify(password, hash).await? {
        return Err(wrong());
    }
    let player = player.ok_or_else(wrong)?;
    let (token, session) = new_session(&app);
    app.store.create_session(&session, player.id).await?;
    Ok(welcome(&app, jar, StatusCode::OK, &player, token).await)
}

/// `GET /session`. A session that is used lives on.
pub(super) async fn show(
    State(app): State<AppState>,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    let Some(session) = session(&app, &jar).await? else {
        return Ok(Json(WhoJson { player: None, playing: Some(Vec::new()) }).into_response());
    };
    let expires_at = expiry(&app, app.now());
    let playing = Some(app.store.under_way(session.player.id).await?);
    let who = Json(WhoJson { player: Some((&session.player).into()), playing });
    let is_old = expires_at.ms_since(session.expires_at) > MS_PER_DAY;
    match jar.get(COOKIE).filter(|_| is_old).map(|cookie| cookie.value().to_owned()) {
        Some(token) => {
            app.store.extend_session(session.token, expires_at).await?;
            Ok((jar.add(cookie(&app, token)), who).into_response())
        }
        None => Ok(who.into_response()),
    }
}

/// `DELETE /session`.
pub(super) async fn log_out(
    State(app): State<AppState>,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    if let Some(cookie) = jar.get(COOKIE) {
        end_session(&app, token_hash(cookie.value())).await?;
    }
    let gone = Cookie::build(COOKIE).path("/").build();
    Ok((StatusCode::NO_CONTENT, jar.remove(gone)).into_response())
}
