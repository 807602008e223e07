//! What a search is made of, so that each part can be left out and its worth measured.

use std::fmt;
use std::str::FromStr;

/// A part of the engine that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// What was found out about a position is remembered.
    TranspositionTable,
    /// At the horizon captures are played out.
    Quiescence,
    /// Captures that lose material are tried late, and not played out.
    StaticExchange,
    /// Quiet moves that refuted other positions are tried early.
    KillersAndHistory,
    /// Moves after the first are only asked whether they are better.
    PrincipalVariation,
    /// A search starts from the value of the last one.
    Aspiration,
    /// A position that stands well even after passing is not searched in full.
    NullMove,
    /// Moves that are tried late are searched less deep.
    LateMoveReductions,
    /// Near the horizon what is hopeless or won by far is not searched.
    Futility,
    /// Evaluation: where pieces stand.
    Squares,
    /// Evaluation: how many squares pieces reach.
    Mobility,
    /// Evaluation: attacks on the king and its neighbors.
    KingSafety,
    /// Evaluation: pieces that hang or are attacked by lesser ones.
    Threats,
}

impl Feature {
    /// Every feature, in the order of the documentation.
    pub const ALL: [Self; 13] = [
        Self::TranspositionTable,
        Self::Quiescence,
        Self::StaticExchange,
        Self::KillersAndHistory,
        Self::PrincipalVariation,
        Self::Aspiration,
        Self::NullMove,
        Self::LateMoveReductions,
        Self::Futility,
        Self::Squares,
        Self::Mobility,
        Self::KingSafety,
        Self::Threats,
    ];

    /// The name on a command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::TranspositionTable => "transposition-table",
            Self::Quiescence => "quiescence",
            Self::StaticExchange => "static-exchange",
            Self::KillersAndHistory => "killers-and-history",
            Self::PrincipalVariation => "principal-variation",
            Self::Aspiration => "aspiration",
            Self::NullMove => "null-move",
            Self::LateMoveReductions => "late-move-reductions",
            Self::Futility => "futility",
            Self::Squares => "squares",
            Self::Mobility => "mobility",
            Self::KingSafety => "king-safety",
            Self::Threats => "threats",
        }
    }
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Not the name of a [`Feature`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownFeature;

impl fmt::Display for UnknownFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Feature::ALL.map(Feature::as_str).join(", ");
        write!(f, "A feature is one of {names}.")
    }
}

impl std::error::Error for UnknownFeature {}

impl FromStr for Feature {
    type Err = UnknownFeature;

    fn from_str(name: &str) -> Result<Self, UnknownFeature> {
        Self::ALL.into_iter().find(|feature| feature.as_str() == name).ok_or(UnknownFeature)
    }
}

/// A set of features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(u32);

impl Features {
    /// All of them: full strength.
    pub const ALL: Self = Self((1 << Feature::ALL.len()) - 1);

    /// The set less one.
    #[must_use]
    pub const fn without(self, feature: Feature) -> Self {
        Self(self.0 & !(1 << feature as u32))
    }

    /// Whether a feature is in the set.
    pub const fn has(self, feature: Feature) -> bool {
        self.0 & 1 << feature as u32 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_feature_can_be_named_and_left_out_alone() {
        for feature in Feature::ALL {
            assert_eq!(feature.as_str().parse(), Ok(feature));
            let features = Features::ALL.without(feature);
            let missing: Vec<_> =
                Feature::ALL.into_iter().filter(|&other| !features.has(other)).collect();
            assert_eq!(missing, [feature]);
        }
        assert!("castling".parse::<Feature>().is_err());
    }
}
