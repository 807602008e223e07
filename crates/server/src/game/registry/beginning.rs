//! What a game needs before it is made: room for it with each of its players, taken so that two that are made at once never
//! both get it.

use std::collections::HashMap;

use super::{Games, Registry};
use crate::counts::{count_down, count_one};
use crate::game::clock::TimeControl;
use crate::ids::{GameId, PlayerId};
use crate::player::{Player, PlayerKind};
use crate::store::StoreError;
use crate::store::games::AgainstComputers;

/// Why a game cannot begin.
pub enum CannotBegin {
    /// Who has another game with a clock, and which one, unless it is just being made; or who is just becoming a bot.
    Busy {
        player: PlayerId,
        game: Option<GameId>,
    },
    /// How many games against computers the player has under way: no more may be begun.
    TooManyGames(i64),
    /// So many games against computers are under way in all.
    ComputerBusy,
    /// A bot has as many games under way as it may have.
    BotIsFull {
        player: PlayerId,
        games: i64,
    },
    Store(StoreError),
}

/// A game that is being made. It keeps its people from beginning another with a clock, if it has one, and counts among
/// those against computers, if it is one, and among those of its bots. To be kept until the game has its task or is known
/// not to exist.
#[must_use]
pub struct Beginning {
    registry: Registry,
    /// Whom it keeps from another.
    players: Vec<PlayerId>,
    /// Who plays a computer.
    against_computer: Option<PlayerId>,
    /// All who are no computers.
    people: Vec<PlayerId>,
    bots: Vec<PlayerId>,
}

/// Keeps a player from every game, of any kind, for as long as it is kept.
#[must_use]
pub struct Hold {
    registry: Registry,
    player: PlayerId,
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.registry.games().held.remove(&self.player);
    }
}

impl Drop for Beginning {
    fn drop(&mut self) {
        let mut games = self.registry.games();
        for player in &self.players {
            count_down(&mut games.beginning, player);
        }
        if let Some(player) = &self.against_computer {
            count_down(&mut games.against_computers, player);
        }
        for person in &self.people {
            count_down(&mut games.being_made, person);
        }
    }
}

impl Registry {
    /// Every game that is made begins here: what it needs is taken before it is stored, so that two that are made at once
    /// never both get it. Of two who are busy, the first is named.
    pub async fn begin_for(
        &self,
        time: TimeControl,
        players: [&Player; 2],
    ) -> Result<Beginning, CannotBegin> {
        let is_person = |player: &&Player| player.kind.level().is_none();
        let people: Vec<&Player> = players.into_iter().filter(is_person).collect();
        let beginning = self.take(time, &people)?;
        // Those that are being made count as well, this one too: the database may not have them yet.
        if let Some(player) = beginning.against_computer {
            let stored = self.0.store.games_against_computers(player).await;
            let stored = stored.map_err(CannotBegin::Store)?;
            let being_made = self.games().against_computers(player);
            let others = stored.of_player + being_made.of_player - 1;
            if others >= self.0.computer.games_per_player() {
                return Err(CannotBegin::TooManyGames(others));
            }
            if stored.all + being_made.all > self.0.computer.games() {
                return Err(CannotBegin::ComputerBusy);
            }
        }
        for &player in &beginning.bots {
            let stored = self.0.store.count_under_way(player).await;
            let being_made = count_of(&self.games().being_made, player);
            let games = self.games_per_bot();
            if stored.map_err(CannotBegin::Store)? + being_made > games {
                return Err(CannotBegin::BotIsFull { player, games });
            }
        }
        Ok(beginning)
    }

    /// Counts a game that is being made, and keeps its `people` from another if it has a clock, unless one of them has
    /// one. Bots may have several. Nobody begins any who is held.
    fn take(&self, time: TimeControl, people: &[&Player]) -> Result<Beginning, CannotBegin> {
        let ids = |all: &mut dyn Iterator<Item = &&Player>| all.map(|player| player.id).collect();
        let is_bot = |player: &&&Player| player.kind == PlayerKind::Bot;
        let players: Vec<PlayerId> = ids(&mut people.iter().filter(|_| time.is_real_time()));
        let bots: Vec<PlayerId> = ids(&mut people.iter().filter(is_bot));
        let people: Vec<PlayerId> = ids(&mut people.iter());
        let against_computer = people.first().copied().filter(|_| people.len() == 1);
        let mut games = self.games();
        for &player in people.iter().filter(|player| !bots.contains(player)) {
            if games.held.contains(&player) {
                return Err(CannotBegin::Busy { player, game: None });
            }
        }
        for &player in players.iter().filter(|player| !bots.contains(player)) {
            if let Some(game) = games.busy(player) {
                return Err(CannotBegin::Busy { player, game });
            }
        }
        for &player in &players {
            count_one(&mut games.beginning, player);
        }
        if let Some(player) = against_computer {
            count_one(&mut games.against_computers, player);
        }
        for &person in &people {
            count_one(&mut games.being_made, person);
        }
        drop(games);
        Ok(Beginning { registry: self.clone(), players, against_computer, people, bots })
    }

    /// Keeps a player from every game for as long as what it answers is kept. Fails where the player has one with a clock, which
    /// is named, and where one of any kind is just being made: of those under way without a clock the database knows.
    pub fn hold(&self, player: PlayerId) -> Result<Hold, Option<GameId>> {
        let mut games = self.games();
        if let Some(game) = games.busy(player) {
            return Err(game);
        }
        // One who is held already would be let go by whichever of the two holds ends first.
        if games.being_made.contains_key(&player) || !games.held.insert(player) {
            return Err(None);
        }
        drop(games);
        Ok(Hold { registry: self.clone(), player })
    }

    /// How many games of any kind a bot may have under way.
    pub fn games_per_bot(&self) -> i64 {
        self.0.config.games_per_bot
    }

    /// Whether the player has as many games with a clock under way as one may have.
    pub fn is_full(&self, player: &Player) -> bool {
        let games = self.games().playing.get(&player.id).map_or(0, Vec::len);
        match player.kind {
            PlayerKind::Guest | PlayerKind::Account => games > 0,
            PlayerKind::Bot => {
                i64::try_from(games).is_ok_and(|games| games >= self.games_per_bot())
            }
            PlayerKind::Computer(_) => false,
        }
    }

    /// Whether a game with a clock is being made for `player`.
    pub fn is_beginning(&self, player: PlayerId) -> bool {
        self.games().beginning.contains_key(&player)
    }
}

impl Games {
    /// The games against computers that are being made.
    fn against_computers(&self, player: PlayerId) -> AgainstComputers {
        let all: usize = self.against_computers.values().sum();
        AgainstComputers {
            of_player: count_of(&self.against_computers, player),
            all: i64::try_from(all).unwrap_or(i64::MAX),
        }
    }

    /// What keeps a person from a game with a clock: another, which is named unless it is just being made.
    fn busy(&self, player: PlayerId) -> Option<Option<GameId>> {
        let game = self.playing.get(&player).and_then(|games| games.first().copied());
        (game.is_some() || self.beginning.contains_key(&player)).then_some(game)
    }
}

/// How many are counted for `player`.
fn count_of(counts: &HashMap<PlayerId, usize>, player: PlayerId) -> i64 {
    counts.get(&player).map_or(0, |&count| i64::try_from(count).unwrap_or(i64::MAX))
}
