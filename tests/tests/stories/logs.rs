//! What the server tells whoever hosts it, and what it never tells.

use futures_util::future::join_all;
use manifold_tests::table::{FOURFOLD_MATE, Player, Table};
use manifold_tests::{Database, PASSWORD, Server, Socket, on_both_databases};
use reqwest::{Method, StatusCode, header};
use serde_json::json;

/// The value of a metric's line.
fn value(page: &str, name: &str) -> f64 {
    let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name} is not in\n{page}")).parse().expect("a number")
}

on_both_databases! {
    async fn even_at_its_most_talkative_the_log_keeps_secrets(db: Database) {
        let server = Server::start_with(db, &[("log.filter", "trace")]).await;
        let ada = Player::account(&server, "ada").await;
        let wrong = json!({"name": "ada", "password": "guessed-at-random-1"});
        server.client().post("/api/v1/session", wrong).await.expect_refusal(401, "wrong_credentials");
        let first = ada.client.cookie().unwrap();
        let (_, token) = ada.client.token("my bot").await;
        let request = server.client().request(Method::GET, "/api/v1/session").bearer_auth(&token);
        server.client().send(request).await.expect(StatusCode::OK);
        let program = Socket::by_token(&server.origin(), &token).await;
        assert_eq!(program.hello["player"]["name"], "ada");
        let body = json!({"old": PASSWORD, "new": "hypercube-number-99"});
        ada.client.put("/api/v1/account/password", body).await.expect(StatusCode::NO_CONTENT);
        let second = ada.client.cookie().unwrap();
        let socket = ada.client.socket().await;
        let bob = Player::guest(&server).await;
        let mut table = Table::by_pool(Player { socket, ..ada }, bob, "fourfold", "3+2", false).await;
        table.play(0, &FOURFOLD_MATE).await;
        table.ended("white", "checkmate").await;

        let mut secrets = vec![
            PASSWORD.to_owned(), "guessed-at-random-1".to_owned(), "hypercube-number-99".to_owned(), token.clone(),
            token.trim_start_matches("mfd_").to_owned(), "$argon2".to_owned(),
        ];
        for cookie in [first, second] {
            let cookie = cookie.to_str().unwrap().to_owned();
            let (_, value) = cookie.split_once('=').unwrap();
            assert_eq!(value.len(), 64);
            secrets.push(value.to_owned());
        }
        let log = server.log();
        assert!(log.contains("TRACE") && log.contains("/api/v1/session"), "it talks");
        for secret in &secrets {
            assert!(!log.contains(secret.as_str()), "{secret} is in the log");
        }
        assert!(log.contains(&table.game), "what happens in a game can be found");
    }

    async fn an_answer_s_request_id_is_in_the_log(db: Database) {
        let mut server = Server::start(db).await;
        let client = server.client();
        let outage = server.storage().fail().await;
        let answer = client.get("/api/v1/players/ada").await;
        outage.end().await;
        if answer.status == StatusCode::SERVICE_UNAVAILABLE {
            let id = answer.headers["x-request-id"].to_str().unwrap();
            let log = server.log();
            assert!(log.lines().any(|line| line.contains(id) && line.contains("ERROR")), "{id} is not in\n{log}");
        }
        // SQLite can be read while it is locked.
        assert!(answer.status == StatusCode::SERVICE_UNAVAILABLE || db == Database::Sqlite);
        server.kill9().await;
    }

    async fn figures_are_told_on_an_address_of_their_own(db: Database) {
        let server = Server::start_with(db, &[("metrics.listen", "127.0.0.1:0")]).await;
        let metrics = server.metrics().await;
        let mut table = Table::casual(&server).await;
        table.play(0, &FOURFOLD_MATE).await;
        table.ended("white", "checkmate").await;
        table.white.socket.refused(json!({"t": "resign", "game": table.game}), "game_over").await;
        server.client().get("/api/v1/games/x").await.expect_refusal(404, "not_found");
        let foreign = table.white.client.request(Method::POST, "/api/v1/guests").header(header::ORIGIN, "https://evil.example");
        table.white.client.send(foreign).await.expect_refusal(403, "wrong_origin");
        for path in ["/nowhere", "/nowhere/else", "/a", "/b"] {
            server.client().get(path).await;
        }
        let page = metrics.page().await;
        assert_eq!(value(&page, "manifold_sockets"), 2.0);
        assert_eq!(value(&page, "manifold_live_games"), 0.0);
        assert_eq!(value(&page, "manifold_commands_total{kind=\"move\"}"), 3.0);
        assert_eq!(value(&page, "manifold_answers_total{code=\"game_over\"}"), 1.0);
        assert!(value(&page, "manifold_answers_total{code=\"ok\"}") >= 5.0, "{page}");
        assert!(value(&page, "manifold_commit_writes_count") >= 3.0, "{page}");
        assert_eq!(value(&page, "manifold_http_requests_total{route=\"/api/v1/games/{id}\",status=\"4xx\"}"), 1.0);
        assert_eq!(value(&page, "manifold_http_requests_total{route=\"other\",status=\"4xx\"}"), 4.0);
        // What is refused before any handler is counted as well.
        assert_eq!(value(&page, "manifold_http_refusals_total{code=\"wrong_origin\"}"), 1.0);
        assert_eq!(value(&page, "manifold_http_requests_total{route=\"/api/v1/guests\",status=\"4xx\"}"), 1.0);
        assert!(value(&page, "process_resident_memory_bytes") > 1e6);
        assert!(!page.contains("/nowhere"), "no visitor makes a label");
        // It is not for players.
        assert!(!server.client().get("/metrics").await.body.contains("manifold_sockets"));
    }

    /// A name that nobody has costs what a wrong password costs, so that nobody learns from the time.
    async fn an_unknown_name_is_hashed_for_like_a_known_one(db: Database) {
        let server = Server::start_with(db, &[("metrics.listen", "127.0.0.1:0")]).await;
        let metrics = server.metrics().await;
        server.client().sign_up("ada").await;
        let guest = server.client();
        let guest = guest.be_guest().await;
        let hashes = async || value(&metrics.page().await, "manifold_password_hashes_total");
        let mut before = hashes().await;
        for name in ["ada", "nobody", "ADA", "Cube"] {
            let body = json!({"name": name, "password": "not-her-password"});
            server.client().post("/api/v1/session", body).await.expect_refusal(401, "wrong_credentials");
            assert_eq!(hashes().await, before + 1.0, "{name}");
            before += 1.0;
        }
        // What cannot be an account's name is nobody's, and everybody knows.
        let body = json!({"name": guest, "password": "not-her-password"});
        server.client().post("/api/v1/session", body).await.expect_refusal(401, "wrong_credentials");
        assert_eq!(hashes().await, before);
    }

    async fn more_log_ins_at_once_than_there_is_room_for_are_refused(db: Database) {
        let settings = [("limits.password_workers", "1"), ("limits.password_queue", "1")];
        let server = Server::start_with(db, &settings).await;
        let tries = (0..12).map(|n| {
            let client = server.client();
            let body = json!({"name": format!("nobody{n}"), "password": "not-her-password"});
            async move { client.post("/api/v1/session", body).await }
        });
        let answers = join_all(tries).await;
        let (hashed, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == StatusCode::UNAUTHORIZED);
        assert!(!hashed.is_empty());
        for answer in refused {
            answer.expect_refusal(429, "too_many_requests");
            assert!(answer.headers.contains_key(header::RETRY_AFTER));
        }
    }
}
