//! When a socket has to be closed although its client wants more, and why.

use tokio_util::sync::CancellationToken;

use super::protocol::server::CloseReason;

/// Three causes, of which each includes the ones after it: so a socket waits for the last, and is on one list.
#[derive(Clone, Debug)]
pub(super) struct Closing {
    stop: CancellationToken,
    session_ended: CancellationToken,
    overflow: CancellationToken,
}

impl Closing {
    /// `session_ended` fires with `stop`, or alone.
    pub(super) fn new(stop: CancellationToken, session_ended: CancellationToken) -> Self {
        let overflow = session_ended.child_token();
        Self { stop, session_ended, overflow }
    }

    /// To be fired when the client lets what it is told pile up.
    pub(super) fn overflow(&self) -> CancellationToken {
        self.overflow.clone()
    }

    /// Waits until one of them has come about.
    pub(super) async fn reason(&self) -> CloseReason {
        self.overflow.cancelled().await;
        if self.stop.is_cancelled() {
            CloseReason::Restart
        } else if self.session_ended.is_cancelled() {
            CloseReason::Session
        } else {
            CloseReason::Slow
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn each_cause_has_its_reason() {
        for (cause, reason) in
            [CloseReason::Restart, CloseReason::Session, CloseReason::Slow].into_iter().enumerate()
        {
            let stop = CancellationToken::new();
            let session_ended = stop.child_token();
            let closing = Closing::new(stop.clone(), session_ended.clone());
            [stop, session_ended, closing.overflow()][cause].cancel();
            assert_eq!(closing.reason().await, reason);
        }
    }
}
