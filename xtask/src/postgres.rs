//! A private Postgres, with a fresh directory and a Unix socket in it, that nobody else can meet.
//!
//! It hangs on a pipe: a small shell script starts it and waits for its standard input to end. That happens when
//! [`Postgres`] is dropped, and also when this process is interrupted or killed; so the database stops and its files are
//! removed in every case, without any signal handler here.

use anyhow::{Context, Result, bail};
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::command::{in_path, output, succeeds};
use crate::needs::is_root;

/// Where tests look for a Postgres in which they may create databases.
pub(crate) const TEST_VARIABLE: &str = "MANIFOLD_TEST_POSTGRES";

/// Arguments: the directory of the programs, the fresh directory. Prints one line once connections are accepted.
const KEEPER: &str = r#"
set -u
programs=$1 directory=$2
server=
fail() {
    if [ -n "$server" ]; then kill -QUIT "$server"; wait "$server"; fi
    cat "$directory"/*.log >&2
    rm -rf "$directory"
    exit 1
}
"$programs/initdb" -D "$directory/data" -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync \
    >"$directory/initdb.log" 2>&1 || fail
"$programs/postgres" -D "$directory/data" -k "$directory" -c listen_addresses= -c max_connections=400 \
    >"$directory/postgres.log" 2>&1 </dev/null &
server=$!
tries=0
until "$programs/pg_isready" -q -h "$directory" -U postgres; do
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ] || ! kill -0 "$server" 2>/dev/null; then fail; fi
    sleep 0.05
done
echo ready
read -r _
kill -INT "$server"
wait "$server"
rm -rf "$directory"
"#;

/// A running Postgres; it stops when this is dropped.
pub(crate) struct Postgres {
    keeper: Child,
    url: String,
}

impl Postgres {
    pub(crate) fn start() -> Result<Postgres> {
        let programs = programs().context("initdb was not found: is Postgres installed?")?;
        let directory =
            std::env::temp_dir().join(format!("manifold-postgres-{}", std::process::id()));
        std::fs::create_dir(&directory)
            .with_context(|| format!("cannot create {}", directory.display()))?;

        let mut command = Command::new("sh");
        command.args(["-c", KEEPER, "postgres-keeper"]).arg(programs).arg(&directory);
        if is_root()? {
            // initdb refuses root.
            let (user, group) = unprivileged()?;
            std::os::unix::fs::chown(&directory, Some(user), Some(group))?;
            command.uid(user).gid(group);
        }
        let mut keeper = command
            .current_dir("/")
            // Its own process group: Ctrl-C ends us, and that ends it in good order.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot run sh")?;

        let stdout = keeper.stdout.take().expect("it is piped");
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        if line.trim() != "ready" {
            keeper.wait()?;
            bail!("Postgres did not start; its own words are above");
        }
        let url = format!("postgres://postgres@localhost/postgres?host={}", directory.display());
        Ok(Postgres { keeper, url })
    }

    /// Of its database `postgres`, for someone who may do everything.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        if let Err(error) = self.keeper.wait() {
            eprintln!("xtask: did Postgres stop? {error}");
        }
    }
}

/// The directory of the programs of the newest Postgres. Debian keeps them out of `PATH`, where there are at best some of
/// them.
pub(crate) fn programs() -> Option<PathBuf> {
    let complete = |directory: &PathBuf| {
        ["initdb", "postgres", "pg_isready"].iter().all(|program| directory.join(program).is_file())
    };
    let version = |bin: &PathBuf| bin.parent()?.file_name()?.to_str()?.parse::<u32>().ok();
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let debian = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    let newest = debian.filter(complete).max_by_key(version);
    newest.or_else(|| in_path("initdb")?.parent().map(Path::to_owned).filter(complete))
}

/// User and group to run as instead of root.
fn unprivileged() -> Result<(u32, u32)> {
    let user = if succeeds(Command::new("id").arg("postgres")) { "postgres" } else { "nobody" };
    let id =
        |which| -> Result<u32> { Ok(output(Command::new("id").args([which, user]))?.parse()?) };
    Ok((id("-u")?, id("-g")?))
}
