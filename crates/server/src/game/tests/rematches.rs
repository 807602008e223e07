//! Games that are played again.

use super::*;
use crate::game::state::Series;

/// A game that White has won.
fn won() -> Story {
    let mut story = Story::begun();
    story.act(1, Color::Black, Action::Resign).expect("both have moved");
    story
}

#[test]
fn a_rematch_takes_two_and_there_is_one() {
    for crossing in [false, true] {
        let mut story = won();
        let offer = story.act(2, Color::White, Action::OfferRematch).expect("the game is over");
        assert_eq!(story.state.rematch_offer(), Some((Color::White, offer)));
        assert_eq!(story.act(2, Color::White, Action::OfferRematch), Err(Refusal::OfferOpen));
        for wrong in [(Color::White, offer), (Color::Black, offer + 1)] {
            let accept = Action::AcceptRematch { offer: wrong.1 };
            assert_eq!(story.act(2, wrong.0, accept), Err(Refusal::NoSuchOffer));
        }
        let agree = if crossing { Action::OfferRematch } else { Action::AcceptRematch { offer } };
        story.act(3, Color::Black, agree.clone()).expect("White wants it, too");
        assert!(story.state.rematch().is_some());
        assert_eq!(story.state.rematch_offer(), None);
        for again in [agree, Action::OfferRematch, Action::DeclineRematch { offer }] {
            assert_eq!(story.act(4, Color::Black, again), Err(Refusal::RematchBegun));
        }
        let told = &story.state;
        let again = GameState::replay(told.setup().clone(), told.log().to_vec(), None)
            .expect("it was told before");
        assert_eq!((again.rematch(), again.end()), (told.rematch(), told.end()));
    }
}

#[test]
fn a_rematch_is_for_the_end_and_who_was_refused_asks_no_more() {
    let mut story = Story::begun();
    for action in [
        Action::OfferRematch,
        Action::AcceptRematch { offer: 1 },
        Action::DeclineRematch { offer: 1 },
    ] {
        assert_eq!(story.act(1, Color::White, action), Err(Refusal::GameUnderWay));
    }
    let mut story = won();
    let offer = story.act(2, Color::White, Action::OfferRematch).expect("the game is over");
    story.act(3, Color::Black, Action::DeclineRematch { offer }).expect("it is open");
    assert_eq!(story.act(4, Color::White, Action::OfferRematch), Err(Refusal::OfferTooSoon));
    let accept = Action::AcceptRematch { offer };
    assert_eq!(story.act(4, Color::Black, accept), Err(Refusal::NoSuchOffer));
    let offer = story.act(5, Color::Black, Action::OfferRematch).expect("nobody refused Black");
    story.act(6, Color::White, Action::DeclineRematch { offer }).expect("it is open");
    assert_eq!(story.act(7, Color::Black, Action::OfferRematch), Err(Refusal::OfferTooSoon));
    assert_eq!(story.act(7, Color::White, turn(2, "a1@00a1@01")), Err(Refusal::GameOver));
}

#[test]
fn a_computer_plays_again_at_once() {
    let mut setup = setup(Variant::Fourfold, &Game::new(Variant::Fourfold).fen());
    setup.seats.black.player = Player::computer(manifold_engine::Level::Point);
    let mut story = Story::from_setup(setup);
    story.act(0, Color::White, Action::Abort).expect("nobody has moved");
    let offer = story.act(1, Color::White, Action::OfferRematch).expect("the game is over");
    let next = story.state.rematch().expect("it agrees");
    let last = story.state.log().last().map(|logged| &logged.event);
    let agreed = Event::Rematched { by: Color::Black, id: None, offer: Some(offer), next };
    assert_eq!(last, Some(&agreed));
}

#[test]
fn the_score_of_a_series_follows_the_players_through_their_colors() {
    let check = |before: (i64, i64), action: Action, by, after: (i64, i64)| {
        let mut setup = setup(Variant::Fourfold, &Game::new(Variant::Fourfold).fen());
        let half_points = BySide { white: before.0, black: before.1 };
        setup.series = Some(Series { previous: GameId::new(), half_points });
        let id = setup.id;
        let mut story = Story::from_setup(setup);
        assert_eq!(story.state.next_series(), None, "it is not over");
        if action == Action::Abort {
            story.act(0, by, Action::Abort).expect("nobody has moved");
        } else {
            story.moves(0);
            story.moves(0);
            if action == Action::OfferDraw {
                story.act(0, by.other(), Action::OfferDraw).expect("the first offer");
            }
            story.act(0, by, action).expect("both have moved");
        }
        let half_points = BySide { white: after.0, black: after.1 };
        assert_eq!(story.state.next_series(), Some(Series { previous: id, half_points }));
    };
    check((0, 0), Action::Resign, Color::Black, (0, 2));
    check((0, 2), Action::Resign, Color::Black, (2, 2));
    check((3, 1), Action::Resign, Color::White, (3, 3));
    check((3, 1), Action::OfferDraw, Color::White, (2, 4));
    check((3, 1), Action::Abort, Color::White, (1, 3));
    // Black wins again: two points more, and they are White's now.
    check((1, 3), Action::Resign, Color::White, (5, 1));
}
