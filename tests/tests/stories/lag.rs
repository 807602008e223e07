//! What the network takes from a player's time is given back, and no more.

use futures_util::{SinkExt as _, StreamExt as _};
use manifold_tests::socket::connect;
use manifold_tests::table::{Table, long_game};
use manifold_tests::{Client, Database, PATIENCE, Server, on_both_databases};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::{Bytes, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// A game that nobody begins ends by itself after so long: a story's hourglass.
const HOURGLASS_MS: &str = "1600";
const SETTINGS: [(&str, &str); 2] =
    [("game.first_move_rapid_ms", HOURGLASS_MS), ("game.lag_ping_ms", "50")];
/// Of a game of one minute without increment: three gains of 390 ms.
const QUOTA_MS: i64 = 1170;
const GAIN_MS: i64 = 390;

async fn hourglass(server: &Server) {
    let mut table = Table::by_challenge(server, "fourfold", Some((900_000, 0))).await;
    table.ended("none", "aborted").await;
}

/// A tab whose frames a story reads itself. It answers pings only while it is read.
struct Line {
    stream: WebSocketStream<MaybeTlsStream<TcpStream>>,
    pings: Vec<Bytes>,
}

impl Line {
    async fn open(client: &Client) -> Line {
        let stream = connect(&client.origin(), &client.origin(), client.cookie()).await;
        Line { stream: stream.expect("the socket opens"), pings: Vec::new() }
    }

    async fn send(&mut self, message: Value) {
        self.stream.send(Message::text(message.to_string())).await.expect("the socket is open");
    }

    /// Reads on until a message fits.
    async fn wait_for(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let waiting = async {
            loop {
                match self.stream.next().await.expect("the socket stays open").expect("a frame") {
                    Message::Text(text) => {
                        let message = serde_json::from_str(&text).expect("JSON");
                        if fits(&message) {
                            return message;
                        }
                    }
                    Message::Ping(payload) => {
                        self.pings.push(payload);
                        // The answer lies ready, and goes.
                        self.stream.flush().await.expect("the socket is open");
                    }
                    Message::Pong(_) => {}
                    other => panic!("{other:?}"),
                }
            }
        };
        timeout(PATIENCE, waiting).await.expect("it comes in time")
    }

    async fn watch(&mut self, game: &str) {
        self.send(json!({"t": "watch", "id": "watch", "game": game})).await;
        self.wait_for(|message| message["t"] == "snapshot").await;
    }

    /// Has `count` more pings been asked, and answers them.
    async fn answer_pings(&mut self, count: usize) {
        let wanted = self.pings.len() + count;
        let mut asked = 0;
        while self.pings.len() < wanted {
            asked += 1;
            let id = format!("line-{asked}");
            self.send(json!({"t": "ping", "id": id})).await;
            self.wait_for(|message| message["id"] == *id).await;
        }
    }

    /// Plays a move of the long game, and sees what was given back for it.
    async fn play(&mut self, game: &str, ply: usize) -> (i64, i64) {
        let turn = long_game()[ply];
        let id = format!("move-{ply}");
        self.send(json!({"t": "move", "id": id, "game": game, "ply": ply, "move": turn})).await;
        let event = self.wait_for(|m| m["kind"] == "move" && m["id"] == *id).await;
        let ms = |key: &str| event[key].as_i64().expect("milliseconds");
        (ms("spent_ms"), ms("compensated_ms"))
    }
}

on_both_databases! {
    async fn case_16_whoever_delays_the_answers_gains_no_more_than_the_quota(db: Database) {
        let server = Server::start_with(db, &SETTINGS).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        let game = table.game.clone();
        let mut forger = Line::open(&table.white.client).await;
        forger.watch(&game).await;
        assert_eq!(forger.play(&game, 0).await.1, 0, "a first move costs nothing, and is given nothing");
        table.black.socket.play(&game, 1, long_game()[1]).await;
        // A ping waits for its answer for longer than any line is believed to take.
        hourglass(&server).await;
        forger.answer_pings(1).await;
        let (spent, first) = forger.play(&game, 2).await;
        assert!(spent > QUOTA_MS, "{spent}");
        assert!(first <= QUOTA_MS, "{first} of {spent} ms");
        table.black.socket.play(&game, 3, long_game()[3]).await;
        hourglass(&server).await;
        forger.answer_pings(1).await;
        let (spent, second) = forger.play(&game, 4).await;
        assert!(spent > QUOTA_MS, "{spent}");
        assert!(first + second <= QUOTA_MS + GAIN_MS, "{first} and {second}");
        assert!(first + second > QUOTA_MS / 2, "a line like that is given something: {first} and {second}");
        // What everyone is shown is what was charged.
        let shown = table.black.socket.watch(&game).await;
        let moves = shown["game"]["moves"].as_array().unwrap();
        let (spent, given) = [2, 4].iter().fold((0, 0), |(spent, given), ply| {
            let ms = |key: &str| moves[*ply][key].as_i64().unwrap();
            (spent + ms("spent_ms"), given + ms("compensated_ms"))
        });
        assert_eq!((shown["clock"]["white_ms"].as_i64().unwrap(), given), (60_000 - spent + given, first + second));
    }

    async fn case_16_answers_that_nobody_asked_for_are_worth_nothing(db: Database) {
        let server = Server::start_with(db, &SETTINGS).await;
        let mut table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        let game = table.game.clone();
        let mut liar = Line::open(&table.white.client).await;
        liar.watch(&game).await;
        liar.play(&game, 0).await;
        liar.answer_pings(3).await;
        table.black.socket.play(&game, 1, long_game()[1]).await;
        let old = liar.pings.clone();
        // The other tab is read all the time, and this one is honest but for what it adds.
        let wait = hourglass(&server);
        tokio::pin!(wait);
        loop {
            tokio::select! {
                () = &mut wait => break,
                () = liar.answer_pings(1) => {}
            }
            for payload in old.iter().cloned().chain([Bytes::new(), Bytes::from_static(&[0; 8]), Bytes::from_static(&[7; 100])]) {
                liar.stream.send(Message::Pong(payload)).await.unwrap();
            }
        }
        liar.answer_pings(8).await;
        let (spent, given) = liar.play(&game, 2).await;
        assert!(spent > QUOTA_MS, "{spent}");
        // The loopback takes nothing; a busy machine takes a little.
        assert!(given < QUOTA_MS / 2, "{given} of {spent} ms");
    }

    async fn only_a_player_of_a_game_with_a_clock_is_measured(db: Database) {
        let server = Server::start_with(db, &SETTINGS).await;
        let table = Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        let untimed = Table::by_challenge(&server, "fourfold", None).await;
        let mut lines = [
            Line::open(&server.client()).await,
            Line::open(&table.white.client).await,
            Line::open(&untimed.white.client).await,
        ];
        lines[0].watch(&table.game).await;
        lines[2].watch(&untimed.game).await;
        hourglass(&server).await;
        for line in &mut lines {
            line.send(json!({"t": "ping", "id": "now"})).await;
            line.wait_for(|message| message["id"] == "now").await;
            assert_eq!(line.pings.len(), 0);
        }
        lines[1].watch(&table.game).await;
        lines[1].answer_pings(2).await;
        lines[1].send(json!({"t": "unwatch", "id": "unwatch", "game": table.game})).await;
        lines[1].wait_for(|message| message["id"] == "unwatch").await;
        let before = lines[1].pings.len();
        hourglass(&server).await;
        lines[1].send(json!({"t": "ping", "id": "now"})).await;
        lines[1].wait_for(|message| message["id"] == "now").await;
        assert!(lines[1].pings.len() <= before + 1, "one may have been on its way");
    }
}
