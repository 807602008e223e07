//! Moves that are taken back.

use manifold_tests::table::{Table, long_game};
use manifold_tests::{Database, Server, on_both_databases};
use serde_json::{Value, json};

/// White or Black asks and the other agrees; both see it. The event.
async fn take_back(table: &mut Table, white_asks: bool) -> Value {
    let game = table.game.clone();
    let (asker, other) = if white_asks {
        (&mut table.white, &mut table.black)
    } else {
        (&mut table.black, &mut table.white)
    };
    let offer =
        asker.socket.done(json!({"t": "offer_takeback", "game": game})).await["seq"].clone();
    let heard = other.socket.event(&game, "takeback_offered").await;
    assert_eq!(heard["seq"], offer);
    let snapshot = other.socket.watch(&game).await;
    assert_eq!(snapshot["takeback_offer"], json!({"by": heard["by"], "offer": offer}));
    let accept = json!({"t": "accept_takeback", "game": game, "offer": offer});
    other.socket.done(accept).await;
    let event = asker.socket.event(&game, "taken_back").await;
    assert_eq!(other.socket.event(&game, "taken_back").await, event);
    assert_eq!(event["offer"], offer);
    event
}

/// What must be the same for everyone, however they came to know it.
fn picture(snapshot: &Value) -> [&Value; 4] {
    let game = &snapshot["game"];
    [&game["moves"], &snapshot["legal"], &snapshot["takeback_offer"], &snapshot["seq"]]
}

on_both_databases! {
    async fn case_10_a_game_taken_back_to_its_start_goes_on_after_a_restart_too(db: Database) {
        let mut server = Server::start_with(db, &[("game.first_move_bullet_ms", "60000")]).await;
        // White takes its only move back; Black its only one, to which White's stays.
        for plies in [1, 2] {
            let mut table = Table::by_challenge(&server, "fourfold", Some((90_000, 0))).await;
            let game = table.game.clone();
            let start = table.white.socket.watch(&game).await;
            table.play_on(0, 1).await;
            let first = table.white.socket.watch(&game).await;
            table.play_on(1, plies - 1).await;
            let event = take_back(&mut table, plies == 1).await;
            let before = if plies == 1 { &start } else { &first };
            assert_eq!((&event["ply"], &event["legal"]), (&json!(plies - 1), &before["legal"]));
            let clock = &event["clock"];
            assert_eq!((&clock["white_ms"], &clock["black_ms"]), (&json!(90_000), &json!(90_000)));
            assert_eq!(clock["running"], Value::Null);
            assert!(clock["first_move_ms"].as_i64().unwrap() > 55_000, "{clock}");
            let after = table.white.socket.watch(&game).await;
            assert_eq!(after["game"]["moves"], before["game"]["moves"]);

            server.kill9().await;
            server.start_again().await;
            for player in [&mut table.white, &mut table.black] {
                player.socket = player.client.socket().await;
                let replay = player.socket.ask(json!({"t": "watch", "game": game, "seen": 0})).await;
                let told = replay["events"].as_array().unwrap();
                let taken_back = told.iter().find(|event| event["kind"] == "taken_back").unwrap();
                assert_eq!(taken_back["legal"], before["legal"], "the last change of the position");
                // A move that is gone is told as it was.
                let gone = told.iter().rfind(|event| event["kind"] == "move").unwrap();
                assert_eq!((&gone["move"], &gone["legal"]), (&json!(long_game()[plies - 1]), &json!([])));
            }
            let again = table.white.socket.watch(&game).await;
            assert_eq!(picture(&again)[..3], picture(&after)[..3]);

            // The clocks run again from each side's second move, and a flag falls.
            table.play_on(plies - 1, 4 - plies).await;
            let clock = table.white.socket.watch(&game).await["clock"].clone();
            assert_eq!(clock["running"], "black");
            assert!(clock["white_ms"].as_i64().unwrap() < 90_001, "{clock}");
        }
    }

    async fn case_10_after_a_takeback_to_the_start_nobody_moves_and_the_clock_ends_it(db: Database) {
        let server = Server::start_with(db, &[("game.first_move_bullet_ms", "1500")]).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        table.play_on(0, 1).await;
        take_back(&mut table, true).await;
        table.ended("none", "aborted").await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((1_000, 0))).await;
        table.play_on(0, 2).await;
        take_back(&mut table, false).await;
        table.play_on(1, 2).await;
        table.ended("white", "timeout").await;
    }

    async fn a_takeback_is_asked_for_once_and_refused_or_moved_away(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let ask = json!({"t": "offer_takeback", "game": game});
        table.white.socket.refused(ask.clone(), "nothing_to_take_back").await;
        table.play_on(0, 2).await;
        let offer = table.white.socket.done(ask.clone()).await["seq"].clone();
        table.white.socket.refused(ask.clone(), "offer_open").await;
        table.black.socket.refused(ask.clone(), "offer_open").await;
        table.white.socket.refused(json!({"t": "accept_takeback", "game": game, "offer": offer}), "no_such_offer").await;
        table.black.socket.done(json!({"t": "decline_takeback", "game": game, "offer": offer})).await;
        let declined = table.white.socket.event(&game, "takeback_declined").await;
        assert_eq!((&declined["by"], &declined["offer"]), (&json!("black"), &offer));
        table.white.socket.refused(ask.clone(), "offer_too_soon").await;
        // Black's wish is answered by White's move.
        let offer = table.black.socket.done(ask).await["seq"].clone();
        table.play_on(2, 1).await;
        table.white.socket.refused(json!({"t": "accept_takeback", "game": game, "offer": offer}), "no_such_offer").await;
        assert_eq!(table.white.socket.watch(&game).await["takeback_offer"], Value::Null);

        let mut rated = Table::rated(&server, "fourfold").await;
        rated.play_on(0, 2).await;
        rated.white.socket.refused(json!({"t": "offer_takeback", "game": rated.game}), "casual_only").await;
    }

    async fn a_move_and_a_takeback_that_cross_have_one_order(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        for round in 0..5 {
            let ply = table.white.socket.watch(&game).await["game"]["moves"].as_array().unwrap().len();
            let ply = ply + ply % 2;
            table.play_on(ply, 1).await;
            let offer = table.white.socket.done(json!({"t": "offer_takeback", "game": game})).await["seq"].clone();
            // Black agrees in one tab and moves in another.
            let mut other = table.black.client.socket().await;
            let accept = json!({"t": "accept_takeback", "game": game, "offer": offer});
            let play = json!({"t": "move", "game": game, "ply": ply + 1, "move": long_game()[ply + 1]});
            let (agreed, moved) = tokio::join!(table.black.socket.ask(accept), other.ask(play));
            let done = [&agreed, &moved].iter().filter(|answer| answer["t"] == "ack").count();
            assert_eq!(done, 1, "{round}: {agreed} and {moved}");
            let left = table.white.socket.watch(&game).await["game"]["moves"].as_array().unwrap().len();
            assert_eq!(left, if agreed["t"] == "ack" { ply } else { ply + 2 });
            if agreed["t"] != "ack" {
                // It was declined by the move, and ten own moves are a long way.
                return;
            }
        }
    }

    async fn the_computer_lets_moves_be_taken_back_while_it_thinks_and_after(db: Database) {
        let server = Server::start_with(db, &[("computer.move_ms", "200")]).await;
        let guest = server.client();
        guest.be_guest().await;
        let body = json!({"level": 1, "variant": "fourfold", "color": "white", "time": null});
        let made = guest.post("/api/v1/games", body).await.expect(reqwest::StatusCode::CREATED);
        let game = made["game"].as_str().unwrap().to_owned();
        let mut socket = guest.socket().await;
        socket.watch(&game).await;
        for round in 0..3 {
            // It may be thinking, or have answered: one ply or two are gone, and the game goes on from the start.
            socket.play(&game, 0, long_game()[0]).await;
            if round > 0 {
                socket.wait_for("its answer", |m| m["kind"] == "move" && m["by"] == "black").await;
            }
            socket.done(json!({"t": "offer_takeback", "game": game})).await;
            let event = socket.event(&game, "taken_back").await;
            assert_eq!((&event["by"], &event["ply"]), (&json!("black"), &json!(0)));
        }
        socket.told_by(&game).await;
        socket.play(&game, 0, long_game()[2]).await;
        let answer = socket.wait_for("its answer", |m| m["kind"] == "move" && m["by"] == "black").await;
        assert_eq!(answer["ply"], 1);
    }
}
