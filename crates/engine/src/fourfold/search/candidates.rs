//! The moves of a position, and in which order they are tried.

use manifold_rules::fourfold::{Bitboard, Move, PieceMoves, Position};
use manifold_rules::{Color, Role};

use super::{Node, Searcher};
use crate::Feature;
use crate::fourfold::exchange::{exchange, worth};
use crate::score::{Value, mated_in};

/// A move, what moves, and when to try it.
#[derive(Clone, Copy)]
pub(in crate::fourfold) struct Candidate {
    pub(in crate::fourfold) turn: Move,
    pub(super) role: Role,
    /// Neither a capture nor a promotion.
    pub(super) quiet: bool,
    /// What a capture or promotion gains when the exchange is played out.
    pub(super) gain: Value,
    /// Higher is earlier.
    pub(super) order: i32,
}

/// Moves that come before all others.
const FIRST: i32 = 1 << 30;
/// Captures that lose nothing start here; below lie killers, then quiet moves by history, then losing captures.
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 20;
const BAD_CAPTURE: i32 = -(1 << 24);

impl Searcher<'_> {
    /// Appends a position's legal moves that the player thinks of, and says how many are legal.
    pub(super) fn generate(
        &mut self,
        position: &Position,
        ply: usize,
        guess: Option<Move>,
    ) -> usize {
        let mut legal = 0;
        position.for_each_legal(|moves| legal += self.append(position, moves, ply, guess));
        legal
    }

    /// The same for captures and promotions.
    pub(super) fn generate_captures(
        &mut self,
        position: &Position,
        ply: usize,
        guess: Option<Move>,
    ) {
        position.for_each_capture_or_promotion(|moves| {
            self.append(position, moves, ply, guess);
        });
    }

    fn append(
        &mut self,
        position: &Position,
        PieceMoves { role, from, to: targets }: PieceMoves,
        ply: usize,
        guess: Option<Move>,
    ) -> usize {
        let us = position.side_to_move();
        let enemies = position.by_color(us.other());
        let mover = mover(us, from.index());
        for to in targets {
            let turn = Move { from, to };
            let leaves_board = !Bitboard::board_of(from).has(to);
            let name = (from.index() * 64 + to.index()) as u64;
            if ply > 0 && leaves_board && self.handicap.overlooks(position.hash(), name) {
                continue;
            }
            let promotes = role == Role::Pawn && matches!(to.y(), 0 | 3);
            let captures = enemies.has(to);
            let quiet = !captures && !promotes;
            let gain = if quiet { 0 } else { self.gain(position, role, turn) };
            let order = if guess == Some(turn) {
                FIRST
            } else if gain < 0 {
                BAD_CAPTURE + gain
            } else if !quiet {
                // Great victims first, by small pieces.
                let victim = position.role_at(to).map_or(0, worth);
                GOOD_CAPTURE + 4 * gain + 4 * victim - worth(role).min(1000)
            } else if !self.has(Feature::KillersAndHistory) {
                0
            } else {
                match self.killers[ply] {
                    [Some(killer), _] if killer == turn => KILLER + 1,
                    [_, Some(killer)] if killer == turn => KILLER,
                    _ => self.history.get(mover, to.index()),
                }
            };
            self.candidates.push(Candidate { turn, role, quiet, gain, order });
        }
        targets.count() as usize
    }

    /// What a capture or promotion gains, as far as this player can see.
    fn gain(&self, position: &Position, role: Role, turn: Move) -> Value {
        if self.has(Feature::StaticExchange) {
            exchange(position, role, turn)
        } else {
            position.role_at(turn.to).map_or(0, worth)
        }
    }

    /// The best move by a look at where each leads and what can be captured there: for when no search was possible.
    pub(in crate::fourfold) fn glance(&mut self, position: &Position) -> Option<(Move, Value)> {
        let mut best: Option<(Move, Value)> = None;
        for Candidate { turn, role, .. } in self.candidates(position) {
            let next = position.after_legal(role, turn);
            self.path.push(next.hash());
            let value = -self.glance_at(&next);
            self.path.pop();
            if best.is_none_or(|(_, least)| value > least) {
                best = Some((turn, value));
            }
        }
        best
    }

    /// A position one ply from the root, for the side to move.
    fn glance_at(&mut self, position: &Position) -> Value {
        let in_check = position.in_check();
        if let Some(value) =
            self.end_by_draw(Node { position, ply: 1, in_check, after_pass: false })
        {
            return value;
        }
        if !position.has_legal_move() {
            return if in_check { mated_in(1) } else { 0 };
        }
        let mut gain = 0;
        if self.has(Feature::Quiescence) {
            let first = self.candidates.len();
            self.generate_captures(position, 1, None);
            gain = self.candidates.drain(first..).map(|reply| reply.gain).max().unwrap_or(0).max(0);
        }
        self.evaluate(position) + gain
    }

    /// The best of the candidates from `n` on, which takes place `n`.
    pub(super) fn next_candidate(&mut self, n: usize, last: usize) -> Candidate {
        let mut best = n;
        for other in n + 1..last {
            if self.candidates[other].order > self.candidates[best].order {
                best = other;
            }
        }
        self.candidates.swap(n, best);
        self.candidates[n]
    }

    /// A quiet move refuted the position: it is tried early from now on, and those tried before it later.
    pub(super) fn remember_refutation(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        turn: Move,
        first: usize,
        n: usize,
    ) {
        if !self.has(Feature::KillersAndHistory) {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(turn) {
            *killers = [Some(turn), killers[0]];
        }
        let us = position.side_to_move();
        let depth = depth.unsigned_abs();
        self.history.reward(mover(us, turn.from.index()), turn.to.index(), depth);
        for failed in self.candidates[first..n].iter().filter(|candidate| candidate.quiet) {
            let Move { from, to } = failed.turn;
            self.history.punish(mover(us, from.index()), to.index(), depth);
        }
    }
}

/// A mover as the history tells them apart.
pub(super) fn mover(color: Color, from: usize) -> usize {
    64 * color as usize + from
}
