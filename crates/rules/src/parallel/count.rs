//! Counting turns without making them, as quickly as can be. `benches/perft.rs` says how quickly.
//!
//! What a turn can still hold after a move depends on little: a level on which a move has ended is closed, so that it
//! no longer matters what stands where on it, but for the pieces that may still leave it. All moves of one piece within
//! one level therefore leave the same number of continuations, and a move to another level changes only the level that
//! it leaves.

use super::position::{CASTLINGS, Position, promotion_rank};
use super::square::{Level, Square, places};
use super::turn::{PROMOTIONS, PartialTurn};
use crate::types::Role;

impl Position {
    /// The number of legal turns: a position often has a million.
    pub fn count_turns(&self) -> u64 {
        let start = PartialTurn::new(self);
        let within = Level::ALL.map(|level| start.count_within(level));
        let mut without = [[0; 64]; 3];
        for level in Level::ALL {
            for place in places(start.movable(level)) {
                let from = Square::new(level, place);
                without[level as usize][from.place()] = start.lifted(from).count_within(level);
            }
        }
        Count { without: &without }.turns(&start, within, 0)
    }
}

/// What is known from the start of the turn.
struct Count<'a> {
    /// By level and place: how many moves within the level there are without the piece on that place.
    without: &'a [[u64; 64]; 3],
}

impl Count<'_> {
    /// How many ways there are to go on with at least one move. `within` says how many moves within each open level
    /// there are, and `left` has a bit for each level that a piece has left.
    fn turns(&self, turn: &PartialTurn, within: [u64; 3], left: u8) -> u64 {
        let open = Level::ALL.into_iter().filter(|level| turn.is_open(*level));
        if turn.left <= 1 {
            return match turn.left {
                0 => 0,
                _ => open.map(|level| within[level as usize] + turn.count_arrivals(level)).sum(),
            };
        }
        let mut turns = 0;
        for level in open {
            turns += self.staying(turn, level, within, left);
            for &start in level.neighbors() {
                let movable = turn.movable(start) & !turn.board.occupied(level);
                for place in places(movable) {
                    let from = Square::new(start, place);
                    let Some(role) = turn.board.role_at(from).filter(|role| *role != Role::King)
                    else {
                        continue;
                    };
                    let mut after = turn.lifted(from);
                    after.close(level);
                    let mut within = within;
                    within[start as usize] = if left & 1 << start as u8 == 0 {
                        self.without[start as usize][from.place()]
                    } else {
                        after.count_within(start)
                    };
                    let ways = ways(turn, role, level, from.bit());
                    turns += ways * (1 + self.turns(&after, within, left | 1 << start as u8));
                }
            }
        }
        turns
    }

    /// The turns that go on with a move within a level.
    fn staying(&self, turn: &PartialTurn, level: Level, within: [u64; 3], left: u8) -> u64 {
        let us = turn.board.side_to_move();
        let king = turn.board.pieces(us.other(), Role::King, level);
        let mut turns = 0;
        for place in places(turn.movable(level)) {
            let from = Square::new(level, place);
            let Some(role) = turn.board.role_at(from) else { continue };
            let reached = turn.board.reached(role, from, level);
            if reached == 0 {
                continue;
            }
            // The capture of a king ends the turn.
            let capture = ways(turn, role, level, reached & king);
            turns += capture;
            let castlings = if role == Role::King { turn.board.castlings(from) } else { 0 };
            let others = ways(turn, role, level, reached & !king & !castlings);
            let mut after = *turn;
            after.close(level);
            after.moved[level as usize] |= from.bit();
            if others > 0 {
                turns += others * (1 + self.turns(&after, within, left));
            }
            for castling in CASTLINGS.iter().filter(|castling| {
                castling.level == level
                    && castling.color == us
                    && castlings & 1 << castling.king.1 != 0
            }) {
                let mut after = after;
                after.moved[level as usize] |= 1 << castling.rook.0;
                turns += 1 + self.turns(&after, within, left);
            }
        }
        turns
    }
}

/// How many moves a piece has to these places of a level.
fn ways(turn: &PartialTurn, role: Role, level: Level, to: u64) -> u64 {
    let promoting = match role {
        Role::Pawn => to & promotion_rank(turn.board.side_to_move(), level),
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => 0,
    };
    let more = (PROMOTIONS.len() - 1) as u64;
    u64::from(to.count_ones()) + more * u64::from(promoting.count_ones())
}

impl PartialTurn {
    /// Without the piece on a square: it has left for a level that is closed.
    fn lifted(&self, from: Square) -> Self {
        let mut after = *self;
        if let Some(role) = self.board.role_at(from) {
            after.board.lift(role, from);
        }
        after
    }

    fn close(&mut self, level: Level) {
        self.ended |= 1 << level as u8;
        self.left -= 1;
    }

    /// How many moves within a level may come next.
    fn count_within(&self, level: Level) -> u64 {
        places(self.movable(level))
            .filter_map(|place| {
                let from = Square::new(level, place);
                let role = self.board.role_at(from)?;
                Some(ways(self, role, level, self.board.reached(role, from, level)))
            })
            .sum()
    }

    /// How many moves from other levels to this one may come next.
    fn count_arrivals(&self, level: Level) -> u64 {
        let empty = !self.board.occupied(level);
        let us = self.board.side_to_move();
        let arrivals = |start: &Level| {
            let movable = self.movable(*start) & empty;
            let kings = self.board.pieces(us, Role::King, *start);
            let pawns = self.board.pieces(us, Role::Pawn, *start);
            ways(self, Role::Knight, level, movable & !kings & !pawns)
                + ways(self, Role::Pawn, level, movable & pawns)
        };
        level.neighbors().iter().map(arrivals).sum()
    }
}
