//! Parallel Worlds once more, as slowly and plainly as the rules are told: coordinates, and trying every move. It
//! shares no code with the crate.

/// File, rank and level, each from 0.
pub type Point = [i32; 3];

/// A position, perhaps in the middle of a turn.
#[derive(Clone)]
pub struct Board {
    /// Letters of the FEN, or a space, by level, rank and file.
    squares: [[[char; 8]; 8]; 3],
    white_to_move: bool,
    /// As in the FEN, but one list for each of levels 1 and 3.
    castling: [String; 2],
    en_passant: Vec<Point>,
    halfmove: u32,
    fullmove: u32,
    /// Where the pieces that have moved in this turn stand.
    moved: Vec<Point>,
    /// Levels on which a move of this turn has ended.
    ended: Vec<i32>,
    /// How many kings there are.
    kings: usize,
    /// Moves made in this turn.
    made: usize,
    quiet: bool,
    doubled: Vec<Point>,
}

pub fn points() -> impl Iterator<Item = Point> {
    (0..192).map(|n| [n % 8, n / 8 % 8, n / 64])
}

pub fn name([file, rank, level]: Point) -> String {
    format!("{}{}@{}", char::from(b'a' + file as u8), rank + 1, level + 1)
}

fn point(name: &str) -> Point {
    let bytes = name.as_bytes();
    [bytes[0] - b'a', bytes[1] - b'1', bytes[3] - b'1'].map(i32::from)
}

fn is_king(letter: char) -> bool {
    matches!(letter, 'K' | 'k')
}

impl Board {
    pub fn read(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut squares = [[[' '; 8]; 8]; 3];
        for (level, text) in fields[0].split('|').enumerate() {
            for (down, rank) in text.split('/').enumerate() {
                let mut file = 0;
                for letter in rank.chars() {
                    if let Some(empty) = letter.to_digit(10) {
                        file += empty as usize;
                    } else {
                        squares[level][7 - down][file] = letter;
                        file += 1;
                    }
                }
            }
        }
        let rights: Vec<String> = fields[2].split('|').map(|text| text.replace('-', "")).collect();
        let en_passant = fields[3].split(',').filter(|text| *text != "-").map(point).collect();
        let kings = squares.iter().flatten().flatten().filter(|letter| is_king(**letter)).count();
        Self {
            squares,
            kings,
            white_to_move: fields[1] == "w",
            castling: [rights[0].clone(), rights[1].clone()],
            en_passant,
            halfmove: fields[4].parse().unwrap(),
            fullmove: fields[5].parse().unwrap(),
            moved: Vec::new(),
            ended: Vec::new(),
            made: 0,
            quiet: true,
            doubled: Vec::new(),
        }
    }

    pub fn write(&self) -> String {
        let mut text = String::new();
        for level in &self.squares {
            for (rank, squares) in level.iter().enumerate().rev() {
                text.extend(squares);
                text.push(if rank > 0 { '/' } else { '|' });
            }
        }
        text.pop();
        for empty in (1..=8).rev() {
            text = text.replace(&" ".repeat(empty), &empty.to_string());
        }
        let dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
        let rights = self.castling.clone().map(dash).join("|");
        let mut en_passant = self.en_passant.clone();
        en_passant.sort_by_key(|point| point[2]);
        let squares: Vec<String> = en_passant.into_iter().map(name).collect();
        let squares = dash(squares.join(","));
        let side = if self.white_to_move { 'w' } else { 'b' };
        format!("{text} {side} {rights} {squares} {} {}", self.halfmove, self.fullmove)
    }

    fn at(&self, [file, rank, level]: Point) -> char {
        self.squares[level as usize][rank as usize][file as usize]
    }

    fn put(&mut self, [file, rank, level]: Point, letter: char) {
        self.squares[level as usize][rank as usize][file as usize] = letter;
    }

    fn is(&self, point: Point, white: bool) -> bool {
        self.at(point) != ' ' && self.at(point).is_ascii_uppercase() == white
    }

    /// Whether all squares strictly between two squares of a straight line of a level are empty.
    fn is_open(&self, from: Point, to: Point) -> bool {
        let step = [(to[0] - from[0]).signum(), (to[1] - from[1]).signum()];
        let mut at = [from[0] + step[0], from[1] + step[1], from[2]];
        while at != to {
            if self.at(at) != ' ' {
                return false;
            }
            at = [at[0] + step[0], at[1] + step[1], at[2]];
        }
        true
    }

    /// Whether a piece of levels 1 and 3 attacks a square of its own level, as in chess.
    fn attacks(&self, from: Point, to: Point) -> bool {
        let (files, ranks) = (to[0] - from[0], to[1] - from[1]);
        let (wide, high) = (files.abs(), ranks.abs());
        if from[2] != to[2] || (wide, high) == (0, 0) {
            return false;
        }
        let straight = wide == 0 || high == 0;
        match self.at(from) {
            'P' => wide == 1 && ranks == 1,
            'p' => wide == 1 && ranks == -1,
            'N' | 'n' => wide * high == 2,
            'K' | 'k' => wide <= 1 && high <= 1,
            'R' | 'r' => straight && self.is_open(from, to),
            'B' | 'b' => wide == high && self.is_open(from, to),
            'Q' | 'q' => (straight || wide == high) && self.is_open(from, to),
            other => panic!("nothing attacks from {other:?}"),
        }
    }

    /// The pieces of either side that attack a square: on level 2 nothing does.
    pub fn attackers(&self, to: Point) -> Vec<(String, char, bool)> {
        let attackers =
            points().filter(|from| to[2] != 1 && self.at(*from) != ' ' && self.attacks(*from, to));
        attackers.map(|from| (name(from), self.at(from), false)).collect()
    }

    /// The rook of a castling, from and to, if this king's move is one.
    fn castling_rook(&self, from: Point, to: Point) -> Option<(Point, Point)> {
        let [file, rank, level] = from;
        let castles = matches!(self.at(from), 'K' | 'k') && file == 4 && (to[0] - file).abs() == 2;
        (castles && to[1] == rank && to[2] == level).then(|| {
            if to[0] == 6 {
                ([7, rank, level], [5, rank, level])
            } else {
                ([0, rank, level], [3, rank, level])
            }
        })
    }

    fn may_castle(&self, from: Point, to: Point) -> bool {
        let us = self.white_to_move;
        let Some((rook, _)) = self.castling_rook(from, to) else { return false };
        let letter = if rook[0] == 7 { 'k' } else { 'q' };
        let letter = if us { letter.to_ascii_uppercase() } else { letter };
        let crossed =
            (from[0].min(to[0])..=from[0].max(to[0])).map(|file| [file, from[1], from[2]]);
        from[2] != 1
            && self.castling[from[2] as usize / 2].contains(letter)
            && self.is_open(from, rook)
            && crossed.into_iter().all(|square| {
                !points().any(|enemy| {
                    self.is(enemy, !us) && enemy[2] == from[2] && self.attacks(enemy, square)
                })
            })
    }

    /// Whether a single move may come next, promotion apart.
    pub fn is_legal(&self, from: Point, to: Point) -> bool {
        let us = self.white_to_move;
        let most = if us && self.fullmove == 1 { 2 } else { 3 };
        if self.made == most || self.kings < 4 {
            return false;
        }
        if !self.is(from, us) || self.moved.contains(&from) || self.ended.contains(&to[2]) {
            return false;
        }
        let king = matches!(self.at(from), 'K' | 'k');
        if from[2] != to[2] {
            let vertical = from[..2] == to[..2] && (from[2] - to[2]).abs() == 1;
            return vertical && !king && self.at(to) == ' ';
        }
        let (files, ranks) = (to[0] - from[0], to[1] - from[1]);
        if from[2] == 1 {
            let line = files == 0 || ranks == 0 || files.abs() == ranks.abs();
            return from != to && line && self.at(to) == ' ' && self.is_open(from, to);
        }
        if self.is(to, us) {
            return false;
        }
        if matches!(self.at(from), 'P' | 'p') {
            let forward = if us { 1 } else { -1 };
            let second = if us { 1 } else { 6 };
            if files != 0 {
                let target = self.is(to, !us) || self.en_passant.contains(&to);
                return target && self.attacks(from, to);
            }
            let double = ranks == 2 * forward && from[1] == second && self.is_open(from, to);
            return self.at(to) == ' ' && (ranks == forward || double);
        }
        self.attacks(from, to) || self.may_castle(from, to)
    }

    /// Every single move that may come next, in wire form.
    pub fn next_moves(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for from in points().filter(|from| self.is(*from, self.white_to_move)) {
            for to in points().filter(|to| self.is_legal(from, *to)) {
                let wire = name(from) + &name(to);
                if self.promotes(from, to) {
                    moves.extend(["q", "r", "b", "n"].map(|letter| wire.clone() + letter));
                } else {
                    moves.push(wire);
                }
            }
        }
        moves.sort();
        moves
    }

    fn promotes(&self, from: Point, to: Point) -> bool {
        let last = if self.white_to_move { 7 } else { 0 };
        matches!(self.at(from), 'P' | 'p') && to[2] != 1 && to[1] == last
    }

    /// The position after a legal single move in wire form, within the turn.
    pub fn make(&self, wire: &str) -> Self {
        let (from, to) = (point(&wire[..4]), point(&wire[4..8]));
        let mut next = self.clone();
        let letter = self.at(from);
        let pawn = matches!(letter, 'P' | 'p');
        let mut becomes = wire.chars().nth(8).unwrap_or(letter);
        if self.white_to_move {
            becomes = becomes.to_ascii_uppercase();
        }
        next.kings -= usize::from(is_king(self.at(to)));
        next.put(from, ' ');
        next.put(to, becomes);
        if pawn && from[2] == to[2] && from[0] != to[0] && from[2] != 1 && self.at(to) == ' ' {
            next.put([to[0], from[1], to[2]], ' ');
        }
        next.moved.push(to);
        if let Some((rook, rook_to)) =
            self.castling_rook(from, to).filter(|_| self.may_castle(from, to))
        {
            next.put(rook_to, self.at(rook));
            next.put(rook, ' ');
            next.moved.push(rook_to);
        }
        if pawn && from[2] == to[2] && from[2] != 1 && (from[1] - to[1]).abs() == 2 {
            next.doubled.push([from[0], (from[1] + to[1]) / 2, from[2]]);
        }
        let count = |board: &Self| points().filter(|point| board.at(*point) != ' ').count();
        next.quiet &= !pawn && count(self) == count(&next);
        next.ended.push(to[2]);
        next.made += 1;
        // A right is lost with the first move from or to the squares of its king and its rook.
        for (world, level) in [(0, 0), (1, 2)] {
            for (letter, file, rank) in [('K', 7, 0), ('Q', 0, 0), ('k', 7, 7), ('q', 0, 7)] {
                let home = [[4, rank, level], [file, rank, level]];
                if home.contains(&from) || home.contains(&to) {
                    next.castling[world] = next.castling[world].replace(letter, "");
                }
            }
        }
        next
    }

    /// The position after the turn.
    pub fn end_turn(&self) -> Self {
        let mut next = self.clone();
        next.halfmove = if self.quiet { self.halfmove + 1 } else { 0 };
        next.fullmove += u32::from(!self.white_to_move);
        next.white_to_move = !self.white_to_move;
        let enemy = if self.white_to_move { 'p' } else { 'P' };
        next.en_passant = self.doubled.clone();
        next.en_passant.retain(|passed| {
            points().any(|from| self.at(from) == enemy && self.attacks(from, *passed))
        });
        next.moved.clear();
        next.ended.clear();
        next.doubled.clear();
        next.made = 0;
        next.quiet = true;
        next
    }

    /// How the game has ended, repetition apart, as in the vectors.
    pub fn outcome(&self) -> &'static str {
        let pieces = points().filter(|point| self.at(*point) != ' ').count();
        if self.kings < 4 {
            if self.white_to_move { "0-1 king_captured" } else { "1-0 king_captured" }
        } else if self.next_moves().is_empty() {
            "1/2-1/2 stalemate"
        } else if pieces == 4 {
            "1/2-1/2 bare_kings"
        } else if self.halfmove >= 100 {
            "1/2-1/2 hundred_moves"
        } else {
            "*"
        }
    }
}
