//! Games that people offer in the lobby, as pure logic: which are open, who may take one, and what has changed for whoever
//! looks at the list.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use manifold_rules::Variant;

use super::challenge::SeatChoice;
use crate::game::clock::{DAY_MS, TimeControl};
use crate::game::state::SeatRating;
use crate::ids::{CommandId, PlayerId, SeekId};
use crate::player::{Player, PlayerKind};
use crate::time::Timestamp;

/// How many seeks a player may have.
pub const MAX_OF_ONE: usize = 5;
/// How many there may be with a clock, and as many of days per move: neither kind crowds out the other.
pub const MAX_OF_A_KIND: usize = 300;
/// How long a seek stays open.
pub const OPEN_MS: i64 = 14 * DAY_MS;
/// Of so many that are no longer open it is known what became of them, so that a retry gets the same answer.
const REMEMBERED: usize = 2_000;
/// So many changes at once are told one by one; beyond that the whole list is.
const MAX_CHANGES: usize = 16;

/// Between which ratings an opponent has to lie, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingRange {
    min: Option<u16>,
    max: Option<u16>,
}

impl RatingRange {
    /// `None` if nothing lies between the two.
    pub fn new(min: Option<u16>, max: Option<u16>) -> Option<Self> {
        let is_empty = min.zip(max).is_some_and(|(min, max)| min > max);
        (!is_empty).then_some(Self { min, max })
    }

    pub const fn min(self) -> Option<u16> {
        self.min
    }

    pub const fn max(self) -> Option<u16> {
        self.max
    }

    /// Whether a rating lies within, as people see it: rounded.
    fn contains(self, rating: f64) -> bool {
        let rating = rating.round();
        self.min.is_none_or(|min| rating >= min.into())
            && self.max.is_none_or(|max| rating <= max.into())
    }
}

/// What somebody wants to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub variant: Variant,
    /// The owner's color.
    pub color: SeatChoice,
    pub time: TimeControl,
    pub rated: bool,
    pub range: RatingRange,
}

/// A game that is offered to whoever fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Seek {
    pub id: SeekId,
    pub owner: Player,
    /// As it was when the seek was made; guests have none.
    pub rating: Option<SeatRating>,
    pub wanted: Wanted,
    /// What its owner called the command: the key of a retry.
    pub command: CommandId,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}

impl Seek {
    /// Whether it ends when its owner leaves or sits down at a game; the others keep nobody from anything.
    pub const fn is_real_time(&self) -> bool {
        self.wanted.time.is_real_time()
    }

    /// The same with another name or kind of its owner. Who has become an account since has a beginner's rating.
    pub fn owned_by(&self, owner: Player, beginners: SeatRating) -> Self {
        let is_rated = matches!(owner.kind, PlayerKind::Account | PlayerKind::Bot);
        let rating = self.rating.or_else(|| is_rated.then_some(beginners));
        Self { owner, rating, ..self.clone() }
    }

    fn is_of(&self, owner: PlayerId, command: &CommandId) -> bool {
        self.owner.id == owner && self.command == *command
    }
}

/// Why a seek is not for somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFor {
    /// It is the player's own.
    Owner,
    /// One of the two has blocked the other: for this player it is not there.
    Blocked,
    Guest,
    /// It is a person's, and rated.
    Bot,
    /// The rating is not what the seek asks for.
    Rating,
}

/// A seek in its place in the list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Higher than all before it.
    number: u64,
    pub seek: Arc<Seek>,
    /// Whom its owner has blocked.
    blocked: Arc<HashSet<PlayerId>>,
}

impl Listed {
    /// Whether `player`, whose rating in that game and speed is `rating` and who has blocked others, may accept it.
    pub fn check(
        &self,
        player: &Player,
        blocked: &HashSet<PlayerId>,
        rating: f64,
    ) -> Result<(), NotFor> {
        let (Wanted { rated, range, .. }, owner) = (self.seek.wanted, &self.seek.owner);
        if owner.id == player.id {
            Err(NotFor::Owner)
        } else if self.blocked.contains(&player.id) || blocked.contains(&owner.id) {
            Err(NotFor::Blocked)
        } else if rated && player.kind == PlayerKind::Guest {
            Err(NotFor::Guest)
        } else if rated && player.kind == PlayerKind::Bot && owner.kind != PlayerKind::Bot {
            Err(NotFor::Bot)
        } else if !range.contains(rating) {
            Err(NotFor::Rating)
        } else {
            Ok(())
        }
    }
}

/// Why there is no room for another seek.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// Its owner has as many as one may have.
    Owner,
    Lobby,
}

/// How a seek ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By its owner.
    Canceled,
    /// It was accepted or has expired, or its owner left or sat down at a game.
    Over,
}

/// All that are open, oldest first, and what is remembered of others.
#[derive(Debug, Default)]
pub struct Seeks {
    open: Vec<Listed>,
    last_number: u64,
    ended: VecDeque<(Arc<Seek>, Ending)>,
}

impl Seeks {
    /// The list as it is now.
    pub fn board(&self) -> Board {
        Board(self.open.clone())
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether `owner` may have another with such a time, besides those that may be on their way.
    pub fn has_room(
        &self,
        owner: PlayerId,
        time: TimeControl,
        on_their_way: &[Seek],
    ) -> Result<(), Full> {
        let all = || self.open.iter().map(|listed| &*listed.seek).chain(on_their_way);
        let is_alike = |seek: &&Seek| seek.is_real_time() == time.is_real_time();
        if all().filter(|seek| seek.owner.id == owner).count() >= MAX_OF_ONE {
            Err(Full::Owner)
        } else if all().filter(is_alike).count() >= MAX_OF_A_KIND {
            Err(Full::Lobby)
        } else {
            Ok(())
        }
    }

    /// Puts one at the end of the list.
    pub fn list(&mut self, seek: Seek, blocked: Arc<HashSet<PlayerId>>) {
        self.last_number += 1;
        self.open.push(Listed { number: self.last_number, seek: Arc::new(seek), blocked });
    }

    pub fn get(&self, id: SeekId) -> Option<&Listed> {
        self.open.iter().find(|listed| listed.seek.id == id)
    }

    /// The seek that its owner has asked for by this name, open or not.
    pub fn by_command(&self, owner: PlayerId, command: &CommandId) -> Option<&Seek> {
        let open = self.open.iter().map(|listed| &listed.seek);
        let ended = self.ended.iter().map(|(seek, _)| seek);
        open.chain(ended).find(|seek| seek.is_of(owner, command)).map(|seek| &**seek)
    }

    /// Whether `owner` had this one and canceled it.
    pub fn was_canceled(&self, id: SeekId, owner: PlayerId) -> bool {
        let is_it = |(seek, ending): &(Arc<Seek>, Ending)| {
            seek.id == id && seek.owner.id == owner && *ending == Ending::Canceled
        };
        self.ended.iter().any(is_it)
    }

    /// Takes one out of the list.
    pub fn end(&mut self, id: SeekId, ending: Ending) {
        self.end_where(ending, |seek| seek.id == id);
    }

    /// `owner` has left, or sits down at a game: what had a clock is over. Whether there was any.
    pub fn leave(&mut self, owner: PlayerId) -> bool {
        self.end_where(Ending::Over, |seek| seek.is_real_time() && seek.owner.id == owner)
    }

    /// Takes out what has expired, and what has a clock and an owner who plays elsewhere. Whether there was any.
    pub fn sweep(&mut self, now: Timestamp, plays: impl Fn(&Player) -> bool) -> bool {
        self.end_where(Ending::Over, |seek| {
            seek.expires_at <= now || (seek.is_real_time() && plays(&seek.owner))
        })
    }

    fn end_where(&mut self, ending: Ending, is_over: impl Fn(&Seek) -> bool) -> bool {
        let over = self.open.extract_if(.., |listed| is_over(&listed.seek));
        let before = self.ended.len();
        self.ended.extend(over.map(|listed| (listed.seek, ending)));
        let is_changed = self.ended.len() > before;
        let too_many = self.ended.len().saturating_sub(REMEMBERED);
        self.ended.drain(..too_many);
        is_changed
    }

    /// Another name or kind of a player. Whether it is in the list.
    pub fn rename(&mut self, player: &Player, beginners: SeatRating) -> bool {
        let mut is_changed = false;
        for listed in self.open.iter_mut().filter(|listed| listed.seek.owner.id == player.id) {
            listed.seek = Arc::new(listed.seek.owned_by(player.clone(), beginners));
            is_changed = true;
        }
        is_changed
    }

    /// The player will not play with these from now on.
    pub fn block(&mut self, player: PlayerId, blocked: &Arc<HashSet<PlayerId>>) {
        for listed in self.open.iter_mut().filter(|listed| listed.seek.owner.id == player) {
            listed.blocked = Arc::clone(blocked);
        }
    }
}

/// Who looks at the list.
#[derive(Clone, Debug, Default)]
pub struct Viewer {
    pub player: Option<PlayerId>,
    /// Whom the player has blocked.
    pub blocked: Arc<HashSet<PlayerId>>,
}

impl Viewer {
    fn sees(&self, listed: &Listed) -> bool {
        !self.blocked.contains(&listed.seek.owner.id)
            && self.player.is_none_or(|player| !listed.blocked.contains(&player))
    }
}

/// The list at one moment, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Board(Vec<Listed>);

/// What is another in a list than it was.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    Added(Arc<Seek>),
    Removed(SeekId),
}

impl Board {
    /// What `viewer` is shown of it.
    pub fn shown_to(&self, viewer: &Viewer) -> impl Iterator<Item = &Arc<Seek>> {
        self.0.iter().filter(|listed| viewer.sees(listed)).map(|listed| &listed.seek)
    }

    /// What somebody has to be told who was shown `old`. `None` if that is so much that the list is told anew.
    pub fn changes_since(&self, old: &Self, viewer: &Viewer) -> Option<Vec<Change>> {
        let mut changes = Vec::new();
        let seen = |board: &'_ Self, at: usize| board.0.get(at).map(|listed| listed.number);
        let (mut mine, mut theirs) = (0, 0);
        // Both are in the order of their numbers.
        loop {
            let (before, after) = match (seen(old, theirs), seen(self, mine)) {
                (None, None) => return Some(changes),
                (Some(number), next) if next.is_none_or(|next| number < next) => {
                    theirs += 1;
                    (Some(&old.0[theirs - 1]), None)
                }
                (Some(number), Some(next)) if number == next => {
                    (theirs, mine) = (theirs + 1, mine + 1);
                    (Some(&old.0[theirs - 1]), Some(&self.0[mine - 1]))
                }
                (_, _) => {
                    mine += 1;
                    (None, Some(&self.0[mine - 1]))
                }
            };
            let is_seen = |listed: &&Listed| viewer.sees(listed);
            match (before.filter(is_seen), after.filter(is_seen)) {
                (Some(before), None) => changes.push(Change::Removed(before.seek.id)),
                (Some(before), Some(after)) if Arc::ptr_eq(&before.seek, &after.seek) => {}
                (_, Some(after)) => changes.push(Change::Added(Arc::clone(&after.seek))),
                (None, None) => {}
            }
            if changes.len() > MAX_CHANGES {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests;
