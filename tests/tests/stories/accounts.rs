//! Signing up, logging in and out, playing as a guest; and everything that is refused on the way.

use futures_util::future::join_all;
use manifold_tests::table::{CLASSIC_MATE, Player, Table};
use manifold_tests::{Database, PASSWORD, Server, on_both_databases};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

on_both_databases! {
    async fn an_account_is_opened_left_and_entered_again(db: Database) {
        let server = Server::start(db).await;
        let ada = server.client();
        assert_eq!(ada.get("/api/v1/session").await.expect(StatusCode::OK)["player"], Value::Null);

        ada.sign_up("Ada").await;
        let session = ada.get("/api/v1/session").await.expect(StatusCode::OK);
        assert_eq!(session, json!({"player": {"name": "Ada", "kind": "account"}, "playing": []}));
        assert_eq!(server.client().get("/api/v1/session").await.expect(StatusCode::OK)["player"], Value::Null);

        ada.delete("/api/v1/session").await.expect(StatusCode::NO_CONTENT);
        assert_eq!(ada.get("/api/v1/session").await.expect(StatusCode::OK)["player"], Value::Null);

        let answer = ada.log_in("ada").await;
        let cookie = answer.headers[header::SET_COOKIE].to_str().unwrap().to_owned();
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
        assert_eq!(answer.expect(StatusCode::OK)["player"]["name"], "Ada");
        assert_eq!(ada.get("/api/v1/session").await.expect(StatusCode::OK)["player"]["name"], "Ada");
    }

    async fn a_log_out_closes_the_tabs_and_ends_the_cookie(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let cookie = ada.client.cookie().unwrap();
        ada.client.delete("/api/v1/session").await.expect(StatusCode::NO_CONTENT);
        assert_eq!(ada.socket.closed().await.as_deref(), Some("session"));
        let request = server.client().request(Method::GET, "/api/v1/session").header(header::COOKIE, cookie);
        assert_eq!(server.client().send(request).await.expect(StatusCode::OK)["player"], Value::Null);
    }

    async fn a_name_is_taken_in_every_spelling(db: Database) {
        let server = Server::start(db).await;
        server.client().sign_up("Ada").await;
        for name in ["Ada", "ada", "ADA", "aDa"] {
            let answer = server.client().post("/api/v1/accounts", json!({"name": name, "password": PASSWORD})).await;
            answer.expect_refusal(409, "name_taken");
        }
    }

    async fn of_many_who_want_one_name_at_once_one_gets_it(db: Database) {
        let server = Server::start(db).await;
        let sign_ups = (0..20).map(|index| {
            let client = server.client();
            let name = if index % 2 == 0 { "grace" } else { "Grace" };
            async move { client.post("/api/v1/accounts", json!({"name": name, "password": PASSWORD})).await }
        });
        let answers = join_all(sign_ups).await;
        let (got, not): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == StatusCode::CREATED);
        assert_eq!(got.len(), 1);
        for answer in not {
            answer.expect_refusal(409, "name_taken");
        }
    }

    async fn of_several_sign_ups_at_once_from_one_guest_one_makes_the_account(db: Database) {
        let server = Server::start(db).await;
        let mut guest = Player::guest(&server).await;
        let tries = (0..5).map(|index| {
            // Tabs of one browser, each with the cookie that was there when the button was pressed.
            let request = server.client().request(Method::POST, "/api/v1/accounts")
                .header(header::ORIGIN, server.origin())
                .header(header::COOKIE, guest.client.cookie().unwrap())
                .json(&json!({"name": format!("ada{index}"), "password": PASSWORD}));
            let client = server.client();
            async move { client.send(request).await }
        });
        let answers = join_all(tries).await;
        let (got, not): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == StatusCode::CREATED);
        assert_eq!(got.len(), 1, "{answers:?}");
        for answer in not {
            answer.expect_refusal(409, "already_signed_up");
        }
        let accounts = server.storage().count("SELECT count(*) FROM players WHERE kind = 'account'").await;
        assert_eq!(accounts.expect("it answers"), 1);
        // The old cookie opens nothing, and one that comes late is told why.
        assert_eq!(guest.socket.closed().await.as_deref(), Some("session"));
        assert_eq!(guest.client.get("/api/v1/session").await.expect(StatusCode::OK)["player"], Value::Null);
        let late = guest.client.post("/api/v1/accounts", json!({"name": "late", "password": PASSWORD})).await;
        late.expect_refusal(409, "already_signed_up");
        guest.client.log_in(got[0].expect(StatusCode::CREATED)["player"]["name"].as_str().unwrap()).await.expect(StatusCode::OK);
    }

    async fn a_sign_up_that_was_not_answered_is_done_once_and_found_again(db: Database) {
        let server = Server::start(db).await;
        let mut guest = Player::guest(&server).await;
        let cookie = guest.client.cookie().unwrap();
        // The answer is lost each time: the browser has only the cookie that it had.
        let attempt = |body: Value| {
            let client = server.client();
            let request = client.request(Method::POST, "/api/v1/accounts")
                .header(header::ORIGIN, server.origin())
                .header(header::COOKIE, cookie.clone())
                .json(&body);
            async move { (client.send(request).await, client) }
        };
        let body = |name: &str, password: &str| json!({"name": name, "password": password});
        let ada = json!({"name": "ada", "kind": "account"});
        for answer in join_all((0..4).map(|_| attempt(body("ada", PASSWORD)))).await {
            assert_eq!(answer.0.expect(StatusCode::CREATED)["player"], ada);
        }
        assert_eq!(guest.socket.closed().await.as_deref(), Some("session"));
        let (answer, client) = attempt(body("Ada", PASSWORD)).await;
        assert_eq!(answer.expect(StatusCode::CREATED)["player"], ada, "as the first was answered");
        assert_eq!(client.get("/api/v1/session").await.expect(StatusCode::OK)["player"], ada, "with a cookie that opens");
        let accounts = server.storage().count("SELECT count(*) FROM players WHERE kind = 'account'").await;
        assert_eq!(accounts.expect("it answers"), 1);
        // The cookie came, and nothing behind it.
        assert_eq!(client.post("/api/v1/accounts", body("ada", PASSWORD)).await.expect(StatusCode::CREATED)["player"], ada);

        // It is another request, or somebody else's.
        let refused = async |attempt: (manifold_tests::Answer, manifold_tests::Client), code| {
            attempt.0.expect_refusal(409, code);
            assert!(!attempt.0.headers.contains_key(header::SET_COOKIE), "{:?}", attempt.0);
            assert_eq!(attempt.1.get("/api/v1/session").await.expect(StatusCode::OK)["player"], Value::Null);
        };
        refused(attempt(body("ada", "another-tesseract")).await, "already_signed_up").await;
        refused(attempt(body("bob", PASSWORD)).await, "already_signed_up").await;
        let other = server.client();
        refused((other.post("/api/v1/accounts", body("ada", PASSWORD)).await, other), "name_taken").await;
        let other = Player::guest(&server).await;
        other.client.post("/api/v1/accounts", body("ada", PASSWORD)).await.expect_refusal(409, "name_taken");
    }

    async fn a_sign_up_without_a_session_is_known_by_its_id(db: Database) {
        let server = Server::start(db).await;
        let attempt = async |id: &str, name: &str, password: &str| {
            let body = json!({"name": name, "password": password, "id": id});
            server.client().post("/api/v1/accounts", body).await
        };
        let once = || attempt("s-1", "ada", PASSWORD);
        for answer in join_all((0..4).map(|_| once())).await {
            assert_eq!(answer.expect(StatusCode::CREATED)["player"]["name"], "ada");
        }
        assert_eq!(once().await.expect(StatusCode::CREATED)["player"]["name"], "ada");
        attempt("s-2", "ada", PASSWORD).await.expect_refusal(409, "name_taken");
        attempt("s-1", "ada", "another-tesseract").await.expect_refusal(409, "name_taken");
        attempt("no id", "bob", PASSWORD).await.expect_refusal(400, "bad_request");
        assert_eq!(attempt("s-1", "bob", PASSWORD).await.expect(StatusCode::CREATED)["player"]["name"], "bob");
    }

    async fn to_guess_a_password_by_signing_up_again_is_to_guess_it_at_the_door(db: Database) {
        let server = Server::start_with(db, &[("limits.logins_per_name_per_hour", "8")]).await;
        let attempt = async |password: &str| {
            let body = json!({"name": "ada", "password": password, "id": "s-1"});
            server.client().post("/api/v1/accounts", body).await
        };
        attempt(PASSWORD).await.expect(StatusCode::CREATED);
        // A quarter of an hour's allowance at once.
        for guess in ["guessed-at-random", "guessed-once-more"] {
            attempt(guess).await.expect_refusal(409, "name_taken");
        }
        attempt(PASSWORD).await.expect_refusal(429, "too_many_requests");
    }

    async fn names_and_passwords_that_will_not_do(db: Database) {
        let server = Server::start(db).await;
        let long = "x".repeat(200);
        for name in ["", "a", long.as_str(), "7up", "ada lovelace", "ada\u{200b}", "адам", "<b>x</b>", "a/b", "a.pgn", "-x"] {
            let answer = server.client().post("/api/v1/accounts", json!({"name": name, "password": PASSWORD})).await;
            answer.expect_refusal(400, "invalid_name");
        }
        for name in ["admin", "Manifold", "mode-rator", "tesseract", "Guest", "anonymous"] {
            let answer = server.client().post("/api/v1/accounts", json!({"name": name, "password": PASSWORD})).await;
            answer.expect_refusal(409, "name_reserved");
        }
        let longer = "0123456789abcdef".repeat(100);
        for (password, why) in [
            ("", "password_too_short"), ("1234567", "password_too_short"), ("password", "password_common"), ("aaaaaaaaaaaa", "password_common"),
            ("my name is ada", "password_holds_name"), (longer.as_str(), "password_too_long"),
        ] {
            let answer = server.client().post("/api/v1/accounts", json!({"name": "ada", "password": password})).await;
            answer.expect_refusal(400, why);
        }
        server.client().sign_up("ada").await;
    }

    async fn wrong_credentials_do_not_tell_which_part_is_wrong(db: Database) {
        let server = Server::start(db).await;
        server.client().sign_up("ada").await;
        let body = |name: &str, password: &str| json!({"name": name, "password": password});
        let known = server.client().post("/api/v1/session", body("ada", "not-her-password")).await;
        let unknown = server.client().post("/api/v1/session", body("nobody", "not-her-password")).await;
        known.expect_refusal(401, "wrong_credentials");
        unknown.expect_refusal(401, "wrong_credentials");
        assert_eq!(known.body, unknown.body);
        let guest = server.client();
        let name = guest.be_guest().await;
        server.client().post("/api/v1/session", body(&name, "")).await.expect_refusal(401, "wrong_credentials");
    }

    async fn what_is_no_sensible_request_is_refused_with_a_reason(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let post = |content_type: &'static str, body: String| {
            let request = client.request(Method::POST, "/api/v1/accounts").header(header::CONTENT_TYPE, content_type);
            client.send(request.body(body))
        };
        for body in ["", "{", "[]", "null", "7", r#"{"name":"ada"}"#, r#"{"name":7,"password":"x"}"#, "\u{0}"] {
            post("application/json", body.to_owned()).await.expect_refusal(400, "bad_request");
        }
        post("text/plain", r#"{"name":"ada","password":"tesseract-rook"}"#.to_owned())
            .await
            .expect_refusal(415, "unsupported_media_type");
        // On a line of its own: the server closes it instead of reading on.
        let huge = json!({"name": "ada", "password": "x".repeat(1 << 20)});
        server.client().post("/api/v1/accounts", huge).await.expect_refusal(413, "payload_too_large");

        client.get("/api/v1/nothing").await.expect_refusal(404, "not_found");
        let get = client.get("/api/v1/accounts").await;
        get.expect_refusal(405, "method_not_allowed");
        assert_eq!(get.headers[header::ALLOW], "POST");
        let post = client.post("/games", json!({})).await;
        post.expect_refusal(405, "method_not_allowed");
        assert_eq!(post.headers[header::ALLOW], "GET, HEAD");
        client.get("/api/v1/games/x").await.expect_refusal(404, "not_found");
        client.get("/api/v1/games/0192d3a4-0000-7000-8000-000000000000").await.expect_refusal(404, "not_found");
        client.get("/api/v1/players/nobody").await.expect_refusal(404, "not_found");
        client.get("/api/v1/players/nobody/games").await.expect_refusal(404, "not_found");
        client.get("/api/v1/games?cursor=nonsense").await.expect_refusal(400, "bad_request");
        client.get("/api/v1/games?limit=many").await.expect_refusal(400, "bad_request");
        client.get("/api/v1/games?status=lost").await.expect_refusal(400, "bad_request");
        assert_eq!(client.get("/api/v1/session").await.expect(StatusCode::OK)["player"], Value::Null);
    }

    async fn another_site_s_page_changes_nothing(db: Database) {
        let server = Server::start(db).await;
        let ada = server.client();
        ada.sign_up("ada").await;
        for origin in ["https://evil.example", "null", "http://127.0.0.1:1", ""] {
            let request = ada.request(Method::DELETE, "/api/v1/session").header(header::ORIGIN, origin);
            ada.send(request).await.expect_refusal(403, "wrong_origin");
        }
        // With a cookie but without an Origin nobody knows whose page it was.
        ada.send(ada.request(Method::DELETE, "/api/v1/session")).await.expect_refusal(403, "wrong_origin");
        assert_eq!(ada.get("/api/v1/session").await.expect(StatusCode::OK)["player"]["name"], "ada");
    }

    async fn too_many_sign_ups_and_log_ins_from_one_place_are_slowed_down(db: Database) {
        let limits = [("limits.new_players_per_hour", "8"), ("limits.logins_per_hour", "8")];
        let server = Server::start_with(db, &limits).await;
        // A quarter of an hour's allowance at once.
        server.client().sign_up("ada").await;
        server.client().be_guest().await;
        let third = server.client().post("/api/v1/guests", json!({})).await;
        third.expect_refusal(429, "too_many_requests");
        let pause: u64 = third.headers[header::RETRY_AFTER].to_str().unwrap().parse().unwrap();
        assert!((60..=451).contains(&pause), "the next of eight an hour, not later: {pause}");
        for _ in 0..2 {
            let wrong = json!({"name": "ada", "password": "guessed-at-random"});
            server.client().post("/api/v1/session", wrong).await.expect_refusal(401, "wrong_credentials");
        }
        server.client().log_in("ada").await.expect_refusal(429, "too_many_requests");
    }

    async fn a_guest_stays_the_same_guest(db: Database) {
        let server = Server::start(db).await;
        let guest = server.client();
        let name = guest.be_guest().await;
        let again = guest.post("/api/v1/guests", json!({})).await.expect(StatusCode::OK);
        assert_eq!(again["player"], json!({"name": name, "kind": "guest"}));
    }

    async fn a_guest_who_signs_up_keeps_the_seat_and_the_games(db: Database) {
        let server = Server::start(db).await;
        // One game is over, another under way.
        let mut table = Table::casual(&server).await;
        table.play(0, &["d1@00c2@01", "b3@01b2@01", "c2@01b3@00"]).await;
        table.ended("white", "checkmate").await;
        let first = table.game.clone();
        let mut table = Table::by_pool(table.white, table.black, "fourfold-classic", "3+2", false).await;
        table.play(0, &CLASSIC_MATE[..1]).await;

        let old_name = table.white.name.clone();
        table.white.client.sign_up("ada").await;
        table.white.socket = table.white.client.socket().await;
        assert_eq!(table.white.socket.hello["player"], json!({"name": "ada", "kind": "account"}));
        let snapshot = table.white.socket.watch(&table.game).await;
        assert_eq!(snapshot["you"], "white");
        table.play(1, &CLASSIC_MATE[1..]).await;
        table.ended("white", "checkmate").await;

        let games = server.client().get("/api/v1/players/ada/games").await.expect(StatusCode::OK);
        let ids: Vec<_> = games["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
        assert_eq!(ids, [table.game.as_str(), first.as_str()]);
        let first = server.client().game(&first).await;
        let names = [&first["white"]["name"], &first["black"]["name"]];
        assert!(names.contains(&&json!("ada")) && !names.contains(&&json!(old_name)), "{names:?}");
        let gone = server.client().get(&format!("/api/v1/players/{}", old_name.replace(' ', "%20"))).await;
        gone.expect_refusal(404, "not_found");
    }
}
