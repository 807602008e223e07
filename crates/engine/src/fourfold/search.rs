//! The search: principal variation search with what makes it selective.
//!
//! Values are from the point of view of the side to move. A search that has been interrupted returns values that mean
//! nothing, and everybody above it returns at once.

mod candidates;
mod quiescence;

use manifold_rules::fourfold::{Move, Position};
use manifold_rules::{Color, Role};

use super::evaluation::Evaluation;
use crate::control::Control;
use crate::handicap::Handicap;
use crate::history::History;
use crate::score::{INFINITE, MATE, MATE_BOUND, Value, mated_in};
use crate::table::{Bound, Entry, Table};
use crate::{Engine, Feature, Features, Limits};
use candidates::{Candidate, mover};

/// No line is longer.
pub(super) const MAX_PLY: usize = 100;

/// What is known of a position on the way down.
#[derive(Clone, Copy)]
struct Node<'p> {
    position: &'p Position,
    ply: usize,
    in_check: bool,
    /// The move before was passed, so none is passed now.
    after_pass: bool,
}

/// A search under way.
pub(super) struct Searcher<'a> {
    pub(super) control: Control<'a>,
    features: Features,
    handicap: Handicap,
    evaluation: Evaluation,
    table: Table<Move>,
    /// Movers are told apart by color and square.
    history: History,
    /// Quiet moves that refuted a sibling, by ply, the latest first.
    killers: Vec<[Option<Move>; 2]>,
    /// The best line from each ply on.
    lines: Vec<Vec<Move>>,
    /// The candidates of all positions on the path, one after another.
    candidates: Vec<Candidate>,
    /// The keys of the game's positions since the last pawn move or capture, and then of the path.
    path: Vec<u64>,
    /// Where the position to be searched stands in `path`.
    root: usize,
    /// The best move of this iteration and its value, as soon as one is known.
    pub(super) found: Option<(Move, Value)>,
    /// What the last iteration thought best.
    pub(super) expected: Option<Move>,
}

impl<'a> Searcher<'a> {
    /// A searcher that knows the game's positions up to the one that is to be searched.
    pub(super) fn new(engine: &Engine, limits: Limits<'a>, path: Vec<u64>) -> Self {
        Self {
            control: Control::new(limits),
            features: engine.features,
            handicap: engine.handicap,
            evaluation: Evaluation::new(engine.features),
            table: Table::for_nodes(limits.nodes),
            history: History::new(2 * 64, 64),
            killers: vec![[None; 2]; MAX_PLY + 1],
            lines: vec![Vec::new(); MAX_PLY + 2],
            candidates: Vec::with_capacity(1024),
            root: path.len() - 1,
            path,
            found: None,
            expected: None,
        }
    }

    /// The candidates of a position, best first, as they look before a search.
    pub(super) fn candidates(&mut self, position: &Position) -> Vec<Candidate> {
        self.generate(position, 0, None);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.sort_by_key(|candidate| -candidate.order);
        candidates
    }

    /// The value of a position without a search.
    pub(super) fn evaluate(&self, position: &Position) -> Value {
        let value = self.evaluation.value(position) + self.handicap.misjudge(position.hash());
        value.clamp(1 - MATE_BOUND, MATE_BOUND - 1)
    }

    /// Whether a part of the search is switched on.
    pub(super) fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// The best line that the last search found.
    pub(super) fn line(&self) -> &[Move] {
        &self.lines[0]
    }

    /// Searches the position at the root so deep; [`Searcher::found`] is the move.
    pub(super) fn search_root(
        &mut self,
        position: &Position,
        depth: i32,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let node = Node { position, ply: 0, in_check: position.in_check(), after_pass: false };
        self.search(node, depth, alpha, beta)
    }

    fn search(&mut self, node: Node<'_>, depth: i32, alpha: Value, beta: Value) -> Value {
        let Node { position, ply, in_check, .. } = node;
        self.lines[ply].clear();
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiesce(node, 0, alpha, beta);
        }
        if self.control.visit() {
            return 0;
        }
        let (mut alpha, mut beta) = (alpha, beta);
        if ply > 0 {
            if let Some(value) = self.end_by_draw(node) {
                return value;
            }
            // However good it gets, a nearer mate is known already.
            alpha = alpha.max(mated_in(ply));
            beta = beta.min(MATE - ply as Value - 1);
            if alpha >= beta {
                return alpha;
            }
        }
        let principal = beta - alpha > 1;

        let known = self.known(position, ply);
        if let Some(value) =
            known.filter(|_| !principal).and_then(|e| cutoff(e, depth, alpha, beta))
        {
            return value;
        }
        let guess = match known.and_then(|entry| entry.best) {
            None if ply == 0 => self.expected,
            guess => guess,
        };
        let mut depth = depth;
        if guess.is_none() && depth >= 4 {
            // Without a guess the order is poor; a shallower search leaves one for the next time.
            depth -= 1;
        }

        let standing = if in_check { -INFINITE } else { self.evaluate(position) };
        if !principal && !in_check && beta.abs() < MATE_BOUND {
            if self.has(Feature::Futility) && depth <= 5 && standing - 90 * depth >= beta {
                return standing;
            }
            if let Some(value) = self.try_to_pass(node, standing, depth, beta) {
                return value;
            }
        }
        self.search_moves(node, guess, standing, depth, (alpha, beta))
    }

    /// Tries the moves one by one.
    fn search_moves(
        &mut self,
        node: Node<'_>,
        guess: Option<Move>,
        standing: Value,
        depth: i32,
        (alpha, beta): (Value, Value),
    ) -> Value {
        let Node { position, ply, in_check, .. } = node;
        let principal = beta - alpha > 1;
        let first = self.candidates.len();
        let legal = self.generate(position, ply, guess);
        if legal == 0 {
            return if in_check { mated_in(ply) } else { 0 };
        }
        let last = self.candidates.len();
        if first == last {
            // There are moves, but none that the player thinks of.
            return self.evaluate(position);
        }
        let futility = self.has(Feature::Futility) && !principal && !in_check && ply > 0;
        let (mut best, mut best_move) = (-INFINITE, None);
        let mut floor = alpha;
        let mut quiets_tried = 0;
        for n in first..last {
            let candidate = self.next_candidate(n, last);
            let Candidate { turn, role, quiet, .. } = candidate;
            let next = position.after_legal(role, turn);
            let gives_check = next.in_check();
            let tried = n - first;

            if futility && depth <= 4 && tried > 0 && best > -MATE_BOUND && !gives_check {
                let hopeless = if quiet {
                    quiets_tried > 5 + 3 * depth * depth || standing + 80 + 110 * depth <= floor
                } else {
                    candidate.gain < -120 * depth
                };
                if hopeless {
                    continue;
                }
            }
            quiets_tried += i32::from(quiet);

            let reduction = if gives_check || in_check {
                0
            } else {
                self.reduction(candidate, position.side_to_move(), depth, tried, principal)
            };
            self.path.push(next.hash());
            let below =
                Node { position: &next, ply: ply + 1, in_check: gives_check, after_pass: false };
            let value = self.search_move(below, tried, depth - 1, reduction, (floor, beta));
            self.path.pop();
            if self.control.is_over() {
                break;
            }
            if value > best {
                best = value;
            }
            if value > floor {
                floor = value;
                best_move = Some(turn);
                self.extend_line(ply, turn);
                if ply == 0 {
                    self.found = Some((turn, value));
                }
                if value >= beta {
                    if quiet {
                        self.remember_refutation(position, ply, depth, turn, first, n);
                    }
                    break;
                }
            }
        }
        self.candidates.truncate(first);
        if !self.control.is_over() {
            let bound = if best >= beta {
                Bound::AtLeast
            } else if best > alpha {
                Bound::Exact
            } else {
                Bound::AtMost
            };
            self.remember(
                position,
                ply,
                depth,
                Entry { best: best_move, value: best, bound, depth: 0 },
            );
        }
        best
    }

    /// Searches a move: first only whether it is better than the best one, then, if so, how good it is.
    fn search_move(
        &mut self,
        below: Node<'_>,
        tried: usize,
        depth: i32,
        reduction: i32,
        (floor, beta): (Value, Value),
    ) -> Value {
        if tried == 0 || !self.has(Feature::PrincipalVariation) {
            return -self.search(below, depth, -beta, -floor);
        }
        let mut value = -self.search(below, depth - reduction, -floor - 1, -floor);
        if value > floor && reduction > 0 && !self.control.is_over() {
            value = -self.search(below, depth, -floor - 1, -floor);
        }
        if value > floor && value < beta && !self.control.is_over() {
            value = -self.search(below, depth, -beta, -floor);
        }
        value
    }

    /// How much less deep a late move is searched at first.
    fn reduction(
        &self,
        candidate: Candidate,
        us: Color,
        depth: i32,
        tried: usize,
        principal: bool,
    ) -> i32 {
        let late = candidate.quiet || candidate.gain < 0;
        if !self.has(Feature::LateMoveReductions) || depth < 3 || tried < 3 || !late {
            return 0;
        }
        let growth = (tried.ilog2() * depth.ilog2()) as i32;
        let mut reduction = 1 + growth / 4 - i32::from(principal);
        if candidate.quiet {
            let Move { from, to } = candidate.turn;
            reduction -= self.history.get(mover(us, from.index()), to.index()) / 4096;
        }
        reduction.clamp(0, depth - 2)
    }

    /// Draws, which the rules let go only after mate.
    fn end_by_draw(&self, node: Node<'_>) -> Option<Value> {
        let Node { position, ply, in_check, .. } = node;
        if position.halfmove_clock() >= Position::MAX_HALFMOVE {
            let mated = in_check && !position.has_legal_move();
            return Some(if mated { mated_in(ply) } else { 0 });
        }
        let only_kings = position.occupied().count() == 2;
        (only_kings || self.repeats(position)).then_some(0)
    }

    /// Whether the position counts as a draw by repetition: it has been on the path already, where whoever wants it
    /// can have it again, or twice in the game.
    fn repeats(&self, position: &Position) -> bool {
        let now = self.path.len() - 1;
        let reversible = usize::from(position.halfmove_clock()).min(now);
        let mut in_game = 0;
        for back in (4..=reversible).step_by(2) {
            if self.path[now - back] == position.hash() {
                if now - back >= self.root {
                    return true;
                }
                in_game += 1;
                if in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// If even passing keeps a side above `beta`, some move will: a value at least that high, or `None`.
    fn try_to_pass(
        &mut self,
        node: Node<'_>,
        standing: Value,
        depth: i32,
        beta: Value,
    ) -> Option<Value> {
        let Node { position, ply, after_pass, .. } = node;
        let us = position.side_to_move();
        let pieces =
            position.by_color(us) & !position.by_role(Role::Pawn) & !position.by_role(Role::King);
        // With pawns alone it can be best to have no move.
        let may = self.has(Feature::NullMove)
            && depth >= 2
            && ply > 0
            && !after_pass
            && standing >= beta
            && !pieces.is_empty();
        if !may {
            return None;
        }
        let next = position.after_pass()?;
        let reduction = 2 + depth / 4 + ((standing - beta) / 200).min(2);
        self.path.push(next.hash());
        let below = Node { position: &next, ply: ply + 1, in_check: false, after_pass: true };
        let value = -self.search(below, depth - 1 - reduction, -beta, 1 - beta);
        self.path.pop();
        if self.control.is_over() || value < beta {
            return None;
        }
        // A mate after a passed move proves nothing.
        Some(if value >= MATE_BOUND { beta } else { value })
    }

    /// Puts a move before the line of the ply below.
    fn extend_line(&mut self, ply: usize, turn: Move) {
        let (above, below) = self.lines.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(turn);
        line.extend_from_slice(&below[0]);
    }

    fn known(&self, position: &Position, ply: usize) -> Option<Entry<Move>> {
        let table = self.has(Feature::TranspositionTable);
        table.then(|| self.table.get(position.hash(), ply)).flatten()
    }

    fn remember(&mut self, position: &Position, ply: usize, depth: i32, entry: Entry<Move>) {
        if self.has(Feature::TranspositionTable) {
            let depth = u8::try_from(depth).unwrap_or_default();
            self.table.put(position.hash(), ply, Entry { depth, ..entry });
        }
    }
}

/// The value of a position that was searched deep enough before, if it decides the matter.
fn cutoff(entry: Entry<Move>, depth: i32, alpha: Value, beta: Value) -> Option<Value> {
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::AtLeast => entry.value >= beta,
        Bound::AtMost => entry.value <= alpha,
    };
    (decides && i32::from(entry.depth) >= depth).then_some(entry.value)
}
