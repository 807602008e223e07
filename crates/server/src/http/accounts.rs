//! People: guests, accounts, and the passwords of these.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::address::ClientPlace;
use super::extract::Body;
use super::session::{
    CurrentPerson, NameAndPassword, check_log_in, cookie, new_browser, session, shown, welcome, who,
};
use crate::error::{ApiError, Code};
use crate::ids::PlayerId;
use crate::player::{AccountName, Password, Player, PlayerKind, guest_name};
use crate::state::AppState;
use crate::store::StoreError;
use crate::store::players::is_name_taken;

/// `POST /accounts`.
pub(super) async fn sign_up(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    headers: HeaderMap,
    jar: CookieJar,
    Body(body): Body<NameAndPassword>,
) -> Result<Response, ApiError> {
    let name =
        AccountName::parse(&body.name).map_err(|why| ApiError::new(Code::InvalidName, why))?;
    if name.is_reserved() {
        let detail = "This name is kept for the house and its computers. Choose another.";
        return Err(ApiError::new(Code::NameReserved, detail));
    }
    let password = Password::new(body.password, &name)?;
    app.limits.new_players.check(&place)?;
    // Who asks is found out before anything that takes its time: of several that are sent at once, one makes the account.
    let asker = session(&app, &headers).await?;
    if asker.is_none()
        && let Some(shown) = shown(&app, &headers)
        && app.store.is_spent(shown.token, app.now()).await?
    {
        return Err(already_signed_up());
    }
    if app.store.profile(name.as_str()).await?.is_some() {
        return Err(name_taken());
    }
    let hash = app.passwords.hash(password).await?;
    let taken = |error: StoreError| if is_name_taken(&error) { name_taken() } else { error.into() };
    let guest = asker.filter(|session| session.player.kind == PlayerKind::Guest);
    let (token, session) = new_browser(&app, &headers);
    let player = match guest {
        Some(guest) => {
            let old = guest.shown.token;
            let promoted = app.store.promote_guest(guest.player.id, old, &name, &hash, &session);
            let player = promoted.await.map_err(taken)?.ok_or_else(already_signed_up)?;
            // Before the tabs go: the lobby does not take it for leaving.
            app.lobby.signed_up(player.clone()).await;
            app.sockets.end_session(&old);
            tell_games(&app, &player).await;
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

/// A game that cannot be told now reads a player's name and kind when it is next brought back.
async fn tell_games(app: &AppState, player: &Player) {
    if let Err(error) = app.registry.renamed(player).await {
        tracing::warn!(%error, "games were not told a new name");
    }
}

fn name_taken() -> ApiError {
    ApiError::new(Code::NameTaken, "Somebody has this name already.")
}

fn already_signed_up() -> ApiError {
    let detail = "You have signed up from here already. Log in by the name that you chose.";
    ApiError::new(Code::AlreadySignedUp, detail)
}

/// `POST /guests`.
pub(super) async fn play_as_guest(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    headers: HeaderMap,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    if let Some(session) = session(&app, &headers).await? {
        return Ok(who(&session.player));
    }
    app.limits.new_players.check(&place)?;
    /// Of a billion names, two in a row that are taken would be no accident.
    const TRIES: usize = 4;
    for _ in 0..TRIES {
        let name = guest_name(&mut rand::rng());
        let (token, session) = new_browser(&app, &headers);
        match app.store.create_guest(PlayerId::new(), &name, &session).await {
            Ok(player) => return Ok(welcome(&app, jar, StatusCode::CREATED, &player, token).await),
            Err(error) if is_name_taken(&error) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(ApiError::new(Code::Internal, "No free name was found for a guest."))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OldAndNew {
    old: String,
    new: String,
}

/// `PUT /account/password`. Every other browser has to log in again; this one gets a new cookie.
pub(super) async fn change_password(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    CurrentPerson(person): CurrentPerson,
    headers: HeaderMap,
    jar: CookieJar,
    Body(body): Body<OldAndNew>,
) -> Result<Response, ApiError> {
    let wrong = || ApiError::new(Code::WrongCredentials, "That is not your password.");
    let name = AccountName::parse(&person.player.name)
        .map_err(|_| ApiError::new(Code::NotAnAccount, "A guest has no password: sign up."))?;
    let new = Password::new(body.new, &name)?;
    let old = Password::attempt(body.old).ok_or_else(wrong)?;
    check_log_in(&app, name.as_str(), place)?;
    let credentials = app.store.credentials(name.as_str()).await?.ok_or_else(wrong)?;
    let old_hash = credentials.password_hash;
    if !app.passwords.verify(old, Some(old_hash.clone())).await? {
        return Err(wrong());
    }
    let new_hash = app.passwords.hash(new).await?;
    let (token, session) = new_browser(&app, &headers);
    let changed =
        app.store.change_password(person.player.id, &old_hash, &new_hash, &session).await?;
    // Another change was quicker: by now this is an old password.
    app.sockets.end_sessions(&changed.ok_or_else(wrong)?);
    Ok((StatusCode::NO_CONTENT, jar.add(cookie(&app, token))).into_response())
}

/// `POST /account/bot`. For good; sessions and tokens stay, and only their sockets have to be opened anew.
pub(super) async fn become_bot(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    CurrentPerson(person): CurrentPerson,
) -> Result<Response, ApiError> {
    if person.player.kind == PlayerKind::Guest {
        return Err(ApiError::new(Code::NotAnAccount, "A bot is an account: sign up first."));
    }
    app.limits.writes.check(&place)?;
    let became = app.lobby.become_bot(person.player.id).await?;
    tell_games(&app, &became.player).await;
    app.sockets.end_sessions(&became.sessions);
    Ok(who(&became.player))
}
