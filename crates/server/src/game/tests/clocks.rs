//! Time.

use super::*;

#[test]
fn case_04_a_move_is_in_time_until_the_clock_shows_zero() {
    // White's second turn began at 0 with a minute.
    for (now, in_time) in [(59_999, true), (60_000, false), (60_001, false)] {
        let mut story = Story::begun();
        let next = story.state.legal_moves()[0].to_string();
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

/// A line gets its lag back, up to what any line is believed; the quota of this clock begins with 1650 ms.
#[test]
fn case_04_a_move_is_in_time_until_zero_after_compensation() {
    for (lag_ms, given) in [(1, 1), (300, 300), (1500, 1500), (1501, 1500), (60_000, 1500)] {
        let zero = TIME.base_ms + given;
        for now in [zero - 1, zero, zero + 1] {
            let in_time = now < zero;
            let mut story = Story::begun();
            story.lag_ms = lag_ms;
            let next = story.state.legal_moves()[0].to_string();
            // Nobody's clock waits for anything but a move of its own side.
            for (by, action) in [(Color::White, Action::Resign), (Color::Black, Action::OfferDraw)]
            {
                assert_eq!(story.act(now, by, action), Err(Refusal::TooLate), "at {now}");
            }
            assert!(!story.tick(zero - 1), "at {now}");
            let moved = story.act(now, Color::White, turn(2, &next));
            assert_eq!(moved.is_ok(), in_time, "at {now} with {lag_ms}: {moved:?}");
            assert_eq!(story.tick(now), !in_time, "at {now} with {lag_ms}");
            if in_time {
                let played = &story.state.moves()[2];
                assert_eq!((played.spent_ms, played.compensated_ms), (now, given));
                let left = story.state.clock(at(now)).expect("there is one").remaining_ms.white;
                assert_eq!(left, 1 + TIME.increment_ms);
            }
        }
    }
}

#[test]
fn what_was_given_back_is_known_after_a_restart() {
    let mut story = Story::begun();
    let mut now = 0;
    for lag_ms in [500, 20, 900, 0, 1500, 1500, 40, 700] {
        story.lag_ms = lag_ms;
        now += 2000;
        story.moves(now);
    }
    let told = &story.state;
    let again = GameState::replay(told.setup().clone(), told.log().to_vec(), None)
        .expect("it was told before");
    assert_eq!(again.moves(), told.moves());
    for lag_ms in [0, 100, 1000, 60_000] {
        assert_eq!(again.flag_at(lag_ms), told.flag_at(lag_ms), "the same quota");
    }
    assert_ne!(told.flag_at(60_000), told.flag_at(0));
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
fn without_a_clock_a_game_waits_for_as_long_as_anybody_would() {
    const YEAR_MS: i64 = 365 * 24 * 3_600_000;
    let setup = GameSetup {
        rated: false,
        time: TimeControl::Untimed,
        first_move_ms: 2 * YEAR_MS,
        ..setup(Variant::Fourfold, &Game::new(Variant::Fourfold).fen())
    };
    let mut story = Story::from_setup(setup);
    for year in 1..4 {
        assert!(!story.tick(year * YEAR_MS), "not even for a first move");
        assert_eq!(story.state.clock(at(year * YEAR_MS)), None);
        assert_eq!(story.state.resumption(at(year * YEAR_MS)), None, "nothing to give back");
        story.moves(year * YEAR_MS);
    }
    assert_eq!(story.state.moves()[1].spent_ms, YEAR_MS);
    story.act(4 * YEAR_MS, Color::White, Action::Resign).expect("both have moved");
    assert_eq!(story.end(), Some((Outcome::Win(Color::Black), Termination::Resignation)));
}
