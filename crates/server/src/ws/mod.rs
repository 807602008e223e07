//! The WebSocket: one task a socket, which reads commands, hands them on, and writes what it is told.

use std::collections::HashSet;
use std::num::NonZeroU32;
use std::pin::pin;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{FromRequestParts, State};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Response};
use futures_util::SinkExt as _;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use tokio::time::Instant;
use tracing::{Instrument as _, Span};

use crate::blocks::Blocked;
use crate::error::{ApiError, Code};
use crate::game::event::Event;
use crate::game::notice::{GameNotice, Parting};
use crate::http::address::ClientPlace;
use crate::http::origin;
use crate::http::session::{MaybePlayer, shown};
use crate::ids::GameId;
use crate::lobby::handle::LobbyNotice;
use crate::lobby::pool::PoolKey;
use crate::outbox::{Inbox, Outbox};
use crate::player::Player;
use crate::state::{AppState, SocketPlace, Sockets};
use closing::Closing;
use lobby::LobbyView;
use meter::Meter;
use protocol::server::{CloseReason, ServerMessage};

mod asked;
mod closing;
mod counted;
mod lobby;
mod meter;
pub mod protocol;

/// The longest frame that is read at all: between this and [`protocol::client::MAX_FRAME`] it is refused with a reason.
const MAX_READ: usize = 64 * 1024;
/// So much is read at once.
const READ_BUFFER: usize = 512;
/// A client that does not take what it is sent for so long is given up.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a silent line is tried.
const PING: Duration = Duration::from_secs(15);
/// A line from which nothing has come for so long is dead.
const DEAD_AFTER: Duration = Duration::from_secs(45);
/// So many messages are read, and not heeded, from a client that is told that its socket is closed.
const FAREWELL: usize = 256;

/// `GET /api/v1/socket`. The origin is looked at before anything else: what is wrong with it is wrong for everyone.
pub async fn upgrade(
    State(app): State<AppState>,
    headers: HeaderMap,
    parts: Parts,
) -> Result<Response, ApiError> {
    origin::check(&app, &headers)?;
    let mut parts = parts;
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, &app)
        .await
        .map_err(|e| ApiError::new(Code::BadRequest, e.body_text()))?;
    let ClientPlace(address) = ClientPlace::from_request_parts(&mut parts, &app).await?;
    let too_many = || ApiError::new(Code::TooManySockets, "There are too many open connections.");
    let session = shown(&app, &headers).map(|shown| shown.token);
    let place = SocketPlace::take(&app, address, session).ok_or_else(too_many)?;
    let MaybePlayer(player) = MaybePlayer::from_request_parts(&mut parts, &app).await?;
    let place = match &player {
        Some(player) => place.of(player.id).ok_or_else(too_many)?,
        None => place,
    };
    let token = app.sockets.tasks.token();
    // What happens on the socket is found by the request that opened it.
    let span = Span::current();
    Ok(upgrade
        .max_message_size(MAX_READ)
        .max_frame_size(MAX_READ)
        // A socket that is idle costs little: the default buffer is 128 KiB. Hardly a message is longer than this.
        .read_buffer_size(READ_BUFFER)
        .on_upgrade(move |socket| {
            // Made before the task, it is there once: what a task is given and passes on keeps its room in it.
            let mut connection = Connection::new(app, socket, player, place);
            async move {
                connection.run().instrument(span).await;
                drop((connection, token));
            }
        })
        .into_response())
}

/// Why a connection ends.
enum End {
    /// The client has gone, on purpose or not, or does not read.
    Gone(Parting),
    Closed(CloseReason),
}

/// One socket.
struct Connection {
    app: AppState,
    socket: WebSocket,
    player: Option<Player>,
    place: SocketPlace,
    game_outbox: Outbox<GameNotice>,
    game_notices: Inbox<GameNotice>,
    lobby_outbox: Outbox<LobbyNotice>,
    lobby_notices: Inbox<LobbyNotice>,
    /// In which pool the player waits, as far as this socket has been told.
    waiting: Option<PoolKey>,
    /// What has been told of the lobby, while this socket looks at it.
    lobby_view: Option<Box<LobbyView>>,
    closing: Closing,
    watched: HashSet<GameId>,
    /// Those of them that the player plays and whose clocks run: while there are some, the line is measured.
    timed: HashSet<GameId>,
    meter: Meter,
    ping_at: Instant,
    haste: DefaultDirectRateLimiter,
    strikes: u32,
    heard_at: Instant,
}

impl Connection {
    fn new(app: AppState, socket: WebSocket, player: Option<Player>, place: SocketPlace) -> Self {
        let closing = Closing::new(app.stop.clone(), place.session_ended.clone());
        let (game_outbox, game_notices) = Outbox::new(place.conn, closing.overflow());
        let (lobby_outbox, lobby_notices) = Outbox::new(place.conn, closing.overflow());
        let at_least_one = |n| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_second(at_least_one(app.config.limits.commands_per_second))
            .allow_burst(at_least_one(app.config.limits.commands_burst));
        Self {
            app,
            socket,
            player,
            place,
            game_outbox,
            game_notices,
            lobby_outbox,
            lobby_notices,
            waiting: None,
            lobby_view: None,
            closing,
            watched: HashSet::new(),
            timed: HashSet::new(),
            meter: Meter::default(),
            ping_at: Instant::now() + PING,
            haste: RateLimiter::direct(quota),
            strikes: 0,
            heard_at: Instant::now(),
        }
    }

    async fn run(&mut self) {
        if let Some(player) = &self.player {
            let connecting = self.app.lobby.connect(player.id, self.lobby_outbox.clone());
            Box::pin(connecting).await;
        }
        let end = self.talk().await;
        Box::pin(self.leave(end)).await;
    }

    /// Tells everyone that it is over.
    async fn leave(&mut self, end: End) {
        // What the lobby has not begun yet comes from nobody now.
        self.lobby_notices.close();
        if let Some(player) = &self.player {
            self.app.lobby.disconnect(player.id, self.place.conn).await;
        }
        let parting = match end {
            End::Gone(parting) => parting,
            End::Closed(_) => Parting::Lost,
        };
        // A `watch` that is still on its way to a game is known there to come from nobody.
        self.game_notices.close();
        for game in std::mem::take(&mut self.watched) {
            self.unwatch(game, parting).await;
        }
        match end {
            End::Gone(_) => {}
            End::Closed(reason) => {
                let last_words = async {
                    let message = ServerMessage::Closing { reason }.to_json();
                    self.socket.send(Message::text(message)).await?;
                    self.socket.send(Message::Close(None)).await?;
                    // What is still on its way is read: closed over unread data, a line is reset, and the client may
                    // never see the words. Of a flood, some is: whoever sends on has the rest of the time to read.
                    for _ in 0..FAREWELL {
                        let Some(Ok(_)) = self.socket.recv().await else { return Ok(()) };
                    }
                    std::future::pending::<Result<(), axum::Error>>().await
                };
                // Whoever does not listen does not hear it.
                _ = tokio::time::timeout(Duration::from_secs(1), last_words).await;
            }
        }
    }

    async fn talk(&mut self) -> End {
        let hello = ServerMessage::hello(self.player.as_ref(), self.app.assets.hash());
        if let Err(end) = Box::pin(self.send(hello)).await {
            return end;
        }
        let closing = self.closing.clone();
        // Made anew on each turn, it would be put on a list and taken off it.
        let mut closing = pin!(closing.reason());
        let mut ping = pin!(tokio::time::sleep_until(self.ping_at));
        loop {
            if ping.deadline() != self.ping_at {
                ping.as_mut().reset(self.ping_at);
            }
            // What is done about something is kept in a box until it is done: most sockets wait, and have none.
            let done = tokio::select! {
                reason = &mut closing => Err(End::Closed(reason)),
                message = self.socket.recv() => match message {
                    Some(Ok(message)) => Box::pin(self.read(message)).await,
                    Some(Err(_)) | None => Err(End::Gone(Parting::Lost)),
                },
                Some(notice) = self.game_notices.recv() => Box::pin(self.send_game_notices(notice)).await,
                Some(notice) = self.lobby_notices.recv() => {
                    self.app.metrics.lobby_answers(&notice);
                    if let LobbyNotice::Pool { waiting } = &*notice {
                        self.waiting = *waiting;
                    }
                    Box::pin(self.send(protocol::lobby::lobby_notice(&notice))).await
                }
                due = lobby::due(&mut self.lobby_view) => Box::pin(self.tell_lobby(due)).await,
                () = &mut ping => Box::pin(self.ping()).await,
            };
            if let Err(end) = done {
                return end;
            }
        }
    }

    async fn ping(&mut self) -> Result<(), End> {
        if self.heard_at.elapsed() >= DEAD_AFTER {
            return Err(End::Gone(Parting::Lost));
        }
        let now = Instant::now();
        if self.timed.is_empty() {
            self.ping_at = now + PING;
            return self.put(Message::Ping(Bytes::new())).await;
        }
        self.ping_at = now + self.app.config.game.lag_ping();
        match self.meter.ask(now.into_std(), rand::random()) {
            Some(payload) => self.put(Message::Ping(Bytes::copy_from_slice(&payload))).await,
            // The last one is still on its way, and says as well whether somebody is there.
            None => Ok(()),
        }
    }

    /// Whether the player's time depends on this line from now on.
    fn heed(&mut self, notice: &GameNotice) {
        match notice {
            GameNotice::Snapshot { view, .. } | GameNotice::Replay { view, .. } => {
                let state = &view.state;
                let game = state.setup().id;
                let plays = self.player.as_ref().is_some_and(|p| state.color_of(p.id).is_some());
                let is_timed = plays && state.end().is_none() && state.setup().time.is_real_time();
                if !(is_timed && self.watched.contains(&game)) {
                    self.timed.remove(&game);
                } else if self.timed.insert(game) && self.timed.len() == 1 {
                    self.ping_at = Instant::now();
                }
            }
            GameNotice::Event(told) => {
                if matches!(told.notice.logged.event, Event::Ended { .. }) {
                    self.timed.remove(&told.notice.game);
                }
            }
            GameNotice::Asked { .. }
            | GameNotice::Presence { .. }
            | GameNotice::Ack { .. }
            | GameNotice::Chat { .. }
            | GameNotice::Said { .. }
            | GameNotice::Refused { .. } => {}
        }
    }

    async fn send(&mut self, text: String) -> Result<(), End> {
        self.put(Message::text(text)).await
    }

    /// Sends all that has gathered with one flush.
    async fn send_game_notices(&mut self, first: Box<GameNotice>) -> Result<(), End> {
        let mut next = Some(first);
        while let Some(mut notice) = next {
            self.heed(&notice);
            if self.hears(&mut notice).await {
                self.app.metrics.game_answers(&notice);
                let message = Message::text(words(&self.app.sockets, &notice).await);
                bounded(&self.closing, self.socket.feed(message)).await?;
            }
            next = self.game_notices.try_recv();
        }
        bounded(&self.closing, self.socket.flush()).await
    }

    /// Leaves out what was said by players whom this one has blocked. `false` if nothing is left to tell.
    async fn hears(&mut self, notice: &mut GameNotice) -> bool {
        let Some(me) = self.player.as_ref().map(|player| player.id) else { return true };
        if notice.lines().iter().all(|line| line.by.id == me) {
            return true;
        }
        // While that cannot be known, others are not heard: better that than whom one has blocked.
        let blocked = Box::pin(self.app.blocks.of(me)).await.ok();
        notice.keep_lines(|line| {
            let is_blocked = |blocked: &Blocked| blocked.contains(&line.by.id);
            line.by.id == me || blocked.as_ref().is_some_and(|blocked| !is_blocked(blocked))
        })
    }

    async fn put(&mut self, message: Message) -> Result<(), End> {
        bounded(&self.closing, self.socket.send(message)).await
    }

    async fn unwatch(&mut self, game: GameId, parting: Parting) {
        if let Some(handle) = self.app.registry.find(game) {
            handle.unwatch(self.place.conn, parting).await;
        }
    }
}

/// A notice as it is sent. A whole game is long to tell: many who ask at once are told one after the other, and moves get
/// through between them.
async fn words(sockets: &Sockets, notice: &GameNotice) -> Utf8Bytes {
    let _turn = match notice {
        GameNotice::Snapshot { .. } | GameNotice::Replay { .. } => {
            sockets.telling.acquire().await.ok()
        }
        GameNotice::Asked { .. }
        | GameNotice::Event(_)
        | GameNotice::Presence { .. }
        | GameNotice::Ack { .. }
        | GameNotice::Chat { .. }
        | GameNotice::Said { .. }
        | GameNotice::Refused { .. } => None,
    };
    protocol::game::game_notice(notice)
}

/// What a socket is sent must be taken within a time.
async fn bounded(
    closing: &Closing,
    sending: impl Future<Output = Result<(), axum::Error>>,
) -> Result<(), End> {
    tokio::select! {
        // Most often it is taken at once.
        biased;
        sent = tokio::time::timeout(SEND_TIMEOUT, sending) => match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone(Parting::Lost)),
            Err(_) => Err(End::Closed(CloseReason::Slow)),
        },
        reason = closing.reason() => Err(End::Closed(reason)),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::poll;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::game::tests::view;
    use crate::ids::CommandId;

    /// The size of what a function's future keeps.
    fn size<T, F: Future>(_: impl FnOnce(T) -> F) -> usize {
        size_of::<F>()
    }

    #[tokio::test]
    async fn whole_games_are_told_one_after_the_other_and_moves_between_them() {
        let sockets = Sockets::new(CancellationToken::new());
        let telling = sockets.telling.acquire().await.expect("it is never closed");
        let (id, game) = (CommandId::numbered("w", 1), GameId::new());
        let whole = GameNotice::Snapshot { id: None, you: None, view: view() };
        let mut whole = pin!(words(&sockets, &whole));
        assert!(poll!(whole.as_mut()).is_pending());
        let ack = GameNotice::Ack { id, game, seq: 1 };
        assert!(poll!(pin!(words(&sockets, &ack))).is_ready());
        drop(telling);
        assert!(poll!(whole.as_mut()).is_ready());
    }

    /// Most sockets wait: what is seldom needed is not kept room for in each of them.
    #[test]
    fn the_task_of_a_socket_is_small() {
        let size =
            size_of::<Connection>() + size(|connection: &'static mut Connection| connection.run());
        assert!(size <= 1536, "{size} bytes");
    }
}
