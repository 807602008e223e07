//! `cargo xtask test`: the steps, in order, each with its time.

use anyhow::{Context, Result, bail};
use std::ffi::OsString;
use std::process::Command;
use std::time::{Duration, Instant};

use xtask::command::{cargo, run, succeeds, target_dir};
use xtask::postgres::{self, Postgres};

use crate::{client, needs};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Fmt,
    Clippy,
    Doc,
    Deny,
    Client,
    Build,
    Test,
}

/// What a step came to.
pub(crate) enum Done {
    Passed,
    /// It could not be run here, for this reason.
    Skipped(&'static str),
}

impl Step {
    const ALL: [Step; 7] =
        [Step::Fmt, Step::Clippy, Step::Doc, Step::Deny, Step::Client, Step::Build, Step::Test];

    fn name(self) -> &'static str {
        match self {
            Step::Fmt => "fmt",
            Step::Clippy => "clippy",
            Step::Doc => "doc",
            Step::Deny => "deny",
            Step::Client => "client",
            Step::Build => "build",
            Step::Test => "test",
        }
    }

    fn run(self, arguments: &[OsString]) -> Result<Done> {
        match self {
            Step::Fmt => run(cargo().args(["fmt", "--all", "--check"]))?,
            Step::Clippy => {
                run(cargo().args([
                    "clippy",
                    "--workspace",
                    "--all-targets",
                    "--",
                    "-D",
                    "warnings",
                ]))?;
            }
            Step::Doc => {
                run(cargo()
                    .args(["doc", "--workspace", "--no-deps"])
                    .env("RUSTDOCFLAGS", "-D warnings"))?;
            }
            Step::Deny => return deny(),
            Step::Client => return client::check(),
            Step::Build => {
                // The selection that `cargo test` builds too, so that nothing is built twice; the server is in it.
                run(cargo().args(["build", "--workspace", "--bins", "--tests", "--examples"]))?;
            }
            Step::Test => test(arguments)?,
        }
        Ok(Done::Passed)
    }
}

fn deny() -> Result<Done> {
    if !succeeds(cargo().args(["deny", "--version"])) {
        return Ok(Done::Skipped("cargo-deny is not installed"));
    }
    run(cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    Ok(Done::Passed)
}

/// Unit tests, doctests, store tests on both databases, stories against the real binary, and the browsers.
fn test(arguments: &[OsString]) -> Result<()> {
    let postgres = Postgres::start()?;
    let mut command: Command = cargo();
    command.args(["test", "--workspace"]);
    if arguments.is_empty() {
        command.arg("--no-fail-fast");
    }
    match client::axe() {
        Ok(axe) => {
            command.env("MANIFOLD_AXE", axe);
        }
        Err(why) => eprintln!("the pages are not judged by axe-core: {why}"),
    }
    run(command
        .args(arguments)
        .env(postgres::TEST_VARIABLE, postgres.url())
        .env("MANIFOLD_BIN", target_dir()?.join("debug/manifold")))
}

/// What was asked for.
pub(crate) struct Plan {
    steps: Vec<Step>,
    /// Handed on to `cargo test`.
    arguments: Vec<OsString>,
}

impl Plan {
    pub(crate) fn parse(arguments: &[OsString]) -> Result<Plan> {
        let mut plan = Plan { steps: Vec::new(), arguments: Vec::new() };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match argument.to_str() {
                Some("--only") => {
                    let name =
                        rest.next().and_then(|name| name.to_str()).context("--only which step?")?;
                    let step = Step::ALL.into_iter().find(|step| step.name() == name);
                    let step = step.with_context(|| format!("there is no step {name}"))?;
                    // The tests run what was built: a stale binary would pass for a fresh one.
                    if step == Step::Test && !plan.steps.contains(&Step::Build) {
                        plan.steps.push(Step::Build);
                    }
                    plan.steps.push(step);
                }
                Some("--") => plan.arguments = rest.by_ref().cloned().collect(),
                Some(_) | None => {
                    bail!("{} is not understood; see `cargo xtask help`", argument.display())
                }
            }
        }
        if plan.steps.is_empty() {
            plan.steps = Step::ALL.to_vec();
        }
        Ok(plan)
    }

    /// # Errors
    /// The first step that fails ends it.
    pub(crate) fn run(&self) -> Result<()> {
        if self.steps.contains(&Step::Test) {
            needs::bring(&[needs::POSTGRES])?;
            needs::bring(&needs::BROWSER)?;
        }
        let start = Instant::now();
        let mut report = Vec::new();
        let mut result = Ok(());
        for step in &self.steps {
            eprintln!("\n== {}", step.name());
            let begin = Instant::now();
            let done = step.run(&self.arguments);
            let outcome = match &done {
                Ok(Done::Passed) => "passed".to_owned(),
                Ok(Done::Skipped(why)) => format!("skipped: {why}"),
                Err(_) => "FAILED".to_owned(),
            };
            report.push((step.name(), begin.elapsed(), outcome));
            if let Err(error) = done {
                result = Err(error);
                break;
            }
        }
        eprintln!();
        for (name, time, outcome) in report {
            eprintln!("{name:>8} {} {outcome}", shown(time));
        }
        eprintln!("{:>8} {}", "total", shown(start.elapsed()));
        result
    }
}

fn shown(time: Duration) -> String {
    format!("{:>3}:{:04.1}", time.as_secs() / 60, time.as_secs_f64() % 60.0)
}
