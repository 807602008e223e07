//! Clocks at given times.

use super::*;

const BLITZ: TimeControl = TimeControl::Fischer(Fischer { base_ms: 180_000, increment_ms: 2000 });

fn at(ms: i64) -> Timestamp {
    Timestamp::from_micros(0).plus_ms(ms)
}

#[test]
fn speeds_by_forty_moves() {
    let check = |pool: &str, speed| {
        assert_eq!(Fischer::from_pool_name(pool).unwrap().speed(), speed, "{pool}")
    };
    check("1+1", Speed::Bullet);
    check("2+1", Speed::Bullet);
    check("3+0", Speed::Blitz);
    check("3+2", Speed::Blitz);
    check("5+3", Speed::Blitz);
    check("8+0", Speed::Rapid);
    check("10+5", Speed::Rapid);
    check("15+10", Speed::Rapid);
    check("25+0", Speed::Classical);
}

#[test]
fn pool_names_are_minutes_and_seconds() {
    for bad in ["", "3", "3+", "+2", "3+2+1", "-3+2", "3.5+2", "9999+1"] {
        assert_eq!(Fischer::from_pool_name(bad), None, "{bad}");
    }
}

#[test]
fn first_moves_are_free_and_later_ones_cost_what_they_took() {
    let mut clock = Clock::new(BLITZ, 20_000, Color::White, at(0));
    for (now, spent, remaining) in [
        (5000, 5000, 180_000),
        (9000, 4000, 180_000),
        (19_000, 10_000, 172_000),
        (20_000, 1000, 181_000),
    ] {
        let cost = clock.move_time(at(now), 0);
        assert_eq!(
            cost,
            MoveTime { spent_ms: spent, compensated_ms: 0, remaining_ms: Some(remaining) },
            "at {now}"
        );
        clock.turn_over(cost.remaining_ms, 0, at(now));
    }
    assert_eq!(clock.deadline(), Some(at(20_000 + 172_000)));
}

#[test]
fn what_the_line_cost_is_given_back_from_the_quota() {
    let time = TimeControl::Fischer(Fischer { base_ms: 60_000, increment_ms: 0 });
    let mut clock = Clock::new(time, 20_000, Color::White, at(0));
    let mut turn = |now, lag_ms| {
        let MoveTime { spent_ms, compensated_ms, remaining_ms } = clock.move_time(at(now), lag_ms);
        clock.turn_over(remaining_ms, compensated_ms, at(now));
        (spent_ms, compensated_ms, remaining_ms)
    };
    // First moves cost nothing, and are given nothing.
    assert_eq!(turn(3000, 300), (3000, 0, Some(60_000)));
    assert_eq!(turn(3000, 300), (0, 0, Some(60_000)));
    assert_eq!(turn(5000, 300), (2000, 300, Some(58_300)));
    assert_eq!(turn(5200, 300), (200, 200, Some(60_000)), "no more than it took");
    // White has 1170 - 300 + 390 in its quota.
    assert_eq!(turn(7200, 9000), (2000, 1260, Some(57_560)));
    assert_eq!(turn(7200, 0), (0, 0, Some(60_000)));
    assert_eq!(turn(9200, 9000), (2000, 390, Some(55_950)), "what it has gained since");
}

#[test]
fn a_first_move_has_its_own_deadline() {
    let mut clock = Clock::new(BLITZ, 20_000, Color::White, at(0));
    assert_eq!(clock.deadline(), Some(at(20_000)));
    assert_eq!(clock.read(at(5000)).unwrap().first_move_ms, Some(15_000));
    clock.turn_over(Some(180_000), 0, at(5000));
    assert_eq!(clock.deadline(), Some(at(25_000)));
    assert_eq!(clock.read(at(5000)).unwrap().running, None);
}

#[test]
fn time_given_back_is_not_charged() {
    let mut clock = Clock::new(BLITZ, 20_000, Color::White, at(0));
    clock.turn_over(Some(180_000), 0, at(0));
    clock.turn_over(Some(180_000), 0, at(0));
    clock.resume(7000, at(600_000));
    assert_eq!(clock.read(at(600_000)).unwrap().remaining_ms.white, 173_000);
    assert_eq!(clock.deadline(), Some(at(600_000 + 173_000)));
}

#[test]
fn a_stopped_clock_stands() {
    let mut clock = Clock::new(BLITZ, 20_000, Color::White, at(0));
    clock.turn_over(Some(180_000), 0, at(0));
    clock.turn_over(Some(180_000), 0, at(0));
    clock.stop(at(30_000));
    let standing = clock.read(at(90_000)).unwrap().remaining_ms;
    assert_eq!(standing, BySide { white: 150_000, black: 180_000 });
    assert_eq!(clock.deadline(), None);
}

#[test]
fn without_a_limit_only_what_a_move_took_is_known() {
    let mut clock = Clock::new(TimeControl::Untimed, 20_000, Color::White, at(0));
    for now in [100_000_000, 100_005_000, 300_000_000] {
        assert_eq!((clock.deadline(), clock.read(at(now))), (None, None));
        let cost = clock.move_time(at(now), 0);
        assert_eq!(cost.remaining_ms, None);
        clock.turn_over(cost.remaining_ms, 0, at(now));
    }
    assert_eq!(clock.move_time(at(300_000_700), 0).spent_ms, 700);
    clock.stop(at(300_000_800));
    assert_eq!(clock.read(at(300_000_900)), None);
}

#[test]
fn days_are_from_one_to_fourteen() {
    for bad in [i64::MIN, -1, 0, 15, 257, i64::MAX] {
        assert_eq!(Days::new(bad), None, "{bad}");
    }
    for good in 1..=14 {
        assert_eq!(Days::new(good).map(|days| i64::from(days.number())), Some(good));
    }
    let time = TimeControl::Correspondence(Days::new(3).unwrap());
    assert_eq!((time.pgn().as_str(), time.speed()), ("1/259200", Speed::Correspondence));
    assert_eq!((time.is_real_time(), time.is_limited()), (false, true));
}

#[test]
fn in_correspondence_every_move_has_the_same_days() {
    const TWO: i64 = 2 * DAY_MS;
    let time = TimeControl::Correspondence(Days::new(2).unwrap());
    let mut clock = Clock::new(time, TWO, Color::White, at(0));
    let mut now = 0;
    for spent in [TWO - 1, 1000, 0, DAY_MS, TWO - 1, 5] {
        assert_eq!(clock.deadline(), Some(at(now + TWO)));
        now += spent;
        let cost = clock.move_time(at(now), 1000);
        let expected = MoveTime { spent_ms: spent, compensated_ms: 0, remaining_ms: Some(TWO) };
        assert_eq!(cost, expected);
        clock.turn_over(cost.remaining_ms, cost.compensated_ms, at(now));
    }
    let reading = clock.read(at(now + 7000)).unwrap();
    assert_eq!(reading.remaining_ms, BySide { white: TWO - 7000, black: TWO });
    assert_eq!((reading.running, reading.first_move_ms), (Some(Color::White), None));
    // The server was away for an hour.
    clock.resume(7000, at(now + 7000 + 3_600_000));
    assert_eq!(clock.deadline(), Some(at(now + TWO + 3_600_000)));
}

#[test]
fn a_game_without_a_limit_is_abandoned_in_the_end() {
    let mut clock = Clock::new(TimeControl::Untimed, 30 * DAY_MS, Color::White, at(0));
    assert_eq!(clock.abandoned_at(), Some(at(30 * DAY_MS)));
    clock.turn_over(None, 0, at(5));
    assert_eq!(clock.abandoned_at(), Some(at(30 * DAY_MS + 5)));
    clock.stop(at(6));
    assert_eq!(clock.abandoned_at(), None);
    let timed = Clock::new(BLITZ, 20_000, Color::White, at(0));
    assert_eq!(timed.abandoned_at(), None);
}
