//! What a puzzle claims, tried out by the rules alone.

use manifold_rules::fourfold::{self, Move};
use manifold_rules::parallel::{self, MAX_MOVES, PartialTurn, Single, Turn};

use super::brute::is_lost_in;

/// The moves that mate in so many moves, whatever the other side replies.
pub fn mating_moves(position: &fourfold::Position, moves: u32) -> Vec<Move> {
    let mut right = position.legal_moves();
    right.retain(|turn| {
        let after = position.after(*turn).expect("a legal move can be made");
        is_lost_in(&after, moves - 1)
    });
    right
}

/// A turn of as few moves as can be that captures a king.
pub fn shortest_capture(position: &parallel::Position) -> Option<Turn> {
    let start = PartialTurn::new(position);
    (1..=MAX_MOVES).find_map(|most| go_on(&start, &mut Vec::new(), most))
}

fn go_on(turn: &PartialTurn, made: &mut Vec<Single>, further: usize) -> Option<Turn> {
    turn.next_moves().into_iter().find_map(|single| {
        let mut longer = *turn;
        longer.play(single).expect("a listed move can be made");
        made.push(single);
        let found = if longer.has_captured_king() {
            Turn::new(made)
        } else if further > 1 {
            go_on(&longer, made, further - 1)
        } else {
            None
        };
        made.pop();
        found
    })
}

/// Whether a turn takes no king yet, loses none, and a king falls after every reply.
pub fn wins_in_two(position: &parallel::Position, turn: Turn) -> bool {
    let after = position.after(turn).expect("a legal turn can be played");
    if after.lacks_a_king() {
        return false;
    }
    let mut wins = true;
    after.for_each_turn(|_, next| {
        wins = wins && !next.lacks_a_king() && shortest_capture(&next).is_some();
    });
    wins
}
