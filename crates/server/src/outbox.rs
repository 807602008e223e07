//! The way from a game or the lobby to one socket: bounded, and never waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// How many notices a socket may have unread.
const CAPACITY: usize = 256;

/// Which socket, within this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnId(pub u64);

/// How long a socket's line takes: measured by the socket, read by the games that it plays.
#[derive(Clone, Debug, Default)]
pub struct LineLag(Arc<AtomicI64>);

impl LineLag {
    /// In milliseconds; 0 where nothing has been measured.
    pub fn ms(&self) -> i64 {
        // A number of its own: nothing else is read by it.
        self.0.load(Ordering::Relaxed)
    }

    pub fn set_ms(&self, ms: i64) {
        self.0.store(ms, Ordering::Relaxed);
    }
}

/// Where to put what one socket is to be told.
#[derive(Debug)]
pub struct Outbox<T> {
    pub conn: ConnId,
    pub lag: LineLag,
    notices: mpsc::Sender<Box<T>>,
    /// Fires when the socket has fallen too far behind: it is closed then, and its client comes back and resyncs.
    overflow: CancellationToken,
}

/// The other end. Notices lie in boxes: a channel takes room for many at once, and most sockets wait and hear nothing.
#[derive(Debug)]
pub struct Inbox<T>(mpsc::Receiver<Box<T>>);

impl<T> Inbox<T> {
    /// The next notice; `None` when all outboxes are gone.
    pub async fn recv(&mut self) -> Option<Box<T>> {
        self.0.recv().await
    }

    /// The next notice, if there is one already.
    pub fn try_recv(&mut self) -> Option<Box<T>> {
        self.0.try_recv().ok()
    }

    /// What is put here from now on goes nowhere.
    pub fn close(&mut self) {
        self.0.close();
    }
}

impl<T> Clone for Outbox<T> {
    fn clone(&self) -> Self {
        Self {
            conn: self.conn,
            lag: self.lag.clone(),
            notices: self.notices.clone(),
            overflow: self.overflow.clone(),
        }
    }
}

impl<T> Outbox<T> {
    /// An outbox and its other end. Several outboxes of a socket share its `overflow`.
    pub fn new(conn: ConnId, overflow: CancellationToken) -> (Self, Inbox<T>) {
        let (notices, receiver) = mpsc::channel(CAPACITY);
        (Self { conn, lag: LineLag::default(), notices, overflow }, Inbox(receiver))
    }

    /// Whether the socket is gone, and nobody hears what is put here.
    pub fn is_closed(&self) -> bool {
        self.notices.is_closed()
    }

    /// Never waits: a reader that is too slow is given up instead of slowing others.
    pub fn push(&self, notice: T) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.notices.try_send(Box::new(notice)) {
            self.overflow.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_outbox_gives_the_socket_up() {
        let overflow = CancellationToken::new();
        let (outbox, mut receiver) = Outbox::new(ConnId(1), overflow.clone());
        for n in 0..CAPACITY {
            outbox.push(n);
        }
        assert!(!overflow.is_cancelled());
        outbox.push(CAPACITY);
        assert!(overflow.is_cancelled());
        assert_eq!(receiver.try_recv().as_deref(), Some(&0), "what was there is still there");
    }
}
