//! The line itself: who may open it, what may go over it, how one comes back to it.

use futures_util::{SinkExt as _, StreamExt as _};
use manifold_tests::socket::{assert_refusal, connect};
use manifold_tests::table::{FOURFOLD_MATE, Player, Table};
use manifold_tests::{Database, PATIENCE, Server, on_both_databases};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Error, Message};

on_both_databases! {
    async fn case_17_another_site_s_page_gets_no_socket(db: Database) {
        let server = Server::start(db).await;
        let ada = server.client();
        ada.sign_up("ada").await;
        for page in ["https://evil.example", "null", "http://127.0.0.1:1"] {
            match connect(&server.origin(), page, ada.cookie()).await {
                Err(Error::Http(response)) => {
                    assert_eq!(response.status(), 403, "{page}");
                    let problem: Value = serde_json::from_slice(response.body().as_deref().unwrap()).unwrap();
                    assert_eq!(problem["code"], "wrong_origin");
                }
                Err(error) => panic!("{page}: {error}"),
                Ok(_) => panic!("{page} got a socket"),
            }
        }
        // Asked for like a page, it says what it is.
        server.client().get("/api/v1/socket").await.expect_refusal(400, "bad_request");
    }

    async fn what_is_no_message_is_refused_and_the_line_stays_open(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let socket = &mut ada.socket;
        for frame in [
            "", "{", "[]", "7", "null", "\"move\"", "{}", r#"{"t":"fly","id":"1"}"#, r#"{"t":"ping"}"#,
            r#"{"id":"1"}"#, r#"{"t":7,"id":"1"}"#, r#"{"t":"ping","id":7}"#, r#"{"t":"ping","id":""}"#,
            r#"{"t":"ping","id":"a b"}"#, r#"{"t":"ping","id":"0123456789012345678901234567890123456"}"#,
            r#"{"t":"move","id":"1","game":"x","ply":0,"move":"a1@00a1@01"}"#,
            r#"{"t":"move","id":"1","ply":0,"move":"a1@00a1@01"}"#,
            r#"{"t":"watch","id":"1","game":"0192d3a4-0000-7000-8000-000000000000","seen":-1}"#,
            r#"{"t":"join_pool","id":"1","variant":"fourfold","time":"3+2","rated":"yes"}"#,
        ] {
            socket.send_raw(Message::text(frame)).await;
            let answer = socket.wait("refused").await;
            assert_eq!(answer["code"], "bad_message", "{frame} was answered by {answer}");
        }
        socket.send_raw(Message::binary(vec![0xff, 0x00])).await;
        assert_refusal(&socket.wait("refused").await, "bad_message");
        // Where the id can be read, the refusal carries it.
        let answer = socket.ask(json!({"t": "fly", "id": "to-the-moon"})).await;
        assert_refusal(&answer, "bad_message");
        socket.ask(json!({"t": "ping"})).await;
    }

    async fn case_17_a_frame_that_is_too_large_closes_the_line_and_nothing_else(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        for size in [9_000, 10_000_000] {
            let mut tab = table.white.client.socket().await;
            let frame = json!({"t": "ping", "id": "1", "padding": "x".repeat(size)}).to_string();
            // The server may close while it is still being sent to.
            tab.try_send_raw(Message::text(frame)).await;
            if size < 64 * 1024 {
                assert_refusal(&tab.wait("refused").await, "too_large");
            }
            tab.closed().await;
        }
        table.play(0, &FOURFOLD_MATE).await;
    }

    async fn a_stranger_watches_and_does_nothing_else(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let mut stranger = server.client().socket().await;
        assert_eq!(stranger.watch(&game).await["you"], Value::Null);
        for command in ["offer_draw", "resign", "abort"] {
            stranger.refused(json!({"t": command, "game": game}), "unauthenticated").await;
        }
        let mut guest = Player::guest(&server).await;
        assert_eq!(guest.socket.watch(&game).await["you"], Value::Null);
        for command in ["offer_draw", "resign", "abort"] {
            guest.socket.refused(json!({"t": command, "game": game}), "not_a_player").await;
        }
        table.play(0, &FOURFOLD_MATE).await;
        for spectator in [&mut stranger, &mut guest.socket] {
            for ply in 0..3 {
                assert_eq!(spectator.event(&game, "move").await["ply"], ply);
            }
            assert_eq!(spectator.event(&game, "ended").await["termination"], "checkmate");
        }
        let unknown = json!({"t": "watch", "game": "0192d3a4-0000-7000-8000-000000000000"});
        stranger.refused(unknown, "not_found").await;
    }

    async fn who_comes_back_gets_exactly_what_was_missed(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let mut witness = server.client().socket().await;
        witness.watch(&game).await;
        table.play_on(0, 2).await;
        table.white.socket.done(json!({"t": "offer_draw", "game": game})).await;
        table.play_on(2, 2).await;
        table.black.socket.done(json!({"t": "resign", "game": game})).await;
        table.ended("white", "resignation").await;
        witness.event(&game, "ended").await;
        let told: Vec<Value> = {
            let mut again = server.client().socket().await;
            let replay = again.ask(json!({"t": "watch", "game": game, "seen": 0})).await;
            assert_eq!(replay["t"], "replay", "{replay}");
            replay["events"].as_array().unwrap().clone()
        };
        // 4 moves, an offer, the end; without a gap.
        let kinds: Vec<_> = told.iter().map(|event| event["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, ["move", "move", "draw_offered", "move", "move", "ended"]);
        let numbers: Vec<_> = told.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);

        for seen in 1..=6 {
            let mut tab = table.white.client.socket().await;
            let replay = tab.ask(json!({"t": "watch", "game": game, "seen": seen})).await;
            assert_eq!((&replay["t"], &replay["seq"]), (&json!("replay"), &json!(6)), "{replay}");
            assert_eq!(replay["events"].as_array().unwrap()[..], told[seen..], "seen {seen}");
        }
        let snapshot = table.white.socket.ask(json!({"t": "watch", "game": game, "seen": 7})).await;
        assert_eq!(snapshot["t"], "snapshot", "a number that is not this game's");
        // Both ways lead to the same state.
        let moves = snapshot["game"]["moves"].as_array().unwrap();
        let replayed: Vec<_> = told.iter().filter(|event| event["kind"] == "move").collect();
        assert_eq!(moves.len(), replayed.len());
        for (shown, event) in moves.iter().zip(replayed) {
            for key in ["move", "lan", "fen", "check", "spent_ms", "compensated_ms", "played_at"] {
                assert_eq!(shown[key], event[key], "{key}");
            }
        }
        assert_eq!(snapshot["game"]["ended_at"], told[5]["ended_at"]);
        assert_eq!(snapshot["game"], server.client().game(&game).await, "REST shows the same");
    }

    async fn two_tabs_live_side_by_side_and_presence_counts_them(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let mut second = table.black.client.socket().await;
        second.watch(&game).await;
        let ack = table.white.socket.play(&game, 0, "a2@00a3@00").await;
        for tab in [&mut table.black.socket, &mut second] {
            tab.numbered(&game, ack["seq"].as_u64().unwrap()).await;
        }
        let first = std::mem::replace(&mut table.black.socket, second);
        drop(first);
        // One of two is still there.
        table.black.socket.play(&game, 1, "a3@01a2@01").await;
        let heard = table.white.socket.told_by(&game).await;
        assert!(heard.iter().all(|message| message["t"] != "presence" || message["black"] == true), "{heard:?}");
        drop(table.black.socket);
        let away = table.white.socket.wait_for("presence", |m| m["t"] == "presence" && m["black"] == false).await;
        assert_eq!(away["white"], true);
        let mut spectator = server.client().socket().await;
        spectator.watch(&game).await;
        table.white.socket.wait_for("a spectator", |m| m["t"] == "presence" && m["spectators"] == 1).await;
        // What was told before is of no interest any more.
        table.white.socket.told_by(&game).await;
        spectator.done(json!({"t": "unwatch", "game": game})).await;
        table.white.socket.wait_for("no spectator", |m| m["t"] == "presence" && m["spectators"] == 0).await;
    }

    async fn a_socket_watches_sixteen_games(db: Database) {
        let server = Server::start(db).await;
        let mut games = Vec::new();
        for _ in 0..17 {
            games.push(Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await.game);
        }
        let mut spectator = server.client().socket().await;
        for game in &games[..16] {
            spectator.watch(game).await;
        }
        spectator.refused(json!({"t": "watch", "game": games[16]}), "too_many_watched").await;
        spectator.watch(&games[0]).await;
        spectator.done(json!({"t": "unwatch", "game": games[0]})).await;
        spectator.watch(&games[16]).await;
    }

    async fn who_floods_is_refused_and_then_closed(db: Database) {
        let limits = [("limits.commands_per_second", "1"), ("limits.commands_burst", "5")];
        let server = Server::start_with(db, &limits).await;
        let mut socket = server.client().socket().await;
        for _ in 0..5 {
            assert_eq!(socket.ask(json!({"t": "ping"})).await["t"], "pong");
        }
        socket.refused(json!({"t": "ping"}), "rate_limited").await;
        for _ in 0..1000 {
            socket.try_send_raw(Message::text(r#"{"t":"ping","id":"1"}"#)).await;
        }
        assert_eq!(socket.closed().await.as_deref(), Some("flood"));
    }

    async fn a_whole_game_counts_as_several_commands(db: Database) {
        let limits = [("limits.commands_per_second", "1"), ("limits.commands_burst", "8")];
        let server = Server::start_with(db, &limits).await;
        let table = Table::casual(&server).await;
        let mut stranger = server.client().socket().await;
        stranger.watch(&table.game).await;
        stranger.watch(&table.game).await;
        stranger.refused(json!({"t": "watch", "game": table.game}), "rate_limited").await;
    }

    async fn case_17_a_reader_too_slow_is_closed_and_nobody_else_notices(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        table.play_on(0, 60).await;
        // Asks for snapshots, some 20 kB each, and reads none of them.
        const SNAPSHOTS: usize = 2_000;
        let mut deaf = connect(&server.origin(), &server.origin(), None).await.unwrap();
        for id in 0..SNAPSHOTS {
            let watch = json!({"t": "watch", "id": id.to_string(), "game": game}).to_string();
            deaf.send(Message::text(watch)).await.unwrap();
        }
        table.white.socket.wait_for("a spectator", |m| m["t"] == "presence" && m["spectators"] == 1).await;
        // What was told before is of no interest any more.
        table.white.socket.told_by(&game).await;
        table.play_on(60, 20).await;
        table.white.socket.wait_for("its end", |m| m["t"] == "presence" && m["spectators"] == 0).await;
        table.play_on(80, 20).await;

        // What lay in the buffers can still be read, and then it is over.
        let mut read = 0;
        let rest = timeout(PATIENCE, async {
            while let Some(Ok(frame)) = deaf.next().await {
                read += usize::from(frame.is_text());
            }
        });
        assert!(rest.await.is_ok(), "the socket is still open after {read} messages");
        assert!(read < SNAPSHOTS, "{read}");
    }
}
