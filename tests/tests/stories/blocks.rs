//! Who wants nothing to do with whom.

use manifold_tests::table::Player;
use manifold_tests::{Client, Database, Server, on_both_databases};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

async fn block(client: &Client, name: &str) {
    let request = client.request(Method::PUT, &format!("/api/v1/blocks/{name}"));
    let answer = client.send(request.header(header::ORIGIN, client.origin())).await;
    answer.expect(StatusCode::NO_CONTENT);
}

on_both_databases! {
    async fn blocks_are_listed_kept_and_taken_back(db: Database) {
        let server = Server::start(db).await;
        let guest = Player::guest(&server).await;
        let bob = Player::account(&server, "bob").await;
        for _ in 0..2 {
            block(&guest.client, "Bob").await;
        }
        // A guest who signs up keeps them, and the challenge made before.
        let made = guest.client.challenge_with(json!({})).await;
        guest.client.sign_up("ada").await;
        let listed = guest.client.get("/api/v1/blocks").await.expect(StatusCode::OK)["blocks"].clone();
        assert_eq!((listed.as_array().map(Vec::len), &listed[0]["player"]["name"]), (Some(1), &json!("bob")));
        assert_eq!(bob.client.get("/api/v1/blocks").await.expect(StatusCode::OK), json!({"blocks": []}));
        let kept = guest.client.get("/api/v1/challenges").await.expect(StatusCode::OK)["created"].clone();
        assert_eq!((&kept[0]["id"], &kept[0]["creator"]["name"]), (&made["id"], &json!("ada")));

        let direct = |name: &str| json!({"variant": "fourfold", "color": "white", "opponent": name});
        guest.client.post("/api/v1/challenges", direct("bob")).await.expect_refusal(403, "blocked");
        bob.client.post("/api/v1/challenges", direct("ada")).await.expect_refusal(403, "blocked");
        // Either one's page says so to the other, and to nobody else.
        let is_blocked = async |asker: &Client, name: &str| asker.get(&format!("/api/v1/players/{name}")).await.expect(StatusCode::OK)["player"]["blocked"].clone();
        assert_eq!((is_blocked(&guest.client, "bob").await, is_blocked(&bob.client, "ada").await), (json!(true), json!(true)));
        assert_eq!((is_blocked(&server.client(), "bob").await, is_blocked(&bob.client, "bob").await), (json!(false), json!(false)));
        let accept = format!("/api/v1/challenges/{}/accept", made["id"].as_str().unwrap());
        bob.client.post(&accept, json!({})).await.expect_refusal(403, "blocked");
        for _ in 0..2 {
            guest.client.delete("/api/v1/blocks/bob").await.expect(StatusCode::NO_CONTENT);
        }
        assert_eq!((is_blocked(&guest.client, "bob").await, is_blocked(&bob.client, "ada").await), (json!(false), json!(false)));
        bob.client.accept(&made).await;
        for (name, status, code) in [("ada", 400, "bad_request"), ("nobody", 404, "not_found"), ("Cube (level 4)", 400, "bad_request")] {
            let request = guest.client.request(Method::PUT, &format!("/api/v1/blocks/{name}"));
            guest.client.send(request.header(header::ORIGIN, server.origin())).await.expect_refusal(status, code);
        }
        server.client().get("/api/v1/blocks").await.expect_refusal(401, "unauthenticated");
    }

    async fn case_14_no_pool_pairs_whom_one_has_blocked_however_the_requests_race(db: Database) {
        let server = Server::start(db).await;
        for round in 0..12 {
            let mut ada = Player::guest(&server).await;
            let mut bob = Player::guest(&server).await;
            let join = json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": false});
            // One waits already while the other is being blocked, or both come right after it.
            let client = ada.client.clone();
            if round % 2 == 0 {
                tokio::join!(ada.socket.done(join.clone()), block(&client, &bob.name));
                bob.socket.done(join).await;
            } else {
                block(&client, &bob.name).await;
                tokio::join!(ada.socket.done(join.clone()), bob.socket.done(join));
            }
            for player in [&mut ada, &mut bob] {
                let heard = player.socket.told_by_lobby().await;
                assert!(heard.iter().all(|message| message["t"] != "paired"), "round {round}: {heard:?}");
            }
        }
        let games = server.client().get("/api/v1/games").await.expect(StatusCode::OK);
        assert_eq!(games["games"], Value::Array(Vec::new()));
    }
}
