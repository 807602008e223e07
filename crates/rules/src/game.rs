//! A game under way: its history, its repetitions, and its end by the rules.

use std::fmt;

use crate::error::{FenError, LanError, TurnError};
use crate::fourfold::{self, Move};
use crate::types::{Color, GameEnd, Marks, Outcome, Role, Termination, Variant};

/// What a side does when it is its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// A single move.
    Fourfold(Move),
}

/// The wire form: `a1@00a1@01`.
impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fourfold(turn) => turn.fmt(f),
        }
    }
}

/// A position of either game, without its history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position<'a> {
    /// Of Fourfold, from either start.
    Fourfold(&'a fourfold::Position),
}

impl Position<'_> {
    /// Every legal move, also where the game is drawn.
    pub fn legal_turns(self) -> Vec<Turn> {
        match self {
            Self::Fourfold(position) => {
                position.legal_moves().into_iter().map(Turn::Fourfold).collect()
            }
        }
    }

    /// How many legal moves there are, also where the game is drawn.
    pub fn count_legal(self) -> u64 {
        match self {
            Self::Fourfold(position) => position.count_legal(),
        }
    }

    /// The number of sequences of this many turns. Ends by draw are ignored.
    pub fn perft(self, depth: u32) -> u64 {
        match self {
            Self::Fourfold(position) => position.perft(depth),
        }
    }
}

/// A game of either kind, from its start to now.
#[derive(Clone, Debug)]
pub struct Game {
    variant: Variant,
    /// The start, then the position after each turn; never empty.
    positions: Vec<fourfold::Position>,
    /// What was played; one shorter than `positions`.
    turns: Vec<Turn>,
    /// How the rules end the game in the last position.
    end: Option<GameEnd>,
}

impl Game {
    /// A game from the variant's own start.
    pub fn new(variant: Variant) -> Self {
        Self::from_position(variant, fourfold::Position::start(variant))
    }

    /// A game from any position.
    ///
    /// # Errors
    /// Why the text is not a position of this variant.
    pub fn from_fen(variant: Variant, fen: &str) -> Result<Self, FenError> {
        Ok(Self::from_position(variant, fen.parse()?))
    }

    fn from_position(variant: Variant, start: fourfold::Position) -> Self {
        let mut game = Self { variant, positions: vec![start], turns: Vec::new(), end: None };
        game.end = game.adjudicate();
        game
    }

    /// Which game it is.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The FEN from which the game started.
    pub fn start_fen(&self) -> String {
        self.positions[0].to_string()
    }

    /// The FEN of the position now.
    pub fn fen(&self) -> String {
        self.now().to_string()
    }

    /// Who moves next, or would if the game were not over.
    pub fn side_to_move(&self) -> Color {
        self.now().side_to_move()
    }

    /// The number of the move that comes next, as written in records.
    pub fn fullmove_number(&self) -> u32 {
        self.now().fullmove_number()
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

    /// The position now.
    pub fn position(&self) -> Position<'_> {
        Position::Fourfold(self.now())
    }

    fn now(&self) -> &fourfold::Position {
        self.positions.last().expect("a game has its start")
    }

    /// Reads a turn in wire form that is legal now.
    ///
    /// # Errors
    /// If it cannot be read ([`TurnError::is_malformed`]) or is not legal.
    pub fn parse_turn(&self, wire: &str) -> Result<Turn, TurnError> {
        let turn: Move = wire
            .parse()
            .map_err(|_| TurnError::Malformed { text: wire.to_owned(), example: "a1@00a1@01" })?;
        self.check_turn(&Turn::Fourfold(turn))?;
        Ok(Turn::Fourfold(turn))
    }

    /// Reads a turn in the notation of records that is legal now.
    ///
    /// # Errors
    /// If it cannot be read, is not legal, or says something wrong about the position.
    pub fn parse_lan(&self, text: &str, marks: Marks) -> Result<Turn, LanError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver.into());
        }
        self.now().parse_lan(text, marks).map(Turn::Fourfold)
    }

    /// Plays a turn.
    ///
    /// # Errors
    /// If the turn is not legal or the game is over; the game is then unchanged.
    pub fn play(&mut self, turn: &Turn) -> Result<(), TurnError> {
        self.check_turn(turn)?;
        let Turn::Fourfold(single) = *turn;
        let mut next = *self.now();
        next.play(single)?;
        self.positions.push(next);
        self.turns.push(*turn);
        self.end = self.adjudicate();
        Ok(())
    }

    /// Takes back the last turn and returns it; `None` at the start.
    pub fn undo(&mut self) -> Option<Turn> {
        let turn = self.turns.pop()?;
        self.positions.pop();
        self.end = self.adjudicate();
        Some(turn)
    }

    /// Every turn that may be played now; none when the game is over.
    pub fn legal_turns(&self) -> Vec<Turn> {
        match self.end {
            Some(_) => Vec::new(),
            None => self.position().legal_turns(),
        }
    }

    /// A legal turn, before it is played, in the notation of records. A turn that is not legal now is written in wire
    /// form.
    pub fn lan(&self, turn: &Turn) -> String {
        let Turn::Fourfold(single) = *turn;
        match self.now().check_legal(single) {
            Ok(role) => self.now().lan(role, single),
            Err(_) => turn.to_string(),
        }
    }

    /// Every turn played, in the notation of records, with its move number and its side.
    pub fn moves_in_lan(&self) -> Vec<(u32, Color, String)> {
        let before = self.positions.iter();
        before
            .zip(&self.turns)
            .map(|(position, Turn::Fourfold(turn))| {
                let role =
                    position.role_at(turn.from).expect("a turn that was played moves a piece");
                let lan = position.lan(role, *turn);
                (position.fullmove_number(), position.side_to_move(), lan)
            })
            .collect()
    }

    /// The square, in wire form, of the king of the side to move if it is attacked.
    pub fn check(&self) -> Option<String> {
        let position = self.now();
        position.in_check().then(|| position.king(position.side_to_move()).to_string())
    }

    /// Whether a side has nothing but its king, so that it cannot win when the other runs out of time.
    pub fn has_bare_king(&self, color: Color) -> bool {
        let position = self.now();
        position.by_color(color) == position.pieces(color, Role::King)
    }

    /// Whether a turn may be played now.
    fn check_turn(&self, turn: &Turn) -> Result<(), TurnError> {
        if self.end.is_some() {
            return Err(TurnError::GameOver);
        }
        let Turn::Fourfold(single) = *turn;
        self.now().check_legal(single).map(|_| ())
    }

    /// The ends that the rules know, in their order of precedence.
    fn adjudicate(&self) -> Option<GameEnd> {
        let position = self.now();
        let mover = position.side_to_move();
        let draw = |termination| Some(GameEnd { outcome: Outcome::Draw, termination });
        if !position.has_legal_move() {
            if position.in_check() {
                let outcome = Outcome::Win(mover.other());
                return Some(GameEnd { outcome, termination: Termination::Checkmate });
            }
            draw(Termination::Stalemate)
        } else if position.occupied() == position.by_role(Role::King) {
            draw(Termination::BareKings)
        } else if position.halfmove_clock() >= fourfold::Position::MAX_HALFMOVE {
            draw(Termination::HundredMoves)
        } else if self.occurrences() >= 3 {
            draw(Termination::Repetition)
        } else {
            None
        }
    }

    /// How often the position has stood on the board with the same side to move, now included.
    fn occurrences(&self) -> usize {
        let position = self.now();
        // Nothing before the last pawn move or capture can come back.
        let reversible = usize::from(position.halfmove_clock()) + 1;
        let same_side = self.positions.iter().rev().take(reversible).step_by(2);
        same_side.filter(|earlier| earlier.repeats(position)).count()
    }
}
