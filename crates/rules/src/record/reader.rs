//! Reading records. The text is untrusted: everything that is not understood is refused with its place.

use std::collections::HashSet;

use super::{
    FORMAT_VERSION, FOURFOLD, Format, MAX_BYTES, MAX_PLIES, PARALLEL_WORLDS, Record, RecordError,
    Tags, is_plausible, read_clock,
};
use crate::game::Game;
use crate::types::{Color, GameEnd, Marks, Outcome, Termination, Variant};

/// What another program in the field writes in `Notation` and `Rules`; its games start from the classic position.
const OTHER_NOTATION: &str = "4D-LAN";
const OTHER_RULES: &str = "fourfold-v1";

const RESULTS: [Outcome; 4] = [
    Outcome::Win(Color::White),
    Outcome::Win(Color::Black),
    Outcome::Draw,
    // As a token it also stands for a game that goes on.
    Outcome::Aborted,
];

pub(super) fn read(text: &str) -> Result<Record, RecordError> {
    if text.len() > MAX_BYTES {
        return Err(RecordError::TooLong);
    }
    let mut cursor = Cursor { text, at: 0, clock: None };
    cursor.eat("\u{feff}");
    let mut header = Header(cursor.tags()?);
    let (mut game, marks) = header.start()?;
    let mut clocks = Vec::new();
    let token = read_moves(&mut cursor, &mut game, marks, &mut clocks)?;
    let result = token.result_token();
    match header.take("Result") {
        Some(tag) if tag == result => {}
        Some(tag) => return Err(RecordError::ResultsDiffer { token: result, tag }),
        None if marks == Marks::Optional => {}
        None => return Err(RecordError::MissingTag("Result")),
    }
    let end = how_it_ended(&game, token, header.take("Termination"))?;
    let mut tags = Tags::default();
    for (name, value) in header.0 {
        match tags.slot(&name) {
            Some(slot) => *slot = Some(value),
            None => tags.others.push((name, value)),
        }
    }
    Ok(Record { game, tags, end, clocks })
}

/// The tags that nobody has asked for yet, in their order; no name is there twice.
struct Header(Vec<(String, String)>);

impl Header {
    fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(other, _)| other == name)?;
        Some(self.0.remove(place).1)
    }

    fn require(&mut self, name: &'static str) -> Result<String, RecordError> {
        self.take(name).ok_or(RecordError::MissingTag(name))
    }

    fn expect(&mut self, name: &'static str, expected: &'static str) -> Result<(), RecordError> {
        let found = self.require(name)?;
        if found == expected {
            Ok(())
        } else {
            Err(RecordError::WrongTag { name, expected, found })
        }
    }

    /// The game before its first move, and how its moves are written.
    fn start(&mut self) -> Result<(Game, Marks), RecordError> {
        if self.0.iter().any(|(name, value)| name == "Notation" && value == OTHER_NOTATION) {
            self.expect("Notation", OTHER_NOTATION)?;
            self.expect("Rules", OTHER_RULES)?;
            return Ok((Game::new(Variant::FourfoldClassic), Marks::Optional));
        }
        let parallel = self
            .0
            .iter()
            .any(|(name, value)| name == "Variant" && value == PARALLEL_WORLDS.variant);
        let Format { variant, format, notation, fen_tag } =
            if parallel { PARALLEL_WORLDS } else { FOURFOLD };
        self.expect("Variant", variant)?;
        self.expect("Format", format)?;
        self.expect("FormatVersion", FORMAT_VERSION)?;
        self.expect("Notation", notation)?;
        self.expect("SetUp", "1")?;
        let fen = self.require(fen_tag)?;
        let classic = Game::new(Variant::FourfoldClassic);
        let game = if parallel {
            Game::from_fen(Variant::ParallelWorlds, &fen)?
        } else if classic.start_fen() == fen {
            classic
        } else {
            Game::from_fen(Variant::Fourfold, &fen)?
        };
        Ok((game, Marks::Required))
    }
}

/// Plays the moves of the text, up to and with its result; `clocks` are those that comments tell.
fn read_moves(
    cursor: &mut Cursor<'_>,
    game: &mut Game,
    marks: Marks,
    clocks: &mut Vec<Option<u64>>,
) -> Result<Outcome, RecordError> {
    let mut numbered = false;
    // What comments before the first move say is about none.
    cursor.skip_blanks()?;
    cursor.clock = None;
    while let Some(token) = cursor.token()? {
        if let Some(clock) = cursor.clock.take()
            && let Some(last) = game.ply().checked_sub(1)
        {
            clocks.resize(last, None);
            clocks.push(Some(clock));
        }
        let side = game.side_to_move();
        let dots = if side == Color::White { "." } else { "..." };
        let number = format!("{}{dots}", game.fullmove_number());
        match token {
            Token::Number(found) => {
                if numbered || found != number {
                    return Err(cursor.wrong_number(number, found));
                }
                numbered = true;
            }
            Token::Result(outcome) => {
                if numbered {
                    return Err(cursor.wrong_number(number, outcome.result_token()));
                }
                return match cursor.token()? {
                    None => {
                        if !clocks.is_empty() {
                            clocks.resize(game.ply(), None);
                        }
                        Ok(outcome)
                    }
                    Some(_) => Err(RecordError::SecondGame { line: cursor.line() }),
                };
            }
            Token::Move(text) => {
                let needs_number = side == Color::White || game.ply() == 0;
                if needs_number && !numbered {
                    return Err(cursor.wrong_number(number, text));
                }
                numbered = false;
                if game.ply() == MAX_PLIES {
                    return Err(RecordError::TooManyPlies);
                }
                let turn = game.parse_lan(text, marks).map_err(|reason| RecordError::Move {
                    number,
                    text: text.to_owned(),
                    reason,
                })?;
                game.play(&turn).expect("a turn that was read as legal can be played");
            }
        }
    }
    Err(RecordError::MissingResult)
}

/// Brings the moves, the result and the tag `Termination` together.
fn how_it_ended(
    game: &Game,
    token: Outcome,
    termination: Option<String>,
) -> Result<Option<GameEnd>, RecordError> {
    let result = token.result_token();
    // Besides our own names, those of the PGN standard; some of them say nothing that the moves do not.
    let named =
        match termination.as_deref() {
            None => None,
            Some("normal" | "Normal" | "unterminated" | "Unterminated") => None,
            Some("time forfeit" | "Time forfeit") => Some(Termination::Timeout),
            Some("abandoned" | "Abandoned") => Some(Termination::Abandonment),
            Some(name) => Some(name.parse().map_err(|_| RecordError::WrongTermination {
                result,
                termination: name.to_owned(),
            })?),
        };
    let by_the_rules = game.end();
    let wrong_termination = |termination: Termination| {
        Err(RecordError::WrongTermination { result, termination: termination.to_string() })
    };
    match (by_the_rules, named) {
        (Some(end), _) if end.outcome != token => {
            Err(RecordError::WrongResult { found: result, expected: end.outcome.result_token() })
        }
        (Some(end), Some(named)) if end.termination != named => wrong_termination(named),
        (Some(end), _) => Ok(Some(end)),
        (None, Some(named)) => {
            let end = GameEnd { outcome: token, termination: named };
            if is_plausible(end) { Ok(Some(end)) } else { wrong_termination(named) }
        }
        (None, None) if token == Outcome::Aborted => Ok(None),
        (None, None) => Err(RecordError::WrongResult { found: result, expected: "*" }),
    }
}

/// A part of the movetext; comments, glyphs and `!`/`?` are passed over.
enum Token<'a> {
    /// A move number with its dots.
    Number(&'a str),
    Move(&'a str),
    Result(Outcome),
}

/// A place in the text.
struct Cursor<'a> {
    text: &'a str,
    /// In bytes, on a character boundary.
    at: usize,
    /// What the last comment that was passed over says of a clock, until somebody takes it.
    clock: Option<u64>,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// The line of the place, from 1. It is counted anew each time, so only for an error.
    fn line(&self) -> usize {
        self.line_of(self.at)
    }

    fn line_of(&self, at: usize) -> usize {
        1 + self.text[..at].matches('\n').count()
    }

    fn eat(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    /// Takes characters as long as they fit.
    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let taken = &rest[..rest.find(|letter| !fits(letter)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// Passes over white space and comments.
    fn skip_blanks(&mut self) -> Result<(), RecordError> {
        loop {
            self.take_while(|letter| letter.is_ascii_whitespace());
            if self.eat(";") {
                self.take_while(|letter| letter != '\n');
            } else if self.rest().starts_with('{') {
                let start = self.at;
                let comment = self.take_while(|letter| letter != '}');
                let clock = comment.split_once("[%clk ").and_then(|(_, rest)| rest.split_once(']'));
                if let Some(ms) = clock.and_then(|(text, _)| read_clock(text.trim())) {
                    self.clock = Some(ms);
                }
                if !self.eat("}") {
                    return Err(RecordError::UnclosedComment { line: self.line_of(start) });
                }
            } else {
                return Ok(());
            }
        }
    }

    fn tags(&mut self) -> Result<Vec<(String, String)>, RecordError> {
        let mut tags = Vec::new();
        let mut names = HashSet::new();
        loop {
            self.skip_blanks()?;
            if !self.rest().starts_with('[') {
                return Ok(tags);
            }
            let start = self.at;
            let Some((name, value)) = self.tag() else {
                return Err(RecordError::MalformedTag { line: self.line_of(start) });
            };
            if !names.insert(name) {
                return Err(RecordError::DuplicateTag(name.to_owned()));
            }
            tags.push((name.to_owned(), value));
        }
    }

    /// `[Name "value"]`, all on one line.
    fn tag(&mut self) -> Option<(&'a str, String)> {
        let blank = |letter| matches!(letter, ' ' | '\t');
        self.eat("[").then_some(())?;
        self.take_while(blank);
        let name = self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        self.take_while(blank);
        (!name.is_empty() && self.eat("\"")).then_some(())?;
        let mut value = String::new();
        let mut letters = self.rest().char_indices();
        loop {
            match letters.next()? {
                (length, '"') => {
                    self.at += length + 1;
                    break;
                }
                (_, '\\') => match letters.next()? {
                    (_, escaped @ ('"' | '\\')) => value.push(escaped),
                    _ => return None,
                },
                (_, control) if control.is_control() => return None,
                (_, letter) => value.push(letter),
            }
        }
        self.take_while(blank);
        self.eat("]").then_some((name, value))
    }

    fn token(&mut self) -> Result<Option<Token<'a>>, RecordError> {
        loop {
            self.skip_blanks()?;
            let Some(first) = self.rest().chars().next() else { return Ok(None) };
            match first {
                '(' | ')' => return Err(RecordError::Variation { line: self.line() }),
                '[' => return Err(RecordError::SecondGame { line: self.line() }),
                // A numeric annotation glyph.
                '$' => {
                    self.at += 1;
                    self.take_while(|letter| letter.is_ascii_digit());
                }
                _ => {
                    let number = self.number();
                    if !number.is_empty() {
                        return Ok(Some(Token::Number(number)));
                    }
                    let word = self.word();
                    if let Some(outcome) =
                        RESULTS.into_iter().find(|outcome| outcome.result_token() == word)
                    {
                        return Ok(Some(Token::Result(outcome)));
                    }
                    let text = word.trim_end_matches(['!', '?']);
                    if !text.is_empty() {
                        return Ok(Some(Token::Move(text)));
                    }
                }
            }
        }
    }

    /// Digits and then dots, or nothing.
    fn number(&mut self) -> &'a str {
        let start = self.at;
        let digits = self.take_while(|letter| letter.is_ascii_digit());
        let dots = self.take_while(|letter| letter == '.');
        if digits.is_empty() || dots.is_empty() {
            self.at = start;
        }
        &self.text[start..self.at]
    }

    /// Everything up to the next blank, comment, glyph or variation; at least one character.
    fn word(&mut self) -> &'a str {
        let start = self.at;
        loop {
            self.take_while(|letter| {
                !letter.is_ascii_whitespace() && !matches!(letter, '{' | ';' | '(' | ')' | '$')
            });
            // In the spelling `a1 [0,1]` the blank belongs to the square.
            let ends_in_rank =
                self.text[start..self.at].ends_with(|letter| matches!(letter, '1'..='4'));
            if !(ends_in_rank && self.rest().starts_with(" [")) {
                return &self.text[start..self.at];
            }
            self.at += 1;
        }
    }

    fn wrong_number(&self, expected: String, found: &str) -> RecordError {
        RecordError::MoveNumber { line: self.line(), expected, found: found.to_owned() }
    }
}
