//! A game under way: its history, its repetitions, and its end by the rules.

use std::fmt;
use std::str::FromStr;

use crate::error::{FenError, LanError};
use crate::position::{Position, SingleMove};
use crate::turn_error::TurnError;
use crate::types::{Color, GameEnd, Marks, Outcome, Termination, Variant};
use crate::{fourfold, parallel};

/// What a side does when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A single move.
    Fourfold(fourfold::Move),
    /// One to three moves.
    Parallel(parallel::Turn),
}

/// The wire form: `a1@00a1@01`, `e2@1e4@1,g1@3f3@3`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fourfold(turn) => turn.fmt(f),
            Self::Parallel(turn) => turn.fmt(f),
        }
    }
}

/// A turn of which some moves have been made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnderWay {
    /// The first field of a FEN: what stands where now.
    pub placement: String,
    /// The single moves that may come next; none when the turn is complete or the game is over.
    pub legal: Vec<SingleMove>,
}

/// A game of either kind, from its start to now.
#[derive(Clone, Debug)]
pub struct Game {
    variant: Variant,
    positions: Positions,
    /// What was played; one shorter than `positions`.
    turns: Vec<Turn>,
    /// How the rules end the game in the last position.
    end: Option<GameEnd>,
}

/// The start, then the position after each turn; never empty.
#[derive(Clone, Debug)]
enum Positions {
    Fourfold(Vec<fourfold::Position>),
    Parallel(Vec<parallel::Position>),
}

impl Positions {
    fn get(&self, ply: usize) -> Position<'_> {
        match self {
            Self::Fourfold(positions) => Position::Fourfold(&positions[ply]),
            Self::Parallel(positions) => Position::Parallel(&positions[ply]),
        }
    }
}

impl Game {
    /// A game from the variant's own start.
    pub fn new(variant: Variant) -> Self {
        let positions = match variant {
            Variant::Fourfold => Positions::Fourfold(vec![fourfold::Position::full_army()]),
            Variant::FourfoldClassic => Positions::Fourfold(vec![fourfold::Position::classic()]),
            Variant::ParallelWorlds => Positions::Parallel(vec![parallel::Position::start()]),
        };
        Self::from_positions(variant, positions)
    }

    /// A game from any position.
    ///
    /// # Errors
    /// Why the text is not a position of this variant.
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Self, FenError> {
        let positions = match variant {
            Variant::Fourfold | Variant::FourfoldClassic => Positions::Fourfold(vec![fen.parse()?]),
            Variant::ParallelWorlds => Positions::Parallel(vec![fen.parse()?]),
        };
        Ok(Self::from_positions(variant, positions))
    }

    fn from_positions(variant: Variant, positions: Positions) -> Self {
        let mut game = Self { variant, positions, turns: Vec::new(), end: None };
        game.end = game.adjudicate(game.position(), game.ply());
        game
    }

    /// Which game it is.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The FEN from which the game started.
    pub fn start_fen(&self) -> String {
        self.positions.get(0).to_string()
    }

    /// The FEN of the position now.
    pub fn fen(&self) -> String {
        self.position().to_string()
    }

    /// The position now.
    pub fn position(&self) -> Position<'_> {
        self.positions.get(self.ply())
    }

    /// Every position since the start, now included.
    pub fn positions(&self) -> impl DoubleEndedIterator<Item = Position<'_>> {
        (0..=self.ply()).map(|ply| self.positions.get(ply))
    }

    /// Who moves next, or would if the game were not over.
    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// The number of the move that comes next, as written in records.
    pub fn fullmove_number(&self) -> u32 {
        self.position().fullmove_number()
    }

    /// How many turns have been played since the start.
    pub fn ply(&self) -> usize {
        self.turns.len()
    }

    /// The turns that have been played.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// How the rules alone have ended the game, if they have.
    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// Reads a turn in wire form that is legal now.
    ///
    /// # Errors
    /// If it cannot be read ([`TurnError::is_malformed`]) or is not legal.
    pub fn parse_turn(&self, wire: &str) -> Result<Turn, TurnError> {
        let turn = match self.position() {
            Position::Fourfold(_) => Turn::Fourfold(read(self.position(), wire)?),
            Position::Parallel(_) => Turn::Parallel(read(self.position(), wire)?),
        };
        self.check_turn(&turn)?;
        Ok(turn)
    }

    /// Reads a turn in the notation of records that is legal now.
    ///
    /// # Errors
    /// If it cannot be read, is not legal, or says something wrong about the position.
    pub fn parse_lan(&self, text: &str, marks: Marks) -> Result<Turn, LanError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver.into());
        }
        match self.position() {
            Position::Fourfold(position) => position.parse_lan(text, marks).map(Turn::Fourfold),
            // Only Fourfold is written in another dialect.
            Position::Parallel(position) => position.parse_lan(text).map(Turn::Parallel),
        }
    }

    /// Plays a turn.
    ///
    /// # Errors
    /// If the turn is not legal or the game is over; the game is then unchanged.
    pub fn play(&mut self, turn: &Turn) -> Result<(), TurnError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver);
        }
        let ply = self.ply();
        match (&mut self.positions, *turn) {
            (Positions::Fourfold(positions), Turn::Fourfold(turn)) => {
                let next = positions[ply].after(turn)?;
                positions.push(next);
            }
            (Positions::Parallel(positions), Turn::Parallel(turn)) => {
                let next = positions[ply].after(turn)?;
                positions.push(next);
            }
            (Positions::Fourfold(_), Turn::Parallel(_))
            | (Positions::Parallel(_), Turn::Fourfold(_)) => return Err(TurnError::OtherGame),
        }
        self.turns.push(*turn);
        self.end = self.adjudicate(self.position(), self.ply());
        Ok(())
    }

    /// How the rules would end the game with a turn, which is not played.
    ///
    /// # Errors
    /// If the turn is not legal or the game is over.
    pub fn end_after(&self, turn: &Turn) -> Result<Option<GameEnd>, TurnError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver);
        }
        let ply = self.ply() + 1;
        match (self.position(), *turn) {
            (Position::Fourfold(position), Turn::Fourfold(turn)) => {
                Ok(self.adjudicate(Position::Fourfold(&position.after(turn)?), ply))
            }
            (Position::Parallel(position), Turn::Parallel(turn)) => {
                Ok(self.adjudicate(Position::Parallel(&position.after(turn)?), ply))
            }
            (Position::Fourfold(_), Turn::Parallel(_))
            | (Position::Parallel(_), Turn::Fourfold(_)) => Err(TurnError::OtherGame),
        }
    }

    /// Takes back the last turn and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Turn> {
        let turn = self.turns.pop()?;
        let left = self.turns.len() + 1;
        match &mut self.positions {
            Positions::Fourfold(positions) => positions.truncate(left),
            Positions::Parallel(positions) => positions.truncate(left),
        }
        self.end = self.adjudicate(self.position(), self.ply());
        Some(turn)
    }

    /// Every turn that may be played now; none when the game is over. In Parallel Worlds there can be a million: there,
    /// ask for single moves with [`Game::under_way`].
    pub fn legal_turns(&self) -> Vec<Turn> {
        match self.end {
            Some(_) => Vec::new(),
            None => self.position().legal_turns(),
        }
    }

    /// The single moves that a turn may begin with: in Fourfold the legal turns; none when the game is over.
    pub fn legal_first_moves(&self) -> Vec<SingleMove> {
        match self.end {
            Some(_) => Vec::new(),
            None => self.position().first_moves(),
        }
    }

    /// What a turn has come to after its first moves, in wire form joined by commas: an empty text for none of them
    /// yet.
    ///
    /// # Errors
    /// If the first moves cannot be read or are not legal.
    pub fn under_way(&self, partial: &str) -> Result<UnderWay, TurnError> {
        if partial.is_empty() {
            let placement = self.position().placement();
            return Ok(UnderWay { placement, legal: self.legal_first_moves() });
        }
        match (self.position(), self.parse_turn(partial)?) {
            (Position::Fourfold(position), Turn::Fourfold(turn)) => {
                let placement = Position::Fourfold(&position.after(turn)?).placement();
                Ok(UnderWay { placement, legal: Vec::new() })
            }
            (Position::Parallel(position), Turn::Parallel(turn)) => {
                let after = parallel::PartialTurn::after(position, turn)?;
                let legal = after.next_moves().into_iter().map(SingleMove::Parallel).collect();
                Ok(UnderWay { placement: Position::Parallel(after.board()).placement(), legal })
            }
            (Position::Fourfold(_), Turn::Parallel(_))
            | (Position::Parallel(_), Turn::Fourfold(_)) => Err(TurnError::OtherGame),
        }
    }

    /// Whether some move from one square to another, in wire form, may come next in the turn under way.
    ///
    /// # Errors
    /// Why it may not, as helpfully as can be; or what is wrong with the first moves or the squares.
    pub fn explain(&self, partial: &str, from: &str, to: &str) -> Result<(), TurnError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver);
        }
        let text = format!("{from}{to}");
        match self.position() {
            Position::Fourfold(position) => {
                let turn = read(self.position(), &text)?;
                if !partial.is_empty() {
                    self.parse_turn(partial)?;
                    return Err(TurnError::SingleMove);
                }
                position.check_legal(turn).map(|_| ())
            }
            Position::Parallel(position) => {
                let single = read(self.position(), &text)?;
                let under_way = match partial {
                    "" => parallel::PartialTurn::new(position),
                    made => parallel::PartialTurn::after(position, read(self.position(), made)?)?,
                };
                under_way.check_squares(single).map(|_| ())
            }
        }
    }

    /// A legal turn, before it is played, in the notation of records. A turn that is not legal now is written in wire
    /// form.
    pub fn lan(&self, turn: &Turn) -> String {
        self.position().lan(turn).unwrap_or_else(|_| turn.to_string())
    }

    /// Every turn played, in the notation of records, with its move number and its side.
    pub fn moves_in_lan(&self) -> Vec<(u32, Color, String)> {
        let line = self.turns.iter().enumerate().map(|(ply, turn)| {
            let before = self.positions.get(ply);
            let lan = before.lan(turn).expect("a turn that was played is legal");
            (before.fullmove_number(), before.side_to_move(), lan)
        });
        line.collect()
    }

    /// The square, in wire form, of the king of the side to move if it is attacked; Parallel Worlds knows no check.
    pub fn check(&self) -> Option<String> {
        match self.position() {
            Position::Fourfold(position) => {
                position.in_check().then(|| position.king(position.side_to_move()).to_string())
            }
            Position::Parallel(_) => None,
        }
    }

    /// Whether a side has nothing but its king or kings, so that it cannot win when the other runs out of time.
    pub fn has_bare_king(&self, color: Color) -> bool {
        self.position().has_bare_king(color)
    }

    /// Whether a turn may be played now.
    fn check_turn(&self, turn: &Turn) -> Result<(), TurnError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver);
        }
        self.position().check_turn(turn)
    }

    /// The ends that the rules know, in their order of precedence, in a position that stands after so many turns.
    fn adjudicate(&self, now: Position<'_>, ply: usize) -> Option<GameEnd> {
        let repetition = GameEnd { outcome: Outcome::Draw, termination: Termination::Repetition };
        now.end().or_else(|| (self.occurrences(now, ply) >= 3).then_some(repetition))
    }

    /// How often the position has stood on the board with the same side to move, now included.
    fn occurrences(&self, now: Position<'_>, ply: usize) -> usize {
        // Nothing before the last pawn move or capture can come back.
        let first = ply.saturating_sub(usize::from(now.halfmove_clock()));
        let same_side = (first..ply).rev().skip(1).step_by(2);
        1 + same_side.filter(|&ply| self.positions.get(ply).repeats(now)).count()
    }
}

/// Reads the wire form of something in the game of this position.
fn read<T: FromStr>(position: Position<'_>, wire: &str) -> Result<T, TurnError> {
    wire.parse().map_err(|_| TurnError::Malformed {
        text: wire.to_owned(),
        example: match position {
            Position::Fourfold(_) => "a1@00a1@01",
            Position::Parallel(_) => "e2@1e4@1,g1@3f3@3",
        },
    })
}
