//! The next game of the same two.

use manifold_rules::Color;

use super::GameActor;
use crate::game::clock::BySide;
use crate::game::notice::GameRefusal;
use crate::game::registry::CannotBegin;
use crate::game::state::Agreement;
use crate::store::StoreError;
use crate::time::Timestamp;

impl GameActor {
    /// Nobody plays again with whom one of the two has blocked since.
    pub(super) async fn may_meet(&self) -> Result<(), GameRefusal> {
        let BySide { white, black } = &self.state.setup().seats;
        match self.registry.store().is_blocked_between(white.player.id, black.player.id).await {
            Ok(false) => Ok(()),
            Ok(true) => Err(GameRefusal::Blocked),
            Err(error) => {
                tracing::error!(%error, "rematch");
                Err(GameRefusal::StorageUnavailable)
            }
        }
    }

    /// Makes the next game of the two, in one commit with the agreement to it: so there is never more than one.
    pub(super) async fn rematch(
        &mut self,
        now: Timestamp,
        by: Color,
        agreement: Agreement,
    ) -> Result<u64, GameRefusal> {
        let setup = self.state.setup();
        let (me, opponent) = (&setup.seats.get(by).player, &setup.seats.get(by.other()).player);
        let is_person = opponent.kind.level().is_none();
        let unavailable = |error: StoreError| {
            tracing::error!(%error, "rematch");
            GameRefusal::StorageUnavailable
        };
        if setup.time.is_real_time()
            && is_person
            && !self.watchers.presence().players.get(by.other())
        {
            return Err(GameRefusal::OpponentAway);
        }
        let cannot = |why| match why {
            CannotBegin::Busy { player, game } if player == me.id => {
                GameRefusal::AlreadyPlaying(game)
            }
            CannotBegin::Busy { .. } => GameRefusal::OpponentPlaying,
            CannotBegin::TooManyGames(games) => GameRefusal::TooManyGames(games),
            CannotBegin::ComputerBusy => GameRefusal::ComputerBusy,
            CannotBegin::BotIsFull { player, games } if player == me.id => {
                GameRefusal::BotIsFull(games)
            }
            CannotBegin::BotIsFull { .. } => GameRefusal::OpponentIsFull,
            CannotBegin::Store(error) => unavailable(error),
        };
        let mut players = [me.clone(), opponent.clone()];
        let (beginning, next) = loop {
            let [one, other] = &players;
            let beginning = self.registry.begin_for(setup.time, [one, other]).await;
            let beginning = beginning.map_err(cannot)?;
            // Read while nobody can become what they were not, so that each is counted as what they are by now.
            let next = self.registry.rematch(&self.state).await.map_err(unavailable)?;
            // The colors are swapped.
            let now = [by.other(), by].map(|color| next.seats.get(color).player.clone());
            if now.iter().zip(&players).all(|(now, before)| now.kind == before.kind) {
                break (beginning, next);
            }
            players = now;
        };
        let events = agreement.events(next.id);
        let done = self.commit_with(now, events, Some(Box::new(next))).await;
        // Suspended, the task does not know whether there is a rematch.
        self.beginning = Some(beginning).filter(|_| self.suspension.is_some());
        done
    }
}
