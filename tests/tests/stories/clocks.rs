//! Time, with nobody's help.

use jiff::Timestamp;
use manifold_tests::table::{FOURFOLD_MATE, PARALLEL_CAPTURE, Player, Table};
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

/// A quarter of an hour's play is not needed to see a clock run: this is long for the network and short for a person.
const SHORT_MS: u64 = 1_000;

on_both_databases! {
    async fn case_03_a_flag_falls_with_nobody_connected(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((SHORT_MS, 0))).await;
        table.play_on(0, 3).await;
        let Table { game, white, black } = table;
        drop((white.socket, black.socket));
        // Black's clock runs. A spectator who only watches is told.
        let mut spectator = server.client().socket().await;
        let snapshot = spectator.watch(&game).await;
        let ended = if snapshot["game"]["outcome"].is_null() {
            spectator.event(&game, "ended").await
        } else {
            snapshot["game"].clone()
        };
        assert_eq!((&ended["outcome"], &ended["termination"]), (&json!("white"), &json!("timeout")));
        let read = server.client().game(&game).await;
        assert_eq!((&read["outcome"], &read["termination"]), (&json!("white"), &json!("timeout")));
        // The clock ran out, no earlier.
        let at = |value: &Value| value.as_str().unwrap().parse::<Timestamp>().unwrap();
        let ran = at(&read["ended_at"]).duration_since(at(&read["moves"][2]["played_at"]));
        assert!(ran.as_millis() >= i128::from(SHORT_MS), "{read}");
    }

    async fn who_does_not_begin_aborts_the_game(db: Database) {
        let server = Server::start_with(db, &[("game.first_move_bullet_ms", "300")]).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        let ended = table.ended("none", "aborted").await;
        assert_eq!(ended["ratings"], Value::Null);
        let game = table.game.clone();
        table.white.socket.refused(json!({"t": "move", "game": game, "ply": 0, "move": "a2@00a3@00"}), "game_over").await;
    }

    async fn case_09_an_open_offer_saves_nobody_from_the_flag(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((SHORT_MS, 0))).await;
        table.play_on(0, 2).await;
        let game = table.game.clone();
        let offer = table.black.socket.done(json!({"t": "offer_draw", "game": game})).await["seq"].clone();
        table.ended("black", "timeout").await;
        table.white.socket.refused(json!({"t": "accept_draw", "game": game, "offer": offer}), "game_over").await;
    }

    async fn without_a_clock_a_game_waits_and_keeps_nobody_from_another(db: Database) {
        let mut server = Server::start_with(db, &[("game.first_move_classical_ms", "1")]).await;
        let ada = Player::account(&server, "ada").await;
        let bob = Player::account(&server, "bob").await;
        let id = ada.client.challenge("parallel-worlds", "white", None).await;
        let path = format!("/api/v1/challenges/{id}");
        let seen = bob.client.get(&path).await.expect(StatusCode::OK)["challenge"].clone();
        assert_eq!((&seen["time"], &seen["speed"]), (&Value::Null, &json!("untimed")));
        assert!(server.client().get(&format!("/c/{id}")).await.body.contains("without a clock"));
        bob.client.post(&format!("{path}/accept"), json!({})).await.expect(StatusCode::OK);
        let game = bob.client.get(&path).await.expect(StatusCode::OK)["challenge"]["game"].clone();
        let mut table = Table::sit(game.as_str().unwrap(), ada, bob).await;
        table.play(0, &PARALLEL_CAPTURE[..2]).await;
        let snapshot = table.white.socket.watch(&table.game).await;
        assert_eq!(snapshot["clock"], Value::Null);
        let shown = &snapshot["game"];
        assert_eq!((&shown["time"], &shown["speed"], &shown["rated"]), (&Value::Null, &json!("untimed"), &json!(false)));
        assert_eq!(shown["white"]["rating"], Value::Null, "there are no ratings without a clock");

        // Both may play another meanwhile, which counts.
        let Table { white, black, .. } = table;
        let mut rated = Table::by_pool(white, black, "fourfold", "3+2", true).await;
        let playing = rated.white.client.get("/api/v1/session").await.expect(StatusCode::OK)["playing"].clone();
        assert_eq!(playing, json!([rated.game, game]));
        rated.play(0, &FOURFOLD_MATE).await;
        rated.ended("white", "checkmate").await;

        // Nothing was given back, as nothing was taken.
        server.kill9().await;
        server.storage().an_hour_passes().await;
        server.start_again().await;
        let session = rated.white.client.get("/api/v1/session").await.expect(StatusCode::OK);
        assert_eq!(session["playing"], json!([game]));
        let mut players = [rated.white, rated.black];
        players.sort_by(|a, b| a.name.cmp(&b.name));
        let [mut ada, mut bob] = players;
        for player in [&mut ada, &mut bob] {
            player.socket = player.client.socket().await;
        }
        let mut table = Table::sit(game.as_str().unwrap(), ada, bob).await;
        assert_eq!(table.white.socket.watch(&table.game).await["seq"], snapshot["seq"]);
        table.play(2, &PARALLEL_CAPTURE[2..]).await;
        table.ended("white", "king_captured").await;
        let record = server.client().get(&format!("/api/v1/games/{}.pgn", table.game)).await.body;
        assert!(record.contains("[TimeControl \"-\"]"), "{record}");
    }

    async fn an_increment_is_added_to_each_move_after_the_first(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 30_000))).await;
        table.play_on(0, 4).await;
        let clock = table.white.socket.watch(&table.game).await["clock"].clone();
        // The record tells the same, move for move.
        let record = server.client().get(&format!("/api/v1/games/{}.pgn", table.game)).await.body;
        let clocks = manifold_rules::record::Record::from_pgn(&record).expect("a good record").clocks;
        assert_eq!(clocks.len(), 4, "{record}");
        assert_eq!(clocks[..2], [Some(60_000), Some(60_000)], "{record}");
        assert_eq!(clocks[3], clock["black_ms"].as_u64(), "{record} {clock}");
        // Each has made one move on the clock, and was quick.
        for side in ["white_ms", "black_ms"] {
            let left = clock[side].as_i64().unwrap();
            assert!((80_000..=90_000).contains(&left), "{clock}");
        }
        assert_eq!(clock["running"], "white");
    }
}
