//! `cargo xtask load`: see [`manifold_tests::load`].

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use manifold_tests::Database;
use manifold_tests::load::report::{Report, SATURATED_GAMES, Subject};
use manifold_tests::load::{Load, back, idle, moves, relay};

const USAGE: &str = "\
load [--games N] [--seconds S] [--rate MOVES_PER_SECOND] [--only relay|sqlite|postgres]
    --games     how many are played at once (100)
    --seconds   how long each is measured (10)
    --rate      all moves together a second; without it each is answered at once
load --idle N [--only sqlite|postgres]
    the memory of so many sockets that only wait, half of them with a session
load --back N [--only sqlite|postgres]
    how soon so many games are there after kill -9
load --all [--seconds S] [--rate MOVES_PER_SECOND]
    all that is asked, and whether it is reached: 100, 200 and 1000 games, saturated; 100 and 1000 at the rate (10000);
    5000 idle sockets; 10000 games back
";

/// What was asked for.
struct Plan {
    loads: Vec<Load>,
    idle: Option<usize>,
    back: Option<usize>,
    subjects: Vec<Subject>,
}

fn main() -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if std::env::args().nth(1).as_deref() == Some(relay::SERVE) {
        return runtime.block_on(relay::serve());
    }
    let plan = parse(std::env::args().skip(1))?;
    runtime.block_on(measure(plan))
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Plan> {
    let mut load = Load { games: 100, time: Duration::from_secs(10), pace: None };
    let (mut rate, mut idle, mut back, mut all) = (None, None, None, false);
    let mut subjects = vec![None, Some(Database::Sqlite), Some(Database::Postgres)];
    while let Some(argument) = arguments.next() {
        if argument == "--all" {
            all = true;
            continue;
        }
        let value = arguments.next().with_context(|| format!("{argument} what?\n{USAGE}"))?;
        match (argument.as_str(), value.as_str()) {
            ("--games", value) => load.games = value.parse::<usize>()?.clamp(1, 5_000),
            ("--seconds", value) => {
                load.time = Duration::from_secs(value.parse::<u64>()?.clamp(1, 600))
            }
            ("--rate", value) => rate = Some(value.parse::<u32>()?.max(1)),
            ("--idle", value) => idle = Some(value.parse::<usize>()?.clamp(2, 15_000)),
            ("--back", value) => back = Some(value.parse::<usize>()?.clamp(2, 100_000)),
            ("--only", "relay") => subjects = vec![None],
            ("--only", "sqlite") => subjects = vec![Some(Database::Sqlite)],
            ("--only", "postgres") => subjects = vec![Some(Database::Postgres)],
            (other, value) => bail!("{other} {value} is not understood\n{USAGE}"),
        }
    }
    let loads = if all {
        let load = |games| Load { games, ..load };
        let steady = [100, 1000].map(|games| load(games).at_rate(rate.unwrap_or(10_000)));
        [100, SATURATED_GAMES, 1000].map(load).into_iter().chain(steady).collect()
    } else if idle.is_some() || back.is_some() {
        Vec::new()
    } else {
        vec![rate.map_or(load, |rate| load.at_rate(rate))]
    };
    let idle = if all { idle.or(Some(5_000)) } else { idle };
    let back = if all { back.or(Some(10_000)) } else { back };
    Ok(Plan { loads, idle, back, subjects })
}

async fn measure(plan: Plan) -> Result<()> {
    let mut report = Report::default();
    report.moves.extend(plan.loads.iter().map(|load| (*load, Vec::new())));
    for subject in plan.subjects.iter().filter(|_| !plan.loads.is_empty()) {
        let figures = match subject {
            None => {
                let mut figures = Vec::new();
                for load in &plan.loads {
                    figures.push(relay::measure(*load).await?);
                }
                figures
            }
            Some(database) => moves(*database, &plan.loads).await?,
        };
        for ((_, rows), figures) in report.moves.iter_mut().zip(figures) {
            rows.push((*subject, figures));
        }
    }
    for database in plan.subjects.into_iter().flatten() {
        if let Some(sockets) = plan.idle {
            report.idle.push((database, sockets, idle::measure(database, sockets).await?));
        }
        if let Some(games) = plan.back {
            report.back.push((database, games, back::measure(database, games).await?));
        }
    }
    print!("{report}");
    Ok(())
}
