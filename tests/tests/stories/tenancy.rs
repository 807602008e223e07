//! One database has one server, however the servers begin and end.

use std::process::Stdio;
use std::time::Instant;

use manifold_tests::table::{Player, Table};
use manifold_tests::{Client, Database, PATIENCE, Server, Storage, on_both_databases};
use reqwest::StatusCode;
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};

/// A second server on the database of this one, which must not get ready: what it said, and whether it ended well.
async fn second_server(server: &Server) -> (bool, String) {
    let mut command = server.command(&["--listen", "127.0.0.1:0"]);
    command.env("MANIFOLD__DATABASE__TIMEOUT_MS", "300").stdin(Stdio::null());
    let output = tokio::time::timeout(PATIENCE, command.output()).await;
    let output = output.expect("it does not stay").expect("the program runs");
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

on_both_databases! {
    async fn a_second_server_on_one_database_is_refused_until_the_first_is_gone(db: Database) {
        let mut server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        table.play_on(0, 2).await;

        let (ok, said) = second_server(&server).await;
        assert!(!ok && said.contains("one database has one server"), "{said}");
        assert!(!said.contains("Manifold is ready"), "{said}");
        // The first has noticed nothing.
        table.play_on(2, 2).await;

        // However the first ends, the next one begins at once.
        server.kill9().await;
        server.start_again().await;
        let (ok, said) = second_server(&server).await;
        assert!(!ok && said.contains("one database has one server"), "{said}");
        server.stop().await;
        server.start_again().await;
        assert_eq!(server.client().game(&table.game).await["moves"].as_array().unwrap().len(), 4);
    }

    async fn only_what_leaves_the_database_alone_runs_beside_a_server(db: Database) {
        let server = Server::start_with(db, &[("database.timeout_ms", "2000")]).await;
        Player::account(&server, "ada").await;
        let run = async |arguments: &[&str]| {
            let mut command = server.command(arguments);
            let output = command.env("MANIFOLD__DATABASE__TIMEOUT_MS", "300").output().await;
            let output = output.expect("the program runs");
            let said = [output.stdout, output.stderr].concat();
            (output.status.success(), String::from_utf8_lossy(&said).into_owned())
        };
        let (ok, said) = run(&["user", "list"]).await;
        assert!(ok && said.contains("ada\taccount"), "{said}");
        let (ok, said) = run(&["migrate"]).await;
        assert!(!ok && said.contains("one database has one server"), "{said}");

        if let Storage::Sqlite(url) = server.storage() {
            let folder = tempfile::tempdir().expect("a folder");
            let copy = folder.path().join("copy").display().to_string();
            let (ok, said) = run(&["backup", &copy]).await;
            assert!(ok, "{said}");
            // Whoever moves the file away has not stopped the server.
            let file = url.strip_prefix("sqlite:").expect("it is SQLite's");
            for suffix in ["", "-wal", "-shm"] {
                let from = format!("{file}{suffix}");
                std::fs::rename(&from, format!("{file}.away{suffix}")).expect("it is there");
            }
            let (ok, said) = run(&["restore", &copy]).await;
            assert!(!ok && said.contains("one database has one server"), "{said}");
        }
    }
}

/// Each name of a file has another one beside it that could be locked; the file has one lock.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_database_is_one_whatever_names_its_file_has() {
    let mut server = Server::start(Database::Sqlite).await;
    let Storage::Sqlite(url) = server.storage() else { panic!("this is SQLite") };
    let file = url.strip_prefix("sqlite:").expect("it is SQLite's").to_owned();
    let other = format!("{file}.other");
    for _ in 0..2 {
        // A new database, and one that was there at the start.
        std::fs::hard_link(&file, &other).expect("the file is there");
        let url = format!("sqlite:{other}");
        let mut command = server.command(&["--listen", "127.0.0.1:0", "--database-url", &url]);
        command.env("MANIFOLD__DATABASE__TIMEOUT_MS", "300").stdin(Stdio::null());
        let output = tokio::time::timeout(PATIENCE, command.output()).await;
        let output = output.expect("it does not stay").expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && said.contains("one database has one server"), "{said}");
        std::fs::remove_file(&other).expect("it is there");
        server.stop().await;
        server.start_again().await;
    }
    Player::account(&server, "ada").await;
}

/// Helps nobody who has no database, and makes none.
#[tokio::test]
async fn people_are_helped_only_where_there_is_a_database() {
    let mut server = Server::start(Database::Sqlite).await;
    server.stop().await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("none.db");
    let url = format!("sqlite:{}", file.display());
    let run = async || {
        let output = server.command(&["user", "list", "--database-url", &url]).output().await;
        let output = output.expect("it runs");
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (ok, said) = run().await;
    assert!(!ok && !file.exists(), "{said}");
    std::fs::write(&file, "").expect("written");
    let (ok, said) = run().await;
    assert!(!ok && said.contains("manifold migrate"), "{said}");
}

/// A connection of our own to the server's Postgres.
async fn connection(server: &Server) -> PgConnection {
    let Storage::Postgres { url, .. } = server.storage() else { panic!("this is for Postgres") };
    PgConnection::connect(url).await.expect("Postgres answers")
}

/// Ends the one connection by which the server holds its database.
const END_THE_HOLD: &str =
    "SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database
     WHERE locktype = 'advisory' AND granted AND datname = current_database() AND pid <> pg_backend_pid()";
/// The lock's number, as the server says it.
const LOCK: i64 = i64::from_be_bytes(*b"manifold");

/// Becomes guests until that is answered as it should be.
async fn until_answered(client: &Client, status: StatusCode) {
    let begun = Instant::now();
    loop {
        let answer = client.post("/api/v1/guests", json!({})).await;
        if answer.status == status {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{}", answer.body);
    }
}

/// Somebody waits for the lock when its connection dies, and so has it: nothing is done until it is clear who that is.
#[tokio::test]
async fn a_server_that_may_have_lost_its_database_waits_until_it_has_it_again() {
    let server = Server::start(Database::Postgres).await;
    let mut table = Table::casual(&server).await;
    table.play_on(0, 2).await;
    let mut other = connection(&server).await;
    let mut waiting = connection(&server).await;
    let waits = tokio::spawn(async move {
        sqlx::query("SELECT pg_advisory_lock($1)")
            .bind(LOCK)
            .execute(&mut waiting)
            .await
            .expect("a lock");
        waiting
    });
    let queued = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    let begun = Instant::now();
    while server.storage().count(queued).await.expect("it answers") == 0 {
        assert!(begun.elapsed() < PATIENCE, "nobody waits");
    }
    other.execute(END_THE_HOLD).await.expect("it ends");
    let waiting = waits.await.expect("it has the lock");

    until_answered(&server.client(), StatusCode::SERVICE_UNAVAILABLE).await;
    assert_eq!(server.client().get("/readyz").await.status, StatusCode::SERVICE_UNAVAILABLE);
    let play = json!({"t": "move", "id": "held", "game": table.game, "ply": 2,
        "move": manifold_tests::table::long_game()[2]});
    table.white.socket.refused(play.clone(), "storage_unavailable").await;

    waiting.close().await.expect("it goes");
    until_answered(&server.client(), StatusCode::CREATED).await;
    table.white.socket.event(&table.game, "resumed").await;
    table.white.socket.done(play).await;
    assert!(!second_server(&server).await.0, "it is held again");
}

/// Another server was there while nothing held the database: what this one knows of the games is not true any more.
#[tokio::test]
async fn a_server_whose_database_another_one_has_taken_stops() {
    let mut server = Server::start(Database::Postgres).await;
    let mut player = Player::guest(&server).await;
    let mut other = connection(&server).await;
    let taken = "UPDATE tenancy SET tenant = '00000000-0000-4000-8000-000000000000'";
    other.execute(taken).await.expect("there is a tenant");
    other.execute(END_THE_HOLD).await.expect("it ends");
    assert_eq!(player.socket.closed().await.as_deref(), Some("restart"));
    let status = server.wait().await;
    assert!(!status.success(), "{status}");
    assert!(server.log().contains("another server has taken the database"), "{}", server.log());
}
