//! Challenges by link. Looking at one takes no seat; only `POST …/accept` does.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use super::address::ClientPlace;
use super::extract::{Body, PathId};
use super::pages::own_url;
use super::session::{CurrentPlayer, MaybePlayer};
use super::terms::{Terms, TermsBody};
use crate::error::{ApiError, Code};
use crate::ids::{ChallengeId, GameId, PlayerId};
use crate::lobby::challenge::{Challenge, ChallengeStatus, MAX_OPEN};
use crate::state::AppState;
use crate::wire::{PlayerJson, SeatedJson, TimeJson, time};

#[derive(Serialize)]
struct ChallengeJson<'a> {
    id: ChallengeId,
    url: String,
    creator: PlayerJson<'a>,
    variant: &'static str,
    color: &'static str,
    time: Option<TimeJson>,
    speed: &'static str,
    status: &'static str,
    game: Option<GameId>,
    created_at: String,
    expires_at: String,
    yours: bool,
}

#[derive(Serialize)]
struct Envelope<'a> {
    challenge: ChallengeJson<'a>,
}

fn envelope<'a>(challenge: &'a Challenge, url: String, asker: Option<PlayerId>) -> Envelope<'a> {
    Envelope {
        challenge: ChallengeJson {
            id: challenge.id,
            url,
            creator: (&challenge.creator).into(),
            variant: challenge.variant.as_str(),
            color: challenge.color.as_str(),
            time: time(challenge.time),
            speed: challenge.time.speed().as_str(),
            status: challenge.status.as_str(),
            game: match challenge.status {
                ChallengeStatus::Accepted(game) => Some(game),
                ChallengeStatus::Open | ChallengeStatus::Canceled | ChallengeStatus::Expired => {
                    None
                }
            },
            created_at: challenge.created_at.to_string(),
            expires_at: challenge.expires_at.to_string(),
            yours: asker == Some(challenge.creator.id),
        },
    }
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
    Body(terms): Body<TermsBody>,
) -> Result<Response, ApiError> {
    let Terms { variant, color, time } = terms.parse(&app)?;
    app.limits.writes.check(&place)?;
    let now = app.now();
    if app.store.open_challenges(creator.id, now).await? >= MAX_OPEN {
        let detail = format!("You have {MAX_OPEN} open challenges. Cancel one first.");
        return Err(ApiError::new(Code::TooManyChallenges, detail));
    }
    let challenge = Challenge {
        id: ChallengeId::new(),
        creator,
        variant,
        color,
        time,
        created_at: now,
        expires_at: now.plus_ms(app.config.game.challenge_hours * 3_600_000),
        status: ChallengeStatus::Open,
    };
    app.store.create_challenge(&challenge).await?;
    let location = format!("/api/v1/challenges/{}", challenge.id);
    let body =
        Json(envelope(&challenge, url(&app, &headers, challenge.id), Some(challenge.creator.id)));
    Ok((StatusCode::CREATED, [(header::LOCATION, location)], body).into_response())
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
        .ok_or_else(|| ApiError::not_found("challenge"))?;
    Ok(Json(envelope(&challenge, url(&app, &headers, id), asker.map(|p| p.id))).into_response())
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
    app.lobby.cancel(id, player.id).await?;
    Ok(StatusCode::NO_CONTENT)
}
