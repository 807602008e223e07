//! What a socket answers, counted by code.

use crate::error::Code;
use crate::game::notice::GameNotice;
use crate::lobby::handle::LobbyNotice;
use crate::metrics::Metrics;

impl Metrics {
    pub(super) fn refused(&self, code: Code) {
        self.answers.add(&code.as_text(), "");
    }

    fn done(&self) {
        self.answers.add("ok", "");
    }

    pub(super) fn game_answers(&self, notice: &GameNotice) {
        if let GameNotice::Refused { why, .. } = notice {
            self.refused(why.into());
        } else if matches!(notice, GameNotice::Ack { .. }) {
            self.done();
        }
    }

    pub(super) fn lobby_answers(&self, notice: &LobbyNotice) {
        if let LobbyNotice::Refused { why, .. } = notice {
            self.refused(why.into());
        } else if matches!(notice, LobbyNotice::Ack { .. }) {
            self.done();
        }
    }
}
