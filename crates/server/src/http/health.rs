//! Whether the server lives, and whether it can work.

use axum::extract::State;
use axum::http::StatusCode;

use crate::state::AppState;

/// The process answers.
pub(super) async fn healthz() -> &'static str {
    "ok"
}

/// The database answers, too.
pub(super) async fn readyz(State(app): State<AppState>) -> (StatusCode, &'static str) {
    if app.store.is_ready().await {
        (StatusCode::OK, "ok")
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer")
    }
}
