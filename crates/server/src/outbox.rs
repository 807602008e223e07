//! The way from a game or the lobby to one socket: bounded, and never waited for.

use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// How many notices a socket may have unread.
const CAPACITY: usize = 256;

/// Which socket, within this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnId(pub u64);

/// Where to put what one socket is to be told.
#[derive(Debug)]
pub struct Outbox<T> {
    pub conn: ConnId,
    notices: mpsc::Sender<T>,
    /// Fires when the socket has fallen too far behind: it is closed then, and its client comes back and resyncs.
    overflow: CancellationToken,
}

impl<T> Clone for Outbox<T> {
    fn clone(&self) -> Self {
        Self { conn: self.conn, notices: self.notices.clone(), overflow: self.overflow.clone() }
    }
}

impl<T> Outbox<T> {
    /// An outbox and its other end. Several outboxes of a socket share its `overflow`.
    pub fn new(conn: ConnId, overflow: CancellationToken) -> (Self, mpsc::Receiver<T>) {
        let (notices, receiver) = mpsc::channel(CAPACITY);
        (Self { conn, notices, overflow }, receiver)
    }

    /// Never waits: a reader that is too slow is given up instead of slowing others.
    pub fn push(&self, notice: T) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.notices.try_send(notice) {
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
        assert_eq!(receiver.try_recv(), Ok(0), "what was there is still there");
    }
}
