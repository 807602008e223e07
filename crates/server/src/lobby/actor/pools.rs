//! Waiting in a pool, and being paired.

use rand::RngExt as _;

use super::unsure::Begun;
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

    /// Makes games of all who fit together now. Where the database does not answer one pair, the others are not tried: they
    /// wait on, and so do all until it is known what became of that one.
    pub(super) async fn pair(&mut self) -> Result<(), StoreError> {
        // A game can begin in other ways than through here: a rematch, for one.
        let registry = &self.seating.registry;
        let gone = self.pools.sweep(|player| !registry.playing(player).is_empty());
        for player in gone {
            self.tell(player, LobbyNotice::Pool { waiting: None });
        }
        if !self.is_sure() {
            return Ok(());
        }
        let mut pairs = self.pools.pair(self.seating.now()).into_iter();
        while let Some((key, a, b)) = pairs.next() {
            let time = TimeControl::Fischer(key.time);
            match self.seating.registry.begin_for(time, [&a.player, &b.player]).await {
                Ok(beginning) => {
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
        let begun = Begun { setup, seek: None };
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
