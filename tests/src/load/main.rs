//! `cargo xtask load`: see [`manifold_tests::load`].

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use manifold_tests::Database;
use manifold_tests::load::{Figures, Load, back, idle, moves, relay};

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
    one table: 100 and 1000 games, saturated and at the rate (10000); 5000 idle sockets; 10000 games back
";

#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Relay,
    Sqlite,
    Postgres,
}

impl Subject {
    fn name(self) -> &'static str {
        match self {
            Subject::Relay => "relay",
            Subject::Sqlite => "SQLite",
            Subject::Postgres => "Postgres",
        }
    }

    fn database(self) -> Option<Database> {
        match self {
            Subject::Relay => None,
            Subject::Sqlite => Some(Database::Sqlite),
            Subject::Postgres => Some(Database::Postgres),
        }
    }
}

/// What was asked for.
struct Plan {
    loads: Vec<Load>,
    idle: Option<usize>,
    back: Option<usize>,
    subjects: Vec<Subject>,
}

fn main() -> Result<()> {
    let plan = parse(std::env::args().skip(1))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(measure(plan))
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Plan> {
    let mut load = Load { games: 100, time: Duration::from_secs(10), pace: None };
    let (mut rate, mut idle, mut back, mut all) = (None, None, None, false);
    let mut subjects = vec![Subject::Relay, Subject::Sqlite, Subject::Postgres];
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
            ("--only", "relay") => subjects = vec![Subject::Relay],
            ("--only", "sqlite") => subjects = vec![Subject::Sqlite],
            ("--only", "postgres") => subjects = vec![Subject::Postgres],
            (other, value) => bail!("{other} {value} is not understood\n{USAGE}"),
        }
    }
    let loads = if all {
        [100, 1000]
            .map(|games| Load { games, ..load })
            .into_iter()
            .flat_map(|load| [load, load.at_rate(rate.unwrap_or(10_000))])
            .collect()
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
    let mut measured = Vec::new();
    for &subject in &plan.subjects {
        if plan.loads.is_empty() {
            break;
        }
        let figures = match subject.database() {
            None => {
                let mut figures = Vec::new();
                for load in &plan.loads {
                    figures.push(relay::measure(*load).await?);
                }
                figures
            }
            Some(database) => moves(database, &plan.loads).await?,
        };
        measured.push((subject, figures));
    }
    for (index, load) in plan.loads.iter().enumerate() {
        let of = |(subject, figures): &'_ (Subject, Vec<Figures>)| (*subject, row(&figures[index]));
        show(*load, measured.iter().map(of));
    }
    let databases = plan.subjects.iter().filter_map(|subject| Some((subject, subject.database()?)));
    for (subject, database) in databases {
        if let Some(sockets) = plan.idle {
            let found = idle::measure(database, sockets).await?;
            println!(
                "{}: {:.1} kB for each of {} idle sockets without a session, {:.1} kB with one, over {:.1} MB",
                subject.name(),
                found.stranger / 1000.0,
                sockets / 2,
                found.guest / 1000.0,
                found.base as f64 / 1e6
            );
        }
        if let Some(games) = plan.back {
            let found = back::measure(database, games).await?;
            println!(
                "{}: {games} games back: ready after {:.2?}, first move after {:.2?}, all shown after {:.2?}",
                subject.name(),
                found.ready,
                found.first_move,
                found.all_shown
            );
        }
    }
    Ok(())
}

/// Moves, moves a second, and times.
fn row(figures: &Figures) -> (u64, f64, [f64; 3]) {
    (figures.moves(), figures.per_second(), [0.5, 0.99, 1.0].map(|quantile| figures.ms(quantile)))
}

fn show(load: Load, rows: impl Iterator<Item = (Subject, (u64, f64, [f64; 3]))>) {
    match load.pace {
        Some(pace) => println!("{} games at once, a move every {pace:.0?} in each", load.games),
        None => println!("{} games at once, each move answered at once", load.games),
    }
    let header = ["moves", "moves/s", "p50 ms", "p99 ms", "max ms"];
    let [moves, rate, p50, p99, max] = header;
    println!("{:<10} {moves:>9} {rate:>9} {p50:>8} {p99:>8} {max:>8}", "");
    for (subject, (moves, rate, [p50, p99, max])) in rows {
        let wanted = load.pace.map(|pace| load.games as f64 / pace.as_secs_f64());
        let late = match wanted {
            Some(wanted) if rate < wanted * 0.95 => format!("  of {wanted:.0} wanted"),
            Some(_) | None => String::new(),
        };
        let name = subject.name();
        println!("{name:<10} {moves:>9} {rate:>9.0} {p50:>8.2} {p99:>8.2} {max:>8.2}{late}");
    }
    println!();
}
