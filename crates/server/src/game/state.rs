//! A game as pure logic. Nothing here waits, reads a clock or talks to anyone.
//!
//! Two halves, so that nothing has to be taken back when the database says no: [`GameState::decide`] says which events
//! a command would cause and changes nothing; [`GameState::apply`] takes over an event that has been committed. A game
//! that comes back from the database is its setup and `apply` over its journal, so live play and recovery are one code.

use std::collections::HashMap;

use manifold_rules::{Color, Game, GameEnd, Outcome, Termination, TurnError, UnderWay, Variant};

use super::clock::{BySide, Clock, ClockReading, Speed, TimeControl};
use super::event::{Action, Cause, Event, Logged};
use super::question::Question;
use crate::ids::{CommandId, GameId, PlayerId};
use crate::player::Player;
use crate::time::Timestamp;

/// After a refused offer, a side offers no draw for so many moves of its own.
const MOVES_BETWEEN_OFFERS: usize = 10;

/// From so many moves on both sides have moved: the game counts.
const PLIES_BEGUN: usize = 2;

/// What is settled before the first move.
#[derive(Clone, Debug)]
pub struct GameSetup {
    pub id: GameId,
    pub variant: Variant,
    pub rated: bool,
    pub time: TimeControl,
    /// How long each side has for its first move.
    pub first_move_ms: i64,
    pub start_fen: String,
    pub seats: BySide<Seat>,
    pub created_at: Timestamp,
}

impl GameSetup {
    /// The color of `player` here.
    pub fn color_of(&self, player: PlayerId) -> Option<Color> {
        [Color::White, Color::Black]
            .into_iter()
            .find(|&color| self.seats.get(color).player.id == player)
    }
}

/// A player and the rating shown beside the name, as it was when the game began.
#[derive(Clone, Debug)]
pub struct Seat {
    pub player: Player,
    pub rating: Option<SeatRating>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeatRating {
    pub rating: f64,
    pub provisional: bool,
}

/// A rating before and after a game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatingChange {
    pub before: f64,
    pub after: f64,
}

/// A move as it is shown: what the list and a replay need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    pub turn: String,
    pub lan: String,
    /// The position after it.
    pub fen: String,
    /// The square of the king that it checks.
    pub check: Option<String>,
    pub spent_ms: i64,
    pub played_at: Timestamp,
}

/// A command with its sender.
#[derive(Clone, Debug)]
pub struct Command {
    pub by: Color,
    pub id: CommandId,
    pub action: Action,
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
    #[error("Your time was up before this arrived.")]
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

/// Why a journal cannot be told again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("start position: {0}")]
    Start(String),
    #[error("event {seq} does not follow event {last}")]
    Gap { last: u64, seq: u64 },
    #[error("event {seq}: {why}")]
    Illegal { seq: u64, why: String },
}

/// Everything about a game at one moment.
#[derive(Clone, Debug)]
pub struct GameState {
    setup: GameSetup,
    game: Game,
    log: Vec<Logged>,
    moves: Vec<PlayedMove>,
    clock: Clock,
    /// Each side's open draw offer, by its event's number.
    draw_offers: BySide<Option<u64>>,
    /// How many own moves a side must have made before it may offer a draw again.
    next_offer_after: BySide<usize>,
    /// Commands that became events: what makes a retry safe.
    done: HashMap<(Color, CommandId), (Action, u64)>,
    end: Option<GameEnd>,
    ended_at: Option<Timestamp>,
    ratings: Option<BySide<RatingChange>>,
}

impl GameState {
    /// A game before its first move.
    pub fn new(setup: GameSetup) -> Result<Self, ReplayError> {
        let game = Game::from_fen(setup.variant, &setup.start_fen)
            .map_err(|e| ReplayError::Start(e.to_string()))?;
        let clock =
            Clock::new(setup.time, setup.first_move_ms, game.side_to_move(), setup.created_at);
        Ok(Self {
            setup,
            game,
            log: Vec::new(),
            moves: Vec::new(),
            clock,
            draw_offers: BySide::default(),
            next_offer_after: BySide::default(),
            done: HashMap::new(),
            end: None,
            ended_at: None,
            ratings: None,
        })
    }

    /// A game from its journal.
    pub fn replay(
        setup: GameSetup,
        log: impl IntoIterator<Item = Logged>,
        ratings: Option<BySide<RatingChange>>,
    ) -> Result<Self, ReplayError> {
        let mut state = Self::new(setup)?;
        for logged in log {
            state.apply(logged)?;
        }
        state.ratings = ratings;
        Ok(state)
    }

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
        if self.clock.deadline().is_some_and(|deadline| now >= deadline) {
            return Err(Refusal::TooLate);
        }
        let Command { by, id, action } = command;
        let (by, id) = (*by, id.clone());
        let end = |end: GameEnd, offer| Event::Ended {
            outcome: end.outcome,
            termination: end.termination,
            cause: Some(Cause { by, id: id.clone(), offer }),
        };
        const AGREED: GameEnd =
            GameEnd { outcome: Outcome::Draw, termination: Termination::Agreement };
        let event = match action {
            Action::Move { ply, turn } => {
                return self.decide_move(now, by, id, *ply, turn).map(Decision::Events);
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
        by: Color,
        id: CommandId,
        ply: usize,
        turn: &str,
    ) -> Result<Vec<Event>, Refusal> {
        self.check_ply(ply)?;
        if by != self.game.side_to_move() {
            return Err(Refusal::NotYourTurn);
        }
        let legal = self.game.parse_turn(turn).map_err(illegal)?;
        // One spelling only: a retry is known by its text.
        if legal.to_string() != turn {
            return Err(Refusal::IllegalMove(format!("This move is written {legal}.")));
        }
        let mut after = self.game.clone();
        after.play(&legal).map_err(illegal)?;
        let cost = self.clock.move_time(now);
        let played = Event::Move {
            by,
            id,
            ply,
            turn: legal.to_string(),
            spent_ms: cost.spent_ms,
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

    /// The moment at which [`tick`](Self::tick) will have something to say.
    pub fn deadline(&self) -> Option<Timestamp> {
        self.clock.deadline()
    }

    /// What time alone has caused by `now`: a flag, or the end of a game that nobody began.
    pub fn tick(&self, now: Timestamp) -> Option<Event> {
        if now < self.clock.deadline()? {
            return None;
        }
        let late = self.game.side_to_move();
        let (outcome, termination) = if self.clock.is_first_move() {
            (Outcome::Aborted, Termination::Aborted)
        } else if self.game.has_bare_king(late.other()) {
            (Outcome::Draw, Termination::Timeout)
        } else {
            (Outcome::Win(late.other()), Termination::Timeout)
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

    /// Takes over an event that has been committed.
    pub fn apply(&mut self, logged: Logged) -> Result<(), ReplayError> {
        let Logged { seq, at, ref event } = logged;
        if seq != self.seq() + 1 {
            return Err(ReplayError::Gap { last: self.seq(), seq });
        }
        if let Some((by, id, action)) = event.command() {
            self.done.insert((by, id.clone()), (action, seq));
        }
        match event {
            Event::Move { by, turn, spent_ms, remaining_ms, .. } => {
                let illegal = |e: TurnError| ReplayError::Illegal { seq, why: e.to_string() };
                let legal = self.game.parse_turn(turn).map_err(illegal)?;
                let lan = self.game.lan(&legal);
                self.game.play(&legal).map_err(illegal)?;
                self.moves.push(PlayedMove {
                    turn: turn.clone(),
                    lan,
                    fen: self.game.fen(),
                    check: self.game.check(),
                    spent_ms: *spent_ms,
                    played_at: at,
                });
                self.clock.turn_over(*remaining_ms, at);
                self.refuse_offer(by.other());
            }
            Event::DrawOffered { by, .. } => *self.draw_offers.get_mut(*by) = Some(seq),
            Event::DrawDeclined { by, .. } => self.refuse_offer(by.other()),
            Event::Resumed { elapsed_ms } => self.clock.resume(*elapsed_ms, at),
            Event::Ended { outcome, termination, .. } => {
                self.end = Some(GameEnd { outcome: *outcome, termination: *termination });
                self.ended_at = Some(at);
                self.draw_offers = BySide::default();
                self.clock.stop(at);
            }
        }
        self.log.push(logged);
        Ok(())
    }

    /// Closes the open offer of `side`, which then waits before its next.
    fn refuse_offer(&mut self, side: Color) {
        if self.draw_offers.get_mut(side).take().is_some() {
            *self.next_offer_after.get_mut(side) = self.own_moves(side) + MOVES_BETWEEN_OFFERS;
        }
    }

    /// How many moves `side` has made.
    fn own_moves(&self, side: Color) -> usize {
        let plies = self.moves.len();
        if side == self.game.side_to_move() { plies / 2 } else { plies.div_ceil(2) }
    }

    /// Whether nothing stands in the way of an offer by `side`.
    pub fn may_offer_draw(&self, side: Color) -> bool {
        self.draw_offer().is_none() && self.own_moves(side) >= *self.next_offer_after.get(side)
    }

    fn is_open(&self, side: Color, offer: u64) -> bool {
        *self.draw_offers.get(side) == Some(offer)
    }

    pub const fn both_have_moved(&self) -> bool {
        self.moves.len() >= PLIES_BEGUN
    }

    /// The ratings that the end has changed; known once it is committed.
    pub fn set_ratings(&mut self, ratings: Option<BySide<RatingChange>>) {
        self.ratings = ratings;
    }

    /// A player has another name or kind now; it is no event of the game.
    pub fn rename(&mut self, player: &Player) {
        for color in [Color::White, Color::Black] {
            let seat = self.setup.seats.get_mut(color);
            if seat.player.id == player.id {
                seat.player = player.clone();
            }
        }
    }

    pub const fn setup(&self) -> &GameSetup {
        &self.setup
    }

    pub const fn game(&self) -> &Game {
        &self.game
    }

    pub fn speed(&self) -> Speed {
        self.setup.time.speed()
    }

    /// The number of the last event.
    pub const fn seq(&self) -> u64 {
        self.log.len() as u64
    }

    pub fn log(&self) -> &[Logged] {
        &self.log
    }

    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    pub const fn end(&self) -> Option<GameEnd> {
        self.end
    }

    pub const fn ended_at(&self) -> Option<Timestamp> {
        self.ended_at
    }

    pub const fn ratings(&self) -> Option<&BySide<RatingChange>> {
        self.ratings.as_ref()
    }

    /// What the clocks show; `None` without a clock.
    pub fn clock(&self, now: Timestamp) -> Option<ClockReading> {
        self.clock.read(now)
    }

    /// The open draw offer: who made it, and its number.
    pub fn draw_offer(&self) -> Option<(Color, u64)> {
        [Color::White, Color::Black]
            .into_iter()
            .find_map(|side| Some((side, (*self.draw_offers.get(side))?)))
    }

    /// The single moves with which the side to move may begin its turn, in wire format; none when the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.end.is_some() {
            return Vec::new();
        }
        self.game.legal_first_moves()
    }

    /// Whether this game changes ratings when it ends after `plies` moves.
    pub const fn counts_for_ratings(&self, plies: usize) -> bool {
        self.setup.rated && plies >= PLIES_BEGUN
    }

    /// The color of `player` here.
    pub fn color_of(&self, player: PlayerId) -> Option<Color> {
        self.setup.color_of(player)
    }
}
