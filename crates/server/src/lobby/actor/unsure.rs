//! What was not answered by the database, and may be there all the same: that is found out before anybody is told what
//! could be wrong.

use manifold_rules::Color;

use super::LobbyActor;
use crate::blocks::Blocked;
use crate::game::registry::Beginning;
use crate::game::state::GameSetup;
use crate::ids::{PlayerId, SeekId};
use crate::lobby::challenge::Challenge;
use crate::lobby::handle::LobbyNotice;
use crate::lobby::seek::{Ending, Seek};
use crate::player::Player;
use crate::store::StoreError;
use crate::store::seeks::StoredSeek;

/// A game that was made, or may have been.
pub(super) struct Begun {
    pub setup: GameSetup,
    pub of: Of,
}

/// What is over when the game begins.
pub(super) enum Of {
    Nothing,
    Seek(SeekId),
    Challenge {
        challenge: Box<Challenge>,
        /// Who has accepted it.
        by: Player,
    },
}

impl Begun {
    /// Its people and their colors.
    fn people(&self) -> impl Iterator<Item = (PlayerId, Color)> {
        let seat = |color| (&self.setup.seats.get(color).player, color);
        [Color::White, Color::Black]
            .map(seat)
            .into_iter()
            .filter(|(player, _)| player.kind.level().is_none())
            .map(|(player, color)| (player.id, color))
    }

    /// Whether its people sit down to it, and wait for no other then.
    fn is_sat_at(&self) -> bool {
        self.setup.time.is_real_time() || self.people().count() == 1
    }
}

/// A game whose creation was not answered.
pub(super) struct Unsure {
    begun: Begun,
    /// Until it is known, its people begin no other.
    _beginning: Beginning,
}

impl LobbyActor {
    /// A game was not stored, as far as is known. After some errors it may be there all the same.
    pub(super) fn doubt(&mut self, error: &StoreError, begun: Begun, beginning: Beginning) {
        match error {
            StoreError::Unavailable(_) => {
                self.unsure.push(Unsure { begun, _beginning: beginning });
            }
            StoreError::Constraint(_) | StoreError::Damaged(_) => {}
        }
    }

    pub(super) fn is_sure(&self) -> bool {
        self.unsure.is_empty() && self.unsure_seeks.is_empty()
    }

    /// Finds out first what became of games of these players that were not answered.
    pub(super) async fn be_sure_of(&mut self, players: &[PlayerId]) -> Result<(), StoreError> {
        let concerns = |one: &Unsure| one.begun.people().any(|(id, _)| players.contains(&id));
        if self.unsure.iter().any(concerns) {
            self.settle().await?;
        }
        Ok(())
    }

    /// Finds out what became of all that was not answered. Fails where the database still does not answer: it would not for
    /// the others either, and all who ask the lobby wait meanwhile.
    pub(super) async fn settle(&mut self) -> Result<(), StoreError> {
        while let Some(one) = self.unsure.first() {
            let setup = &one.begun.setup;
            let is_made = unless_damaged(self.seating.is_made(setup).await)?;
            let one = self.unsure.remove(0);
            if is_made == Some(true) {
                self.begin_all(&one.begun);
            }
        }
        while let Some(seek) = self.unsure_seeks.first() {
            let stored = unless_damaged(self.stored_seek(seek).await)?;
            self.unsure_seeks.remove(0);
            if let Some(Some((stored, blocked))) = stored {
                self.list_stored(&stored.seek, blocked);
            }
        }
        Ok(())
    }

    /// A seek whose creation was not answered, if it is there, and whom its owner has blocked.
    async fn stored_seek(&self, seek: &Seek) -> Result<Option<(StoredSeek, Blocked)>, StoreError> {
        let store = &self.seating.store;
        if !store.is_seek_stored(seek).await? {
            return Ok(None);
        }
        let stored = store.seek(seek.id).await?;
        let blocked = self.seating.blocks.of(seek.owner.id).await?;
        Ok(stored.map(|stored| (stored, blocked)))
    }

    /// Tells the people of a game that it begins, and ends their waiting for another.
    pub(super) fn begin_all(&mut self, begun: &Begun) {
        let game = begun.setup.id;
        match &begun.of {
            Of::Nothing => {}
            Of::Seek(seek) => self.end_seek(*seek, Ending::Over),
            Of::Challenge { challenge, by } => self.tell_accepted(challenge, game, by),
        }
        for (player, color) in begun.people() {
            self.tell(player, LobbyNotice::Paired { game, color });
            if begun.is_sat_at() {
                // Whoever has no socket has nothing to cancel, and would never be forgotten.
                if self.tabs.any(player) {
                    self.paired.insert(player, game);
                }
                // Whoever was paired has left the pool already.
                self.pools.leave(player);
                self.tell(player, LobbyNotice::Pool { waiting: None });
                self.leave_seeks(player);
            }
        }
    }
}

/// Nothing for what no later look would mend.
fn unless_damaged<T>(found: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error @ StoreError::Unavailable(_)) => Err(error),
        Err(error @ (StoreError::Damaged(_) | StoreError::Constraint(_))) => {
            tracing::error!(%error, "what became of something cannot be found out");
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lobby::challenge::ChallengeStatus;
    use crate::lobby::tests::{House, WINDOW, tab};

    /// It was committed, and the answer was lost: what its players are told later is what they would have been told.
    #[tokio::test(flavor = "multi_thread")]
    async fn an_accepting_that_is_settled_late_is_told_as_one() {
        let house = House::new().await;
        let (ada, bob) = (house.guest(1).await, house.guest(2).await);
        let id = house.challenge(&ada).await;
        let (_lobby, mut actor, _messages) =
            LobbyActor::new(house.seating(), WINDOW).await.expect("the database is there");
        let tabs = [(&ada, 1), (&bob, 2)].map(|(player, number)| {
            let (outbox, hears) = tab(number);
            actor.tabs.open(player.id, outbox);
            hears
        });
        let challenge = actor.seating.challenge(id).await.expect("readable").expect("there");
        let setup = actor.seating.challenge_setup(&challenge, Color::White, bob.clone()).await;
        let setup = setup.expect("readable");
        let game = setup.id;
        assert!(house.store.accept_challenge(id, &setup).await.expect("stored"));
        let beginning = house.registry.begin_for(setup.time, [&ada, &bob]).await;
        let beginning = beginning.ok().expect("both are free");
        let lost = StoreError::Unavailable(sqlx::Error::PoolTimedOut);
        let of = Of::Challenge { challenge: Box::new(challenge), by: bob.clone() };
        actor.doubt(&lost, Begun { setup, of }, beginning);
        actor.settle().await.expect("it is back");
        for mut hears in tabs {
            let (mut accepted, mut paired) = (0, 0);
            while let Some(notice) = hears.try_recv() {
                match *notice {
                    LobbyNotice::Challenge { challenge, status, by } => {
                        let expected = (id, ChallengeStatus::Accepted(game), Some(&bob));
                        assert_eq!((challenge, status, by.as_ref()), expected);
                        accepted += 1;
                    }
                    LobbyNotice::Paired { game: of, .. } if of == game => paired += 1,
                    _ => {}
                }
            }
            assert_eq!((accepted, paired), (1, 1));
        }
        drop(actor);
        house.drop_it().await;
    }
}
