//! Somebody's browser, as far as REST is concerned: it keeps its cookies and says where its pages come from.

use std::sync::Arc;
use std::time::Duration;

use reqwest::cookie::{CookieStore as _, Jar};
use reqwest::{Method, RequestBuilder, StatusCode, header};
use serde_json::{Value, json};

use crate::server::Address;
use crate::{PATIENCE, Socket};

/// Long and odd enough for any rule.
pub const PASSWORD: &str = "tesseract-rook-17";

/// A visitor with a cookie jar. A clone is another tab of the same browser.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    jar: Arc<Jar>,
    address: Address,
}

/// Base and increment as the server is told them.
pub fn time_json(time: Option<(u64, u64)>) -> Value {
    time.map_or(
        Value::Null,
        |(base_ms, increment_ms)| json!({"base_ms": base_ms, "increment_ms": increment_ms}),
    )
}

/// What the server answered.
#[derive(Debug)]
pub struct Answer {
    /// The status line.
    pub status: StatusCode,
    /// All headers.
    pub headers: header::HeaderMap,
    /// The body as it came.
    pub body: String,
}

impl Client {
    pub(crate) fn new(address: Address) -> Client {
        let jar = Arc::new(Jar::default());
        let http = reqwest::Client::builder()
            .cookie_provider(jar.clone())
            .redirect(reqwest::redirect::Policy::none())
            .timeout(PATIENCE)
            // Shorter than the server keeps an idle connection: a request that meets its end would be lost.
            .pool_idle_timeout(Duration::from_secs(5))
            .build()
            .expect("a client without TLS can always be built");
        Client { http, jar, address }
    }

    /// `http://127.0.0.1:PORT`
    pub fn origin(&self) -> String {
        self.address.lock().expect("nobody panics with it").clone()
    }

    /// A request to change at will; sent with [`send`](Client::send).
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.origin()))
    }

    /// # Panics
    /// If no answer comes.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status(), response.headers().clone());
        Answer { status, headers, body: response.text().await.expect("the whole answer comes") }
    }

    /// Opens a page or reads the API.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path)).await
    }

    /// Posts JSON from one of the server's own pages.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(
            self.request(Method::POST, path).header(header::ORIGIN, self.origin()).json(&body),
        )
        .await
    }

    /// Puts JSON from one of the server's own pages.
    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::PUT, path).header(header::ORIGIN, self.origin()).json(&body))
            .await
    }

    /// Deletes from one of the server's own pages.
    pub async fn delete(&self, path: &str) -> Answer {
        self.send(self.request(Method::DELETE, path).header(header::ORIGIN, self.origin())).await
    }

    /// Creates an account.
    pub async fn sign_up(&self, name: &str) {
        let answer =
            self.post("/api/v1/accounts", json!({"name": name, "password": PASSWORD})).await;
        assert_eq!(
            answer.expect(StatusCode::CREATED)["player"],
            json!({"name": name, "kind": "account"})
        );
    }

    /// Makes a token for a program: its id, and what the program shows.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn token(&self, name: &str) -> (String, String) {
        let made = self.post("/api/v1/tokens", json!({"name": name})).await;
        let made = made.expect(StatusCode::CREATED);
        let text = |key: &str| made[key].as_str().expect("a token has an id and a text").to_owned();
        (text("id"), text("token"))
    }

    /// Logs in.
    pub async fn log_in(&self, name: &str) -> Answer {
        self.post("/api/v1/session", json!({"name": name, "password": PASSWORD})).await
    }

    /// Becomes a guest, and tells the name that was given.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn be_guest(&self) -> String {
        let answer = self.post("/api/v1/guests", json!({})).await.expect(StatusCode::CREATED);
        answer["player"]["name"].as_str().expect("a guest has a name").to_owned()
    }

    /// Offers a casual game to whoever opens the link; its id. `time` is base and increment in milliseconds, none without
    /// a clock.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn challenge(&self, variant: &str, color: &str, time: Option<(u64, u64)>) -> String {
        let body = json!({"variant": variant, "color": color, "time": time_json(time)});
        let answer = self.post("/api/v1/challenges", body).await;
        let location = answer.headers.get(header::LOCATION).cloned();
        let challenge = answer.expect(StatusCode::CREATED)["challenge"].clone();
        let id = challenge["id"].as_str().expect("a challenge has an id").to_owned();
        let location = location.expect("a new resource has a place");
        assert!(location.to_str().is_ok_and(|place| place.ends_with(&id)), "{location:?}");
        id
    }

    /// A challenge with any options; `variant` and `color` are there unless they are said otherwise. The challenge.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn challenge_with(&self, options: Value) -> Value {
        let mut body = json!({"variant": "fourfold", "color": "white"});
        for (key, value) in options.as_object().expect("options are an object") {
            body[key] = value.clone();
        }
        let answer = self.post("/api/v1/challenges", body).await;
        answer.expect(StatusCode::CREATED)["challenge"].clone()
    }

    /// Takes the other seat of a challenge; the game.
    ///
    /// # Panics
    /// If that is refused.
    pub async fn accept(&self, challenge: &Value) -> String {
        let id = challenge["id"].as_str().expect("a challenge has an id");
        let answer = self.post(&format!("/api/v1/challenges/{id}/accept"), json!({})).await;
        answer.expect(StatusCode::OK)["game"].as_str().expect("a game has an id").to_owned()
    }

    /// The game as REST shows it.
    pub async fn game(&self, id: &str) -> Value {
        self.get(&format!("/api/v1/games/{id}")).await.expect(StatusCode::OK)
    }

    /// The session's cookie, as a browser would send it.
    pub fn cookie(&self) -> Option<header::HeaderValue> {
        self.jar.cookies(&self.origin().parse().expect("the origin is a URL"))
    }

    /// Opens a tab: a socket that has been greeted.
    pub async fn socket(&self) -> Socket {
        Socket::open(&self.origin(), self.cookie()).await
    }
}

impl Answer {
    /// The JSON of an answer that must have this status.
    ///
    /// # Panics
    /// If it has another, or is no JSON; an empty body is `null`.
    #[track_caller]
    pub fn expect(&self, status: StatusCode) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        if self.body.is_empty() {
            return Value::Null;
        }
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// A refusal must have this status and code, and the shape that every refusal has.
    ///
    /// # Panics
    /// If it has not.
    #[track_caller]
    pub fn expect_refusal(&self, status: u16, code: &str) {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        let kind = self.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        assert_eq!(kind, Some("application/problem+json"), "{}", self.body);
        let problem: Value = serde_json::from_str(&self.body).expect("a problem is JSON");
        let title = self.status.canonical_reason();
        assert_eq!(problem["type"], "about:blank");
        assert_eq!(problem["title"].as_str(), title, "{problem}");
        assert_eq!(problem["status"], status, "{problem}");
        assert_eq!(problem["code"], code, "{problem}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.len() > 10, "this explains nothing: {problem}");
        assert_eq!(problem.as_object().map(serde_json::Map::len), Some(5), "{problem}");
    }
}
