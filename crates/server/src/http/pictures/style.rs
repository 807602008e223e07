//! How a picture looks: the client's own pieces and the colors of its light theme, read from the files that it is made of.

/// The fields of a piece's own drawing.
const PIECE: &str = "0 0 48 48";

/// What board.css says of a piece's body, inner lines and inner marks, as attributes: a picture that needs no styles is
/// drawn by every program, and lets its policy forbid them. Both sides share a drawing; who uses it says the colors.
const PARTS: [(&str, &str); 3] = [
    (r#"class="pf""#, r#"stroke-width="1.9" stroke-linejoin="round""#),
    (
        r#"class="pd""#,
        r#"fill="none" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round""#,
    ),
    (r#"class="pe""#, r#"fill="currentColor" stroke="none""#),
];

/// What a picture is drawn with.
pub(super) struct Style<'a> {
    sprite: &'a str,
    pub ground: &'a str,
    pub ink: &'a str,
    pub muted: &'a str,
    pub edge: &'a str,
    pub square: Tones<'a>,
    pub crossing: Tones<'a>,
    pub last: Tones<'a>,
    pub last_frame: &'a str,
    pub check: &'a str,
    /// White's, then Black's.
    pub pieces: [Piece<'a>; 2],
}

/// The colors of light and dark squares.
#[derive(Clone, Copy)]
pub(super) struct Tones<'a> {
    pub light: &'a str,
    pub dark: &'a str,
}

/// The colors of one side's pieces.
pub(super) struct Piece<'a> {
    pub body: &'a str,
    pub line: &'a str,
}

impl<'a> Style<'a> {
    /// `None` if a color is not among the tokens.
    pub fn read(sprite: &'a str, tokens: &'a str) -> Option<Self> {
        let color = |name| color(tokens, name);
        let tones = |light, dark| Some(Tones { light: color(light)?, dark: color(dark)? });
        let piece = |body, line| Some(Piece { body: color(body)?, line: color(line)? });
        Some(Self {
            sprite,
            ground: color("--bg")?,
            ink: color("--ink")?,
            muted: color("--muted")?,
            edge: color("--edge")?,
            square: tones("--square-light", "--square-dark")?,
            crossing: tones("--crossing-light", "--crossing-dark")?,
            last: tones("--last-light", "--last-dark")?,
            last_frame: color("--last-way")?,
            check: color("--check")?,
            pieces: [
                piece("--white-body", "--white-line")?,
                piece("--black-body", "--black-line")?,
            ],
        })
    }

    /// The drawing of a kind of piece, by its letter: the round one of the sprite's two.
    pub fn symbol(&self, role: char) -> Option<String> {
        let (_, rest) =
            self.sprite.split_once(&format!(r#"<symbol id="p-{role}" viewBox="{PIECE}">"#))?;
        let (symbol, _) = rest.split_once("</symbol>")?;
        let (_, round) = symbol.split_once(r#"<g class="round">"#)?;
        let (round, _) = round.split_once("</g>")?;
        let drawing = PARTS.iter().fold(round.trim().to_owned(), |drawing, (class, attributes)| {
            drawing.replace(class, attributes)
        });
        Some(format!(r#"<symbol id="{role}" viewBox="{PIECE}">{drawing}</symbol>"#))
    }
}

/// A color by its name, in the light theme.
fn color<'a>(tokens: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = tokens.split_once(&format!("{name}: "))?;
    let (value, _) = value.split_once(';')?;
    match value.strip_prefix("light-dark(") {
        Some(both) => both.split_once(',').map(|(light, _)| light),
        None => Some(value),
    }
}
