//! What the levels are in Fourfold. The order is that of measured strength: docs/engine.md has the matches.

use crate::level::{ANY_DEPTH, Strength};

/// Weakest first.
#[rustfmt::skip]
pub(crate) const LEVELS: [Strength; 8] = [
    Strength { nodes: 500, depth: 1, quiescence: false, misjudgment: 150, oversight_percent: 50 },
    Strength { nodes: 2_000, depth: 2, quiescence: false, misjudgment: 100, oversight_percent: 40 },
    Strength { nodes: 4_000, depth: 2, quiescence: true, misjudgment: 60, oversight_percent: 25 },
    Strength { nodes: 8_000, depth: 3, quiescence: true, misjudgment: 15, oversight_percent: 5 },
    Strength { nodes: 4_000, depth: ANY_DEPTH, quiescence: true, misjudgment: 10, oversight_percent: 0 },
    Strength { nodes: 25_000, depth: ANY_DEPTH, quiescence: true, misjudgment: 5, oversight_percent: 0 },
    Strength { nodes: 50_000, depth: ANY_DEPTH, quiescence: true, misjudgment: 4, oversight_percent: 0 },
    Strength { nodes: 1_000_000, depth: ANY_DEPTH, quiescence: true, misjudgment: 3, oversight_percent: 0 },
];
