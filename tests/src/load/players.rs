//! Pairs of guests who play the long game against each other over the real sockets.

use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use futures_util::{SinkExt as _, StreamExt as _};
use manifold_tests::socket::connect;
use manifold_tests::table::long_game;
use manifold_tests::{Client, Server};
use reqwest::StatusCode;
use serde::Deserialize;
use serde_json::json;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use crate::{Figures, Load, together};

/// Long enough that no flag falls while a machine is saturated.
const BASE_MS: u64 = 3_600_000;

struct Seat {
    client: Client,
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

/// As much of a message as it takes to know it.
#[derive(Deserialize)]
struct Heard {
    t: String,
    kind: Option<String>,
    ply: Option<usize>,
}

pub(crate) async fn measure(server: &Server, load: Load) -> Result<Figures> {
    let mut pairs = Vec::new();
    for index in 0..load.games {
        let mut seats = [Seat::take(server).await?, Seat::take(server).await?];
        let game = begin(&mut seats).await?;
        pairs.push(play(seats, game, load, index));
    }
    together(pairs).await
}

/// Plays one game after another until the time is over.
async fn play(mut seats: [Seat; 2], mut game: String, load: Load, index: usize) -> Result<Figures> {
    let turns = long_game();
    let mut figures = Figures::new()?;
    let end = Instant::now() + load.time;
    let mut ticks = load.ticks(index);
    let mut ply = 0;
    while Instant::now() < end {
        if ply == turns.len() {
            seats[0].send(&json!({"t": "resign", "id": "end", "game": game})).await?;
            for seat in &mut seats {
                seat.hear(|heard| heard.kind.as_deref() == Some("ended")).await?;
                seat.send(&json!({"t": "unwatch", "id": "leave", "game": game})).await?;
            }
            game = begin(&mut seats).await?;
            ply = 0;
        }
        if let Some(ticks) = &mut ticks {
            ticks.tick().await;
        }
        let message = json!({"t": "move", "id": format!("m-{ply}"), "game": game, "ply": ply, "move": turns[ply]});
        let sent = Instant::now();
        seats[ply % 2].send(&message).await?;
        seats[1 - ply % 2]
            .hear(|heard| heard.kind.as_deref() == Some("move") && heard.ply == Some(ply))
            .await?;
        figures.note(sent);
        ply += 1;
    }
    Ok(figures)
}

/// A casual game by challenge, watched by both.
async fn begin(seats: &mut [Seat; 2]) -> Result<String> {
    let challenge = seats[0].client.challenge("fourfold", "white", Some((BASE_MS, 0))).await;
    let accept = format!("/api/v1/challenges/{challenge}/accept");
    let accepted = seats[1].client.post(&accept, json!({})).await.expect(StatusCode::OK);
    let game = accepted["game"].as_str().context("a game has an id")?.to_owned();
    for seat in seats {
        seat.send(&json!({"t": "watch", "id": "watch", "game": game})).await?;
        seat.hear(|heard| heard.t == "snapshot").await?;
    }
    Ok(game)
}

impl Seat {
    async fn take(server: &Server) -> Result<Seat> {
        let client = server.client();
        client.be_guest().await;
        let socket = connect(&server.origin(), &server.origin(), client.cookie()).await?;
        Ok(Seat { client, socket })
    }

    async fn send(&mut self, message: &serde_json::Value) -> Result<()> {
        Ok(self.socket.send(Message::text(message.to_string())).await?)
    }

    /// Reads until this comes. Acknowledgements and one's own moves are passed over.
    async fn hear(&mut self, wanted: impl Fn(&Heard) -> bool) -> Result<()> {
        loop {
            let frame = self.socket.next().await.context("the server closed the socket")??;
            let Message::Text(text) = frame else { continue };
            let heard: Heard = serde_json::from_str(&text)?;
            if heard.t == "refused" || heard.t == "closing" {
                bail!("{text}");
            }
            if wanted(&heard) {
                return Ok(());
            }
        }
    }
}
