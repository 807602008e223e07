//! How long the computer thinks, and what it makes of what it has found: pure logic.

use std::time::Duration;

use manifold_engine::{Choice, Level, Score};
use manifold_rules::Color;

use crate::game::event::Action;
use crate::game::state::GameState;
use crate::time::Timestamp;

/// What the way to the database and back may take, and a machine that is busy with something else.
const MARGIN_MS: i64 = 300;
/// A game is thought to last for so many more moves.
const MOVES_TO_GO: i64 = 30;
/// Levels that know when a game is lost give it up.
const RESIGNS_FROM: u8 = 6;
/// A game is lost at so many hundredths of a pawn less …
const LOST: i32 = -1000;
/// … for so many turns in a row.
const LOST_TURNS: usize = 4;
/// Before so many moves nobody knows that a game is drawn.
const DRAWN_FROM: usize = 40;
/// A position is dead when for so many turns in a row neither side is ahead by more than …
const DEAD_TURNS: usize = 8;
/// … so many hundredths of a pawn.
const DEAD: i32 = 15;

/// How long to think about a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    pub budget: Duration,
    /// After so long the move must be sent.
    pub at_most: Option<Duration>,
}

/// How long the side to move may think at `now`: never so long that its flag could fall, and never longer than `most`.
/// `None` when its time is up: then the game ends, or its clock is given back what a server that was away has cost it.
pub fn pace(state: &GameState, now: Timestamp, most: Duration) -> Option<Pace> {
    let deadline = state.deadline().filter(|_| state.setup().time.is_limited());
    let Some(deadline) = deadline else {
        return Some(Pace { budget: most, at_most: None });
    };
    if deadline <= now {
        return None;
    }
    let left = (deadline.ms_since(now) - MARGIN_MS).max(0);
    let increment = state.setup().time.fischer().map_or(0, |time| time.increment_ms);
    let budget = (left / MOVES_TO_GO + increment * 3 / 4).min(left / 2);
    let ms = |ms: i64| Duration::from_millis(ms.unsigned_abs());
    Some(Pace { budget: ms(budget).min(most), at_most: Some(ms(left)) })
}

/// What one player of a game remembers of its own turns.
#[derive(Debug, Default)]
pub struct Memory {
    /// What it thought of its position, turn by turn.
    scores: Vec<(usize, Score)>,
}

impl Memory {
    /// What to do in a turn after thinking, in order; the last ends the turn or the game.
    pub fn decide(
        &mut self,
        state: &GameState,
        color: Color,
        level: Level,
        choice: &Choice,
    ) -> Vec<Action> {
        let ply = state.moves().len();
        // What was thought about turns that were taken back is forgotten with them.
        self.scores.retain(|(at, _)| *at < ply);
        self.scores.push((ply, choice.score));
        let is_late = ply >= DRAWN_FROM;
        if let Some((by, offer)) = state.draw_offer()
            && by != color
            && is_late
            && is_no_better(choice.score)
        {
            return vec![Action::AcceptDraw { offer }];
        }
        if level.number() >= RESIGNS_FROM
            && state.both_have_moved()
            && self.all(LOST_TURNS, is_lost)
        {
            return vec![Action::Resign];
        }
        let turn = Action::Move { ply, turn: choice.turn.to_string() };
        let offers = is_late && state.may_offer_draw(color) && self.all(DEAD_TURNS, is_dead);
        if offers { vec![Action::OfferDraw, turn] } else { vec![turn] }
    }

    /// Whether it was so in the last turns, as many as these.
    fn all(&self, turns: usize, holds: fn(Score) -> bool) -> bool {
        let last = self.scores.iter().rev().take(turns);
        last.len() == turns && last.into_iter().all(|(_, score)| holds(*score))
    }
}

/// A draw is no loss.
fn is_no_better(score: Score) -> bool {
    match score {
        Score::Centipawns(centipawns) => centipawns <= 0,
        Score::MateIn(_) => false,
        Score::MatedIn(_) => true,
    }
}

fn is_lost(score: Score) -> bool {
    match score {
        Score::Centipawns(centipawns) => centipawns <= LOST,
        Score::MateIn(_) => false,
        Score::MatedIn(_) => true,
    }
}

fn is_dead(score: Score) -> bool {
    match score {
        Score::Centipawns(centipawns) => centipawns.abs() <= DEAD,
        Score::MateIn(_) | Score::MatedIn(_) => false,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::clock::{BySide, Fischer, TimeControl};
    use crate::game::event::{Event, Logged};
    use crate::game::state::{GameSetup, Seat};
    use crate::ids::{CommandId, GameId};
    use crate::player::Player;
    use manifold_rules::{Game, Variant};

    fn at(ms: i64) -> Timestamp {
        Timestamp::from_micros(0).plus_ms(ms)
    }

    fn state(time: TimeControl) -> GameState {
        let seat = |level| Seat { player: Player::computer(level), rating: None };
        let setup = GameSetup {
            id: GameId::new(),
            variant: Variant::Fourfold,
            rated: false,
            time,
            first_move_ms: 20_000,
            start_fen: Game::new(Variant::Fourfold).fen(),
            seats: BySide { white: seat(Level::Point), black: seat(Level::Line) },
            created_at: at(0),
            series: None,
        };
        GameState::new(setup).expect("a good start")
    }

    /// A game without a clock that has just begun; both sides are computers.
    pub fn untimed() -> GameState {
        state(TimeControl::Untimed)
    }

    fn log(state: &mut GameState, event: Event) {
        let logged = Logged { seq: state.seq() + 1, at: at(0), event };
        state.apply(logged).expect("it follows");
    }

    /// Plays to and fro, so that nothing is gained, until so many moves were made.
    fn moves(state: &mut GameState, plies: usize, remaining_ms: i64) {
        while state.moves().len() < plies {
            let ply = state.moves().len();
            let legal = state.legal_moves();
            let turn = legal[ply * 7 % legal.len()].to_string();
            let by = state.game().side_to_move();
            let id = CommandId::try_from(format!("m-{ply}")).expect("a good id");
            let remaining_ms = Some(remaining_ms);
            log(
                state,
                Event::Move { by, id, ply, turn, spent_ms: 0, compensated_ms: 0, remaining_ms },
            );
        }
    }

    const BULLET: TimeControl = TimeControl::Fischer(Fischer { base_ms: 60_000, increment_ms: 0 });

    #[test]
    fn it_never_thinks_until_its_flag_falls() {
        let most = Duration::from_secs(3);
        for left in [60_000, 5000, 1000, 400, 300, 10, 1] {
            let mut state = state(BULLET);
            moves(&mut state, 2, left);
            let Pace { budget, at_most } = pace(&state, at(0), most).expect("there is time");
            let room = Duration::from_millis((left - MARGIN_MS).max(0).unsigned_abs());
            assert_eq!(at_most, Some(room), "with {left} ms");
            assert!(budget <= room / 2 && budget <= most, "{budget:?} of {left} ms");
        }
        let untimed = untimed();
        assert_eq!(pace(&untimed, at(0), most), Some(Pace { budget: most, at_most: None }));
        let rich = TimeControl::Fischer(Fischer { base_ms: 600_000, increment_ms: 20_000 });
        let mut state = state(rich);
        moves(&mut state, 2, 600_000);
        assert_eq!(pace(&state, at(0), most).map(|pace| pace.budget), Some(most));
    }

    #[test]
    fn it_does_not_hurry_when_its_time_is_up_but_waits_for_what_comes_of_it() {
        let most = Duration::from_secs(3);
        let mut state = state(BULLET);
        moves(&mut state, 2, 60_000);
        assert!(pace(&state, at(59_999), most).is_some());
        assert_eq!(pace(&state, at(60_000), most), None);
        // The server was away for an hour, and its clock is given that back.
        log(&mut state, Event::Resumed { elapsed_ms: 5000 });
        let given_back = state.deadline().expect("a clock runs");
        assert!(pace(&state, given_back.plus_ms(-1000), most).is_some());
    }

    fn found(state: &GameState, score: Score) -> Choice {
        let turn = *state.game().legal_turns().first().expect("it is not over");
        Choice { turn, score, depth: 1, nodes: 1, principal_variation: vec![turn] }
    }

    /// What a player of that level does when it finds the same score in turn after turn.
    fn decisions(level: Level, from: usize, score: Score) -> Vec<Vec<Action>> {
        let mut state = state(BULLET);
        let mut memory = Memory::default();
        (0..10)
            .map(|turn| {
                moves(&mut state, from + 2 * turn, 60_000);
                let color = state.game().side_to_move();
                memory.decide(&state, color, level, &found(&state, score))
            })
            .collect()
    }

    #[test]
    fn strong_levels_give_a_lost_game_up_and_weak_ones_play_on() {
        let lost = Score::Centipawns(-1500);
        let strong = decisions(Level::Penteract, 10, lost);
        assert!(strong[..LOST_TURNS - 1].iter().all(|actions| actions != &[Action::Resign]));
        assert_eq!(strong[LOST_TURNS - 1], [Action::Resign]);
        let mated = decisions(Level::Manifold, 10, Score::MatedIn(3));
        assert_eq!(mated[LOST_TURNS - 1], [Action::Resign]);
        for (level, score) in [(Level::Tesseract, lost), (Level::Manifold, Score::Centipawns(-200))]
        {
            let played = decisions(level, 10, score);
            assert!(played.iter().all(|actions| matches!(actions[..], [Action::Move { .. }])));
        }
    }

    #[test]
    fn it_offers_a_draw_only_late_and_where_nothing_happens() {
        let offers = |from, score| {
            let all = decisions(Level::Cube, from, score);
            all.iter().filter(|actions| actions[0] == Action::OfferDraw).count()
        };
        assert_eq!(offers(0, Score::Centipawns(0)), 0, "too early");
        assert!(offers(DRAWN_FROM, Score::Centipawns(3)) > 0);
        assert_eq!(offers(DRAWN_FROM, Score::Centipawns(90)), 0);
        assert_eq!(offers(DRAWN_FROM, Score::MateIn(30)), 0);
    }

    #[test]
    fn it_accepts_a_draw_when_it_has_nothing_better() {
        let answer = |plies, score| {
            let mut state = state(BULLET);
            moves(&mut state, plies, 60_000);
            let color = state.game().side_to_move();
            let id = CommandId::try_from("offer".to_owned()).expect("a good id");
            log(&mut state, Event::DrawOffered { by: color.other(), id });
            let choice = found(&state, score);
            Memory::default().decide(&state, color, Level::Cube, &choice)[0].clone()
        };
        let accepted = |action: Action| matches!(action, Action::AcceptDraw { .. });
        assert!(accepted(answer(DRAWN_FROM, Score::Centipawns(-5))));
        assert!(accepted(answer(DRAWN_FROM, Score::MatedIn(4))));
        assert!(!accepted(answer(DRAWN_FROM, Score::Centipawns(5))));
        assert!(!accepted(answer(10, Score::Centipawns(-5))), "too early");
    }
}
