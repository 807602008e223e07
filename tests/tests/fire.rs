//! Short runs of `cargo xtask fire`: whatever breaks, nothing acknowledged is lost. What is asserted is what was promised,
//! never how long it took.

use std::time::Duration;

use manifold_tests::Database;
use manifold_tests::fire::crowd::{self, Nuisance};
use manifold_tests::fire::outage::{self, Outcome};
use manifold_tests::fire::{Trouble, kills};

const KILLS: kills::Plan = kills::Plan {
    games: 10,
    kills: 10,
    life: Duration::from_millis(300),
    thought: Duration::from_millis(2500),
    absence: Duration::from_millis(1500),
    seed: 7,
};

const OUTAGE: outage::Plan = outage::Plan {
    games: 8,
    away: Duration::from_secs(3),
    around: Duration::from_secs(1),
    between: Duration::from_millis(200),
    again: Duration::from_millis(200),
    timeout_ms: 1000,
    seed: 7,
};

const CROWD: crowd::Plan = crowd::Plan {
    games: 4,
    between: Duration::from_millis(400),
    time: Duration::from_millis(1000),
    stalled: 5,
    flooders: 2,
    garbage: 9,
    half_closed: 4,
    storm: 60,
};

async fn nothing_is_lost(database: Database) {
    let (verdict, returns) = kills::run(database, KILLS).await.expect("the server comes back");
    println!("{database:?}\n{verdict}\n{returns}");
    assert!(verdict.is_good(), "{verdict}");
    assert!(verdict.moves > KILLS.kills && verdict.clocks > KILLS.kills, "{verdict}");
}

#[tokio::test]
async fn a_server_killed_again_and_again_loses_nothing_on_sqlite() {
    nothing_is_lost(Database::Sqlite).await;
}

#[tokio::test]
async fn a_server_killed_again_and_again_loses_nothing_on_postgres() {
    nothing_is_lost(Database::Postgres).await;
}

async fn play_goes_on_after(trouble: Trouble) {
    match outage::run(trouble, OUTAGE).await.expect("server and database start") {
        Outcome::Skipped(why) => println!("{trouble}: skipped: {why}"),
        Outcome::Tried(tried) => {
            let (verdict, absence) = *tried;
            println!("{trouble}\n{verdict}\n{absence}");
            assert!(verdict.is_good(), "{verdict}\n{absence}");
            // It was away indeed.
            assert!(absence.refused > 0 && absence.visitors > 0, "{absence}");
            assert!(verdict.moves > OUTAGE.games && verdict.clocks > 0, "{verdict}");
        }
    }
}

#[tokio::test]
async fn play_goes_on_after_postgres_has_crashed() {
    play_goes_on_after(Trouble::PostgresStopped).await;
}

#[tokio::test]
async fn play_goes_on_after_postgres_has_hung() {
    play_goes_on_after(Trouble::PostgresHung).await;
}

#[tokio::test]
async fn play_goes_on_after_sqlite_was_locked() {
    play_goes_on_after(Trouble::SqliteLocked).await;
}

#[tokio::test]
async fn play_goes_on_after_sqlite_had_a_full_disk() {
    play_goes_on_after(Trouble::SqliteFull).await;
}

async fn nobody_suffers_from_others(database: Database) {
    let ran = crowd::run(database, CROWD, &Nuisance::ALL).await;
    let (verdict, trials) = ran.expect("the server lets the players begin");
    println!("{database:?}\n{verdict}\n{trials}");
    assert!(verdict.is_good(), "{verdict}\n{trials}");
    assert_eq!(trials.0.len(), Nuisance::ALL.len());
    assert!(trials.0.iter().all(|trial| trial.lines() > 0), "{trials}");
    assert!(verdict.moves > CROWD.games, "{verdict}");
}

#[tokio::test]
async fn nobody_suffers_from_others_on_sqlite() {
    nobody_suffers_from_others(Database::Sqlite).await;
}

#[tokio::test]
async fn nobody_suffers_from_others_on_postgres() {
    nobody_suffers_from_others(Database::Postgres).await;
}
