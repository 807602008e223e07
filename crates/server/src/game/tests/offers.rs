//! Offers and exits.

use super::*;

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
