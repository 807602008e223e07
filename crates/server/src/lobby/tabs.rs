//! Which tabs each player has open, and who comes back in a moment.

use std::collections::HashMap;

use super::handle::LobbyNotice;
use crate::ids::PlayerId;
use crate::outbox::{ConnId, Outbox};
use crate::time::Timestamp;

/// Whoever signs up has all tabs closed, as their session is spent, and opens them again as an account. For so long the
/// player is not gone.
const COMES_BACK_MS: i64 = 10_000;

/// The tabs of everyone who has some.
#[derive(Default)]
pub(super) struct Tabs {
    open: HashMap<PlayerId, Vec<Outbox<LobbyNotice>>>,
    /// Who has signed up, and until when they may have no tab.
    coming_back: HashMap<PlayerId, Timestamp>,
}

impl Tabs {
    pub(super) fn open(&mut self, player: PlayerId, outbox: Outbox<LobbyNotice>) {
        if !self.any(player) {
            self.coming_back.remove(&player);
        }
        self.open.entry(player).or_default().push(outbox);
    }

    /// Whether the player has gone with that tab.
    pub(super) fn close(&mut self, player: PlayerId, conn: ConnId) -> bool {
        let Some(tabs) = self.open.get_mut(&player) else { return false };
        tabs.retain(|outbox| outbox.conn != conn);
        if !tabs.is_empty() {
            return false;
        }
        self.open.remove(&player);
        !self.coming_back.contains_key(&player)
    }

    /// The player's tabs are about to be closed, to be opened again.
    pub(super) fn sign_up(&mut self, player: PlayerId, now: Timestamp) {
        if self.any(player) {
            self.coming_back.insert(player, now.plus_ms(COMES_BACK_MS));
        }
    }

    /// Who has not come back in time.
    pub(super) fn stayed_away(&mut self, now: Timestamp) -> Vec<PlayerId> {
        let late: Vec<PlayerId> =
            self.coming_back.extract_if(|_, until| *until <= now).map(|(id, _)| id).collect();
        late.into_iter().filter(|player| !self.any(*player)).collect()
    }

    /// Whether somebody is waited for.
    pub(super) fn is_anyone_coming_back(&self) -> bool {
        !self.coming_back.is_empty()
    }

    pub(super) fn any(&self, player: PlayerId) -> bool {
        self.open.contains_key(&player)
    }

    pub(super) fn of(&self, player: PlayerId) -> impl Iterator<Item = &Outbox<LobbyNotice>> {
        self.open.get(&player).into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio_util::sync::CancellationToken;

    fn tab(number: u64) -> Outbox<LobbyNotice> {
        Outbox::new(ConnId(number), CancellationToken::new()).0
    }

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_ms(ms)
    }

    #[test]
    fn a_player_goes_with_the_last_tab() {
        let (mut tabs, player) = (Tabs::default(), PlayerId::new());
        tabs.open(player, tab(1));
        tabs.open(player, tab(2));
        assert!(!tabs.close(player, ConnId(1)));
        assert!(!tabs.close(player, ConnId(1)), "it is closed already");
        assert!(tabs.close(player, ConnId(2)));
        assert!(!tabs.any(player) && !tabs.close(player, ConnId(2)));
    }

    #[test]
    fn whoever_signs_up_has_a_while_to_come_back() {
        let (mut tabs, player) = (Tabs::default(), PlayerId::new());
        tabs.sign_up(player, at(0));
        assert!(!tabs.is_anyone_coming_back(), "there was no tab to be closed");
        tabs.open(player, tab(1));
        tabs.sign_up(player, at(0));
        // The new tab may be there before the old one is closed, or after it.
        tabs.open(player, tab(2));
        assert!(!tabs.close(player, ConnId(1)) && !tabs.close(player, ConnId(2)));
        assert_eq!(tabs.stayed_away(at(COMES_BACK_MS - 1)), []);
        tabs.open(player, tab(3));
        assert!(!tabs.is_anyone_coming_back(), "here they are");
        assert!(tabs.close(player, ConnId(3)));

        tabs.open(player, tab(4));
        tabs.sign_up(player, at(0));
        assert!(!tabs.close(player, ConnId(4)));
        assert_eq!(tabs.stayed_away(at(COMES_BACK_MS)), [player]);
        assert_eq!(tabs.stayed_away(at(COMES_BACK_MS)), []);
        // Who has a tab by then is not away.
        tabs.open(player, tab(5));
        tabs.sign_up(player, at(0));
        assert_eq!(tabs.stayed_away(at(COMES_BACK_MS)), []);
        assert!(tabs.close(player, ConnId(5)));
    }
}
