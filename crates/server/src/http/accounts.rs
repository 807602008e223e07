//! People: guests, accounts, and the passwords of these.

use std::net::IpAddr;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::address::ClientPlace;
use super::extract::Body;
use super::session::{
    CurrentPerson, NoToken, check_log_in, cookie, enter, new_browser, session, shown, welcome, who,
};
use crate::error::{ApiError, Code};
use crate::ids::{CommandId, PlayerId};
use crate::player::{AccountName, Password, Player, PlayerKind, guest_name, handle};
use crate::session::{NewSession, Session, TokenHash, sign_up_mark};
use crate::state::AppState;
use crate::store::StoreError;
use crate::store::players::{Credentials, is_name_taken};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SignUp {
    pub name: String,
    pub password: String,
    /// What the client calls the request, so that it finds itself done when it is sent again.
    id: Option<CommandId>,
}

/// Somebody who signs up.
struct Newcomer {
    name: AccountName,
    password: Password,
    /// Who asks already, if anybody does.
    asker: Option<Session>,
    /// What was shown in order to be somebody.
    shown: Option<TokenHash>,
    /// By which the request is known again that has a name.
    mark: Option<TokenHash>,
}

/// `POST /accounts`.
pub(super) async fn sign_up(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    _: NoToken,
    headers: HeaderMap,
    jar: CookieJar,
    Body(body): Body<SignUp>,
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
    let shown = shown(&app, &headers).map(|shown| shown.token);
    let mark = body.id.map(|id| sign_up_mark(&handle(name.as_str()), id.as_str()));
    let newcomer = Newcomer { name, password, asker, shown, mark };
    let (token, session) = new_browser(&app, &headers);
    match newcomer.make(&app, &session).await {
        Ok(player) => Ok(welcome(&app, jar, StatusCode::CREATED, &player, token).await),
        Err(Refused { why, was_made: false }) => Err(why),
        // What is in the way may be the account that an earlier try has made, whose answer never came.
        Err(Refused { why, was_made: true }) => match newcomer.made_before(&app, place).await? {
            Some(before) => {
                enter(&app, &headers, jar, StatusCode::CREATED, &before).await?.ok_or(why)
            }
            None => Err(why),
        },
    }
}

/// Why there is no new account.
struct Refused {
    why: ApiError,
    /// Whether it may be because there is one already.
    was_made: bool,
}

impl<E: Into<ApiError>> From<E> for Refused {
    fn from(why: E) -> Self {
        Self { why: why.into(), was_made: false }
    }
}

impl Newcomer {
    async fn make(&self, app: &AppState, session: &NewSession) -> Result<Player, Refused> {
        let Self { name, mark, .. } = self;
        if self.asker.is_none()
            && let Some(shown) = self.shown
            && app.store.signed_up_with(shown, app.now()).await?.is_some()
        {
            return Err(already_signed_up());
        }
        if app.store.profile(name.as_str()).await?.is_some() {
            return Err(name_taken());
        }
        let hash = app.passwords.hash(self.password.clone()).await?;
        let taken =
            |error: StoreError| if is_name_taken(&error) { name_taken() } else { error.into() };
        match self.asker.as_ref().filter(|session| session.player.kind == PlayerKind::Guest) {
            Some(guest) => {
                let (id, old) = (guest.player.id, guest.shown.token);
                let promoted = app.store.promote_guest(id, old, name, &hash, session, *mark).await;
                let player = promoted.map_err(taken)?.ok_or_else(already_signed_up)?;
                tell_signed_up(app, &player, old).await;
                Ok(player)
            }
            None => app
                .store
                .create_account(PlayerId::new(), name, &hash, session, *mark)
                .await
                .map_err(taken),
        }
    }

    /// The account that this very request has made before: of this name and password, by whoever shows the session with which it
    /// signed up, or that came of it, or knows what the request was called.
    async fn made_before(
        &self,
        app: &AppState,
        place: IpAddr,
    ) -> Result<Option<Credentials>, ApiError> {
        let name = handle(self.name.as_str());
        let is_it = |player: &Player| handle(&player.name) == name;
        let mut found = None;
        if self.asker.as_ref().is_some_and(|session| is_it(&session.player)) {
            found = app.store.credentials(&name).await?;
        }
        for token in self.shown.into_iter().chain(self.mark) {
            if found.is_none() {
                let before = app.store.signed_up_with(token, app.now()).await?;
                found = before.filter(|before| is_it(&before.player));
            }
        }
        let Some(found) = found else { return Ok(None) };
        // It is a log-in, and no more is let in by it than by one.
        check_log_in(app, &name, place)?;
        let hash = found.password_hash.clone();
        if !app.passwords.verify(self.password.clone(), Some(hash)).await? {
            return Ok(None);
        }
        if let Some(old) = self.shown.filter(|_| self.asker.is_none()) {
            // Nobody may have been told, if the first try has not got so far.
            tell_signed_up(app, &found.player, old).await;
        }
        Ok(Some(found))
    }
}

/// Tells all who know the guest who has become this account, and closes the tabs of the `old` session.
async fn tell_signed_up(app: &AppState, player: &Player, old: TokenHash) {
    // Before the tabs go: the lobby does not take it for leaving.
    app.lobby.signed_up(player.clone()).await;
    app.sockets.end_session(&old);
    tell_games(app, player).await;
}

/// A game that cannot be told now reads a player's name and kind when it is next brought back.
async fn tell_games(app: &AppState, player: &Player) {
    if let Err(error) = app.registry.renamed(player).await {
        tracing::warn!(%error, "games were not told a new name");
    }
}

fn name_taken() -> Refused {
    let why = ApiError::new(Code::NameTaken, "Somebody has this name already.");
    Refused { why, was_made: true }
}

fn already_signed_up() -> Refused {
    let detail = "You have signed up from here already. Log in by the name that you chose.";
    Refused { why: ApiError::new(Code::AlreadySignedUp, detail), was_made: true }
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
