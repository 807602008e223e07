//! Waiting in a pool, and being paired.

use rand::RngExt as _;

use super::unsure::{Begun, Of};
use super::{LobbyActor, MAX_WAITING};
use crate::game::clock::TimeControl;
use crate::game::registry::Beginning;
use crate::ids::PlayerId;
use crate::lobby::challenge::SeatChoice;
use crate::lobby::handle::{LobbyNotice, LobbyRefusal};
use crate::lobby::pool::{PoolKey, Waiting};
use crate::lobby::seating::{Origin, seated};
use crate::player::{Player, PlayerKind};
use crate::store::StoreError;

/// So many pairs are made before whoever has asked something meanwhile is served: after an outage thousands may fit.
const PAIRS_AT_ONCE: usize = 10;

impl LobbyActor {
    pub(super) async fn join(&mut self, player: Player, key: PoolKey) -> Result<(), LobbyRefusal> {
        if key.rated && player.kind == PlayerKind::Guest {
            return Err(LobbyRefusal::GuestsPlayCasual);
        }
        self.be_sure_of(&[player.id]).await?;
        let player = self.seating.as_now(player).await?;
        if player.kind == PlayerKind::Bot {
            return Err(LobbyRefusal::NoBotsInPools);
        }
        self.seating.has_room(&player)?;
        if self.pools.len() >= MAX_WAITING && self.pools.waiting(player.id).is_none() {
            return Err(LobbyRefusal::TooManyWaiting);
        }
        let rating = self.seating.strength(&player, key.into()).await?;
        let blocked = self.seating.blocks.of(player.id).await?;
        self.paired.remove(&player.id);
        self.pools.join(key, Waiting { player, rating, since: self.seating.now(), blocked });
        Ok(())
    }

    pub(super) fn leave_pool(&mut self, player: PlayerId) {
        if self.pools.leave(player).is_some() {
            self.tell(player, LobbyNotice::Pool { waiting: None });
        }
    }

    /// Leaves word of how many wait, if it has changed.
    pub(super) fn count_crowds(&self) {
        let crowds = self.pools.crowds();
        self.crowds.send_if_modified(|told| {
            let is_other = **told != *crowds;
            if is_other {
                *told = crowds.into();
            }
            is_other
        });
    }

    /// Makes games of those who fit together now, some at a time: whether there may be more is left in `has_more_pairs`. Where
    /// the database does not answer one pair, the others are not tried: they wait on, and so do all until it is known what
    /// became of that one.
    pub(super) async fn pair(&mut self) -> Result<(), StoreError> {
        self.has_more_pairs = false;
        // A game can begin in other ways than through here: a rematch, for one.
        let registry = &self.seating.registry;
        let gone = self.pools.sweep(|player| !registry.playing(player).is_empty());
        for player in gone {
            self.tell(player, LobbyNotice::Pool { waiting: None });
        }
        if !self.is_sure() {
            return Ok(());
        }
        let pairs = self.pools.pair(self.seating.now(), PAIRS_AT_ONCE);
        let (is_full, mut seats_any) = (pairs.len() == PAIRS_AT_ONCE, false);
        let mut pairs = pairs.into_iter();
        while let Some((key, a, b)) = pairs.next() {
            let time = TimeControl::Fischer(key.time);
            match self.seating.registry.begin_for(time, [&a.player, &b.player]).await {
                Ok(beginning) => {
                    seats_any = true;
                    let seated = self.seat(key, a.player, b.player, beginning).await;
                    if let Err(error @ StoreError::Unavailable(_)) = seated {
                        pairs.for_each(|(key, a, b)| self.pools.put_back(key, a, b));
                        return Err(error);
                    }
                }
                // Whoever else has begun a game since is swept out next time; the other waits on.
                Err(_) => self.pools.put_back(key, a, b),
            }
        }
        // Pairs that were all put back would be the next ones again.
        self.has_more_pairs = is_full && seats_any;
        Ok(())
    }

    /// Makes the game of two who have met in a pool, or tells both that nothing comes of it.
    async fn seat(
        &mut self,
        key: PoolKey,
        a: Player,
        b: Player,
        beginning: Beginning,
    ) -> Result<(), StoreError> {
        let people = [a.id, b.id];
        let color = SeatChoice::Random.color(rand::rng().random());
        let setup = self.seating.setup(key.into(), None, seated(color, a, b)).await;
        let setup = setup.inspect_err(|error| self.not_seated(people, error))?;
        let begun = Begun { setup, of: Of::Nothing };
        match self.seating.seat(Origin::Nothing, begun.setup.clone()).await {
            Ok(_) => self.begin_all(&begun),
            Err(error) => {
                self.not_seated(people, &error);
                self.doubt(&error, begun, beginning);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Tells players that nothing comes of their waiting, and why.
    fn not_seated(&self, people: [PlayerId; 2], error: &StoreError) {
        tracing::error!(%error, "a pair was not seated");
        for player in people {
            let why = LobbyRefusal::StorageUnavailable;
            self.tell(player, LobbyNotice::Refused { id: None, why });
            self.tell(player, LobbyNotice::Pool { waiting: None });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::tests::{House, POOL, WINDOW, answered, command, tab, told};
    use std::sync::Arc;

    /// After an outage many fit together: whoever asks something meanwhile does not wait for all of their games.
    #[tokio::test]
    async fn whoever_asks_while_many_are_paired_is_served_in_between() {
        const PAIRS: usize = 4 * PAIRS_AT_ONCE;
        let house = House::new().await;
        let (lobby, mut actor, messages) =
            LobbyActor::new(house.seating(), WINDOW).await.expect("the database is there");
        let mut number = 0;
        let mut guest = async || {
            number += 1;
            house.guest(number).await
        };
        for _ in 0..2 * PAIRS {
            let (player, since) = (guest().await, actor.seating.now());
            actor
                .pools
                .join(POOL, Waiting { player, rating: 1500.0, since, blocked: Arc::default() });
        }
        let (idle, (outbox, mut hears)) = (guest().await, tab(0));
        tokio::spawn(actor.run(messages));
        let mut games = 0;
        while games < PAIRS {
            lobby.leave(command("leave"), idle.id, outbox.clone()).await;
            let answer = told(&mut hears, answered).await;
            assert!(matches!(answer, Err(LobbyRefusal::NotWaiting)), "{answer:?}");
            let now = house.registry.live_count();
            // Those that were being made when the command came, and those that are made since the answer.
            assert!(now - games <= 2 * PAIRS_AT_ONCE, "{games}, and then {now}");
            games = now;
        }
        assert_eq!(games, PAIRS);
        house.drop_it().await;
    }
}
