//! Records of whole games as text: PGN4D version 1, and its sister PGN3L for the three levels of Parallel Worlds,
//! which differs in its tags (`[Variant "Parallel-Worlds-8x8x3"] [Format "PGN3L"] [Notation "LAN3L"] [FEN3L "…"]`) and
//! has whole turns for moves, without spaces: `1. e2@1-e4@1,Ng1@3-f3@3`.
//!
//! ```
//! use manifold_rules::record::Record;
//! use manifold_rules::{Color, Game, GameEnd, Outcome, Termination, Variant};
//!
//! let mut game = Game::new(Variant::Fourfold);
//! game.play(&game.parse_turn("d1@00d1@11")?)?;
//! let mut record = Record::new(game);
//! record.tags.white = Some("Ada".to_owned());
//! record.end =
//!     Some(GameEnd { outcome: Outcome::Win(Color::White), termination: Termination::Resignation });
//! let text = record.to_pgn();
//! assert!(text.contains("[White \"Ada\"]"));
//! assert!(text.ends_with("\n1. Qd1@00-d1@11 1-0\n"));
//! assert_eq!(Record::from_pgn(&text)?, record);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod reader;

use thiserror::Error;

use crate::error::{FenError, LanError};
use crate::game::Game;
use crate::types::{Color, GameEnd, Outcome, Termination, Variant};

/// The longest text that is read, in bytes.
pub const MAX_BYTES: usize = 512 * 1024;
/// The most turns that are read.
pub const MAX_PLIES: usize = 4096;

/// Lines are broken before they get longer than this, as in PGN.
const LINE_WIDTH: usize = 79;

/// A game with what is known about it. Two records are equal if their texts are.
#[derive(Clone, Debug)]
pub struct Record {
    /// What was played. Fourfold from a start of its own does not tell which of the two variants it belongs to: it
    /// reads back as [`Variant::Fourfold`].
    pub game: Game,
    /// Who played, where and when.
    pub tags: Tags,
    /// How the game ended, by its rules or by people and clocks; `None` while it goes on.
    pub end: Option<GameEnd>,
    /// What the mover's clock showed after each turn, in milliseconds, where that is known: as many as there are turns, or
    /// none at all. Written as `{[%clk 0:02:58.4]}` after the turn, as in PGN.
    pub clocks: Vec<Option<u64>>,
}

/// What a record says besides its moves. Values are free text; control characters are written as spaces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// Where: the address of the game.
    pub site: Option<String>,
    /// The day, `2026.11.30`.
    pub date: Option<String>,
    /// The time of day in UTC, `10:00:00`.
    pub utc_time: Option<String>,
    /// White's name.
    pub white: Option<String>,
    /// Black's name.
    pub black: Option<String>,
    /// White's title: `BOT` for a program.
    pub white_title: Option<String>,
    /// Black's title.
    pub black_title: Option<String>,
    /// White's rating.
    pub white_elo: Option<String>,
    /// Black's rating.
    pub black_elo: Option<String>,
    /// Base and increment in seconds, `180+2`.
    pub time_control: Option<String>,
    /// Tags of other programs, kept as they were read.
    others: Vec<(String, String)>,
}

impl Tags {
    /// The named tags in the order in which they are written.
    fn named(&self) -> [(&'static str, &Option<String>); 10] {
        [
            ("Site", &self.site),
            ("Date", &self.date),
            ("UTCTime", &self.utc_time),
            ("White", &self.white),
            ("Black", &self.black),
            ("WhiteTitle", &self.white_title),
            ("BlackTitle", &self.black_title),
            ("WhiteElo", &self.white_elo),
            ("BlackElo", &self.black_elo),
            ("TimeControl", &self.time_control),
        ]
    }

    fn slot(&mut self, name: &str) -> Option<&mut Option<String>> {
        match name {
            "Site" => Some(&mut self.site),
            "Date" => Some(&mut self.date),
            "UTCTime" => Some(&mut self.utc_time),
            "White" => Some(&mut self.white),
            "Black" => Some(&mut self.black),
            "WhiteTitle" => Some(&mut self.white_title),
            "BlackTitle" => Some(&mut self.black_title),
            "WhiteElo" => Some(&mut self.white_elo),
            "BlackElo" => Some(&mut self.black_elo),
            "TimeControl" => Some(&mut self.time_control),
            _ => None,
        }
    }
}

/// The tags that say how a record is to be read.
struct Format {
    variant: &'static str,
    format: &'static str,
    notation: &'static str,
    /// The name of the tag with the start.
    fen_tag: &'static str,
}

/// The version of every format here.
const FORMAT_VERSION: &str = "1";

const FOURFOLD: Format =
    Format { variant: "Fourfold-4x4x2x2", format: "PGN4D", notation: "LAN4D", fen_tag: "FEN4D" };

const PARALLEL_WORLDS: Format = Format {
    variant: "Parallel-Worlds-8x8x3",
    format: "PGN3L",
    notation: "LAN3L",
    fen_tag: "FEN3L",
};

fn format_of(variant: Variant) -> &'static Format {
    match variant {
        Variant::Fourfold | Variant::FourfoldClassic => &FOURFOLD,
        Variant::ParallelWorlds => &PARALLEL_WORLDS,
    }
}

impl Record {
    /// A record of a game without tags, ended if its rules have ended it.
    pub fn new(game: Game) -> Self {
        let end = game.end();
        Self { game, tags: Tags::default(), end, clocks: Vec::new() }
    }

    /// Reads a record.
    ///
    /// # Errors
    /// What is wrong with the text, or with the game it tells.
    pub fn from_pgn(text: &str) -> Result<Self, RecordError> {
        reader::read(text)
    }

    /// The record as text, with a line feed after each line.
    pub fn to_pgn(&self) -> String {
        // What the rules say is never overruled.
        let end = self.game.end().or(self.end);
        let result = end.map_or("*", |end| end.outcome.result_token());
        let format = format_of(self.game.variant());
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            text.push_str(&format!("[{name} \"{}\"]\n", escape(value)));
        };
        tag("Variant", format.variant);
        tag("Format", format.format);
        tag("FormatVersion", FORMAT_VERSION);
        tag("Notation", format.notation);
        tag("SetUp", "1");
        tag(format.fen_tag, &self.game.start_fen());
        for (name, value) in self.tags.named() {
            if let Some(value) = value {
                tag(name, value);
            }
        }
        tag("Result", result);
        if let Some(end) = end {
            tag("Termination", end.termination.as_str());
        }
        for (name, value) in &self.tags.others {
            tag(name, value);
        }
        text.push('\n');
        self.write_movetext(&mut text, result);
        text
    }

    fn write_movetext(&self, text: &mut String, result: &str) {
        let mut line = String::new();
        let mut word = |word: &str| {
            if !line.is_empty() && line.len() + 1 + word.len() > LINE_WIDTH {
                text.push_str(&line);
                text.push('\n');
                line.clear();
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        };
        // A comment between the two moves of a number has it said again.
        let mut interrupted = true;
        for (ply, (number, side, lan)) in self.game.moves_in_lan().into_iter().enumerate() {
            match side {
                Color::White => word(&format!("{number}.")),
                Color::Black if interrupted => word(&format!("{number}...")),
                Color::Black => {}
            }
            word(&lan);
            let clock = self.clocks.get(ply).copied().flatten();
            if let Some(ms) = clock {
                word(&format!("{{[%clk {}]}}", clock_text(ms)));
            }
            interrupted = clock.is_some();
        }
        word(result);
        text.push_str(&line);
        text.push('\n');
    }
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.to_pgn() == other.to_pgn()
    }
}

/// A clock as PGN writes it, hours, minutes and seconds: `0:02:58`, with what is left of a second behind a point.
fn clock_text(ms: u64) -> String {
    let (seconds, rest) = (ms / 1000, ms % 1000);
    let fraction = format!(".{rest:03}");
    let fraction = if rest == 0 { "" } else { fraction.trim_end_matches('0') };
    format!("{}:{:02}:{:02}{fraction}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The time that a clock shows, in milliseconds; less than a millisecond is left away.
fn read_clock(text: &str) -> Option<u64> {
    let mut parts = text.split(':');
    let (hours, minutes, seconds) = (parts.next()?, parts.next()?, parts.next()?);
    let digits = |text: &str, most: usize| {
        let fits = (1..=most).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
        fits.then(|| text.parse::<u64>().ok()).flatten()
    };
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, "0"));
    // Places that are missing are zeros.
    let ms = digits(fraction, 9).map(|_| format!("{fraction}00"))?[..3].parse::<u64>().ok()?;
    let (hours, minutes, seconds) = (digits(hours, 6)?, digits(minutes, 2)?, digits(seconds, 2)?);
    let is_clock = parts.next().is_none() && minutes < 60 && seconds < 60;
    is_clock.then_some(((hours * 60 + minutes) * 60 + seconds) * 1000 + ms)
}

/// A tag value as it stands between its quotes.
fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    for letter in value.chars() {
        if matches!(letter, '"' | '\\') {
            escaped.push('\\');
        }
        escaped.push(if letter.is_control() { ' ' } else { letter });
    }
    escaped
}

/// Whether people or clocks can end a game like this. What the rules decide is known from the moves.
fn is_plausible(end: GameEnd) -> bool {
    match end.termination {
        Termination::Resignation => matches!(end.outcome, Outcome::Win(_)),
        Termination::Timeout | Termination::Abandonment => {
            matches!(end.outcome, Outcome::Win(_) | Outcome::Draw)
        }
        Termination::Agreement => end.outcome == Outcome::Draw,
        Termination::Aborted => end.outcome == Outcome::Aborted,
        Termination::Checkmate
        | Termination::Stalemate
        | Termination::BareKings
        | Termination::HundredMoves
        | Termination::Repetition
        | Termination::KingCaptured => false,
    }
}

/// Why a record was refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordError {
    /// More than [`MAX_BYTES`].
    #[error("A record has at most {MAX_BYTES} bytes.")]
    TooLong,
    /// More than [`MAX_PLIES`].
    #[error("A record has at most {MAX_PLIES} moves.")]
    TooManyPlies,
    /// A tag is not written `[Name "value"]`.
    #[error("Line {line}: a tag is written [Name \"value\"], with \\\" and \\\\ inside the value.")]
    MalformedTag {
        /// The line of the text, from 1.
        line: usize,
    },
    /// A tag is there twice.
    #[error("The tag {0} is there twice.")]
    DuplicateTag(String),
    /// A tag that is needed is not there.
    #[error("The tag {0} is missing.")]
    MissingTag(&'static str),
    /// A tag that says how to read the record has another value than those known here.
    #[error("The tag {name} is “{found}” instead of “{expected}”.")]
    WrongTag {
        /// The tag's name.
        name: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// The start is not a position.
    #[error("The start is not a position: {0}")]
    Fen(#[from] FenError),
    /// A `{` without its `}`.
    #[error("Line {line}: this comment has no end.")]
    UnclosedComment {
        /// The line of the text, from 1.
        line: usize,
    },
    /// Variations are not read.
    #[error("Line {line}: variations are not read.")]
    Variation {
        /// The line of the text, from 1.
        line: usize,
    },
    /// Something follows the result, or tags follow the moves.
    #[error("Line {line}: the text goes on after the game; one game at a time is read.")]
    SecondGame {
        /// The line of the text, from 1.
        line: usize,
    },
    /// The move number is missing or not the one that comes next.
    #[error("Line {line}: “{found}” stands where the move number {expected} belongs.")]
    MoveNumber {
        /// The line of the text, from 1.
        line: usize,
        /// The number with its dots.
        expected: String,
        /// What was read.
        found: String,
    },
    /// A move cannot be read or is not legal.
    #[error("Move {number} {text} is refused: {reason}")]
    Move {
        /// The move number with its dots, `12.` for White and `12...` for Black.
        number: String,
        /// The move as it was read.
        text: String,
        /// What is wrong with it.
        reason: LanError,
    },
    /// The moves end without a result token.
    #[error("The moves must end with their result: 1-0, 0-1, 1/2-1/2 or *.")]
    MissingResult,
    /// The result token and the tag differ.
    #[error("The result after the moves is {token}, but the tag Result is “{tag}”.")]
    ResultsDiffer {
        /// After the moves.
        token: &'static str,
        /// In the tag.
        tag: String,
    },
    /// The result is not the one to which the moves lead, and nobody is said to have ended the game.
    #[error("The result is {found}, but after these moves it is {expected}.")]
    WrongResult {
        /// What was read.
        found: &'static str,
        /// What the moves lead to.
        expected: &'static str,
    },
    /// The way in which the game is said to have ended does not fit its moves and result.
    #[error("The game cannot have ended with {result} by “{termination}”.")]
    WrongTermination {
        /// The result.
        result: &'static str,
        /// What the tag says.
        termination: String,
    },
}
