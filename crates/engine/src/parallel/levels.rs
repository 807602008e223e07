//! What the levels are in Parallel Worlds.

use crate::level::{ANY_DEPTH, Strength};

/// Weakest first. From the third on a player looks at what the other side can take in return, and from the fourth on it
/// overlooks nothing of that.
#[rustfmt::skip]
pub(crate) const LEVELS: [Strength; 8] = [
    Strength { nodes: 200, depth: 1, quiescence: false, misjudgment: 300, oversight_percent: 50 },
    Strength { nodes: 1_000, depth: 1, quiescence: false, misjudgment: 80, oversight_percent: 20 },
    Strength { nodes: 1_500, depth: 1, quiescence: true, misjudgment: 150, oversight_percent: 30 },
    Strength { nodes: 1_000, depth: 1, quiescence: true, misjudgment: 200, oversight_percent: 0 },
    Strength { nodes: 2_500, depth: 1, quiescence: true, misjudgment: 60, oversight_percent: 0 },
    Strength { nodes: 9_000, depth: ANY_DEPTH, quiescence: true, misjudgment: 0, oversight_percent: 0 },
    Strength { nodes: 55_000, depth: ANY_DEPTH, quiescence: true, misjudgment: 0, oversight_percent: 0 },
    Strength { nodes: 700_000, depth: ANY_DEPTH, quiescence: true, misjudgment: 0, oversight_percent: 0 },
];
