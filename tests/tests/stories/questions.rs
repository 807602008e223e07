//! What may be asked about the turn that somebody is putting together.

use manifold_tests::table::{FOURFOLD_MATE, PARALLEL_CAPTURE, Table};
use manifold_tests::{Database, Server, on_both_databases};
use serde_json::{Value, json};

/// The first field of a FEN.
fn placement(fen: &Value) -> &str {
    fen.as_str().and_then(|fen| fen.split(' ').next()).unwrap()
}

on_both_databases! {
    async fn a_turn_of_several_moves_is_put_together_by_asking(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "parallel-worlds", Some((600_000, 0))).await;
        let game = table.game.clone();
        let white = &mut table.white.socket;
        let snapshot = white.watch(&game).await;
        let ask = |turn: &str| json!({"t": "legal", "game": game, "ply": 0, "turn": turn});

        let none_yet = white.ask(ask("")).await;
        assert_eq!(none_yet["legal"], snapshot["legal"]);
        assert_eq!(none_yet["placement"], placement(&snapshot["game"]["start_fen"]));

        let command = json!({"t": "legal", "id": "7", "game": game, "ply": 0, "turn": "e2@1e4@1"});
        let one = white.ask(command).await;
        let boards = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR|8/8/8/8/8/8/8/8|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let legal = one["legal"].as_array().unwrap().clone();
        let expected = json!({"t": "legal", "id": "7", "game": game, "ply": 0, "turn": "e2@1e4@1", "placement": boards, "legal": legal});
        assert_eq!(one, expected);
        assert!(legal.contains(&json!("g1@3f3@3")) && legal.contains(&json!("d1@1d1@2")));
        assert!(legal.iter().all(|single| !single.as_str().unwrap().ends_with("@1")), "level 1 is taken: {one}");

        let full = white.ask(ask(PARALLEL_CAPTURE[0])).await;
        assert_eq!(full["legal"], json!([]), "White's first turn has two moves");

        // Asking is no playing.
        assert_eq!(white.watch(&game).await["game"], snapshot["game"]);
        table.play(0, &PARALLEL_CAPTURE[..1]).await;
        assert_eq!(full["placement"], placement(&server.client().game(&game).await["moves"][0]["fen"]));
    }

    async fn a_newcomer_is_told_what_is_wrong_with_a_move(db: Database) {
        let server = Server::start(db).await;
        let mut worlds = Table::by_challenge(&server, "parallel-worlds", Some((600_000, 0))).await;
        let game = worlds.game.clone();
        let command = json!({
            "t": "explain", "id": "8", "game": game, "ply": 0, "turn": "d2@3d4@3", "from": "g1@3", "to": "f3@3",
        });
        let expected = json!({
            "t": "explained", "id": "8", "game": game, "ply": 0, "turn": "d2@3d4@3", "from": "g1@3", "to": "f3@3",
            "legal": false, "reason": "level_taken", "args": {"level": "3"},
            "detail": "A move of this turn has already ended on level 3.",
        });
        assert_eq!(worlds.black.socket.ask(command).await, expected, "the opponent may ask as well");

        let table = Table::casual(&server).await;
        let mut stranger = server.client().socket().await;
        let mut explain = async |from: &str, to: &str| {
            stranger
                .ask(json!({"t": "explain", "game": table.game, "ply": 0, "turn": "", "from": from, "to": to}))
                .await
        };
        let blocked = explain("a1@00", "a3@00").await;
        assert_eq!((&blocked["legal"], &blocked["reason"]), (&json!(false), &json!("blocked")));
        assert_eq!(blocked["args"], json!({"role": "pawn", "square": "a2[0,0]"}));
        assert_eq!(blocked["detail"], "The pawn on a2[0,0] is in the way.");
        let legal = explain("d1@00", "d1@11").await;
        assert_eq!((&legal["legal"], &legal["reason"]), (&json!(true), &Value::Null));
        assert_eq!((&legal["args"], &legal["detail"]), (&json!({}), &Value::Null));
        assert_eq!(explain("d1@00", "e4").await["reason"], "malformed");
    }

    async fn questions_that_have_no_answer_are_refused(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let legal = |ply: usize, turn: &str| json!({"t": "legal", "game": game, "ply": ply, "turn": turn});
        let explain = |ply: usize, turn: &str| {
            json!({"t": "explain", "game": game, "ply": ply, "turn": turn, "from": "a1@00", "to": "a2@00"})
        };
        let mut stranger = server.client().socket().await;
        for question in [legal(1, ""), explain(1, "")] {
            stranger.refused(question, "stale_ply").await;
        }
        // A stranger does not get a whole game for each question.
        assert_eq!(stranger.told_by(&game).await, Vec::<Value>::new());
        let long = "a2@00a3@00".repeat(500);
        for turn in ["a1@00a4@00", "e2@1e4@1", "x", &long] {
            stranger.refused(legal(0, turn), "illegal_move").await;
            stranger.refused(explain(0, turn), "illegal_move").await;
        }
        stranger.refused(json!({"t": "legal", "game": game, "ply": 0}), "bad_message").await;
        let nowhere = "0192d3a4-0000-7000-8000-000000000000";
        stranger.refused(json!({"t": "legal", "game": nowhere, "ply": 0, "turn": ""}), "not_found").await;

        let whole = stranger.ask(legal(0, FOURFOLD_MATE[0])).await;
        assert_eq!(whole["legal"], json!([]), "a turn is a single move here");
        assert_eq!(stranger.ask(explain(0, FOURFOLD_MATE[0])).await["reason"], "single_move");
        table.play(0, &FOURFOLD_MATE).await;
        table.ended("white", "checkmate").await;
        stranger.refused(legal(3, ""), "game_over").await;
        stranger.refused(explain(3, ""), "game_over").await;
    }
}
