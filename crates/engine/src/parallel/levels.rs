//! What the levels are in Parallel Worlds.

use crate::level::Strength;

/// Weakest first.
pub(crate) const LEVELS: [Strength; 8] = [
    Strength { nodes: 200, depth: 1, quiescence: false, misjudgment: 300, oversight_percent: 50 },
    Strength { nodes: 400, depth: 1, quiescence: false, misjudgment: 200, oversight_percent: 30 },
    Strength { nodes: 1_000, depth: 1, quiescence: true, misjudgment: 100, oversight_percent: 15 },
    Strength { nodes: 4_000, depth: 1, quiescence: true, misjudgment: 50, oversight_percent: 5 },
    Strength { nodes: 15_000, depth: 99, quiescence: true, misjudgment: 20, oversight_percent: 0 },
    Strength { nodes: 60_000, depth: 99, quiescence: true, misjudgment: 0, oversight_percent: 0 },
    Strength { nodes: 250_000, depth: 99, quiescence: true, misjudgment: 0, oversight_percent: 0 },
    Strength {
        nodes: 1_000_000,
        depth: 99,
        quiescence: true,
        misjudgment: 0,
        oversight_percent: 0,
    },
];
