//! Bodies and parameters, with our own errors when they are wrong.

use std::str::FromStr;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use serde::de::DeserializeOwned;

use crate::decode::decode;
use crate::error::{ApiError, Code};
use crate::state::AppState;

/// A JSON body. It must be there within a time: a client that trickles it keeps a connection's place.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        if !is_json(request.headers()) {
            let detail = "The body of this request must be application/json.";
            return Err(ApiError::new(Code::UnsupportedMediaType, detail));
        }
        let within = Duration::from_millis(app.config.server.body_ms);
        let late = |_| ApiError::new(Code::TimedOut, "The body of this request came too slowly.");
        let text = tokio::time::timeout(within, Bytes::from_request(request, app))
            .await
            .map_err(late)?
            .map_err(|rejection| match rejection.status() {
                StatusCode::PAYLOAD_TOO_LARGE => {
                    let detail = "The body of this request is too large.";
                    ApiError::new(Code::PayloadTooLarge, detail)
                }
                _ => ApiError::bad_request("The body of this request did not come."),
            })?;
        decode(&text).map(Self).map_err(ApiError::bad_request)
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let essence = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// An id or a name in the path; what cannot be one names nothing.
pub(super) struct PathId<T>(pub(super) T);

impl<T: FromStr> FromRequestParts<AppState> for PathId<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let Path(id) =
            Path::<String>::from_request_parts(parts, app).await.map_err(|_| nothing())?;
        id.parse().map(Self).map_err(|_| nothing())
    }
}

fn nothing() -> ApiError {
    ApiError::new(Code::NotFound, "There is nothing of this name.")
}

/// Query parameters.
pub(super) struct Params<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for Params<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, ApiError> {
        let Query(params) = Query::<T>::from_request_parts(parts, app)
            .await
            .map_err(|e| ApiError::bad_request(e.body_text()))?;
        Ok(Self(params))
    }
}
