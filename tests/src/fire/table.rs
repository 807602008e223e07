//! Two account holders who play one rated game after another, and write down what they were promised.

mod clock;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval_at, sleep, timeout};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

use clock::{Expected, Shown, remaining_ms};

use super::{Hall, Life, Line, Manner, random};
use crate::socket::connect;
use crate::table::long_game;
use crate::{Client, PATIENCE, Server};

/// No flag falls in it, whatever the machine does meanwhile.
const POOL: &str = "15+10";
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
    /// Clocks that were shown with the server's absence charged, until their games said that they go on.
    pub shown_early: usize,
    /// By how much one of them had moved more than the server lived, at worst.
    pub worst_charge: Duration,
    /// And by how much less.
    pub worst_gift: Duration,
    /// What was sent while the database could be away.
    pub attempts: Vec<Attempt>,
    /// Commands to which nothing was said.
    pub unanswered: usize,
}

/// A command and its answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attempt {
    pub sent: Instant,
    pub answered: Instant,
    /// Not acknowledged but refused.
    pub refused: bool,
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
    /// The number of the last event of the present game that it was told; none before it watches.
    seq: Option<u64>,
}

/// A command that was sent and not yet acknowledged.
struct Pending {
    seat: usize,
    command: Value,
}

pub(super) struct Table {
    seats: [Seat; 2],
    /// Which seat plays White now.
    white: usize,
    /// After how many moves the present game is given up.
    length: usize,
    pending: Option<Pending>,
    shown: Option<Shown>,
    /// What a clock has to show that was shown too early.
    expected: Option<Expected>,
    /// When a command was sent that was refused because the database is away.
    refused: Option<Instant>,
    /// How much of an outage a clock may be charged for.
    charged: Duration,
    /// What the last event said of the clock.
    clock: Value,
    /// Has had something acknowledged since the database is back.
    went_on: bool,
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
            seats.push(Seat { client, stream: None, seq: None });
        }
        let seats = seats.try_into().unwrap_or_else(|_| unreachable!("there are two"));
        let (book, seed) = (Book::default(), random(seed, 1_000_000 + index as u64));
        Table {
            seats,
            white: 0,
            length: 0,
            pending: None,
            shown: None,
            expected: None,
            refused: None,
            charged: Duration::ZERO,
            clock: Value::Null,
            went_on: false,
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
            match (stop, hall.manner) {
                (Stop::Line, Manner::Hasty) => {}
                (Stop::Line, Manner::Paced { .. }) => {
                    self.book.broken.push("a player was dropped".to_owned());
                    return self.book;
                }
                (Stop::Broken(why), _) => {
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
            seat.seq = None;
        }
        if self.under_way() {
            self.expected = None;
            self.watch(hall, Some(life)).await?;
            if self.thinks && life.is_long() {
                return Err(self.listen().await);
            }
        }
        let turns = long_game();
        let mut ticks = match hall.manner {
            Manner::Hasty => None,
            Manner::Paced { between, charged, .. } => {
                self.charged = charged;
                // The tables take turns.
                let first = between.mul_f64(self.seed as f64 / u64::MAX as f64);
                let mut ticks = interval_at(tokio::time::Instant::now() + first, between);
                ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
                Some(ticks)
            }
        };
        loop {
            if let Some(Pending { seat, command }) = &self.pending {
                let (seat, command) = (*seat, command.clone());
                self.command(seat, command, hall).await?;
                hall.first_ack.send_if_modified(|number| {
                    let is_first = *number < life.number;
                    *number = life.number.max(*number);
                    is_first
                });
                continue;
            }
            if !self.under_way() {
                let alone = self.meanwhile(hall.pairing.lock()).await?;
                if !self.pair(hall).await? {
                    drop(alone);
                    self.wait_after_refusal(hall).await?;
                }
                continue;
            }
            if let Some(ticks) = &mut ticks {
                self.meanwhile(ticks.tick()).await?;
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

    /// Has the two paired with each other, or finds out that they were. False if the database is away.
    async fn pair(&mut self, hall: &Hall) -> Result<bool, Stop> {
        let join = json!({"t": "join_pool", "id": "join", "variant": "fourfold", "time": POOL, "rated": true});
        let mut game = None;
        for seat in 0..2 {
            self.send(seat, &join).await?;
            let sent = Instant::now();
            let answer = self.hear(seat, |heard| heard["id"] == "join").await?;
            match (answer["t"].as_str(), answer["code"].as_str()) {
                (Some("ack"), _) => {}
                (_, Some("storage_unavailable")) if hall.manner.may_be_refused() => {
                    self.note_attempt(hall, sent, true);
                    return Ok(false);
                }
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
                let sent = Instant::now();
                let is_answer = |heard: &Value| {
                    heard["t"] == "paired" || heard["t"] == "refused" && heard["id"].is_null()
                };
                let paired = self.hear(1, is_answer).await?;
                if paired["code"] == "storage_unavailable" && hall.manner.may_be_refused() {
                    self.note_attempt(hall, sent, true);
                    return Ok(false);
                }
                match (paired["t"].as_str(), paired["game"].as_str()) {
                    (Some("paired"), Some(game)) => game.to_owned(),
                    (_, _) => return Err(Stop::Broken(format!("waiting in a pool: {paired}"))),
                }
            }
        };
        self.leave().await?;
        // Long enough to count, and not all of one length.
        self.length = 2 + (random(self.seed, self.book.records.len() as u64) % 120) as usize;
        self.book.records.push(Record { id: game, moves: Vec::new(), ended: false });
        self.shown = None;
        self.expected = None;
        self.refused = None;
        self.watch(hall, None).await?;
        Ok(true)
    }

    /// Watches the game before no more: a socket has room for a few.
    async fn leave(&mut self) -> Result<(), Stop> {
        let Some(record) = self.book.records.last() else { return Ok(()) };
        let unwatch = json!({"t": "unwatch", "id": "unwatch", "game": record.id});
        for seat in 0..2 {
            self.send(seat, &unwatch).await?;
            let answer = self.hear(seat, |heard| heard["id"] == "unwatch").await?;
            if answer["t"] != "ack" {
                return Err(Stop::Broken(format!("{unwatch} was answered by {answer}")));
            }
        }
        Ok(())
    }

    /// Watches the present game, and compares what the server has with what it has promised.
    async fn watch(&mut self, hall: &Hall, life: Option<Life>) -> Result<(), Stop> {
        let Some(record) = self.book.records.last() else { return Ok(()) };
        let game = record.id.clone();
        let mut snapshot = Value::Null;
        let mut sent = Instant::now();
        for seat in 0..2 {
            (sent, snapshot) = self.look(hall, seat, &game).await?;
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
        let plies = found.len();
        if let Some(life) = life {
            self.compare_after_kill(life, plies, remaining_ms(&snapshot["clock"]));
        }
        self.shown = Shown::since(sent, self.life, plies, &snapshot["clock"]);
        Ok(())
    }

    /// A seat's snapshot of a game, and when it was asked for; again and again while the database is away.
    async fn look(
        &mut self,
        hall: &Hall,
        seat: usize,
        game: &str,
    ) -> Result<(Instant, Value), Stop> {
        let watch = json!({"t": "watch", "id": "watch", "game": game});
        loop {
            let sent = Instant::now();
            self.send(seat, &watch).await?;
            let answer = self.hear(seat, |heard| heard["id"] == "watch").await?;
            match Shows::of(&answer, hall.manner) {
                Shows::Game => return Ok((sent, answer)),
                Shows::Nothing => self.wait_after_refusal(hall).await?,
                Shows::Fault(why) => return Err(Stop::Broken(format!("watching {game}: {why}"))),
            }
        }
    }

    /// Sends a command, waits for its acknowledgement and writes it down; or waits until it may be sent again.
    async fn command(&mut self, seat: usize, command: Value, hall: &Hall) -> Result<(), Stop> {
        let sent = Instant::now();
        // A retry of what was done already is acknowledged without an event: what the clock shows is not known then.
        self.clock = Value::Null;
        self.send(seat, &command).await?;
        let id = command["id"].clone();
        let answer = self.hear(seat, |heard| heard["id"] == id && heard["t"] != "event").await?;
        if answer["code"] == "storage_unavailable" && hall.manner.may_be_refused() {
            self.note_attempt(hall, sent, true);
            self.refused.get_or_insert(sent);
            return self.wait_after_refusal(hall).await;
        }
        if answer["t"] != "ack" {
            return Err(Stop::Broken(format!("{command} was answered by {answer}")));
        }
        self.note_attempt(hall, sent, false);
        if self.expected.take().is_some() {
            let why = format!("{command}: the clock was charged and never corrected");
            self.book.broken.push(why);
        }
        self.pending = None;
        let Some(record) = self.book.records.last_mut() else { return Ok(()) };
        match command["move"].as_str() {
            Some(turn) => record.moves.push(turn.to_owned()),
            None => record.ended = true,
        }
        let plies = record.moves.len();
        self.refused = None;
        self.shown = Shown::since(sent, self.life, plies, &self.clock);
        Ok(())
    }

    fn note_attempt(&mut self, hall: &Hall, sent: Instant, refused: bool) {
        match hall.manner {
            Manner::Hasty => {}
            Manner::Paced { .. } => {
                self.book.attempts.push(Attempt { sent, answered: Instant::now(), refused });
                if !refused && !self.went_on && hall.returned.get().is_some() {
                    self.went_on = true;
                    hall.went_on.send_modify(|tables| *tables += 1);
                }
            }
        }
    }

    async fn wait_after_refusal(&mut self, hall: &Hall) -> Result<(), Stop> {
        match hall.manner {
            Manner::Hasty => Ok(()),
            Manner::Paced { again, .. } => self.meanwhile(sleep(again)).await,
        }
    }

    /// Waits for something, and hears what both seats are told in the meantime: a player who thinks answers pings.
    async fn meanwhile<T>(&mut self, wait: impl Future<Output = T>) -> Result<T, Stop> {
        let mut wait = std::pin::pin!(wait);
        loop {
            let [one, other] = &mut self.seats;
            let (seat, frame) = tokio::select! {
                biased;
                done = &mut wait => return Ok(done),
                frame = next(&mut one.stream) => (0, frame?),
                frame = next(&mut other.stream) => (1, frame?),
            };
            self.note(seat, &frame);
        }
    }

    /// What every message is looked at for, whoever waits for something else.
    fn note(&mut self, seat: usize, heard: &Value) {
        let Some(Record { id: game, .. }) = self.book.records.last() else { return };
        let seq = heard["seq"].as_u64();
        match heard["t"].as_str() {
            Some("snapshot") if heard["game"]["id"] == game.as_str() => {
                self.seats[seat].seq = seq;
            }
            Some("event") if heard["game"] == game.as_str() => {
                let game = game.clone();
                let last = self.seats[seat].seq;
                if last.is_some() && last.map(|last| last + 1) != seq {
                    self.book.broken.push(format!("{game}: {seq:?} was told after {last:?}"));
                }
                let is_news = self.seats[1 - seat].seq < seq;
                self.seats[seat].seq = seq;
                self.clock = heard["clock"].clone();
                if is_news && heard["kind"] == "resumed" {
                    self.note_resumed(&game);
                }
            }
            Some(_) | None => {}
        }
    }

    async fn send(&mut self, seat: usize, message: &Value) -> Result<(), Stop> {
        let stream = self.seats[seat].stream.as_mut().ok_or(Stop::Line)?;
        stream.send(Message::text(message.to_string())).await.map_err(|_| Stop::Line)
    }

    async fn hear(&mut self, seat: usize, wanted: impl Fn(&Value) -> bool) -> Result<Value, Stop> {
        let hearing = async {
            loop {
                let heard = next(&mut self.seats[seat].stream).await?;
                self.note(seat, &heard);
                if wanted(&heard) {
                    return Ok(heard);
                }
            }
        };
        match timeout(PATIENCE, hearing).await {
            Ok(heard) => heard,
            Err(_) => {
                self.book.unanswered += 1;
                Err(Stop::Broken("the server is up and says nothing".to_owned()))
            }
        }
    }
}

/// What the answer to a `watch` is.
#[derive(Debug, PartialEq)]
enum Shows {
    /// The whole game, and which seat is the asker's.
    Game,
    /// Nothing yet: the database is away, and may be.
    Nothing,
    /// What must not be answered to a player.
    Fault(String),
}

impl Shows {
    fn of(answer: &Value, manner: Manner) -> Shows {
        let is_seated = ["white", "black"].iter().any(|color| answer["you"] == *color);
        match (answer["t"].as_str(), answer["code"].as_str()) {
            (Some("snapshot"), _) if is_seated => Shows::Game,
            (Some("refused"), Some("storage_unavailable")) if manner.may_be_refused() => {
                Shows::Nothing
            }
            (_, _) => Shows::Fault(answer.to_string()),
        }
    }
}

/// The next message that is one.
async fn next(stream: &mut Option<Stream>) -> Result<Value, Stop> {
    let stream = stream.as_mut().ok_or(Stop::Line)?;
    while let Some(Ok(frame)) = stream.next().await {
        if let Message::Text(text) = frame
            && let Ok(heard) = serde_json::from_str(&text)
        {
            return Ok(heard);
        }
    }
    Err(Stop::Line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_player_s_snapshot_shows_the_game() {
        let between = Duration::from_secs(1);
        let paced = Manner::Paced { between, again: between, charged: between };
        let snapshot = json!({"t": "snapshot", "id": "watch", "you": "black"});
        let away = json!({"t": "refused", "id": "watch", "code": "storage_unavailable"});
        for manner in [paced, Manner::Hasty] {
            assert_eq!(Shows::of(&snapshot, manner), Shows::Game);
            for wrong in [
                json!({"t": "snapshot", "id": "watch", "you": null}),
                json!({"t": "refused", "id": "watch", "code": "not_found"}),
                json!({"t": "ack", "id": "watch", "you": "white"}),
                json!({"t": "replay", "id": "watch", "you": "white"}),
            ] {
                assert_eq!(Shows::of(&wrong, manner), Shows::Fault(wrong.to_string()));
            }
        }
        assert_eq!(Shows::of(&away, paced), Shows::Nothing);
        assert_eq!(Shows::of(&away, Manner::Hasty), Shows::Fault(away.to_string()));
    }
}
