//! Challenges, by link or to a player. Looking at one takes no seat; only `POST …/accept` does.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use manifold_rules::{Game, Variant};
use serde::{Deserialize, Serialize};

use super::address::ClientPlace;
use super::extract::{Body, PathId};
use super::pages::own_url;
use super::positions::read_fen;
use super::session::{CurrentPlayer, MaybePlayer};
use crate::error::{ApiError, Code};
use crate::ids::{ChallengeId, CommandId, PlayerId};
use crate::lobby::challenge::{Challenge, ChallengeStatus};
use crate::lobby::handle::LobbyRefusal;
use crate::player::{Player, PlayerKind};
use crate::state::AppState;
use crate::terms::{Terms, TermsBody, TimeBody};
use crate::wire::{ChallengeJson, SeatedJson};

/// As it comes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NewChallenge {
    variant: String,
    color: String,
    time: Option<TimeBody>,
    #[serde(default)]
    rated: bool,
    fen: Option<String>,
    opponent: Option<String>,
    id: Option<CommandId>,
}

#[derive(Serialize)]
struct Envelope<'a> {
    challenge: ChallengeJson<'a>,
}

#[derive(Serialize)]
struct Open<'a> {
    received: Vec<ChallengeJson<'a>>,
    created: Vec<ChallengeJson<'a>>,
}

fn shown<'a>(
    app: &AppState,
    headers: &HeaderMap,
    challenge: &'a Challenge,
    asker: Option<PlayerId>,
) -> ChallengeJson<'a> {
    let mut shown = ChallengeJson::new(challenge, asker);
    shown.url = Some(url(app, headers, challenge.id));
    shown
}

/// The position to start from, as the rules write it; none if it is the standard one.
fn start(variant: Variant, fen: &str) -> Result<Option<String>, ApiError> {
    let game = read_fen(variant, fen)?;
    if game.end().is_some() {
        return Err(ApiError::new(Code::BadPosition, "The game is over in this position."));
    }
    let fen = game.fen();
    Ok((fen != Game::new(variant).fen()).then_some(fen))
}

fn url(app: &AppState, headers: &HeaderMap, id: ChallengeId) -> String {
    own_url(app, headers, &format!("/c/{id}"))
}

/// `POST /challenges`.
pub(super) async fn create(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    CurrentPlayer(creator): CurrentPlayer,
    headers: HeaderMap,
    Body(body): Body<NewChallenge>,
) -> Result<Response, ApiError> {
    let NewChallenge { variant, color, time, rated, fen, opponent, id } = body;
    let Terms { variant, color, time } =
        TermsBody { variant, color, time }.parse(&app).map_err(ApiError::bad_request)?;
    let start_fen = fen.map(|fen| start(variant, &fen)).transpose()?.flatten();
    if rated && creator.kind == PlayerKind::Guest {
        return Err(LobbyRefusal::GuestsPlayCasual.into());
    }
    if rated && (start_fen.is_some() || !time.is_limited()) {
        let detail = "A rated game has a clock or days per move, and the standard start.";
        return Err(ApiError::new(Code::CannotBeRated, detail));
    }
    app.limits.writes.check(&place)?;
    let now = app.now();
    let opponent = match opponent {
        Some(name) => Some(challengeable(&app, &creator, &name, rated).await?),
        None => None,
    };
    let challenge = Challenge {
        id: ChallengeId::new(),
        creator,
        variant,
        color,
        time,
        rated,
        start_fen,
        opponent,
        command: id,
        created_at: now,
        expires_at: now.plus_ms(app.config.game.challenge_hours * 3_600_000),
        status: ChallengeStatus::Open,
    };
    let challenge = app.lobby.challenge(challenge).await?;
    let location = format!("/api/v1/challenges/{}", challenge.id);
    let asker = Some(challenge.creator.id);
    let body = Json(Envelope { challenge: shown(&app, &headers, &challenge, asker) });
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], body).into_response())
}

/// The player of that name, if the creator may challenge them.
async fn challengeable(
    app: &AppState,
    creator: &Player,
    name: &str,
    rated: bool,
) -> Result<Player, ApiError> {
    let profile = app.store.profile(name).await?.ok_or_else(|| ApiError::not_found("player"))?;
    let opponent = profile.player;
    if opponent.id == creator.id {
        return Err(ApiError::new(Code::OwnChallenge, "You cannot challenge yourself."));
    }
    if opponent.kind.level().is_some() {
        let detail = "A computer is not challenged: begin a game against it.";
        return Err(ApiError::bad_request(detail));
    }
    if rated && opponent.kind == PlayerKind::Guest {
        let detail = "A guest plays casual games only.";
        return Err(ApiError::new(Code::GuestsPlayCasual, detail));
    }
    if app.blocks.between(creator.id, opponent.id).await? {
        return Err(LobbyRefusal::Blocked.into());
    }
    Ok(opponent)
}

/// `GET /challenges`: those that are open.
pub(super) async fn list(
    State(app): State<AppState>,
    CurrentPlayer(player): CurrentPlayer,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let all = app.store.challenges_of(player.id, app.now()).await?;
    let (created, received): (Vec<_>, Vec<_>) = all
        .iter()
        .map(|challenge| (challenge, shown(&app, &headers, challenge, Some(player.id))))
        .partition(|(challenge, _)| challenge.creator.id == player.id);
    let json = |all: Vec<(_, _)>| all.into_iter().map(|(_, json)| json).collect();
    Ok(Json(Open { received: json(received), created: json(created) }).into_response())
}

/// `GET /challenges/{id}`.
pub(super) async fn show(
    State(app): State<AppState>,
    MaybePlayer(asker): MaybePlayer,
    headers: HeaderMap,
    PathId(id): PathId<ChallengeId>,
) -> Result<Response, ApiError> {
    let challenge = app
        .store
        .challenge(id, app.now())
        .await?
        .filter(|challenge| challenge.is_shown_to(asker.as_ref().map(|player| player.id)))
        .ok_or_else(|| ApiError::not_found("challenge"))?;
    let asker = asker.map(|player| player.id);
    Ok(Json(Envelope { challenge: shown(&app, &headers, &challenge, asker) }).into_response())
}

/// `POST /challenges/{id}/accept`.
pub(super) async fn accept(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    CurrentPlayer(player): CurrentPlayer,
    PathId(id): PathId<ChallengeId>,
) -> Result<Response, ApiError> {
    app.limits.writes.check(&place)?;
    let seated = app.lobby.accept(id, player).await?;
    Ok(Json(SeatedJson::from(seated)).into_response())
}

/// `DELETE /challenges/{id}`.
pub(super) async fn cancel(
    State(app): State<AppState>,
    CurrentPlayer(player): CurrentPlayer,
    PathId(id): PathId<ChallengeId>,
) -> Result<StatusCode, ApiError> {
    app.lobby.cancel(id, player).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /challenges/{id}/decline`.
pub(super) async fn decline(
    State(app): State<AppState>,
    ClientPlace(place): ClientPlace,
    CurrentPlayer(player): CurrentPlayer,
    PathId(id): PathId<ChallengeId>,
) -> Result<StatusCode, ApiError> {
    app.limits.writes.check(&place)?;
    app.lobby.decline(id, player).await?;
    Ok(StatusCode::NO_CONTENT)
}
