//! Ways out of a game.

use super::*;

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

/// The opponent is away, or not; whose turn it is; what comes of a claim.
#[test]
fn case_11_a_claim_is_for_the_absentee_s_turn() {
    let refused = |result: Result<u64, Refusal>| matches!(result, Err(Refusal::NoClaim(_)));
    for (action, outcome) in
        [(Action::ClaimWin, Outcome::Win(Color::Black)), (Action::ClaimDraw, Outcome::Draw)]
    {
        let mut story = Story::new();
        story.opponent_is_away = true;
        story.moves(0);
        assert!(refused(story.act(1, Color::White, action.clone())), "Black has not begun");
        story.moves(1);
        assert!(refused(story.act(2, Color::White, action.clone())), "it is White's own turn");
        story.opponent_is_away = false;
        assert!(refused(story.act(3, Color::Black, action.clone())), "White is there");
        story.opponent_is_away = true;
        // White can move until the claim is made, and is not to move then.
        story.moves(4);
        assert!(refused(story.act(5, Color::Black, action.clone())), "White has moved");
        story.moves(6);
        let seq = story.act(7, Color::Black, action.clone()).expect("White is away, and to move");
        assert_eq!(story.end(), Some((outcome, Termination::Abandonment)));
        // A retry is known by its id.
        let id = CommandId::try_from(format!("c-{}", story.commands)).expect("a good id");
        let retry = |action| Command {
            by: Color::Black,
            id: id.clone(),
            action,
            lag_ms: 0,
            opponent_is_away: false,
        };
        assert_eq!(story.state.decide(at(8), &retry(action)), Ok(Decision::Already(seq)));
        assert_eq!(
            story.state.decide(at(8), &retry(Action::Resign)),
            Err(Refusal::IdReused),
            "another command"
        );
    }
}

#[test]
fn a_claim_comes_too_late_for_a_flag_and_wins_nothing_for_bare_kings() {
    let mut story = Story::begun();
    story.opponent_is_away = true;
    assert_eq!(story.act(TIME.base_ms, Color::Black, Action::ClaimDraw), Err(Refusal::TooLate));

    let mut story = Story::from_fen("4/4/PPPP/RNBQ|4/4/4/K3|4/4/4/4|k3/4/4/4 w 0 1");
    story.opponent_is_away = true;
    story.moves(0);
    story.moves(0);
    let refused = story.act(1, Color::Black, Action::ClaimWin);
    assert!(matches!(refused, Err(Refusal::NoClaim(_))), "{refused:?}");
    story.act(2, Color::Black, Action::ClaimDraw).expect("a draw is enough");

    let setup = GameSetup {
        rated: false,
        time: TimeControl::Untimed,
        ..setup(Variant::Fourfold, &Game::new(Variant::Fourfold).fen())
    };
    let mut story = Story::from_setup(setup);
    story.opponent_is_away = true;
    story.moves(0);
    story.moves(0);
    let refused = story.act(1, Color::Black, Action::ClaimWin);
    assert!(matches!(refused, Err(Refusal::NoClaim(_))), "{refused:?}");
}
