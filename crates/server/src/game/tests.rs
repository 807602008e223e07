//! Stories of a game, told without waiting: every time is made up.

use manifold_rules::{Color, Game, GameEnd, Outcome, Termination, Variant};
use proptest::prelude::*;

use super::clock::{BySide, Fischer, TimeControl};
use super::event::{Action, Event, Logged};
use super::state::{Command, Decision, GameSetup, GameState, Refusal, Seat};
use crate::ids::{CommandId, GameId, PlayerId};
use crate::player::{Player, PlayerKind};
use crate::time::Timestamp;

const TIME: Fischer = Fischer { base_ms: 60_000, increment_ms: 1000 };
const FIRST_MOVE_MS: i64 = 20_000;

fn at(ms: i64) -> Timestamp {
    Timestamp::from_micros(0).plus_ms(ms)
}

fn setup(variant: Variant, start_fen: &str) -> GameSetup {
    let seat = |name: &str| Seat {
        player: Player { id: PlayerId::new(), name: name.to_owned(), kind: PlayerKind::Account },
        rating: None,
    };
    GameSetup {
        id: GameId::new(),
        variant,
        rated: true,
        time: TimeControl::Fischer(TIME),
        first_move_ms: FIRST_MOVE_MS,
        start_fen: start_fen.to_owned(),
        seats: BySide { white: seat("ada"), black: seat("bob") },
        created_at: at(0),
    }
}

/// A game whose commands are committed at once, as a journal that never fails would.
struct Story {
    state: GameState,
    commands: usize,
}

impl Story {
    fn new() -> Self {
        Self::of(Variant::Fourfold)
    }

    fn of(variant: Variant) -> Self {
        Self::from_setup(setup(variant, &Game::new(variant).fen()))
    }

    fn from_fen(fen: &str) -> Self {
        Self::from_setup(setup(Variant::Fourfold, fen))
    }

    fn from_setup(setup: GameSetup) -> Self {
        Self { state: GameState::new(setup).expect("a good start"), commands: 0 }
    }

    /// After each side's first move, both at 0.
    fn begun() -> Self {
        let mut story = Self::new();
        story.moves(0);
        story.moves(0);
        story
    }

    fn decide(&mut self, now: i64, by: Color, action: Action) -> Result<Decision, Refusal> {
        self.commands += 1;
        let id = CommandId::try_from(format!("c-{}", self.commands)).expect("a good id");
        self.state.decide(at(now), &Command { by, id, action })
    }

    fn commit(&mut self, now: i64, events: Vec<Event>) {
        for event in events {
            let logged = Logged { seq: self.state.seq() + 1, at: at(now), event };
            self.state.apply(logged).expect("a decided event applies");
        }
    }

    /// The number of the event that the command becomes.
    fn act(&mut self, now: i64, by: Color, action: Action) -> Result<u64, Refusal> {
        match self.decide(now, by, action)? {
            Decision::Already(seq) => Ok(seq),
            Decision::Events(events) => {
                let seq = self.state.seq() + 1;
                self.commit(now, events);
                Ok(seq)
            }
        }
    }

    fn tick(&mut self, now: i64) -> bool {
        let event = self.state.tick(at(now));
        let ticked = event.is_some();
        self.commit(now, event.into_iter().collect());
        ticked
    }

    /// The side to move plays one of its moves, not always the same: nothing repeats soon.
    fn moves(&mut self, now: i64) {
        let ply = self.state.moves().len();
        let legal = self.state.legal_moves();
        let turn = legal.get(ply * 7 % legal.len().max(1)).expect("a legal move").clone();
        let by = self.state.game().side_to_move();
        self.act(now, by, Action::Move { ply, turn }).expect("it is legal");
    }

    fn end(&self) -> Option<(Outcome, Termination)> {
        self.state.end().map(|GameEnd { outcome, termination }| (outcome, termination))
    }
}

fn turn(ply: usize, turn: &str) -> Action {
    Action::Move { ply, turn: turn.to_owned() }
}

#[test]
fn a_retry_is_answered_and_happens_once() {
    let mut story = Story::new();
    let id = CommandId::try_from("once".to_owned()).expect("a good id");
    let command = |action| Command { by: Color::White, id: id.clone(), action };
    let first = command(turn(0, "d1@00d1@11"));
    let Ok(Decision::Events(events)) = story.state.decide(at(0), &first) else {
        panic!("it is legal")
    };
    story.commit(0, events);
    for _ in 0..10 {
        assert_eq!(story.state.decide(at(1), &first), Ok(Decision::Already(1)));
    }
    let other = command(turn(0, "a1@00a1@01"));
    assert_eq!(story.state.decide(at(1), &other), Err(Refusal::IdReused));
    assert_eq!(story.state.decide(at(1), &command(Action::Resign)), Err(Refusal::IdReused));
    // The same words from the other side are another command.
    let theirs = Command { by: Color::Black, ..first.clone() };
    assert!(matches!(story.state.decide(at(1), &theirs), Err(Refusal::StalePly { .. })));
    // Still so after the end.
    story.moves(1);
    story.act(2, Color::Black, Action::Resign).expect("both have moved");
    assert_eq!(story.state.decide(at(3), &first), Ok(Decision::Already(1)));
}

#[test]
fn wrong_moves_change_nothing() {
    let mut story = Story::begun();
    let check = |story: &mut Story, by, action, expected: fn(&Refusal) -> bool| {
        let refusal = story.act(1, by, action).expect_err("it is wrong");
        assert!(expected(&refusal), "{refusal:?}");
        assert_eq!(story.state.seq(), 2);
    };
    check(&mut story, Color::White, turn(1, "d1@00d1@11"), |r| {
        *r == Refusal::StalePly { sent: 1, actual: 2 }
    });
    check(&mut story, Color::White, turn(3, "d1@00d1@11"), |r| {
        *r == Refusal::StalePly { sent: 3, actual: 2 }
    });
    check(&mut story, Color::Black, turn(2, "d1@00d1@11"), |r| *r == Refusal::NotYourTurn);
    for wrong in [
        "",
        "a1",
        "a1@00a1@00",
        "a9@00a1@00",
        "a1@00d4@11",
        "a1@00a1@01q",
        "a1[0,0]a1[0,1]",
        "♔",
        &"a1@00".repeat(1000),
    ] {
        check(&mut story, Color::White, turn(2, wrong), |r| matches!(r, Refusal::IllegalMove(_)));
    }
}

#[test]
fn case_04_a_move_is_in_time_until_the_clock_shows_zero() {
    // White's second turn began at 0 with a minute.
    for (now, in_time) in [(59_999, true), (60_000, false), (60_001, false)] {
        let mut story = Story::begun();
        let next = story.state.legal_moves()[0].clone();
        let result = story.act(now, Color::White, turn(2, &next));
        assert_eq!(result.is_ok(), in_time, "at {now}");
        if !in_time {
            assert_eq!(result, Err(Refusal::TooLate));
        }
        // A flag that was due and comes late finds the move played, and does not fall.
        assert_eq!(story.tick(now), !in_time, "at {now}");
        let flagged = Some((Outcome::Win(Color::Black), Termination::Timeout));
        assert_eq!(story.end(), if in_time { None } else { flagged }, "at {now}");
    }
}

#[test]
fn case_08_timeout_against_a_bare_king_is_a_draw() {
    let fen = "4/4/PPPP/RNBQ|4/4/4/K3|4/4/4/4|k3/4/4/4 w 0 1";
    for (late, outcome) in
        [(Color::White, Outcome::Draw), (Color::Black, Outcome::Win(Color::White))]
    {
        let mut story = Story::from_fen(fen);
        story.moves(0);
        story.moves(0);
        if late == Color::Black {
            story.moves(0);
        }
        assert!(story.tick(100_000));
        assert_eq!(story.end(), Some((outcome, Termination::Timeout)));
    }
}

#[test]
fn case_09_an_offer_stands_apart_from_the_flag_and_is_not_spammed() {
    let mut story = Story::begun();
    let offer = story.act(1, Color::White, Action::OfferDraw).expect("the first offer");
    assert_eq!(story.act(2, Color::White, Action::OfferDraw), Err(Refusal::OfferOpen));
    assert_eq!(
        story.act(2, Color::White, Action::AcceptDraw { offer }),
        Err(Refusal::NoSuchOffer),
        "one's own"
    );
    assert_eq!(
        story.act(2, Color::Black, Action::AcceptDraw { offer: offer + 1 }),
        Err(Refusal::NoSuchOffer)
    );
    // The mover's own offer stays; the opponent's move declines it.
    story.moves(3);
    assert_eq!(story.state.draw_offer(), Some((Color::White, offer)));
    story.moves(4);
    assert_eq!(story.state.draw_offer(), None);
    assert_eq!(
        story.act(5, Color::Black, Action::AcceptDraw { offer }),
        Err(Refusal::NoSuchOffer),
        "stale"
    );
    for own_move in 0..10 {
        assert_eq!(
            story.act(6, Color::White, Action::OfferDraw),
            Err(Refusal::OfferTooSoon),
            "after {own_move}"
        );
        story.moves(6);
        story.moves(6);
    }
    let again = story.act(7, Color::White, Action::OfferDraw).expect("after ten own moves");
    // An open offer does not turn a flag into a draw.
    assert!(story.tick(200_000));
    assert_eq!(story.end(), Some((Outcome::Win(Color::Black), Termination::Timeout)));
    assert_eq!(
        story.act(200_001, Color::Black, Action::AcceptDraw { offer: again }),
        Err(Refusal::GameOver)
    );
}

#[test]
fn a_draw_is_agreed_by_accepting_or_by_offering_both() {
    for action in [Action::AcceptDraw { offer: 3 }, Action::OfferDraw] {
        let mut story = Story::begun();
        assert_eq!(story.act(1, Color::White, Action::OfferDraw), Ok(3));
        story.act(2, Color::Black, action).expect("there is an offer");
        assert_eq!(story.end(), Some((Outcome::Draw, Termination::Agreement)));
    }
    let mut story = Story::begun();
    let offer = story.act(1, Color::White, Action::OfferDraw).expect("the first offer");
    story.act(2, Color::Black, Action::DeclineDraw { offer }).expect("it is open");
    assert_eq!(story.act(3, Color::Black, Action::AcceptDraw { offer }), Err(Refusal::NoSuchOffer));
    assert_eq!(story.act(3, Color::White, Action::OfferDraw), Err(Refusal::OfferTooSoon));
    story.act(3, Color::Black, Action::OfferDraw).expect("the other side is free to");
}

#[test]
fn abort_is_for_games_that_have_not_begun_and_resignation_for_those_that_have() {
    let mut story = Story::new();
    for _ in 0..2 {
        assert_eq!(story.act(1, Color::Black, Action::Resign), Err(Refusal::CannotResign));
        story.moves(1);
    }
    assert_eq!(story.act(2, Color::White, Action::Abort), Err(Refusal::CannotAbort));
    story.act(2, Color::White, Action::Resign).expect("both have moved");
    assert_eq!(story.end(), Some((Outcome::Win(Color::Black), Termination::Resignation)));

    let mut story = Story::new();
    story.moves(0);
    story.act(1, Color::White, Action::Abort).expect("Black has not moved");
    assert_eq!(story.end(), Some((Outcome::Aborted, Termination::Aborted)));
}

#[test]
fn case_12_only_a_game_that_nobody_began_is_aborted_by_time() {
    let mut story = Story::new();
    assert!(!story.tick(FIRST_MOVE_MS - 1));
    story.moves(FIRST_MOVE_MS - 1);
    assert!(!story.tick(FIRST_MOVE_MS), "it is Black's time now");
    story.moves(FIRST_MOVE_MS);
    assert!(!story.tick(2 * FIRST_MOVE_MS), "both have moved");
    assert_eq!(story.end(), None);

    let mut story = Story::new();
    story.moves(0);
    assert!(story.tick(FIRST_MOVE_MS));
    assert_eq!(story.end(), Some((Outcome::Aborted, Termination::Aborted)));
}

#[test]
fn case_03_time_that_the_server_was_away_is_given_back() {
    let mut story = Story::begun();
    // Five seconds of White's turn had passed when the server went away, for an hour.
    let resumed = story.state.resumption(at(5000)).expect("a clock runs");
    story.commit(3_600_000, vec![resumed]);
    let clock = story.state.clock(at(3_600_000)).expect("there is one");
    assert_eq!(clock.remaining_ms.white, 55_000);
    // It was committed, but the answer was lost: the next try gives nothing back twice.
    let again = story.state.resumption(at(5000));
    assert_eq!(again, Some(Event::Resumed { elapsed_ms: 5000 }));
    assert!(!story.tick(3_600_000 + 54_999));
    assert!(story.tick(3_600_000 + 55_000));
}

#[test]
fn without_a_clock_a_game_waits_for_ever() {
    let setup = GameSetup {
        rated: false,
        time: TimeControl::Untimed,
        ..setup(Variant::Fourfold, &Game::new(Variant::Fourfold).fen())
    };
    let mut story = Story::from_setup(setup);
    const YEAR_MS: i64 = 365 * 24 * 3_600_000;
    for year in 1..4 {
        assert!(!story.tick(year * YEAR_MS), "not even for a first move");
        assert_eq!((story.state.deadline(), story.state.clock(at(year * YEAR_MS))), (None, None));
        assert_eq!(story.state.resumption(at(year * YEAR_MS)), None, "nothing to give back");
        story.moves(year * YEAR_MS);
    }
    assert_eq!(story.state.moves()[1].spent_ms, YEAR_MS);
    story.act(4 * YEAR_MS, Color::White, Action::Resign).expect("both have moved");
    assert_eq!(story.end(), Some((Outcome::Win(Color::Black), Termination::Resignation)));
}

#[test]
fn a_turn_of_several_moves_is_one_move_of_the_game() {
    let mut story = Story::of(Variant::ParallelWorlds);
    assert_eq!(story.state.legal_moves().len(), 70, "single moves, not turns");
    let refused = |story: &mut Story, ply, wire: &str, why: &str| {
        let by = story.state.game().side_to_move();
        let Err(Refusal::IllegalMove(detail)) = story.act(1, by, turn(ply, wire)) else {
            panic!("{wire} is not legal")
        };
        assert!(detail.contains(why), "{wire}: {detail}");
    };
    refused(&mut story, 0, "e2@1e4@1,d2@1d4@1", "already ended on level 1");
    refused(&mut story, 0, "e2@1e4@1,g1@3f3@3,d1@1d1@2", "at most two");
    story.act(1, Color::White, turn(0, "e2@1e4@1,g1@3f3@3")).expect("it is legal");
    let played = &story.state.moves()[0];
    assert_eq!((&*played.lan, &played.check), ("e2@1-e4@1,Ng1@3-f3@3", &None));
    refused(&mut story, 1, "f7@1f6@1,f6@1f6@2", "already moved");
    story.act(2, Color::Black, turn(1, "f7@1f6@1,g8@3f6@3,d7@1d7@2")).expect("it is legal");
    story.act(3, Color::White, turn(2, "d1@1h5@1")).expect("it is legal");
    story.act(4, Color::Black, turn(3, "a7@1a6@1")).expect("nobody has to answer a threat");
    refused(&mut story, 4, "h5@1e8@1,f3@3g5@3", "over");
    story.act(5, Color::White, turn(4, "h5@1e8@1")).expect("a king is captured");
    assert_eq!(story.end(), Some((Outcome::Win(Color::White), Termination::KingCaptured)));
    assert!(story.state.legal_moves().is_empty());
}

#[test]
fn a_game_that_ends_on_the_board_says_how() {
    let mut story = Story::from_fen("4/4/4/4|4/4/4/K3|4/4/4/4|k2Q/4/4/4 b 0 1");
    // Whatever Black plays, the game is not over; then play on until the rules end it.
    let mut now = 0;
    while story.end().is_none() {
        now += 1;
        story.moves(now);
        assert!(now < 1000, "the hundred moves end it at the latest");
    }
    let (outcome, termination) = story.end().expect("it has ended");
    assert_eq!(Some(GameEnd { outcome, termination }), story.state.game().end());
    assert!(story.state.legal_moves().is_empty());
    assert_eq!(story.state.deadline(), None);
    assert!(!story.tick(10_000_000));
}

/// A turn that begins with `first` and has as many moves as `pick` wants, where the game has turns of several.
fn longer(story: &Story, first: String, pick: usize) -> String {
    let mut turn = first;
    for _ in 0..pick % 3 {
        let next = story.state.game().under_way(&turn).expect("it is legal so far").legal;
        match next.get(pick % next.len().max(1)) {
            Some(single) => turn = format!("{turn},{single}"),
            None => break,
        }
    }
    turn
}

/// One of the things that can happen, chosen by chance.
fn anything(story: &mut Story, now: i64, choice: u32, pick: usize) {
    let by = if choice.is_multiple_of(2) { Color::White } else { Color::Black };
    let offer = story.state.draw_offer().map_or(pick as u64, |(_, offer)| offer);
    let mover = story.state.game().side_to_move();
    let legal = story.state.legal_moves();
    let action = match choice {
        0..70 if !legal.is_empty() => {
            let turn = longer(story, legal[pick % legal.len()].clone(), pick);
            _ = story.act(now, mover, Action::Move { ply: story.state.moves().len(), turn });
            return;
        }
        0..75 => Action::Move { ply: pick % 8, turn: "a1@00a1@01".to_owned() },
        75..82 => Action::OfferDraw,
        82..86 => Action::DeclineDraw { offer },
        86..88 => Action::AcceptDraw { offer },
        88 => Action::Resign,
        89 => Action::Abort,
        90..95 => {
            story.tick(now);
            return;
        }
        _ => {
            let resumed = story.state.resumption(at(now - 10));
            story.commit(now, resumed.into_iter().collect());
            return;
        }
    };
    _ = story.act(now, by, action);
}

proptest! {
    /// Whatever happens: numbers have no gap, clocks never exceed what was given, nothing happens after the end, and
    /// the journal tells the same game again.
    #[test]
    fn the_journal_tells_the_same_game(
        variant in prop::sample::select(&Variant::ALL),
        steps in prop::collection::vec((0u32..100, 0usize..1000, 0i64..3000), 1..120),
    ) {
        let mut story = Story::of(variant);
        let mut now = 0;
        for (choice, pick, passed) in steps {
            now += passed;
            let before = story.state.seq();
            let was_over = story.state.end().is_some();
            anything(&mut story, now, choice, pick);
            prop_assert!(!was_over || story.state.seq() == before, "nothing happens after the end");
            let state = &story.state;
            let clock = state.clock(at(now)).expect("there is one");
            for side in [Color::White, Color::Black] {
                let given = TIME.base_ms + TIME.increment_ms * state.moves().len() as i64;
                prop_assert!((0..=given).contains(clock.remaining_ms.get(side)));
            }
            prop_assert!(state.log().iter().zip(1..).all(|(logged, seq)| logged.seq == seq));
            prop_assert!(clock.running.is_none() || state.end().is_none());
        }
        let told = &story.state;
        let again = GameState::replay(told.setup().clone(), told.log().to_vec(), None).expect("it was told before");
        prop_assert_eq!(again.game().fen(), told.game().fen());
        prop_assert_eq!(again.moves(), told.moves());
        prop_assert_eq!(again.clock(at(now)), told.clock(at(now)));
        prop_assert_eq!(again.draw_offer(), told.draw_offer());
        prop_assert_eq!((again.end(), again.ended_at(), again.deadline()), (told.end(), told.ended_at(), told.deadline()));
        prop_assert_eq!(again.legal_moves(), told.legal_moves());
    }
}

#[test]
fn a_journal_with_a_gap_or_an_illegal_move_is_refused() {
    let move_event = |seq, turn: &str| Logged {
        seq,
        at: at(0),
        event: Event::Move {
            by: Color::White,
            id: CommandId::try_from("x".to_owned()).expect("a good id"),
            ply: 0,
            turn: turn.to_owned(),
            spent_ms: 0,
            remaining_ms: None,
        },
    };
    let replay = |logged| GameState::replay(Story::new().state.setup().clone(), [logged], None);
    assert!(replay(move_event(1, "d1@00d1@11")).is_ok());
    assert!(replay(move_event(2, "d1@00d1@11")).is_err());
    assert!(replay(move_event(1, "a1@00d4@11")).is_err());
}

/// The journal's format is for ever: what was written must still be read.
#[test]
fn events_are_written_as_they_always_were() {
    let check = |event: Event, json: &str| {
        assert_eq!(serde_json::to_string(&event).expect("writable"), json);
        assert_eq!(serde_json::from_str::<Event>(json).expect("readable"), event);
    };
    let id = || CommandId::try_from("c-1".to_owned()).expect("a good id");
    check(
        Event::Move {
            by: Color::White,
            id: id(),
            ply: 0,
            turn: "d1@00d1@11".to_owned(),
            spent_ms: 1,
            remaining_ms: Some(2),
        },
        r#"{"kind":"move","by":"white","id":"c-1","ply":0,"turn":"d1@00d1@11","spent_ms":1,"remaining_ms":2}"#,
    );
    check(
        Event::Move {
            by: Color::White,
            id: id(),
            ply: 0,
            turn: "e2@1e4@1".to_owned(),
            spent_ms: 1,
            remaining_ms: None,
        },
        r#"{"kind":"move","by":"white","id":"c-1","ply":0,"turn":"e2@1e4@1","spent_ms":1}"#,
    );
    check(
        Event::DrawOffered { by: Color::Black, id: id() },
        r#"{"kind":"draw_offered","by":"black","id":"c-1"}"#,
    );
    check(
        Event::DrawDeclined { by: Color::Black, id: id(), offer: 3 },
        r#"{"kind":"draw_declined","by":"black","id":"c-1","offer":3}"#,
    );
    check(Event::Resumed { elapsed_ms: 5 }, r#"{"kind":"resumed","elapsed_ms":5}"#);
    check(
        Event::Ended { outcome: Outcome::Aborted, termination: Termination::Aborted, cause: None },
        r#"{"kind":"ended","outcome":"none","termination":"aborted"}"#,
    );
    let cause = super::event::Cause { by: Color::White, id: id(), offer: Some(4) };
    check(
        Event::Ended {
            outcome: Outcome::Draw,
            termination: Termination::Agreement,
            cause: Some(cause),
        },
        r#"{"kind":"ended","outcome":"draw","termination":"agreement","cause":{"by":"white","id":"c-1","offer":4}}"#,
    );
}
