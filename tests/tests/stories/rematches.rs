//! Games that are played again.

use manifold_tests::table::{FOURFOLD_MATE, Player, Table, long_game};
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

/// The two play again: who was White is Black now.
async fn sit_again(mut table: Table, next: &Value) -> Table {
    let next = next.as_str().expect("a rematch has an id").to_owned();
    for player in [&mut table.white, &mut table.black] {
        let event = player.socket.event(&table.game, "rematched").await;
        assert_eq!(event["next"], *next, "{event}");
    }
    Table::sit(&next, table.black, table.white).await
}

/// One offers, the other accepts; the new game's id.
async fn agree(table: &mut Table) -> Value {
    let game = table.game.clone();
    let offer =
        table.white.socket.done(json!({"t": "offer_rematch", "game": game})).await["seq"].clone();
    let heard = table.black.socket.event(&game, "rematch_offered").await;
    assert_eq!((&heard["by"], &heard["seq"]), (&json!("white"), &offer));
    let accept = json!({"t": "accept_rematch", "game": game, "offer": offer});
    table.black.socket.done(accept).await;
    table.black.socket.watch(&game).await["rematch"]["next"].clone()
}

on_both_databases! {
    async fn whom_one_has_blocked_one_does_not_play_again(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        table.play_and_resign().await;
        let ask = json!({"t": "offer_rematch", "id": "asked", "game": game});
        let offer = table.white.socket.done(ask.clone()).await["seq"].clone();
        let block = format!("/api/v1/blocks/{}", table.black.name);
        table.white.client.put(&block, Value::Null).await.expect(StatusCode::NO_CONTENT);
        let accept = json!({"t": "accept_rematch", "id": "agreed", "game": game, "offer": offer});
        table.black.socket.refused(accept.clone(), "blocked").await;
        table.black.socket.refused(json!({"t": "offer_rematch", "game": game}), "blocked").await;
        // What was done before is still answered as it was.
        assert_eq!(table.white.socket.done(ask).await["seq"], offer);
        let decline = json!({"t": "decline_rematch", "game": game, "offer": offer});
        table.black.socket.done(decline).await;
        table.black.socket.refused(json!({"t": "offer_rematch", "game": game}), "blocked").await;
        table.white.client.delete(&block).await.expect(StatusCode::NO_CONTENT);
        let offer = table.black.socket.done(json!({"t": "offer_rematch", "game": game})).await["seq"].clone();
        table.white.socket.done(json!({"t": "accept_rematch", "game": game, "offer": offer})).await;
    }

    async fn a_rematch_swaps_the_colors_and_keeps_the_score(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        let first = table.game.clone();
        let mut spectator = server.client().socket().await;
        spectator.watch(&first).await;
        table.white.socket.refused(json!({"t": "offer_rematch", "game": first}), "game_under_way").await;
        table.play(0, &FOURFOLD_MATE).await;
        table.ended("white", "checkmate").await;
        let next = agree(&mut table).await;
        assert_eq!(spectator.event(&first, "rematched").await["next"], next);
        table.white.socket.refused(json!({"t": "offer_rematch", "game": first}), "rematch_begun").await;
        let winner = table.white.name.clone();
        let mut table = sit_again(table, &next).await;
        let shown = server.client().game(&table.game).await;
        assert_eq!(shown["black"]["name"], winner);
        assert_eq!((&shown["previous"], &shown["series"]), (&json!(first), &json!({"white": 0.0, "black": 1.0})));
        assert_eq!((&shown["rated"], &shown["speed"]), (&json!(true), &json!("blitz")));
        assert!(shown["white"]["rating"].as_i64().unwrap() < 1500, "{shown}");

        // A draw, and once more.
        table.play_on(0, 2).await;
        let game = table.game.clone();
        let offer = table.white.socket.done(json!({"t": "offer_draw", "game": game})).await["seq"].clone();
        table.black.socket.done(json!({"t": "accept_draw", "game": game, "offer": offer})).await;
        let next = agree(&mut table).await;
        let table = sit_again(table, &next).await;
        let shown = server.client().game(&table.game).await;
        assert_eq!((&shown["previous"], &shown["series"]), (&json!(game), &json!({"white": 1.5, "black": 0.5})));
        let listed = table.white.client.get("/api/v1/games?limit=1").await.expect(StatusCode::OK);
        assert_eq!(listed["games"][0]["series"], shown["series"]);
    }

    async fn both_at_once_make_one_game(db: Database) {
        let server = Server::start(db).await;
        for crossing in [true, false, true, false, true] {
            let mut table = Table::casual(&server).await;
            let game = table.game.clone();
            table.white.socket.done(json!({"t": "abort", "game": game})).await;
            table.ended("none", "aborted").await;
            let ask = json!({"t": "offer_rematch", "game": game});
            if crossing {
                tokio::join!(table.white.socket.done(ask.clone()), table.black.socket.done(ask));
            } else {
                // Ten tabs accept the same offer.
                let offer = table.white.socket.done(ask).await["seq"].clone();
                let mut tabs = Vec::new();
                for _ in 0..10 {
                    tabs.push(table.black.client.socket().await);
                }
                let accept = json!({"t": "accept_rematch", "game": game, "offer": offer});
                let asked = tabs.iter_mut().map(|tab| tab.ask(accept.clone()));
                let answers = futures_util::future::join_all(asked).await;
                let done = answers.iter().filter(|answer| answer["t"] == "ack").count();
                assert_eq!(done, 1, "{answers:?}");
                assert!(answers.iter().all(|a| a["t"] == "ack" || a["code"] == "rematch_begun"), "{answers:?}");
            }
            let next = table.white.socket.watch(&game).await["rematch"]["next"].clone();
            let mut table = sit_again(table, &next).await;
            let playing = table.white.client.get("/api/v1/session").await.expect(StatusCode::OK);
            assert_eq!(playing["playing"], json!([table.game]), "one game, not two");
            table.play(0, &FOURFOLD_MATE).await;
        }
    }

    async fn killed_around_the_commit_there_is_one_game_or_none_and_a_retry_settles_it(db: Database) {
        let mut server = Server::start(db).await;
        let mut tables = Vec::new();
        for _ in 0..6 {
            let mut table = Table::casual(&server).await;
            let game = table.game.clone();
            table.white.socket.done(json!({"t": "abort", "game": game})).await;
            table.ended("none", "aborted").await;
            let offer = json!({"t": "offer_rematch", "game": game});
            let offer = table.white.socket.done(offer).await["seq"].clone();
            tables.push((table, offer));
        }
        for (table, offer) in &mut tables {
            let accept = json!({"t": "accept_rematch", "id": "again", "game": table.game, "offer": offer});
            table.black.socket.send(&accept).await;
        }
        // The first answer is the signal.
        tables[0].0.black.socket.wait("ack").await;
        server.kill9().await;
        server.start_again().await;
        for (mut table, offer) in tables {
            for player in [&mut table.white, &mut table.black] {
                player.socket = player.client.socket().await;
                player.socket.watch(&table.game).await;
            }
            let accept = json!({"t": "accept_rematch", "id": "again", "game": table.game, "offer": offer});
            table.black.socket.done(accept.clone()).await;
            table.black.socket.done(accept).await;
            let next = table.black.socket.watch(&table.game).await["rematch"]["next"].clone();
            let playing = table.black.client.get("/api/v1/session").await.expect(StatusCode::OK);
            assert_eq!(playing["playing"], json!([next]));
            let next = next.as_str().unwrap().to_owned();
            let mut table = Table::sit(&next, table.black, table.white).await;
            table.play(0, &FOURFOLD_MATE).await;
            table.ended("white", "checkmate").await;
        }
    }

    async fn who_is_away_or_plays_elsewhere_plays_no_rematch(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        table.white.socket.done(json!({"t": "abort", "game": game})).await;
        let offer = table.white.socket.done(json!({"t": "offer_rematch", "game": game})).await["seq"].clone();
        let accept = json!({"t": "accept_rematch", "game": game, "offer": offer});
        table.white.socket.done(json!({"t": "unwatch", "game": game})).await;
        table.black.socket.refused(accept.clone(), "opponent_away").await;
        table.white.socket.watch(&game).await;

        // Both find others meanwhile.
        let Table { game, white, black } = table;
        let stranger = Player::guest(&server).await;
        let mut elsewhere = Table::by_pool(white, stranger, "fourfold", "3+2", false).await;
        let mut black = black;
        black.socket.refused(accept.clone(), "opponent_playing").await;
        elsewhere.white.socket.done(json!({"t": "abort", "game": elsewhere.game})).await;
        elsewhere.ended("none", "aborted").await;
        let other = Table::by_pool(black, Player::guest(&server).await, "fourfold", "3+2", false).await;
        let mut tabs = [other.white.client.socket().await, other.black.client.socket().await];
        let mut refused = 0;
        for tab in &mut tabs {
            let answer = tab.ask(accept.clone()).await;
            refused += usize::from(answer["code"] == "already_playing" && answer["game"] == other.game);
        }
        assert_eq!(refused, 1, "the other one is not a player of that game");
        assert_eq!(server.client().game(&game).await["termination"], "aborted");
    }

    async fn a_rematch_ends_the_waiting_in_a_pool(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        table.white.socket.done(json!({"t": "abort", "game": game})).await;
        table.ended("none", "aborted").await;
        table.white.join("fourfold", "10+5", false).await;
        table.white.socket.wait_for("waiting", |m| m["t"] == "pool" && m["waiting"] != Value::Null).await;
        agree(&mut table).await;
        table.white.socket.wait_for("no waiting", |m| m["t"] == "pool" && m["waiting"] == Value::Null).await;
        let mut stranger = Player::guest(&server).await;
        stranger.join("fourfold", "10+5", false).await;
        let told = stranger.socket.told_by_lobby().await;
        assert!(told.iter().all(|message| message["t"] != "paired"), "{told:?}");
    }

    async fn a_rematch_is_declined_once_and_for_all(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "parallel-worlds", None).await;
        let game = table.game.clone();
        table.white.socket.done(json!({"t": "abort", "game": game})).await;
        let offer = table.white.socket.done(json!({"t": "offer_rematch", "game": game})).await["seq"].clone();
        table.black.socket.done(json!({"t": "decline_rematch", "game": game, "offer": offer})).await;
        table.white.socket.event(&game, "rematch_declined").await;
        table.white.socket.refused(json!({"t": "offer_rematch", "game": game}), "offer_too_soon").await;
        table.black.socket.refused(json!({"t": "accept_rematch", "game": game, "offer": offer}), "no_such_offer").await;
        // Black may still ask; without a clock nobody has to be there.
        let offer = table.black.socket.done(json!({"t": "offer_rematch", "game": game})).await["seq"].clone();
        table.black.socket.done(json!({"t": "unwatch", "game": game})).await;
        table.white.socket.done(json!({"t": "accept_rematch", "game": game, "offer": offer})).await;
        let next = table.white.socket.watch(&game).await["rematch"]["next"].clone();
        let shown = server.client().game(next.as_str().unwrap()).await;
        assert_eq!((&shown["series"], &shown["time"]), (&json!({"white": 0.0, "black": 0.0}), &Value::Null));
        assert_eq!(shown["variant"], "parallel-worlds");
    }

    async fn the_computer_plays_again_at_once(db: Database) {
        let server = Server::start_with(db, &[("computer.move_ms", "100"), ("computer.games_per_player", "1")]).await;
        let guest = server.client();
        guest.be_guest().await;
        let body = json!({"level": 1, "variant": "fourfold", "color": "white", "time": null});
        let made = guest.post("/api/v1/games", body.clone()).await.expect(StatusCode::CREATED);
        let game = made["game"].as_str().unwrap().to_owned();
        let mut socket = guest.socket().await;
        socket.watch(&game).await;
        socket.play(&game, 0, long_game()[0]).await;
        socket.wait_for("its answer", |m| m["kind"] == "move" && m["by"] == "black").await;
        socket.done(json!({"t": "resign", "game": game})).await;
        // With as many others as there may be, there is no room for one more.
        let other = guest.post("/api/v1/games", body).await.expect(StatusCode::CREATED);
        socket.refused(json!({"t": "offer_rematch", "game": game}), "too_many_games").await;
        socket.done(json!({"t": "abort", "game": other["game"]})).await;
        socket.done(json!({"t": "offer_rematch", "game": game})).await;
        let rematched = socket.event(&game, "rematched").await;
        assert_eq!(rematched["by"], "black");
        let next = rematched["next"].as_str().unwrap().to_owned();
        let snapshot = socket.watch(&next).await;
        assert_eq!((&snapshot["you"], &snapshot["game"]["series"]), (&json!("black"), &json!({"white": 1.0, "black": 0.0})));
        if snapshot["game"]["moves"].as_array().unwrap().is_empty() {
            socket.event(&next, "move").await;
        }
    }
}
