//! Who may act as somebody: browsers that have logged in, tokens of programs; and how both are ended.

use manifold_tests::socket::connect_by_token;
use manifold_tests::table::{FOURFOLD_MATE, Player, Table};
use manifold_tests::{Answer, Client, Database, PASSWORD, Server, Socket, on_both_databases};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Error;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0";

/// Who the server takes this browser for.
async fn name_of(client: &Client) -> Value {
    client.get("/api/v1/session").await.expect(StatusCode::OK)["player"]["name"].clone()
}

async fn change_password(client: &Client, old: &str, new: &str) -> Answer {
    client.put("/api/v1/account/password", json!({"old": old, "new": new})).await
}

/// A request of a program: no cookie, no origin, a token.
async fn by_token(
    client: &Client,
    method: Method,
    path: &str,
    token: &str,
    body: Option<Value>,
) -> Answer {
    let mut request =
        client.request(method, path).header(header::AUTHORIZATION, format!("Bearer {token}"));
    if let Some(body) = body {
        request = request.json(&body);
    }
    client.send(request).await
}

on_both_databases! {
    async fn a_new_password_ends_every_other_browser_and_its_sockets(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let elsewhere = server.client();
        elsewhere.log_in("ada").await.expect(StatusCode::OK);
        let mut far_tab = elsewhere.socket().await;

        change_password(&ada.client, "not-her-password", "hypercube-99").await.expect_refusal(401, "wrong_credentials");
        change_password(&ada.client, PASSWORD, "ada-ada-ada").await.expect_refusal(400, "password_holds_name");
        assert_eq!(name_of(&elsewhere).await, "ada", "nothing has changed yet");

        let old_cookie = ada.client.cookie().unwrap();
        change_password(&ada.client, PASSWORD, "hypercube-99").await.expect(StatusCode::NO_CONTENT);
        assert_eq!(far_tab.closed().await.as_deref(), Some("session"));
        assert_eq!(ada.socket.closed().await.as_deref(), Some("session"), "this one comes back with its new cookie");
        assert_eq!(name_of(&elsewhere).await, Value::Null);
        assert_eq!(name_of(&ada.client).await, "ada");
        let request = server.client().request(Method::GET, "/api/v1/session").header(header::COOKIE, old_cookie);
        assert_eq!(server.client().send(request).await.expect(StatusCode::OK)["player"], Value::Null);

        server.client().log_in("ada").await.expect_refusal(401, "wrong_credentials");
        let new = json!({"name": "ada", "password": "hypercube-99"});
        server.client().post("/api/v1/session", new).await.expect(StatusCode::OK);

        let guest = server.client();
        change_password(&guest, PASSWORD, "hypercube-99").await.expect_refusal(401, "unauthenticated");
        guest.be_guest().await;
        change_password(&guest, PASSWORD, "hypercube-99").await.expect_refusal(403, "not_an_account");
    }

    async fn one_sees_one_s_browsers_and_ends_one_or_all(db: Database) {
        let server = Server::start(db).await;
        let ada = server.client();
        ada.sign_up("ada").await;
        let firefox = server.client();
        let body = json!({"name": "ada", "password": PASSWORD});
        let request = firefox.request(Method::POST, "/api/v1/session").header(header::USER_AGENT, FIREFOX);
        firefox.send(request.header(header::ORIGIN, server.origin()).json(&body)).await.expect(StatusCode::OK);
        let mut far_tab = firefox.socket().await;
        let bob = server.client();
        bob.sign_up("bob").await;

        let list = ada.get("/api/v1/sessions").await.expect(StatusCode::OK)["sessions"].clone();
        let list = list.as_array().unwrap();
        assert_eq!(list.len(), 2);
        let (current, others): (Vec<_>, Vec<_>) = list.iter().partition(|session| session["current"] == true);
        assert_eq!((current.len(), &current[0]["name"]), (1, &json!("Unknown")));
        assert_eq!(others[0]["name"], "Firefox on Linux");
        for session in list {
            let keys: Vec<_> = session.as_object().unwrap().keys().cloned().collect();
            assert_eq!(keys, ["id", "name", "created_at", "seen_at", "expires_at", "current"]);
        }

        let path = format!("/api/v1/sessions/{}", others[0]["id"].as_str().unwrap());
        bob.delete(&path).await.expect_refusal(404, "not_found");
        assert_eq!(name_of(&firefox).await, "ada", "nobody ends another's");
        ada.delete(&path).await.expect(StatusCode::NO_CONTENT);
        assert_eq!(far_tab.closed().await.as_deref(), Some("session"));
        assert_eq!(name_of(&firefox).await, Value::Null);
        ada.delete(&path).await.expect_refusal(404, "not_found");
        ada.delete("/api/v1/sessions/nonsense").await.expect_refusal(404, "not_found");

        firefox.log_in("ada").await.expect(StatusCode::OK);
        let mut tabs = [ada.socket().await, firefox.socket().await];
        firefox.delete("/api/v1/sessions").await.expect(StatusCode::NO_CONTENT);
        for tab in &mut tabs {
            assert_eq!(tab.closed().await.as_deref(), Some("session"));
        }
        assert_eq!((name_of(&ada).await, name_of(&firefox).await), (Value::Null, Value::Null));
        assert_eq!(name_of(&bob).await, "bob");
        ada.get("/api/v1/sessions").await.expect_refusal(401, "unauthenticated");
    }

    async fn a_program_plays_by_its_token_and_does_nothing_else(db: Database) {
        let server = Server::start_with(db, &[("session.tokens", "2")]).await;
        let ada = server.client();
        ada.sign_up("ada").await;
        let (id, token) = ada.token("my bot").await;
        assert!(token.starts_with("mfd_") && token.len() == 68, "{token}");
        let program = server.client();

        // It is ada, over REST and on the socket, without an Origin and whatever the Origin is.
        let who = by_token(&program, Method::GET, "/api/v1/session", &token, None).await.expect(StatusCode::OK);
        assert_eq!(who["player"]["name"], "ada");
        let game = json!({"variant": "fourfold", "color": "white", "time": null});
        let request = program.request(Method::POST, "/api/v1/challenges").bearer_auth(&token);
        let request = request.header(header::ORIGIN, "https://bots.example").json(&game);
        let challenge = program.send(request).await.expect(StatusCode::CREATED)["challenge"].clone();
        let bob = Player::guest(&server).await;
        let accept = format!("/api/v1/challenges/{}/accept", challenge["id"].as_str().unwrap());
        let game = bob.client.post(&accept, json!({})).await.expect(StatusCode::OK)["game"].clone();
        let socket = Socket::by_token(&server.origin(), &token).await;
        assert_eq!(socket.hello["player"]["name"], "ada");
        let white = Player { name: "ada".to_owned(), client: program.clone(), socket };
        let mut table = Table::sit(game.as_str().unwrap(), white, bob).await;
        table.play(0, &FOURFOLD_MATE).await;
        table.ended("white", "checkmate").await;

        // The account is not its own.
        for (method, path) in [
            (Method::GET, "/api/v1/sessions"), (Method::DELETE, "/api/v1/sessions"), (Method::GET, "/api/v1/tokens"),
        ] {
            by_token(&program, method, path, &token, None).await.expect_refusal(403, "session_needed");
        }
        let body = json!({"old": PASSWORD, "new": "hypercube-99"});
        by_token(&program, Method::PUT, "/api/v1/account/password", &token, Some(body)).await.expect_refusal(403, "session_needed");
        let body = json!({"name": "another"});
        by_token(&program, Method::POST, "/api/v1/tokens", &token, Some(body)).await.expect_refusal(403, "session_needed");

        // What has to do with cookies is not done for whoever shows no cookie, and whatever else comes with it.
        let credentials = json!({"name": "ada", "password": PASSWORD});
        let newcomer = json!({"name": "newcomer", "password": PASSWORD});
        for (method, path, body) in [
            (Method::DELETE, "/api/v1/session", None),
            (Method::POST, "/api/v1/session", Some(credentials)),
            (Method::POST, "/api/v1/accounts", Some(newcomer)),
        ] {
            for client in [&program, &ada] {
                let answer = by_token(client, method.clone(), path, &token, body.clone()).await;
                answer.expect_refusal(403, "session_needed");
                assert!(!answer.headers.contains_key(header::SET_COOKIE), "{path}");
                by_token(client, method.clone(), path, "mfd_unknown", body.clone()).await.expect_refusal(401, "invalid_token");
            }
        }
        let who = by_token(&program, Method::GET, "/api/v1/session", &token, None).await;
        assert_eq!(who.expect(StatusCode::OK)["player"]["name"], "ada");
        assert_eq!(ada.get("/api/v1/session").await.expect(StatusCode::OK)["player"]["name"], "ada");
        let guest = by_token(&program, Method::POST, "/api/v1/guests", &token, None).await;
        assert_eq!(guest.expect(StatusCode::OK)["player"]["name"], "ada", "there is no need for a guest");

        // Shown once, listed without, bounded, revoked.
        let list = ada.get("/api/v1/tokens").await;
        assert!(!list.body.contains(&token[4..]), "{}", list.body);
        let list = list.expect(StatusCode::OK);
        assert_eq!((list["tokens"].as_array().unwrap().len(), &list["tokens"][0]["name"]), (1, &json!("my bot")));
        ada.token("second").await;
        ada.post("/api/v1/tokens", json!({"name": "third"})).await.expect_refusal(429, "too_many_tokens");
        for name in ["", "  ", "a\nb"] {
            ada.post("/api/v1/tokens", json!({"name": name})).await.expect_refusal(400, "bad_request");
        }
        // Other browsers are logged out, programs are not.
        ada.delete("/api/v1/sessions").await.expect(StatusCode::NO_CONTENT);
        by_token(&program, Method::GET, "/api/v1/session", &token, None).await.expect(StatusCode::OK);
        ada.log_in("ada").await.expect(StatusCode::OK);
        ada.delete(&format!("/api/v1/tokens/{id}")).await.expect(StatusCode::NO_CONTENT);
        assert_eq!(table.white.socket.closed().await.as_deref(), Some("session"));
        let gone = by_token(&program, Method::GET, "/api/v1/session", &token, None).await;
        gone.expect_refusal(401, "invalid_token");
        assert_eq!(gone.headers[header::WWW_AUTHENTICATE], "Bearer");
        match connect_by_token(&server.origin(), &token).await {
            Err(Error::Http(response)) => assert_eq!(response.status(), 401),
            other => panic!("{}", other.is_ok()),
        }
    }

    async fn a_token_is_no_cookie_and_a_cookie_no_token(db: Database) {
        let server = Server::start(db).await;
        let ada = server.client();
        ada.sign_up("ada").await;
        let (_, token) = ada.token("my bot").await;
        let cookie = ada.cookie().unwrap().to_str().unwrap().to_owned();
        let (name, value) = cookie.split_once('=').unwrap();
        let stranger = server.client();
        by_token(&stranger, Method::GET, "/api/v1/session", value, None).await.expect_refusal(401, "invalid_token");
        let request = stranger.request(Method::GET, "/api/v1/session").header(header::COOKIE, format!("{name}={token}"));
        assert_eq!(stranger.send(request).await.expect(StatusCode::OK)["player"], Value::Null);
        let guest = server.client();
        guest.be_guest().await;
        guest.post("/api/v1/tokens", json!({"name": "x"})).await.expect_refusal(403, "not_an_account");
    }

    async fn behind_tls_a_cookie_is_for_tls_alone(db: Database) {
        let site = "https://chess.example.org";
        let server = Server::start_with(db, &[("server.public_url", site)]).await;
        let client = server.client();
        let body = json!({"name": "ada", "password": PASSWORD});
        let request = client.request(Method::POST, "/api/v1/accounts").header(header::ORIGIN, site).json(&body);
        let answer = client.send(request).await;
        answer.expect(StatusCode::CREATED);
        let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap().to_owned();
        let (value, attributes) = cookie.split_once("; ").unwrap();
        assert!(value.starts_with("__Host-manifold_session="), "{cookie}");
        for attribute in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(attributes.split("; ").any(|found| found == attribute), "{attribute}: {cookie}");
        }
        assert!(!attributes.contains("Domain"), "{cookie}");
        let request = client.request(Method::DELETE, "/api/v1/session").header(header::ORIGIN, site);
        let answer = client.send(request.header(header::COOKIE, value)).await;
        answer.expect(StatusCode::NO_CONTENT);
        let removal = answer.headers[header::SET_COOKIE].to_str().unwrap();
        assert!(removal.contains("Max-Age=0") && removal.contains("Secure"), "a browser minds no other: {removal}");
        let request = client.request(Method::GET, "/api/v1/session").header(header::COOKIE, value);
        assert_eq!(client.send(request).await.expect(StatusCode::OK)["player"], Value::Null);
    }
}
