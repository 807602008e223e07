//! Copies of the database, and servers that begin from them.

use std::path::Path;

use manifold_tests::table::{FOURFOLD_MATE, Player, Table, long_game};
use manifold_tests::{Database, PASSWORD, Server, Storage, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::process::Command;

/// Runs a program that must do what it is for.
async fn succeeds(command: &mut Command) -> String {
    let output = command.output().await.expect("the program runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// As docs/hosting.md says.
async fn back_up(server: &Server, file: &Path) {
    match server.storage() {
        Storage::Sqlite(_) => _ = succeeds(server.command(&["backup"]).arg(file)).await,
        Storage::Postgres { url, .. } => {
            let mut dump = Command::new("pg_dump");
            succeeds(dump.args(["--format=custom", "--file"]).arg(file).arg(url)).await;
        }
    }
}

async fn restore(server: &Server, file: &Path) {
    match server.storage() {
        Storage::Sqlite(_) => _ = succeeds(server.command(&["restore"]).arg(file)).await,
        Storage::Postgres { url, .. } => {
            let mut restore = Command::new("pg_restore");
            succeeds(restore.args(["--exit-on-error", "--no-owner", "--dbname", url]).arg(file))
                .await;
        }
    }
}

on_both_databases! {
    /// Played on before, during and after; what was acknowledged before the copy began is in it, and the games go on.
    async fn a_copy_made_while_people_play_is_a_server_of_its_own(db: Database) {
        let server = Server::start(db).await;
        let mut over = Table::rated(&server, "fourfold").await;
        over.play(0, &FOURFOLD_MATE).await;
        over.ended("white", "checkmate").await;
        let mut table = Table::casual(&server).await;
        let moves = long_game();
        table.play(0, &moves[..40]).await;
        let acknowledged = 40;

        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("copy");
        let (copied, ()) = tokio::join!(back_up(&server, &file), table.play(40, &moves[40..120]));
        let () = copied;

        let other = Server::from_copy(db, async |other: &Server| restore(other, &file).await).await;
        let client = other.client();
        client.log_in("ada").await.expect(StatusCode::OK);
        let ended = client.game(&over.game).await;
        assert_eq!(ended["ratings"], server.client().game(&over.game).await["ratings"]);
        let there = client.game(&table.game).await["moves"].as_array().unwrap().len();
        assert!((acknowledged..=120).contains(&there), "{there} moves");
        // Whoever played there has a session here as well: the same cookie opens it.
        let mut sockets = Vec::new();
        for player in [&table.white, &table.black] {
            sockets.push(manifold_tests::Socket::open(&other.origin(), player.client.cookie()).await);
        }
        for (ply, turn) in moves.iter().enumerate().skip(there).take(4) {
            sockets[ply % 2].play(&table.game, ply, turn).await;
        }
    }
}

#[tokio::test]
async fn a_copy_is_whole_or_refused_and_nothing_is_written_over() {
    let mut server = Server::start(Database::Sqlite).await;
    Player::account(&server, "ada").await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy");
    back_up(&server, &file).await;
    let again = server.command(&["backup"]).arg(&file).output().await.expect("it runs");
    assert!(
        !again.status.success()
            && String::from_utf8_lossy(&again.stderr).contains("is there already")
    );
    // Nor over what a server has, nor over what one had.
    let over = server.command(&["restore"]).arg(&file).output().await.expect("it runs");
    let said = String::from_utf8_lossy(&over.stderr);
    assert!(!over.status.success() && said.contains("another server uses this database"), "{said}");
    server.stop().await;
    let over = server.command(&["restore"]).arg(&file).output().await.expect("it runs");
    let said = String::from_utf8_lossy(&over.stderr);
    assert!(!over.status.success() && said.contains("is there already"), "{said}");

    let whole = std::fs::read(&file).expect("it is there");
    let half = folder.path().join("half");
    std::fs::write(&half, &whole[..whole.len() / 2]).expect("written");
    let text = folder.path().join("text");
    std::fs::write(&text, "no database").expect("written");
    let missing = folder.path().join("missing");
    for bad in [&half, &text, &missing] {
        let to = format!("sqlite:{}", folder.path().join("new.db").display());
        let mut command = server.command(&["restore", "--database-url", &to]);
        let output = command.arg(bad).output().await.expect("it runs");
        assert!(!output.status.success(), "{}", bad.display());
        assert!(!folder.path().join("new.db").exists(), "{}", bad.display());
    }
}

on_both_databases! {
    async fn whoever_hosts_the_server_can_help_who_forgot_a_password(db: Database) {
        let server = Server::start(db).await;
        let ada = server.client();
        ada.sign_up("ada").await;
        let (_, token) = ada.token("my bot").await;
        let list = succeeds(&mut server.command(&["user", "list"])).await;
        assert!(list.lines().any(|line| line.starts_with("ada\taccount\t")), "{list}");

        let set = async |name: &str, password: &str| {
            server.run_with_input(&["user", "password", name], &format!("{password}\n")).await
        };
        let (ok, said) = set("ada", "short").await;
        assert!(!ok && said.contains("at least 8"), "{said}");
        let (ok, said) = set("nobody", "hypercube-99").await;
        assert!(!ok && said.contains("no account"), "{said}");
        let (ok, said) = set("ada", "hypercube-99").await;
        assert!(ok, "{said}");
        assert_eq!(ada.get("/api/v1/session").await.expect(StatusCode::OK)["player"], Value::Null);
        let request = ada.request(reqwest::Method::GET, "/api/v1/session").bearer_auth(&token);
        ada.send(request).await.expect_refusal(401, "invalid_token");
        ada.post("/api/v1/session", json!({"name": "ada", "password": PASSWORD})).await.expect_refusal(401, "wrong_credentials");
        ada.post("/api/v1/session", json!({"name": "ada", "password": "hypercube-99"})).await.expect(StatusCode::OK);
        succeeds(&mut server.command(&["user", "logout", "ada"])).await;
        assert_eq!(ada.get("/api/v1/session").await.expect(StatusCode::OK)["player"], Value::Null);
    }
}
