//! Moves that are taken back.

use manifold_rules::SingleMove;

use super::*;

impl Story {
    /// `by` asks, and the other agrees.
    fn take_back(&mut self, now: i64, by: Color) {
        let offer = self.act(now, by, Action::OfferTakeback).expect("it may ask");
        self.act(now, by.other(), Action::AcceptTakeback { offer }).expect("it is open");
    }

    /// What must be the same when the game stands where it stood.
    fn picture(
        &self,
        now: i64,
    ) -> (String, Vec<SingleMove>, Option<crate::game::clock::ClockReading>) {
        let state = &self.state;
        (state.game().fen(), state.legal_moves(), state.clock(at(now)))
    }
}

#[test]
fn case_10_taken_back_to_the_start_the_game_begins_again() {
    // White asks after its own move, and after Black's; Black after its own, to which White's stays.
    for (plies, by, left) in
        [(1, Color::White, 0), (2, Color::White, 0), (2, Color::Black, 1), (3, Color::Black, 1)]
    {
        let mut story = Story::casual();
        let mut pictures = Vec::new();
        for ply in 0..plies {
            pictures.push(story.picture((1000 * (ply - 1)).max(0)));
            story.moves(1000 * ply);
        }
        let before = story.state.seq();
        story.take_back(9000, by);
        assert_eq!(story.state.seq(), before + 2);
        assert_eq!(story.state.moves().len(), left);
        // The turn begins anew: its clock shows what it showed, and runs from now on.
        let picture = story.picture(9000);
        assert_eq!(picture, pictures[left], "{plies} plies, {by:?}");
        assert_eq!(story.state.flag_at(0), Some(at(9000 + FIRST_MOVE_MS)));
        assert_eq!(story.act(9001, by.other(), Action::Resign), Err(Refusal::CannotResign));
        assert!(!story.tick(9000 + FIRST_MOVE_MS - 1));
        assert!(story.tick(9000 + FIRST_MOVE_MS), "nobody begins");
        assert_eq!(story.end(), Some((Outcome::Aborted, Termination::Aborted)));
    }
}

#[test]
fn case_10_taken_back_to_the_start_the_clocks_run_again_and_flags_fall() {
    for (plies, by) in [(1, Color::White), (2, Color::Black)] {
        let mut story = Story::casual();
        for ply in 0..plies {
            story.moves(ply * 1000);
        }
        story.take_back(5000, by);
        while !story.state.both_have_moved() {
            story.moves(6000);
        }
        assert_eq!(story.state.flag_at(0), Some(at(6000 + TIME.base_ms)));
        story.moves(16_000);
        let left = story.state.clock(at(16_000)).expect("there is one").remaining_ms;
        assert_eq!(
            left,
            BySide { white: TIME.base_ms - 10_000 + TIME.increment_ms, black: TIME.base_ms }
        );
        assert!(!story.tick(16_000 + TIME.base_ms - 1));
        assert!(story.tick(16_000 + TIME.base_ms));
        assert_eq!(story.end(), Some((Outcome::Win(Color::White), Termination::Timeout)));
    }
}

#[test]
fn later_moves_give_clocks_and_quotas_back_as_they_were() {
    let mut story = Story::casual();
    // More than the quota gains: it goes down.
    story.lag_ms = 1200;
    let mut pictures = Vec::new();
    let mut flags = Vec::new();
    let mut now = 0;
    for ply in 0..8 {
        pictures.push(story.picture(now));
        flags.push(story.state.flag_at(60_000).map(|flag| flag.ms_since(at(now))));
        now += 1500 + ply * 10;
        story.moves(now);
    }
    // Six plies are left after Black's last move, four after White's before that, and so on.
    for (by, left) in [(Color::Black, 7), (Color::White, 6), (Color::White, 4), (Color::Black, 3)] {
        now += 3000;
        story.take_back(now, by);
        assert_eq!(story.state.moves().len(), left);
        assert_eq!(story.picture(now), pictures[left], "{left} plies left");
        let flag = story.state.flag_at(60_000).map(|flag| flag.ms_since(at(now)));
        assert_eq!(flag, flags[left], "the quota, {left} plies left");
    }
    let told = &story.state;
    let again = GameState::replay(told.setup().clone(), told.log().to_vec(), None)
        .expect("it was told before");
    assert_eq!((again.moves(), again.clock(at(now))), (told.moves(), told.clock(at(now))));
    assert_eq!(
        (again.flag_at(60_000), again.game().fen()),
        (told.flag_at(60_000), told.game().fen())
    );
    assert!((1..=told.seq()).all(|seq| again.played(seq) == told.played(seq)));
}

#[test]
fn case_07_taken_back_positions_are_not_counted_as_repeated() {
    // To and fro: the start stands on the board for the third time after eight plies, were nothing taken back.
    let fen = "4/4/PPPP/RNBQ|4/4/4/K3|4/4/4/4|k3/pppp/4/4 w 0 1";
    let to_and_fro = ["a1@10b1@10", "a4@11b4@11", "b1@10a1@10", "b4@11a4@11"];
    let play = |story: &mut Story, count: usize| {
        for _ in 0..count {
            let ply = story.state.moves().len();
            let by = story.state.game().side_to_move();
            story.act(0, by, turn(ply, to_and_fro[ply % 4])).expect("it is legal");
        }
    };
    let setup = |rated| GameSetup { rated, ..setup(Variant::Fourfold, fen) };
    let mut story = Story::from_setup(setup(true));
    play(&mut story, 7);
    assert_eq!(story.end(), None);
    play(&mut story, 1);
    let repetition = Some((Outcome::Draw, Termination::Repetition));
    assert_eq!(story.end(), repetition, "a start of one's own counts");

    let mut story = Story::from_setup(setup(false));
    play(&mut story, 4);
    story.take_back(0, Color::Black);
    play(&mut story, 1);
    story.take_back(0, Color::White);
    play(&mut story, 2);
    assert_eq!(story.end(), None, "this is the second time, however often it was gone back to");
    play(&mut story, 3);
    assert_eq!(story.end(), None);
    play(&mut story, 1);
    assert_eq!(story.end(), repetition);
}

#[test]
fn who_asks_and_who_answers() {
    let mut story = Story::casual();
    let refused =
        |story: &mut Story, by, action, why| assert_eq!(story.act(1, by, action), Err(why));
    refused(&mut story, Color::White, Action::OfferTakeback, Refusal::NothingToTakeBack);
    story.moves(0);
    refused(&mut story, Color::Black, Action::OfferTakeback, Refusal::NothingToTakeBack);
    let offer = story.act(1, Color::White, Action::OfferTakeback).expect("it has moved");
    assert_eq!(story.state.takeback_offer(), Some((Color::White, offer)));
    refused(&mut story, Color::White, Action::OfferTakeback, Refusal::OfferOpen);
    for wrong in [offer + 1, 0] {
        refused(
            &mut story,
            Color::Black,
            Action::AcceptTakeback { offer: wrong },
            Refusal::NoSuchOffer,
        );
        refused(
            &mut story,
            Color::Black,
            Action::DeclineTakeback { offer: wrong },
            Refusal::NoSuchOffer,
        );
    }
    refused(&mut story, Color::White, Action::AcceptTakeback { offer }, Refusal::NoSuchOffer);
    refused(&mut story, Color::Black, Action::AcceptDraw { offer }, Refusal::NoSuchOffer);
    story.act(1, Color::Black, Action::DeclineTakeback { offer }).expect("it is open");
    refused(&mut story, Color::Black, Action::AcceptTakeback { offer }, Refusal::NoSuchOffer);
    refused(&mut story, Color::White, Action::OfferTakeback, Refusal::OfferTooSoon);
    // The opponent's move declines, one's own does not.
    story.moves(2);
    let offer = story.act(3, Color::Black, Action::OfferTakeback).expect("nobody refused Black");
    story.moves(3);
    refused(&mut story, Color::White, Action::AcceptTakeback { offer }, Refusal::NoSuchOffer);
    refused(&mut story, Color::Black, Action::OfferTakeback, Refusal::OfferTooSoon);
    for _ in 0..21 {
        story.moves(4);
    }
    let offer = story.act(5, Color::White, Action::OfferTakeback).expect("ten own moves later");
    let draw = story.act(5, Color::Black, Action::OfferDraw).expect("another kind");
    story.act(6, Color::Black, Action::AcceptTakeback { offer }).expect("it is open");
    assert_eq!((story.state.takeback_offer(), story.state.draw_offer()), (None, None));
    refused(&mut story, Color::White, Action::AcceptDraw { offer: draw }, Refusal::NoSuchOffer);
    story.act(7, Color::White, Action::OfferTakeback).expect("nobody was refused");
    story.act(8, Color::White, Action::Resign).expect("both have moved");
    assert_eq!(story.state.takeback_offer(), None);

    let mut rated = Story::begun();
    refused(&mut rated, Color::White, Action::OfferTakeback, Refusal::CasualOnly);
}

#[test]
fn a_retry_after_a_takeback_is_answered_as_it_was_and_the_old_ply_is_stale() {
    let mut story = Story::casual();
    let command = |id: &str, by, action| Command {
        by,
        id: CommandId::try_from(id.to_owned()).expect("a good id"),
        action,
        lag_ms: 0,
        opponent_is_away: false,
    };
    let first = command("first", Color::White, turn(0, "d1@00d1@11"));
    let Ok(Decision::Events(events)) = story.state.decide(at(0), &first) else {
        panic!("it is legal")
    };
    story.commit(0, events);
    story.take_back(1, Color::White);
    assert_eq!(story.state.decide(at(2), &first), Ok(Decision::Already(1)));
    assert_eq!(story.state.moves().len(), 0, "and is not played again");
    // What was meant for the position that is gone does not fit the one that is there.
    assert_eq!(
        story.act(2, Color::Black, turn(1, "b3@01b2@01")),
        Err(Refusal::StalePly { sent: 1, actual: 0 })
    );
    let again = command("again", Color::White, turn(0, "d1@00d1@11"));
    assert!(matches!(story.state.decide(at(3), &again), Ok(Decision::Events(_))));
}

#[test]
fn a_computer_agrees_at_once_and_a_game_does_not_grow_for_ever() {
    let mut setup = setup(Variant::Fourfold, &Game::new(Variant::Fourfold).fen());
    setup.rated = false;
    setup.seats.black.player = Player::computer(manifold_engine::Level::Point);
    let mut story = Story::from_setup(setup);
    for takeback in 0..100 {
        story.moves(takeback);
        let offer = story.act(takeback, Color::White, Action::OfferTakeback).expect("it has moved");
        assert_eq!(story.state.moves().len(), 0);
        let last = story.state.log().last().map(|logged| &logged.event);
        let agreed = Event::TakenBack { by: Color::Black, id: None, offer, ply: 0 };
        assert_eq!(last, Some(&agreed));
    }
    assert_eq!(story.state.moves_made(), 100);
    story.moves(100);
    assert_eq!(story.act(100, Color::White, Action::OfferTakeback), Err(Refusal::TooManyTakebacks));
}
