//! A second, plain way to say what a game comes to: no events applied, no clock kept running. It remembers what was done
//! and works everything out from that anew each time. Only what is legal it asks the rules.

use manifold_rules::{Color, Game, GameEnd, Outcome, Termination};

use super::Random;
use crate::game::clock::TimeControl;
use crate::game::event::{Action, Cause, Event};
use crate::game::state::{Agreement, Command, Decision, GameSetup, Refusal};
use crate::ids::CommandId;
use crate::time::Timestamp;

/// A turn that is over.
struct Past {
    by: Color,
    began: Timestamp,
    at: Timestamp,
    compensated_ms: i64,
}

/// What is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Draw,
    Takeback,
    Rematch,
}

struct Offer {
    kind: Kind,
    by: Color,
    seq: u64,
    /// How many moves its side had made when it was refused, if it was.
    refused_after: Option<usize>,
    is_open: bool,
}

/// All that has been done in a game.
pub(super) struct Model {
    time: TimeControl,
    rated: bool,
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
    pub(super) takebacks: usize,
    is_rematched: bool,
}

impl Model {
    pub(super) fn new(setup: &GameSetup) -> Self {
        let game = Game::from_fen(setup.variant, &setup.start_fen).expect("a good start");
        Self {
            time: setup.time,
            rated: setup.rated,
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
            takebacks: 0,
            is_rematched: false,
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

    pub(super) fn open_offer(&self, kind: Kind, side: Color) -> Option<u64> {
        let is_it = |offer: &&Offer| offer.kind == kind && offer.by == side && offer.is_open;
        self.offers.iter().find(is_it).map(|offer| offer.seq)
    }

    /// How many moves `side` had made when it was last refused such an offer.
    fn refused_after(&self, kind: Kind, side: Color) -> Option<usize> {
        let refused = self.offers.iter().filter(|offer| offer.kind == kind && offer.by == side);
        refused.filter_map(|offer| offer.refused_after).max()
    }

    fn must_wait(&self, kind: Kind, side: Color) -> bool {
        self.refused_after(kind, side).is_some_and(|after| self.moves_by(side) < after + 10)
    }

    /// How many moves are left after `side` has taken back its last.
    fn left_after_takeback(&self, side: Color) -> Option<usize> {
        (0..self.past.len()).rev().find(|ply| self.past[*ply].by == side)
    }

    fn expect_rematch(&self, command: &Command) -> Result<Decision, Refusal> {
        let Command { by, id, action, .. } = command;
        let (by, id, other) = (*by, id.clone(), by.other());
        let open = |side| self.open_offer(Kind::Rematch, side);
        let agree =
            |id, offer| Ok(Decision::Rematch(Agreement { offered: None, by, id: Some(id), offer }));
        match action {
            Action::OfferRematch | Action::AcceptRematch { .. } | Action::DeclineRematch { .. }
                if self.is_rematched =>
            {
                Err(Refusal::RematchBegun)
            }
            Action::OfferRematch if open(by).is_some() => Err(Refusal::OfferOpen),
            Action::OfferRematch if open(other).is_some() => agree(id, None),
            Action::OfferRematch if self.refused_after(Kind::Rematch, by).is_some() => {
                Err(Refusal::OfferTooSoon)
            }
            Action::OfferRematch => Ok(Decision::Events(vec![Event::RematchOffered { by, id }])),
            Action::AcceptRematch { offer } if open(other) == Some(*offer) => {
                agree(id, Some(*offer))
            }
            Action::DeclineRematch { offer } if open(other) == Some(*offer) => {
                let offer = *offer;
                Ok(Decision::Events(vec![Event::RematchDeclined { by, id, offer }]))
            }
            Action::AcceptRematch { .. } | Action::DeclineRematch { .. } => {
                Err(Refusal::NoSuchOffer)
            }
            Action::Move { .. }
            | Action::OfferDraw
            | Action::AcceptDraw { .. }
            | Action::DeclineDraw { .. }
            | Action::Resign
            | Action::Abort
            | Action::OfferTakeback
            | Action::AcceptTakeback { .. }
            | Action::DeclineTakeback { .. }
            | Action::ClaimWin
            | Action::ClaimDraw => Err(Refusal::GameOver),
        }
    }

    /// A command that has been carried out, to be sent again.
    pub(super) fn answered_before(&self, random: &mut Random) -> Option<Command> {
        let (by, id, action, _) = self.answered.get(random.below(self.answered.len()))?;
        let (by, id, action) = (*by, id.clone(), action.clone());
        Some(Command { by, id, action, lag_ms: 0, opponent_is_away: false })
    }

    /// What should be decided.
    pub(super) fn expect(&self, now: Timestamp, command: &Command) -> Result<Decision, Refusal> {
        let Command { by, id, action, lag_ms, opponent_is_away } = command;
        let known = self.answered.iter().find(|(side, known, ..)| side == by && known == id);
        if let Some((_, _, before, seq)) = known {
            return if before == action {
                Ok(Decision::Already(*seq))
            } else {
                Err(Refusal::IdReused)
            };
        }
        if self.end.is_some() {
            return self.expect_rematch(command);
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
                if self.open_offer(Kind::Draw, by).is_some() {
                    return Err(Refusal::OfferOpen);
                } else if self.open_offer(Kind::Draw, by.other()).is_some() {
                    events.push(agreed(by, id, None));
                } else if self.must_wait(Kind::Draw, by) {
                    return Err(Refusal::OfferTooSoon);
                } else {
                    events.push(Event::DrawOffered { by, id });
                }
            }
            Action::AcceptDraw { offer }
                if self.open_offer(Kind::Draw, by.other()) == Some(*offer) =>
            {
                events.push(agreed(by, id, Some(*offer)));
            }
            Action::DeclineDraw { offer }
                if self.open_offer(Kind::Draw, by.other()) == Some(*offer) =>
            {
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
            Action::OfferTakeback => {
                if self.rated {
                    return Err(Refusal::CasualOnly);
                }
                if [by, by.other()]
                    .iter()
                    .any(|side| self.open_offer(Kind::Takeback, *side).is_some())
                {
                    return Err(Refusal::OfferOpen);
                }
                if self.takebacks >= 100 {
                    return Err(Refusal::TooManyTakebacks);
                }
                if self.left_after_takeback(by).is_none() {
                    return Err(Refusal::NothingToTakeBack);
                }
                if self.must_wait(Kind::Takeback, by) {
                    return Err(Refusal::OfferTooSoon);
                }
                events.push(Event::TakebackOffered { by, id });
            }
            Action::AcceptTakeback { offer } | Action::DeclineTakeback { offer }
                if self.open_offer(Kind::Takeback, by.other()) != Some(*offer) =>
            {
                return Err(Refusal::NoSuchOffer);
            }
            Action::AcceptTakeback { offer } => {
                let ply = self.left_after_takeback(by.other()).expect("it has moved");
                events.push(Event::TakenBack { by, id: Some(id), offer: *offer, ply });
            }
            Action::DeclineTakeback { offer } => {
                events.push(Event::TakebackDeclined { by, id, offer: *offer });
            }
            Action::OfferRematch | Action::AcceptRematch { .. } | Action::DeclineRematch { .. } => {
                return Err(Refusal::GameUnderWay);
            }
            Action::ClaimWin | Action::ClaimDraw => {
                let may = self.time.fischer().is_some()
                    && self.plies() >= 2
                    && by != self.to_move()
                    && *opponent_is_away;
                let wins = *action == Action::ClaimWin;
                if !may || (wins && self.game.has_bare_king(by)) {
                    return Err(Refusal::NoClaim(""));
                }
                let outcome = if wins { Outcome::Win(by) } else { Outcome::Draw };
                let end = GameEnd { outcome, termination: Termination::Abandonment };
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
                self.refuse(Kind::Draw, by.other());
                self.refuse(Kind::Takeback, by.other());
                self.close(&[Kind::Takeback]);
                self.answer(by, id, Action::Move { ply: *ply, turn: turn.clone() });
            }
            Event::DrawOffered { by, id } => {
                self.open(Kind::Draw, *by);
                self.answer(*by, id, Action::OfferDraw);
            }
            Event::DrawDeclined { by, id, offer } => {
                self.refuse(Kind::Draw, by.other());
                self.answer(*by, id, Action::DeclineDraw { offer: *offer });
            }
            Event::TakebackOffered { by, id } => {
                self.open(Kind::Takeback, *by);
                self.answer(*by, id, Action::OfferTakeback);
            }
            Event::TakebackDeclined { by, id, offer } => {
                self.refuse(Kind::Takeback, by.other());
                self.answer(*by, id, Action::DeclineTakeback { offer: *offer });
            }
            Event::TakenBack { by, id, offer, ply } => {
                self.past.truncate(*ply);
                while self.game.ply() > *ply {
                    self.game.undo();
                }
                self.began = at;
                self.takebacks += 1;
                self.close(&[Kind::Draw, Kind::Takeback]);
                if let Some(id) = id {
                    self.answer(*by, id, Action::AcceptTakeback { offer: *offer });
                }
            }
            Event::RematchOffered { by, id } => {
                self.open(Kind::Rematch, *by);
                self.answer(*by, id, Action::OfferRematch);
            }
            Event::RematchDeclined { by, id, offer } => {
                self.refuse(Kind::Rematch, by.other());
                self.answer(*by, id, Action::DeclineRematch { offer: *offer });
            }
            Event::Rematched { by, id, offer, .. } => {
                self.is_rematched = true;
                self.close(&[Kind::Rematch]);
                if let Some(id) = id {
                    let accepted = offer.map(|offer| Action::AcceptRematch { offer });
                    self.answer(*by, id, accepted.unwrap_or(Action::OfferRematch));
                }
            }
            Event::Resumed { elapsed_ms } => self.began = at.plus_ms(-elapsed_ms),
            Event::Ended { outcome, termination, cause } => {
                self.end = Some((GameEnd { outcome: *outcome, termination: *termination }, at));
                self.close(&[Kind::Draw, Kind::Takeback]);
                if let Some(Cause { by, id, offer }) = cause {
                    let action = match (termination, offer) {
                        (Termination::Resignation, _) => Action::Resign,
                        (Termination::Aborted, _) => Action::Abort,
                        (Termination::Abandonment, _) if *outcome == Outcome::Draw => {
                            Action::ClaimDraw
                        }
                        (Termination::Abandonment, _) => Action::ClaimWin,
                        (_, Some(offer)) => Action::AcceptDraw { offer: *offer },
                        (_, None) => Action::OfferDraw,
                    };
                    self.answer(*by, id, action);
                }
            }
        }
    }

    fn open(&mut self, kind: Kind, by: Color) {
        let (seq, refused_after) = (self.seq, None);
        self.offers.push(Offer { kind, by, seq, refused_after, is_open: true });
    }

    fn close(&mut self, kinds: &[Kind]) {
        for offer in self.offers.iter_mut().filter(|offer| kinds.contains(&offer.kind)) {
            offer.is_open = false;
        }
    }

    fn refuse(&mut self, kind: Kind, side: Color) {
        let moves = self.moves_by(side);
        let is_it = |offer: &&mut Offer| offer.kind == kind && offer.by == side && offer.is_open;
        for offer in self.offers.iter_mut().filter(is_it) {
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
