//! The journal tells the same game again.

use proptest::prelude::*;

use super::*;
use crate::game::event::Cause;

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
    let takeback = story.state.takeback_offer().map_or(pick as u64, |(_, offer)| offer);
    story.opponent_is_away = pick.is_multiple_of(4);
    let mover = story.state.game().side_to_move();
    let legal = story.state.legal_moves();
    let action = match choice {
        0..70 if !legal.is_empty() => {
            let turn = longer(story, legal[pick % legal.len()].to_string(), pick);
            _ = story.act(now, mover, Action::Move { ply: story.state.moves().len(), turn });
            return;
        }
        0..75 => Action::Move { ply: pick % 8, turn: "a1@00a1@01".to_owned() },
        75..82 => Action::OfferDraw,
        82..86 => Action::DeclineDraw { offer },
        86 => Action::AcceptDraw { offer },
        87 => Action::ClaimDraw,
        88 => Action::Resign,
        89 => Action::Abort,
        90..92 => Action::OfferTakeback,
        92 => Action::DeclineTakeback { offer: takeback },
        93..96 => Action::AcceptTakeback { offer: takeback },
        96..98 => {
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
        let mut story = Story::from_setup(GameSetup { rated: false, ..setup(variant, &Game::new(variant).fen()) });
        let mut now = 0;
        for (choice, pick, passed) in steps {
            now += passed;
            story.lag_ms = (pick % 5) as i64 * 400;
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
        prop_assert_eq!((again.draw_offer(), again.takeback_offer()), (told.draw_offer(), told.takeback_offer()));
        prop_assert_eq!(again.flag_at(60_000), told.flag_at(60_000));
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
            compensated_ms: 0,
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
            compensated_ms: 3,
            remaining_ms: Some(2),
        },
        r#"{"kind":"move","by":"white","id":"c-1","ply":0,"turn":"d1@00d1@11","spent_ms":1,"compensated_ms":3,"remaining_ms":2}"#,
    );
    check(
        Event::Move {
            by: Color::White,
            id: id(),
            ply: 0,
            turn: "e2@1e4@1".to_owned(),
            spent_ms: 1,
            compensated_ms: 0,
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
    check(
        Event::TakebackOffered { by: Color::White, id: id() },
        r#"{"kind":"takeback_offered","by":"white","id":"c-1"}"#,
    );
    check(
        Event::TakebackDeclined { by: Color::Black, id: id(), offer: 3 },
        r#"{"kind":"takeback_declined","by":"black","id":"c-1","offer":3}"#,
    );
    check(
        Event::TakenBack { by: Color::Black, id: Some(id()), offer: 3, ply: 0 },
        r#"{"kind":"taken_back","by":"black","id":"c-1","offer":3,"ply":0}"#,
    );
    check(
        Event::TakenBack { by: Color::Black, id: None, offer: 3, ply: 7 },
        r#"{"kind":"taken_back","by":"black","offer":3,"ply":7}"#,
    );
    check(Event::Resumed { elapsed_ms: 5 }, r#"{"kind":"resumed","elapsed_ms":5}"#);
    check(
        Event::Ended { outcome: Outcome::Aborted, termination: Termination::Aborted, cause: None },
        r#"{"kind":"ended","outcome":"none","termination":"aborted"}"#,
    );
    check(
        Event::RematchOffered { by: Color::White, id: id() },
        r#"{"kind":"rematch_offered","by":"white","id":"c-1"}"#,
    );
    check(
        Event::RematchDeclined { by: Color::Black, id: id(), offer: 3 },
        r#"{"kind":"rematch_declined","by":"black","id":"c-1","offer":3}"#,
    );
    let next = GameId(uuid::Uuid::from_u128(1));
    check(
        Event::Rematched { by: Color::Black, id: Some(id()), offer: None, next },
        r#"{"kind":"rematched","by":"black","id":"c-1","next":"00000000-0000-0000-0000-000000000001"}"#,
    );
    check(
        Event::Rematched { by: Color::White, id: None, offer: Some(9), next },
        r#"{"kind":"rematched","by":"white","offer":9,"next":"00000000-0000-0000-0000-000000000001"}"#,
    );
    let cause = Cause { by: Color::White, id: id(), offer: Some(4) };
    check(
        Event::Ended {
            outcome: Outcome::Draw,
            termination: Termination::Agreement,
            cause: Some(cause),
        },
        r#"{"kind":"ended","outcome":"draw","termination":"agreement","cause":{"by":"white","id":"c-1","offer":4}}"#,
    );
}
