//! Seeks: made, canceled, accepted, and over when their owners leave or sit down elsewhere.

use std::collections::HashSet;
use std::sync::Arc;

use rand::RngExt as _;

use super::LobbyActor;
use super::unsure::{Begun, Of};
use crate::ids::{CommandId, GameId, PlayerId, SeekId};
use crate::lobby::handle::LobbyRefusal;
use crate::lobby::seating::{Origin, Seating, seated};
use crate::lobby::seek::{Ending, Full, NotFor, OPEN_MS, Seek, Seeks, Wanted};
use crate::player::{Player, PlayerKind};
use crate::store::StoreError;
use crate::store::seeks::SeekStatus;

/// Those that were open before the server was started.
pub(super) async fn brought_back(seating: &Seating) -> Result<Seeks, StoreError> {
    let mut seeks = Seeks::default();
    for seek in seating.store.open_seeks(seating.now()).await? {
        let blocked = seating.blocks.of(seek.owner.id).await?;
        seeks.list(seek.owned_by(seek.owner.clone(), seating.beginners()), blocked);
    }
    Ok(seeks)
}

impl From<NotFor> for LobbyRefusal {
    fn from(why: NotFor) -> Self {
        match why {
            NotFor::Owner => Self::OwnSeek,
            NotFor::Blocked => Self::SeekGone,
            NotFor::Guest => Self::GuestsPlayCasual,
            NotFor::Bot => Self::NoBotsForSeek,
            NotFor::Rating => Self::RatingOutOfRange,
        }
    }
}

impl From<Full> for LobbyRefusal {
    fn from(what: Full) -> Self {
        match what {
            Full::Owner => Self::TooManySeeks,
            Full::Lobby => Self::LobbyFull,
        }
    }
}

impl LobbyActor {
    /// Shows the list to whoever looks at it.
    pub(super) fn publish(&self) {
        self.board.send_replace(Arc::new(self.seeks.board()));
    }

    pub(super) fn end_seek(&mut self, id: SeekId, ending: Ending) {
        self.seeks.end(id, ending);
        self.publish();
    }

    /// Ends what a player offers with a clock.
    pub(super) fn leave_seeks(&mut self, player: PlayerId) {
        if self.seeks.leave(player) {
            self.publish();
        }
    }

    /// Ends what has expired, and what has an owner who has begun a game in another way than through here.
    pub(super) fn sweep_seeks(&mut self) {
        let (now, registry) = (self.seating.now(), &self.seating.registry);
        if self.seeks.sweep(now, |owner| registry.is_full(owner)) {
            self.publish();
        }
    }

    /// Shows a seek that was found in the database.
    pub(super) fn list_stored(&mut self, seek: &Seek, blocked: Arc<HashSet<PlayerId>>) {
        let seek = seek.owned_by(seek.owner.clone(), self.seating.beginners());
        self.seeks.list(seek, blocked);
        self.publish();
    }

    pub(super) async fn make_seek(
        &mut self,
        command: &CommandId,
        owner: Player,
        wanted: Wanted,
    ) -> Result<SeekId, LobbyRefusal> {
        let is_unsure = |seek: &Seek| seek.owner.id == owner.id && seek.command == *command;
        if self.unsure_seeks.iter().any(is_unsure) {
            self.settle().await?;
        }
        let as_before = |before: &Seek| {
            (before.wanted == wanted).then_some(before.id).ok_or(LobbyRefusal::IdReused)
        };
        if let Some(before) = self.seeks.by_command(owner.id, command) {
            return as_before(before);
        }
        if let Some(before) = self.seating.store.seek_by_command(owner.id, command).await? {
            let id = as_before(&before.seek)?;
            // What was committed after nobody waited for it any more, only the database knows.
            let is_open =
                before.status == SeekStatus::Open && before.seek.expires_at > self.seating.now();
            if is_open && self.seeks.get(id).is_none() {
                let blocked = self.seating.blocks.of(owner.id).await?;
                self.list_stored(&before.seek, blocked);
            }
            return Ok(id);
        }
        if wanted.rated && owner.kind == PlayerKind::Guest {
            return Err(LobbyRefusal::GuestsPlayCasual);
        }
        let owner = self.seating.as_now(owner).await?;
        if wanted.time.is_real_time() {
            self.be_sure_of(&[owner.id]).await?;
            self.seating.has_room(&owner)?;
        }
        self.seeks.has_room(owner.id, wanted.time, &self.unsure_seeks)?;
        let rating = self.seating.rating(&owner, wanted.into()).await?;
        let blocked = self.seating.blocks.of(owner.id).await?;
        let now = self.seating.now();
        let id = SeekId::new();
        let seek = Seek {
            id,
            owner,
            rating,
            wanted,
            command: command.clone(),
            created_at: now,
            expires_at: now.plus_ms(OPEN_MS),
        };
        if !seek.is_real_time()
            && let Err(error) = self.seating.store.create_seek(&seek).await
        {
            match error {
                StoreError::Unavailable(_) => self.unsure_seeks.push(seek),
                StoreError::Constraint(_) | StoreError::Damaged(_) => {}
            }
            return Err(error.into());
        }
        self.seeks.list(seek, blocked);
        self.publish();
        Ok(id)
    }

    pub(super) async fn cancel_seek(
        &mut self,
        id: SeekId,
        player: PlayerId,
    ) -> Result<(), LobbyRefusal> {
        // It may have been accepted: that has to be known first.
        self.be_sure_of(&[player]).await?;
        let Some(seek) = self.seeks.get(id).map(|listed| &listed.seek) else {
            let is_canceled =
                self.seeks.was_canceled(id, player) || self.is_stored_canceled(id, player).await?;
            return is_canceled.then_some(()).ok_or(LobbyRefusal::SeekGone);
        };
        if seek.owner.id != player {
            return Err(LobbyRefusal::NotTheOwner);
        }
        if !seek.is_real_time()
            && !self.seating.store.cancel_seek(id, self.seating.now()).await?
            // A cancel that was not answered may have done it.
            && !self.is_stored_canceled(id, player).await?
        {
            self.end_seek(id, Ending::Over);
            return Err(LobbyRefusal::SeekGone);
        }
        self.end_seek(id, Ending::Canceled);
        Ok(())
    }

    /// Whether the database knows that `owner` has canceled this one: after a restart it alone does.
    async fn is_stored_canceled(&self, id: SeekId, owner: PlayerId) -> Result<bool, StoreError> {
        let stored = self.seating.store.seek(id).await?;
        Ok(stored.is_some_and(|stored| {
            stored.seek.owner.id == owner && stored.status == SeekStatus::Canceled
        }))
    }

    pub(super) async fn accept_seek(
        &mut self,
        id: SeekId,
        player: Player,
    ) -> Result<GameId, LobbyRefusal> {
        // Somebody may have it already, whoever asks now too: that has to be known first.
        let owner = self.seeks.get(id).map(|listed| listed.seek.owner.id);
        let people: Vec<PlayerId> = owner.into_iter().chain([player.id]).collect();
        self.be_sure_of(&people).await?;
        self.sweep_seeks();
        let Some(listed) = self.seeks.get(id).cloned() else {
            return self.accepted_before(id, player.id).await;
        };
        let seek = &listed.seek;
        let player = self.seating.as_now(player).await?;
        let terms = seek.wanted.into();
        let rating = self.seating.strength(&player, terms).await?;
        let blocked = self.seating.blocks.of(player.id).await?;
        listed.check(&player, &blocked, rating)?;
        let players = [&player, &seek.owner];
        let beginning = self.seating.begin_for(seek.wanted.time, players, player.id).await?;
        let owners = seek.wanted.color.color(rand::rng().random());
        let asking = player.id;
        let players = seated(owners, seek.owner.clone(), player);
        let setup = self.seating.setup(terms, None, players).await?;
        let game = setup.id;
        let begun = Begun { setup, of: Of::Seek(id) };
        match self.seating.seat(Origin::Seek(seek), begun.setup.clone()).await {
            Ok(true) => self.begin_all(&begun),
            Ok(false) => {
                self.end_seek(id, Ending::Over);
                return self.accepted_before(id, asking).await;
            }
            Err(error) => {
                self.doubt(&error, begun, beginning);
                return Err(error.into());
            }
        }
        Ok(game)
    }

    /// The game of a seek that this player has accepted: a retry gets the same answer, after a restart too.
    async fn accepted_before(&self, id: SeekId, player: PlayerId) -> Result<GameId, LobbyRefusal> {
        let before = self.seating.store.seek(id).await?;
        let before = before.filter(|before| before.seek.owner.id != player);
        let Some(SeekStatus::Accepted(game)) = before.map(|before| before.status) else {
            return Err(LobbyRefusal::SeekGone);
        };
        let color = self.seating.seat_of(game, player).await?;
        color.map(|_| game).ok_or(LobbyRefusal::SeekGone)
    }
}
