//! What the levels are in Parallel Worlds.

use crate::level::Strength;

/// Weakest first. From the fourth on a player looks at what the other side can take in return.
#[rustfmt::skip]
pub(crate) const LEVELS: [Strength; 8] = [
    Strength { nodes: 200, depth: 1, quiescence: false, misjudgment: 300, oversight_percent: 50 },
    Strength { nodes: 600, depth: 1, quiescence: false, misjudgment: 150, oversight_percent: 30 },
    Strength { nodes: 1_500, depth: 1, quiescence: false, misjudgment: 60, oversight_percent: 15 },
    Strength { nodes: 2_500, depth: 1, quiescence: true, misjudgment: 100, oversight_percent: 10 },
    Strength { nodes: 6_000, depth: 2, quiescence: true, misjudgment: 30, oversight_percent: 0 },
    Strength { nodes: 25_000, depth: 99, quiescence: true, misjudgment: 0, oversight_percent: 0 },
    Strength { nodes: 120_000, depth: 99, quiescence: true, misjudgment: 0, oversight_percent: 0 },
    Strength { nodes: 700_000, depth: 99, quiescence: true, misjudgment: 0, oversight_percent: 0 },
];
