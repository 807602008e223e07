//! A game as pure logic. Nothing here waits, reads a clock or talks to anyone.
//!
//! Two halves, so that nothing has to be taken back when the database says no: [`GameState::decide`] says which events
//! a command would cause and changes nothing; [`GameState::apply`] takes over an event that has been committed. A game
//! that comes back from the database is its setup and `apply` over its journal, so live play and recovery are one code.

mod decide;

use std::collections::HashMap;

use manifold_rules::{Color, Game, GameEnd, Outcome, SingleMove, TurnError, Variant};

pub use self::decide::{Agreement, Command, Decision, Refusal};

use super::clock::{BySide, Clock, ClockReading, Speed, TimeControl};
use super::event::{Action, Event, Logged};
use super::offers::Offers;
use crate::ids::{CommandId, GameId, PlayerId};
use crate::player::Player;
use crate::time::Timestamp;

/// After a refused offer, a side offers nothing of the kind for so many moves of its own.
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
    /// How long each side has for its first move; in an untimed game, how long any may take before it is abandoned.
    pub first_move_ms: i64,
    pub start_fen: String,
    pub seats: BySide<Seat>,
    pub created_at: Timestamp,
    /// For a rematch: what it is a rematch of.
    pub series: Option<Series>,
}

/// The games of the same two before this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Series {
    pub previous: GameId,
    /// A win is two and a draw one, by the colors of the game that comes after them.
    pub half_points: BySide<i64>,
}

impl GameSetup {
    /// Until when somebody has to have begun. Kept with games that sleep in the database, so that they are woken then.
    pub fn sleeps_until(&self) -> Option<Timestamp> {
        (!self.time.is_real_time()).then(|| self.created_at.plus_ms(self.first_move_ms))
    }

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
    /// The number of its event.
    pub seq: u64,
    pub turn: String,
    pub lan: String,
    /// The position after it.
    pub fen: String,
    /// The square of the king that it checks.
    pub check: Option<String>,
    pub spent_ms: i64,
    pub compensated_ms: i64,
    /// What the mover's clock showed then, if there is one.
    pub remaining_ms: Option<i64>,
    pub played_at: Timestamp,
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
    /// Moves that are no longer part of the game, by their events' numbers: a replay tells them, too.
    taken_back: HashMap<u64, PlayedMove>,
    takebacks: usize,
    clock: Clock,
    draw_offers: Offers,
    takeback_offers: Offers,
    rematch_offers: Offers,
    /// The game in which the two play again.
    rematch: Option<GameId>,
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
            taken_back: HashMap::new(),
            takebacks: 0,
            clock,
            draw_offers: Offers::default(),
            takeback_offers: Offers::default(),
            rematch_offers: Offers::default(),
            rematch: None,
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
            Event::Move { by, turn, spent_ms, compensated_ms, remaining_ms, .. } => {
                let illegal = |e: TurnError| ReplayError::Illegal { seq, why: e.to_string() };
                let legal = self.game.parse_turn(turn).map_err(illegal)?;
                let lan = self.game.lan(&legal);
                self.game.play(&legal).map_err(illegal)?;
                self.moves.push(PlayedMove {
                    seq,
                    turn: turn.clone(),
                    lan,
                    fen: self.game.fen(),
                    check: self.game.check(),
                    spent_ms: *spent_ms,
                    compensated_ms: *compensated_ms,
                    remaining_ms: *remaining_ms,
                    played_at: at,
                });
                self.clock.turn_over(*remaining_ms, *compensated_ms, at);
                // The mover's own draw offer stands; what the opponent had asked for is answered by it.
                let next = self.next_offer_after(by.other());
                self.draw_offers.refuse(by.other(), next);
                self.takeback_offers.refuse(by.other(), next);
                self.takeback_offers.close();
            }
            Event::DrawOffered { by, .. } => self.draw_offers.open(*by, seq),
            Event::DrawDeclined { by, .. } => {
                let next = self.next_offer_after(by.other());
                self.draw_offers.refuse(by.other(), next);
            }
            Event::TakebackOffered { by, .. } => self.takeback_offers.open(*by, seq),
            Event::TakebackDeclined { by, .. } => {
                let next = self.next_offer_after(by.other());
                self.takeback_offers.refuse(by.other(), next);
            }
            Event::TakenBack { ply, .. } => self.take_back(seq, *ply, at)?,
            Event::Resumed { elapsed_ms } => self.clock.resume(*elapsed_ms, at),
            Event::Ended { outcome, termination, .. } => {
                self.end = Some(GameEnd { outcome: *outcome, termination: *termination });
                self.ended_at = Some(at);
                self.draw_offers.close();
                self.takeback_offers.close();
                self.clock.stop(at);
            }
            Event::RematchOffered { by, .. } => self.rematch_offers.open(*by, seq),
            Event::RematchDeclined { by, .. } => {
                // No more moves will be made: this is for good.
                self.rematch_offers.refuse(by.other(), usize::MAX);
            }
            Event::Rematched { next, .. } => {
                self.rematch_offers.close();
                self.rematch = Some(*next);
            }
        }
        self.log.push(logged);
        Ok(())
    }

    /// The game goes on at `at` as it stood before the move `ply`: position, repetitions, clocks and quotas.
    fn take_back(&mut self, seq: u64, ply: usize, at: Timestamp) -> Result<(), ReplayError> {
        let clock = self.clock_before(ply, at).ok_or_else(|| ReplayError::Illegal {
            seq,
            why: format!("there are not {ply} moves that could be left"),
        })?;
        while self.moves.len() > ply {
            self.game.undo();
            self.taken_back.extend(self.moves.pop().map(|played| (played.seq, played)));
        }
        self.clock = clock;
        self.takebacks += 1;
        self.draw_offers.close();
        self.takeback_offers.close();
        Ok(())
    }

    /// The clock as it was when the turn before the move `ply` began, with that turn beginning at `at`. Told from the
    /// journal, since it is seldom needed.
    fn clock_before(&self, ply: usize, at: Timestamp) -> Option<Clock> {
        let now = self.game.side_to_move();
        let first = if self.moves.len().is_multiple_of(2) { now } else { now.other() };
        let mut clocks = vec![Clock::new(
            self.setup.time,
            self.setup.first_move_ms,
            first,
            self.setup.created_at,
        )];
        for logged in &self.log {
            match &logged.event {
                Event::Move { compensated_ms, remaining_ms, .. } => {
                    let mut clock = clocks.last()?.clone();
                    clock.turn_over(*remaining_ms, *compensated_ms, logged.at);
                    clocks.push(clock);
                }
                Event::TakenBack { ply, .. } => clocks.truncate(*ply + 1),
                Event::DrawOffered { .. }
                | Event::DrawDeclined { .. }
                | Event::TakebackOffered { .. }
                | Event::TakebackDeclined { .. }
                | Event::Resumed { .. }
                | Event::Ended { .. }
                | Event::RematchOffered { .. }
                | Event::RematchDeclined { .. }
                | Event::Rematched { .. } => {}
            }
        }
        let mut clock = clocks.into_iter().nth(ply)?;
        clock.resume(0, at);
        Some(clock)
    }

    /// How many own moves `side` will have made when it may offer again what is refused now.
    fn next_offer_after(&self, side: Color) -> usize {
        self.own_moves(side) + MOVES_BETWEEN_OFFERS
    }

    /// How many moves `side` has made.
    fn own_moves(&self, side: Color) -> usize {
        let plies = self.moves.len();
        if side == self.game.side_to_move() { plies / 2 } else { plies.div_ceil(2) }
    }

    /// Whether nothing stands in the way of an offer by `side`.
    pub fn may_offer_draw(&self, side: Color) -> bool {
        self.draw_offer().is_none() && self.draw_offers.may_offer(side, self.own_moves(side))
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
        self.draw_offers.current()
    }

    /// The open wish to take moves back: whose it is, and its number.
    pub fn takeback_offer(&self) -> Option<(Color, u64)> {
        self.takeback_offers.current()
    }

    /// The open offer of a rematch: whose it is, and its number.
    pub fn rematch_offer(&self) -> Option<(Color, u64)> {
        self.rematch_offers.current()
    }

    /// The game in which the two play again.
    pub const fn rematch(&self) -> Option<GameId> {
        self.rematch
    }

    /// What a rematch begins with, by its colors: they are swapped.
    pub fn next_series(&self) -> Option<Series> {
        let mut points = self.setup.series.map_or(BySide::default(), |series| series.half_points);
        match self.end?.outcome {
            Outcome::Win(winner) => *points.get_mut(winner) += 2,
            Outcome::Draw => {
                points.white += 1;
                points.black += 1;
            }
            Outcome::Aborted => {}
        }
        let half_points = BySide { white: points.black, black: points.white };
        Some(Series { previous: self.setup.id, half_points })
    }

    /// The move that the event with this number was, whether it is still part of the game or not.
    pub fn played(&self, seq: u64) -> Option<&PlayedMove> {
        let index = self.moves.binary_search_by_key(&seq, |played| played.seq);
        index.ok().and_then(|index| self.moves.get(index)).or_else(|| self.taken_back.get(&seq))
    }

    /// How many moves have been made in all, those that were taken back included.
    pub fn moves_made(&self) -> usize {
        self.moves.len() + self.taken_back.len()
    }

    /// The single moves with which the side to move may begin its turn; none when the game is over.
    pub fn legal_moves(&self) -> Vec<SingleMove> {
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
