//! How soon the games are back after a crash.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::json;

use super::{players, server};
use crate::Database;
use crate::raw::{Place, RawSocket, text_frame};
use crate::table::long_game;

/// Moves in each game.
const PLIES: usize = 12;
/// Sockets that look whether the games are there.
const LOOKERS: usize = 4;
/// Games that each of them asks for at once; a socket may watch 16.
const AT_ONCE: usize = 16;

/// Since the server's process was started.
#[derive(Clone, Copy, Debug)]
pub struct Back {
    /// Until it took connections.
    pub ready: Duration,
    /// Until a move was acknowledged.
    pub first_move: Duration,
    /// Until every game had been shown to somebody.
    pub all_shown: Duration,
}

/// Kills a server with so many live games and starts it again. One of them was played; the others are copies of it, made in
/// the database, each with players of its own.
///
/// # Errors
/// If a game is not there afterwards.
pub async fn measure(database: Database, games: usize) -> Result<Back> {
    let mut server = server(database).await;
    let mut pairs = Vec::new();
    players::seat(&server, &mut pairs, 1).await?;
    let pair = &mut pairs[0];
    pair.play_plies(PLIES).await?;
    let game = pair.played()[0].game.clone();
    server.kill9().await;
    let mut ids = server.storage().multiply(&game, games - 1).await?;
    ids.push(game.clone());

    let start = Instant::now();
    server.start_again().await;
    let ready = start.elapsed();
    let origin = server.origin();
    let cookie = pair.mover().cookie().context("a guest has a cookie")?;
    let mut mover = RawSocket::open(&origin, Place(1), Some(cookie.to_str()?)).await?;
    let play =
        json!({"t": "move", "id": "back", "game": game, "ply": PLIES, "move": long_game()[PLIES]});
    mover.send(&text_frame(&play.to_string())).await?;
    mover.answer(r#""t":"ack","id":"back""#).await?;
    let first_move = start.elapsed();

    let mut lookers = tokio::task::JoinSet::new();
    for share in ids.chunks(ids.len().div_ceil(LOOKERS)) {
        lookers.spawn(look(origin.clone(), share.to_vec()));
    }
    while let Some(looked) = lookers.join_next().await {
        looked??;
    }
    let all_shown = start.elapsed();
    server.stop().await;
    Ok(Back { ready, first_move, all_shown })
}

/// Has all of these games shown.
async fn look(origin: String, games: Vec<String>) -> Result<()> {
    let mut socket = RawSocket::open(&origin, Place(1), None).await?;
    for some in games.chunks(AT_ONCE) {
        let mut frames = Vec::new();
        for game in some {
            let watch = json!({"t": "watch", "id": "look", "game": game}).to_string();
            let leave = json!({"t": "unwatch", "id": "leave", "game": game}).to_string();
            frames.extend(text_frame(&watch));
            frames.extend(text_frame(&leave));
        }
        socket.send(&frames).await?;
        for game in some {
            socket
                .answer(r#""t":"snapshot""#)
                .await
                .with_context(|| format!("{game} is not there"))?;
        }
    }
    Ok(())
}
