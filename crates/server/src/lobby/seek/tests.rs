//! Seeks as pure logic.

use super::*;
use crate::game::clock::{Days, Fischer};
use uuid::Uuid;

const CLOCK: TimeControl = TimeControl::Fischer(Fischer { base_ms: 180_000, increment_ms: 2000 });
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
    let bot = |n| Player { kind: PlayerKind::Bot, ..player(n) };
    let (nobody, owner) = (who_blocks(&[]), who_blocks(&[1]));
    for (who, blocked, rating, expected) in [
        (player(1), &nobody, 1700.0, Err(NotFor::Owner)),
        (player(2), &nobody, 1700.0, Ok(())),
        (player(2), &nobody, 1599.0, Err(NotFor::Rating)),
        (player(2), &owner, 1700.0, Err(NotFor::Blocked)),
        (player(3), &nobody, 1700.0, Err(NotFor::Blocked)),
        (guest, &nobody, 1700.0, Err(NotFor::Guest)),
        (bot(5), &nobody, 1700.0, Err(NotFor::Bot)),
    ] {
        assert_eq!(one.check(&who, blocked, rating), expected, "{who:?} {rating}");
    }
    let of = |owner: Player, rated| {
        let mut seeks = Seeks::default();
        let mut seek = seek(1, 1, CLOCK);
        (seek.owner, seek.wanted.rated) = (owner, rated);
        seeks.list(seek, Arc::clone(&nobody));
        seeks.get(SeekId(Uuid::from_u128(1))).expect("it is open").clone()
    };
    for (owner, who, rated, expected) in [
        (player(1), bot(5), false, Ok(())),
        (player(1), bot(5), true, Err(NotFor::Bot)),
        (bot(1), bot(5), true, Ok(())),
        (bot(1), player(2), true, Ok(())),
        (bot(1), player(2), false, Ok(())),
    ] {
        let seen = format!("{owner:?} {who:?} {rated}");
        assert_eq!(of(owner, rated).check(&who, &nobody, 1500.0), expected, "{seen}");
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
    assert!(swept.sweep(at(999), |player| player.id == other));
    assert_eq!(shown(&swept.board(), &Viewer::default()), [1, 2, 4]);
    assert!(!swept.sweep(at(999), |player| player.id == other));
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
