//! Sockets made by hand, for those who do things wrong on purpose, and for thousands that must cost next to nothing: the
//! handshake is a text, frames are prepared once, and what comes is looked through as it is.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use crate::PATIENCE;

/// What a masked frame says about itself at the most.
const HEAD: usize = 14;
/// What the server says when it does not do what it is asked.
const WRONG: [&[u8]; 2] = [br#"{"t":"refused""#, br#"{"t":"closing""#];

/// One line, and what has come on it and was not looked at yet.
#[derive(Debug)]
pub struct RawSocket {
    /// For whoever wants to do something else with it.
    pub stream: TcpStream,
    unread: Vec<u8>,
}

/// Which of the machine's many own addresses a client has: those of `127.0.0.0/8` are all there, so that troublemakers and
/// players do not share a bound.
#[derive(Clone, Copy, Debug)]
pub struct Place(pub u8);

/// Opens a line.
///
/// # Errors
/// If nobody listens.
pub async fn dial(
    origin: &str,
    place: Place,
    receive_buffer: Option<u32>,
) -> io::Result<TcpStream> {
    let address: SocketAddr = authority(origin).parse().map_err(io::Error::other)?;
    let socket = TcpSocket::new_v4()?;
    if let Some(bytes) = receive_buffer {
        socket.set_recv_buffer_size(bytes)?;
    }
    let from = IpAddr::V4(Ipv4Addr::new(127, 0, 0, place.0));
    // Not every system has all of them; then everyone comes from the same.
    _ = socket.bind(SocketAddr::new(from, 0));
    socket.connect(address).await
}

/// What stands in `Host`.
pub fn authority(origin: &str) -> &str {
    origin.trim_start_matches("http://")
}

impl RawSocket {
    /// Opens a line and has it upgraded.
    ///
    /// # Errors
    /// If it is refused.
    pub async fn open(origin: &str, place: Place, cookie: Option<&str>) -> io::Result<RawSocket> {
        let stream = dial(origin, place, None).await?;
        RawSocket::upgrade(stream, origin, cookie).await
    }

    /// Has a line upgraded.
    ///
    /// # Errors
    /// If it is refused.
    pub async fn upgrade(
        mut stream: TcpStream,
        origin: &str,
        cookie: Option<&str>,
    ) -> io::Result<RawSocket> {
        let cookie = cookie.map(|cookie| format!("Cookie: {cookie}\r\n")).unwrap_or_default();
        let host = authority(origin);
        let request = format!(
            "GET /api/v1/socket HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bWFuaWZvbGQgdGVzdHMhIQ==\r\n{cookie}\r\n"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut socket = RawSocket { stream, unread: Vec::new() };
        let head = socket.hear("\r\n\r\n").await?;
        if head.starts_with("HTTP/1.1 101") { Ok(socket) } else { Err(io::Error::other(head)) }
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// If the line is gone.
    pub async fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// Reads until `needle` has come, and a little of what follows it; all that came since the last time. Frames' heads are
    /// among it.
    ///
    /// # Errors
    /// If the line ends before.
    pub async fn hear(&mut self, needle: &str) -> io::Result<String> {
        let mut from = 0;
        loop {
            if let Some(at) = find(&self.unread[from..], needle.as_bytes()) {
                return Ok(self.take(from + at + needle.len()));
            }
            // It may have come in part.
            from = self.unread.len().saturating_sub(needle.len());
            self.read_more().await?;
        }
    }

    /// The same for the answer to a command: a refusal that comes instead is not waited past.
    ///
    /// # Errors
    /// If the line ends, the command is refused, or nothing comes in time.
    pub async fn answer(&mut self, needle: &str) -> io::Result<String> {
        let answering = async {
            loop {
                let wanted = find(&self.unread, needle.as_bytes());
                let refused = WRONG.iter().filter_map(|wrong| find(&self.unread, wrong)).min();
                if let Some(at) = refused.filter(|at| wanted.is_none_or(|wanted| *at < wanted)) {
                    // It says why at its end.
                    while find(&self.unread[at..], b"}").is_none() {
                        self.read_more().await?;
                    }
                    let told = String::from_utf8_lossy(&self.unread[at..]);
                    return Err(io::Error::other(format!("instead of {needle}: {told}")));
                }
                if let Some(at) = wanted {
                    return Ok(self.take(at + needle.len()));
                }
                self.read_more().await?;
            }
        };
        timeout(PATIENCE, answering).await.unwrap_or_else(|late| Err(late.into()))
    }

    async fn read_more(&mut self) -> io::Result<()> {
        match self.stream.read_buf(&mut self.unread).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    /// What has come, up to `end`.
    fn take(&mut self, end: usize) -> String {
        let rest = self.unread.split_off(end);
        let heard = String::from_utf8_lossy(&self.unread).into_owned();
        self.unread = rest;
        heard
    }

    /// Reads and forgets, until the other side closes the line.
    pub async fn drain(&mut self) {
        self.unread = vec![0; 2048];
        while matches!(self.stream.read(&mut self.unread).await, Ok(1..)) {}
    }
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len()).position(|window| window == needle)
}

/// A client's text frame. Its mask is zero, so that the text stays what it is.
pub fn text_frame(text: &str) -> Vec<u8> {
    frame(0x81, text.as_bytes())
}

/// A client's frame with this first byte: `0x81` is a text, `0x82` is binary.
pub fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(payload.len() + HEAD);
    frame.push(first);
    match u16::try_from(payload.len()) {
        Ok(length @ 0..126) => frame.push(0x80 | u8::try_from(length).unwrap_or(0)),
        Ok(length) => {
            frame.push(0x80 | 126);
            frame.extend(length.to_be_bytes());
        }
        Err(_) => {
            frame.push(0x80 | 127);
            frame.extend((payload.len() as u64).to_be_bytes());
        }
    }
    frame.extend([0; 4]);
    frame.extend(payload);
    frame
}

/// The number that follows `"name":` in what was heard, the last one.
pub fn number(heard: &str, name: &str) -> Option<u64> {
    let (_, after) = heard.rsplit_once(&format!("\"{name}\":"))?;
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    after[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::net::TcpListener;

    /// What comes of waiting for an acknowledgement, with this on the line and nothing after it.
    async fn answer(told: &str) -> Result<String, String> {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let stream = TcpStream::connect(listener.local_addr().expect("it is bound")).await;
        let (mut server, _) = listener.accept().await.expect("somebody comes");
        server.write_all(told.as_bytes()).await.expect("it is read");
        drop(server);
        let mut socket = RawSocket { stream: stream.expect("it listens"), unread: Vec::new() };
        socket.answer(r#"{"t":"ack""#).await.map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn a_refusal_is_not_taken_for_an_answer() {
        let (ack, event) = (r#"{"t":"ack","id":"m"}"#, r#"{"t":"event","seq":7}"#);
        let refused = r#"{"t":"refused","id":"m","code":"storage_unavailable"}"#;
        let heard = answer(&format!("{event}{ack}{refused}")).await;
        assert_eq!(heard, Ok(format!(r#"{event}{{"t":"ack""#)));
        let error = answer(&format!("{event}{refused}{ack}")).await.expect_err("it was refused");
        assert!(error.contains("storage_unavailable"), "{error}");
        answer(event).await.expect_err("the line ends");
    }
}
