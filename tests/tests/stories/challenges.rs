//! Playing whoever opens the link.

use futures_util::future::join_all;
use manifold_tests::table::Player;
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

on_both_databases! {
    async fn a_link_is_looked_at_by_anyone_and_accepted_by_one(db: Database) {
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
        assert_eq!(bob.client.get(&path).await.expect(StatusCode::OK)["challenge"]["status"], "open");

        let accepted = bob.client.post(&format!("{path}/accept"), json!({})).await.expect(StatusCode::OK);
        assert_eq!(accepted["color"], "white");
        let news = ada.socket.wait("challenge").await;
        let expected = json!({"t": "challenge", "challenge": id, "status": "accepted", "game": accepted["game"]});
        assert_eq!(news, expected);
        let after = bob.client.get(&path).await.expect(StatusCode::OK)["challenge"].clone();
        assert_eq!((&after["status"], &after["game"]), (&json!("accepted"), &accepted["game"]));
        let game = bob.client.game(accepted["game"].as_str().unwrap()).await;
        assert_eq!((&game["rated"], &game["black"]["name"]), (&json!(false), &json!("ada")));
    }

    async fn of_fifty_who_accept_at_once_one_plays(db: Database) {
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
}
