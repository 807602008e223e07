//! Parallel Worlds: the same server, another game.

use manifold_rules::record::Record;
use manifold_rules::{Termination, Variant};
use manifold_tests::table::{PARALLEL_CAPTURE, Player, QUICK_WINS, Table};
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

on_both_databases! {
    async fn every_game_has_its_own_ratings(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut bob = Player::account(&server, "bob").await;
        for win in &QUICK_WINS {
            let mut table = Table::by_pool(ada, bob, win.variant, "3+2", true).await;
            let game = server.client().game(&table.game).await;
            for side in ["white", "black"] {
                assert_eq!(game[side]["rating"], 1500, "{}: another game's rating", win.variant);
            }
            table.play(0, win.turns).await;
            table.ended("white", win.termination).await;
            (ada, bob) = (table.white, table.black);
        }
        let profile = server.client().get("/api/v1/players/ada").await.expect(StatusCode::OK);
        let ratings = profile["player"]["ratings"].as_array().unwrap();
        let rated: Vec<_> = ratings.iter().map(|rating| (&rating["variant"], &rating["games"])).collect();
        let one = json!(1);
        let names = QUICK_WINS.each_ref().map(|win| json!(win.variant));
        assert_eq!(rated, names.iter().map(|name| (name, &one)).collect::<Vec<_>>());
    }

    async fn a_turn_of_several_moves_is_told_as_one(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "parallel-worlds").await;
        let game = table.game.clone();
        let snapshot = table.white.socket.watch(&game).await;
        assert_eq!(snapshot["legal"].as_array().unwrap().len(), 70, "first moves, not turns");
        assert!(snapshot["game"]["start_fen"].as_str().unwrap().ends_with(" w KQkq|KQkq - 0 1"));

        let ack = table.white.socket.play(&game, 0, PARALLEL_CAPTURE[0]).await;
        let event = table.black.socket.numbered(&game, ack["seq"].as_u64().unwrap()).await;
        assert_eq!((&event["move"], &event["lan"]), (&json!(PARALLEL_CAPTURE[0]), &json!("e2@1-e4@1,Ng1@3-f3@3")));
        assert_eq!((&event["ply"], &event["check"]), (&json!(0), &Value::Null));
        assert_eq!(event["legal"].as_array().unwrap().len(), 70);
        assert!(event["legal"].as_array().unwrap().contains(&json!("f7@1f6@1")));
    }

    async fn turns_that_the_rules_forbid_are_refused_with_a_reason(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "parallel-worlds", Some((60_000, 0))).await;
        let game = table.game.clone();
        let before = table.white.socket.watch(&game).await;
        let long = ["e2@1e4@1"; 300].join(",");
        for (turn, why) in [
            ("e2@1e4@1,d2@1d4@1", "already ended on level 1"),
            ("e2@1e4@1,e4@1e4@2", "already moved"),
            ("e2@1e4@1,g1@3f3@3,d1@1d1@2", "at most two"),
            ("e2@1e5@1", "straight ahead"),
            ("e7@1e5@1", "not yours"),
            ("e1@1e1@2", "never leaves its level"),
            ("e2@1e3@1q", "does not promote"),
            ("", "is not a move"),
            ("e2@1e4@1,", "is not a move"),
            ("e2@1e4@4", "is not a move"),
            ("a1@00a1@01", "is not a move"),
            (long.as_str(), "is not a move"),
        ] {
            let play = json!({"t": "move", "game": game, "ply": 0, "move": turn});
            let refused = table.white.socket.refused(play, "illegal_move").await;
            assert!(refused["detail"].as_str().unwrap().contains(why), "{turn}: {refused}");
        }
        let after = table.white.socket.watch(&game).await;
        assert_eq!((&after["seq"], &after["game"]), (&before["seq"], &before["game"]));
        table.play(0, &PARALLEL_CAPTURE).await;
        table.ended("white", "king_captured").await;
    }

    async fn its_games_end_by_agreement_and_by_the_clock_too(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "parallel-worlds").await;
        table.play(0, &PARALLEL_CAPTURE[..3]).await;
        let offer = table.white.socket.done(json!({"t": "offer_draw", "game": table.game})).await["seq"].clone();
        table.black.socket.done(json!({"t": "accept_draw", "game": table.game, "offer": offer})).await;
        assert!(table.ended("draw", "agreement").await["ratings"].is_object());

        let mut table = Table::by_challenge(&server, "parallel-worlds", Some((1_000, 0))).await;
        table.play(0, &PARALLEL_CAPTURE[..2]).await;
        table.ended("black", "timeout").await;
    }

    async fn a_killed_server_brings_its_games_back_and_their_records_can_be_read(db: Database) {
        let mut server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "parallel-worlds", Some((600_000, 0))).await;
        table.play(0, &PARALLEL_CAPTURE[..4]).await;
        let game = table.game.clone();
        let before = table.white.socket.watch(&game).await;
        server.kill9().await;
        server.start_again().await;
        for player in [&mut table.white, &mut table.black] {
            player.socket = player.client.socket().await;
            let after = player.socket.watch(&game).await;
            assert_eq!((&after["game"], &after["legal"]), (&before["game"], &before["legal"]));
        }
        table.play(4, &PARALLEL_CAPTURE[4..]).await;
        table.ended("white", "king_captured").await;

        let text = server.client().get(&format!("/api/v1/games/{game}.pgn")).await.body;
        let record = Record::from_pgn(&text).unwrap();
        assert_eq!(record.game.variant(), Variant::ParallelWorlds);
        assert_eq!(record.end.unwrap().termination, Termination::KingCaptured);
        let turns: Vec<_> = record.game.turns().iter().map(ToString::to_string).collect();
        assert_eq!(turns, PARALLEL_CAPTURE);
    }
}
