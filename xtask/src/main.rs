//! What CI and a newcomer run. It needs nothing but Rust: what else the tests want it brings, starts and stops itself.
//!
//! `test.rs` has the list of steps. The library beside it keeps what has to go away with this process.

mod client;
mod needs;
mod test;

use anyhow::{Result, bail};
use std::ffi::OsString;
use std::process::{Command, ExitCode};

use xtask::command::{cargo, run, target_dir};
use xtask::postgres::{self, Postgres};

const USAGE: &str = "\
cargo xtask test [--only STEP]… [-- ARGUMENTS OF CARGO TEST]
    Everything that must pass: fmt, clippy, doc, deny, client, build, test. With --only, those steps alone:
    cargo xtask test --only fmt --only clippy
    cargo xtask test --only test -- --test stories draw
cargo xtask postgres -- COMMAND…
    Runs COMMAND with DATABASE_URL and MANIFOLD_TEST_POSTGRES set to a private Postgres that is gone afterwards.
cargo xtask load [ARGUMENTS OF THE LOAD GENERATOR]
    How fast moves travel, on SQLite and on Postgres, beside a relay that does nothing else.
cargo xtask fire [kills|outage|crowd] [ARGUMENTS]
    What the server does under fire: killed again and again under 200 games, without its database, among clients that
    do everything wrong. Counts what is lost: nothing.
";

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let task = arguments.next().unwrap_or_default();
    let rest: Vec<OsString> = arguments.collect();
    let result = match task.to_str() {
        Some("test") => test::Plan::parse(&rest).and_then(|plan| plan.run()),
        Some("postgres") => with_postgres(&rest),
        Some("load") => release("load", &rest),
        Some("fire") => release("fire", &rest),
        Some("help" | "--help" | "-h") => {
            print!("{USAGE}");
            Ok(())
        }
        Some(_) | None => Err(anyhow::anyhow!("no such task\n\n{USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn with_postgres(arguments: &[OsString]) -> Result<()> {
    let [separator, program, rest @ ..] = arguments else { bail!("nothing to run\n\n{USAGE}") };
    if separator != "--" {
        bail!("the command comes after --\n\n{USAGE}");
    }
    needs::bring(&[needs::POSTGRES])?;
    let postgres = Postgres::start()?;
    let mut command = Command::new(program);
    command.args(rest).env("DATABASE_URL", postgres.url());
    run(command.env(postgres::TEST_VARIABLE, postgres.url()))
}

/// Runs a program of the tests against a server built for release.
fn release(program: &str, arguments: &[OsString]) -> Result<()> {
    needs::bring(&[needs::POSTGRES])?;
    let postgres = Postgres::start()?;
    // Both at once: built one by one, they would want different features of what they share, and that twice.
    run(cargo().args([
        "build",
        "--release",
        "--package",
        "manifold",
        "--package",
        "manifold-tests",
    ]))?;
    let folder = target_dir()?.join("release");
    run(Command::new(folder.join(program))
        .args(arguments)
        .env("MANIFOLD_BIN", folder.join("manifold"))
        .env(postgres::TEST_VARIABLE, postgres.url()))
}
