//! `cargo xtask fire`: see [`manifold_tests::fire`].

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use manifold_tests::Database;
use manifold_tests::fire::{self, Plan};

const USAGE: &str = "\
fire [--games N] [--kills N] [--life-ms N] [--thought-ms N] [--absence-ms N] [--seed N] [--only sqlite|postgres]
    --games       how many are played at once (200)
    --kills       how often the server is killed (200)
    --life-ms     for how long at most it lives after its first move (1000)
    --thought-ms  by how much longer every fifth time, while half of the tables think (3000)
    --absence-ms  for how long it is away every tenth time (3000)
    --seed        another one kills at other moments (1)
";

fn main() -> Result<()> {
    let (plan, databases) = parse(std::env::args().skip(1))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let mut is_good = true;
    for database in databases {
        println!("{database:?}: {} games at once, {} kills", plan.games, plan.kills);
        let (verdict, returns) = runtime.block_on(fire::run(database, plan))?;
        println!("{verdict}");
        println!("          from the start of the process to the first move: {returns}");
        is_good &= verdict.is_good();
    }
    if !is_good {
        bail!("a promise was broken");
    }
    Ok(())
}

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<(Plan, Vec<Database>)> {
    let mut plan = Plan {
        games: 200,
        kills: 200,
        life: Duration::from_millis(1000),
        thought: Duration::from_millis(3000),
        absence: Duration::from_millis(3000),
        seed: 1,
    };
    let mut databases = vec![Database::Sqlite, Database::Postgres];
    while let Some(argument) = arguments.next() {
        let value = arguments.next().with_context(|| format!("{argument} what?\n{USAGE}"))?;
        let ms = || -> Result<Duration> {
            Ok(Duration::from_millis(value.parse::<u64>()?.clamp(0, 60_000)))
        };
        match (argument.as_str(), value.as_str()) {
            ("--games", value) => plan.games = value.parse::<usize>()?.clamp(1, 2_000),
            ("--kills", value) => plan.kills = value.parse::<usize>()?.clamp(1, 10_000),
            ("--life-ms", _) => plan.life = ms()?,
            ("--thought-ms", _) => plan.thought = ms()?,
            ("--absence-ms", _) => plan.absence = ms()?,
            ("--seed", value) => plan.seed = value.parse()?,
            ("--only", "sqlite") => databases = vec![Database::Sqlite],
            ("--only", "postgres") => databases = vec![Database::Postgres],
            (other, value) => bail!("{other} {value} is not understood\n{USAGE}"),
        }
    }
    Ok((plan, databases))
}
