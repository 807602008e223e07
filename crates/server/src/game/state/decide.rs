//! What a command means in a game as it stands, and what time alone causes. Nothing here changes anything.

use manifold_rules::{Color, GameEnd, Outcome, Termination, TurnError, UnderWay};

use super::{GameState, MOVES_BETWEEN_OFFERS};
use crate::game::event::{Action, Cause, Event, Logged};
use crate::game::question::Question;
use crate::ids::CommandId;
use crate::time::Timestamp;

/// A command with its sender.
#[derive(Clone, Debug)]
pub struct Command {
    pub by: Color,
    pub id: CommandId,
    pub action: Action,
    /// How long the sender's line takes, as the server has measured it.
    pub lag_ms: i64,
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It happened before, as the event with this number.
    Already(u64),
    /// It would cause these events; the first is the one to acknowledge.
    Events(Vec<Event>),
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
    #[error("That draw offer is not open.")]
    NoSuchOffer,
    #[error("You have an open draw offer already.")]
    OfferOpen,
    #[error("A refused draw offer may be repeated after {MOVES_BETWEEN_OFFERS} moves of your own.")]
    OfferTooSoon,
    #[error("Both sides have moved: resign, or offer a draw.")]
    CannotAbort,
    #[error("A side has not moved yet: abort the game instead.")]
    CannotResign,
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
            return Err(Refusal::GameOver);
        }
        let Command { by, id, action, lag_ms } = command;
        let (by, id) = (*by, id.clone());
        // What the line took of a move is not the mover's time; nothing else is waited for.
        let lag_ms = match action {
            Action::Move { .. } if by == self.game.side_to_move() => *lag_ms,
            Action::Move { .. }
            | Action::OfferDraw
            | Action::AcceptDraw { .. }
            | Action::DeclineDraw { .. }
            | Action::Resign
            | Action::Abort => 0,
        };
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
            Action::OfferDraw if self.draw_offers.get(by).is_some() => {
                return Err(Refusal::OfferOpen);
            }
            // Both want it, whoever's message was first.
            Action::OfferDraw if self.draw_offers.get(by.other()).is_some() => end(AGREED, None),
            Action::OfferDraw if self.own_moves(by) < *self.next_offer_after.get(by) => {
                return Err(Refusal::OfferTooSoon);
            }
            Action::OfferDraw => Event::DrawOffered { by, id },
            Action::AcceptDraw { offer } if self.is_open(by.other(), *offer) => {
                end(AGREED, Some(*offer))
            }
            Action::DeclineDraw { offer } if self.is_open(by.other(), *offer) => {
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
        let mut after = self.game.clone();
        after.play(&legal).map_err(illegal)?;
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
        let ended = after.end().map(|end| Event::Ended {
            outcome: end.outcome,
            termination: end.termination,
            cause: None,
        });
        Ok(std::iter::once(played).chain(ended).collect())
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
