//! Mates by trying everything. It knows the rules and nothing else of the engine, so that it can judge it.

use manifold_rules::fourfold::{Move, PieceMoves, Position};

/// In how many of its own moves the side to move mates at the earliest, if it does in at most so many whatever the
/// other side replies. Draws by repetition and by the hundred moves are left out.
pub fn shortest_mate(position: &Position, most: u32) -> Option<u32> {
    (1..=most).find(|&moves| mates_in(position, moves))
}

fn mates_in(position: &Position, moves: u32) -> bool {
    successors(position).iter().any(|next| is_lost_in(next, moves - 1))
}

/// Whether the side to move is mated after at most so many more moves of the other.
pub fn is_lost_in(position: &Position, moves: u32) -> bool {
    if moves == 0 {
        return position.in_check() && !position.has_legal_move();
    }
    let replies = successors(position);
    // Without a reply it is mate, or a draw.
    if replies.is_empty() {
        position.in_check()
    } else {
        replies.iter().all(|next| (1..=moves).any(|moves| mates_in(next, moves)))
    }
}

fn successors(position: &Position) -> Vec<Position> {
    let mut successors = Vec::new();
    position.for_each_legal(|PieceMoves { role, from, to: targets }| {
        successors
            .extend(targets.into_iter().map(|to| position.after_legal(role, Move { from, to })));
    });
    successors
}
