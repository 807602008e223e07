//! A game as pure logic. Nothing here waits, reads a clock or talks to anyone.
//!
//! Two halves, so that nothing has to be taken back when the database says no: [`GameState::decide`] says which events
//! a command would cause and changes nothing; [`GameState::apply`] takes over an event that has been committed. A game
//! that comes back from the database is its setup and `apply` over its journal, so live play and recovery are one code.

mod decide;

use std::collections::HashMap;

use manifold_rules::{Color, Game, GameEnd, TurnError, Variant};

pub use self::decide::{Command, Decision, Refusal};

use super::clock::{BySide, Clock, ClockReading, Speed, TimeControl};
use super::event::{Action, Event, Logged};
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
    /// How long each side has for its first move; in an untimed game, how long any may take before it is abandoned.
    pub first_move_ms: i64,
    pub start_fen: String,
    pub seats: BySide<Seat>,
    pub created_at: Timestamp,
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
    pub turn: String,
    pub lan: String,
    /// The position after it.
    pub fen: String,
    /// The square of the king that it checks.
    pub check: Option<String>,
    pub spent_ms: i64,
    pub compensated_ms: i64,
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
                    turn: turn.clone(),
                    lan,
                    fen: self.game.fen(),
                    check: self.game.check(),
                    spent_ms: *spent_ms,
                    compensated_ms: *compensated_ms,
                    played_at: at,
                });
                self.clock.turn_over(*remaining_ms, *compensated_ms, at);
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
