//! What the levels are in Fourfold. The order is that of measured strength: docs/engine.md has the matches.

use crate::level::Strength;

/// Weakest first.
pub(crate) const LEVELS: [Strength; 8] = [
    Strength { nodes: 200, depth: 1, quiescence: false, misjudgment: 200, oversight_percent: 50 },
    Strength { nodes: 2_000, depth: 2, quiescence: false, misjudgment: 120, oversight_percent: 40 },
    Strength { nodes: 4_000, depth: 2, quiescence: true, misjudgment: 80, oversight_percent: 25 },
    Strength { nodes: 10_000, depth: 3, quiescence: true, misjudgment: 50, oversight_percent: 10 },
    Strength { nodes: 20_000, depth: 4, quiescence: true, misjudgment: 20, oversight_percent: 0 },
    Strength { nodes: 60_000, depth: 99, quiescence: true, misjudgment: 0, oversight_percent: 0 },
    Strength { nodes: 300_000, depth: 99, quiescence: true, misjudgment: 0, oversight_percent: 0 },
    Strength {
        nodes: 2_000_000,
        depth: 99,
        quiescence: true,
        misjudgment: 0,
        oversight_percent: 0,
    },
];
