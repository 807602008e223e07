//! What the examples share.

use manifold_rules::Variant;

/// The variant of a name, also if no server offers it yet.
pub fn variant(name: &str) -> Result<Variant, String> {
    if name == Variant::ParallelWorlds.as_str() {
        return Ok(Variant::ParallelWorlds);
    }
    name.parse().map_err(|error| format!("{error}"))
}
