//! Playing whoever opens the link.

use futures_util::future::join_all;
use manifold_tests::table::Player;
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

on_both_databases! {
    async fn case_13_a_link_is_looked_at_by_anyone_and_accepted_by_one(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let id = ada.client.challenge("fourfold-classic", "black", Some((120_000, 1_000))).await;
        let path = format!("/api/v1/challenges/{id}");

        let bob = Player::guest(&server).await;
        let seen = bob.client.get(&path).await.expect(StatusCode::OK)["challenge"].clone();
        assert_eq!(seen["id"], id.as_str());
        assert_eq!(seen["url"], format!("{}/c/{id}", server.origin()));
        assert_eq!(seen["creator"], json!({"name": "ada", "kind": "account"}));
        assert_eq!(seen["time"], json!({"base_ms": 120_000, "increment_ms": 1_000}));
        assert_eq!((&seen["variant"], &seen["color"]), (&json!("fourfold-classic"), &json!("black")));
        assert_eq!((&seen["status"], &seen["game"], &seen["yours"]), (&json!("open"), &Value::Null, &json!(false)));
        assert_eq!(ada.client.get(&path).await.expect(StatusCode::OK)["challenge"]["yours"], true);

        // The page, as a crawler or a chat's preview opens it, takes no seat either.
        let page = server.client().get(&format!("/c/{id}")).await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.body.contains("ada"), "a preview names the challenger");
        assert!(page.body.contains("content=\"Small army, 2 minutes + 1 seconds."), "and the game as all pages do: {}", page.body);
        assert_eq!(bob.client.get(&path).await.expect(StatusCode::OK)["challenge"]["status"], "open");

        let accepted = bob.client.post(&format!("{path}/accept"), json!({})).await.expect(StatusCode::OK);
        assert_eq!(accepted["color"], "white");
        let news = ada.socket.wait("challenge").await;
        let expected = json!({"t": "challenge", "challenge": id, "status": "accepted", "game": accepted["game"],
            "by": {"name": bob.name, "kind": "guest"}});
        assert_eq!(news, expected);
        let after = bob.client.get(&path).await.expect(StatusCode::OK)["challenge"].clone();
        assert_eq!((&after["status"], &after["game"]), (&json!("accepted"), &accepted["game"]));
        let game = bob.client.game(accepted["game"].as_str().unwrap()).await;
        assert_eq!((&game["rated"], &game["black"]["name"]), (&json!(false), &json!("ada")));
    }

    async fn case_13_of_fifty_who_accept_at_once_one_plays(db: Database) {
        let server = Server::start(db).await;
        let ada = Player::account(&server, "ada").await;
        let id = ada.client.challenge("fourfold", "random", Some((60_000, 0))).await;
        let guests: Vec<_> = (0..50).map(|_| server.client()).collect();
        join_all(guests.iter().map(|guest| guest.be_guest())).await;
        let path = format!("/api/v1/challenges/{id}/accept");
        let answers = join_all(guests.iter().map(|guest| guest.post(&path, json!({})))).await;
        let (got, not): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == StatusCode::OK);
        assert_eq!(got.len(), 1);
        for answer in not {
            answer.expect_refusal(409, "challenge_closed");
        }
        let games = server.client().get("/api/v1/games").await.expect(StatusCode::OK);
        let games = games["games"].as_array().unwrap();
        assert_eq!(games.len(), 1);
        assert_eq!(games[0]["id"], got[0].expect(StatusCode::OK)["game"]);
    }

    async fn only_others_accept_and_only_the_creator_cancels(db: Database) {
        let server = Server::start(db).await;
        let ada = Player::account(&server, "ada").await;
        let bob = Player::guest(&server).await;
        let id = ada.client.challenge("fourfold", "white", Some((60_000, 0))).await;
        let path = format!("/api/v1/challenges/{id}");
        let accept = format!("{path}/accept");

        ada.client.post(&accept, json!({})).await.expect_refusal(409, "own_challenge");
        server.client().post(&accept, json!({})).await.expect_refusal(401, "unauthenticated");
        server.client().delete(&path).await.expect_refusal(401, "unauthenticated");
        assert_eq!(bob.client.delete(&path).await.status, StatusCode::FORBIDDEN);
        assert_eq!(bob.client.get(&path).await.expect(StatusCode::OK)["challenge"]["status"], "open");

        ada.client.delete(&path).await.expect(StatusCode::NO_CONTENT);
        assert_eq!(bob.client.get(&path).await.expect(StatusCode::OK)["challenge"]["status"], "canceled");
        bob.client.post(&accept, json!({})).await.expect_refusal(409, "challenge_closed");
        let unknown = "/api/v1/challenges/0192d3a4-0000-7000-8000-000000000000";
        bob.client.get(unknown).await.expect_refusal(404, "not_found");
        bob.client.post(&format!("{unknown}/accept"), json!({})).await.expect_refusal(404, "not_found");
    }

    async fn challenges_that_are_none(db: Database) {
        let server = Server::start(db).await;
        let ada = Player::account(&server, "ada").await;
        let time = |base: Value, increment: Value| json!({"base_ms": base, "increment_ms": increment});
        let good = json!({"variant": "fourfold", "color": "white", "time": time(json!(60_000), json!(0))});
        server.client().post("/api/v1/challenges", good.clone()).await.expect_refusal(401, "unauthenticated");
        for (key, value) in [
            ("variant", json!("chess")),
            ("color", json!("red")),
            ("time", time(json!(999), json!(0))),
            ("time", time(json!(-1), json!(0))),
            ("time", time(json!(1e18), json!(0))),
            ("time", time(json!("60000"), json!(0))),
            ("time", time(json!(60_000), json!(-1))),
            ("time", time(json!(60_000), json!(180_001))),
            ("time", time(json!(60_000), Value::Null)),
            ("time", json!("3+2")),
        ] {
            let mut body = good.clone();
            body[key] = value;
            ada.client.post("/api/v1/challenges", body).await.expect_refusal(400, "bad_request");
        }
    }

    async fn a_creator_who_went_away_finds_the_game(db: Database) {
        let server = Server::start(db).await;
        let ada = Player::guest(&server).await;
        let id = ada.client.challenge("fourfold", "white", Some((60_000, 0))).await;
        drop(ada.socket);
        let bob = Player::guest(&server).await;
        let accepted = bob.client.post(&format!("/api/v1/challenges/{id}/accept"), json!({})).await;
        let game = accepted.expect(StatusCode::OK)["game"].clone();
        let session = ada.client.get("/api/v1/session").await.expect(StatusCode::OK);
        assert_eq!(session["playing"], json!([game]));
    }

    async fn who_is_challenged_hears_it_at_once_and_alone_answers(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut bob = Player::account(&server, "bob").await;
        let mut tab = bob.client.socket().await;
        let eve = Player::account(&server, "eve").await;
        let options = json!({"opponent": "BOB", "rated": true, "time": {"days_per_move": 2}});
        let made = ada.client.challenge_with(options.clone()).await;
        assert_eq!((&made["opponent"]["name"], &made["rated"], &made["speed"]), (&json!("bob"), &json!(true), &json!("correspondence")));
        for socket in [&mut bob.socket, &mut tab] {
            let told = socket.wait("challenged").await["challenge"].clone();
            assert_eq!((&told["id"], &told["creator"]["name"], &told["yours"]), (&made["id"], &json!("ada"), &json!(false)));
        }
        let list = async |player: &Player| player.client.get("/api/v1/challenges").await.expect(StatusCode::OK);
        assert_eq!(list(&bob).await["received"][0]["id"], made["id"]);
        assert_eq!((&list(&ada).await["created"][0], &list(&ada).await["received"]), (&made, &json!([])));
        assert_eq!(list(&eve).await, json!({"received": [], "created": []}));

        // To everybody else it is not there.
        let path = format!("/api/v1/challenges/{}", made["id"].as_str().unwrap());
        let (accept, decline) = (format!("{path}/accept"), format!("{path}/decline"));
        eve.client.get(&path).await.expect_refusal(404, "not_found");
        server.client().get(&path).await.expect_refusal(404, "not_found");
        for act in [&accept, &decline] {
            eve.client.post(act, json!({})).await.expect_refusal(404, "not_found");
        }
        let page = server.client().get(&format!("/c/{}", made["id"].as_str().unwrap())).await;
        assert!(!page.body.contains("ada"), "a preview does not tell of it");
        ada.client.post(&decline, json!({})).await.expect_refusal(403, "not_the_opponent");

        for _ in 0..2 {
            bob.client.post(&decline, json!({})).await.expect(StatusCode::NO_CONTENT);
        }
        for socket in [&mut ada.socket, &mut bob.socket, &mut tab] {
            let news = socket.wait("challenge").await;
            assert_eq!((&news["status"], &news["game"], &news["by"]["name"]), (&json!("declined"), &Value::Null, &json!("bob")));
        }
        bob.client.post(&accept, json!({})).await.expect_refusal(409, "challenge_closed");

        let again = ada.client.challenge_with(options.clone()).await;
        let game = bob.client.accept(&again).await;
        let game = server.client().game(&game).await;
        assert_eq!((&game["rated"], &game["speed"], &game["black"]["name"]), (&json!(true), &json!("correspondence"), &json!("bob")));
        let canceled = ada.client.challenge_with(options).await;
        let path = format!("/api/v1/challenges/{}", canceled["id"].as_str().unwrap());
        for _ in 0..2 {
            ada.client.delete(&path).await.expect(StatusCode::NO_CONTENT);
        }
        let news = bob.socket.wait_for("the end of it", |m| m["t"] == "challenge" && m["status"] == "canceled").await;
        assert_eq!(news["by"]["name"], "ada");
    }

    async fn a_challenge_may_begin_anywhere_but_counts_from_the_start_only(db: Database) {
        let server = Server::start(db).await;
        let ada = Player::account(&server, "ada").await;
        let bob = Player::guest(&server).await;
        let fen = "4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/p1pp/1p2/4|kbnr/pppp/4/3Q w 0 2";
        let made = ada.client.challenge_with(json!({"fen": fen, "color": "black"})).await;
        assert_eq!(made["fen"], fen);
        let game = bob.client.accept(&made).await;
        assert_eq!(bob.client.game(&game).await["start_fen"], fen);
        let start = manifold_rules::Game::new(manifold_rules::Variant::Fourfold).fen();
        let standard = ada.client.challenge_with(json!({"fen": start, "rated": true, "time": {"base_ms": 60_000, "increment_ms": 0}})).await;
        assert_eq!(standard["fen"], Value::Null, "it is the standard start");
        bob.client.post(&format!("/api/v1/challenges/{}/accept", standard["id"].as_str().unwrap()), json!({})).await
            .expect_refusal(403, "guests_play_casual");
        let with = |options: Value| {
            let mut body = json!({"variant": "fourfold", "color": "white"});
            body.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
            body
        };
        for (options, status, code) in [
            (json!({"fen": "nonsense"}), 422, "bad_position"),
            (json!({"fen": "x".repeat(5000)}), 422, "bad_position"),
            (json!({"fen": "4/4/4/3K|4/4/4/4|4/4/4/4|k3/4/4/4 w 0 1"}), 422, "bad_position"),
            (json!({"rated": true}), 400, "cannot_be_rated"),
            (json!({"rated": true, "fen": fen, "time": {"days_per_move": 1}}), 400, "cannot_be_rated"),
            (json!({"opponent": "nobody"}), 404, "not_found"),
            (json!({"opponent": "ada"}), 409, "own_challenge"),
            (json!({"opponent": bob.name, "rated": true, "time": {"days_per_move": 1}}), 403, "guests_play_casual"),
            (json!({"opponent": "Cube (level 4)"}), 400, "bad_request"),
            (json!({"id": "not an id"}), 400, "bad_request"),
        ] {
            ada.client.post("/api/v1/challenges", with(options)).await.expect_refusal(status, code);
        }
        let rated = json!({"rated": true, "time": {"days_per_move": 1}});
        bob.client.post("/api/v1/challenges", with(rated)).await.expect_refusal(403, "guests_play_casual");

        // A retry is the same challenge; ten at once are, too.
        let keyed = with(json!({"id": "my-first"}));
        let answers = join_all((0..10).map(|_| ada.client.post("/api/v1/challenges", keyed.clone()))).await;
        let ids: Vec<_> = answers.iter().map(|answer| answer.expect(StatusCode::CREATED)["challenge"]["id"].clone()).collect();
        assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
        let other = with(json!({"id": "my-first", "color": "black"}));
        ada.client.post("/api/v1/challenges", other).await.expect_refusal(409, "id_reused");
    }

    async fn both_ends_are_told_when_nobody_came(db: Database) {
        // No hour passes in a story: it has none.
        let server = Server::start_with(db, &[("game.challenge_hours", "0")]).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut bob = Player::account(&server, "bob").await;
        let made = ada.client.challenge_with(json!({"opponent": "bob"})).await;
        for player in [&mut ada, &mut bob] {
            let news = player.socket.wait("challenge").await;
            assert_eq!((&news["challenge"], &news["status"], &news["by"]), (&made["id"], &json!("expired"), &Value::Null));
        }
    }

    async fn nobody_plays_two_games_with_a_clock(db: Database) {
        let server = Server::start(db).await;
        let clock = json!({"time": {"base_ms": 60_000, "increment_ms": 0}});
        let eve = Player::guest(&server).await;
        let table = manifold_tests::table::Table::casual(&server).await;
        let theirs = eve.client.challenge_with(clock.clone()).await;
        let mine = table.white.client.challenge_with(clock.clone()).await;
        let accept = |made: &Value| format!("/api/v1/challenges/{}/accept", made["id"].as_str().unwrap());
        table.white.client.post(&accept(&theirs), json!({})).await.expect_refusal(409, "already_playing");
        eve.client.post(&accept(&mine), json!({})).await.expect_refusal(409, "opponent_playing");
        let mut computer = json!({"level": 1, "variant": "fourfold", "color": "white", "time": clock["time"]});
        table.white.client.post("/api/v1/games", computer.clone()).await.expect_refusal(409, "already_playing");
        // What waits for days or for ever is in nobody's way.
        computer["time"] = Value::Null;
        table.white.client.post("/api/v1/games", computer.clone()).await.expect(StatusCode::CREATED);
        computer["time"] = json!({"days_per_move": 1});
        table.white.client.post("/api/v1/games", computer).await.expect_refusal(400, "bad_request");
        let slow = eve.client.challenge_with(json!({"time": {"days_per_move": 1}})).await;
        table.white.client.accept(&slow).await;
    }

    async fn nobody_fills_another_s_inbox_alone_and_a_block_empties_it(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let bob = Player::account(&server, "bob").await;
        let cleo = Player::account(&server, "cleo").await;
        let to = |name: &str| json!({"variant": "fourfold", "color": "white", "opponent": name});
        let answers = join_all((0..6).map(|_| ada.client.post("/api/v1/challenges", to("bob")))).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == StatusCode::CREATED);
        assert_eq!(made.len(), 3, "however they race");
        for answer in refused {
            answer.expect_refusal(429, "too_many_challenges");
        }
        let cleos = cleo.client.challenge_with(json!({"opponent": "bob"})).await;
        let by_link = bob.client.challenge_with(json!({})).await;
        bob.client.challenge_with(json!({"opponent": "ada"})).await;

        for _ in 0..2 {
            bob.client.put("/api/v1/blocks/ada", Value::Null).await.expect(StatusCode::NO_CONTENT);
        }
        let left = bob.client.get("/api/v1/challenges").await.expect(StatusCode::OK);
        let ids = |list: &Value| list.as_array().unwrap().iter().map(|one| one["id"].clone()).collect::<Vec<_>>();
        assert_eq!((ids(&left["received"]), ids(&left["created"])), (vec![cleos["id"].clone()], vec![by_link["id"].clone()]));
        let mut heard = Vec::new();
        for _ in 0..4 {
            heard.push(ada.socket.wait("challenge").await["status"].as_str().unwrap().to_owned());
        }
        heard.sort();
        assert_eq!(heard, ["canceled", "declined", "declined", "declined"]);
    }
}
