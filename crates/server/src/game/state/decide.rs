//! What a command means in a game as it stands, and what time alone causes. Nothing here changes anything.

use manifold_rules::{Color, GameEnd, Outcome, Termination, TurnError, UnderWay};

use super::{GameState, MOVES_BETWEEN_OFFERS};
use crate::game::event::{Action, Cause, Event, Logged};
use crate::game::question::Question;
use crate::ids::{CommandId, GameId};
use crate::time::Timestamp;

/// How often moves of one game are taken back: what a game may grow to has a bound.
const MAX_TAKEBACKS: usize = 100;

/// A command with its sender.
#[derive(Clone, Debug)]
pub struct Command {
    pub by: Color,
    pub id: CommandId,
    pub action: Action,
    /// How long the sender's line takes, as the server has measured it.
    pub lag_ms: i64,
    /// Whether the opponent has been away for so long that the game can be claimed.
    pub opponent_is_away: bool,
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It happened before, as the event with this number.
    Already(u64),
    /// It would cause these events; the first is the one to acknowledge.
    Events(Vec<Event>),
    /// It would begin a rematch, which is not for pure logic to make.
    Rematch(Agreement),
}

/// Both want to play again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    /// The offer that is agreed to at once.
    pub offered: Option<Event>,
    /// Who agrees, by which command, to which offer: as in the event.
    pub by: Color,
    pub id: Option<CommandId>,
    pub offer: Option<u64>,
}

impl Agreement {
    /// What it would cause, with `next` as the new game; the first is the event to acknowledge.
    pub fn events(self, next: GameId) -> Vec<Event> {
        let Self { offered, by, id, offer } = self;
        offered.into_iter().chain([Event::Rematched { by, id, offer, next }]).collect()
    }
}

/// Why a command changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("It is the other side's turn.")]
    NotYourTurn,
    #[error("The game stands at ply {actual}; this is about ply {sent}.")]
    StalePly { sent: usize, actual: usize },
    #[error("{0}")]
    IllegalMove(String),
    #[error("This id was used for another command in this game.")]
    IdReused,
    #[error("The game has ended.")]
    GameOver,
    #[error("The time was up before this arrived.")]
    TooLate,
    #[error("That offer is not open.")]
    NoSuchOffer,
    #[error("An offer of this kind is open already.")]
    OfferOpen,
    #[error("A refused offer may be repeated after {MOVES_BETWEEN_OFFERS} moves of your own.")]
    OfferTooSoon,
    #[error("Both sides have moved: resign, or offer a draw.")]
    CannotAbort,
    #[error("A side has not moved yet: abort the game instead.")]
    CannotResign,
    #[error("Moves are taken back in casual games only.")]
    CasualOnly,
    #[error("You have made no move that could be taken back.")]
    NothingToTakeBack,
    #[error("Moves of this game have been taken back {MAX_TAKEBACKS} times.")]
    TooManyTakebacks,
    #[error("{0}")]
    NoClaim(&'static str),
    #[error("The game has not ended yet.")]
    GameUnderWay,
    #[error("The rematch has begun already.")]
    RematchBegun,
}

fn illegal(why: TurnError) -> Refusal {
    Refusal::IllegalMove(why.to_string())
}

impl GameState {
    /// What `command` would cause at `now`. Changes nothing.
    pub fn decide(&self, now: Timestamp, command: &Command) -> Result<Decision, Refusal> {
        if let Some((action, seq)) = self.done.get(&(command.by, command.id.clone())) {
            return if *action == command.action {
                Ok(Decision::Already(*seq))
            } else {
                Err(Refusal::IdReused)
            };
        }
        if self.end.is_some() {
            return self.decide_rematch(command);
        }
        let Command { by, id, action, lag_ms, .. } = command;
        let (by, id) = (*by, id.clone());
        // What the line took of a move is not the mover's time; nothing else is waited for.
        let is_move = matches!(action, Action::Move { .. }) && by == self.game.side_to_move();
        let lag_ms = if is_move { *lag_ms } else { 0 };
        if self.flag_at(lag_ms).is_some_and(|flag_at| now >= flag_at) {
            return Err(Refusal::TooLate);
        }
        let end = |end: GameEnd, offer| Event::Ended {
            outcome: end.outcome,
            termination: end.termination,
            cause: Some(Cause { by, id: id.clone(), offer }),
        };
        const AGREED: GameEnd =
            GameEnd { outcome: Outcome::Draw, termination: Termination::Agreement };
        let event = match action {
            Action::Move { ply, turn } => {
                return self.decide_move(now, command, *ply, turn).map(Decision::Events);
            }
            Action::OfferDraw if self.draw_offers.of(by).is_some() => {
                return Err(Refusal::OfferOpen);
            }
            // Both want it, whoever's message was first.
            Action::OfferDraw if self.draw_offers.of(by.other()).is_some() => end(AGREED, None),
            Action::OfferDraw if !self.draw_offers.may_offer(by, self.own_moves(by)) => {
                return Err(Refusal::OfferTooSoon);
            }
            Action::OfferDraw => Event::DrawOffered { by, id },
            Action::AcceptDraw { offer } if self.draw_offers.is_open(by.other(), *offer) => {
                end(AGREED, Some(*offer))
            }
            Action::DeclineDraw { offer } if self.draw_offers.is_open(by.other(), *offer) => {
                Event::DrawDeclined { by, id, offer: *offer }
            }
            Action::AcceptDraw { .. } | Action::DeclineDraw { .. } => {
                return Err(Refusal::NoSuchOffer);
            }
            Action::Resign if !self.both_have_moved() => return Err(Refusal::CannotResign),
            Action::Resign => end(
                GameEnd {
                    outcome: Outcome::Win(by.other()),
                    termination: Termination::Resignation,
                },
                None,
            ),
            Action::Abort if self.both_have_moved() => return Err(Refusal::CannotAbort),
            Action::Abort => {
                end(GameEnd { outcome: Outcome::Aborted, termination: Termination::Aborted }, None)
            }
            Action::OfferTakeback => return self.decide_takeback(by, id).map(Decision::Events),
            Action::AcceptTakeback { offer } => {
                let is_open = self.takeback_offers.is_open(by.other(), *offer);
                let ply = self.ply_to_go_back_to(by.other()).filter(|_| is_open);
                let ply = ply.ok_or(Refusal::NoSuchOffer)?;
                Event::TakenBack { by, id: Some(id), offer: *offer, ply }
            }
            Action::DeclineTakeback { offer }
                if self.takeback_offers.is_open(by.other(), *offer) =>
            {
                Event::TakebackDeclined { by, id, offer: *offer }
            }
            Action::DeclineTakeback { .. } => return Err(Refusal::NoSuchOffer),
            Action::OfferRematch | Action::AcceptRematch { .. } | Action::DeclineRematch { .. } => {
                return Err(Refusal::GameUnderWay);
            }
            Action::ClaimWin => {
                self.check_claim(command)?;
                if self.game.has_bare_king(by) {
                    return Err(Refusal::NoClaim(
                        "With nothing but kings you can claim a draw only.",
                    ));
                }
                let outcome = Outcome::Win(by);
                end(GameEnd { outcome, termination: Termination::Abandonment }, None)
            }
            Action::ClaimDraw => {
                self.check_claim(command)?;
                let outcome = Outcome::Draw;
                end(GameEnd { outcome, termination: Termination::Abandonment }, None)
            }
        };
        Ok(Decision::Events(vec![event]))
    }

    fn decide_move(
        &self,
        now: Timestamp,
        command: &Command,
        ply: usize,
        turn: &str,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_ply(ply)?;
        let Command { by, id, lag_ms, .. } = command;
        if *by != self.game.side_to_move() {
            return Err(Refusal::NotYourTurn);
        }
        let legal = self.game.parse_turn(turn).map_err(illegal)?;
        // One spelling only: a retry is known by its text.
        if legal.to_string() != turn {
            return Err(Refusal::IllegalMove(format!("This move is written {legal}.")));
        }
        let end = self.game.end_after(&legal).map_err(illegal)?;
        let cost = self.clock.move_time(now, *lag_ms);
        let played = Event::Move {
            by: *by,
            id: id.clone(),
            ply,
            turn: legal.to_string(),
            spent_ms: cost.spent_ms,
            compensated_ms: cost.compensated_ms,
            remaining_ms: cost.remaining_ms,
        };
        let ended = end.map(|end| Event::Ended {
            outcome: end.outcome,
            termination: end.termination,
            cause: None,
        });
        Ok(std::iter::once(played).chain(ended).collect())
    }

    /// Whether the opponent can be said to have left the game.
    fn check_claim(&self, Command { by, opponent_is_away, .. }: &Command) -> Result<(), Refusal> {
        Err(Refusal::NoClaim(if self.setup.time.fischer().is_none() {
            "Without a running clock nothing can be claimed."
        } else if !self.both_have_moved() {
            "Nothing can be claimed before both sides have moved: abort the game instead."
        } else if *by == self.game.side_to_move() {
            "It is your own turn."
        } else if !opponent_is_away {
            "Your opponent is there, or has not been away for long enough."
        } else {
            return Ok(());
        }))
    }

    /// After the end there is one thing left to agree on.
    fn decide_rematch(&self, command: &Command) -> Result<Decision, Refusal> {
        let (by, id) = (command.by, command.id.clone());
        let (offers, other) = (&self.rematch_offers, command.by.other());
        let is_about_rematch = matches!(
            command.action,
            Action::OfferRematch | Action::AcceptRematch { .. } | Action::DeclineRematch { .. }
        );
        if is_about_rematch && self.rematch.is_some() {
            return Err(Refusal::RematchBegun);
        }
        match command.action {
            Action::OfferRematch if offers.of(by).is_some() => Err(Refusal::OfferOpen),
            // Both want it, whoever's message was first.
            Action::OfferRematch if offers.of(other).is_some() => {
                let agreed = Agreement { offered: None, by, id: Some(id), offer: None };
                Ok(Decision::Rematch(agreed))
            }
            Action::OfferRematch if !offers.may_offer(by, 0) => Err(Refusal::OfferTooSoon),
            Action::OfferRematch => {
                let offered = Event::RematchOffered { by, id };
                Ok(if self.setup.seats.get(other).player.kind.level().is_some() {
                    let offer = Some(self.seq() + 1);
                    let offered = Some(offered);
                    Decision::Rematch(Agreement { offered, by: other, id: None, offer })
                } else {
                    Decision::Events(vec![offered])
                })
            }
            Action::AcceptRematch { offer } if offers.is_open(other, offer) => {
                let agreed = Agreement { offered: None, by, id: Some(id), offer: Some(offer) };
                Ok(Decision::Rematch(agreed))
            }
            Action::DeclineRematch { offer } if offers.is_open(other, offer) => {
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

    /// A wish to take moves back; a computer grants it at once.
    fn decide_takeback(&self, by: Color, id: CommandId) -> Result<Vec<Event>, Refusal> {
        if self.setup.rated {
            return Err(Refusal::CasualOnly);
        }
        if self.takeback_offers.current().is_some() {
            return Err(Refusal::OfferOpen);
        }
        if self.takebacks >= MAX_TAKEBACKS {
            return Err(Refusal::TooManyTakebacks);
        }
        let ply = self.ply_to_go_back_to(by).ok_or(Refusal::NothingToTakeBack)?;
        if !self.takeback_offers.may_offer(by, self.own_moves(by)) {
            return Err(Refusal::OfferTooSoon);
        }
        let mut events = vec![Event::TakebackOffered { by, id }];
        if self.setup.seats.get(by.other()).player.kind.level().is_some() {
            let offer = self.seq() + 1;
            events.push(Event::TakenBack { by: by.other(), id: None, offer, ply });
        }
        Ok(events)
    }

    /// How many moves are left when `side` takes back its last one.
    fn ply_to_go_back_to(&self, side: Color) -> Option<usize> {
        let back = if side == self.game.side_to_move() { 2 } else { 1 };
        self.moves.len().checked_sub(back)
    }

    /// Whether `ply` is the number of moves that have been played.
    pub fn check_ply(&self, ply: usize) -> Result<(), Refusal> {
        match self.moves.len() {
            actual if actual == ply => Ok(()),
            actual => Err(Refusal::StalePly { sent: ply, actual }),
        }
    }

    /// What the turn that somebody asks about has come to.
    pub fn under_way(&self, question: &Question) -> Result<UnderWay, Refusal> {
        self.check_question(question)?;
        self.game.under_way(&question.turn).map_err(illegal)
    }

    /// Whether there is a turn that could be asked about, and it is this one.
    fn check_question(&self, question: &Question) -> Result<(), Refusal> {
        if self.end.is_some() {
            return Err(Refusal::GameOver);
        }
        self.check_ply(question.ply)
    }

    /// Why a move between these squares may not come next in that turn, if it may not.
    pub fn explain(
        &self,
        question: &Question,
        from: &str,
        to: &str,
    ) -> Result<Option<TurnError>, Refusal> {
        self.check_question(question)?;
        if !question.turn.is_empty() {
            // What is wrong with the first moves is no answer to what may follow them.
            self.game.parse_turn(&question.turn).map_err(illegal)?;
        }
        Ok(self.game.explain(&question.turn, from, to).err())
    }

    /// The moment at which the clock of the side to move shows zero.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.clock.deadline().or_else(|| self.clock.abandoned_at())
    }

    /// The moment at which [`tick`](Self::tick) will have something to say: when a move over a line with this lag would
    /// be too late, even after it was given back what it could be.
    pub fn flag_at(&self, lag_ms: i64) -> Option<Timestamp> {
        Some(self.deadline()?.plus_ms(self.clock.compensation_ms(lag_ms)))
    }

    /// What time alone has caused by `now`: a flag, or the end of a game that nobody began or goes on with. `lag_ms` is that of the line
    /// over which the side to move could still be heard.
    pub fn tick(&self, now: Timestamp, lag_ms: i64) -> Option<Event> {
        if now < self.flag_at(lag_ms)? {
            return None;
        }
        let late = self.game.side_to_move();
        let how = if self.setup.time.is_limited() {
            Termination::Timeout
        } else {
            Termination::Abandonment
        };
        let (outcome, termination) = if self.clock.is_first_move() {
            (Outcome::Aborted, Termination::Aborted)
        } else if self.game.has_bare_king(late.other()) {
            (Outcome::Draw, how)
        } else {
            (Outcome::Win(late.other()), how)
        };
        Some(Event::Ended { outcome, termination, cause: None })
    }

    /// What gives the time since `away_since` back to the side to move: nobody could move, the server was away. Where
    /// no clock runs there is nothing to give back.
    pub fn resumption(&self, away_since: Timestamp) -> Option<Event> {
        self.clock.deadline()?;
        // What happened since then has been taken over: an earlier resumption whose commit was not answered gives no time
        // back twice.
        let since = self.log.last().map_or(away_since, |last| away_since.max(last.at));
        Some(Event::Resumed { elapsed_ms: self.clock.elapsed_ms(since) })
    }

    /// How long the server was away while this game slept, if the database, which was told after each such time, says that
    /// the move is due at `deadline_at`.
    pub fn owed_ms(&self, deadline_at: Timestamp) -> i64 {
        self.clock.deadline().map_or(0, |ours| deadline_at.ms_since(ours).max(0))
    }

    /// When this game has to be woken, were `events` committed. `None` if its task stays anyway, or it is over.
    pub fn sleeps_until(&self, events: &[Logged]) -> Option<Timestamp> {
        if self.setup.time.is_real_time() {
            return None;
        }
        let mut after = self.clone();
        for logged in events {
            // What was decided on this state applies to it; if it should not, the game is woken when it was before.
            after.apply(logged.clone()).ok()?;
        }
        after.deadline()
    }
}
