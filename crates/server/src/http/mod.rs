//! HTTP: every route and every layer, in one place.

use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any, delete, get, post, put};
use tower_http::compression::CompressionLayer;
use tower_http::request_id::{MakeRequestUuid, PropagateRequestIdLayer, SetRequestIdLayer};
use tower_http::trace::TraceLayer;
use tracing::Span;

use crate::error::{ApiError, Code, MOMENT};
use crate::state::AppState;
use crate::ws;

mod accounts;
pub mod address;
mod analysis;
mod blocks;
#[cfg(test)]
pub(crate) mod bodies;
mod challenges;
mod computers;
mod extract;
mod games;
mod health;
pub mod origin;
mod pages;
mod pictures;
mod players;
mod pools;
mod positions;
mod puzzles;
mod ratings;
pub mod session;
mod sessions;

/// The largest request body, in bytes: the largest thing that anyone has to say is a name and a password.
const MAX_BODY: usize = 16 * 1024;
/// By which an answer and the log's lines about it are found.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// How long a request may take.
const TIMEOUT: Duration = Duration::from_secs(30);

const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Nothing of a device but its screen, its sound and its input is of use to a board.
const PERMISSIONS: &str = "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), \
    serial=(), usb=()";

/// All that the server answers to.
pub fn router(app: AppState) -> Router {
    let api = Router::new()
        .route("/accounts", post(accounts::sign_up))
        .route("/guests", post(accounts::play_as_guest))
        .route("/account/password", put(accounts::change_password))
        .route("/account/bot", post(accounts::become_bot))
        .route("/session", get(session::show).post(session::log_in).delete(session::log_out))
        .route("/sessions", get(sessions::browsers).delete(sessions::end_browsers))
        .route("/sessions/{id}", delete(sessions::end_browser))
        .route("/tokens", get(sessions::tokens).post(sessions::create_token))
        .route("/tokens/{id}", delete(sessions::end_token))
        .route("/pools", get(pools::list))
        .route("/challenges", get(challenges::list).post(challenges::create))
        .route("/challenges/{id}", get(challenges::show).delete(challenges::cancel))
        .route("/challenges/{id}/accept", post(challenges::accept))
        .route("/challenges/{id}/decline", post(challenges::decline))
        .route("/blocks", get(blocks::list))
        .route("/blocks/{name}", put(blocks::block).delete(blocks::unblock))
        .route("/analysis", post(analysis::analyse))
        .route("/positions", post(positions::ask))
        .route("/puzzles", get(puzzles::list))
        .route("/puzzles/{id}", get(puzzles::show).post(puzzles::solve))
        .route("/computers", get(computers::list))
        .route("/games", get(games::list).post(computers::begin))
        .route("/games/{id}", get(games::show))
        .route("/players/{name}", get(players::show))
        .route("/players/{name}/games", get(players::games))
        .route("/players/{name}/ratings/{variant}/{speed}", get(ratings::curve))
        .route("/leaderboards/{variant}/{speed}", get(ratings::leaders))
        .route("/socket", get(ws::upgrade))
        .fallback(async || ApiError::new(Code::NotFound, "There is nothing at this address."))
        // The router itself adds which methods it does answer to.
        .method_not_allowed_fallback(async || ApiError::method_not_allowed(None));
    Router::new()
        .nest("/api/v1", api)
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/favicon.ico", get(pages::favicon))
        .route("/assets/{hash}/{*path}", get(pages::asset))
        .route("/g/{id}/{ply}", any(pictures::show))
        .fallback(pages::page)
        // From the inside out: the last layer is the first to see a request.
        .layer(middleware::from_fn_with_state(app.clone(), origin::guard))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .layer(middleware::from_fn(no_store_by_default))
        .layer(middleware::from_fn(async |request: Request, next: Next| {
            in_time(TIMEOUT, request, next).await
        }))
        // Outside of all that refuses.
        .layer(middleware::from_fn_with_state(app.clone(), count))
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(app.clone(), security_headers))
        .layer(PropagateRequestIdLayer::x_request_id())
        .layer(
            TraceLayer::new_for_http()
                .make_span_with(span)
                // What goes wrong in here is noted where it does; a refusal for want of room is no fault.
                .on_failure(()),
        )
        .layer(SetRequestIdLayer::x_request_id(MakeRequestUuid))
        .layer(middleware::from_fn(forget_claimed_id))
        .with_state(app)
}

/// Figures for whoever hosts the server.
pub fn figures(app: AppState) -> Router {
    const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";
    let page = async |State(app): State<AppState>| ([(header::CONTENT_TYPE, TEXT)], app.figures());
    Router::new().route("/metrics", get(page)).with_state(app)
}

/// Under what a request's lines stand in the log: its id, which the answer names as well. No headers: they have secrets.
fn span(request: &Request) -> Span {
    let id = request.headers().get(REQUEST_ID).and_then(|id| id.to_str().ok()).unwrap_or_default();
    tracing::info_span!("request", id, method = %request.method(), path = request.uri().path())
}

/// An id is ours: a client's could be anything, and would stand in the log.
async fn forget_claimed_id(mut request: Request, next: Next) -> Response {
    request.headers_mut().remove(REQUEST_ID);
    next.run(request).await
}

/// Counts requests by their route, which is one of ours, and never by their path, which is anybody's.
async fn count(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    let status = match response.status().as_u16() {
        ..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    };
    if let Some(code) = response.extensions().get::<Code>() {
        app.metrics.refusals.add(&code.as_text(), "");
    }
    app.metrics.requests.add(route.as_ref().map_or("other", MatchedPath::as_str), status);
    app.metrics.request_seconds.observe_time(begun.elapsed());
    response
}

/// What is not marked otherwise is for now and for whoever asked.
async fn no_store_by_default(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response
        .headers_mut()
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Whoever is not answered in time is told so, in the words in which every refusal is told.
async fn in_time(limit: Duration, request: Request, next: Next) -> Response {
    tokio::time::timeout(limit, next.run(request)).await.unwrap_or_else(|_| {
        ApiError::new(Code::TimedOut, "This took too long, and was given up. Try again later.")
            .retry_after(MOMENT)
            .into_response()
    })
}

async fn security_headers(State(app): State<AppState>, request: Request, next: Next) -> Response {
    // The client's own files are parts of pages: what a page may do is said with the page. Said with each of its fifty
    // files, too, it would weigh a quarter as much as they do.
    let is_asset = request.uri().path().starts_with("/assets/");
    let mut response = next.run(request).await.into_response();
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let own = HeaderValue::from_static("same-origin");
    // A picture of a position has its own word on this and on its policy.
    headers.entry(HeaderName::from_static("cross-origin-resource-policy")).or_insert(own);
    if app.config.server.is_https() {
        headers.insert(
            header::STRICT_TRANSPORT_SECURITY,
            HeaderValue::from_static("max-age=31536000"),
        );
    }
    if is_asset && response.status().is_success() {
        return response;
    }
    let headers = response.headers_mut();
    let policy = HeaderValue::from_static(CONTENT_SECURITY_POLICY);
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    let fixed = [
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::http::StatusCode;
    use tower::ServiceExt as _;

    use super::*;

    #[tokio::test]
    async fn whoever_is_not_answered_in_time_is_told_so() {
        let limit = async |request: Request, next: Next| {
            in_time(Duration::from_millis(20), request, next).await
        };
        let router: Router = Router::new()
            .route("/slow", get(std::future::pending::<()>))
            .route("/quick", get(async || "done"))
            .layer(middleware::from_fn(limit));
        let ask = async |path: &str| {
            let request = Request::get(path).body(Body::empty()).expect("a good request");
            router.clone().oneshot(request).await.expect("an answer")
        };
        assert_eq!(ask("/quick").await.status(), StatusCode::OK);
        let late = ask("/slow").await;
        assert_eq!(late.status(), StatusCode::REQUEST_TIMEOUT);
        assert_eq!(late.headers()[header::CONTENT_TYPE], "application/problem+json");
        assert!(late.headers().contains_key(header::RETRY_AFTER));
        let body = axum::body::to_bytes(late.into_body(), 1000).await.expect("all of it");
        let problem: serde_json::Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(problem["code"], "timed_out");
    }
}
