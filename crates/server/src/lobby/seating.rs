//! Making a game of two players: their ratings beside their names, the row in the database, the task.

use manifold_engine::Level;
use manifold_glicko2::Config as Glicko2;
use manifold_rules::{Color, Game, Variant};

use super::challenge::Challenge;
use super::handle::{LobbyRefusal, Seated};
use super::pool::PoolKey;
use super::seek::{Seek, Wanted};
use crate::blocks::Blocks;
use crate::game::clock::{BySide, TimeControl};
use crate::game::registry::{Beginning, CannotBegin, Registry};
use crate::game::state::{GameSetup, Seat, SeatRating};
use crate::ids::{ChallengeId, GameId, PlayerId};
use crate::player::{Player, PlayerKind};
use crate::store::bots::{BecameBot, NoBot};
use crate::store::requests::GameRequest;
use crate::store::{Store, StoreError};
use crate::time::Timestamp;

/// What two have agreed to play.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub variant: Variant,
    pub time: TimeControl,
    pub rated: bool,
}

impl From<PoolKey> for Terms {
    fn from(key: PoolKey) -> Self {
        let PoolKey { variant, time, rated } = key;
        Self { variant, time: TimeControl::Fischer(time), rated }
    }
}

impl From<Wanted> for Terms {
    fn from(wanted: Wanted) -> Self {
        let Wanted { variant, time, rated, .. } = wanted;
        Self { variant, time, rated }
    }
}

/// What a game comes of besides the two who play it.
#[derive(Clone, Copy, Debug)]
pub enum Origin<'a> {
    Nothing,
    /// For a game against the computer that is made once.
    Request(&'a GameRequest),
    Challenge(ChallengeId),
    Seek(&'a Seek),
}

/// What the lobby needs in order to begin games.
pub struct Seating {
    pub store: Store,
    pub registry: Registry,
    pub glicko2: Glicko2,
    pub blocks: Blocks,
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

    /// Whether the player may offer, or wait for, a game with a clock.
    pub(super) fn has_room(&self, player: &Player) -> Result<(), LobbyRefusal> {
        let is_full = self.registry.is_full(player);
        match player.kind {
            PlayerKind::Bot if is_full => {
                Err(LobbyRefusal::BotIsFull(self.registry.games_per_bot()))
            }
            PlayerKind::Bot | PlayerKind::Computer(_) => Ok(()),
            PlayerKind::Guest | PlayerKind::Account => {
                if is_full || self.registry.is_beginning(player.id) {
                    Err(LobbyRefusal::AlreadyPlaying(self.playing(player.id)))
                } else {
                    Ok(())
                }
            }
        }
    }

    /// The player as the database has it: a socket that is about to be closed may take for a person who is a bot by now, and
    /// for a guest who has signed up.
    pub(super) async fn as_now(&self, player: Player) -> Result<Player, StoreError> {
        match player.kind {
            PlayerKind::Guest | PlayerKind::Account => {
                Ok(self.store.player(player.id).await?.unwrap_or(player))
            }
            PlayerKind::Bot | PlayerKind::Computer(_) => Ok(player),
        }
    }

    pub(super) async fn become_bot(&self, id: PlayerId) -> Result<BecameBot, LobbyRefusal> {
        let held = self.registry.hold(id);
        let why_not = match held {
            Ok(_held) => match self.store.become_bot(id).await? {
                Ok(became) => return Ok(became),
                Err(NoBot::HasRatedGames) => LobbyRefusal::CannotBecomeBot,
                Err(NoBot::Plays(game)) => LobbyRefusal::AlreadyPlaying(Some(game)),
            },
            Err(game) => LobbyRefusal::AlreadyPlaying(game),
        };
        // Who is one already may play while the question is asked again.
        self.store.bot(id).await?.ok_or(why_not)
    }

    pub(super) async fn challenge(&self, id: ChallengeId) -> Result<Option<Challenge>, StoreError> {
        self.store.challenge(id, self.now()).await
    }

    pub(super) async fn decline_challenge(&self, id: ChallengeId) -> Result<bool, StoreError> {
        self.store.decline_challenge(id, self.now()).await
    }

    pub(super) async fn cancel_challenge(&self, id: ChallengeId) -> Result<bool, StoreError> {
        self.store.cancel_challenge(id, self.now()).await
    }

    /// Takes what a game of the two needs that is about to be made; `asker` is told why not.
    pub(super) async fn begin_for(
        &self,
        time: TimeControl,
        players: [&Player; 2],
        asker: PlayerId,
    ) -> Result<Beginning, LobbyRefusal> {
        self.registry.begin_for(time, players).await.map_err(|why| match why {
            CannotBegin::Busy { player, game } if player == asker => {
                LobbyRefusal::AlreadyPlaying(game)
            }
            CannotBegin::Busy { .. } => LobbyRefusal::OpponentPlaying,
            CannotBegin::TooManyGames(games) => LobbyRefusal::TooManyGames(games),
            CannotBegin::ComputerBusy => LobbyRefusal::ComputerBusy,
            CannotBegin::BotIsFull { player, games } if player == asker => {
                LobbyRefusal::BotIsFull(games)
            }
            CannotBegin::BotIsFull { .. } => LobbyRefusal::OpponentIsFull,
            CannotBegin::Store(error) => error.into(),
        })
    }

    /// The rating that beginners start with.
    pub(super) fn beginners(&self) -> SeatRating {
        let start = self.glicko2.start();
        SeatRating { rating: start.rating, provisional: self.glicko2.is_provisional(start) }
    }

    /// The rating by which a player is compared with others: a guest counts as a beginner.
    pub(super) async fn strength(&self, player: &Player, terms: Terms) -> Result<f64, StoreError> {
        let rating = self.rating(player, terms).await?;
        Ok(rating.unwrap_or_else(|| self.beginners()).rating)
    }

    pub(super) async fn rating(
        &self,
        player: &Player,
        terms: Terms,
    ) -> Result<Option<SeatRating>, StoreError> {
        self.registry.rating(player, terms.variant, terms.time).await
    }

    /// A game of two, not yet stored.
    pub(super) async fn setup(
        &self,
        terms: Terms,
        start_fen: Option<String>,
        players: BySide<Player>,
    ) -> Result<GameSetup, StoreError> {
        let BySide { white, black } = players;
        let seats = BySide {
            white: Seat { rating: self.rating(&white, terms).await?, player: white },
            black: Seat { rating: self.rating(&black, terms).await?, player: black },
        };
        Ok(GameSetup {
            id: GameId::new(),
            variant: terms.variant,
            rated: terms.rated,
            time: terms.time,
            first_move_ms: self.registry.first_move_ms(terms.time),
            start_fen: start_fen.unwrap_or_else(|| Game::new(terms.variant).fen()),
            seats,
            created_at: self.now(),
            series: None,
        })
    }

    /// The game of a challenge, not yet stored.
    pub(super) async fn challenge_setup(
        &self,
        challenge: &Challenge,
        creators: Color,
        opponent: Player,
    ) -> Result<GameSetup, StoreError> {
        let Challenge { variant, time, rated, .. } = *challenge;
        let players = seated(creators, challenge.creator.clone(), opponent);
        self.setup(Terms { variant, time, rated }, challenge.start_fen.clone(), players).await
    }

    /// Stores a new game with what it comes of, and starts its task. `false`, and no game, if that is no longer open.
    pub(super) async fn seat(
        &self,
        origin: Origin<'_>,
        setup: GameSetup,
    ) -> Result<bool, StoreError> {
        let store = &self.store;
        let is_made = match origin {
            Origin::Nothing => store.create_game(&setup).await.map(|()| true),
            Origin::Request(request) => {
                store.create_requested_game(&setup, request).await.map(|()| true)
            }
            Origin::Challenge(challenge) => store.accept_challenge(challenge, &setup).await,
            Origin::Seek(seek) => store.accept_seek(seek, &setup).await,
        }?;
        if is_made {
            self.registry.adopt(setup)?;
        }
        Ok(is_made)
    }

    /// Whether a game is there whose creation was not answered: for good, and then it has its task.
    pub(super) async fn is_made(&self, setup: &GameSetup) -> Result<bool, StoreError> {
        if !self.store.is_game_stored(setup).await? {
            return Ok(false);
        }
        self.registry.get(setup.id).await?;
        Ok(true)
    }

    /// The game that the same request has made before, if it has; another request of this name is refused.
    pub(super) async fn requested(
        &self,
        request: &GameRequest,
        level: Level,
        terms: Terms,
    ) -> Result<Option<Seated>, LobbyRefusal> {
        let GameRequest { player, command, color } = request;
        let Some(before) = self.store.requested_game(*player, command).await? else {
            return Ok(None);
        };
        let summary = self.registry.summary(before.game).await?;
        let setup = summary.ok_or(LobbyRefusal::Internal)?.setup;
        let seat = setup.color_of(*player).ok_or(LobbyRefusal::Internal)?;
        let opponent = Player::computer(level).id;
        let is_same = before.color == *color
            && (setup.variant, setup.time) == (terms.variant, terms.time)
            && setup.color_of(opponent).is_some();
        if !is_same {
            return Err(LobbyRefusal::IdReused);
        }
        // It may have been made when nobody heard of it.
        self.registry.get(before.game).await?;
        Ok(Some(Seated { game: before.game, color: seat }))
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
