//! Stories of a game, told without waiting: every time is made up.

mod clocks;
mod exits;
mod journal;
mod offers;
mod rematches;
mod slow;
mod takebacks;
mod tasks;

use std::sync::Arc;

use manifold_rules::{Color, Game, GameEnd, Outcome, Termination, Variant};

use super::clock::{BySide, Fischer, TimeControl};
use super::event::{Action, Event, Logged};
use super::notice::{GameView, Presence};
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
        series: None,
    }
}

/// A new game as it is shown.
pub(crate) fn view() -> GameView {
    GameView {
        state: Arc::new(Story::new().state),
        clock: None,
        presence: Presence::default(),
        chat: Vec::new(),
    }
}

/// A game whose commands are committed at once, as a journal that never fails would.
struct Story {
    state: GameState,
    commands: usize,
    /// Of everyone's line.
    lag_ms: i64,
    /// Whoever it is that commands.
    opponent_is_away: bool,
}

impl Story {
    fn new() -> Self {
        Self::of(Variant::Fourfold)
    }

    fn of(variant: Variant) -> Self {
        Self::from_setup(setup(variant, &Game::new(variant).fen()))
    }

    /// A casual game, in which moves can be taken back.
    fn casual() -> Self {
        let setup = setup(Variant::Fourfold, &Game::new(Variant::Fourfold).fen());
        Self::from_setup(GameSetup { rated: false, ..setup })
    }

    fn from_fen(fen: &str) -> Self {
        Self::from_setup(setup(Variant::Fourfold, fen))
    }

    fn from_setup(setup: GameSetup) -> Self {
        Self {
            state: GameState::new(setup).expect("a good start"),
            commands: 0,
            lag_ms: 0,
            opponent_is_away: false,
        }
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
        self.state.decide(
            at(now),
            &Command {
                by,
                id,
                action,
                lag_ms: self.lag_ms,
                opponent_is_away: self.opponent_is_away,
            },
        )
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
            Decision::Rematch(agreement) => {
                let seq = self.state.seq() + 1;
                self.commit(now, agreement.events(GameId::new()));
                Ok(seq)
            }
            Decision::Events(events) => {
                let seq = self.state.seq() + 1;
                self.commit(now, events);
                Ok(seq)
            }
        }
    }

    fn tick(&mut self, now: i64) -> bool {
        let event = self.state.tick(at(now), self.lag_ms);
        let ticked = event.is_some();
        self.commit(now, event.into_iter().collect());
        ticked
    }

    /// The side to move plays one of its moves, not always the same: nothing repeats soon.
    fn moves(&mut self, now: i64) {
        let ply = self.state.moves().len();
        let legal = self.state.legal_moves();
        let turn = legal.get(ply * 7 % legal.len().max(1)).expect("a legal move").to_string();
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
    let command = |action| Command {
        by: Color::White,
        id: id.clone(),
        action,
        lag_ms: 0,
        opponent_is_away: false,
    };
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
