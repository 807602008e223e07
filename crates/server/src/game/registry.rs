//! All games that have a task: those that people sit at, and those that someone looks at. [`sleepers`](super::sleepers)
//! wakes the others in time.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use manifold_glicko2::Config as Glicko2;
use manifold_rules::Variant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use super::actor::GameActor;
use super::clock::{BySide, TimeControl};
use super::handle::GameHandle;
use super::state::{GameSetup, GameState, Seat, SeatRating};
use crate::computer::Computer;
use crate::config::{GameConfig, Patience};
use crate::ids::{GameId, PlayerId};
use crate::player::{Player, PlayerKind};
use crate::store::games::{GameSummary, StoredGame};
use crate::store::journal::Journal;
use crate::store::{Store, StoreError};
use crate::time::{Clock, Timestamp};

mod beginning;

pub use beginning::{Beginning, CannotBegin};

/// Finds a game's task by its id, and starts it where there is none.
#[derive(Clone)]
pub struct Registry(Arc<Shared>);

struct Shared {
    store: Store,
    journal: Journal,
    clock: Clock,
    config: GameConfig,
    glicko2: Glicko2,
    /// Sits down wherever it has a seat in a game that gets a task.
    computer: Computer,
    tasks: TaskTracker,
    stop: CancellationToken,
    games: Mutex<Games>,
}

#[derive(Default)]
struct Games {
    handles: HashMap<GameId, GameHandle>,
    /// Games under way whose clocks run, by player: they keep the player from beginning another.
    playing: HashMap<PlayerId, Vec<GameId>>,
    /// The same games.
    live: HashSet<GameId>,
    /// All games under way, those that sleep as well.
    under_way: HashSet<GameId>,
    /// How many such games are being made for a player.
    beginning: HashMap<PlayerId, usize>,
    /// How many games against computers are being made for a player.
    against_computers: HashMap<PlayerId, usize>,
    /// How many games of any kind are being made for a player who is no computer.
    being_made: HashMap<PlayerId, usize>,
    /// Whom a hold keeps from every game.
    held: HashSet<PlayerId>,
}

impl Registry {
    pub fn new(
        store: Store,
        journal: Journal,
        clock: Clock,
        config: GameConfig,
        glicko2: Glicko2,
        computer: Computer,
    ) -> Self {
        Self(Arc::new(Shared {
            store,
            journal,
            clock,
            config,
            glicko2,
            computer,
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
            games: Mutex::default(),
        }))
    }

    pub(super) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(super) fn journal(&self) -> &Journal {
        &self.0.journal
    }

    pub fn clock(&self) -> &Clock {
        &self.0.clock
    }

    /// How long a side has for its first move.
    pub fn first_move_ms(&self, time: TimeControl) -> i64 {
        self.0.config.first_move_ms(time)
    }

    /// How long absent players of such a game are waited for; nothing where none are.
    pub(super) fn patience(&self, time: TimeControl) -> Option<Patience> {
        self.0.config.patience(time)
    }

    /// Starts the tasks of all games whose clocks run; the time since `away_since` is given back to their clocks. A damaged
    /// game keeps no other from being played.
    pub async fn bring_back(&self, away_since: Option<Timestamp>) -> Result<usize, StoreError> {
        let under_way = self.0.store.under_way_ids().await?;
        self.games().under_way.extend(under_way);
        let games = self.0.store.clocked_games(|time| self.first_move_ms(time)).await?;
        let now = self.clock().now();
        let mut brought_back = 0;
        for (game, state) in games {
            let state = match state {
                Ok(state) => state,
                Err(error) => {
                    tracing::error!(%game, %error, "a game under way cannot be brought back");
                    continue;
                }
            };
            let last = last_known(&state);
            let since = away_since.unwrap_or(last).max(last).min(now);
            brought_back += usize::from(self.start(state, Some(since)).is_some());
        }
        Ok(brought_back)
    }

    /// Starts the tasks of games that have none although their clocks run: those whose creation was committed although the
    /// database's answer was lost. Answers how many. A damaged one keeps no other from it.
    pub async fn adopt_orphans(&self) -> Result<usize, StoreError> {
        let mut adopted = 0;
        for game in self.0.store.clocked_game_ids().await? {
            if self.find(game).is_some() {
                continue;
            }
            match self.get(game).await {
                Ok(handle) => adopted += usize::from(handle.is_some()),
                Err(error @ StoreError::Unavailable(_)) => return Err(error),
                Err(error @ (StoreError::Damaged(_) | StoreError::Constraint(_))) => {
                    tracing::error!(%game, %error, "a game under way has no task");
                }
            }
        }
        Ok(adopted)
    }

    /// Starts the task of a game that has just been stored.
    pub fn adopt(&self, setup: GameSetup) -> Result<(), StoreError> {
        let state = GameState::new(setup).map_err(|e| StoreError::Damaged(e.to_string()))?;
        // One that is stored while the server stops is begun after its next start.
        _ = self.start(state, None);
        Ok(())
    }

    /// The rating of `player` for such a game; nothing where there is none.
    pub async fn rating(
        &self,
        player: &Player,
        variant: Variant,
        time: TimeControl,
    ) -> Result<Option<SeatRating>, StoreError> {
        match player.kind {
            PlayerKind::Guest | PlayerKind::Computer(_) => return Ok(None),
            // There are no ratings without a limit.
            PlayerKind::Account | PlayerKind::Bot if !time.is_limited() => return Ok(None),
            PlayerKind::Account | PlayerKind::Bot => {}
        }
        let (speed, glicko2) = (time.speed().as_str(), &self.0.glicko2);
        let ratings = self.0.store.ratings(player.id).await?;
        let stored = ratings.iter().find(|r| r.variant == variant.as_str() && r.speed == speed);
        let now = stored.map_or(glicko2.start(), |stored| stored.at(self.clock().now(), glicko2));
        Ok(Some(SeatRating { rating: now.rating, provisional: glicko2.is_provisional(now) }))
    }

    /// The rematch of a game that has ended, not yet stored: the same terms, with the colors swapped.
    pub(super) async fn rematch(&self, state: &GameState) -> Result<GameSetup, StoreError> {
        let id = state.setup().id;
        // The players may have other names and kinds by now.
        let gone = || StoreError::Damaged(format!("game {id} is not in the database"));
        let old = self.summary(id).await?.ok_or_else(gone)?.setup;
        let (variant, time) = (old.variant, old.time);
        let BySide { white, black } = old.seats;
        let seat = async |player: Player| {
            let rating = self.rating(&player, variant, time).await?;
            Ok::<_, StoreError>(Seat { player, rating })
        };
        Ok(GameSetup {
            id: GameId::new(),
            seats: BySide { white: seat(black.player).await?, black: seat(white.player).await? },
            created_at: self.clock().now(),
            series: state.next_series(),
            ..old
        })
    }

    /// The task of a game, if it has one.
    pub fn find(&self, id: GameId) -> Option<GameHandle> {
        self.games().handles.get(&id).filter(|handle| !handle.is_gone()).cloned()
    }

    /// The task of a game, if there is such a game. A server that stops starts none.
    pub async fn get(&self, id: GameId) -> Result<Option<GameHandle>, StoreError> {
        if let Some(handle) = self.find(id) {
            return Ok(Some(handle));
        }
        let Some(stored) = self.load(id).await? else { return Ok(None) };
        match self.wake(stored, None) {
            Some(handle) => Ok(Some(handle)),
            None => Err(StoreError::Unavailable(sqlx::Error::PoolClosed)),
        }
    }

    /// Starts the task of a game that had none; what its clock is owed is given back first. `away_since`: nobody could move
    /// since then, as the database was away.
    pub(super) fn wake(
        &self,
        stored: StoredGame,
        away_since: Option<Timestamp>,
    ) -> Option<GameHandle> {
        let StoredGame { state, deadline_at } = stored;
        let owed_ms = deadline_at.map_or(0, |at| state.owed_ms(at));
        let since = (owed_ms > 0)
            .then(|| self.clock().now().plus_ms(-owed_ms))
            .or(away_since)
            .or_else(|| self.is_orphan(&state).then(|| last_known(&state)));
        self.start(state, since)
    }

    /// Whether a game has had no task here although its clock runs: that it was begun was never answered, so nobody
    /// could play it.
    fn is_orphan(&self, state: &GameState) -> bool {
        state.end().is_none()
            && state.setup().time.is_real_time()
            && !self.games().live.contains(&state.setup().id)
    }

    /// A game to look at: from its task while it is under way and has one, and told again from the database otherwise.
    pub async fn look(&self, id: GameId) -> Result<Option<Arc<GameState>>, StoreError> {
        if let Some(handle) = self.find(id)
            && let Ok(state) = handle.look().await
            // Of names that change after the end, only the database knows.
            && state.end().is_none()
        {
            return Ok(Some(state));
        }
        Ok(self.load(id).await?.map(|stored| Arc::new(stored.state)))
    }

    /// A game as the database has it.
    pub(super) async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        self.0.store.game(id, |time| self.first_move_ms(time)).await
    }

    /// The same once nothing that was not answered can still write the event `next`.
    pub(super) async fn load_settled(
        &self,
        id: GameId,
        next: u64,
    ) -> Result<Option<StoredGame>, StoreError> {
        self.0.store.settle_event(id, next).await?;
        self.load(id).await
    }

    /// A game without its moves.
    pub async fn summary(&self, id: GameId) -> Result<Option<GameSummary>, StoreError> {
        self.0.store.game_summary(id, |time| self.first_move_ms(time)).await
    }

    /// How many moves a game has: from its task if it has one, else from its journal, which is not played over for it.
    pub async fn plies(&self, id: GameId) -> Result<usize, StoreError> {
        if let Some(handle) = self.find(id)
            && let Ok(state) = handle.look().await
        {
            return Ok(state.moves().len());
        }
        self.0.store.plies(id).await
    }

    /// The task for `state`: the one that it has already, or a new one. None where the server stops.
    fn start(&self, state: GameState, away_since: Option<Timestamp>) -> Option<GameHandle> {
        let id = state.setup().id;
        let mut games = self.games();
        if let Some(handle) = games.handles.get(&id).filter(|handle| !handle.is_gone()) {
            return Some(handle.clone());
        }
        if self.0.stop.is_cancelled() {
            return None;
        }
        // A stop that begins now waits for what is started here.
        let _started = self.0.tasks.token();
        if state.end().is_none() {
            games.under_way.insert(id);
        }
        if state.end().is_none() && state.setup().time.is_real_time() {
            games.live.insert(id);
            for seat in people(state.setup()) {
                let playing = games.playing.entry(seat.player.id).or_default();
                if !playing.contains(&id) {
                    playing.push(id);
                }
            }
        }
        let setup = state.setup().clone();
        let is_over = state.end().is_some();
        let (handle, actor) = GameActor::new(state, self.clone(), away_since);
        games.handles.insert(id, handle.clone());
        drop(games);
        if !is_over {
            for player in self.0.computer.players(&setup, &handle, &self.0.stop) {
                self.0.tasks.spawn(player);
            }
        }
        let span = tracing::info_span!("game", %id);
        self.0.tasks.spawn(actor.run(self.0.stop.clone()).instrument(span));
        Some(handle)
    }

    /// The games with a clock that `player` has under way.
    pub fn playing(&self, player: PlayerId) -> Vec<GameId> {
        self.games().playing.get(&player).cloned().unwrap_or_default()
    }

    /// Tells the games that `player` has under way the player's new name and kind.
    pub async fn renamed(&self, player: &Player) -> Result<(), StoreError> {
        let games = self.0.store.under_way(player.id).await?;
        for handle in games.into_iter().filter_map(|game| self.find(game)) {
            handle.renamed(player.clone()).await;
        }
        Ok(())
    }

    /// How many games with a clock are under way.
    pub fn live_count(&self) -> usize {
        self.games().live.len()
    }

    /// How many games are under way, with a clock or without.
    pub fn under_way_count(&self) -> usize {
        self.games().under_way.len()
    }

    pub(super) fn game_ended(&self, state: &GameState) {
        let id = state.setup().id;
        let mut games = self.games();
        games.live.remove(&id);
        games.under_way.remove(&id);
        for seat in people(state.setup()) {
            if let Some(playing) = games.playing.get_mut(&seat.player.id) {
                playing.retain(|game| *game != id);
                if playing.is_empty() {
                    games.playing.remove(&seat.player.id);
                }
            }
        }
    }

    pub(super) fn forget(&self, id: GameId) {
        self.games().handles.remove(&id);
    }

    /// Stops all tasks, each after what it is doing. From then on none is started.
    pub async fn stop(&self) {
        {
            // Whoever is starting one has it counted first.
            let _games = self.games();
            self.0.stop.cancel();
        }
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        // No code panics while it holds this; if some did, the maps are still whole.
        self.0.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// When something last happened in a game.
fn last_known(state: &GameState) -> Timestamp {
    state.log().last().map_or(state.setup().created_at, |last| last.at)
}

/// The seats of those whom a game can keep from another: a computer plays any number.
fn people(setup: &GameSetup) -> impl Iterator<Item = &Seat> {
    [&setup.seats.white, &setup.seats.black]
        .into_iter()
        .filter(|seat| seat.player.kind.level().is_none())
}
