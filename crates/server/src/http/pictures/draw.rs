//! A position as a picture: all boards of the game, who plays, and how it stands.

use std::fmt::Write as _;

use manifold_rules::{Color, Outcome, Variant};

use super::style::{Style, Tones};
use crate::assets::escape_into;
use crate::game::state::{GameSetup, GameState, PlayedMove, Seat};
use crate::http::pages::{kind_text, time_text, variant_text};
use crate::player::PlayerKind;
use crate::wire::round;

/// In pixels: the shape that chats show a link's picture in.
pub(in crate::http) const WIDTH: i32 = 1200;
pub(in crate::http) const HEIGHT: i32 = 630;

const MARGIN: i32 = 30;
const PLAIN: &str = "sans-serif";
const MONO: &str = "monospace";

/// Where the boards of a game lie.
struct Sheet {
    /// Squares along a board's edge.
    side: i32,
    /// Pixels along a square's.
    cell: i32,
    /// Where files and ranks are named, as places in the square on the rim: below the board and left of it where there is
    /// room, else in the squares' corners.
    file_name: Place,
    rank_name: Place,
    boards: &'static [Board],
}

/// Where a word stands, from the left upper corner of something, and which of its ends lies there.
struct Place {
    x: i32,
    y: i32,
    anchor: &'static str,
}

struct Board {
    /// As squares are named after it.
    id: &'static str,
    left: i32,
    top: i32,
    /// Added to file and rank, tells whether a square is dark: neighbors in every direction differ.
    parity: i32,
    /// Whether it is the level between the two worlds.
    is_crossing: bool,
}

/// Columns are Z, rows are W, and W = 1 is above, as on the page.
const FOURFOLD: Sheet = Sheet {
    side: 4,
    cell: 69,
    file_name: Place { x: 66, y: 65, anchor: "end" },
    rank_name: Place { x: 3, y: 12, anchor: "start" },
    boards: &[
        Board { id: "00", left: 56, top: 334, parity: 0, is_crossing: false },
        Board { id: "10", left: 346, top: 334, parity: 1, is_crossing: false },
        Board { id: "01", left: 56, top: 44, parity: 1, is_crossing: false },
        Board { id: "11", left: 346, top: 44, parity: 0, is_crossing: false },
    ],
};

const PARALLEL: Sheet = Sheet {
    side: 8,
    cell: 45,
    file_name: Place { x: 22, y: 60, anchor: "middle" },
    rank_name: Place { x: -8, y: 27, anchor: "end" },
    boards: &[
        Board { id: "1", left: 30, top: 135, parity: 0, is_crossing: false },
        Board { id: "2", left: 420, top: 135, parity: 0, is_crossing: true },
        Board { id: "3", left: 810, top: 135, parity: 0, is_crossing: false },
    ],
};

/// File and rank from 0.
#[derive(Clone, Copy)]
struct Square {
    board: &'static Board,
    file: i32,
    rank: i32,
}

impl Sheet {
    const fn of(variant: Variant) -> &'static Self {
        match variant {
            Variant::Fourfold | Variant::FourfoldClassic => &FOURFOLD,
            Variant::ParallelWorlds => &PARALLEL,
        }
    }

    /// Its length on the picture.
    const fn edge(&self) -> i32 {
        self.side * self.cell
    }

    /// A square by its name, `a1@00` or `e2@1`.
    fn square(&self, name: &str) -> Option<Square> {
        let (place, id) = name.split_once('@')?;
        let board = self.boards.iter().find(|board| board.id == id)?;
        let &[file, rank] = place.as_bytes() else { return None };
        Some(Square { board, file: i32::from(file) - 97, rank: i32::from(rank) - 49 })
    }

    /// The squares that the moves of a turn left and reached.
    fn ways(&self, turn: &str) -> Vec<[Square; 2]> {
        // `a1@` and the board's name.
        let name = 3 + self.boards.first().map_or(0, |board| board.id.len());
        let way = |single: &str| {
            let (from, to) = (single.get(..name)?, single.get(name..2 * name)?);
            Some([self.square(from)?, self.square(to)?])
        };
        turn.split(',').filter_map(way).collect()
    }

    /// The pieces of a FEN, whose boards come in the order of ours.
    fn pieces(&self, fen: &str) -> Vec<(Square, char)> {
        let placement = fen.split(' ').next().unwrap_or_default();
        let mut pieces = Vec::new();
        for (board, text) in self.boards.iter().zip(placement.split('|')) {
            for (rank, text) in (0..self.side).rev().zip(text.split('/')) {
                let mut file = 0;
                for c in text.chars() {
                    if let Some(empty) = c.to_digit(10) {
                        file += i32::try_from(empty).unwrap_or(0);
                    } else {
                        pieces.push((Square { board, file, rank }, c));
                        file += 1;
                    }
                }
            }
        }
        pieces
    }

    /// The left upper corner of a square.
    const fn corner(&self, square: Square) -> (i32, i32) {
        let Board { left, top, .. } = square.board;
        (*left + square.file * self.cell, *top + (self.side - 1 - square.rank) * self.cell)
    }
}

impl Square {
    const fn is_dark(self) -> bool {
        (self.file + self.rank + self.board.parity) % 2 == 0
    }

    const fn tone<'a>(self, tones: Tones<'a>) -> &'a str {
        if self.is_dark() { tones.dark } else { tones.light }
    }
}

/// What a line of text is written in.
#[derive(Clone, Copy)]
struct Font<'a> {
    family: &'static str,
    size: i32,
    weight: i32,
    color: &'a str,
    /// Which of its ends, or its middle, lies at its place.
    anchor: &'static str,
}

/// An SVG as it grows.
struct Picture<'a> {
    svg: String,
    style: &'a Style<'a>,
    sheet: &'static Sheet,
}

/// The position after `ply` moves; `None` if there were not so many. The names are those of `setup`. Only the last
/// position tells how the game ended, so that the others stay as they are.
pub(super) fn draw(
    setup: &GameSetup,
    state: &GameState,
    ply: usize,
    style: &Style<'_>,
) -> Option<String> {
    let last = match ply.checked_sub(1) {
        Some(index) => Some(state.moves().get(index)?),
        None => None,
    };
    let fen = last.map_or(&*setup.start_fen, |last| &last.fen);
    let mut picture = Picture { svg: String::new(), style, sheet: Sheet::of(setup.variant) };
    picture.begin(fen);
    picture.boards();
    picture.marks(last);
    picture.pieces(fen);
    let lines = lines(setup, state, ply, last, fen);
    match setup.variant {
        Variant::Fourfold | Variant::FourfoldClassic => picture.beside(setup, &lines),
        Variant::ParallelWorlds => picture.above_and_below(setup, &lines),
    }
    picture.svg.push_str("</svg>\n");
    Some(picture.svg)
}

/// What is said of a position.
struct Lines {
    game: &'static str,
    terms: String,
    /// The last move, or that there was none.
    last: String,
    /// Whose turn it is, or the result,
    standing: String,
    /// and what else there is to say of it.
    detail: String,
}

fn lines(
    setup: &GameSetup,
    state: &GameState,
    ply: usize,
    last: Option<&PlayedMove>,
    fen: &str,
) -> Lines {
    let end = state.end().filter(|_| ply == state.moves().len());
    let to_move = if fen.split(' ').nth(1) == Some("b") { "Black" } else { "White" };
    Lines {
        game: variant_text(setup.variant),
        terms: format!("{} · {}", kind_text(setup.rated), time_text(setup.time)),
        last: last.map_or_else(|| "start".to_owned(), |last| last.lan.clone()),
        standing: match end {
            Some(end) => result(end.outcome).to_owned(),
            None => format!("{to_move} to move"),
        },
        detail: match end {
            Some(end) => end.termination.as_str().replace('_', " "),
            None => format!("ply {ply}"),
        },
    }
}

const fn result(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Win(Color::White) => "1–0",
        Outcome::Win(Color::Black) => "0–1",
        Outcome::Draw => "½–½",
        Outcome::Aborted => "no result",
    }
}

impl<'a> Picture<'a> {
    fn begin(&mut self, fen: &str) {
        let Style { ground, .. } = self.style;
        let placement = fen.split(' ').next().unwrap_or_default().to_ascii_uppercase();
        let roles = "PRNBQK".chars().filter(|role| placement.contains(*role));
        let symbols: String = roles.filter_map(|role| self.style.symbol(role)).collect();
        _ = write!(
            self.svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">
<defs>{symbols}</defs>
<rect width="{WIDTH}" height="{HEIGHT}" fill="{ground}"/>
"#
        );
    }

    /// The squares, with the letters and numbers on their rims and what the boards are called.
    fn boards(&mut self) {
        let (sheet, style) = (self.sheet, self.style);
        let (edge, cell) = (sheet.edge(), sheet.cell);
        let squares = |board| {
            (0..sheet.side)
                .flat_map(move |rank| (0..sheet.side).map(move |file| Square { board, file, rank }))
        };
        for board in sheet.boards {
            let tones = if board.is_crossing { style.crossing } else { style.square };
            let dark = squares(board).filter(|square| square.is_dark());
            let dark: String = dark
                .map(|square| {
                    let (x, y) = sheet.corner(square);
                    format!("M{x} {y}h{cell}v{cell}h-{cell}z")
                })
                .collect();
            let (left, top) = (board.left, board.top);
            _ = writeln!(
                self.svg,
                r#"<rect x="{left}" y="{top}" width="{edge}" height="{edge}" fill="{}"/><path fill="{}" d="{dark}"/>"#,
                tones.light, tones.dark
            );
        }
        let name =
            Font { family: MONO, size: 17, weight: 600, color: style.muted, anchor: "middle" };
        for board in sheet.boards {
            let middle = board.left + edge / 2;
            match board.id {
                "01" => self.text(middle, board.top - 14, name, "Z = 0"),
                "11" => self.text(middle, board.top - 14, name, "Z = 1"),
                "00" | "10" => {}
                level => self.text(middle, board.top - 14, name, &format!("Level {level}")),
            }
            match board.id {
                "00" => self.upright(board.left - 20, board.top + edge / 2, name, "W = 0"),
                "01" => self.upright(board.left - 20, board.top + edge / 2, name, "W = 1"),
                _ => {}
            }
        }
    }

    /// Letters and numbers at the rims of the boards, above what marks the squares.
    fn rims(&mut self) {
        let (sheet, style) = (self.sheet, self.style);
        let (file_name, rank_name) = (&sheet.file_name, &sheet.rank_name);
        let file_font = Font {
            family: MONO,
            size: 12,
            weight: 600,
            color: style.ink,
            anchor: file_name.anchor,
        };
        let rank_font = Font { anchor: rank_name.anchor, ..file_font };
        for board in sheet.boards {
            for (nth, letter) in (0..sheet.side).zip('a'..) {
                let (x, y) = sheet.corner(Square { board, file: nth, rank: 0 });
                self.text(x + file_name.x, y + file_name.y, file_font, &letter.to_string());
                let (x, y) = sheet.corner(Square { board, file: 0, rank: nth });
                self.text(x + rank_name.x, y + rank_name.y, rank_font, &(nth + 1).to_string());
            }
        }
    }

    /// The last move's squares, the one that was reached in a frame, and the king that is in check.
    fn marks(&mut self, last: Option<&PlayedMove>) {
        let (sheet, style) = (self.sheet, self.style);
        let cell = sheet.cell;
        if let Some(last) = last {
            for [from, to] in sheet.ways(&last.turn) {
                for square in [from, to] {
                    let ((x, y), tone) = (sheet.corner(square), square.tone(style.last));
                    _ = writeln!(
                        self.svg,
                        r#"<rect x="{x}" y="{y}" width="{cell}" height="{cell}" fill="{tone}"/>"#
                    );
                }
                let (x, y) = sheet.corner(to);
                _ = writeln!(
                    self.svg,
                    r#"<rect x="{}" y="{}" width="{}" height="{}" fill="none" stroke="{}" stroke-width="3"/>"#,
                    x + 2,
                    y + 2,
                    cell - 4,
                    cell - 4,
                    style.last_frame
                );
            }
            let king = last.check.as_ref().and_then(|name| sheet.square(name));
            if let Some((x, y)) = king.map(|king| sheet.corner(king)) {
                _ = writeln!(
                    self.svg,
                    r#"<circle cx="{}" cy="{}" r="{}" fill="{}"/>"#,
                    x + cell / 2,
                    y + cell / 2,
                    cell / 2 - 1,
                    style.check
                );
            }
        }
        self.rims();
    }

    fn pieces(&mut self, fen: &str) {
        let sheet = self.sheet;
        let inset = sheet.cell / 16;
        let size = sheet.cell - 2 * inset;
        let pieces = sheet.pieces(fen);
        for (colors, is_white) in self.style.pieces.iter().zip([true, false]) {
            _ = write!(
                self.svg,
                r#"<g fill="{}" stroke="{line}" color="{line}">"#,
                colors.body,
                line = colors.line
            );
            for (square, letter) in
                pieces.iter().filter(|(_, letter)| letter.is_ascii_uppercase() == is_white)
            {
                let (x, y) = sheet.corner(*square);
                _ = write!(
                    self.svg,
                    r##"<use href="#{}" x="{}" y="{}" width="{size}" height="{size}"/>"##,
                    letter.to_ascii_uppercase(),
                    x + inset,
                    y + inset
                );
            }
            self.svg.push_str("</g>\n");
        }
    }

    /// Fourfold's words have a column beside its boards.
    fn beside(&mut self, setup: &GameSetup, lines: &Lines) {
        let left = 664;
        let words = self.words();
        self.player(left, 84, Color::Black, &setup.seats.black);
        self.text(left, 230, Font { size: 46, weight: 700, ..words }, &lines.standing);
        let muted = Font { color: self.style.muted, ..words };
        self.text(left, 270, muted, &lines.detail);
        self.text(left, 318, Font { family: MONO, size: 26, ..words }, &lines.last);
        self.text(left, 380, words, lines.game);
        self.text(left, 414, muted, &lines.terms);
        self.player(left, 566, Color::White, &setup.seats.white);
    }

    /// Those of Parallel Worlds stand above and below its boards, which need the whole width.
    fn above_and_below(&mut self, setup: &GameSetup, lines: &Lines) {
        let right = WIDTH - MARGIN;
        let words = Font { anchor: "end", ..self.words() };
        let muted = Font { color: self.style.muted, ..words };
        self.player(MARGIN, 62, Color::Black, &setup.seats.black);
        self.text(right, 54, words, lines.game);
        self.text(right, 86, muted, &lines.terms);
        self.player(MARGIN, 560, Color::White, &setup.seats.white);
        self.text(right, 554, Font { size: 34, weight: 700, ..words }, &lines.standing);
        self.text(right, 584, muted, &lines.detail);
        self.text(right, 612, Font { family: MONO, size: 19, ..words }, &lines.last);
    }

    /// What most of the words are written in.
    const fn words(&self) -> Font<'a> {
        Font { family: PLAIN, size: 24, weight: 400, color: self.style.ink, anchor: "start" }
    }

    /// A name with the color beside it, the rating below.
    fn player(&mut self, x: i32, y: i32, color: Color, seat: &Seat) {
        let style = self.style;
        let body = match color {
            Color::White => style.pieces[0].body,
            Color::Black => style.pieces[1].body,
        };
        _ = writeln!(
            self.svg,
            r#"<circle cx="{}" cy="{}" r="13" fill="{body}" stroke="{}" stroke-width="2"/>"#,
            x + 14,
            y - 12,
            style.edge
        );
        let words = self.words();
        self.text(x + 42, y, Font { size: 36, weight: 600, ..words }, &seat.player.name);
        let mark = |provisional| if provisional { "?" } else { "" };
        let rating = seat.rating.map(|r| format!("{}{}", round(r.rating), mark(r.provisional)));
        let is_bot = seat.player.kind == PlayerKind::Bot;
        let below = [is_bot.then(|| "BOT".to_owned()), rating];
        let below = below.into_iter().flatten().collect::<Vec<_>>().join(" ");
        if !below.is_empty() {
            self.text(x + 42, y + 32, Font { color: style.muted, ..words }, &below);
        }
    }

    fn text(&mut self, x: i32, y: i32, font: Font<'_>, words: &str) {
        self.write(&format!(r#"x="{x}" y="{y}""#), font, words);
    }

    /// From below to above.
    fn upright(&mut self, x: i32, y: i32, font: Font<'_>, words: &str) {
        self.write(&format!(r#"transform="translate({x} {y}) rotate(-90)""#), font, words);
    }

    fn write(&mut self, place: &str, font: Font<'_>, words: &str) {
        let Font { family, size, weight, color, anchor } = font;
        _ = write!(
            self.svg,
            r#"<text {place} font-family="{family}" font-size="{size}" font-weight="{weight}" fill="{color}" text-anchor="{anchor}">"#
        );
        escape_into(&mut self.svg, words);
        self.svg.push_str("</text>\n");
    }
}
