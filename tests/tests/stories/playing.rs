//! Moves, and how games end by them.

use futures_util::future::join_all;
use manifold_tests::table::{FOURFOLD_MATE, Player, QUICK_WINS, QuickWin, Table};
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

/// A player's rating in one game and speed, as the API shows it.
async fn rating(server: &Server, name: &str) -> Value {
    let profile =
        server.client().get(&format!("/api/v1/players/{name}")).await.expect(StatusCode::OK);
    let ratings = profile["player"]["ratings"].as_array().unwrap().clone();
    assert_eq!(ratings.len(), 1, "{profile}");
    ratings[0].clone()
}

async fn a_win_changes_ratings_once(db: Database, win: &QuickWin) {
    let QuickWin { variant, turns, termination } = *win;
    let server = Server::start(db).await;
    let mut table = Table::rated(&server, variant).await;
    table.play(0, turns).await;
    let ended = table.ended("white", termination).await;

    let (white, black) = (&ended["ratings"]["white"], &ended["ratings"]["black"]);
    assert_eq!((&white["before"], &black["before"]), (&json!(1500), &json!(1500)));
    let gain = white["after"].as_i64().unwrap() - 1500;
    assert!(gain > 50, "a newcomer's first win moves a lot: {ended}");
    assert_eq!(black["after"].as_i64().unwrap(), 1500 - gain, "both were alike");

    let game = server.client().game(&table.game).await;
    assert_eq!((&game["outcome"], &game["termination"]), (&json!("white"), &json!(termination)));
    assert_eq!((&game["ratings"], &game["ended_at"]), (&ended["ratings"], &ended["ended_at"]));
    let moves: Vec<_> = game["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|played| played["move"].as_str().unwrap())
        .collect();
    assert_eq!(moves, turns);
    let last = &game["moves"][turns.len() - 1];
    assert!(last["lan"].as_str().unwrap().ends_with('#'), "{last}");
    assert_eq!(last["check"].is_string(), termination == "checkmate", "{last}");

    for (player, change) in [(&table.white, white), (&table.black, black)] {
        let rating = rating(&server, &player.name).await;
        assert_eq!(rating["rating"].as_f64().unwrap().round(), change["after"].as_f64().unwrap());
        assert_eq!((&rating["variant"], &rating["speed"]), (&json!(variant), &json!("blitz")));
        assert_eq!((&rating["games"], &rating["provisional"]), (&json!(1), &json!(true)));
        assert!(rating["deviation"].as_f64().unwrap() < 500.0);
    }

    // A retry, a late command, a look after it: nothing changes them again.
    let (game, seq) = (table.game.clone(), ended["seq"].as_u64().unwrap());
    table
        .black
        .socket
        .refused(
            json!({"t": "move", "game": game, "ply": turns.len(), "move": "a4@11a3@11"}),
            "game_over",
        )
        .await;
    table.white.socket.refused(json!({"t": "resign", "game": game}), "game_over").await;
    let snapshot = table.white.socket.watch(&game).await;
    assert_eq!((&snapshot["seq"], &snapshot["legal"]), (&json!(seq), &json!([])));
    assert_eq!(snapshot["clock"]["running"], Value::Null);
    assert_eq!(rating(&server, "ada").await["games"], 1);
    assert_eq!(
        table.white.client.get("/api/v1/session").await.expect(StatusCode::OK)["playing"],
        json!([])
    );

    // And the next game starts from them.
    let Table { white, black, .. } = table;
    let table = Table::by_pool(white, black, variant, "3+2", true).await;
    let next = server.client().game(&table.game).await;
    let shown =
        [next["white"]["rating"].as_i64().unwrap(), next["black"]["rating"].as_i64().unwrap()];
    assert!(
        shown == [1500 + gain, 1500 - gain] || shown == [1500 - gain, 1500 + gain],
        "{shown:?}"
    );
}

on_both_databases! {
    async fn mate_from_the_full_start_changes_two_ratings_once(db: Database) {
        a_win_changes_ratings_once(db, &QUICK_WINS[0]).await;
    }

    async fn mate_from_the_classic_start_changes_two_ratings_once(db: Database) {
        a_win_changes_ratings_once(db, &QUICK_WINS[1]).await;
    }

    async fn a_captured_king_changes_two_ratings_once(db: Database) {
        a_win_changes_ratings_once(db, &QUICK_WINS[2]).await;
    }

    async fn a_casual_game_changes_no_rating(db: Database) {
        let server = Server::start(db).await;
        let (ada, bob) = (Player::account(&server, "ada").await, Player::account(&server, "bob").await);
        let mut table = Table::by_pool(ada, bob, "fourfold", "3+2", false).await;
        table.play(0, &FOURFOLD_MATE).await;
        assert_eq!(table.ended("white", "checkmate").await["ratings"], Value::Null);
        let profile = server.client().get("/api/v1/players/ada").await.expect(StatusCode::OK);
        assert_eq!(profile["player"]["ratings"], json!([]));
    }

    async fn a_move_tells_both_the_position_the_clocks_and_what_is_legal(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let snapshot = table.white.socket.watch(&game).await;
        assert_eq!(snapshot["legal"].as_array().unwrap().len(), 48);
        assert_eq!(snapshot["clock"]["running"], Value::Null);
        assert!(snapshot["clock"]["first_move_ms"].as_i64().unwrap() <= 20_000);

        let ack = table.white.socket.play(&game, 0, "c1@00c2@01").await;
        let event = table.black.socket.numbered(&game, ack["seq"].as_u64().unwrap()).await;
        assert_eq!((&event["by"], &event["ply"], &event["kind"]), (&json!("white"), &json!(0), &json!("move")));
        assert_eq!((&event["lan"], &event["check"]), (&json!("Bc1@00-c2@01"), &Value::Null));
        assert_eq!(event["fen"], "4/4/PPPP/RN1Q|4/4/PPPP/KBNR|rnbq/pppp/2B1/4|kbnr/pppp/4/4 b 1 1");
        assert!(event["legal"].as_array().unwrap().contains(&json!("a3@01a2@01")));
        assert_eq!(event["clock"]["white_ms"], 180_000, "the first move costs nothing");
        assert_eq!(event["id"], ack["id"]);
        assert_eq!(table.white.socket.numbered(&game, ack["seq"].as_u64().unwrap()).await, event);
    }

    async fn moves_that_are_refused_change_nothing(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let play = |ply: usize, turn: &str| json!({"t": "move", "game": game, "ply": ply, "move": turn});

        let white = &mut table.white.socket;
        let before = white.watch(&game).await;
        white.refused(play(0, "a1@00a4@00"), "illegal_move").await;
        white.refused(play(0, "a3@01a2@01"), "illegal_move").await;
        white.refused(play(0, "a2@00a2@00"), "illegal_move").await;
        for nonsense in ["", "e2e4", "a1@00", "a1@00a1@02", "a1@00a1@01q", "💥"] {
            let answer = white.ask(play(0, nonsense)).await;
            let code = answer["code"].as_str().unwrap_or_default();
            assert!(["illegal_move", "bad_message"].contains(&code), "{answer}");
        }
        for ply in [1, 2, 500] {
            white.refused(play(ply, "a2@00a3@00"), "stale_ply").await;
            let snapshot = white.wait_for("the snapshot", |m| m["t"] == "snapshot" && m["id"].is_null()).await;
            assert_eq!(snapshot["game"]["moves"], json!([]));
        }
        table.black.socket.refused(play(0, "a3@01a2@01"), "not_your_turn").await;
        let mut guest = Player::guest(&server).await;
        guest.socket.refused(play(0, "a2@00a3@00"), "not_a_player").await;
        let mut stranger = server.client().socket().await;
        stranger.refused(play(0, "a2@00a3@00"), "unauthenticated").await;
        for id in ["0192d3a4-0000-7000-8000-000000000000", "nonsense"] {
            let answer = guest.socket.ask(json!({"t": "resign", "game": id})).await;
            let code = answer["code"].as_str().unwrap_or_default();
            assert!(["not_found", "bad_message"].contains(&code), "{answer}");
        }
        let after = table.white.socket.watch(&game).await;
        assert_eq!((&after["seq"], &after["game"], &after["legal"]), (&before["seq"], &before["game"], &before["legal"]));
        table.play(0, &FOURFOLD_MATE).await;
    }

    async fn a_command_sent_ten_times_happens_once(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let mut tabs = Vec::new();
        for _ in 0..5 {
            tabs.push(table.white.client.socket().await);
        }
        let play = json!({"t": "move", "id": "retry", "game": game, "ply": 0, "move": "a2@00a3@00"});
        // From five tabs at once, and then again.
        for _ in 0..2 {
            let answers = join_all(tabs.iter_mut().map(|tab| tab.done(play.clone()))).await;
            for answer in &answers {
                assert_eq!(answer, &answers[0]);
            }
        }
        let event = table.black.socket.event(&game, "move").await;
        let seq = event["seq"].as_u64().unwrap();
        let heard = table.black.socket.told_by(&game).await;
        assert!(heard.iter().all(|message| message["t"] != "event"), "{heard:?}");
        assert_eq!(server.client().game(&game).await["moves"].as_array().unwrap().len(), 1);

        // The same id for something else.
        let other = json!({"t": "move", "id": "retry", "game": game, "ply": 0, "move": "b2@00b3@00"});
        table.white.socket.refused(other, "id_reused").await;
        table.white.socket.refused(json!({"t": "abort", "id": "retry", "game": game}), "id_reused").await;
        // An id belongs to one player in one game: the opponent may have the same.
        let mine = json!({"t": "move", "id": "retry", "game": game, "ply": 1, "move": "a3@01a2@01"});
        table.black.socket.done(mine).await;
        // A retry after the game went on is still the same answer.
        let late = table.white.socket.done(play).await;
        assert_eq!(late["seq"], seq);
    }

    async fn a_game_nobody_began_is_aborted_by_either(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        table.play(0, &["a2@00a3@00"]).await;
        let game = table.game.clone();
        table.black.socket.refused(json!({"t": "resign", "game": game}), "cannot_resign").await;
        let abort = json!({"t": "abort", "id": "once", "game": game});
        let ack = table.black.socket.done(abort.clone()).await;
        assert_eq!(table.ended("none", "aborted").await["ratings"], Value::Null);
        assert_eq!(table.black.socket.done(abort).await["seq"], ack["seq"], "a retry gets the same answer");
        let profile = server.client().get("/api/v1/players/ada").await.expect(StatusCode::OK);
        assert_eq!(profile["player"]["ratings"], json!([]));

        let Table { white, black, .. } = table;
        let mut table = Table::by_pool(white, black, "fourfold", "3+2", true).await;
        table.play_on(0, 2).await;
        table.white.socket.refused(json!({"t": "abort", "game": table.game}), "cannot_abort").await;
    }

    async fn who_resigns_loses(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        table.play_on(0, 3).await;
        let game = table.game.clone();
        table.white.socket.done(json!({"t": "resign", "game": game})).await;
        let ended = table.ended("black", "resignation").await;
        assert!(ended["ratings"]["white"]["after"].as_i64() < Some(1500));
        assert!(ended["ratings"]["black"]["after"].as_i64() > Some(1500));
    }

    async fn the_third_repetition_is_a_draw(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        let to_and_fro = ["b1@00c3@00", "b4@01c2@01", "c3@00b1@00", "c2@01b4@01"];
        table.play(0, &to_and_fro).await;
        table.play(4, &to_and_fro).await;
        let ended = table.ended("draw", "repetition").await;
        assert_eq!(ended["ratings"]["white"], json!({"before": 1500, "after": 1500}));
    }
}
