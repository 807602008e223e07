//! `cargo xtask fire`: see [`manifold_tests::fire`].

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use manifold_tests::Database;
use manifold_tests::fire::crowd::{self, Nuisance};
use manifold_tests::fire::outage::Outcome;
use manifold_tests::fire::{Trouble, Verdict, kills, outage};

const USAGE: &str = "\
fire [kills] [--games N] [--kills N] [--life-ms N] [--thought-ms N] [--absence-ms N] [--seed N] [--only sqlite|postgres]
    --games       how many are played at once (200)
    --kills       how often the server is killed (200)
    --life-ms     for how long at most it lives after its first move (1000)
    --thought-ms  by how much longer every fifth time, while half of the tables think (3000)
    --absence-ms  for how long it is away every tenth time (3000)
    --seed        another one kills at other moments (1)
fire outage [--games N] [--seconds N] [--between-ms N] [--timeout-ms N] [--seed N] [--only TROUBLE]
    --games       how many are played at once (200)
    --seconds     how long the database is away (30)
    --between-ms  from one move of a game to the next (1000)
    --timeout-ms  database.timeout_ms (4000)
    --only        postgres, sqlite, postgres-stopped, postgres-hung, sqlite-locked or sqlite-full
fire crowd [--games N] [--seconds N] [--between-ms N] [--stalled N] [--flooders N] [--garbage N] [--half-closed N] [--storm N]
           [--only sqlite|postgres|KIND]
    --games       of well-behaved players (50)
    --seconds     for how long there is quiet, and then trouble of each kind (10)
    --between-ms  from one move of a game to the next (500)
    --stalled     sockets that watch and never read (50)
    --flooders    sockets that send as fast as they can (4)
    --garbage     lines on which comes what is no message or request (30)
    --half-closed lines that are closed in one direction (50)
    --storm       sockets that watch, are all dropped at once and all come back at once (2000)
    --only        a database, or one kind of trouble by these names
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let is_good = match arguments.split_first() {
        Some((drill, rest)) if drill == "kills" => runtime.block_on(kills(rest)),
        Some((drill, rest)) if drill == "outage" => runtime.block_on(outage(rest)),
        Some((drill, rest)) if drill == "crowd" => runtime.block_on(crowd(rest)),
        Some(_) | None => runtime.block_on(kills(&arguments)),
    }?;
    if !is_good {
        bail!("a promise was broken");
    }
    Ok(())
}

/// Options and their values.
fn pairs(arguments: &[String]) -> Result<Vec<(&str, &str)>> {
    arguments
        .chunks(2)
        .map(|pair| match pair {
            [option, value] => Ok((option.as_str(), value.as_str())),
            _ => bail!("{} what?\n{USAGE}", pair.concat()),
        })
        .collect()
}

/// A number within bounds.
fn number(value: &str, least: u64, most: u64) -> Result<u64> {
    Ok(value.parse::<u64>().with_context(|| format!("{value} is no number"))?.clamp(least, most))
}

fn count(value: &str, most: u64) -> Result<usize> {
    Ok(usize::try_from(number(value, 1, most)?)?)
}

fn ms(value: &str) -> Result<Duration> {
    Ok(Duration::from_millis(number(value, 0, 60_000)?))
}

fn show(verdict: &Verdict, figures: &impl std::fmt::Display) -> bool {
    println!("{verdict}\n{figures}");
    verdict.is_good()
}

async fn kills(arguments: &[String]) -> Result<bool> {
    let mut plan = kills::Plan {
        games: 200,
        kills: 200,
        life: Duration::from_millis(1000),
        thought: Duration::from_millis(3000),
        absence: Duration::from_millis(3000),
        seed: 1,
    };
    let mut databases = vec![Database::Sqlite, Database::Postgres];
    for pair in pairs(arguments)? {
        match pair {
            ("--games", value) => plan.games = count(value, 2_000)?,
            ("--kills", value) => plan.kills = count(value, 10_000)?,
            ("--life-ms", value) => plan.life = ms(value)?,
            ("--thought-ms", value) => plan.thought = ms(value)?,
            ("--absence-ms", value) => plan.absence = ms(value)?,
            ("--seed", value) => plan.seed = value.parse()?,
            ("--only", "sqlite") => databases = vec![Database::Sqlite],
            ("--only", "postgres") => databases = vec![Database::Postgres],
            (other, value) => bail!("{other} {value} is not understood\n{USAGE}"),
        }
    }
    let mut is_good = true;
    for database in databases {
        println!("{database:?}: {} games at once, {} kills", plan.games, plan.kills);
        let (verdict, returns) = kills::run(database, plan).await?;
        is_good &= show(&verdict, &returns);
    }
    Ok(is_good)
}

async fn outage(arguments: &[String]) -> Result<bool> {
    let mut plan = outage::Plan {
        games: 200,
        away: Duration::from_secs(30),
        around: Duration::from_secs(5),
        between: Duration::from_millis(1000),
        again: Duration::from_millis(500),
        timeout_ms: 4000,
        seed: 1,
    };
    let mut troubles = Trouble::ALL.to_vec();
    for pair in pairs(arguments)? {
        match pair {
            ("--games", value) => plan.games = count(value, 2_000)?,
            ("--seconds", value) => plan.away = Duration::from_secs(number(value, 1, 600)?),
            ("--between-ms", value) => {
                plan.between = Duration::from_millis(number(value, 10, 60_000)?)
            }
            ("--timeout-ms", value) => plan.timeout_ms = number(value, 100, 60_000)?,
            ("--seed", value) => plan.seed = value.parse()?,
            ("--only", value) => {
                troubles.retain(|trouble| trouble.name().starts_with(value));
                if troubles.is_empty() {
                    bail!("--only {value} is not understood\n{USAGE}");
                }
            }
            (other, value) => bail!("{other} {value} is not understood\n{USAGE}"),
        }
    }
    let mut is_good = true;
    for trouble in troubles {
        println!("{trouble}, for {:?}: {} games at once", plan.away, plan.games);
        match outage::run(trouble, plan).await? {
            Outcome::Skipped(why) => println!("          skipped: {why}"),
            Outcome::Tried(tried) => is_good &= show(&tried.0, &tried.1),
        }
    }
    Ok(is_good)
}

async fn crowd(arguments: &[String]) -> Result<bool> {
    let mut plan = crowd::Plan {
        games: 50,
        between: Duration::from_millis(500),
        time: Duration::from_secs(10),
        stalled: 50,
        flooders: 4,
        garbage: 30,
        half_closed: 50,
        storm: 2000,
    };
    let mut databases = vec![Database::Sqlite, Database::Postgres];
    let mut nuisances = Nuisance::ALL.to_vec();
    for pair in pairs(arguments)? {
        match pair {
            ("--games", value) => plan.games = count(value, 400)?,
            ("--between-ms", value) => plan.between = ms(value)?.max(Duration::from_millis(1)),
            ("--seconds", value) => plan.time = Duration::from_secs(number(value, 1, 600)?),
            ("--stalled", value) => plan.stalled = count(value, 5_000)?,
            ("--flooders", value) => plan.flooders = count(value, 5_000)?,
            ("--garbage", value) => plan.garbage = count(value, 5_000)?,
            ("--half-closed", value) => plan.half_closed = count(value, 5_000)?,
            ("--storm", value) => plan.storm = count(value, 8_000)?,
            ("--only", "sqlite") => databases = vec![Database::Sqlite],
            ("--only", "postgres") => databases = vec![Database::Postgres],
            ("--only", value) => {
                nuisances.retain(|nuisance| nuisance.name() == value);
                if nuisances.is_empty() {
                    bail!("--only {value} is not understood\n{USAGE}");
                }
            }
            (other, value) => bail!("{other} {value} is not understood\n{USAGE}"),
        }
    }
    let mut is_good = true;
    for database in databases {
        println!(
            "{database:?}: {} well-behaved games at once, for {:?} each",
            plan.games, plan.time
        );
        let (verdict, trials) = crowd::run(database, plan, &nuisances).await?;
        is_good &= show(&verdict, &trials);
    }
    Ok(is_good)
}
