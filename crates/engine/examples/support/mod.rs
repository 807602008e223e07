//! What the programs share that let the engine play itself.

use manifold_engine::{Limits, Score, best_turn};
use manifold_rules::{Game, Turn, Variant};

/// Random numbers from a seed (splitmix64: Steele, Lea and Flood 2014).
pub struct Random(pub u64);

impl Random {
    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

/// A game after a few random turns, in which neither side stands better by more than `most` hundredths of a pawn.
pub fn opening(variant: Variant, plies: usize, most: i32, random: &mut Random) -> Game {
    loop {
        let mut game = Game::new(variant);
        while game.ply() < plies {
            match random_turn(&game, random) {
                Some(turn) => game.play(&turn).expect("the turn is legal"),
                None => break,
            }
        }
        let limits = Limits { nodes: Some(5000), ..Limits::default() };
        match best_turn(&game, limits).map(|choice| choice.score) {
            Some(Score::Centipawns(value)) if value.abs() <= most => return game,
            Some(Score::Centipawns(_) | Score::MateIn(_) | Score::MatedIn(_)) | None => {}
        }
    }
}

/// In Parallel Worlds a turn of one or two moves: a position can have a million turns.
fn random_turn(game: &Game, random: &mut Random) -> Option<Turn> {
    let firsts = game.legal_first_moves();
    if firsts.is_empty() {
        return None;
    }
    let first = firsts[random.below(firsts.len())].to_string();
    let seconds = game.under_way(&first).expect("the move is legal").legal;
    let turn = match seconds.get(random.below(2 * seconds.len() + 1)) {
        Some(second) => format!("{first},{second}"),
        None => first,
    };
    Some(game.parse_turn(&turn).expect("the turn is legal"))
}
