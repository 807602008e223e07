//! Days for every move, and games that sleep in the database meanwhile.

use manifold_tests::table::{FOURFOLD_MATE, Player, Table};
use manifold_tests::{Client, Database, PATIENCE, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

const DAY_MS: i64 = 86_400_000;

/// Two guests at a game with that time.
async fn table(server: &Server, time: Value) -> Table {
    let (white, black) = (Player::guest(server).await, Player::guest(server).await);
    let challenge = white.client.challenge_with(json!({"time": time})).await;
    let game = black.client.accept(&challenge).await;
    Table::sit(&game, white, black).await
}

/// The game once it has ended. Reading it wakes nobody.
async fn ended(client: &Client, game: &str) -> Value {
    let read = async {
        loop {
            let game = client.game(game).await;
            if !game["outcome"].is_null() {
                return game;
            }
        }
    };
    tokio::time::timeout(PATIENCE, read).await.expect("the game ends by itself")
}

on_both_databases! {
    async fn days_per_move_are_shown_and_keep_nobody_from_anything(db: Database) {
        let server = Server::start(db).await;
        let mut slow = table(&server, json!({"days_per_move": 3})).await;
        let snapshot = slow.white.socket.watch(&slow.game).await;
        let shown = &snapshot["game"];
        assert_eq!((&shown["time"], &shown["speed"]), (&json!({"days_per_move": 3}), &json!("correspondence")));
        let clock = &snapshot["clock"];
        assert_eq!((&clock["white_ms"], &clock["running"]), (&json!(3 * DAY_MS), &Value::Null));
        let left = clock["first_move_ms"].as_i64().unwrap();
        assert!((3 * DAY_MS - 60_000..=3 * DAY_MS).contains(&left), "{clock}");

        // Both play a quick game beside it.
        let Table { white, black, game } = slow;
        let mut quick = Table::by_pool(white, black, "fourfold", "3+2", false).await;
        let playing = quick.white.client.get("/api/v1/session").await.expect(StatusCode::OK)["playing"].clone();
        assert_eq!(playing, json!([quick.game, game]));
        quick.play(0, &FOURFOLD_MATE).await;
        quick.ended("white", "checkmate").await;

        let (white, black) = match quick.white.socket.watch(&game).await["you"].as_str() {
            Some("white") => (quick.white, quick.black),
            _ => (quick.black, quick.white),
        };
        slow = Table::sit(&game, white, black).await;
        slow.play_on(0, 3).await;
        let clock = slow.white.socket.watch(&game).await["clock"].clone();
        assert_eq!((&clock["white_ms"], &clock["running"]), (&json!(3 * DAY_MS), &json!("black")), "filled up again");
        let record = server.client().get(&format!("/api/v1/games/{game}.pgn")).await.body;
        assert!(record.contains("[TimeControl \"1/259200\"]"), "{record}");
        for days in [json!(0), json!(15), json!(-1), json!(1.5), json!("3")] {
            let body = json!({"variant": "fourfold", "color": "white", "time": {"days_per_move": days}});
            slow.white.client.post("/api/v1/challenges", body).await.expect_refusal(400, "bad_request");
        }
    }

    async fn case_03_a_sleeping_game_is_flagged_with_nobody_there_and_after_a_restart(db: Database) {
        let mut server = Server::start(db).await;
        let mut played = table(&server, json!({"days_per_move": 2})).await;
        let begun = table(&server, json!({"days_per_move": 1})).await;
        let fresh = table(&server, json!({"days_per_move": 5})).await;
        played.play_on(0, 3).await;
        server.stop().await;
        server.storage().days_have_passed(2).await;
        server.start_again().await;
        let reader = server.client();
        let flagged = ended(&reader, &played.game).await;
        assert_eq!((&flagged["outcome"], &flagged["termination"]), (&json!("white"), &json!("timeout")));
        let aborted = ended(&reader, &begun.game).await;
        assert_eq!((&aborted["outcome"], &aborted["termination"]), (&json!("none"), &json!("aborted")));
        assert_eq!(reader.game(&fresh.game).await["outcome"], Value::Null, "it has three days left");
    }

    async fn case_03_a_sleeping_game_is_given_back_what_the_server_was_away(db: Database) {
        let mut server = Server::start(db).await;
        let mut table = table(&server, json!({"days_per_move": 1})).await;
        table.play_on(0, 2).await;
        server.kill9().await;
        // Fifty hours, of which the game would have had twenty-four.
        for _ in 0..50 {
            server.storage().an_hour_passes().await;
        }
        server.start_again().await;
        for player in [&mut table.white, &mut table.black] {
            player.socket = player.client.socket().await;
        }
        // The first who comes wakes it, and may move at once.
        table.white.socket.play(&table.game, 2, manifold_tests::table::long_game()[2]).await;
        let snapshot = table.black.socket.watch(&table.game).await;
        let spent = snapshot["game"]["moves"][2]["spent_ms"].as_i64().unwrap();
        assert!((0..3_600_000).contains(&spent), "it took white {spent} ms");
        assert_eq!(snapshot["seq"], 4, "a resumption, and the move");
        assert_eq!(snapshot["game"]["outcome"], Value::Null);
    }

    async fn a_game_without_a_clock_that_nobody_plays_ends_in_the_end(db: Database) {
        let mut server = Server::start_with(db, &[("game.abandoned_days", "10")]).await;
        let mut left = table(&server, Value::Null).await;
        let untouched = table(&server, Value::Null).await;
        left.play_on(0, 2).await;
        server.stop().await;
        server.storage().days_have_passed(9).await;
        server.start_again().await;
        let reader = server.client();
        assert_eq!(reader.game(&left.game).await["outcome"], Value::Null);
        server.stop().await;
        server.storage().days_have_passed(1).await;
        server.start_again().await;
        let abandoned = ended(&reader, &left.game).await;
        assert_eq!((&abandoned["outcome"], &abandoned["termination"]), (&json!("black"), &json!("abandonment")));
        let aborted = ended(&reader, &untouched.game).await;
        assert_eq!((&aborted["outcome"], &aborted["termination"]), (&json!("none"), &json!("aborted")));
    }
}
