//! Challenges: accepted, declined and canceled, and what their players are told when they are over.

use std::sync::Arc;

use rand::RngExt as _;

use super::LobbyActor;
use super::unsure::{Begun, Of};
use crate::ids::{ChallengeId, GameId, PlayerId};
use crate::lobby::challenge::{Challenge, ChallengeStatus, Full};
use crate::lobby::handle::{LobbyNotice, LobbyRefusal, Seated};
use crate::lobby::seating::Origin;
use crate::player::{Player, PlayerKind};
use crate::store::StoreError;
use crate::store::challenges::Created;

/// Of how many challenges that expire at once people are told at a time.
const EXPIRED_AT_ONCE: i64 = 200;

impl From<Full> for LobbyRefusal {
    fn from(what: Full) -> Self {
        match what {
            Full::Creator => Self::TooManyChallenges,
            Full::Pair => Self::TooManyToOne,
            Full::Opponent => Self::TooManyToThem,
        }
    }
}

impl LobbyActor {
    /// Tells both ends of challenges whose time is up. What has expired while the server was down is not told: whoever
    /// asks finds it gone.
    pub(super) async fn tell_expired(&mut self) -> Result<(), StoreError> {
        let now = self.seating.now();
        if self.next_expiry.is_none_or(|at| now < at) {
            return Ok(());
        }
        let next =
            self.seating.store.next_to_expire(self.told_expired_until, EXPIRED_AT_ONCE).await?;
        self.next_expiry = None;
        for challenge in next {
            if challenge.expires_at > now {
                self.next_expiry = Some(challenge.expires_at);
                return Ok(());
            }
            self.told_expired_until = challenge.expires_at;
            self.next_expiry = Some(now);
            self.tell_ends(&challenge, ChallengeStatus::Expired, None);
        }
        Ok(())
    }

    /// Tells the creator of a challenge, and whom it names, what has become of it.
    pub(super) fn tell_ends(
        &self,
        challenge: &Challenge,
        status: ChallengeStatus,
        by: Option<&Player>,
    ) {
        let other = challenge.opponent.as_ref().map(|opponent| opponent.id);
        for player in std::iter::once(challenge.creator.id).chain(other) {
            let by = by.cloned();
            self.tell(player, LobbyNotice::Challenge { challenge: challenge.id, status, by });
        }
    }

    /// Tells the creator of a challenge, and whoever has accepted it, that it has come to this game.
    pub(super) fn tell_accepted(&self, challenge: &Challenge, game: GameId, by: &Player) {
        let status = ChallengeStatus::Accepted(game);
        self.tell_ends(challenge, status, Some(by));
        if challenge.opponent.is_none() {
            let (challenge, by_whom) = (challenge.id, Some(by.clone()));
            self.tell(by.id, LobbyNotice::Challenge { challenge, status, by: by_whom });
        }
    }

    /// Makes a challenge, or finds the one that it is a retry of.
    pub(super) async fn challenge(
        &mut self,
        challenge: Challenge,
    ) -> Result<Challenge, LobbyRefusal> {
        match self.seating.store.create_challenge(&challenge).await? {
            Created::Now => {}
            // Perhaps it was not answered then: the other has not heard of it.
            Created::Before(before) if before.is_like(&challenge) => {
                if before.status == ChallengeStatus::Open {
                    self.is_open(&before);
                }
                return Ok(*before);
            }
            Created::Before(_) => return Err(LobbyRefusal::IdReused),
            Created::Blocked => return Err(LobbyRefusal::Blocked),
            Created::Full(full) => return Err(full.into()),
        }
        self.is_open(&challenge);
        Ok(challenge)
    }

    /// Tells whom a challenge names of it, and looks at it when it expires.
    fn is_open(&mut self, challenge: &Challenge) {
        let expires_at = challenge.expires_at;
        self.next_expiry = Some(self.next_expiry.map_or(expires_at, |at| at.min(expires_at)));
        if let Some(opponent) = &challenge.opponent {
            self.tell(opponent.id, LobbyNotice::Challenged(Arc::new(challenge.clone())));
        }
    }

    /// Cancels a player's challenges to another, and declines the other's.
    pub(super) async fn close_between(
        &mut self,
        player: &Player,
        other: PlayerId,
    ) -> Result<(), LobbyRefusal> {
        let open = self.seating.store.challenges_of(player.id, self.seating.now()).await?;
        for challenge in open {
            let opponent = challenge.opponent.as_ref().map(|opponent| opponent.id);
            let done = if opponent == Some(other) {
                self.cancel(challenge.id, player).await
            } else if challenge.creator.id == other {
                self.decline(challenge.id, player).await
            } else {
                continue;
            };
            match done {
                // Closed in the meantime is closed as well.
                Ok(()) | Err(LobbyRefusal::ChallengeClosed(_)) => {}
                Err(why) => return Err(why),
            }
        }
        Ok(())
    }

    pub(super) async fn accept(
        &mut self,
        id: ChallengeId,
        player: Player,
    ) -> Result<Seated, LobbyRefusal> {
        // Whoever asks may have the seat already.
        self.be_sure_of(&[player.id]).await?;
        let challenge = self.find(id, player.id).await?;
        if challenge.creator.id == player.id {
            return Err(LobbyRefusal::OwnChallenge);
        }
        match challenge.status {
            ChallengeStatus::Open => {}
            // A retry by the one who has the seat gets the same answer.
            ChallengeStatus::Accepted(game) => {
                let color = self.seating.seat_of(game, player.id).await?;
                let closed = LobbyRefusal::ChallengeClosed(challenge.status);
                return color.map(|color| Seated { game, color }).ok_or(closed);
            }
            ChallengeStatus::Declined | ChallengeStatus::Canceled | ChallengeStatus::Expired => {
                return Err(LobbyRefusal::ChallengeClosed(challenge.status));
            }
        }
        let player = self.seating.as_now(player).await?;
        if challenge.rated && player.kind == PlayerKind::Guest {
            return Err(LobbyRefusal::GuestsPlayCasual);
        }
        if self.seating.blocks.between(challenge.creator.id, player.id).await? {
            return Err(LobbyRefusal::Blocked);
        }
        self.be_sure_of(&[challenge.creator.id]).await?;
        let players = [&player, &challenge.creator];
        let beginning = self.seating.begin_for(challenge.time, players, player.id).await?;
        let by = player.clone();
        let creators = challenge.color.color(rand::rng().random());
        let (creator_id, player_id) = (challenge.creator.id, player.id);
        let setup = self.seating.challenge_setup(&challenge, creators, player).await?;
        let game = setup.id;
        let of = Of::Challenge { challenge: Box::new(challenge.clone()), by: by.clone() };
        let begun = Begun { setup, of };
        match self.seating.seat(Origin::Challenge(id), begun.setup.clone()).await {
            Ok(true) => {}
            Ok(false) => return Err(self.closed(id).await),
            Err(error) => {
                self.doubt(&error, begun, beginning);
                return Err(error.into());
            }
        }
        self.tell_accepted(&challenge, game, &by);
        if challenge.time.is_real_time() {
            self.sits_down(creator_id);
            self.sits_down(player_id);
        }
        Ok(Seated { game, color: creators.other() })
    }

    /// Why a challenge that was open a moment ago is not.
    async fn closed(&self, id: ChallengeId) -> LobbyRefusal {
        match self.seating.challenge(id).await {
            Ok(Some(challenge)) => LobbyRefusal::ChallengeClosed(challenge.status),
            Ok(None) => LobbyRefusal::NoSuchChallenge,
            Err(error) => error.into(),
        }
    }

    /// The same for whoever has just closed it: an earlier try that was not answered may have done it.
    async fn closed_as(
        &self,
        id: ChallengeId,
        status: ChallengeStatus,
    ) -> Result<(), LobbyRefusal> {
        match self.closed(id).await {
            LobbyRefusal::ChallengeClosed(is) if is == status => Ok(()),
            why => Err(why),
        }
    }

    /// A challenge that concerns `player`.
    async fn find(&self, id: ChallengeId, player: PlayerId) -> Result<Challenge, LobbyRefusal> {
        let challenge = self.seating.challenge(id).await?;
        let shown = challenge.filter(|challenge| challenge.is_shown_to(Some(player)));
        shown.ok_or(LobbyRefusal::NoSuchChallenge)
    }

    pub(super) async fn cancel(
        &mut self,
        id: ChallengeId,
        player: &Player,
    ) -> Result<(), LobbyRefusal> {
        let challenge = self.find(id, player.id).await?;
        if challenge.creator.id != player.id {
            return Err(LobbyRefusal::NotTheCreator);
        }
        // The first try may not have been answered, and then nobody has heard of it.
        let is_canceled = challenge.status == ChallengeStatus::Canceled;
        if !is_canceled && !self.seating.cancel_challenge(id).await? {
            return self.closed_as(id, ChallengeStatus::Canceled).await;
        }
        self.tell_ends(&challenge, ChallengeStatus::Canceled, Some(player));
        Ok(())
    }

    pub(super) async fn decline(
        &mut self,
        id: ChallengeId,
        player: &Player,
    ) -> Result<(), LobbyRefusal> {
        let challenge = self.find(id, player.id).await?;
        if challenge.opponent.as_ref().is_none_or(|opponent| opponent.id != player.id) {
            return Err(LobbyRefusal::NotTheOpponent);
        }
        let is_declined = challenge.status == ChallengeStatus::Declined;
        if !is_declined && !self.seating.decline_challenge(id).await? {
            return self.closed_as(id, ChallengeStatus::Declined).await;
        }
        self.tell_ends(&challenge, ChallengeStatus::Declined, Some(player));
        Ok(())
    }
}
