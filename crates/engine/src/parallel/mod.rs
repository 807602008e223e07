//! The computer's Parallel Worlds: a greedy player that looks at its own turn alone.

mod levels;

pub(crate) use levels::LEVELS;

use manifold_rules::parallel::{Level, PartialTurn, Position, Single, Turn as ParallelTurn};
use manifold_rules::{Role, Turn};

use crate::control::Control;
use crate::score::{MATE, Value};
use crate::{Choice, Engine, Limits};

/// The turn after which the side to move has most: a king if it can be captured, else the best material. Moves are
/// chosen one by one, and a turn ends when no further one gains anything.
pub(crate) fn best_turn(
    engine: &Engine,
    position: &Position,
    limits: Limits<'_>,
) -> Option<Choice> {
    let mut control = Control::new(limits);
    let mut partial = PartialTurn::new(position);
    let mut moves: Vec<Single> = Vec::new();
    let mut won = false;
    loop {
        let mut best: Option<(Value, Single)> = None;
        for single in partial.next_moves() {
            let gain = gain(position, single) + engine.handicap.misjudge(number(position, single));
            if best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, single));
            }
            if control.visit() {
                break;
            }
        }
        let Some((gain, single)) = best.filter(|&(gain, _)| moves.is_empty() || gain > 0) else {
            break;
        };
        if partial.play(single).is_err() {
            break;
        }
        moves.push(single);
        won = gain >= worth(Role::King) / 2;
        if won || control.is_over() {
            break;
        }
    }
    let turn = Turn::Parallel(ParallelTurn::new(&moves)?);
    let score = if won { MATE - 1 } else { material(position) };
    Some(Choice {
        turn,
        score: score.into(),
        depth: 1,
        nodes: control.nodes(),
        principal_variation: vec![turn],
    })
}

/// What a move gains at once.
fn gain(position: &Position, single: Single) -> Value {
    let us = position.side_to_move();
    let captured = position.piece_at(single.to).filter(|victim| victim.color != us);
    captured.map_or(0, |victim| worth(victim.role))
        + single.promotion.map_or(0, |role| worth(role) - worth(Role::Pawn))
}

/// Tells moves in positions apart.
fn number(position: &Position, single: Single) -> u64 {
    let index =
        |square: manifold_rules::parallel::Square| square.level as u64 * 64 + square.place() as u64;
    position.hash() ^ (index(single.from) << 8 | index(single.to))
}

/// What the side to move has more than the other.
fn material(position: &Position) -> Value {
    let us = position.side_to_move();
    let mut sum = 0;
    for role in Role::ALL {
        for level in Level::ALL {
            let count = |color| position.pieces(color, role, level).count_ones() as Value;
            sum += worth(role) * (count(us) - count(us.other()));
        }
    }
    sum
}

fn worth(role: Role) -> Value {
    match role {
        Role::Pawn => 100,
        Role::Knight => 300,
        Role::Bishop => 320,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 10_000,
    }
}
