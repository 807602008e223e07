//! Every body that the API reads, for whoever wants to try all kinds of them. A test compares the list with the handlers.

use manifold_rules::{Game, Variant};

use super::{accounts, analysis, challenges, computers, positions, puzzles, session, sessions};
use crate::decode::decode;
use crate::player::{AccountName, Password};
use crate::session::token_name;

/// Reads a text as one kind of body, and what is in it as the handlers do.
type Read = fn(&[u8]) -> Result<(), String>;

/// The list: a file of handlers, the type that one of them reads, and what is made of it.
macro_rules! bodies {
    ($($file:ident::$body:ident($read:ident) $look:block)*) => {
        pub(crate) const BODIES: &[(&str, Read)] = &[$((
            concat!(stringify!($file), "::", stringify!($body)),
            |text| {
                let $read: $file::$body = decode(text)?;
                $look
                Ok(())
            },
        )),*];
    };
}

bodies! {
    accounts::OldAndNew(_body) {}
    accounts::SignUp(body) {
        if let Ok(name) = AccountName::parse(&body.name) {
            _ = (name.is_reserved(), Password::new(body.password, &name).is_ok());
        }
    }
    analysis::Question(body) {
        let read = |fen: &String| {
            for variant in [Variant::Fourfold, Variant::ParallelWorlds] {
                let game = Game::from_fen(variant, fen).ok();
                _ = game.map(|game| game.legal_first_moves());
            }
        };
        body.fen.iter().for_each(read);
    }
    challenges::NewChallenge(_body) {}
    computers::NewGame(_body) {}
    positions::Question(body) {
        for variant in [Variant::Fourfold, Variant::ParallelWorlds] {
            body.look(variant);
        }
    }
    puzzles::Attempt(body) {
        for variant in [Variant::Fourfold, Variant::ParallelWorlds] {
            let mut game = Game::new(variant);
            for turn in &body.line {
                let Ok(turn) = game.parse_turn(turn) else { break };
                _ = game.play(&turn);
            }
        }
    }
    session::NameAndPassword(body) {
        _ = (AccountName::parse(&body.name).is_ok(), Password::attempt(body.password).is_some());
    }
    sessions::NewToken(body) { _ = token_name(&body.name); }
}

/// No handler reads a body that is not in the list.
#[test]
fn every_body_is_in_the_list() {
    let mut paths = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/http")];
    let mut missing = Vec::new();
    let mut found = 0;
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(path).expect("the sources are there");
            paths.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        let file = path.file_stem().and_then(|stem| stem.to_str()).expect("a name").to_owned();
        if path.ends_with(file!().rsplit('/').next().expect("a name")) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        // As an argument, and not where the extractor itself is made.
        for (at, _) in text.match_indices("): Body<") {
            let name = text[at + "): Body<".len()..].split('>').next().expect("a type");
            found += 1;
            let is_listed = |(listed, _): &(&str, Read)| {
                listed.split_once("::").is_some_and(|(of, body)| body == name && of == file)
            };
            if !BODIES.iter().any(is_listed) {
                missing.push(format!("{file}::{name}"));
            }
        }
    }
    assert!(missing.is_empty(), "not tried with random bytes: {missing:?}");
    assert!(found >= BODIES.len(), "{found} handlers read {} bodies", BODIES.len());
}
