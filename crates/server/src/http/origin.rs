//! Pages of other sites may not act for our players: what changes something must come from our own origin.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::session::bearer;
use crate::error::{ApiError, Code};
use crate::state::AppState;

/// Refuses requests that change something and do not come from our origin. Without a cookie there is nobody to act for.
pub(super) async fn guard(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if !is_safe && let Err(refusal) = check(&app, request.headers()) {
        return refusal.into_response();
    }
    next.run(request).await
}

/// Whether the request comes from a page of ours, or from no page and for nobody, or shows a token, which no page of
/// another site can.
pub fn check(app: &AppState, headers: &HeaderMap) -> Result<(), ApiError> {
    if bearer(headers).is_some() {
        return Ok(());
    }
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let is_ours = match text(header::ORIGIN) {
        Some(origin) => is_own(origin, app.config.server.origin(), text(header::HOST)),
        None => headers.get(header::ORIGIN).is_none() && headers.get(header::COOKIE).is_none(),
    };
    if is_ours {
        Ok(())
    } else {
        Err(ApiError::new(
            Code::WrongOrigin,
            "This must come from this server's own pages (header Origin).",
        ))
    }
}

/// Compared with the configured origin, or else with the host that the request was sent to.
fn is_own(origin: &str, configured: Option<&str>, host: Option<&str>) -> bool {
    match configured {
        Some(own) => origin == own,
        None => {
            let authority =
                origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
            authority.is_some() && authority == host
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_our_own_origin_is_ours() {
        let site = Some("https://chess.example.org");
        assert!(is_own("https://chess.example.org", site, Some("internal:4000")));
        for other in [
            "http://chess.example.org",
            "https://chess.example.org.evil.net",
            "null",
            "",
            "https://evil.net",
        ] {
            assert!(!is_own(other, site, Some("chess.example.org")), "{other}");
        }
        assert!(is_own("http://127.0.0.1:4000", None, Some("127.0.0.1:4000")));
        for other in ["http://127.0.0.1:4001", "http://127.0.0.1", "null", "", "127.0.0.1:4000"] {
            assert!(!is_own(other, None, Some("127.0.0.1:4000")), "{other}");
        }
        assert!(!is_own("null", None, None));
    }
}
