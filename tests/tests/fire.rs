//! A short run of `cargo xtask fire`: the server is killed in the middle of things, and nothing acknowledged is lost.

use std::time::Duration;

use manifold_tests::Database;
use manifold_tests::fire::{self, Plan};

const SHORT: Plan = Plan {
    games: 10,
    kills: 10,
    life: Duration::from_millis(300),
    thought: Duration::from_millis(2500),
    absence: Duration::from_millis(1500),
    seed: 7,
};

async fn nothing_is_lost(database: Database) {
    let (verdict, returns) = fire::run(database, SHORT).await.expect("the server comes back");
    println!("{database:?}\n{verdict}\n{returns}");
    assert!(verdict.is_good(), "{verdict}");
    assert!(verdict.moves > SHORT.kills && verdict.clocks > SHORT.kills, "{verdict}");
}

#[tokio::test]
async fn a_server_killed_again_and_again_loses_nothing_on_sqlite() {
    nothing_is_lost(Database::Sqlite).await;
}

#[tokio::test]
async fn a_server_killed_again_and_again_loses_nothing_on_postgres() {
    nothing_is_lost(Database::Postgres).await;
}
