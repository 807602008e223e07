//! The server's process.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::{Client, Database, PATIENCE, Storage};

/// Where the server listens; it changes when it is started again.
pub(crate) type Address = Arc<Mutex<String>>;

/// Limits that no story meets by accident: all its people come from one address. A story about limits sets its own.
const ROOMY: [(&str, &str); 13] = [
    ("server.connections", "20000"),
    ("server.connections_per_address", "20000"),
    ("limits.commands_per_second", "100000"),
    ("limits.commands_burst", "100000"),
    ("limits.new_players_per_hour", "1000000"),
    ("limits.logins_per_hour", "1000000"),
    ("limits.logins_per_name_per_hour", "1000000"),
    ("limits.writes_per_hour", "1000000"),
    ("limits.analyses_per_hour", "1000000"),
    ("limits.positions_per_hour", "1000000"),
    ("database.timeout_ms", "2000"),
    // Nobody has to see what has changed.
    ("computer.pause_ms", "0"),
    // Whoever has just won is far above whoever has just lost, and would wait for it.
    ("pool.window", "5000"),
];

/// A server with its own fresh database. It is killed when this is dropped.
pub struct Server {
    child: Option<Child>,
    address: Address,
    /// Holds the log and SQLite's file.
    directory: tempfile::TempDir,
    storage: Storage,
    settings: Vec<(String, String)>,
}

impl Server {
    /// Starts one with the settings that it has by itself, but for generous limits.
    ///
    /// # Panics
    /// If it does not get ready.
    pub async fn start(database: Database) -> Server {
        Server::start_with(database, &[]).await
    }

    /// The same with some settings changed: `("game.first_move_blitz_ms", "500")`.
    ///
    /// # Panics
    /// If it does not get ready.
    pub async fn start_with(database: Database, settings: &[(&str, &str)]) -> Server {
        let mut server = Server::prepare(database, settings).await;
        server.start_again().await;
        server
    }

    /// Starts one on a database that `fill` has made.
    ///
    /// # Panics
    /// If it does not get ready.
    pub async fn from_copy(database: Database, fill: impl AsyncFnOnce(&Server)) -> Server {
        let mut server = Server::prepare(database, &[]).await;
        fill(&server).await;
        server.start_again().await;
        server
    }

    async fn prepare(database: Database, settings: &[(&str, &str)]) -> Server {
        let directory = tempfile::tempdir().expect("a temporary directory can be made");
        let storage = Storage::create(database, directory.path()).await;
        Server::prepare_on(storage, directory, settings)
    }

    /// The same on this database; `directory` is for the log, and whatever else the server has to put somewhere.
    ///
    /// # Panics
    /// If it does not get ready.
    pub async fn start_on(
        storage: Storage,
        directory: tempfile::TempDir,
        settings: &[(&str, &str)],
    ) -> Server {
        let mut server = Server::prepare_on(storage, directory, settings);
        server.start_again().await;
        server
    }

    fn prepare_on(
        storage: Storage,
        directory: tempfile::TempDir,
        settings: &[(&str, &str)],
    ) -> Server {
        let settings = ROOMY
            .iter()
            .chain(settings)
            .map(|&(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        Server { child: None, address: Address::default(), directory, storage, settings }
    }

    /// What the server tells of itself; it must have been started with `metrics.listen`.
    ///
    /// # Panics
    /// If it does not say where.
    pub async fn metrics(&self) -> Metrics {
        let log = self.log();
        let place = log.split("figures on ").nth(1).and_then(|rest| rest.split_whitespace().next());
        Metrics(place.expect("it says where figures are").to_owned())
    }

    /// The same program with another command, on this server's database.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(binary());
        clear_environment(&mut command);
        command.env("DATABASE_URL", self.storage.url()).current_dir(self.directory.path());
        command.args(arguments).kill_on_drop(true);
        command
    }

    /// Runs such a command with an input: whether it succeeded, and what it said.
    ///
    /// # Panics
    /// If it cannot be run.
    pub async fn run_with_input(&self, arguments: &[&str], input: &str) -> (bool, String) {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the server's binary runs");
        let mut stdin = child.stdin.take().expect("it is piped");
        stdin.write_all(input.as_bytes()).await.expect("it reads");
        drop(stdin);
        let output = child.wait_with_output().await.expect("it ends");
        let said = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&said).into_owned())
    }

    /// Changes a setting from its next start on.
    pub fn set(&mut self, key: &str, value: &str) {
        self.settings.push((key.to_owned(), value.to_owned()));
    }

    /// Starts it on the same database after [`kill9`](Server::kill9) or [`stop`](Server::stop).
    ///
    /// # Panics
    /// If it does not get ready.
    pub async fn start_again(&mut self) {
        self.launch("127.0.0.1:0").await;
    }

    /// The same on the address that it had, for pages that are still open.
    ///
    /// # Panics
    /// If it does not get ready.
    pub async fn start_again_in_place(&mut self) {
        let origin = self.origin();
        self.launch(origin.trim_start_matches("http://")).await;
    }

    async fn launch(&mut self, listen: &str) {
        assert!(self.child.is_none(), "it is running");
        let log = std::fs::File::options()
            .create(true)
            .append(true)
            .open(self.log_path())
            .expect("the log can be written");
        let mut command = Command::new(binary());
        clear_environment(&mut command);
        for (key, value) in &self.settings {
            command.env(format!("MANIFOLD__{}", key.to_uppercase().replace('.', "__")), value);
        }
        let mut child = command
            .args(["--listen", listen, "--database-url", self.storage.url()])
            // Not the repository: its config/manifold.toml must not matter.
            .current_dir(self.directory.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .kill_on_drop(true)
            .spawn()
            .expect("the server's binary runs");
        let stdout = child.stdout.take().expect("it is piped");
        self.child = Some(child);
        let ready =
            timeout(PATIENCE, ready_line(stdout)).await.expect("the server gets ready in time");
        let address = ready
            .unwrap_or_else(|_| panic!("the server ended before it was ready:\n{}", self.log()));
        *self.address.lock().expect("nobody panics with it") = address;
    }

    /// `http://127.0.0.1:PORT`
    ///
    /// # Panics
    /// Never.
    pub fn origin(&self) -> String {
        self.address.lock().expect("nobody panics with it").clone()
    }

    /// Somebody without a session.
    pub fn client(&self) -> Client {
        Client::new(self.address.clone())
    }

    /// Its database.
    pub fn storage(&self) -> &Storage {
        &self.storage
    }

    /// What it has logged so far.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    fn log_path(&self) -> PathBuf {
        self.directory.path().join("log")
    }

    /// Its number among the processes.
    ///
    /// # Panics
    /// If it is not running.
    pub fn pid(&self) -> u32 {
        self.child.as_ref().and_then(Child::id).expect("it is running")
    }

    /// Whether it is still there.
    pub fn is_running(&mut self) -> bool {
        self.child.as_mut().is_some_and(|child| matches!(child.try_wait(), Ok(None)))
    }

    /// No warning, no farewell.
    ///
    /// # Panics
    /// If it is not running.
    pub async fn kill9(&mut self) {
        let mut child = self.child.take().expect("it is running");
        child.kill().await.expect("it can be killed");
    }

    /// Asks it to stop, as systemd and Docker do. [`wait`](Server::wait) tells how it ended.
    ///
    /// # Panics
    /// If it is not running.
    pub fn terminate(&self) {
        let pid = self.pid().to_string();
        let status = std::process::Command::new("kill").args(["-TERM", &pid]).status();
        assert!(status.expect("there is a kill").success());
    }

    /// Waits until it has ended.
    ///
    /// # Panics
    /// If it does not end in time.
    pub async fn wait(&mut self) -> ExitStatus {
        let mut child = self.child.take().expect("it is running");
        let status = timeout(PATIENCE, child.wait()).await.expect("the server ends in time");
        status.expect("it can be waited for")
    }

    /// Stops it in good order.
    ///
    /// # Panics
    /// If it does not, or reports a failure.
    pub async fn stop(&mut self) {
        self.terminate();
        let status = self.wait().await;
        assert!(status.success(), "{status}:\n{}", self.log());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let log = self.log();
            let lines: Vec<_> = log.lines().collect();
            eprintln!(
                "The server's last words:\n{}",
                lines[lines.len().saturating_sub(40)..].join("\n")
            );
        }
    }
}

/// Reads the address; what comes after it is read and forgotten, so that the server never blocks on it.
async fn ready_line(stdout: tokio::process::ChildStdout) -> io::Result<String> {
    let mut lines = BufReader::new(stdout).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some(url) = line.strip_prefix("Manifold is ready: ") {
            let address = url.trim_end_matches('/').to_owned();
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(address);
        }
    }
    Err(io::ErrorKind::UnexpectedEof.into())
}

/// No setting of ours reaches the server.
fn clear_environment(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| name.starts_with("MANIFOLD") || name == "DATABASE_URL")
        {
            command.env_remove(name);
        }
    }
}

/// What a server tells Prometheus.
pub struct Metrics(String);

impl Metrics {
    /// The page as it is now.
    ///
    /// # Panics
    /// If there is none.
    pub async fn page(&self) -> String {
        let answer = reqwest::get(&self.0).await.expect("figures are told");
        assert_eq!(answer.status(), reqwest::StatusCode::OK);
        answer.text().await.expect("text")
    }
}

/// `MANIFOLD_BIN`; without it the one beside this program, built first so that it is never a stale one.
fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        if let Some(path) = std::env::var_os("MANIFOLD_BIN") {
            return path.into();
        }
        let own = std::env::current_exe().expect("this program lies somewhere");
        let is_profile =
            |directory: &&Path| directory.ends_with("debug") || directory.ends_with("release");
        let directory = own.ancestors().find(is_profile).expect("this program was built by cargo");
        let mut cargo =
            std::process::Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(["build", "--quiet", "--package", "manifold", "--bin", "manifold"]);
        cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
        cargo.env("CARGO_TARGET_DIR", directory.parent().expect("it has one"));
        if directory.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().expect("cargo runs").success(), "the server does not build");
        directory.join("manifold")
    })
}
