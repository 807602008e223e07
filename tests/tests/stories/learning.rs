//! What lessons and puzzles ask of the server.

use manifold_rules::{Game, Variant};
use manifold_tests::{Client, Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

async fn ask(client: &Client, question: Value) -> Value {
    client.post("/api/v1/positions", question).await.expect(StatusCode::OK)
}

async fn attempt(client: &Client, id: &str, line: &[&str]) -> Value {
    client
        .post(&format!("/api/v1/puzzles/{id}"), json!({"line": line}))
        .await
        .expect(StatusCode::OK)
}

on_both_databases! {
    async fn a_lesson_asks_what_is_legal_and_why_not(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let mut game = Game::new(Variant::FourfoldClassic);
        let legal = |game: &Game| json!(game.legal_first_moves().iter().map(ToString::to_string).collect::<Vec<_>>());
        let start = game.fen();
        let about = ask(&client, json!({"variant": "fourfold-classic", "fen": start})).await;
        assert_eq!(about["legal"], legal(&game));
        assert_eq!(about["placement"], start.split(' ').next().unwrap());
        assert_eq!((&about["check"], &about["end"], &about["after"]), (&Value::Null, &Value::Null, &Value::Null));

        // The first move through W, and the position after it.
        let question = json!({"variant": "fourfold-classic", "fen": start, "turn": "a1@00a1@01"});
        let played = ask(&client, question).await;
        let turn = game.parse_turn("a1@00a1@01").unwrap();
        let lan = game.lan(&turn);
        game.play(&turn).unwrap();
        let after = json!({
            "turn": "a1@00a1@01", "lan": lan, "fen": game.fen(), "check": null, "legal": legal(&game), "end": null,
        });
        assert_eq!((&played["after"], &played["legal"]), (&after, &json!([])));
        // A small computer answers, the same each time.
        let question = json!({"variant": "fourfold-classic", "fen": game.fen(), "level": 1});
        let reply = client.post("/api/v1/analysis", question.clone()).await.expect(StatusCode::OK);
        assert!(game.parse_turn(reply["turn"].as_str().unwrap()).is_ok(), "{reply}");
        let again = client.post("/api/v1/analysis", question).await.expect(StatusCode::OK);
        assert_eq!(again["turn"], reply["turn"]);

        let question = json!({"variant": "fourfold", "fen": start, "from": "a1@00", "to": "b1@01"});
        let explained = ask(&client, question).await["explained"].clone();
        assert_eq!((&explained["legal"], &explained["reason"]), (&json!(false), &json!("rook_shape")));
        assert!(explained["detail"].as_str().unwrap().ends_with("X and W."), "{explained}");
        let question = json!({"variant": "fourfold", "fen": start, "from": "a1@00", "to": "a1@01"});
        assert_eq!(
            ask(&client, question).await["explained"],
            json!({"legal": true, "reason": null, "args": {}, "detail": null}),
        );

        // Mate across W is told with the move that gives it.
        let question = json!({
            "variant": "fourfold", "fen": "1k2/4/4/4|4/4/4/2Q1|4/4/2K1/4|4/4/Q3/4 w 0 30", "turn": "a2@11b3@00",
        });
        let mate = ask(&client, question).await["after"].clone();
        assert_eq!(mate["end"], json!({"outcome": "white", "termination": "checkmate"}));
        assert_eq!((&mate["check"], &mate["legal"]), (&json!("b4@00"), &json!([])));
    }

    async fn a_lesson_shows_what_a_piece_reaches(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let rook = ask(&client, json!({"variant": "fourfold", "piece": "R", "square": "b2@00"})).await;
        let moves = json!(["b1@00", "a2@00", "c2@00", "d2@00", "b3@00", "b4@00", "b2@10", "b2@01"]);
        assert_eq!(rook, json!({"moves": moves, "captures": moves}));
        let pawn = ask(&client, json!({"variant": "fourfold", "piece": "p", "square": "b2@00"})).await;
        assert_eq!(pawn, json!({"moves": ["b1@00"], "captures": ["a1@00", "c1@00", "b1@10", "b1@01"]}));
        let knight = ask(&client, json!({"variant": "parallel-worlds", "piece": "N", "square": "a1@2"})).await;
        assert_eq!((knight["moves"].as_array().unwrap().len(), &knight["captures"]), (23, &json!([])));
    }

    async fn whoever_looks_at_a_square_is_told_who_attacks_it(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let fen = "1k2/1Q2/4/4|4/4/4/4|4/4/2K1/4|4/4/4/4 b 1 30";
        let about = ask(&client, json!({"variant": "fourfold", "fen": fen, "square": "b3@00"})).await;
        assert_eq!(about, json!({"attackers": [
            {"square": "b4@00", "piece": "k", "exposes_king": true},
            {"square": "c2@01", "piece": "K", "exposes_king": false},
        ]}));
        // The king is mated by the queen: she guards what it flees to on her lines too, where it hides the squares behind it.
        let about = ask(&client, json!({"variant": "fourfold", "fen": fen, "flights": true})).await;
        let queen = json!({"square": "b3@00", "piece": "Q"});
        assert_eq!((&about["king"], &about["checkers"]), (&json!("b4@00"), &json!([queen])));
        let flights = about["flights"].as_array().unwrap();
        assert_eq!(flights[0], json!({"square": "a3@00", "own": null, "guards": [queen]}));
        let guarded = |flight: &Value| flight["own"].is_null() && flight["guards"] != json!([]);
        assert!(flights.len() == 23 && flights.iter().all(guarded), "{about}");
        // In the middle of a turn, by whatever has moved in it.
        let fen = Game::new(Variant::ParallelWorlds).fen();
        let question = json!({"variant": "parallel-worlds", "fen": fen, "turn": "e2@1e4@1", "square": "d5@1"});
        let about = ask(&client, question).await;
        assert_eq!(about, json!({"attackers": [{"square": "e4@1", "piece": "P", "exposes_king": false}]}));
    }

    async fn a_turn_of_several_moves_is_put_together_without_a_game(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let fen = Game::new(Variant::ParallelWorlds).fen();
        let one = ask(&client, json!({"variant": "parallel-worlds", "fen": fen, "turn": "e2@1e4@1"})).await;
        let legal = one["legal"].as_array().unwrap();
        assert!(legal.contains(&json!("g1@3f3@3")) && !legal.contains(&json!("g1@1f3@1")), "{one}");
        assert_eq!(one["after"]["lan"], "e2@1-e4@1", "the turn may end here");
        let question = json!({
            "variant": "parallel-worlds", "fen": fen, "turn": "e2@1e4@1", "from": "g1@1", "to": "f3@1",
        });
        assert_eq!(ask(&client, question).await["explained"]["reason"], "level_taken");
    }

    async fn questions_about_no_position_are_refused(db: Database) {
        let server = Server::start_with(db, &[("game.variants", "fourfold,parallel-worlds")]).await;
        let client = server.client();
        let fen = Game::new(Variant::Fourfold).fen();
        for (question, status, code) in [
            (json!({}), 400, "bad_request"),
            (json!({"variant": "fourfold"}), 400, "bad_request"),
            (json!({"variant": "chess", "fen": fen}), 400, "bad_request"),
            (json!({"variant": "fourfold-classic", "fen": fen}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "from": "a1@00"}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "piece": "R", "square": "b2@00"}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "square": "b2@1"}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "flights": true}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "flights": true, "square": "b2@00"}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "square": "a1@00", "from": "a1@00", "to": "a2@00"}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "square": "a1@00", "turn": "x"}), 400, "illegal_move"),
            (json!({"variant": "fourfold", "piece": "RR", "square": "b2@00"}), 400, "bad_request"),
            (json!({"variant": "fourfold", "piece": "R", "square": "b2@1"}), 400, "bad_request"),
            (json!({"variant": "fourfold", "piece": "R", "square": "b2@00", "turn": ""}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": "x".repeat(600)}), 422, "bad_position"),
            (json!({"variant": "fourfold", "fen": fen, "turn": "a".repeat(65)}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "from": "a".repeat(17), "to": "b"}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": "nonsense"}), 422, "bad_position"),
            (json!({"variant": "fourfold", "fen": fen, "turn": "a1@00a4@00"}), 400, "illegal_move"),
            (json!({"variant": "fourfold", "fen": fen, "turn": "x"}), 400, "illegal_move"),
        ] {
            client.post("/api/v1/positions", question).await.expect_refusal(status, code);
        }
        let question = json!({"variant": "fourfold", "fen": fen, "level": 9});
        client.post("/api/v1/analysis", question).await.expect_refusal(400, "bad_request");
    }

    async fn whoever_asks_too_much_has_to_wait(db: Database) {
        let server = Server::start_with(db, &[("limits.positions_per_hour", "8")]).await;
        let client = server.client();
        let question = json!({"variant": "fourfold", "piece": "R", "square": "b2@00"});
        for _ in 0..2 {
            ask(&client, question.clone()).await;
        }
        client.post("/api/v1/positions", question).await.expect_refusal(429, "too_many_requests");
        let attempt = client.post("/api/v1/puzzles/m1-01", json!({"line": ["a1@00a2@00"]})).await;
        attempt.expect_refusal(429, "too_many_requests");
    }

    async fn puzzles_are_solved_and_wrong_answers_answered(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let puzzles = client.get("/api/v1/puzzles").await.expect(StatusCode::OK)["puzzles"].clone();
        let puzzles = puzzles.as_array().unwrap();
        assert!(puzzles.len() >= 40, "{}", puzzles.len());
        // One of each kind, whose answer wins.
        for id in ["m1-01", "m2-01", "k1-01", "k2-02"] {
            let listed = puzzles.iter().find(|puzzle| puzzle["id"] == id).unwrap();
            assert!(listed.get("answer").is_none(), "{listed} tells too much");
            let puzzle = client.get(&format!("/api/v1/puzzles/{id}")).await.expect(StatusCode::OK);
            assert_eq!((&puzzle["fen"], &puzzle["moves"]), (&listed["fen"], &listed["moves"]));
            let answer = puzzle["answer"].as_str().unwrap();
            let judged = attempt(&client, id, &[answer]).await;
            assert_eq!(judged["played"]["lan"], puzzle["lan"], "{id}");
            if puzzle["moves"] == 1 {
                assert_eq!((&judged["verdict"], &judged["reply"]), (&json!("solved"), &Value::Null), "{id}");
                continue;
            }
            assert_eq!(judged["verdict"], "right", "{id}: {judged}");
            // The engine knows how it goes on.
            let reply = judged["reply"]["turn"].as_str().unwrap();
            let question = json!({"variant": puzzle["variant"], "fen": judged["reply"]["fen"]});
            let best = client.post("/api/v1/analysis", question).await.expect(StatusCode::OK);
            let last = attempt(&client, id, &[answer, reply, best["turn"].as_str().unwrap()]).await;
            assert_eq!(last["verdict"], "solved", "{id}: {last}");
        }

        // Any other move is wrong, and the reply shows why.
        for id in ["m1-01", "m2-01", "k1-01"] {
            let puzzle = client.get(&format!("/api/v1/puzzles/{id}")).await.expect(StatusCode::OK);
            let question = json!({"variant": puzzle["variant"], "fen": puzzle["fen"]});
            let legal = ask(&client, question).await["legal"].clone();
            let is_other = |turn: &&Value| !puzzle["answer"].as_str().unwrap().starts_with(turn.as_str().unwrap());
            let other = legal.as_array().unwrap().iter().find(is_other).unwrap().as_str().unwrap();
            let judged = attempt(&client, id, &[other]).await;
            assert_eq!(judged["verdict"], "wrong", "{id}: {judged}");
            assert!(judged["reply"]["lan"].is_string() || judged["played"]["end"].is_object(), "{id}: {judged}");
        }
    }

    async fn attempts_that_are_none_are_refused(db: Database) {
        let server = Server::start_with(db, &[("game.variants", "fourfold")]).await;
        let client = server.client();
        let puzzles = client.get("/api/v1/puzzles").await.expect(StatusCode::OK)["puzzles"].clone();
        assert!(puzzles.as_array().unwrap().iter().all(|puzzle| puzzle["variant"] == "fourfold"), "{puzzles}");
        client.get("/api/v1/puzzles/m9-01").await.expect_refusal(404, "not_found");
        for (id, line, status, code) in [
            ("m9-01", json!(["a1@00a2@00"]), 404, "not_found"),
            ("m1-01", json!([]), 400, "bad_request"),
            ("m1-01", json!(["a1@00a2@00", "a1@00a2@00"]), 400, "bad_request"),
            ("m1-01", json!(["a1@00a2@00", "a1@00a2@00", "a1@00a2@00"]), 400, "bad_request"),
            ("m1-01", json!(["x"]), 400, "illegal_move"),
        ] {
            let answer = client.post(&format!("/api/v1/puzzles/{id}"), json!({"line": line})).await;
            answer.expect_refusal(status, code);
        }
        for path in ["/learn", "/learn/reach", "/puzzles", "/puzzles/m1-01"] {
            assert_eq!(client.get(path).await.status, StatusCode::OK, "{path}");
        }
        assert_eq!(client.get("/puzzles/m9-01").await.status, StatusCode::NOT_FOUND);
    }
}
