//! An acknowledged move is never lost, and nobody pays for the server's absence.

use std::time::{Duration, Instant};

use manifold_tests::table::{FOURFOLD_MATE, Player, Table, long_game};
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

/// Everyone opens their tab again and watches on from what they have seen.
async fn come_back(table: &mut Table, seen: u64) -> Value {
    let mut replay = Value::Null;
    for player in [&mut table.white, &mut table.black] {
        player.socket = player.client.socket().await;
        replay = player.socket.ask(json!({"t": "watch", "game": table.game, "seen": seen})).await;
        assert_eq!(replay["t"], "replay", "{replay}");
    }
    replay
}

on_both_databases! {
    async fn a_killed_server_comes_back_with_every_acknowledged_move(db: Database) {
        let mut server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        table.play_on(0, 20).await;
        let game = table.game.clone();
        let offer = table.white.socket.done(json!({"t": "offer_draw", "game": game})).await["seq"].as_u64().unwrap();
        let before = table.white.socket.watch(&game).await;

        server.kill9().await;
        server.start_again().await;
        let replay = come_back(&mut table, offer).await;
        assert_eq!(replay["events"][0]["kind"], "resumed", "{replay}");
        let after = table.white.socket.watch(&game).await;
        assert_eq!(after["game"]["moves"], before["game"]["moves"]);
        assert_eq!((&after["legal"], &after["draw_offer"]), (&before["legal"], &before["draw_offer"]));

        // The offer is still good, the game goes on, and it counts.
        table.play_on(20, 1).await;
        table.black.socket.done(json!({"t": "accept_draw", "game": game, "offer": offer})).await;
        assert!(table.ended("draw", "agreement").await["ratings"].is_object());
    }

    async fn a_retry_after_the_server_was_killed_is_the_same_move(db: Database) {
        let mut server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let play = json!({"t": "move", "id": "mine", "game": game, "ply": 0, "move": "a2@00a3@00"});
        let ack = table.white.socket.done(play.clone()).await;
        server.kill9().await;
        server.start_again().await;
        come_back(&mut table, 1).await;
        assert_eq!(table.white.socket.done(play).await, ack);
        table.white.socket.refused(json!({"t": "abort", "id": "mine", "game": game}), "id_reused").await;
        assert_eq!(server.client().game(&game).await["moves"].as_array().unwrap().len(), 1);
    }

    async fn moves_in_flight_when_the_server_is_killed_are_there_if_they_were_acknowledged(db: Database) {
        let mut server = Server::start(db).await;
        let mut tables = Vec::new();
        for _ in 0..5 {
            let mut table = Table::casual(&server).await;
            table.play_on(0, 4).await;
            tables.push(table);
        }
        // One move each is sent; the first acknowledgement is the signal to kill.
        let turn = manifold_tests::table::long_game()[4];
        for table in &mut tables {
            let play = json!({"t": "move", "id": "last", "game": table.game, "ply": 4, "move": turn});
            table.white.socket.send(&play).await;
        }
        tables[0].white.socket.wait("ack").await;
        server.kill9().await;
        let mut acknowledged = vec![true];
        for table in &mut tables[1..] {
            acknowledged.push(table.white.socket.rest().await.iter().any(|message| message["t"] == "ack"));
        }
        server.start_again().await;
        for (table, acknowledged) in tables.iter().zip(acknowledged) {
            let moves = server.client().game(&table.game).await["moves"].as_array().unwrap().len();
            assert!(moves == 5 || (moves == 4 && !acknowledged), "{moves} moves, acknowledged: {acknowledged}");
        }
    }

    async fn case_03_nobody_s_clock_pays_for_the_time_the_server_was_down(db: Database) {
        let mut server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        table.play_on(0, 3).await;
        let game = table.game.clone();
        server.kill9().await;
        server.storage().an_hour_passes().await;
        server.start_again().await;
        come_back(&mut table, 3).await;
        let clock = table.black.socket.watch(&game).await["clock"].clone();
        assert_eq!(clock["running"], "black");
        // What ran were seconds of this test, not an hour.
        assert!(clock["black_ms"].as_i64().unwrap() > 30_000, "{clock}");
        assert!(clock["white_ms"].as_i64().unwrap() > 30_000, "{clock}");
        table.play_on(3, 2).await;
    }

    async fn challenges_and_sessions_outlive_the_server(db: Database) {
        let mut server = Server::start(db).await;
        let ada = Player::account(&server, "ada").await;
        let guest = Player::guest(&server).await;
        let id = ada.client.challenge("fourfold", "white", Some((60_000, 0))).await;
        server.kill9().await;
        server.start_again().await;
        let accepted = guest.client.post(&format!("/api/v1/challenges/{id}/accept"), json!({})).await;
        assert_eq!(accepted.expect(StatusCode::OK)["color"], "black");
        assert_eq!(ada.client.get("/api/v1/session").await.expect(StatusCode::OK)["player"]["name"], "ada");
    }

    async fn a_server_that_stops_says_so_and_loses_nothing(db: Database) {
        let mut server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        table.play_on(0, 6).await;
        let game = table.game.clone();
        server.terminate();
        for player in [&mut table.white, &mut table.black] {
            assert_eq!(player.socket.closed().await.as_deref(), Some("restart"));
        }
        let status = server.wait().await;
        assert!(status.success(), "{status}: {}", server.log());
        server.storage().an_hour_passes().await;
        server.start_again().await;
        come_back(&mut table, 6).await;
        assert_eq!(table.white.socket.watch(&game).await["game"]["moves"].as_array().unwrap().len(), 6);
        table.play_on(6, 2).await;
    }

    async fn without_its_database_the_server_refuses_and_then_goes_on(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        table.play(0, &FOURFOLD_MATE[..1]).await;
        let game = table.game.clone();

        let outage = server.storage().fail().await;
        let play = json!({"t": "move", "id": "again", "game": game, "ply": 1, "move": FOURFOLD_MATE[1]});
        table.black.socket.refused(play.clone(), "storage_unavailable").await;
        let refused = server.client().post("/api/v1/guests", json!({})).await;
        refused.expect_refusal(503, "storage_unavailable");
        assert_eq!(server.client().get("/healthz").await.status, StatusCode::OK);
        if db == Database::Postgres {
            // Where nothing can be read either. SQLite's readers are not held up by a lock.
            assert_eq!(server.client().get("/readyz").await.status, StatusCode::SERVICE_UNAVAILABLE);
        }
        let heard = table.white.socket.told_by(&game).await;
        assert!(heard.iter().all(|message| message["t"] != "event"), "nobody was told: {heard:?}");

        outage.end().await;
        // The game says by itself that it goes on, and the same command is now done once.
        table.black.socket.event(&game, "resumed").await;
        table.black.socket.done(play.clone()).await;
        table.black.socket.done(play).await;
        assert_eq!(table.white.socket.event(&game, "move").await["ply"], 1);
        table.white.socket.play(&game, 2, FOURFOLD_MATE[2]).await;
        assert!(table.ended("white", "checkmate").await["ratings"].is_object());
        assert_eq!(server.client().get("/readyz").await.status, StatusCode::OK);
        let moves = server.client().game(&game).await["moves"].clone();
        assert_eq!(moves.as_array().unwrap().len(), 3);
    }
}

/// Of the two databases only SQLite can be made to wait for as long as one likes.
#[tokio::test]
async fn what_the_database_takes_to_commit_is_nobody_s_time() {
    let server = Server::start_with(Database::Sqlite, &[("database.timeout_ms", "60000")]).await;
    let mut table = Table::casual(&server).await;
    let game = table.game.clone();
    table.play_on(0, 2).await;

    let outage = server.storage().fail().await;
    let turn = json!({"t": "move", "id": "slow", "game": game, "ply": 2, "move": long_game()[2]});
    table.white.socket.send(&turn).await;
    // Once this is answered the move has arrived.
    table.white.socket.ask(json!({"t": "ping"})).await;
    let arrived = Instant::now();
    while arrived.elapsed() < Duration::from_millis(500) {
        assert_eq!(server.client().get("/healthz").await.status, StatusCode::OK);
    }
    outage.end().await;

    let black_ms = |event: &Value| event["clock"]["black_ms"].as_i64().expect("it has a clock");
    let told = table.black.socket.event(&game, "move").await;
    let told = if told["ply"] == 2 { told } else { table.black.socket.event(&game, "move").await };
    let credited = table.black.socket.event(&game, "resumed").await;
    assert_eq!(credited["seq"].as_u64(), told["seq"].as_u64().map(|seq| seq + 1));
    assert!(black_ms(&credited) >= black_ms(&told) + 250, "{told} {credited}");
}
