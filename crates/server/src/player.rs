//! Who plays: names, kinds, passwords as they come from outside.

use std::fmt;

use rand::RngExt as _;

use manifold_engine::Level;
use uuid::Uuid;

use crate::ids::PlayerId;

/// Someone with a seat or a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    pub id: PlayerId,
    /// As shown; unique without regard to case.
    pub name: String,
    pub kind: PlayerKind,
}

/// What a player may do depends on it: guests play casual games only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayerKind {
    Guest,
    Account,
    /// An account that a program plays for: it has said so once and for all.
    Bot,
    /// Nobody can log in as one; there is one for each level.
    Computer(Level),
}

impl PlayerKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Account => "account",
            Self::Bot => "bot",
            Self::Computer(_) => "computer",
        }
    }

    /// The kind of the player `id`.
    pub fn parse(s: &str, id: PlayerId) -> Option<Self> {
        match s {
            "guest" => Some(Self::Guest),
            "account" => Some(Self::Account),
            "bot" => Some(Self::Bot),
            "computer" => {
                u8::try_from(id.0.as_u128()).ok().and_then(Level::new).map(Self::Computer)
            }
            _ => None,
        }
    }

    /// How strong a computer plays.
    pub const fn level(self) -> Option<Level> {
        match self {
            Self::Computer(level) => Some(level),
            Self::Guest | Self::Account | Self::Bot => None,
        }
    }
}

impl Player {
    /// No computer's id comes after this one, and all others do: these are made of the time, or at random in a form of their own.
    pub const LAST_COMPUTER: PlayerId = PlayerId(Uuid::from_u128(u8::MAX as u128));

    /// The computer of that level. Its id is the level's number, on every server; no account can have such a name.
    pub fn computer(level: Level) -> Self {
        Self {
            id: PlayerId(Uuid::from_u128(level.number().into())),
            name: format!("{level} (level {})", level.number()),
            kind: PlayerKind::Computer(level),
        }
    }
}

/// The key under which a name is unique.
pub fn handle(name: &str) -> String {
    name.to_lowercase()
}

/// An account's name: 2 to 20 of `A–Z a–z 0–9 _ -`, a letter first. A guest's has a space, so the two never meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountName(String);

impl AccountName {
    /// The name, or the sentence that says why it is none.
    pub fn parse(s: &str) -> Result<Self, &'static str> {
        let fits = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        if !(2..=20).contains(&s.len()) {
            Err("A name has 2 to 20 characters.")
        } else if !s.as_bytes()[0].is_ascii_alphabetic() {
            Err("A name begins with a letter.")
        } else if !s.bytes().all(fits) {
            Err("A name is made of letters a to z, digits, _ and -.")
        } else {
            Ok(Self(s.to_owned()))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether people would take who has this name for the house, one of its computers, a guest or nobody in particular.
    pub fn is_reserved(&self) -> bool {
        let name = plain(&self.0);
        let is_one_of = |words: &[&str], name: &str| words.iter().any(|word| plain(word) == name);
        // One of several, or with a number: `admins`, `Moderator-2`.
        let one = plain(self.0.trim_end_matches(|c: char| c.is_ascii_digit()));
        let singular = one.strip_suffix('s').unwrap_or(&one);
        [&*one, singular].iter().any(|one| is_one_of(HOUSE, one))
            || is_one_of(RESERVED, &name)
            || BEGINNINGS.iter().any(|word| name.starts_with(&plain(word)))
            || Level::ALL.iter().any(|level| plain(level.name()) == name)
    }
}

/// A name by how it looks at a glance: without case and what only separates, and each of several that look alike the same.
fn plain(name: &str) -> String {
    handle(name)
        .replace(['_', '-'], "")
        .replace("rn", "m")
        .replace("vv", "w")
        .replace('0', "o")
        .replace(['1', 'i'], "l")
        .replace('3', "e")
        .replace('4', "a")
        .replace('5', "s")
}

/// What the house and those who keep it are called.
const HOUSE: &[&str] = &[
    "admin",
    "administrator",
    "mod",
    "moderator",
    "official",
    "operator",
    "owner",
    "root",
    "server",
    "staff",
    "support",
    "system",
    "team",
    "webmaster",
];

/// What nobody in particular and what is no person is called; the computers' names are reserved besides.
const RESERVED: &[&str] =
    &["anonymous", "bot", "computer", "deleted", "engine", "nobody", "null", "undefined"];

/// Whatever begins so would be taken for the house, or for a guest: `Manifold-Team`, `Guest_7F3KQ2`.
const BEGINNINGS: &[&str] = &["manifold", "guest"];

/// A guest's name that nobody has, very probably: `Guest 7F3KQ`.
pub fn guest_name(rng: &mut impl rand::Rng) -> String {
    /// Without letters and digits that look alike.
    const ALPHABET: &[u8] = b"23456789ABCDEFGHJKMNPQRSTUVWXYZ";
    let suffix: String =
        (0..6).map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())])).collect();
    format!("Guest {suffix}")
}

/// Why a password is not taken: each reason is told by its own code, as each is mended in its own way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeakPassword {
    TooShort,
    TooLong,
    HoldsName,
    Common,
}

impl fmt::Display for WeakPassword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooShort => "A password has at least 8 characters.",
            Self::TooLong => "A password has at most 512 bytes.",
            Self::HoldsName => "A password does not contain the name.",
            Self::Common => "That password is among the first that anybody would try.",
        })
    }
}

/// A password that was good enough when it was set. Never printed.
#[derive(Clone)]
pub struct Password(String);

impl Password {
    pub const MIN_CHARS: usize = 8;
    /// A hash of more would cost time for nothing.
    pub const MAX_BYTES: usize = 512;

    /// A new password for `name`, or why it is too weak.
    pub fn new(password: String, name: &AccountName) -> Result<Self, WeakPassword> {
        let lower = password.to_lowercase();
        let first = password.chars().next();
        if password.chars().count() < Self::MIN_CHARS {
            Err(WeakPassword::TooShort)
        } else if password.len() > Self::MAX_BYTES {
            Err(WeakPassword::TooLong)
        } else if lower.contains(&handle(name.as_str())) {
            Err(WeakPassword::HoldsName)
        } else if password.chars().all(|c| Some(c) == first) || COMMON.contains(&lower.as_str()) {
            Err(WeakPassword::Common)
        } else {
            Ok(Self(password))
        }
    }

    /// One to be compared with a stored hash: only its length matters.
    pub fn attempt(password: String) -> Option<Self> {
        (password.len() <= Self::MAX_BYTES).then_some(Self(password))
    }

    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// The most used passwords of eight characters and more, from the lists that breaches have left.
const COMMON: &[&str] = &[
    "password",
    "12345678",
    "123456789",
    "1234567890",
    "qwertyui",
    "qwertyuiop",
    "password1",
    "password123",
    "passw0rd",
    "iloveyou",
    "sunshine",
    "princess",
    "football",
    "baseball",
    "superman",
    "trustno1",
    "starwars",
    "whatever",
    "computer",
    "internet",
    "11223344",
    "87654321",
    "987654321",
    "0123456789",
    "asdfghjk",
    "asdfghjkl",
    "zxcvbnm1",
    "1q2w3e4r",
    "1q2w3e4r5t",
    "1qaz2wsx",
    "qazwsxedc",
    "abcd1234",
    "abc12345",
    "a1b2c3d4",
    "letmein1",
    "welcome1",
    "admin123",
    "qwerty12",
    "qwerty123",
    "monkey123",
    "dragon123",
    "changeme",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_a_shape() {
        for good in ["ada", "Al", "A-b_9", "abcdefghijklmnopqrst"] {
            assert!(AccountName::parse(good).is_ok(), "{good}");
        }
        for bad in
            ["", "a", "9lives", "-x", "ada lovelace", "ädä", "<script>", "abcdefghijklmnopqrstu"]
        {
            assert!(AccountName::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_of_the_house_are_reserved_in_every_spelling() {
        let is_reserved = |name: &str| AccountName::parse(name).expect("a good name").is_reserved();
        for name in [
            "admin",
            "Admin",
            "AD-MIN",
            "moderator_",
            "manifold",
            "guest",
            "anonymous",
            // Several of them, with a number, or so that it looks the same.
            "admins",
            "Moderators",
            "mods",
            "admin2",
            "Support-24",
            "staff_7",
            "adm1n",
            "M0derator",
            "rnod",
            // Like the house's own, or a guest's.
            "Manifold-Team",
            "manifoldadmin",
            "rnanifold",
            "Guest_7F3K",
            "guest7",
            "Guest-ABCDEF",
            "gue5t_2",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for level in Level::ALL {
            assert!(is_reserved(level.name()), "{level}");
        }
        for name in [
            "ada",
            "administer",
            "point9",
            "Cubist",
            "my-bot",
            "bot7",
            "modern",
            "Rooty",
            "bots",
            "ateam",
            "Model5",
            "many",
            "augusta",
            "supporter",
            "ghost",
        ] {
            assert!(!is_reserved(name), "{name}");
        }
    }

    #[test]
    fn a_guest_cannot_be_named_like_an_account_nor_an_account_like_a_guest() {
        let name = guest_name(&mut rand::rng());
        assert!(AccountName::parse(&name).is_err(), "{name}");
        for between in ["", "_", "-"] {
            let name = AccountName::parse(&name.replace(' ', between)).expect("a good name");
            assert!(name.is_reserved(), "{name:?}");
        }
    }

    #[test]
    fn a_computer_is_known_by_its_id_and_named_like_nobody() {
        for level in Level::ALL {
            let Player { id, name, kind } = Player::computer(level);
            assert_eq!(PlayerKind::parse(kind.as_str(), id), Some(kind));
            assert!(AccountName::parse(&name).is_err(), "{name}");
            assert!(id <= Player::LAST_COMPUTER && PlayerId::new() > Player::LAST_COMPUTER);
        }
        assert_eq!(Player::computer(Level::Cube).name, "Cube (level 4)");
        assert_eq!(PlayerKind::parse("computer", PlayerId::new()), None);
    }

    #[test]
    fn a_kind_is_read_as_it_was_written() {
        for kind in [PlayerKind::Guest, PlayerKind::Account, PlayerKind::Bot] {
            assert_eq!(PlayerKind::parse(kind.as_str(), PlayerId::new()), Some(kind));
        }
    }

    #[test]
    fn weak_passwords_are_refused() {
        let name = AccountName::parse("ada").unwrap();
        for (bad, why) in [
            ("", WeakPassword::TooShort),
            ("short", WeakPassword::TooShort),
            ("aaaaaaaaaa", WeakPassword::Common),
            ("Password", WeakPassword::Common),
            ("12345678", WeakPassword::Common),
            ("i-am-ADA-99", WeakPassword::HoldsName),
            (&"xy".repeat(300), WeakPassword::TooLong),
        ] {
            assert_eq!(Password::new(bad.to_owned(), &name).err(), Some(why), "{bad}");
        }
        assert!(Password::new("four dimensions".to_owned(), &name).is_ok());
    }
}
