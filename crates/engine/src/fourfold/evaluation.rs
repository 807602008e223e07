//! How good a position looks without a search: a sum of counted terms, each with a weight of its own, so that the
//! weights can be fitted to the results of games (`examples/tune.rs`).

use manifold_rules::fourfold::{Bitboard, Position, Square, attacks};
use manifold_rules::{Color, Role};

use super::weights::{WEIGHTS, Weight};
use crate::score::Value;
use crate::{Feature, Features};

/// Where each kind of term begins in the table of weights.
pub mod term {
    /// By role, pawn to queen.
    pub const MATERIAL: usize = 0;
    /// By role and sixteen places: the rank as its owner sees it, own row of boards or the enemy's, on the rim or not.
    pub const SQUARES: usize = MATERIAL + 5;
    /// By role, knight to queen: squares reached that no enemy pawn attacks and no piece of the same side holds.
    pub const MOBILITY: usize = SQUARES + 6 * 16;
    /// By role, pawn to queen: attacks on the enemy king's neighbors.
    pub const ZONE_ATTACKS: usize = MOBILITY + 4;
    /// By number: pieces that attack the enemy king's neighbors, seven and more in one.
    pub const ZONE_ATTACKERS: usize = ZONE_ATTACKS + 5;
    /// By number: squares to which the own king can go, seven and more in one.
    pub const ESCAPES: usize = ZONE_ATTACKERS + 8;
    /// Neighbors of the enemy king that are attacked, and defended by the king alone.
    pub const WEAK_ZONE: usize = ESCAPES + 8;
    /// By role, knight to queen: whether it can check from a square that the enemy does not attack.
    pub const SAFE_CHECK: usize = WEAK_ZONE + 1;
    /// By rank as the owner sees it, 1 to 3: a pawn with nothing before it.
    pub const FREE_PAWN: usize = SAFE_CHECK + 4;
    /// By rank: such a pawn, and the enemy does not attack the square before it.
    pub const SAFE_PAWN: usize = FREE_PAWN + 3;
    /// By whether the attacker is to move, and by role of the victim, pawn to queen: attacked and not defended.
    pub const HANGING: usize = SAFE_PAWN + 3;
    /// By whether the attacker is to move, and by role of the victim, knight to queen: attacked by a pawn.
    pub const PAWN_THREAT: usize = HANGING + 2 * 5;
    /// By whether the attacker is to move: a queen attacked by a knight, bishop or rook.
    pub const QUEEN_THREAT: usize = PAWN_THREAT + 2 * 4;
    /// Bishops on squares of both colors.
    pub const BISHOP_PAIR: usize = QUEEN_THREAT + 2;
    /// To be the side to move.
    pub const TEMPO: usize = BISHOP_PAIR + 1;
    /// How many terms there are.
    pub const COUNT: usize = TEMPO + 1;
}

/// The phase of a full army: what counts towards it is worth about a minor piece.
pub const FULL_PHASE: Value = 18;

/// Roles but the king, weakest first.
const ARMY: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// How a searcher sees positions.
pub(super) struct Evaluation {
    weights: [Weight; term::COUNT],
}

impl Evaluation {
    /// With the weights of some features set to nothing.
    pub(super) fn new(features: Features) -> Self {
        let mut weights = WEIGHTS;
        for (feature, terms) in [
            (Feature::Squares, term::SQUARES..term::MOBILITY),
            (Feature::Mobility, term::MOBILITY..term::ZONE_ATTACKS),
            (Feature::KingSafety, term::ZONE_ATTACKS..term::FREE_PAWN),
            (Feature::Threats, term::HANGING..term::BISHOP_PAIR),
        ] {
            if !features.has(feature) {
                weights[terms].fill(Weight(0, 0));
            }
        }
        Self { weights }
    }

    /// The value for the side to move.
    pub(super) fn value(&self, position: &Position) -> Value {
        let (mut early, mut late) = (0, 0);
        for_each_term(position, |term, count| {
            let Weight(at_start, at_end) = self.weights[term];
            early += Value::from(at_start) * count;
            late += Value::from(at_end) * count;
        });
        let phase = phase(position);
        (early * phase + late * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

/// How much of both armies is left, 0 to [`FULL_PHASE`].
pub fn phase(position: &Position) -> Value {
    let count = |role| position.by_role(role).count() as Value;
    let pieces = count(Role::Knight) + count(Role::Bishop) + count(Role::Rook);
    (pieces + 3 * count(Role::Queen)).min(FULL_PHASE)
}

/// Calls `add` with terms and how often they count for the side to move: negative where they count for the other.
pub fn for_each_term(position: &Position, mut add: impl FnMut(usize, Value)) {
    let us = position.side_to_move();
    let pawns = |color: Color| {
        let captures =
            attacks::pawn_captures_by_direction(color, position.pieces(color, Role::Pawn));
        captures.into_iter().fold(Bitboard::EMPTY, |all, some| all | some)
    };
    let pawn_attacks = [pawns(us), pawns(us.other())];
    let ours = Side::look(position, us, pawn_attacks, 1, &mut add);
    let theirs = Side::look(position, us.other(), [pawn_attacks[1], pawn_attacks[0]], -1, &mut add);
    ours.against(position, &theirs, true, 1, &mut add);
    theirs.against(position, &ours, false, -1, &mut add);
    add(term::TEMPO, 1);
}

/// What one side attacks.
struct Side {
    color: Color,
    /// By role.
    by_role: [Bitboard; 6],
    /// By all but the king.
    by_army: Bitboard,
    /// By the king too.
    by_all: Bitboard,
}

impl Side {
    /// Counts what needs no knowledge of the other side's attacks but its pawns', and gathers the attacks.
    fn look(
        position: &Position,
        color: Color,
        [pawn_attacks, enemy_pawn_attacks]: [Bitboard; 2],
        sign: Value,
        add: &mut impl FnMut(usize, Value),
    ) -> Self {
        let occupied = position.occupied();
        let zone = attacks::king(position.king(color.other()));
        let open = !position.by_color(color) & !enemy_pawn_attacks;
        let mut by_role = [Bitboard::EMPTY; 6];
        let mut attackers = 0;
        for role in Role::ALL {
            for square in position.pieces(color, role) {
                add(term::SQUARES + 16 * role as usize + place(square, color), sign);
                if role == Role::King {
                    by_role[role as usize] = attacks::king(square);
                    continue;
                }
                add(term::MATERIAL + role as usize, sign);
                let reached = match role {
                    Role::Pawn => attacks::pawn_captures(color, square),
                    Role::Knight => attacks::knight(square),
                    Role::Bishop => attacks::bishop(square, occupied),
                    Role::Rook => attacks::rook(square, occupied),
                    Role::Queen => attacks::queen(square, occupied),
                    Role::King => attacks::king(square),
                };
                by_role[role as usize] |= reached;
                if role != Role::Pawn {
                    let count = (reached & open).count() as Value;
                    add(term::MOBILITY + role as usize - 1, sign * count);
                }
                let on_zone = (reached & zone).count() as Value;
                if on_zone > 0 {
                    attackers += 1;
                    add(term::ZONE_ATTACKS + role as usize, sign * on_zone);
                }
            }
        }
        debug_assert_eq!(by_role[Role::Pawn as usize], pawn_attacks);
        add(term::ZONE_ATTACKERS + attackers.min(7), sign);
        /// The squares whose coordinates add up to an even number.
        const EVEN: Bitboard = even_squares();
        let bishops = position.pieces(color, Role::Bishop);
        if bishops.meets(EVEN) && bishops.meets(!EVEN) {
            add(term::BISHOP_PAIR, sign);
        }
        let by_army = by_role[..5].iter().fold(Bitboard::EMPTY, |all, &some| all | some);
        Self { color, by_role, by_army, by_all: by_army | by_role[5] }
    }

    /// Counts what depends on the attacks of both.
    fn against(
        &self,
        position: &Position,
        enemy: &Self,
        to_move: bool,
        sign: Value,
        add: &mut impl FnMut(usize, Value),
    ) {
        let occupied = position.occupied();
        let own_king = position.king(self.color);
        let escapes = attacks::king(own_king) & !position.by_color(self.color) & !enemy.by_all;
        add(term::ESCAPES + (escapes.count() as usize).min(7), sign);

        let king = position.king(enemy.color);
        let weak = attacks::king(king) & self.by_army & !enemy.by_army;
        add(term::WEAK_ZONE, sign * weak.count() as Value);
        let safe = !position.by_color(self.color) & !enemy.by_all;
        for (role, from) in [
            (Role::Knight, attacks::knight(king)),
            (Role::Bishop, attacks::bishop(king, occupied)),
            (Role::Rook, attacks::rook(king, occupied)),
            (Role::Queen, attacks::queen(king, occupied)),
        ] {
            if (from & self.by_role[role as usize]).meets(safe) {
                add(term::SAFE_CHECK + role as usize - 1, sign);
            }
        }

        for pawn in position.pieces(self.color, Role::Pawn) {
            let ahead = attacks::pawn_step(self.color, pawn);
            if !occupied.meets(ahead) {
                let rank = match self.color {
                    Color::White => pawn.y(),
                    Color::Black => 3 - pawn.y(),
                };
                let rank = usize::from(rank.min(2));
                add(term::FREE_PAWN + rank, sign);
                if !enemy.by_all.meets(ahead) {
                    add(term::SAFE_PAWN + rank, sign);
                }
            }
        }

        let turn = usize::from(to_move);
        for role in ARMY {
            let victims = position.pieces(enemy.color, role);
            let hanging = (victims & self.by_all & !enemy.by_all).count() as Value;
            add(term::HANGING + 5 * turn + role as usize, sign * hanging);
            if role != Role::Pawn {
                let threatened = (victims & self.by_role[Role::Pawn as usize]).count() as Value;
                add(term::PAWN_THREAT + 4 * turn + role as usize - 1, sign * threatened);
            }
        }
        let lesser = self.by_role[Role::Knight as usize]
            | self.by_role[Role::Bishop as usize]
            | self.by_role[Role::Rook as usize];
        let queens = position.pieces(enemy.color, Role::Queen) & lesser;
        add(term::QUEEN_THREAT + turn, sign * queens.count() as Value);
    }
}

/// One of sixteen places: Black sees ranks and rows of boards the other way round, and nobody tells left from right.
fn place(square: Square, color: Color) -> usize {
    let (y, w) = match color {
        Color::White => (square.y(), square.w()),
        Color::Black => (3 - square.y(), 1 - square.w()),
    };
    let inside = matches!(square.x(), 1 | 2);
    usize::from(y) + 4 * usize::from(w) + 8 * usize::from(inside)
}

const fn even_squares() -> Bitboard {
    let mut squares = 0u64;
    let mut index = 0;
    while index < 64 {
        if ((index & 3) + (index >> 2 & 3) + (index >> 4 & 1) + (index >> 5)) % 2 == 0 {
            squares |= 1 << index;
        }
        index += 1;
    }
    Bitboard(squares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use manifold_rules::{Game, Piece, Position as AnyPosition, Variant};
    use proptest::prelude::*;
    use proptest::sample::Index;

    fn positions() -> impl Strategy<Value = Position> {
        let choices = prop::collection::vec(any::<Index>(), 0..120);
        let variants = vec![Variant::Fourfold, Variant::FourfoldClassic];
        (prop::sample::select(variants), choices).prop_map(|(variant, choices)| {
            let mut game = Game::new(variant);
            for choice in choices {
                let turns = game.legal_turns();
                if turns.is_empty() {
                    break;
                }
                game.play(choice.get(&turns)).unwrap();
            }
            match game.position() {
                AnyPosition::Fourfold(position) => *position,
                AnyPosition::Parallel(_) => panic!("a game of Fourfold was asked for"),
            }
        })
    }

    /// The position with each coordinate that `flips` says turned round, and colors swapped if `swap` says so.
    fn mirrored(position: &Position, flips: [bool; 4], swap: bool) -> Position {
        let color = |color: Color| if swap { color.other() } else { color };
        let turned = |value: u8, most: u8, flip: bool| if flip { most - value } else { value };
        let pieces = position.occupied().into_iter().map(|square| {
            let piece = position.piece_at(square).unwrap();
            let [x, y, z, w] = flips;
            let to = Square::new(
                turned(square.x(), 3, x),
                turned(square.y(), 3, y),
                turned(square.z(), 1, z),
                turned(square.w(), 1, w),
            );
            (to.unwrap(), Piece { color: color(piece.color), ..piece })
        });
        Position::new(pieces, color(position.side_to_move()), 0, 1).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_mirrored_position_is_worth_the_same(position in positions()) {
            let evaluation = Evaluation::new(Features::ALL);
            let value = evaluation.value(&position);
            for (flips, swap) in [
                ([true, false, false, false], false),
                ([false, false, true, false], false),
                ([false, true, false, true], true),
                ([true, true, true, true], true),
            ] {
                let mirrored = mirrored(&position, flips, swap);
                prop_assert_eq!(evaluation.value(&mirrored), value, "{:?}", flips);
            }
        }

        #[test]
        fn what_is_left_out_counts_nothing(position in positions()) {
            let mut features = Features::ALL;
            for feature in [Feature::Squares, Feature::Mobility, Feature::KingSafety, Feature::Threats] {
                features = features.without(feature);
            }
            let mut material = 0;
            let pawns_pairs_tempo = [term::FREE_PAWN..term::HANGING, term::BISHOP_PAIR..term::COUNT];
            for_each_term(&position, |term, count| {
                let counted = term < term::SQUARES || pawns_pairs_tempo.iter().any(|terms| terms.contains(&term));
                let Weight(early, late) = WEIGHTS[term];
                if counted {
                    let phase = phase(&position);
                    material += (Value::from(early) * phase + Value::from(late) * (FULL_PHASE - phase)) * count;
                }
            });
            prop_assert_eq!(Evaluation::new(features).value(&position), material / FULL_PHASE);
        }
    }
}
