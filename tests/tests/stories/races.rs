//! What crosses on its way: moves and flags, moves and aborts, a lost line and an answer. Whatever comes first, everyone
//! sees the same.

use std::time::{Duration, Instant};

use manifold_tests::table::{Table, long_game};
use manifold_tests::{Database, Server, Socket, on_both_databases};
use serde_json::{Value, json};

/// What must be the same, however somebody came to know it.
fn picture(snapshot: &Value) -> Value {
    let game = &snapshot["game"];
    let keys = ["moves", "outcome", "termination", "ended_at", "start_fen"];
    let shown: Vec<_> = keys.iter().map(|key| game[key].clone()).collect();
    json!([
        shown,
        snapshot["legal"],
        snapshot["seq"],
        snapshot["draw_offer"],
        snapshot["takeback_offer"]
    ])
}

/// Talks to the server until the moment has come.
async fn pass_time(socket: &mut Socket, until: Instant) {
    while Instant::now() < until {
        socket.ask(json!({"t": "ping"})).await;
    }
}

on_both_databases! {
    async fn case_04_a_move_at_zero_and_the_flag_have_one_order(db: Database) {
        let server = Server::start(db).await;
        let mut played = 0;
        const ROUNDS: u64 = 9;
        for round in 0..ROUNDS {
            let mut table = Table::by_challenge(&server, "fourfold", Some((1_000, 0))).await;
            let game = table.game.clone();
            table.play_on(0, 3).await;
            let began = Instant::now();
            // Around zero, a millisecond or two this side or that of it.
            pass_time(&mut table.black.socket, began + Duration::from_millis(994 + 2 * round)).await;
            let play = json!({"t": "move", "game": game, "ply": 3, "move": long_game()[3]});
            let answer = table.black.socket.ask(play).await;
            let moves = if answer["t"] == "ack" {
                played += 1;
                4
            } else {
                assert!(answer["code"] == "too_late" || answer["code"] == "game_over", "{answer}");
                table.ended("white", "timeout").await;
                3
            };
            let shown = server.client().game(&game).await;
            assert_eq!(shown["moves"].as_array().unwrap().len(), moves, "{answer}: {shown}");
            let spent = shown["moves"][moves - 1]["spent_ms"].as_i64().unwrap();
            let given = shown["moves"][moves - 1]["compensated_ms"].as_i64().unwrap();
            assert!(moves == 3 || spent - given < 1_000, "{shown}");
            if moves == 4 {
                assert_eq!(shown["outcome"], Value::Null, "it goes on, or ends by White's clock");
            }
        }
        assert!(played < ROUNDS, "some were too late");
    }

    async fn case_05_a_line_lost_between_commit_and_answer_loses_and_doubles_nothing(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        for ply in 0..12 {
            let id = format!("move-{ply}");
            let play = json!({"t": "move", "id": id, "game": game, "ply": ply, "move": long_game()[ply]});
            let seen = table.mover(ply).socket.watch(&game).await["seq"].clone();
            // Sent, and gone before any answer.
            table.mover(ply).socket.send(&play).await;
            let again = table.mover(ply).client.socket().await;
            drop(std::mem::replace(&mut table.mover(ply).socket, again));
            // Whoever comes back sends what was not acknowledged again, and asks what was missed.
            let mover = &mut table.mover(ply).socket;
            let ack = mover.done(play.clone()).await;
            let replay = mover.ask(json!({"t": "watch", "game": game, "seen": seen})).await;
            let told: Vec<_> = replay["events"].as_array().unwrap().iter().map(|event| (&event["kind"], &event["ply"])).collect();
            assert_eq!(told, [(&json!("move"), &json!(ply))], "{replay}");
            assert_eq!(replay["events"][0]["seq"], ack["seq"]);
            assert_eq!(mover.done(play).await["seq"], ack["seq"]);
            let mine = picture(&table.white.socket.watch(&game).await);
            assert_eq!(mine, picture(&table.black.socket.watch(&game).await));
            assert_eq!(mine[0][0].as_array().unwrap().len(), ply + 1);
        }
    }

    async fn case_06_a_premove_fires_at_its_ply_or_never(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        table.play_on(0, 2).await;
        let at = |ply: usize, turn: &str| json!({"t": "move", "game": game, "ply": ply, "move": turn});
        // Too early: the turn that it answers has not been played.
        let early = at(3, long_game()[3]);
        table.black.socket.refused(early.clone(), "stale_ply").await;
        table.black.socket.wait("snapshot").await;
        table.play_on(2, 1).await;
        assert_eq!(table.white.socket.watch(&game).await["game"]["moves"].as_array().unwrap().len(), 3, "it was not kept");
        // A move is made by hand after all, and the one made ahead comes two plies late.
        table.play_on(3, 2).await;
        table.black.socket.refused(early, "stale_ply").await;
        let resync = table.black.socket.wait("snapshot").await;
        assert_eq!(resync["game"]["moves"].as_array().unwrap().len(), 5);
        // Nor does it come in the place of a move that was taken back.
        let offer = table.white.socket.done(json!({"t": "offer_takeback", "game": game})).await["seq"].clone();
        table.black.socket.done(json!({"t": "accept_takeback", "game": game, "offer": offer})).await;
        table.black.socket.refused(at(5, long_game()[5]), "stale_ply").await;
        assert_eq!(table.white.socket.watch(&game).await["game"]["moves"].as_array().unwrap().len(), 4);
    }

    async fn case_12_an_abort_and_the_second_move_have_one_order(db: Database) {
        let server = Server::start(db).await;
        let (mut aborted, mut begun) = (0, 0);
        for _ in 0..10 {
            let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
            let game = table.game.clone();
            table.play_on(0, 1).await;
            let abort = json!({"t": "abort", "game": game});
            let play = json!({"t": "move", "game": game, "ply": 1, "move": long_game()[1]});
            let (abort, play) = tokio::join!(table.white.socket.ask(abort), table.black.socket.ask(play));
            let shown = server.client().game(&game).await;
            let moves = shown["moves"].as_array().unwrap().len();
            if abort["t"] == "ack" {
                aborted += 1;
                assert_eq!((&play["code"], &shown["termination"], moves), (&json!("game_over"), &json!("aborted"), 1));
            } else {
                begun += 1;
                assert_eq!((&abort["code"], &play["t"]), (&json!("cannot_abort"), &json!("ack")));
                assert_eq!((&shown["termination"], moves), (&Value::Null, 2));
            }
        }
        assert_eq!(aborted + begun, 10);
    }

    async fn case_12_time_aborts_no_game_that_both_have_begun(db: Database) {
        let server = Server::start_with(db, &[("game.first_move_bullet_ms", "500")]).await;
        for round in 0..6 {
            let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
            let game = table.game.clone();
            table.play_on(0, 1).await;
            let began = Instant::now();
            pass_time(&mut table.black.socket, began + Duration::from_millis(494 + 3 * round)).await;
            let play = json!({"t": "move", "game": game, "ply": 1, "move": long_game()[1]});
            let answer = table.black.socket.ask(play).await;
            if answer["t"] == "ack" {
                // The timer that was set for it finds the game begun.
                pass_time(&mut table.black.socket, began + Duration::from_millis(700)).await;
                let shown = server.client().game(&game).await;
                assert_eq!((&shown["termination"], shown["moves"].as_array().unwrap().len()), (&Value::Null, 2));
            } else {
                assert!(answer["code"] == "too_late" || answer["code"] == "game_over", "{answer}");
                table.ended("none", "aborted").await;
            }
        }
    }
}
