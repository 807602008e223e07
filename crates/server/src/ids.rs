//! Names for things: typed ids, so that a game's cannot be passed for a player's.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $new:expr) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, sqlx::Type)]
        #[serde(transparent)]
        #[sqlx(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// A new one.
            #[allow(clippy::new_without_default, reason = "two defaults would not be equal")]
            pub fn new() -> Self {
                Self($new)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(s: &str) -> Result<Self, Self::Err> {
                s.parse().map(Self)
            }
        }
    };
}

id!(
    /// Version 7: ordered by time.
    PlayerId, Uuid::now_v7()
);
id!(
    /// Version 7: games sort by their creation.
    GameId, Uuid::now_v7()
);
id!(
    /// Version 7: names a session to its owner; it opens nothing.
    SessionId, Uuid::now_v7()
);
id!(
    /// Version 4: whoever knows it was given it.
    ChallengeId, Uuid::new_v4()
);

id!(
    /// Version 7: the lobby's list is in the order of their creation.
    SeekId, Uuid::now_v7()
);

/// What a client calls a command of its own: the key that makes a retry safe. 1 to 36 of `A–Z a–z 0–9 _ -`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CommandId(Box<str>);

impl CommandId {
    pub const MAX_LEN: usize = 36;

    /// One of our own: `move-17`.
    pub fn numbered(name: &'static str, number: usize) -> Self {
        Self(format!("{name}-{number}").into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for CommandId {
    type Error = &'static str;
    fn try_from(s: String) -> Result<Self, Self::Error> {
        let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        if (1..=Self::MAX_LEN).contains(&s.len()) && s.bytes().all(fits) {
            Ok(Self(s.into()))
        } else {
            Err("an id is 1 to 36 characters out of A-Z a-z 0-9 _ -")
        }
    }
}

impl From<CommandId> for String {
    fn from(id: CommandId) -> Self {
        id.0.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_id_has_a_bound_and_an_alphabet() {
        for good in ["a", "c-17", "A_z9", &"x".repeat(36)] {
            assert!(CommandId::try_from(good.to_owned()).is_ok(), "{good}");
        }
        for bad in ["", " ", "é", "a\n", "a b", &"x".repeat(37)] {
            assert!(CommandId::try_from(bad.to_owned()).is_err(), "{bad:?}");
        }
    }
}
