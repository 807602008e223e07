//! The computer: as an opponent in every game, and as an adviser.

use std::time::Duration;

use futures_util::future::join_all;
use manifold_rules::{Game, Variant};
use manifold_tests::client::time_json;
use manifold_tests::table::{FOURFOLD_MATE, Player, QUICK_WINS, Table};
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

const BLITZ: Option<(u64, u64)> = Some((180_000, 2_000));

/// A game against the computer has begun; its id.
async fn begin(
    player: &Player,
    variant: &str,
    level: u8,
    color: &str,
    time: Option<(u64, u64)>,
) -> String {
    let body = json!({"variant": variant, "level": level, "color": color, "time": time_json(time)});
    let answer = player.client.post("/api/v1/games", body).await;
    let location = answer.headers.get("location").cloned();
    let seated = answer.expect(StatusCode::CREATED);
    assert!(color == "random" || seated["color"] == color, "{seated}");
    let game = seated["game"].as_str().unwrap().to_owned();
    assert_eq!(location.unwrap().to_str().unwrap(), format!("/api/v1/games/{game}"));
    game
}

/// Waits for the computer's move with this ply.
async fn reply(player: &mut Player, game: &str, ply: usize) -> Value {
    let is_it = |m: &Value| {
        m["t"] == "event" && m["game"] == game && m["kind"] == "move" && m["ply"] == ply
    };
    player.socket.wait_for("the computer's move", is_it).await
}

/// What of a rated or casual game the computer could be asked.
fn of_game(game: &str, ply: usize) -> Value {
    json!({"game": game, "ply": ply, "time_ms": 1000})
}

/// Four moves of White's, whichever comes first in the list, and the computer's answers in time.
async fn exchange_moves(ada: &mut Player, game: &str) {
    for ply in [0, 2, 4, 6] {
        let legal = ada.socket.watch(game).await["legal"].clone();
        if legal == json!([]) {
            // It can win in less.
            break;
        }
        ada.socket.play(game, ply, legal[0].as_str().unwrap()).await;
        let event = reply(ada, game, ply + 1).await;
        assert!(event["clock"]["black_ms"].as_i64().unwrap() > 0, "{event}");
    }
}

on_both_databases! {
    async fn a_game_that_is_asked_for_again_is_the_same_game(db: Database) {
        let mut server = Server::start(db).await;
        let ada = Player::account(&server, "ada").await;
        let bob = Player::account(&server, "bob").await;
        let asked = json!({"variant": "fourfold", "level": 1, "color": "random", "time": time_json(BLITZ), "id": "g-1"});
        // Five at once, as from a page whose answers do not arrive.
        let answers = join_all((0..5).map(|_| ada.client.post("/api/v1/games", asked.clone()))).await;
        let first = answers[0].expect(StatusCode::CREATED);
        for answer in &answers {
            assert_eq!(answer.expect(StatusCode::CREATED), first);
        }
        let games = "SELECT count(*) FROM games";
        assert_eq!(server.storage().count(games).await.expect("it answers"), 1);
        for (key, value) in [("level", json!(2)), ("color", json!("white")), ("variant", json!("parallel-worlds")), ("time", json!(null))] {
            let mut other = asked.clone();
            other[key] = value;
            ada.client.post("/api/v1/games", other).await.expect_refusal(409, "id_reused");
        }
        // Another player's id is another.
        assert_ne!(bob.client.post("/api/v1/games", asked.clone()).await.expect(StatusCode::CREATED)["game"], first["game"]);
        server.kill9().await;
        server.start_again().await;
        assert_eq!(ada.client.post("/api/v1/games", asked).await.expect(StatusCode::CREATED), first);
        assert_eq!(server.storage().count(games).await.expect("it answers"), 2);
    }

    async fn it_answers_in_every_game_with_either_color(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut guest = Player::guest(&server).await;
        for win in &QUICK_WINS {
            let game = begin(&ada, win.variant, 1, "white", BLITZ).await;
            let snapshot = ada.socket.watch(&game).await;
            let shown = &snapshot["game"];
            assert_eq!((&shown["rated"], &snapshot["you"]), (&json!(false), &json!("white")));
            let seat = json!({"name": "Point (level 1)", "kind": "computer", "level": 1, "rating": null, "provisional": false});
            assert_eq!(shown["black"], seat);
            ada.socket.play(&game, 0, win.turns[0]).await;
            let event = reply(&mut ada, &game, 1).await;
            assert_eq!((&event["by"], &event["id"]), (&json!("black"), &json!("move-1")));
            ada.socket.refused(json!({"t": "abort", "game": game}), "cannot_abort").await;
            ada.socket.done(json!({"t": "resign", "game": game})).await;

            let game = begin(&guest, win.variant, 5, "black", None).await;
            guest.socket.watch(&game).await;
            let first = match server.client().game(&game).await["moves"].as_array().unwrap().first() {
                Some(played) => played.clone(),
                None => reply(&mut guest, &game, 0).await,
            };
            assert!(first["lan"].is_string(), "{first}");
        }
        let profile = server.client().get("/api/v1/players/ada").await.expect(StatusCode::OK);
        assert_eq!(profile["player"]["ratings"], json!([]), "never rated");
        let computer = server.client().get("/api/v1/players/Point%20(level%201)").await.expect(StatusCode::OK);
        assert_eq!((&computer["player"]["kind"], &computer["player"]["level"]), (&json!("computer"), &json!(1)));
    }

    async fn a_whole_game_against_it_ends_by_the_rules_or_by_its_resigning(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let game = begin(&ada, "fourfold-classic", 1, "white", None).await;
        let mut snapshot = ada.socket.watch(&game).await;
        // An engine plays Ada's moves, without thinking long.
        let mut mine = Game::new(Variant::FourfoldClassic);
        for _ in 0..60 {
            let ply = mine.ply();
            let question = json!({"variant": "fourfold-classic", "fen": mine.fen(), "time_ms": 40});
            let advice = ada.client.post("/api/v1/analysis", question).await.expect(StatusCode::OK);
            let turn = advice["turn"].as_str().unwrap().to_owned();
            ada.socket.play(&game, ply, &turn).await;
            mine.play(&mine.parse_turn(&turn).unwrap()).unwrap();
            if mine.end().is_some() {
                break;
            }
            let event = reply(&mut ada, &game, ply + 1).await;
            mine.play(&mine.parse_turn(event["move"].as_str().unwrap()).unwrap()).unwrap();
            if mine.end().is_some() {
                break;
            }
        }
        assert!(mine.end().is_some(), "thirty moves are enough against the weakest: {}", mine.fen());
        snapshot = ada.socket.ask(json!({"t": "watch", "game": game, "seen": snapshot["seq"]})).await;
        let last = snapshot["events"].as_array().unwrap().last().unwrap();
        assert_eq!(last["kind"], "ended", "{last}");
    }

    async fn it_goes_on_after_the_server_was_killed(db: Database) {
        let mut server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let timed = begin(&ada, "fourfold", 2, "white", BLITZ).await;
        let untimed = begin(&ada, "parallel-worlds", 2, "white", None).await;
        let turns = [QUICK_WINS[0].turns[0], QUICK_WINS[2].turns[0]];
        for (game, turn) in [&timed, &untimed].into_iter().zip(turns) {
            ada.socket.watch(game).await;
            // The moment of the kill may lie before its answer or after it.
            ada.socket.play(game, 0, turn).await;
        }
        server.kill9().await;
        server.start_again().await;
        ada.socket = ada.client.socket().await;
        for game in [&timed, &untimed] {
            let snapshot = ada.socket.watch(game).await;
            if snapshot["game"]["moves"].as_array().unwrap().len() == 1 {
                reply(&mut ada, game, 1).await;
            }
            let moves = server.client().game(game).await["moves"].clone();
            assert_eq!(moves.as_array().unwrap().len(), 2, "one answer, not two: {moves}");
        }
    }

    async fn whenever_the_server_is_killed_each_move_is_there_once(db: Database) {
        let mut server = Server::start_with(db, &[("computer.move_ms", "30")]).await;
        let mut ada = Player::account(&server, "ada").await;
        let game = begin(&ada, "parallel-worlds", 3, "white", None).await;
        let mut ply = 0;
        // From before it thinks until after its move is there.
        for moment in [0, 10, 20, 30, 40, 60, 100] {
            let legal = ada.socket.watch(&game).await["legal"].clone();
            let Some(turn) = legal.get(ply) else { break };
            ada.socket.play(&game, ply, turn.as_str().unwrap()).await;
            let moment = Duration::from_millis(moment);
            let seen = tokio::time::timeout(moment, reply(&mut ada, &game, ply + 1)).await.ok();
            server.kill9().await;
            server.start_again().await;
            ada.socket = ada.client.socket().await;
            let snapshot = ada.socket.watch(&game).await;
            if snapshot["game"]["moves"].as_array().unwrap().len() == ply + 1 {
                assert_eq!(seen, None, "what was told is there");
                reply(&mut ada, &game, ply + 1).await;
            }
            ply += 2;
            let replay = ada.socket.ask(json!({"t": "watch", "game": game, "seen": 0})).await;
            let mut moves = replay["events"].as_array().unwrap().iter().filter(|event| event["kind"] == "move");
            let plies: Vec<_> = moves.clone().map(|event| event["ply"].as_u64().unwrap()).collect();
            assert_eq!(plies, (0..ply as u64).collect::<Vec<_>>(), "each once: {replay}");
            if let Some(seen) = seen {
                assert_eq!(moves.next_back().unwrap()["move"], seen["move"]);
            }
        }
        assert!(ply >= 8, "the game was over too soon to show anything");
    }

    async fn it_never_loses_on_time_and_stops_with_the_server(db: Database) {
        let mut server = Server::start_with(db, &[("computer.move_ms", "60000")]).await;
        let mut ada = Player::account(&server, "ada").await;
        let game = begin(&ada, "fourfold", 8, "white", Some((2_000, 0))).await;
        ada.socket.watch(&game).await;
        exchange_moves(&mut ada, &game).await;
        assert_ne!(server.client().game(&game).await["termination"], "timeout");
        // It thinks about this one for as long as it may, if nobody stops it.
        let game = begin(&ada, "fourfold", 8, "black", None).await;
        ada.socket.watch(&game).await;
        server.stop().await;
    }

    async fn a_clock_never_waits_for_advice_or_for_a_game_without_one(db: Database) {
        let settings = [("computer.analysis_queue", "4"), ("computer.move_ms", "60000")];
        let server = Server::start_with(db, &settings).await;
        let mut ada = Player::account(&server, "ada").await;
        // Whoever asks gets its answer, or is told to come back; four ask without a pause.
        let fen = Game::new(Variant::Fourfold).fen();
        let mut askers = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let client = server.client();
            let question = json!({"variant": "fourfold", "fen": fen, "time_ms": 3000});
            askers.spawn(async move {
                loop {
                    client.post("/api/v1/analysis", question.clone()).await.expect(StatusCode::OK);
                }
            });
        }
        // And one game is thought about for a minute, if nobody else needs the thread.
        let long = begin(&ada, "fourfold", 8, "black", None).await;
        let game = begin(&ada, "fourfold", 8, "white", Some((2_000, 0))).await;
        ada.socket.watch(&game).await;
        exchange_moves(&mut ada, &game).await;
        assert_ne!(server.client().game(&game).await["termination"], "timeout");
        // The other was cut short and not forgotten.
        let moves = server.client().game(&long).await["moves"].clone();
        assert_eq!(moves.as_array().unwrap().len(), 1, "{moves}");
        askers.shutdown().await;
    }

    async fn a_draw_too_early_is_declined_by_its_move(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let game = begin(&ada, "fourfold", 3, "white", BLITZ).await;
        ada.socket.watch(&game).await;
        ada.socket.done(json!({"t": "offer_draw", "game": game})).await;
        ada.socket.play(&game, 0, FOURFOLD_MATE[0]).await;
        reply(&mut ada, &game, 1).await;
        let snapshot = ada.socket.watch(&game).await;
        assert_eq!((&snapshot["draw_offer"], &snapshot["game"]["outcome"]), (&Value::Null, &Value::Null));
    }

    async fn games_against_it_are_bounded_and_well_formed(db: Database) {
        let server = Server::start_with(db, &[("computer.games_per_player", "2")]).await;
        let levels = server.client().get("/api/v1/computers").await.expect(StatusCode::OK);
        let levels = levels["computers"].as_array().unwrap();
        assert_eq!((levels.len(), &levels[3]), (8, &json!({"level": 4, "name": "Cube"})));
        let mut ada = Player::account(&server, "ada").await;
        let good = json!({"variant": "fourfold", "level": 1, "color": "random", "time": null});
        server.client().post("/api/v1/games", good.clone()).await.expect_refusal(401, "unauthenticated");
        for (key, value) in [
            ("variant", json!("chess")),
            ("color", json!("red")),
            ("level", json!(0)),
            ("level", json!(9)),
            ("level", json!("strong")),
            ("time", json!({"base_ms": 1, "increment_ms": 0})),
            ("rated", json!(true)),
        ] {
            let mut body = good.clone();
            body[key] = value;
            ada.client.post("/api/v1/games", body).await.expect_refusal(400, "bad_request");
        }
        let first = begin(&ada, "fourfold", 1, "random", None).await;
        begin(&ada, "fourfold", 1, "random", BLITZ).await;
        ada.client.post("/api/v1/games", good.clone()).await.expect_refusal(429, "too_many_games");
        ada.socket.watch(&first).await;
        ada.socket.done(json!({"t": "abort", "game": first})).await;
        begin(&ada, "fourfold", 1, "random", None).await;
        // Nobody is the computer.
        let body = json!({"name": "Cube (level 4)", "password": manifold_tests::PASSWORD});
        server.client().post("/api/v1/accounts", body.clone()).await.expect_refusal(400, "invalid_name");
        server.client().post("/api/v1/session", body).await.expect_refusal(401, "wrong_credentials");
    }

    async fn games_against_it_are_bounded_in_all(db: Database) {
        let server = Server::start_with(db, &[("computer.games", "2")]).await;
        let mut ada = Player::account(&server, "ada").await;
        let (bob, cleo) = (Player::guest(&server).await, Player::guest(&server).await);
        let first = begin(&ada, "fourfold", 1, "white", None).await;
        begin(&bob, "parallel-worlds", 2, "black", BLITZ).await;
        let asked = json!({"variant": "fourfold", "level": 1, "color": "random", "time": null, "id": "one"});
        for player in [&ada, &cleo] {
            let refused = player.client.post("/api/v1/games", asked.clone()).await;
            refused.expect_refusal(503, "computer_busy");
            assert!(refused.headers.contains_key("retry-after"), "{:?}", refused.headers);
        }
        // People need no computer, and a place that is free is taken.
        Table::casual(&server).await;
        ada.socket.watch(&first).await;
        ada.socket.done(json!({"t": "abort", "game": first})).await;
        let made = cleo.client.post("/api/v1/games", asked.clone()).await.expect(StatusCode::CREATED);
        // It is full again; a retry is no other game.
        assert_eq!(cleo.client.post("/api/v1/games", asked).await.expect(StatusCode::CREATED), made);
    }

    async fn without_threads_there_is_no_computer(db: Database) {
        let server = Server::start_with(db, &[("computer.threads", "0")]).await;
        let ada = Player::account(&server, "ada").await;
        let levels = ada.client.get("/api/v1/computers").await.expect(StatusCode::OK);
        assert_eq!(levels, json!({"computers": []}));
        let game = json!({"variant": "fourfold", "level": 1, "color": "random", "time": null});
        ada.client.post("/api/v1/games", game).await.expect_refusal(409, "no_computer");
        let question = json!({"variant": "fourfold", "fen": Game::new(Variant::Fourfold).fen()});
        ada.client.post("/api/v1/analysis", question).await.expect_refusal(409, "no_computer");
    }

    async fn a_position_is_analysed(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        for (variant, fen) in [
            // White mates across W, and a king can be captured.
            (Variant::Fourfold, "4/4/4/K3|4/4/4/4|r3/1QR1/4/4|3k/4/4/4 w 0 1"),
            (Variant::ParallelWorlds, "4k3/8/8/8/8/8/8/4R1K1|8/8/8/8/8/8/8/8|4k3/8/8/8/8/8/8/6K1 w -|- - 0 1"),
        ] {
            let question = json!({"variant": variant.as_str(), "fen": fen, "time_ms": 200});
            let found = client.post("/api/v1/analysis", question).await.expect(StatusCode::OK);
            assert_eq!((&found["score"], &found["fen"]), (&json!({"mate_in": 1}), &json!(fen)), "{found}");
            assert!(found["lan"].as_str().unwrap().ends_with('#'), "{found}");
            assert_eq!(found["line"], json!([{"move": found["turn"], "lan": found["lan"]}]));
            assert!(found["nodes"].is_u64() && found["depth"].is_u64(), "{found}");
        }
    }

    async fn positions_that_are_not_analysed(db: Database) {
        let server = Server::start_with(db, &[("computer.max_analysis_ms", "1000")]).await;
        let client = server.client();
        let fen = Game::new(Variant::Fourfold).fen();
        let ask = |question: Value| client.post("/api/v1/analysis", question);
        for (question, status, code) in [
            (json!({}), 400, "bad_request"),
            (json!({"fen": fen}), 400, "bad_request"),
            (json!({"variant": "chess", "fen": fen}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "ply": 0}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "time_ms": 0}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": fen, "time_ms": 1001}), 400, "bad_request"),
            (json!({"variant": "fourfold", "fen": "x".repeat(5000)}), 422, "bad_position"),
            (json!({"variant": "fourfold", "fen": "x".repeat(50_000)}), 413, "payload_too_large"),
            (json!({"variant": "fourfold", "fen": "nonsense"}), 422, "bad_position"),
            (json!({"variant": "fourfold", "fen": "4/4/4/K3|4/4/4/4|4/4/4/4|3k/4/4/4 w 0 1"}), 422, "bad_position"),
            (of_game("0192d3a4-0000-7000-8000-000000000000", 0), 404, "not_found"),
        ] {
            ask(question).await.expect_refusal(status, code);
        }
        let mut table = Table::rated(&server, "fourfold").await;
        table.play(0, &FOURFOLD_MATE[..2]).await;
        ask(of_game(&table.game, 1)).await.expect_refusal(409, "game_under_way");
        table.play(2, &FOURFOLD_MATE[2..]).await;
        table.ended("white", "checkmate").await;
        ask(of_game(&table.game, 3)).await.expect_refusal(422, "bad_position");
        ask(of_game(&table.game, 4)).await.expect_refusal(400, "bad_request");
        let before_mate = ask(of_game(&table.game, 2)).await.expect(StatusCode::OK);
        assert_eq!(before_mate["score"], json!({"mate_in": 1}), "{before_mate}");
    }

    async fn advice_is_refused_as_busy_when_its_places_are_taken(db: Database) {
        let settings = [("computer.analysis_queue", "1"), ("computer.max_analysis_ms", "15000")];
        let server = Server::start_with(db, &settings).await;
        let client = server.client();
        let fen = Game::new(Variant::Fourfold).fen();
        let question = json!({"variant": "fourfold", "fen": fen, "time_ms": 15_000});
        // One is thought about, one waits, and whoever comes then is refused.
        let mut asked = tokio::task::JoinSet::new();
        for _ in 0..3 {
            let (client, question) = (server.client(), question.clone());
            asked.spawn(async move { client.post("/api/v1/analysis", question).await });
        }
        let refused = asked.join_next().await.unwrap().unwrap();
        refused.expect_refusal(503, "busy");
        assert!(refused.headers.contains_key("retry-after"), "{:?}", refused.headers);
        // Whoever goes away gives its place up.
        asked.shutdown().await;
        let brief = json!({"variant": "fourfold", "fen": fen, "time_ms": 20});
        loop {
            let answer = client.post("/api/v1/analysis", brief.clone()).await;
            if answer.status == StatusCode::OK {
                break;
            }
            // The server may not have heard of it yet.
            answer.expect_refusal(503, "busy");
        }
    }

    async fn analysis_is_refused_when_too_many_want_it(db: Database) {
        let limits = [("limits.analyses_per_hour", "8"), ("computer.analysis_queue", "1")];
        let server = Server::start_with(db, &limits).await;
        let client = server.client();
        let fen = Game::new(Variant::Fourfold).fen();
        let question = json!({"variant": "fourfold", "fen": fen, "time_ms": 20});
        for _ in 0..2 {
            client.post("/api/v1/analysis", question.clone()).await.expect(StatusCode::OK);
        }
        client.post("/api/v1/analysis", question).await.expect_refusal(429, "too_many_requests");
    }
}
