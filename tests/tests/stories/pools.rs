//! Waiting for an opponent.

use manifold_tests::table::{Player, Table};
use manifold_tests::{Database, Server, Socket, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

on_both_databases! {
    async fn two_who_wait_are_paired_and_every_tab_hears_it(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut tab = ada.client.socket().await;
        let bob = Player::account(&server, "bob").await;

        ada.join("fourfold-classic", "5+3", true).await;
        let waiting = json!({"variant": "fourfold-classic", "time": "5+3", "rated": true});
        assert_eq!(tab.wait("pool").await["waiting"], waiting);
        let mut table = Table::by_pool(ada, bob, "fourfold-classic", "5+3", true).await;
        assert_eq!(tab.wait("paired").await["game"], table.game.as_str());
        assert_eq!(tab.wait_for("an empty pool", |m| m["t"] == "pool" && m["waiting"].is_null()).await["waiting"], Value::Null);

        let game = server.client().game(&table.game).await;
        assert_eq!((&game["rated"], &game["speed"], &game["variant"]), (&json!(true), &json!("blitz"), &json!("fourfold-classic")));
        assert_eq!(game["time"], json!({"base_ms": 300_000, "increment_ms": 3_000}));
        assert_eq!(game["white"]["rating"], 1500);
        assert_eq!(game["white"]["provisional"], true);
        let session = table.white.client.get("/api/v1/session").await.expect(StatusCode::OK);
        assert_eq!(session["playing"], json!([table.game]));

        let join = json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": true});
        let refused = table.white.socket.refused(join, "already_playing").await;
        assert_eq!(refused["game"], table.game.as_str());
    }

    async fn guests_are_paired_for_casual_games_only(db: Database) {
        let server = Server::start(db).await;
        let mut guest = Player::guest(&server).await;
        let join = json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": true});
        guest.socket.refused(join, "guests_play_casual").await;
        let table = Table::casual(&server).await;
        let game = server.client().game(&table.game).await;
        assert_eq!((&game["rated"], &game["white"]["kind"], &game["white"]["rating"]), (&json!(false), &json!("guest"), &Value::Null));
    }

    async fn different_pools_do_not_mix(db: Database) {
        let server = Server::start(db).await;
        let mut people = Vec::new();
        for (name, variant, time, rated) in [
            ("ada", "fourfold", "3+2", true),
            ("bob", "fourfold", "3+2", false),
            ("cleo", "fourfold", "5+3", true),
            ("dan", "fourfold-classic", "3+2", true),
        ] {
            let mut player = Player::account(&server, name).await;
            player.join(variant, time, rated).await;
            people.push(player);
        }
        let eve = Player::account(&server, "eve").await;
        let ada = people.remove(0);
        let table = Table::by_pool(ada, eve, "fourfold", "3+2", true).await;
        assert!(["ada", "eve"].contains(&table.white.name.as_str()));
        for player in &mut people {
            let heard = player.socket.told_by_lobby().await;
            assert!(heard.iter().all(|message| message["t"] != "paired"), "{}: {heard:?}", player.name);
        }
    }

    async fn who_looks_at_the_lobby_is_told_how_many_wait_in_each_pool(db: Database) {
        let server = Server::start(db).await;
        let mut stranger = server.client().socket().await;
        assert_eq!(stranger.ask(json!({"t": "lobby"})).await["pools"], json!([]));
        let mut ada = Player::account(&server, "ada").await;
        ada.join("fourfold", "3+2", true).await;
        let crowd = |rated| json!([{"variant": "fourfold", "time": "3+2", "rated": rated, "waiting": 1}]);
        let counted = async |socket: &mut Socket, pools: Value| {
            socket.wait_for("the pools", |m| m["t"] == "lobby_counts" && m["pools"] == pools).await;
        };
        counted(&mut stranger, crowd(true)).await;
        // Another pool has one at once with the first's leaving.
        ada.join("fourfold", "3+2", false).await;
        counted(&mut stranger, crowd(false)).await;
        // Whoever comes later finds it in the list.
        assert_eq!(server.client().socket().await.ask(json!({"t": "lobby"})).await["pools"], crowd(false));
        ada.socket.done(json!({"t": "leave_pool"})).await;
        counted(&mut stranger, json!([])).await;
    }

    async fn nobody_plays_against_themselves(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut tab = ada.client.socket().await;
        ada.join("fourfold", "3+2", true).await;
        tab.done(json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": true})).await;
        assert!(tab.told_by_lobby().await.iter().all(|message| message["t"] != "paired"));
    }

    async fn pools_that_are_none(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        for (variant, time) in [("fourfold", "2+7"), ("fourfold", ""), ("chess", "3+2"), ("fourfold", "3+2+1")] {
            let join = json!({"t": "join_pool", "variant": variant, "time": time, "rated": true});
            ada.socket.refused(join, "unknown_pool").await;
        }
        ada.socket.refused(json!({"t": "leave_pool"}), "not_waiting").await;
        let mut stranger = server.client().socket().await;
        assert_eq!(stranger.hello["player"], Value::Null);
        let join = json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": false});
        stranger.refused(join, "unauthenticated").await;
        let pools = server.client().get("/api/v1/pools").await.expect(StatusCode::OK);
        assert_eq!(pools["variants"], json!(["fourfold", "fourfold-classic", "parallel-worlds"]));
        let times: Vec<_> = pools["times"].as_array().unwrap().iter().map(|pool| &pool["time"]).collect();
        assert_eq!(times, ["1+1", "3+2", "5+3", "10+5", "15+10"]);
    }

    async fn who_left_or_closed_the_tab_is_not_paired(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        ada.join("fourfold", "3+2", true).await;
        ada.socket.done(json!({"t": "leave_pool"})).await;

        // The second tab waits and is closed: the first waits on. With the last one nobody does.
        let mut tab = ada.client.socket().await;
        tab.done(json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": true})).await;
        drop(tab);
        let mut tab = ada.client.socket().await;
        tab.wait_for("the pool joined", |m| m["t"] == "pool" && !m["waiting"].is_null()).await;
        drop((tab, ada.socket));
        ada.socket = ada.client.socket().await;
        ada.socket.refused(json!({"t": "leave_pool"}), "not_waiting").await;

        let mut bob = Player::account(&server, "bob").await;
        bob.join("fourfold", "3+2", true).await;
        assert!(bob.socket.told_by_lobby().await.iter().all(|message| message["t"] != "paired"));
    }

    async fn case_14_a_leave_that_crosses_a_pairing_ends_in_one_of_the_two(db: Database) {
        let server = Server::start(db).await;
        let (mut left, mut paired) = (0, 0);
        for round in 0..40 {
            let mut ada = Player::guest(&server).await;
            let mut bob = Player::guest(&server).await;
            ada.join("fourfold", "3+2", false).await;
            let join = json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": false});
            // Whose message is first changes from round to round.
            let leave = json!({"t": "leave_pool"});
            let (answer, _) = if round % 2 == 0 {
                tokio::join!(ada.socket.ask(leave), bob.socket.done(join))
            } else {
                let (joined, answer) = tokio::join!(bob.socket.done(join), ada.socket.ask(leave));
                (answer, joined)
            };
            if answer["t"] == "ack" {
                left += 1;
                assert!(ada.socket.told_by_lobby().await.iter().all(|message| message["t"] != "paired"));
                assert!(bob.socket.told_by_lobby().await.iter().all(|message| message["t"] != "paired"));
            } else {
                paired += 1;
                assert_eq!(answer["code"], "already_paired", "{answer}");
                let (mine, theirs) = (ada.socket.wait("paired").await, bob.socket.wait("paired").await);
                assert_eq!((&mine["game"], &answer["game"]), (&theirs["game"], &theirs["game"]));
                // Out of the way of the next round.
                ada.socket.done(json!({"t": "abort", "game": mine["game"]})).await;
            }
        }
        assert_eq!(left + paired, 40);
        let games = server.client().get("/api/v1/games?limit=100").await.expect(StatusCode::OK);
        assert_eq!(games["games"].as_array().unwrap().len(), paired);
    }

    async fn many_who_wait_are_all_paired_once(db: Database) {
        let server = Server::start(db).await;
        let mut people = Vec::new();
        for _ in 0..20 {
            people.push(Player::guest(&server).await);
        }
        let join = json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": false});
        let joins = people.iter_mut().map(|player| player.socket.done(join.clone()));
        futures_util::future::join_all(joins).await;
        let mut seats = Vec::new();
        for player in &mut people {
            let paired = player.socket.wait("paired").await;
            seats.push((paired["game"].as_str().unwrap().to_owned(), paired["color"].as_str().unwrap().to_owned()));
        }
        seats.sort();
        for pair in seats.chunks(2) {
            assert_eq!(pair[0].0, pair[1].0);
            assert_eq!((pair[0].1.as_str(), pair[1].1.as_str()), ("black", "white"));
        }
        seats.dedup_by(|a, b| a.0 == b.0);
        assert_eq!(seats.len(), 10);
    }
}
