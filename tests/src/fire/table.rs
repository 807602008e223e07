//! Two account holders who play one rated game after another, and write down what they were promised.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use super::{Hall, Life, Line, random};
use crate::socket::connect;
use crate::table::long_game;
use crate::{Client, PATIENCE, Server};

/// No flag falls in it, whatever the machine does meanwhile.
const POOL: &str = "15+10";
/// What a timer of ours may be late by.
const TIMER: Duration = Duration::from_millis(50);
/// So much more time than was taken may be given back: a heartbeat, and what it takes to write it.
const GENEROSITY: Duration = Duration::from_millis(1500);

/// What the server has said about one game.
#[derive(Debug)]
pub(super) struct Record {
    pub id: String,
    /// Moves that were acknowledged to their mover, in order.
    pub moves: Vec<String>,
    /// Whether its end was acknowledged.
    pub ended: bool,
}

/// Everything that was promised at a table, and what was found broken on the way.
#[derive(Debug, Default)]
pub(super) struct Book {
    pub records: Vec<Record>,
    pub broken: Vec<String>,
    /// How many clocks were compared with what they had shown before a kill.
    pub clocks: usize,
    /// By how much one of them had moved more than the server lived, at worst.
    pub worst_charge: Duration,
    /// And by how much less.
    pub worst_gift: Duration,
}

/// Why a life of the server ended for a table.
enum Stop {
    /// The line is gone.
    Line,
    /// The server said something that it must not.
    Broken(String),
}

type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

struct Seat {
    client: Client,
    stream: Option<Stream>,
}

/// A command that was sent and not yet acknowledged.
struct Pending {
    seat: usize,
    command: Value,
}

/// What a running clock showed, and when.
struct Shown {
    /// In which life of the server.
    life: usize,
    plies: usize,
    remaining_ms: i64,
    at: Instant,
}

pub(super) struct Table {
    seats: [Seat; 2],
    /// Which seat plays White now.
    white: usize,
    /// After how many moves the present game is given up.
    length: usize,
    pending: Option<Pending>,
    shown: Option<Shown>,
    book: Book,
    seed: u64,
    /// The life of the server that it plays in.
    life: usize,
    /// Thinks through the long lives instead of moving.
    thinks: bool,
}

impl Table {
    pub(super) async fn new(server: &Server, index: usize, seed: u64) -> Table {
        let mut seats = Vec::new();
        for side in ["a", "b"] {
            let client = server.client();
            client.sign_up(&format!("{side}{index}")).await;
            seats.push(Seat { client, stream: None });
        }
        let seats = seats.try_into().unwrap_or_else(|_| unreachable!("there are two"));
        let (book, seed) = (Book::default(), random(seed, 1_000_000 + index as u64));
        Table {
            seats,
            white: 0,
            length: 0,
            pending: None,
            shown: None,
            book,
            seed,
            life: 0,
            thinks: index.is_multiple_of(2),
        }
    }

    /// Plays through all lives of the server.
    pub(super) async fn play(mut self, hall: Arc<Hall>, mut line: watch::Receiver<Line>) -> Book {
        let mut over = line.clone();
        let mut last = 0;
        loop {
            let next = line
                .wait_for(|line| match line {
                    Line::Up(life) => life.number > last,
                    Line::Over => true,
                })
                .await
                .map(|line| *line);
            let Ok(Line::Up(life)) = next else { return self.book };
            last = life.number;
            let stop = tokio::select! {
                stop = self.live(&hall, life) => stop,
                _ = over.wait_for(|line| *line == Line::Over) => return self.book,
            };
            match stop {
                Stop::Line => {}
                Stop::Broken(why) => {
                    self.book.broken.push(why);
                    return self.book;
                }
            }
        }
    }

    /// Plays until something stops it.
    async fn live(&mut self, hall: &Hall, life: Life) -> Stop {
        match self.try_to_live(hall, life).await {
            Ok(never) => match never {},
            Err(stop) => stop,
        }
    }

    async fn try_to_live(
        &mut self,
        hall: &Hall,
        life: Life,
    ) -> Result<std::convert::Infallible, Stop> {
        self.life = life.number;
        for seat in &mut self.seats {
            let origin = seat.client.origin();
            let stream = connect(&origin, &origin, seat.client.cookie()).await;
            seat.stream = Some(stream.map_err(|_| Stop::Line)?);
        }
        if self.under_way() {
            self.watch(Some(life)).await?;
            if self.thinks && life.is_long() {
                return Err(self.listen().await);
            }
        }
        let turns = long_game();
        loop {
            if let Some(Pending { seat, command }) = &self.pending {
                let (seat, command) = (*seat, command.clone());
                self.command(seat, command).await?;
                hall.first_ack.send_if_modified(|number| {
                    let is_first = *number < life.number;
                    *number = life.number.max(*number);
                    is_first
                });
                continue;
            }
            if !self.under_way() {
                let _alone = hall.pairing.lock().await;
                self.pair().await?;
                continue;
            }
            let Some(Record { id, moves, .. }) = self.book.records.last() else { continue };
            let ply = moves.len();
            let seat = (self.white + ply) % 2;
            let command = if ply < self.length {
                json!({"t": "move", "id": format!("m-{ply}"), "game": id, "ply": ply, "move": turns[ply]})
            } else {
                json!({"t": "resign", "id": "end", "game": id})
            };
            self.pending = Some(Pending { seat, command });
        }
    }

    /// Hears the line out.
    async fn listen(&mut self) -> Stop {
        if let Some(stream) = &mut self.seats[0].stream {
            while let Some(Ok(_)) = stream.next().await {}
        }
        Stop::Line
    }

    fn under_way(&self) -> bool {
        self.book.records.last().is_some_and(|record| !record.ended)
    }

    /// Has the two paired with each other, or finds out that they were.
    async fn pair(&mut self) -> Result<(), Stop> {
        let join = json!({"t": "join_pool", "id": "join", "variant": "fourfold", "time": POOL, "rated": true});
        let mut game = None;
        for seat in 0..2 {
            self.send(seat, &join).await?;
            let answer = self.hear(seat, |heard| heard["id"] == "join").await?;
            match (answer["t"].as_str(), answer["code"].as_str()) {
                (Some("ack"), _) => {}
                // They were paired, and the server was killed before it could say so.
                (_, Some("already_playing" | "already_paired")) => {
                    game = answer["game"].as_str().map(str::to_owned);
                    break;
                }
                _ => return Err(Stop::Broken(format!("joining a pool: {answer}"))),
            }
        }
        let game = match game {
            Some(game) => game,
            None => {
                let paired = self.hear(1, |heard| heard["t"] == "paired").await?;
                paired["game"].as_str().unwrap_or_default().to_owned()
            }
        };
        // Long enough to count, and not all of one length.
        self.length = 2 + (random(self.seed, self.book.records.len() as u64) % 120) as usize;
        self.book.records.push(Record { id: game, moves: Vec::new(), ended: false });
        self.shown = None;
        self.watch(None).await
    }

    /// Watches the present game, and compares what the server has with what it has promised.
    async fn watch(&mut self, life: Option<Life>) -> Result<(), Stop> {
        let Some(record) = self.book.records.last() else { return Ok(()) };
        let watch = json!({"t": "watch", "id": "watch", "game": record.id});
        let mut snapshot = Value::Null;
        for seat in 0..2 {
            self.send(seat, &watch).await?;
            snapshot = self.hear(seat, |heard| heard["id"] == "watch").await?;
            if snapshot["you"] == "white" {
                self.white = seat;
            }
        }
        let Some(record) = self.book.records.last() else { return Ok(()) };
        let found: Vec<&str> = snapshot["game"]["moves"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|played| played["move"].as_str())
            .collect();
        if !found.iter().zip(&record.moves).all(|(found, acknowledged)| found == acknowledged)
            || found.len() < record.moves.len()
            || found.len() > record.moves.len() + 1
        {
            return Err(Stop::Broken(format!(
                "{}: acknowledged {:?}, found {found:?}",
                record.id, record.moves
            )));
        }
        if let (Some(life), Some(shown)) = (life, &self.shown)
            && found.len() == shown.plies
            // A table that has missed a life does not know how long that was.
            && shown.life + 1 == life.number
            && let Some(remaining_ms) = remaining_ms(&snapshot["clock"])
            && let Some((killed, started)) = life.since
        {
            self.book.clocks += 1;
            let charged = u64::try_from(shown.remaining_ms - remaining_ms).unwrap_or_default();
            // Both servers, for as long as each was there.
            let alive = killed.saturating_duration_since(shown.at) + started.elapsed();
            let charged = Duration::from_millis(charged);
            let over = charged.saturating_sub(alive);
            // What the new one takes to start is nobody's thinking time.
            let under = killed.saturating_duration_since(shown.at).saturating_sub(charged);
            self.book.worst_charge = self.book.worst_charge.max(over);
            self.book.worst_gift = self.book.worst_gift.max(under);
            if over > TIMER || under > GENEROSITY {
                let why = format!("{}: {charged:?} charged, alive for {alive:?}", record.id);
                self.book.broken.push(why);
            }
        }
        self.shown = remaining_ms(&snapshot["clock"]).map(|remaining_ms| Shown {
            life: self.life,
            plies: found.len(),
            remaining_ms,
            at: Instant::now(),
        });
        Ok(())
    }

    /// Sends a command, waits for its acknowledgement and writes it down.
    async fn command(&mut self, seat: usize, command: Value) -> Result<(), Stop> {
        self.send(seat, &command).await?;
        let id = command["id"].clone();
        let mut clock = Value::Null;
        let answer = self
            .hear(seat, |heard| {
                if heard["t"] == "event" {
                    clock = heard["clock"].clone();
                }
                heard["id"] == id && heard["t"] != "event"
            })
            .await?;
        if answer["t"] != "ack" {
            return Err(Stop::Broken(format!("{command} was answered by {answer}")));
        }
        self.pending = None;
        let Some(record) = self.book.records.last_mut() else { return Ok(()) };
        match command["move"].as_str() {
            Some(turn) => record.moves.push(turn.to_owned()),
            None => record.ended = true,
        }
        let plies = record.moves.len();
        self.shown = remaining_ms(&clock).map(|remaining_ms| Shown {
            life: self.life,
            plies,
            remaining_ms,
            at: Instant::now(),
        });
        Ok(())
    }

    async fn send(&mut self, seat: usize, message: &Value) -> Result<(), Stop> {
        let stream = self.seats[seat].stream.as_mut().ok_or(Stop::Line)?;
        stream.send(Message::text(message.to_string())).await.map_err(|_| Stop::Line)
    }

    async fn hear(
        &mut self,
        seat: usize,
        mut wanted: impl FnMut(&Value) -> bool,
    ) -> Result<Value, Stop> {
        let stream = self.seats[seat].stream.as_mut().ok_or(Stop::Line)?;
        let hearing = async {
            while let Some(Ok(frame)) = stream.next().await {
                if let Message::Text(text) = frame
                    && let Ok(heard) = serde_json::from_str::<Value>(&text)
                    && wanted(&heard)
                {
                    return Some(heard);
                }
            }
            None
        };
        match timeout(PATIENCE, hearing).await {
            Ok(Some(heard)) => Ok(heard),
            Ok(None) => Err(Stop::Line),
            Err(_) => Err(Stop::Broken("the server is up and says nothing".to_owned())),
        }
    }
}

/// What the running clock shows.
fn remaining_ms(clock: &Value) -> Option<i64> {
    clock[format!("{}_ms", clock["running"].as_str()?)].as_i64()
}
