//! Games that somebody has left.

use manifold_tests::table::{Player, Table, long_game};
use manifold_tests::{Database, Server, Socket, on_both_databases};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;

/// After the page was closed soon, after a lost line not in this test's life.
const SETTINGS: [(&str, &str); 3] = [
    ("game.claim_left_ms", "300"),
    ("game.claim_bullet_ms", "600000"),
    ("game.claim_blitz_ms", "600000"),
];

/// As a browser does when its page is closed.
async fn close_page(socket: &mut Socket) {
    let frame = CloseFrame { code: CloseCode::Away, reason: "".into() };
    socket.try_send_raw(Message::Close(Some(frame))).await;
}

/// The other has seen who is there.
async fn sees(player: &mut Player, side: &str, there: bool) -> Value {
    let fits = |message: &Value| message["t"] == "presence" && message[side] == there;
    player.socket.wait_for("presence", fits).await
}

/// Claims until it is granted; every refusal before is for one reason.
async fn claim(socket: &mut Socket, game: &str, what: &str) {
    loop {
        let answer = socket.ask(json!({"t": what, "game": game})).await;
        if answer["t"] == "ack" {
            return;
        }
        assert_eq!(answer["code"], "no_claim", "{answer}");
    }
}

on_both_databases! {
    async fn case_15_who_closes_one_of_two_tabs_is_still_there(db: Database) {
        let server = Server::start_with(db, &SETTINGS).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        table.play_on(0, 2).await;
        let game = table.game.clone();
        let mut second = table.white.client.socket().await;
        let snapshot = second.watch(&game).await;
        assert_eq!(snapshot["presence"]["claim_in_ms"], json!({"white": null, "black": null}));
        close_page(&mut table.white.socket).await;
        table.white.socket.closed().await;
        let snapshot = table.black.socket.watch(&game).await;
        assert_eq!(snapshot["presence"]["white"], true);
        assert_eq!(snapshot["presence"]["claim_in_ms"]["white"], Value::Null);
        table.black.socket.refused(json!({"t": "claim_win", "game": game}), "no_claim").await;

        second.done(json!({"t": "unwatch", "game": game})).await;
        let away = sees(&mut table.black, "white", false).await;
        let wait = away["claim_in_ms"]["white"].as_u64().unwrap();
        assert!(wait <= 300, "{away}");
        claim(&mut table.black.socket, &game, "claim_win").await;
        let ended = table.black.socket.event(&game, "ended").await;
        assert_eq!((&ended["outcome"], &ended["termination"]), (&json!("black"), &json!("abandonment")));
        let after = table.black.socket.watch(&game).await;
        assert_eq!(after["presence"]["claim_in_ms"], json!({"white": null, "black": null}));
    }

    async fn case_11_a_claim_is_for_the_absentee_s_own_turn_and_blocks_no_move(db: Database) {
        let server = Server::start_with(db, &SETTINGS).await;
        let mut table = Table::rated(&server, "fourfold").await;
        table.play_on(0, 2).await;
        let game = table.game.clone();
        close_page(&mut table.black.socket).await;
        sees(&mut table.white, "black", false).await;
        // It is White's own turn, however long Black has been away.
        table.white.socket.refused(json!({"t": "claim_win", "game": game}), "no_claim").await;
        table.white.socket.play(&game, 2, long_game()[2]).await;
        // Black comes back while White may claim, and moves.
        table.black.socket = table.black.client.socket().await;
        assert_eq!(table.black.socket.watch(&game).await["presence"]["claim_in_ms"]["black"], Value::Null);
        table.white.socket.refused(json!({"t": "claim_draw", "game": game}), "no_claim").await;
        table.black.socket.play(&game, 3, long_game()[3]).await;
        close_page(&mut table.black.socket).await;
        table.white.socket.play(&game, 4, long_game()[4]).await;
        claim(&mut table.white.socket, &game, "claim_draw").await;
        let ended = table.white.socket.event(&game, "ended").await;
        assert_eq!((&ended["outcome"], &ended["termination"]), (&json!("draw"), &json!("abandonment")));
        // It counts, like any end.
        assert_eq!(ended["ratings"]["black"], json!({"before": 1500, "after": 1500}));
        let record = server.client().get(&format!("/api/v1/games/{game}.pgn")).await.body;
        assert!(record.contains("[Termination \"abandonment\"]"), "{record}");
    }

    async fn a_lost_line_is_waited_for_longer_and_a_restart_begins_the_wait_anew(db: Database) {
        let mut server = Server::start_with(db, &SETTINGS).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        table.play_on(0, 2).await;
        let game = table.game.clone();
        // No farewell.
        let lost = std::mem::replace(&mut table.white.socket, table.white.client.socket().await);
        drop(lost);
        let away = sees(&mut table.black, "white", false).await;
        assert!(away["claim_in_ms"]["white"].as_u64().unwrap() > 500_000, "{away}");
        table.black.socket.refused(json!({"t": "claim_win", "game": game}), "no_claim").await;

        table.white.socket.watch(&game).await;
        close_page(&mut table.white.socket).await;
        let soon = |m: &Value| m["t"] == "presence" && m["claim_in_ms"]["white"].as_u64().is_some_and(|ms| ms <= 300);
        table.black.socket.wait_for("White has left", soon).await;
        server.kill9().await;
        server.start_again().await;
        table.black.socket = table.black.client.socket().await;
        let snapshot = table.black.socket.watch(&game).await;
        assert!(snapshot["presence"]["claim_in_ms"]["white"].as_u64().unwrap() > 500_000, "{snapshot}");
        assert_eq!(snapshot["presence"]["claim_in_ms"]["black"], Value::Null);
    }

    async fn nothing_is_claimed_where_no_clock_runs_or_nobody_has_begun(db: Database) {
        let server = Server::start_with(db, &SETTINGS).await;
        let mut table = Table::by_challenge(&server, "fourfold", None).await;
        table.play_on(0, 2).await;
        close_page(&mut table.white.socket).await;
        let away = sees(&mut table.black, "white", false).await;
        assert_eq!(away["claim_in_ms"], json!({"white": null, "black": null}));
        table.black.socket.refused(json!({"t": "claim_draw", "game": table.game}), "no_claim").await;

        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        close_page(&mut table.white.socket).await;
        sees(&mut table.black, "white", false).await;
        table.black.socket.refused(json!({"t": "claim_win", "game": table.game}), "no_claim").await;
    }
}
