//! What lets somebody act as a player: a browser that has logged in, or a token that a program shows.

use sha2::{Digest as _, Sha256};

use crate::assets::hex;
use crate::ids::SessionId;
use crate::player::Player;
use crate::time::Timestamp;

/// SHA-256 of a session's token: all that is kept of it.
pub type TokenHash = [u8; 32];

/// How a session is shown to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionKind {
    /// By a cookie: a person, who may do everything.
    Browser,
    /// By an `Authorization` header: a program, which plays and no more. One that is lost does not lose the account.
    Token,
}

impl SessionKind {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Token => "token",
        }
    }
}

/// What somebody shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    pub kind: SessionKind,
    pub token: TokenHash,
}

impl Shown {
    pub fn new(kind: SessionKind, token: &str) -> Self {
        Self { kind, token: Sha256::digest(token.as_bytes()).into() }
    }
}

/// By what a request to sign up by this name is known again. It is no token: nobody's text begins so.
pub fn sign_up_mark(handle: &str, id: &str) -> TokenHash {
    Sha256::digest(format!("sign-up {handle} {id}").as_bytes()).into()
}

/// A session that begins.
#[derive(Clone, Debug)]
pub struct NewSession {
    pub id: SessionId,
    pub shown: Shown,
    pub name: String,
    pub begins_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A session that was found.
#[derive(Clone, Debug)]
pub struct Session {
    pub id: SessionId,
    pub shown: Shown,
    pub player: Player,
    pub seen_at: Timestamp,
    pub expires_at: Timestamp,
}

/// A session as its owner sees it.
#[derive(Clone, Debug)]
pub struct OwnSession {
    pub id: SessionId,
    pub name: String,
    pub created_at: Timestamp,
    pub seen_at: Timestamp,
    pub expires_at: Timestamp,
}

/// Every token for programs begins with it, so that one that leaks into a repository is found by those who look.
const PREFIX: &str = "mfd_";

/// A token that nobody can guess: 256 bits.
pub fn new_token(kind: SessionKind, randomness: [u8; 32]) -> String {
    match kind {
        SessionKind::Browser => hex(&randomness),
        SessionKind::Token => format!("{PREFIX}{}", hex(&randomness)),
    }
}

/// What an owner calls a token: 1 to 40 characters that can be seen.
pub fn token_name(name: &str) -> Option<&str> {
    let name = name.trim();
    let fits = (1..=40).contains(&name.chars().count()) && !name.contains(char::is_control);
    fits.then_some(name)
}

/// A browser as its owner knows it, and no closer: `Firefox on Linux`. Nothing else of what it says of itself is kept.
pub fn browser_name(user_agent: &str) -> String {
    /// In this order: most claim to be those that come after them, too.
    const BROWSERS: [(&str, &str); 6] = [
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser/", "Samsung Internet"),
        ("Firefox/", "Firefox"),
        ("Chrome/", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: [(&str, &str); 6] = [
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS X", "Mac"),
        ("Linux", "Linux"),
    ];
    let found = |list: &[(&'static str, &'static str)]| {
        list.iter().find(|(sign, _)| user_agent.contains(sign)).map(|&(_, name)| name)
    };
    match (found(&BROWSERS), found(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => "Unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_named_coarsely() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0",
                "Firefox on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0 Safari/537.36 Edg/129.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Mobile/15E148 Safari/604.1",
                "Safari on iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0 Mobile Safari/537.36",
                "Chrome on Android",
            ),
            ("curl/8.5.0", "Unknown"),
            ("<script>alert(1)</script>", "Unknown"),
            ("", "Unknown"),
        ] {
            assert_eq!(browser_name(agent), expected, "{agent}");
        }
    }

    #[test]
    fn a_token_s_name_can_be_read() {
        assert_eq!(token_name("  my bot "), Some("my bot"));
        for bad in ["", "   ", "a\nb", "\u{0}", &"x".repeat(41)] {
            assert_eq!(token_name(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn the_two_kinds_of_tokens_are_told_apart_by_eye() {
        assert_eq!(new_token(SessionKind::Browser, [7; 32]).len(), 64);
        assert!(new_token(SessionKind::Token, [7; 32]).starts_with("mfd_07"));
    }
}
