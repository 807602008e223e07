//! Which kings can be captured within one turn, exactly and without trying turns.
//!
//! A king stands on level 1 or 3 and is captured by a move within that level. No two moves of a turn end on the same
//! level, so the capture is the only move that ends there: no piece can come to the level first, none can move to a
//! better square of it, and nothing in the way can be captured. All that a turn can prepare is to open one line, by
//! taking one piece of its own from the level to level 2; and if another one of its own stands there, that one must go
//! on to the third level first. So there are three kinds of capture, of one, two and three moves.

use manifold_rules::parallel::{
    Level, MAX_MOVES, PartialTurn, Position, Single, Square, attacks, promotes,
};
use manifold_rules::{Color, Role};

/// What a side may still do in a turn.
struct Means<'a> {
    board: &'a Position,
    us: Color,
    /// Pieces that have not moved, by level.
    movable: [u64; 3],
    /// Levels on which no move has ended.
    open: [bool; 3],
    moves_left: usize,
}

/// The moves, the last of which captures a king, that the turn under way can go on with.
pub(super) fn capture(turn: &PartialTurn) -> Option<Vec<Single>> {
    let means = Means {
        board: turn.board(),
        us: turn.board().side_to_move(),
        movable: Level::ALL.map(|level| turn.movable(level)),
        open: Level::ALL.map(|level| turn.is_open(level)),
        moves_left: turn.moves_left(),
    };
    Level::WORLDS.into_iter().find_map(|level| means.capture_on(level))
}

/// How many of the other side's kings a side could capture in a turn of three moves, were it its turn.
pub(super) fn endangered(board: &Position, by: Color) -> i32 {
    let means = Means {
        board,
        us: by,
        movable: Level::ALL.map(|level| board.by_color(by, level)),
        open: [true; 3],
        moves_left: MAX_MOVES,
    };
    Level::WORLDS.into_iter().filter(|level| means.capture_on(*level).is_some()).count() as i32
}

impl Means<'_> {
    fn capture_on(&self, level: Level) -> Option<Vec<Single>> {
        let king = self.board.pieces(self.us.other(), Role::King, level);
        if king == 0 || self.moves_left == 0 || !self.open[level as usize] {
            return None;
        }
        let king = Square::new(level, king.trailing_zeros() as u8);
        let occupied = self.board.occupied(level);
        if let Some(capture) = self.captures(king, occupied, 0) {
            return Some(vec![capture]);
        }
        if self.moves_left < 2 || !self.open[Level::Second as usize] {
            return None;
        }
        let ours = self.movable[level as usize] & !self.board.pieces(self.us, Role::King, level);
        let mut blockers = attacks::queen(king.place(), occupied) & ours;
        while blockers != 0 {
            let blocker = Square::new(level, blockers.trailing_zeros() as u8);
            blockers &= blockers - 1;
            let capture = self.captures(king, occupied & !blocker.bit(), blocker.bit());
            if let Some(capture) = capture
                && let Some(mut moves) = self.clear(blocker)
            {
                moves.push(capture);
                return Some(moves);
            }
        }
        None
    }

    /// The capture of a king among `occupied` by a piece that has not moved and is not `gone`.
    fn captures(&self, king: Square, occupied: u64, gone: u64) -> Option<Single> {
        let (level, place) = (king.level, king.place());
        let of = |role| self.board.pieces(self.us, role, level);
        let queens = of(Role::Queen);
        let attackers = attacks::pawn_captures(self.us.other(), place) & of(Role::Pawn)
            | attacks::knight(place) & of(Role::Knight)
            | attacks::king(place) & of(Role::King)
            | attacks::bishop(place, occupied) & (of(Role::Bishop) | queens)
            | attacks::rook(place, occupied) & (of(Role::Rook) | queens);
        let ready = attackers & self.movable[level as usize] & !gone;
        if ready == 0 {
            return None;
        }
        Some(self.single(Square::new(level, ready.trailing_zeros() as u8), king))
    }

    /// The one or two moves that take a piece away from its level.
    fn clear(&self, blocker: Square) -> Option<Vec<Single>> {
        let above = Square::new(Level::Second, blocker.place() as u8);
        let clear = self.single(blocker, above);
        if self.board.occupied(Level::Second) & above.bit() == 0 {
            return Some(vec![clear]);
        }
        let other = match blocker.level {
            Level::First => Level::Third,
            Level::Second | Level::Third => Level::First,
        };
        let beyond = Square::new(other, blocker.place() as u8);
        let can_go_on = self.moves_left >= 3
            && self.open[other as usize]
            && self.movable[Level::Second as usize] & above.bit() != 0
            && self.board.occupied(other) & beyond.bit() == 0;
        can_go_on.then(|| vec![self.single(above, beyond), clear])
    }

    fn single(&self, from: Square, to: Square) -> Single {
        let is_pawn = self.board.pieces(self.us, Role::Pawn, from.level) & from.bit() != 0;
        let promotes = is_pawn && promotes(self.us, Role::Pawn, to);
        Single { from, to, promotion: promotes.then_some(Role::Queen) }
    }
}
