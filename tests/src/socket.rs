//! One tab's WebSocket.

use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt as _, StreamExt as _};
use reqwest::header::{self, HeaderValue};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async_with_config};

use crate::PATIENCE;

pub(crate) type Stream = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// An open socket. A task of its own reads it, as a browser does, so that pings are answered while a story looks elsewhere.
pub struct Socket {
    sink: SplitSink<Stream, Message>,
    incoming: mpsc::UnboundedReceiver<Incoming>,
    /// What has come and nobody has asked for yet, in order.
    inbox: Vec<Value>,
    reader: AbortHandle,
    /// The server's first words.
    pub hello: Value,
}

enum Incoming {
    Message(Value),
    Closed(Option<CloseFrame>),
}

impl Socket {
    /// Opens one and reads the greeting.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn open(origin: &str, cookie: Option<HeaderValue>) -> Socket {
        Socket::on(connect(origin, origin, cookie).await.expect("the socket opens")).await
    }

    /// Opens one as a program does, which shows a token and comes from no page.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn by_token(origin: &str, token: &str) -> Socket {
        Socket::on(connect_by_token(origin, token).await.expect("the socket opens")).await
    }

    async fn on(stream: Stream) -> Socket {
        let (sink, stream) = stream.split();
        #[expect(
            clippy::disallowed_methods,
            reason = "a story is not a server, and must not slow its own reader"
        )]
        let (sender, incoming) = mpsc::unbounded_channel();
        let reader = tokio::spawn(read(stream, sender)).abort_handle();
        let mut socket = Socket { sink, incoming, inbox: Vec::new(), reader, hello: Value::Null };
        socket.hello = socket.wait("hello").await;
        socket
    }

    /// Sends a frame as it is.
    ///
    /// # Panics
    /// If the socket is closed.
    pub async fn send_raw(&mut self, frame: Message) {
        self.sink.send(frame).await.expect("the socket is open");
    }

    /// The same, where the server may have closed the socket already.
    pub async fn try_send_raw(&mut self, frame: Message) {
        _ = self.sink.send(frame).await;
    }

    /// Sends a message as it is.
    pub async fn send(&mut self, message: &Value) {
        self.send_raw(Message::text(message.to_string())).await;
    }

    /// Sends a command, with a fresh `id` if it has none, and waits for what carries that `id`.
    ///
    /// # Panics
    /// If nothing does.
    pub async fn ask(&mut self, mut command: Value) -> Value {
        if command.get("id").is_none() {
            command["id"] = json!(fresh_id());
        }
        self.send(&command).await;
        let id = &command["id"];
        let answers =
            ["ack", "refused", "snapshot", "replay", "lobby", "pong", "legal", "explained"];
        self.wait_for(&format!("an answer to {command}"), |message| {
            message["id"] == *id && answers.iter().any(|t| message["t"] == *t)
        })
        .await
    }

    /// Sends a command that must be done.
    ///
    /// # Panics
    /// If it is not.
    pub async fn done(&mut self, command: Value) -> Value {
        let answer = self.ask(command.clone()).await;
        assert_eq!(answer["t"], "ack", "{command} was answered by {answer}");
        answer
    }

    /// Sends a command that must be refused, for this reason.
    ///
    /// # Panics
    /// If it is not.
    pub async fn refused(&mut self, command: Value, code: &str) -> Value {
        let answer = self.ask(command.clone()).await;
        assert_refusal(&answer, code);
        answer
    }

    /// Plays a move.
    pub async fn play(&mut self, game: &str, ply: usize, turn: &str) -> Value {
        self.done(json!({"t": "move", "game": game, "ply": ply, "move": turn})).await
    }

    /// Watches a game from the start; the snapshot.
    ///
    /// # Panics
    /// If there is none.
    pub async fn watch(&mut self, game: &str) -> Value {
        let answer = self.ask(json!({"t": "watch", "game": game})).await;
        assert_eq!(answer["t"], "snapshot", "{answer}");
        answer
    }

    /// Waits for a message with this `t`.
    pub async fn wait(&mut self, t: &str) -> Value {
        self.wait_for(t, |message| message["t"] == t).await
    }

    /// Waits for an event of this kind in a game.
    pub async fn event(&mut self, game: &str, kind: &str) -> Value {
        let wanted = |message: &Value| {
            message["t"] == "event" && message["game"] == game && message["kind"] == kind
        };
        self.wait_for(kind, wanted).await
    }

    /// Waits for the event with this number in a game.
    pub async fn numbered(&mut self, game: &str, seq: u64) -> Value {
        let wanted = |message: &Value| {
            message["t"] == "event" && message["game"] == game && message["seq"] == seq
        };
        self.wait_for(&format!("event {seq}"), wanted).await
    }

    /// Takes the first message that fits, out of those that have come or will.
    ///
    /// # Panics
    /// If none does in time, or the socket is closed before.
    pub async fn wait_for(&mut self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(index) = self.inbox.iter().position(&fits) {
            return self.inbox.remove(index);
        }
        let waiting = async {
            loop {
                match self.incoming.recv().await {
                    Some(Incoming::Message(message)) if fits(&message) => break message,
                    Some(Incoming::Message(message)) => self.inbox.push(message),
                    Some(Incoming::Closed(frame)) => {
                        panic!(
                            "closed ({frame:?}) while waiting for {what}; so far {:#?}",
                            self.inbox
                        )
                    }
                    None => panic!("closed while waiting for {what}; so far {:#?}", self.inbox),
                }
            }
        };
        match timeout(PATIENCE, waiting).await {
            Ok(message) => message,
            Err(_) => panic!("{what} did not come; so far {:#?}", self.inbox),
        }
    }

    /// All that a game has told up to now, without what was asked for already. Shows that something did *not* come: what
    /// the game had told before it took this question would lie before the answer.
    pub async fn told_by(&mut self, game: &str) -> Vec<Value> {
        self.watch(game).await;
        std::mem::take(&mut self.inbox)
    }

    /// The same for the lobby; whoever waits in a pool leaves it.
    pub async fn told_by_lobby(&mut self) -> Vec<Value> {
        self.ask(json!({"t": "leave_pool"})).await;
        std::mem::take(&mut self.inbox)
    }

    /// Everything that comes until the server closes the socket, or is gone.
    ///
    /// # Panics
    /// If it stays open.
    pub async fn rest(&mut self) -> Vec<Value> {
        self.closed().await;
        std::mem::take(&mut self.inbox)
    }

    /// Waits until the server closes the socket; the reason that it gave in `closing`, if it did.
    ///
    /// # Panics
    /// If it does not close it.
    pub async fn closed(&mut self) -> Option<String> {
        let waiting = async {
            while let Some(Incoming::Message(message)) = self.incoming.recv().await {
                self.inbox.push(message);
            }
        };
        assert!(timeout(PATIENCE, waiting).await.is_ok(), "the server does not close the socket");
        let closing = self.inbox.iter().find(|message| message["t"] == "closing")?;
        closing["reason"].as_str().map(str::to_owned)
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        // With its half of the stream, the connection goes too.
        self.reader.abort();
    }
}

/// An id for a command that nobody has used.
fn fresh_id() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    format!("c-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A refusal must carry this code and a sentence.
///
/// # Panics
/// If it does not.
#[track_caller]
pub fn assert_refusal(answer: &Value, code: &str) {
    assert_eq!((&answer["t"], &answer["code"]), (&json!("refused"), &json!(code)), "{answer}");
    let detail = answer["detail"].as_str().unwrap_or_default();
    assert!(detail.len() > 10, "this explains nothing: {answer}");
}

/// Asks for a socket, from a page of `page_origin`.
///
/// # Errors
/// If the server refuses.
pub async fn connect(
    origin: &str,
    page_origin: &str,
    cookie: Option<HeaderValue>,
) -> Result<Stream, Error> {
    let url = format!("{}/api/v1/socket", origin.replacen("http", "ws", 1));
    let mut request = url.into_client_request()?;
    request
        .headers_mut()
        .insert(header::ORIGIN, HeaderValue::from_str(page_origin).expect("an origin is ASCII"));
    if let Some(cookie) = cookie {
        request.headers_mut().insert(header::COOKIE, cookie);
    }
    open(request).await
}

/// Asks for a socket, as a program does.
///
/// # Errors
/// If the server refuses.
pub async fn connect_by_token(origin: &str, token: &str) -> Result<Stream, Error> {
    let url = format!("{}/api/v1/socket", origin.replacen("http", "ws", 1));
    let mut request = url.into_client_request()?;
    let shown = format!("Bearer {token}").parse().expect("a token is ASCII");
    request.headers_mut().insert(header::AUTHORIZATION, shown);
    open(request).await
}

/// Opens a socket with buffers for messages as long as ours. Those it has by itself are cleared before each message is read:
/// 128 KiB of zeros for a kilobyte. Nothing waits for more to be sent with it, as nothing does in a browser.
///
/// # Errors
/// If it is refused.
pub(crate) async fn open(request: impl IntoClientRequest + Unpin) -> Result<Stream, Error> {
    let config = WebSocketConfig::default().read_buffer_size(4096);
    Ok(connect_async_with_config(request, Some(config), true).await?.0)
}

async fn read(mut stream: SplitStream<Stream>, sender: mpsc::UnboundedSender<Incoming>) {
    while let Some(frame) = stream.next().await {
        let incoming = match frame {
            Ok(Message::Text(text)) => {
                Incoming::Message(serde_json::from_str(&text).expect("the server sends JSON"))
            }
            Ok(Message::Close(frame)) => Incoming::Closed(frame),
            Ok(Message::Ping(_) | Message::Pong(_)) => continue,
            Ok(Message::Binary(_) | Message::Frame(_)) => panic!("the server sends text frames"),
            Err(_) => Incoming::Closed(None),
        };
        if sender.send(incoming).is_err() {
            return;
        }
    }
}
