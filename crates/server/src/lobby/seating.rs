//! Making a game of two players: their ratings beside their names, the row in the database, the task.

use manifold_glicko2::Config as Glicko2;
use manifold_rules::{Color, Game, Variant};

use super::challenge::Challenge;
use super::pool::PoolKey;
use crate::game::clock::{BySide, TimeControl};
use crate::game::registry::Registry;
use crate::game::state::{GameSetup, Seat, SeatRating};
use crate::ids::{ChallengeId, GameId, PlayerId};
use crate::player::{Player, PlayerKind};
use crate::store::{Store, StoreError};
use crate::time::Timestamp;

/// What the lobby needs in order to begin games.
pub struct Seating {
    pub store: Store,
    pub registry: Registry,
    pub glicko2: Glicko2,
}

/// Two values, the first one's at `color`.
pub fn seated<T>(color: Color, first: T, second: T) -> BySide<T> {
    match color {
        Color::White => BySide { white: first, black: second },
        Color::Black => BySide { white: second, black: first },
    }
}

impl Seating {
    pub(super) fn now(&self) -> Timestamp {
        self.registry.clock().now()
    }

    /// A game that the player has under way.
    pub(super) fn playing(&self, player: PlayerId) -> Option<GameId> {
        self.registry.playing(player).first().copied()
    }

    pub(super) async fn challenge(&self, id: ChallengeId) -> Result<Option<Challenge>, StoreError> {
        self.store.challenge(id, self.now()).await
    }

    pub(super) async fn cancel_challenge(&self, id: ChallengeId) -> Result<bool, StoreError> {
        self.store.cancel_challenge(id, self.now()).await
    }

    /// The rating by which a player is paired: a guest counts as a beginner's.
    pub(super) async fn pool_rating(
        &self,
        player: &Player,
        key: PoolKey,
    ) -> Result<f64, StoreError> {
        let rating = self.rating(player, key.variant, key.time).await?;
        Ok(rating.map_or(self.glicko2.start().rating, |r| r.rating))
    }

    async fn rating(
        &self,
        player: &Player,
        variant: Variant,
        time: TimeControl,
    ) -> Result<Option<SeatRating>, StoreError> {
        match player.kind {
            PlayerKind::Guest => return Ok(None),
            PlayerKind::Account => {}
        }
        let ratings = self.store.ratings(player.id).await?;
        let stored = ratings
            .iter()
            .find(|r| r.variant == variant.as_str() && r.speed == time.speed().as_str());
        let now =
            stored.map_or(self.glicko2.start(), |stored| stored.at(self.now(), &self.glicko2));
        Ok(Some(SeatRating { rating: now.rating, provisional: self.glicko2.is_provisional(now) }))
    }

    /// A game of two, not yet stored.
    pub(super) async fn setup(
        &self,
        key: PoolKey,
        players: BySide<Player>,
    ) -> Result<GameSetup, StoreError> {
        let BySide { white, black } = players;
        let seats = BySide {
            white: Seat {
                rating: self.rating(&white, key.variant, key.time).await?,
                player: white,
            },
            black: Seat {
                rating: self.rating(&black, key.variant, key.time).await?,
                player: black,
            },
        };
        Ok(GameSetup {
            id: GameId::new(),
            variant: key.variant,
            rated: key.rated,
            time: key.time,
            first_move_ms: self.registry.first_move_ms(key.time),
            start_fen: Game::new(key.variant).fen(),
            seats,
            created_at: self.now(),
        })
    }

    /// The game of a challenge, not yet stored.
    pub(super) async fn challenge_setup(
        &self,
        challenge: &Challenge,
        creators: Color,
        opponent: Player,
    ) -> Result<GameSetup, StoreError> {
        let key = PoolKey { variant: challenge.variant, time: challenge.time, rated: false };
        self.setup(key, seated(creators, challenge.creator.clone(), opponent)).await
    }

    /// Begins the game of a challenge. `false` if it is no longer open.
    pub(super) async fn seat_challenge(
        &self,
        challenge: ChallengeId,
        setup: GameSetup,
    ) -> Result<bool, StoreError> {
        if !self.store.accept_challenge(challenge, &setup).await? {
            return Ok(false);
        }
        self.registry.adopt(setup)?;
        Ok(true)
    }

    /// The color of `player` in a game that has been made, whose task is started if it has none.
    pub(super) async fn seat_of(
        &self,
        game: GameId,
        player: PlayerId,
    ) -> Result<Option<Color>, StoreError> {
        if self.registry.get(game).await?.is_none() {
            return Ok(None);
        }
        let summary = self.registry.summary(game).await?;
        Ok(summary.and_then(|game| game.setup.color_of(player)))
    }
}
