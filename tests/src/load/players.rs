//! Pairs of guests who play the long game against each other over the real sockets.

use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use futures_util::{SinkExt as _, StreamExt as _, TryStreamExt as _};
use reqwest::StatusCode;
use serde_json::json;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use super::{Figures, Load, Turns, together};
use crate::socket::{Stream, connect};
use crate::table::long_game;
use crate::{Client, PATIENCE, Server};

/// Long enough that no flag falls while a machine is saturated.
const BASE_MS: u64 = 3_600_000;
/// So many sit down at once.
const AT_ONCE: usize = 8;

struct Seat {
    client: Client,
    socket: Stream,
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its id.
    pub game: String,
    /// How many moves of the long game the opponent has received.
    pub plies: usize,
    /// Whether both have been told that it has ended.
    pub ended: bool,
}

/// Two guests, and the games that they have played, of which the last is under way.
pub struct Pair {
    seats: [Seat; 2],
    played: Vec<Played>,
    fault: Option<String>,
}

/// Seats pairs until there are so many; each has a game.
///
/// # Errors
/// If the server refuses any of them.
pub async fn seat(server: &Server, pairs: &mut Vec<Pair>, count: usize) -> Result<()> {
    let missing = count.saturating_sub(pairs.len());
    let seating = futures_util::stream::iter((0..missing).map(|_| Pair::sit(server)));
    pairs.extend(seating.buffer_unordered(AT_ONCE).try_collect::<Vec<_>>().await?);
    Ok(())
}

/// Has all of them play for a while, on the server with this process.
pub async fn play(pid: u32, pairs: Vec<Pair>, load: Load) -> (Vec<Pair>, Figures) {
    let playing =
        pairs.into_iter().enumerate().map(|(index, pair)| pair.play(load, index)).collect();
    together(pid, playing).await
}

impl Pair {
    async fn sit(server: &Server) -> Result<Pair> {
        let seats = [Seat::take(server).await?, Seat::take(server).await?];
        let mut pair = Pair { seats, played: Vec::new(), fault: None };
        pair.begin().await?;
        Ok(pair)
    }

    /// What the server did that it must not.
    pub fn fault(&self) -> Option<&str> {
        self.fault.as_deref()
    }

    /// All games so far.
    pub fn played(&self) -> &[Played] {
        &self.played
    }

    /// Whose move is next in the present game, as the server's cookies know the player.
    pub fn mover(&self) -> &Client {
        let plies = self.played.last().map_or(0, |played| played.plies);
        &self.seats[plies % 2].client
    }

    /// Plays one game after another until the time is over.
    async fn play(mut self, load: Load, index: usize) -> (Pair, Figures) {
        let mut figures = Figures::new();
        let end = Instant::now() + load.time;
        let mut turns = load.turns(index);
        while self.fault.is_none() && Instant::now() < end {
            if let Err(error) = self.measure_one(&mut turns, &mut figures).await {
                self.fault = Some(format!("{error:#}"));
            }
        }
        (self, figures)
    }

    /// One move, when it is due. Before a new game has begun, none is.
    async fn measure_one(&mut self, turns: &mut Turns, figures: &mut Figures) -> Result<()> {
        if self.is_at_end() {
            self.begin_anew().await?;
            turns.begin_anew();
        }
        let since = turns.next().await;
        self.go_on().await?;
        figures.note(since);
        Ok(())
    }

    /// So many moves.
    ///
    /// # Errors
    /// If the server refuses one.
    pub async fn play_plies(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            if self.is_at_end() {
                self.begin_anew().await?;
            }
            self.go_on().await?;
        }
        Ok(())
    }

    /// Whether all moves of the long game have been made.
    fn is_at_end(&self) -> bool {
        self.played.last().is_some_and(|played| played.plies == long_game().len())
    }

    async fn begin_anew(&mut self) -> Result<()> {
        self.end().await?;
        self.begin().await
    }

    /// One move.
    async fn go_on(&mut self) -> Result<()> {
        let turns = long_game();
        let Some(Played { game, plies, .. }) = self.played.last_mut() else { return Ok(()) };
        let ply = *plies;
        let message = json!({"t": "move", "id": format!("m-{ply}"), "game": game, "ply": ply, "move": turns[ply]});
        self.seats[ply % 2].send(&message).await?;
        self.seats[1 - ply % 2].hear(&[r#""kind":"move""#, &format!(r#""ply":{ply},"#)]).await?;
        *plies += 1;
        Ok(())
    }

    async fn end(&mut self) -> Result<()> {
        let Some(played) = self.played.last_mut() else { return Ok(()) };
        let game = &played.game;
        self.seats[0].send(&json!({"t": "resign", "id": "end", "game": game})).await?;
        for seat in &mut self.seats {
            seat.hear(&[r#""kind":"ended""#]).await?;
            seat.send(&json!({"t": "unwatch", "id": "leave", "game": game})).await?;
        }
        played.ended = true;
        Ok(())
    }

    /// A casual game by challenge, watched by both.
    async fn begin(&mut self) -> Result<()> {
        let challenge =
            self.seats[0].client.challenge("fourfold", "white", Some((BASE_MS, 0))).await;
        let accept = format!("/api/v1/challenges/{challenge}/accept");
        let accepted = self.seats[1].client.post(&accept, json!({})).await.expect(StatusCode::OK);
        let game = accepted["game"].as_str().context("a game has an id")?.to_owned();
        for seat in &mut self.seats {
            seat.send(&json!({"t": "watch", "id": "watch", "game": game})).await?;
            seat.hear(&[r#"{"t":"snapshot""#]).await?;
        }
        self.played.push(Played { game, plies: 0, ended: false });
        Ok(())
    }
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

    /// Reads until a message with all of these in its text comes; acknowledgements and one's own moves are passed over. To
    /// parse them would cost this machine, on which the server runs as well, about as much as it does to write them.
    async fn hear(&mut self, wanted: &[&str]) -> Result<()> {
        let hearing = async {
            loop {
                let frame = self.socket.next().await.context("the server closed the socket")??;
                let Message::Text(text) = frame else { continue };
                if ["refused", "closing"].iter().any(|end| is_kind(&text, end)) {
                    bail!("{text}");
                }
                if wanted.iter().all(|part| text.contains(part)) {
                    return Ok(());
                }
            }
        };
        timeout(PATIENCE, hearing).await.context("the server says nothing")?
    }
}

/// Whether a message is of this kind: that is the first thing that it says.
fn is_kind(text: &str, kind: &str) -> bool {
    text.strip_prefix(r#"{"t":""#).is_some_and(|rest| rest.starts_with(kind))
}
