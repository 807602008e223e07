//! A second, plain way to say what a game comes to: no events applied, no clock kept running. It remembers what was done
//! and works everything out from that anew each time. Only what is legal it asks the rules.

use manifold_rules::{Color, Game, GameEnd, Outcome, Termination};

use super::Random;
use crate::game::clock::TimeControl;
use crate::game::event::{Action, Cause, Event};
use crate::game::state::{Command, Decision, GameSetup, Refusal};
use crate::ids::CommandId;
use crate::time::Timestamp;

/// A turn that is over.
struct Past {
    by: Color,
    began: Timestamp,
    at: Timestamp,
    compensated_ms: i64,
}

/// An offer of a draw.
struct Offer {
    by: Color,
    seq: u64,
    /// How many moves its side had made when it was refused, if it was.
    refused_after: Option<usize>,
    is_open: bool,
}

/// All that has been done in a game.
pub(super) struct Model {
    time: TimeControl,
    first_move_ms: i64,
    first: Color,
    pub(super) game: Game,
    past: Vec<Past>,
    /// When the turn under way began; later, if the server was away meanwhile.
    began: Timestamp,
    offers: Vec<Offer>,
    answered: Vec<(Color, CommandId, Action, u64)>,
    pub(super) seq: u64,
    last_at: Option<Timestamp>,
    pub(super) end: Option<(GameEnd, Timestamp)>,
}

impl Model {
    pub(super) fn new(setup: &GameSetup) -> Self {
        let game = Game::from_fen(setup.variant, &setup.start_fen).expect("a good start");
        Self {
            time: setup.time,
            first_move_ms: setup.first_move_ms,
            first: game.side_to_move(),
            game,
            past: Vec::new(),
            began: setup.created_at,
            offers: Vec::new(),
            answered: Vec::new(),
            seq: 0,
            last_at: None,
            end: None,
        }
    }

    pub(super) fn plies(&self) -> usize {
        self.past.len()
    }

    pub(super) fn to_move(&self) -> Color {
        if self.past.len().is_multiple_of(2) { self.first } else { self.first.other() }
    }

    fn moves_by(&self, side: Color) -> usize {
        self.past.iter().filter(|turn| turn.by == side).count()
    }

    /// What `side` has when its turns so far are paid for; its first cost nothing and brought nothing.
    pub(super) fn left_ms(&self, side: Color) -> Option<i64> {
        if let Some(days) = self.time.days() {
            return Some(days.ms());
        }
        let time = self.time.fischer()?;
        let paid = self.past.iter().filter(|turn| turn.by == side).skip(1);
        Some(paid.fold(time.base_ms, |left, turn| {
            left - used_ms(turn.began, turn.at) + turn.compensated_ms + time.increment_ms
        }))
    }

    /// What a move of the side to move is given back at most, over a line with this lag: nothing for a first move, and else
    /// what is left in a quota of seven gains, of which three were there at first and each move brings one.
    fn given_ms(&self, lag_ms: i64) -> i64 {
        let side = self.to_move();
        let Some(time) = self.time.fischer().filter(|_| self.moves_by(side) > 0) else { return 0 };
        let seconds = (time.base_ms + 40 * time.increment_ms) as f64 / 1000.0;
        let gain = ((seconds * 0.4 + 15.0) * 10.0 + 1e-6).floor().min(1000.0) as i64;
        let later = self.past.iter().filter(|turn| turn.by == side).skip(1);
        let quota =
            later.fold(3 * gain, |quota, turn| (quota + gain - turn.compensated_ms).min(7 * gain));
        lag_ms.min(quota).clamp(0, 1500)
    }

    /// When something happens by itself: without a clock that is when nobody has moved for very long.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        let patience = self.began.plus_ms(self.first_move_ms);
        self.due().or((self.end.is_none() && !self.time.is_limited()).then_some(patience))
    }

    /// When the side to move has nothing left.
    fn due(&self) -> Option<Timestamp> {
        let left = self.left_ms(self.to_move())?;
        let left = if self.moves_by(self.to_move()) == 0 { self.first_move_ms } else { left };
        self.end.is_none().then(|| self.began.plus_ms(left))
    }

    /// What both clocks show at `now`.
    pub(super) fn shown_ms(&self, side: Color, now: Timestamp) -> Option<i64> {
        let left = self.left_ms(side)?;
        let now = self.end.map_or(now, |(_, at)| at);
        let runs = side == self.to_move() && self.moves_by(side) > 0;
        Some(if runs { (left - used_ms(self.began, now)).max(0) } else { left })
    }

    pub(super) fn open_offer(&self, side: Color) -> Option<u64> {
        self.offers.iter().find(|offer| offer.by == side && offer.is_open).map(|offer| offer.seq)
    }

    /// A command that has been carried out, to be sent again.
    pub(super) fn answered_before(&self, random: &mut Random) -> Option<Command> {
        let (by, id, action, _) = self.answered.get(random.below(self.answered.len()))?;
        Some(Command { by: *by, id: id.clone(), action: action.clone(), lag_ms: 0 })
    }

    /// What should be decided.
    pub(super) fn expect(&self, now: Timestamp, command: &Command) -> Result<Decision, Refusal> {
        let Command { by, id, action, lag_ms } = command;
        let known = self.answered.iter().find(|(side, known, ..)| side == by && known == id);
        if let Some((_, _, before, seq)) = known {
            return if before == action {
                Ok(Decision::Already(*seq))
            } else {
                Err(Refusal::IdReused)
            };
        }
        if self.end.is_some() {
            return Err(Refusal::GameOver);
        }
        let is_own_move = matches!(action, Action::Move { .. }) && *by == self.to_move();
        let given_ms = if is_own_move { self.given_ms(*lag_ms) } else { 0 };
        if self.deadline().is_some_and(|deadline| deadline.plus_ms(given_ms) <= now) {
            return Err(Refusal::TooLate);
        }
        let mut events = Vec::new();
        let (by, id) = (*by, id.clone());
        match action {
            Action::Move { ply, turn } => {
                if *ply != self.plies() {
                    return Err(Refusal::StalePly { sent: *ply, actual: self.plies() });
                }
                if by != self.to_move() {
                    return Err(Refusal::NotYourTurn);
                }
                let legal =
                    self.game.parse_turn(turn).ok().filter(|legal| legal.to_string() == *turn);
                let legal = legal.ok_or(Refusal::IllegalMove(String::new()))?;
                let mut after = self.game.clone();
                after.play(&legal).expect("it is legal");
                let spent_ms = used_ms(self.began, now);
                let compensated_ms = given_ms.min(spent_ms);
                let is_first = self.moves_by(by) == 0;
                let remaining_ms = self.left_ms(by).map(|left| match self.time.fischer() {
                    Some(time) if !is_first => left - spent_ms + compensated_ms + time.increment_ms,
                    Some(_) | None => left,
                });
                let turn = turn.clone();
                let ply = *ply;
                events.push(Event::Move {
                    by,
                    id,
                    ply,
                    turn,
                    spent_ms,
                    compensated_ms,
                    remaining_ms,
                });
                events.extend(after.end().map(|end| ended(end, None)));
            }
            Action::OfferDraw => {
                let refused = self.offers.iter().filter(|offer| offer.by == by);
                let refused = refused.filter_map(|offer| offer.refused_after).max();
                if self.open_offer(by).is_some() {
                    return Err(Refusal::OfferOpen);
                } else if self.open_offer(by.other()).is_some() {
                    events.push(agreed(by, id, None));
                } else if refused.is_some_and(|after| self.moves_by(by) < after + 10) {
                    return Err(Refusal::OfferTooSoon);
                } else {
                    events.push(Event::DrawOffered { by, id });
                }
            }
            Action::AcceptDraw { offer } if self.open_offer(by.other()) == Some(*offer) => {
                events.push(agreed(by, id, Some(*offer)));
            }
            Action::DeclineDraw { offer } if self.open_offer(by.other()) == Some(*offer) => {
                events.push(Event::DrawDeclined { by, id, offer: *offer });
            }
            Action::AcceptDraw { .. } | Action::DeclineDraw { .. } => {
                return Err(Refusal::NoSuchOffer);
            }
            Action::Resign => {
                if self.plies() < 2 {
                    return Err(Refusal::CannotResign);
                }
                let outcome = Outcome::Win(by.other());
                let end = GameEnd { outcome, termination: Termination::Resignation };
                events.push(ended(end, Some(Cause { by, id, offer: None })));
            }
            Action::Abort => {
                if self.plies() >= 2 {
                    return Err(Refusal::CannotAbort);
                }
                let end = GameEnd { outcome: Outcome::Aborted, termination: Termination::Aborted };
                events.push(ended(end, Some(Cause { by, id, offer: None })));
            }
        }
        Ok(Decision::Events(events))
    }

    /// What time alone should have caused.
    pub(super) fn expect_tick(&self, now: Timestamp, lag_ms: i64) -> Option<Event> {
        if self.deadline()?.plus_ms(self.given_ms(lag_ms)) > now {
            return None;
        }
        let late = self.to_move();
        let how =
            if self.time.is_limited() { Termination::Timeout } else { Termination::Abandonment };
        let end = |outcome, termination| Some(ended(GameEnd { outcome, termination }, None));
        if self.moves_by(late) == 0 {
            end(Outcome::Aborted, Termination::Aborted)
        } else if self.game.has_bare_king(late.other()) {
            end(Outcome::Draw, how)
        } else {
            end(Outcome::Win(late.other()), how)
        }
    }

    /// How much of the turn under way had been used when the server was last there.
    pub(super) fn expect_resumption(&self, away_since: Timestamp) -> Option<i64> {
        self.due()?;
        let since = self.last_at.map_or(away_since, |at| at.max(away_since));
        Some(used_ms(self.began, since))
    }

    /// Notes what has been done at `at`.
    pub(super) fn note(&mut self, at: Timestamp, event: &Event) {
        self.seq += 1;
        self.last_at = Some(at);
        match event {
            Event::Move { by, id, ply, turn, compensated_ms, .. } => {
                let legal = self.game.parse_turn(turn).expect("it is legal");
                self.game.play(&legal).expect("it is legal");
                let (by, compensated_ms) = (*by, *compensated_ms);
                self.past.push(Past { by, began: self.began, at, compensated_ms });
                self.began = at;
                self.refuse(by.other());
                self.answer(by, id, Action::Move { ply: *ply, turn: turn.clone() });
            }
            Event::DrawOffered { by, id } => {
                let offer = Offer { by: *by, seq: self.seq, refused_after: None, is_open: true };
                self.offers.push(offer);
                self.answer(*by, id, Action::OfferDraw);
            }
            Event::DrawDeclined { by, id, offer } => {
                self.refuse(by.other());
                self.answer(*by, id, Action::DeclineDraw { offer: *offer });
            }
            Event::Resumed { elapsed_ms } => self.began = at.plus_ms(-elapsed_ms),
            Event::Ended { outcome, termination, cause } => {
                self.end = Some((GameEnd { outcome: *outcome, termination: *termination }, at));
                for offer in &mut self.offers {
                    offer.is_open = false;
                }
                if let Some(Cause { by, id, offer }) = cause {
                    let action = match (termination, offer) {
                        (Termination::Resignation, _) => Action::Resign,
                        (Termination::Aborted, _) => Action::Abort,
                        (_, Some(offer)) => Action::AcceptDraw { offer: *offer },
                        (_, None) => Action::OfferDraw,
                    };
                    self.answer(*by, id, action);
                }
            }
        }
    }

    fn refuse(&mut self, side: Color) {
        let moves = self.moves_by(side);
        for offer in self.offers.iter_mut().filter(|offer| offer.by == side && offer.is_open) {
            offer.is_open = false;
            offer.refused_after = Some(moves);
        }
    }

    fn answer(&mut self, by: Color, id: &CommandId, action: Action) {
        self.answered.push((by, id.clone(), action, self.seq));
    }
}

/// Whole milliseconds between the two; none if the second is before the first.
fn used_ms(from: Timestamp, to: Timestamp) -> i64 {
    ((to.as_micros() - from.as_micros()) / 1000).max(0)
}

fn ended(GameEnd { outcome, termination }: GameEnd, cause: Option<Cause>) -> Event {
    Event::Ended { outcome, termination, cause }
}

fn agreed(by: Color, id: CommandId, offer: Option<u64>) -> Event {
    let end = GameEnd { outcome: Outcome::Draw, termination: Termination::Agreement };
    ended(end, Some(Cause { by, id, offer }))
}
