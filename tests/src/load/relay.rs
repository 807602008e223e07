//! The floor: a server that parses a message, writes it anew and passes it to the other side of the pair. It has a process
//! of its own, as the real one does: within the generator's, half of what a message costs would be saved.

use std::collections::HashMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, Result};
use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, State};
use axum::routing::get;
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::Command;
use tokio::sync::mpsc;
use tokio_tungstenite::tungstenite::Message as ClientMessage;

use super::{Figures, Load, together};
use crate::socket::{Stream, open};

/// Messages that may wait for a slow reader.
const CAPACITY: usize = 64;

/// Where the messages for each side of each pair go.
type Sides = Arc<Mutex<HashMap<(u32, u32), mpsc::Sender<String>>>>;

/// The argument with which this program is the relay and nothing else.
pub const SERVE: &str = "--serve-relay";

/// Passes messages on for ever. Says where on the standard output.
///
/// # Errors
/// If it cannot listen.
pub async fn serve() -> Result<()> {
    let router = Router::new().route("/{pair}/{side}", get(upgrade)).with_state(Sides::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}

/// What the load comes to where nothing is done but to pass it on.
///
/// # Errors
/// If the relay does not get up, or a line breaks.
pub async fn measure(load: Load) -> Result<Figures> {
    let mut relay = Command::new(std::env::current_exe()?);
    relay.arg(SERVE).stdin(Stdio::null()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut relay = relay.spawn()?;
    let pid = relay.id().context("the relay runs")?;
    let said = relay.stdout.take().context("it is piped")?;
    let address = BufReader::new(said).lines().next_line().await?.context("it says where it is")?;
    let mut pairs = Vec::new();
    for pair in 0..load.games {
        let mut sides = Vec::new();
        for side in 0..2 {
            sides.push(open(format!("ws://{address}/{pair}/{side}")).await?);
        }
        // Both are known to the relay once each has heard something.
        for side in &mut sides {
            side.next().await.context("the relay greets")??;
        }
        pairs.push(async move {
            let mut figures = Figures::new();
            let played = play(sides, load, pair, &mut figures).await;
            (played, figures)
        });
    }
    let (played, figures) = together(pid, pairs).await;
    relay.kill().await?;
    played.into_iter().collect::<Result<Vec<()>>>()?;
    Ok(figures)
}

async fn play(
    mut sides: Vec<Stream>,
    load: Load,
    index: usize,
    figures: &mut Figures,
) -> Result<()> {
    let end = Instant::now() + load.time;
    let mut turns = load.turns(index);
    // As long as what the server sends with a move.
    let padding = "x".repeat(1_000);
    for ply in 0.. {
        if Instant::now() >= end {
            break;
        }
        let since = turns.next().await;
        let message = json!({"t": "move", "id": ply.to_string(), "ply": ply, "move": "a1@00a1@01", "padding": padding});
        sides[ply % 2].send(ClientMessage::text(message.to_string())).await?;
        let received = sides[1 - ply % 2].next().await.context("the relay is open")??;
        // Looked at as the players look at what they hear.
        let is_it = received.to_text()?.contains(&format!(r#""ply":{ply}"#));
        anyhow::ensure!(is_it, "another message was passed on");
        figures.note(since);
    }
    Ok(())
}

async fn upgrade(
    State(sides): State<Sides>,
    Path((pair, side)): Path<(u32, u32)>,
    upgrade: WebSocketUpgrade,
) -> axum::response::Response {
    upgrade.read_buffer_size(4096).on_upgrade(move |socket| pass_on(sides, pair, side, socket))
}

async fn pass_on(sides: Sides, pair: u32, side: u32, mut socket: WebSocket) {
    let (sender, mut mine) = mpsc::channel(CAPACITY);
    sides.lock().unwrap_or_else(PoisonError::into_inner).insert((pair, side), sender);
    if socket.send(Message::text("{}")).await.is_err() {
        return;
    }
    loop {
        let done = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    let Ok(message) = serde_json::from_str::<Value>(&text) else { return };
                    let other = sides.lock().unwrap_or_else(PoisonError::into_inner).get(&(pair, 1 - side)).cloned();
                    match other {
                        Some(other) => other.send(message.to_string()).await.is_ok(),
                        None => false,
                    }
                }
                Some(Ok(_)) => true,
                Some(Err(_)) | None => false,
            },
            message = mine.recv() => match message {
                Some(message) => socket.send(Message::text(message)).await.is_ok(),
                None => false,
            },
        };
        if !done {
            return;
        }
    }
}
