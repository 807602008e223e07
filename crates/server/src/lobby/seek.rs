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
        let is_account = owner.kind == PlayerKind::Account;
        let rating = self.rating.or_else(|| is_account.then_some(beginners));
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
        let Wanted { rated, range, .. } = self.seek.wanted;
        if self.seek.owner.id == player.id {
            Err(NotFor::Owner)
        } else if self.blocked.contains(&player.id) || blocked.contains(&self.seek.owner.id) {
            Err(NotFor::Blocked)
        } else if rated && player.kind == PlayerKind::Guest {
            Err(NotFor::Guest)
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
    pub fn sweep(&mut self, now: Timestamp, plays: impl Fn(PlayerId) -> bool) -> bool {
        self.end_where(Ending::Over, |seek| {
            seek.expires_at <= now || (seek.is_real_time() && plays(seek.owner.id))
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
mod tests {
    use super::*;
    use crate::game::clock::{Days, Fischer};
    use uuid::Uuid;

    const CLOCK: TimeControl =
        TimeControl::Fischer(Fischer { base_ms: 180_000, increment_ms: 2000 });
    const BEGINNERS: SeatRating = SeatRating { rating: 1500.0, provisional: true };

    fn days() -> TimeControl {
        TimeControl::Correspondence(Days::new(3).expect("it is one of 1 to 14"))
    }

    fn player(n: u128) -> Player {
        let id = PlayerId(Uuid::from_u128(n));
        Player { id, name: format!("p{n}"), kind: PlayerKind::Account }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_ms(seconds * 1000)
    }

    /// A seek by its number.
    fn seek(n: u128, owner: u128, time: TimeControl) -> Seek {
        let range = RatingRange::default();
        let (variant, color) = (Variant::Fourfold, SeatChoice::Random);
        Seek {
            id: SeekId(Uuid::from_u128(n)),
            owner: player(owner),
            rating: Some(BEGINNERS),
            wanted: Wanted { variant, color, time, rated: true, range },
            command: CommandId::numbered("seek", usize::try_from(n).expect("it is small")),
            created_at: at(0),
            expires_at: at(1000),
        }
    }

    fn seeks(all: &[(u128, u128, TimeControl)]) -> Seeks {
        let mut seeks = Seeks::default();
        for (n, owner, time) in all {
            seeks.list(seek(*n, *owner, *time), Arc::default());
        }
        seeks
    }

    fn number(seek: &Seek) -> u128 {
        seek.id.0.as_u128()
    }

    fn shown(board: &Board, viewer: &Viewer) -> Vec<u128> {
        board.shown_to(viewer).map(|seek| number(seek)).collect()
    }

    /// The changes, removed ones as negative numbers.
    fn changes(new: &Board, old: &Board, viewer: &Viewer) -> Option<Vec<i128>> {
        let as_number = |change: Change| match change {
            Change::Added(seek) => i128::try_from(number(&seek)).expect("it is small"),
            Change::Removed(id) => -i128::try_from(id.0.as_u128()).expect("it is small"),
        };
        Some(new.changes_since(old, viewer)?.into_iter().map(as_number).collect())
    }

    fn who_blocks(blocked: &[u128]) -> Arc<HashSet<PlayerId>> {
        Arc::new(blocked.iter().map(|n| PlayerId(Uuid::from_u128(*n))).collect())
    }

    fn viewer(n: u128, blocked: &[u128]) -> Viewer {
        Viewer { player: Some(PlayerId(Uuid::from_u128(n))), blocked: who_blocks(blocked) }
    }

    #[test]
    fn a_range_includes_its_edges_as_people_see_them() {
        for (min, max, rating, fits) in [
            (None, None, 400.0, true),
            (Some(1500), None, 1499.5, true),
            (Some(1500), None, 1499.4, false),
            (None, Some(1500), 1500.4, true),
            (None, Some(1500), 1500.5, false),
            (Some(1500), Some(1500), 1500.0, true),
            (Some(1500), Some(1600), 1600.0, true),
            (Some(1500), Some(1600), 1601.0, false),
        ] {
            let range = RatingRange::new(min, max).expect("something lies between");
            assert_eq!(range.contains(rating), fits, "{min:?} {max:?} {rating}");
        }
        assert_eq!(RatingRange::new(Some(1501), Some(1500)), None);
    }

    #[test]
    fn who_may_accept() {
        let mut seeks = Seeks::default();
        let range = RatingRange::new(Some(1600), None).expect("it is a range");
        let mut one = seek(1, 1, CLOCK);
        one.wanted.range = range;
        seeks.list(one, who_blocks(&[3]));
        let one = seeks.get(SeekId(Uuid::from_u128(1))).expect("it is open");
        let guest = Player { kind: PlayerKind::Guest, ..player(4) };
        let (nobody, owner) = (who_blocks(&[]), who_blocks(&[1]));
        for (who, blocked, rating, expected) in [
            (player(1), &nobody, 1700.0, Err(NotFor::Owner)),
            (player(2), &nobody, 1700.0, Ok(())),
            (player(2), &nobody, 1599.0, Err(NotFor::Rating)),
            (player(2), &owner, 1700.0, Err(NotFor::Blocked)),
            (player(3), &nobody, 1700.0, Err(NotFor::Blocked)),
            (guest, &nobody, 1700.0, Err(NotFor::Guest)),
        ] {
            assert_eq!(one.check(&who, blocked, rating), expected, "{who:?} {rating}");
        }
    }

    #[test]
    fn who_leaves_or_plays_loses_those_with_a_clock_alone() {
        let (one, other) = (PlayerId(Uuid::from_u128(1)), PlayerId(Uuid::from_u128(2)));
        let all = [(1, 1, CLOCK), (2, 1, days()), (3, 2, CLOCK), (4, 2, days())];
        let mut left = seeks(&all);
        assert!(left.leave(one));
        assert!(!left.leave(one), "there is none any more");
        assert_eq!(shown(&left.board(), &Viewer::default()), [2, 3, 4]);
        let mut swept = seeks(&all);
        assert!(swept.sweep(at(999), |player| player == other));
        assert_eq!(shown(&swept.board(), &Viewer::default()), [1, 2, 4]);
        assert!(!swept.sweep(at(999), |player| player == other));
        assert!(swept.sweep(at(1000), |_| false), "their time is up");
        assert!(swept.is_empty());
    }

    #[test]
    fn there_is_room_for_so_many_of_one_and_of_a_kind() {
        let mut full = seeks(&[]);
        let owner = |n: usize| u128::try_from(n / MAX_OF_ONE).expect("it is small");
        for n in 0..MAX_OF_A_KIND {
            full.list(seek(n as u128, owner(n), CLOCK), Arc::default());
        }
        let (busy, new) = (PlayerId(Uuid::from_u128(0)), PlayerId(Uuid::from_u128(1_000)));
        assert_eq!(full.has_room(new, CLOCK, &[]), Err(Full::Lobby));
        assert_eq!(full.has_room(new, days(), &[]), Ok(()), "the other kind");
        assert_eq!(full.has_room(busy, days(), &[]), Err(Full::Owner));
        full.end(SeekId(Uuid::from_u128(0)), Ending::Canceled);
        assert_eq!(full.has_room(busy, CLOCK, &[]), Ok(()));
        assert_eq!(full.has_room(new, CLOCK, &[seek(999, 777, CLOCK)]), Err(Full::Lobby));
        assert_eq!(full.has_room(busy, CLOCK, &[seek(999, 0, days())]), Err(Full::Owner));
    }

    #[test]
    fn what_was_is_remembered_for_retries_but_not_for_ever() {
        let mut seeks = seeks(&[(1, 1, CLOCK), (2, 1, CLOCK)]);
        let (first, owner) = (SeekId(Uuid::from_u128(1)), PlayerId(Uuid::from_u128(1)));
        let command = CommandId::numbered("seek", 1);
        assert!(seeks.by_command(owner, &command).is_some());
        seeks.end(first, Ending::Canceled);
        seeks.end(SeekId(Uuid::from_u128(2)), Ending::Over);
        assert!(seeks.get(first).is_none());
        assert_eq!(seeks.by_command(owner, &command).map(number), Some(1));
        assert!(seeks.by_command(PlayerId(Uuid::from_u128(2)), &command).is_none(), "another's");
        assert!(seeks.was_canceled(first, owner));
        assert!(!seeks.was_canceled(first, PlayerId(Uuid::from_u128(2))));
        assert!(!seeks.was_canceled(SeekId(Uuid::from_u128(2)), owner));
        for n in 0..REMEMBERED {
            seeks.list(seek(100 + n as u128, 3, CLOCK), Arc::default());
            seeks.end(SeekId(Uuid::from_u128(100 + n as u128)), Ending::Over);
        }
        assert_eq!(seeks.ended.len(), REMEMBERED);
        assert!(!seeks.was_canceled(first, owner), "forgotten");
    }

    #[test]
    fn only_what_has_changed_is_told() {
        let everyone = Viewer::default();
        let mut seeks = seeks(&[(1, 1, CLOCK), (2, 2, CLOCK), (3, 3, CLOCK)]);
        let old = seeks.board();
        assert_eq!(changes(&old, &old, &everyone), Some(vec![]));
        seeks.end(SeekId(Uuid::from_u128(1)), Ending::Over);
        seeks.list(seek(4, 4, days()), Arc::default());
        let guest = Player { name: "eve".to_owned(), ..player(3) };
        assert!(seeks.rename(&guest, BEGINNERS));
        let new = seeks.board();
        assert_eq!(changes(&new, &old, &everyone), Some(vec![-1, 3, 4]));
        assert_eq!(changes(&new, &Board::default(), &everyone), Some(vec![2, 3, 4]));
        assert_eq!(changes(&Board::default(), &new, &everyone), Some(vec![-2, -3, -4]));
        assert_eq!(new.0[1].seek.owner.name, "eve");
        // One that came and went in between was never there.
        seeks.list(seek(5, 5, CLOCK), Arc::default());
        seeks.end(SeekId(Uuid::from_u128(5)), Ending::Over);
        assert_eq!(changes(&seeks.board(), &new, &everyone), Some(vec![]));
    }

    #[test]
    fn much_at_once_is_a_list() {
        let mut seeks = seeks(&[]);
        for n in 0..MAX_CHANGES {
            seeks.list(seek(n as u128, n as u128, CLOCK), Arc::default());
        }
        let told = changes(&seeks.board(), &Board::default(), &Viewer::default());
        assert_eq!(told.map(|told| told.len()), Some(MAX_CHANGES));
        seeks.list(seek(99, 99, CLOCK), Arc::default());
        assert_eq!(changes(&seeks.board(), &Board::default(), &Viewer::default()), None);
    }

    #[test]
    fn the_blocked_never_see_each_other_s() {
        let mut seeks = seeks(&[(1, 1, CLOCK), (2, 2, CLOCK)]);
        let (both, ones) = (viewer(9, &[]), viewer(9, &[2]));
        let old = seeks.board();
        assert_eq!((shown(&old, &both), shown(&old, &ones)), (vec![1, 2], vec![1]));
        // Its owner blocks the one who looks.
        seeks.block(PlayerId(Uuid::from_u128(1)), &who_blocks(&[9]));
        let new = seeks.board();
        assert_eq!((shown(&new, &both), shown(&new, &Viewer::default())), (vec![2], vec![1, 2]));
        assert_eq!(changes(&new, &old, &both), Some(vec![-1]));
        assert_eq!(changes(&new, &old, &Viewer::default()), Some(vec![]), "others see no change");
        assert_eq!(changes(&old, &new, &both), Some(vec![1]), "and back");
        // One that is hidden goes unseen.
        seeks.end(SeekId(Uuid::from_u128(1)), Ending::Over);
        assert_eq!(changes(&seeks.board(), &new, &both), Some(vec![]));
    }

    #[test]
    fn a_guest_who_signs_up_has_a_name_and_a_rating() {
        let mut seeks = Seeks::default();
        let owner = Player { kind: PlayerKind::Guest, ..player(1) };
        seeks.list(Seek { owner, rating: None, ..seek(1, 1, CLOCK) }, Arc::default());
        assert!(!seeks.rename(&player(2), BEGINNERS), "somebody else");
        assert!(seeks.rename(&Player { name: "ada".to_owned(), ..player(1) }, BEGINNERS));
        let seek = &seeks.open[0].seek;
        assert_eq!((seek.owner.name.as_str(), seek.rating), ("ada", Some(BEGINNERS)));
    }
}
