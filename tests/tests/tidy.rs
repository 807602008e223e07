//! Reads the sources and keeps what ARCHITECTURE.md says must never be, as far as a program can see it.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace is above").to_owned()
}

/// All files below `folder` with one of these endings, by their path from the root.
fn files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder that can be read") {
            let path = entry.expect("an entry that can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if endings
                .iter()
                .any(|ending| path.extension().is_some_and(|found| found == *ending))
            {
                let name = path
                    .strip_prefix(root())
                    .expect("below the root")
                    .to_string_lossy()
                    .into_owned();
                found.push((name, fs::read_to_string(&path).expect("text")));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has no such files");
    found
}

/// The text without comments and without what only tests see.
fn code(text: &str) -> String {
    // A module of tests stands at the end of its file; what else is there for tests alone is code like any.
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Fails if a file's code contains one of `words`.
fn never(files: &[(String, String)], words: &[&str], why: &str) {
    let mut broken = Vec::new();
    for (name, text) in files {
        let code = code(text);
        broken.extend(
            words.iter().filter(|word| code.contains(*word)).map(|word| format!("{name}: {word}")),
        );
    }
    assert!(broken.is_empty(), "{why}:\n{}", broken.join("\n"));
}

#[test]
fn rules_ratings_and_engine_do_no_io_and_read_no_clock() {
    for krate in ["crates/rules/src", "crates/glicko2/src", "crates/engine/src"] {
        let words = [
            "tokio",
            "axum",
            "sqlx",
            "tracing",
            "serde",
            "std::time::Instant",
            "SystemTime",
            "std::env",
            "std::fs",
            "rand::",
        ];
        never(&files(krate, &["rs"]), &words, "rules, glicko2 and engine are pure");
    }
}

#[test]
fn pure_rooms_of_the_server_wait_for_nothing() {
    let pure = [
        "game/state.rs",
        "game/state/decide.rs",
        "game/chat.rs",
        "game/clock.rs",
        "game/lag.rs",
        "game/offers.rs",
        "game/event.rs",
        "game/question.rs",
        "lobby/pool.rs",
        "lobby/seek.rs",
        "lobby/challenge.rs",
        "computer/mind.rs",
    ];
    let rooms: Vec<_> = files("crates/server/src", &["rs"])
        .into_iter()
        .filter(|(name, _)| pure.iter().any(|room| name.ends_with(room)))
        .collect();
    assert_eq!(rooms.len(), pure.len());
    let words = ["tokio", "axum", "sqlx", "Instant", "rand::", "async ", "clock().now()"];
    never(&rooms, &words, "now and randomness are arguments");

    // Whose answer is due first is a matter of moments; what moment it is, is an argument here, too.
    let queue: Vec<_> = files("crates/server/src/computer", &["rs"])
        .into_iter()
        .filter(|(name, _)| name.ends_with("/queue.rs"))
        .collect();
    assert_eq!(queue.len(), 1);
    let words =
        ["tokio", "axum", "sqlx", "Instant::now", "elapsed()", "rand::", "async ", "clock().now()"];
    never(&queue, &words, "now and randomness are arguments");
}

#[test]
fn sql_is_in_the_store_and_http_in_its_own_rooms() {
    let server = files("crates/server/src", &["rs"]);
    let outside = |rooms: &[&str]| {
        server
            .iter()
            .filter(|(name, _)| !rooms.iter().any(|room| name.contains(room)))
            .cloned()
            .collect::<Vec<_>>()
    };
    never(
        &outside(&["/store/"]),
        &["sqlx::query", "SELECT ", "INSERT INTO", "UPDATE "],
        "SQL is in the store",
    );
    never(
        &outside(&["/http/", "/ws/", "error.rs", "src/lib.rs", "src/serve.rs"]),
        &["axum::"],
        "HTTP types are in http, ws and error",
    );
    never(
        &outside(&[]),
        &["unbounded_channel", "thread::sleep", "todo!", "unimplemented!"],
        "nothing unbounded, nothing unfinished",
    );
}

#[test]
fn nobody_sleeps_in_a_test_and_no_test_is_ignored() {
    for folder in ["crates", "tests"] {
        for (name, text) in files(folder, &["rs"]) {
            // Random moments are what the ordeal by fire is about.
            if name.ends_with("tidy.rs") || name.contains("/fire/") {
                continue;
            }
            assert!(!text.contains(concat!("#[", "ignore")), "{name} ignores a test");
            let tests = text.split_once("#[cfg(test)]").map_or("", |(_, tests)| tests);
            let is_test = name.starts_with("tests/")
                || name.contains("/tests/")
                || name.ends_with("tests.rs");
            let tests = if is_test { &text } else { tests };
            assert!(!tests.contains("sleep("), "{name} sleeps");
        }
    }
}

#[test]
fn the_client_puts_no_data_into_markup_and_runs_nothing_inline() {
    let client = files("static", &["js", "html"]);
    let words = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        " onclick=",
        "style=\"",
    ];
    never(&client, &words, "the client builds its pages from nodes");
}

#[test]
fn a_file_fits_in_a_head() {
    let mut long: Vec<String> = Vec::new();
    for (folder, endings, most) in [
        ("crates", &["rs"][..], 700),
        ("tests", &["rs"], 700),
        ("xtask", &["rs"], 700),
        ("static", &["js", "css"], 300),
    ] {
        for (name, text) in files(folder, endings) {
            let lines = text.lines().count();
            if lines > most {
                long.push(format!("{name}: {lines} lines, at most {most}"));
            }
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}

/// Whoever wants to know whether a fault of other servers is one here finds it in the list, and its tests by its number.
#[test]
fn every_case_of_the_list_has_a_test_by_its_number() {
    let numbers = |text: &str, before: &str| -> std::collections::BTreeSet<usize> {
        let found = text.match_indices(before).map(|(at, _)| &text[at + before.len()..]);
        found.filter_map(|rest| rest.get(..2)?.parse().ok()).collect()
    };
    let list = fs::read_to_string(root().join("docs/cases.md")).expect("the list");
    let listed = numbers(&list, "| `case_");
    let mut tested = std::collections::BTreeSet::new();
    for (folder, endings, before) in [
        ("crates", "rs", "fn case_"),
        ("tests/tests", "rs", "fn case_"),
        ("tests/client", "js", "test('case_"),
    ] {
        for (_, text) in files(folder, &[endings]) {
            tested.extend(numbers(&text, before));
        }
    }
    assert_eq!(listed, (1..=22).collect());
    assert_eq!(tested, listed);
}
