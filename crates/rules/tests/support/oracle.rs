//! Fourfold once more, as slowly and plainly as the rules are told: coordinates, a list of squares, and trying every
//! move. It shares no code with the crate.

/// A square as X, Y, Z, W.
pub type Point = [i32; 4];

/// A position, read from a FEN.
#[derive(Clone)]
pub struct Board {
    /// Letters of the FEN, or a space, in the order of [`points`].
    squares: [char; 64],
    white_to_move: bool,
    halfmove: u32,
    fullmove: u32,
}

/// Every square, in the order of the index.
pub fn points() -> [Point; 64] {
    std::array::from_fn(|n| [n % 4, n / 4 % 4, n / 16 % 2, n / 32].map(|part| part as i32))
}

fn index([x, y, z, w]: Point) -> usize {
    (x + 4 * y + 16 * z + 32 * w) as usize
}

/// A square in wire form.
pub fn name([x, y, z, w]: Point) -> String {
    format!("{}{}@{z}{w}", ["a", "b", "c", "d"][x as usize], y + 1)
}

impl Board {
    /// Reads a well-formed FEN; whether the position is valid is another question.
    pub fn read(fen: &str) -> Self {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut squares = [' '; 64];
        for (number, board) in fields[0].split('|').enumerate() {
            let (z, w) = (number as i32 % 2, number as i32 / 2);
            for (down, rank) in board.split('/').enumerate() {
                let mut x = 0;
                for letter in rank.chars() {
                    if let Some(empty) = letter.to_digit(10) {
                        x += empty as i32;
                    } else {
                        let point = [x, 3 - down as i32, z, w];
                        squares[index(point)] = letter;
                        x += 1;
                    }
                }
            }
        }
        Self {
            squares,
            white_to_move: fields[1] == "w",
            halfmove: fields[2].parse().unwrap(),
            fullmove: fields[3].parse().unwrap(),
        }
    }

    /// The FEN.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (z, w) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            for y in [3, 2, 1, 0] {
                for x in 0..4 {
                    text.push(self.at([x, y, z, w]));
                }
                text.push(if y > 0 { '/' } else { '|' });
            }
        }
        text.pop();
        for (spaces, digit) in [("    ", "4"), ("   ", "3"), ("  ", "2"), (" ", "1")] {
            text = text.replace(spaces, digit);
        }
        let side = if self.white_to_move { "w" } else { "b" };
        format!("{text} {side} {} {}", self.halfmove, self.fullmove)
    }

    fn at(&self, point: Point) -> char {
        self.squares[index(point)]
    }

    /// Whether a piece of that color stands there.
    pub fn is(&self, point: Point, white: bool) -> bool {
        let letter = self.at(point);
        letter != ' ' && letter.is_ascii_uppercase() == white
    }

    /// Whether the piece on `from` attacks `to`.
    fn attacks(&self, from: Point, to: Point) -> bool {
        let difference: [i32; 4] = std::array::from_fn(|axis| to[axis] - from[axis]);
        let mut distances = difference.map(i32::abs);
        distances.sort_unstable();
        let changed = distances.iter().filter(|distance| **distance > 0).count();
        let lengths = &distances[4 - changed..];
        let same_distance = lengths.first() == lengths.last();
        let straight = changed > 0 && same_distance && self.is_open(from, to, &difference);
        match self.at(from) {
            'R' | 'r' => straight && changed == 1,
            'B' | 'b' => straight && changed == 2,
            'Q' | 'q' => straight,
            'K' | 'k' => changed > 0 && lengths[changed - 1] == 1,
            'N' | 'n' => lengths == [1, 2],
            'P' => lengths == [1, 1] && difference[1] == 1,
            'p' => lengths == [1, 1] && difference[1] == -1,
            other => panic!("nothing attacks from {other:?}"),
        }
    }

    /// Whether all squares strictly between are empty; the differences are all of one size.
    fn is_open(&self, from: Point, to: Point, difference: &[i32]) -> bool {
        let mut at = from;
        loop {
            for axis in 0..4 {
                at[axis] += difference[axis].signum();
            }
            if at == to {
                return true;
            }
            if self.at(at) != ' ' {
                return false;
            }
        }
    }

    fn king_is_attacked(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let king = points().into_iter().find(|point| self.at(*point) == king).unwrap();
        points().into_iter().any(|from| self.is(from, !white) && self.attacks(from, king))
    }

    /// Whether the position keeps what every position must keep.
    pub fn is_valid(&self) -> bool {
        let count = |wanted| self.squares.iter().filter(|letter| **letter == wanted).count();
        count('K') == 1
            && count('k') == 1
            && !points().into_iter().any(|point| {
                (self.at(point) == 'P' && point[1] == 3) || (self.at(point) == 'p' && point[1] == 0)
            })
            && !self.king_is_attacked(!self.white_to_move)
    }

    /// The position after a move, whether or not it is legal.
    pub fn after(&self, from: Point, to: Point) -> Self {
        let mut next = self.clone();
        let mut moved = self.at(from);
        let quiet = self.at(to) == ' ' && !matches!(moved, 'P' | 'p');
        if moved == 'P' && to[1] == 3 {
            moved = 'Q';
        }
        if moved == 'p' && to[1] == 0 {
            moved = 'q';
        }
        next.squares[index(from)] = ' ';
        next.squares[index(to)] = moved;
        next.halfmove = if quiet { self.halfmove + 1 } else { 0 };
        next.fullmove = self.fullmove + u32::from(!self.white_to_move);
        next.white_to_move = !self.white_to_move;
        next
    }

    /// Whether a move is legal.
    pub fn is_legal(&self, from: Point, to: Point) -> bool {
        let us = self.white_to_move;
        if !self.is(from, us) || self.is(to, us) || matches!(self.at(to), 'K' | 'k') {
            return false;
        }
        let forward = if us { 1 } else { -1 };
        let reaches = match self.at(from) {
            'P' | 'p' => {
                let step = [from[0], from[1] + forward, from[2], from[3]];
                if self.at(to) == ' ' { to == step } else { self.attacks(from, to) }
            }
            _ => self.attacks(from, to),
        };
        reaches && !self.after(from, to).king_is_attacked(us)
    }

    /// The pieces of either side that attack a square, and whether their own king would stand attacked once they had gone
    /// there, where none of their own stands.
    pub fn attackers(&self, to: Point) -> Vec<(String, char, bool)> {
        let attackers =
            points().into_iter().filter(|from| self.at(*from) != ' ' && self.attacks(*from, to));
        let told = attackers.map(|from| {
            let letter = self.at(from);
            let white = letter.is_ascii_uppercase();
            let exposes = !self.is(to, white) && self.after(from, to).king_is_attacked(white);
            (name(from), letter, exposes)
        });
        told.collect()
    }

    /// Every legal move.
    pub fn legal_moves(&self) -> Vec<(Point, Point)> {
        let all = points();
        let pairs = all.iter().flat_map(|&from| all.iter().map(move |&to| (from, to)));
        pairs.filter(|&(from, to)| self.is_legal(from, to)).collect()
    }

    /// How the game has ended, repetition apart, as in the vectors.
    pub fn outcome(&self) -> &'static str {
        let pieces = self.squares.iter().filter(|letter| **letter != ' ').count();
        if self.legal_moves().is_empty() {
            match (self.king_is_attacked(self.white_to_move), self.white_to_move) {
                (true, true) => "0-1 checkmate",
                (true, false) => "1-0 checkmate",
                (false, _) => "1/2-1/2 stalemate",
            }
        } else if pieces == 2 {
            "1/2-1/2 bare_kings"
        } else if self.halfmove >= 100 {
            "1/2-1/2 hundred_moves"
        } else {
            "*"
        }
    }

    /// Whether the king of the side to move is attacked.
    pub fn in_check(&self) -> bool {
        self.king_is_attacked(self.white_to_move)
    }
}
