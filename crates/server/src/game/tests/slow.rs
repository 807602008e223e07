//! Stories of games that nobody sits at: every time is made up.

use super::*;
use crate::game::clock::{DAY_MS, Days};

fn begin(time: TimeControl, first_move_ms: i64) -> GameState {
    let standard = setup(Variant::Fourfold, &Game::new(Variant::Fourfold).fen());
    let setup = GameSetup { rated: time.is_limited(), time, first_move_ms, ..standard };
    GameState::new(setup).expect("a good start")
}

fn commit(state: &mut GameState, now: i64, event: Event) {
    let logged = Logged { seq: state.seq() + 1, at: at(now), event };
    let sleeps_until = state.sleeps_until(std::slice::from_ref(&logged));
    state.apply(logged).expect("a decided event applies");
    assert_eq!(sleeps_until, state.deadline(), "it was told when to wake");
}

fn play(state: &mut GameState, now: i64) -> Result<(), Refusal> {
    let (ply, turn) = (state.moves().len(), state.legal_moves()[0].to_string());
    let by = state.game().side_to_move();
    let command = Command {
        by,
        id: CommandId::numbered("move", ply),
        action: Action::Move { ply, turn },
        lag_ms: 0,
        opponent_is_away: false,
    };
    let Decision::Events(events) = state.decide(at(now), &command)? else { panic!("no retry") };
    for event in events {
        commit(state, now, event);
    }
    Ok(())
}

fn end(state: &GameState) -> Option<(Outcome, Termination)> {
    state.end().map(|end| (end.outcome, end.termination))
}

/// How a game that stands after so many plies ends when nothing happens any more, and when.
#[test]
fn who_does_not_move_in_time_loses_and_who_does_not_begin_aborts() {
    let two = TimeControl::Correspondence(Days::new(2).expect("two are fine"));
    let white_wins = Outcome::Win(Color::White);
    let black_wins = Outcome::Win(Color::Black);
    for (time, limit, how) in [
        (two, 2 * DAY_MS, Termination::Timeout),
        (TimeControl::Untimed, 30 * DAY_MS, Termination::Abandonment),
    ] {
        for (plies, expected) in [
            (0, (Outcome::Aborted, Termination::Aborted)),
            (1, (Outcome::Aborted, Termination::Aborted)),
            (2, (black_wins, how)),
            (3, (white_wins, how)),
        ] {
            let mut state = begin(time, limit);
            let mut now = 0;
            for _ in 0..plies {
                // Each at its very last moment.
                now += limit - 1;
                play(&mut state, now).expect("in time");
            }
            assert_eq!(state.tick(at(now + limit - 1), 0), None);
            let event = state.tick(at(now + limit), 0).expect("time is up");
            commit(&mut state, now + limit, event);
            assert_eq!(end(&state), Some(expected), "{time:?} after {plies}");
            assert!(state.tick(at(now + 10 * limit), 0).is_none(), "once");
        }
    }
}

#[test]
fn case_04_in_correspondence_too_a_move_is_in_time_before_its_moment_and_late_at_it() {
    let day = TimeControl::Correspondence(Days::new(1).expect("one is fine"));
    for (now, is_late) in [(DAY_MS - 1, false), (DAY_MS, true), (DAY_MS + 1, true)] {
        let mut state = begin(day, DAY_MS);
        assert_eq!(state.tick(at(now), 0).is_some(), is_late, "{now}");
        let moved = play(&mut state, now);
        assert_eq!(moved, if is_late { Err(Refusal::TooLate) } else { Ok(()) }, "{now}");
    }
}

#[test]
fn case_03_a_game_that_slept_through_downtime_is_owed_it() {
    let day = TimeControl::Correspondence(Days::new(1).expect("one is fine"));
    let mut state = begin(day, DAY_MS);
    for now in [0, 1000] {
        play(&mut state, now).expect("in time");
    }
    let deadline = state.deadline().expect("a clock runs");
    assert_eq!(state.owed_ms(deadline), 0);
    let told = deadline.plus_ms(5000);
    assert_eq!(state.owed_ms(told), 5000);
    // Woken at the deadline that it had before, it goes on with what it is owed.
    let resumed = state.resumption(deadline.plus_ms(-5000)).expect("a clock runs");
    commit(&mut state, deadline.ms_since(at(0)), resumed);
    assert_eq!((state.deadline(), state.owed_ms(told)), (Some(told), 0));
}
