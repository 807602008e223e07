//! Bodies and parameters, with our own errors when they are wrong.

use std::str::FromStr;

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Json, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code};
use crate::state::AppState;

/// A JSON body.
pub(super) struct Body<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<AppState> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, ApiError> {
        let Json(body) =
            Json::<T>::from_request(request, app).await.map_err(|rejection: JsonRejection| {
                let code = match rejection.status() {
                    StatusCode::PAYLOAD_TOO_LARGE => Code::PayloadTooLarge,
                    StatusCode::UNSUPPORTED_MEDIA_TYPE => Code::UnsupportedMediaType,
                    _ => Code::BadRequest,
                };
                ApiError::new(code, rejection.body_text())
            })?;
        Ok(Self(body))
    }
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
            .map_err(|e| ApiError::new(Code::BadRequest, e.body_text()))?;
        Ok(Self(params))
    }
}
