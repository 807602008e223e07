//! What is said beside a game.

use manifold_tests::table::{Player, Table};
use manifold_tests::{Database, Server, Socket, on_both_databases};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

async fn say(socket: &mut Socket, game: &str, text: &str) {
    let ack = socket.done(json!({"t": "chat", "game": game, "text": text})).await;
    assert_eq!((&ack["game"], &ack["seq"]), (&json!(game), &Value::Null));
}

async fn hear(socket: &mut Socket, text: &str) -> Value {
    socket.wait_for(text, |m| m["t"] == "chat" && m["text"] == text).await
}

fn texts(snapshot: &Value) -> Vec<&str> {
    snapshot["chat"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap()).collect()
}

on_both_databases! {
    async fn players_and_spectators_talk_apart(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let mut guest = Player::guest(&server).await;
        let mut stranger = server.client().socket().await;
        for socket in [&mut guest.socket, &mut stranger] {
            assert_eq!(socket.watch(&game).await["chat"], json!([]));
        }
        say(&mut table.white.socket, &game, "Good luck!").await;
        let heard = hear(&mut table.black.socket, "Good luck!").await;
        assert_eq!((&heard["color"], &heard["by"]["name"]), (&json!("white"), &json!(table.white.name)));
        hear(&mut table.white.socket, "Good luck!").await;
        say(&mut guest.socket, &game, "Qd1! <script>").await;
        let heard = hear(&mut stranger, "Qd1! <script>").await;
        assert_eq!((&heard["color"], &heard["by"]["kind"]), (&Value::Null, &json!("guest")));
        stranger.refused(json!({"t": "chat", "game": game, "text": "me too"}), "unauthenticated").await;

        let lines = |heard: Vec<Value>| heard.iter().filter(|message| message["t"] == "chat").count();
        assert_eq!(lines(table.black.socket.told_by(&game).await), 0, "players do not hear spectators");
        assert_eq!(lines(stranger.told_by(&game).await), 0, "nor spectators players");
        // Whoever comes back hears what was said, whichever way.
        let mut tab = table.black.client.socket().await;
        assert_eq!(texts(&tab.watch(&game).await), ["Good luck!"]);
        let replay = tab.ask(json!({"t": "watch", "game": game, "seen": 0})).await;
        assert_eq!((&replay["t"], texts(&replay)), (&json!("replay"), vec!["Good luck!"]));
        let mut another = server.client().socket().await;
        assert_eq!(texts(&another.watch(&game).await), ["Qd1! <script>"]);
    }

    async fn whom_one_has_blocked_one_does_not_hear(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let block = |method: Method, name: &str| {
            table.black.client.request(method, &format!("/api/v1/blocks/{name}")).header(header::ORIGIN, server.origin())
        };
        say(&mut table.white.socket, &game, "before").await;
        hear(&mut table.black.socket, "before").await;
        table.black.client.send(block(Method::PUT, &table.white.name)).await.expect(StatusCode::NO_CONTENT);
        say(&mut table.white.socket, &game, "unheard").await;
        // Who is blocked does not learn it, and hears the other.
        hear(&mut table.white.socket, "unheard").await;
        say(&mut table.black.socket, &game, "mine").await;
        hear(&mut table.white.socket, "mine").await;
        let told = table.black.socket.told_by(&game).await;
        let heard: Vec<&Value> = told.iter().filter(|m| m["t"] == "chat").map(|m| &m["text"]).collect();
        assert_eq!(heard, [&json!("mine")]);
        assert_eq!(texts(&table.black.socket.watch(&game).await), ["mine"]);
        let replay = table.black.socket.ask(json!({"t": "watch", "game": game, "seen": 0})).await;
        assert_eq!(texts(&replay), ["mine"]);
        assert_eq!(texts(&table.white.socket.watch(&game).await), ["before", "unheard", "mine"]);
        // And hears again what was said, once that is wished for.
        table.black.client.send(block(Method::DELETE, &table.white.name)).await.expect(StatusCode::NO_CONTENT);
        assert_eq!(texts(&table.black.socket.watch(&game).await), ["before", "unheard", "mine"]);
    }

    async fn a_line_has_bounds_and_a_retry_is_said_once(db: Database) {
        let server = Server::start_with(db, &[("limits.chat_per_minute", "100000")]).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let long = "ж".repeat(501);
        for text in ["", "  ", "a\nb", "a\u{0}b", "\u{1b}[31m", "a\u{202e}b", &long] {
            table.white.socket.refused(json!({"t": "chat", "game": game, "text": text}), "bad_text").await;
        }
        say(&mut table.white.socket, &game, &long[..1000]).await;
        let line = json!({"t": "chat", "id": "mine", "game": game, "text": "once"});
        for _ in 0..5 {
            table.white.socket.done(line.clone()).await;
        }
        let other = json!({"t": "chat", "id": "mine", "game": game, "text": "twice"});
        table.white.socket.refused(other, "id_reused").await;
        assert_eq!(texts(&table.black.socket.watch(&game).await), [&long[..1000], "once"]);
        for n in 0..60 {
            say(&mut table.black.socket, &game, &n.to_string()).await;
        }
        let snapshot = table.white.socket.watch(&game).await;
        let kept = texts(&snapshot);
        assert_eq!((kept.len(), kept[0], kept[49]), (50, "10", "59"));
        table.white.socket.refused(json!({"t": "chat", "game": "0192d3a4-0000-7000-8000-000000000000", "text": "a"}), "not_found").await;
    }

    async fn more_tabs_are_not_more_voices(db: Database) {
        let server = Server::start_with(db, &[("limits.chat_per_minute", "8")]).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        let mut second = table.white.client.socket().await;
        say(&mut table.white.socket, &game, "one").await;
        say(&mut second, &game, "two").await;
        for tab in [&mut table.white.socket, &mut second] {
            tab.refused(json!({"t": "chat", "game": game, "text": "three"}), "rate_limited").await;
        }
        say(&mut table.black.socket, &game, "four").await;
    }
}
