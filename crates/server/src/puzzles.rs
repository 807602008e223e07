//! The puzzles: a file of this repository, which the engine's tests prove.

use std::sync::LazyLock;

use manifold_rules::{Game, Variant};

/// One puzzle.
#[derive(Debug)]
pub struct Puzzle {
    /// Never changes: people's browsers know by it what they have solved.
    pub id: &'static str,
    pub variant: Variant,
    pub fen: &'static str,
    /// In how many turns of one's own it is won.
    pub moves: usize,
    /// A first turn that wins: in Fourfold the only one.
    pub answer: &'static str,
}

impl Puzzle {
    fn read(line: &'static str) -> Option<Self> {
        let [id, variant, fen, moves, answer] = line.split('\t').collect::<Vec<_>>()[..] else {
            return None;
        };
        let variant: Variant = variant.parse().ok()?;
        Game::from_fen(variant, fen).ok()?;
        Some(Self { id, variant, fen, moves: moves.parse().ok()?, answer })
    }

    /// Where it begins.
    pub fn game(&self) -> Option<Game> {
        Game::from_fen(self.variant, self.fen).ok()
    }
}

static PUZZLES: LazyLock<Vec<Puzzle>> =
    LazyLock::new(|| lines().filter_map(Puzzle::read).collect());

fn lines() -> impl Iterator<Item = &'static str> {
    include_str!("../../../puzzles/puzzles.tsv").lines().filter(|line| !line.starts_with('#'))
}

/// All of them, the easiest of each kind first.
pub fn all() -> &'static [Puzzle] {
    &PUZZLES
}

/// The puzzle of that id.
pub fn find(id: &str) -> Option<&'static Puzzle> {
    all().iter().find(|puzzle| puzzle.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_puzzle_with_an_id_of_its_own() {
        assert_eq!(all().len(), lines().count());
        assert!(all().len() >= 40, "{}", all().len());
        for puzzle in all() {
            assert!(std::ptr::eq(find(puzzle.id).unwrap(), puzzle), "{} twice", puzzle.id);
            assert!(puzzle.game().unwrap().parse_turn(puzzle.answer).is_ok(), "{}", puzzle.id);
        }
        assert!(find("").is_none());
    }
}
