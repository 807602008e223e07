//! A private Postgres, with a fresh directory and a Unix socket in it, that nobody else can meet. It can be taken away for
//! a while, as a crash does it or as a machine that hangs.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::command::{in_path, is_root, output, succeeds};
use crate::keeper::{Keeper, fresh_directory};

/// Where tests look for a Postgres in which they may create databases.
pub const TEST_VARIABLE: &str = "MANIFOLD_TEST_POSTGRES";

/// Arguments: the directory of the programs, the fresh directory.
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
start() {
    "$programs/postgres" -D "$directory/data" -k "$directory" -c listen_addresses= -c max_connections=400 \
        >>"$directory/postgres.log" 2>&1 </dev/null &
    server=$!
    tries=0
    until "$programs/pg_isready" -q -h "$directory" -U postgres; do
        tries=$((tries + 1))
        if [ "$tries" -gt 600 ] || ! kill -0 "$server" 2>/dev/null; then fail; fi
        sleep 0.05
    done
}
go_on() {
    # The children first: the parent would count those that it cannot reach.
    for process in $hung; do kill -CONT "$process" 2>/dev/null; done
    hung=
}
hung=
"$programs/initdb" -D "$directory/data" -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync \
    >"$directory/initdb.log" 2>&1 || fail
start
echo ready
while read -r order; do
    case $order in
    stop)
        # At once, as a crash: what is committed is in the log that it reads at its next start.
        kill -QUIT "$server"
        wait "$server"
        server=
        echo stopped ;;
    start)
        start
        echo started ;;
    hang)
        # The parent first: it makes no more children then.
        kill -STOP "$server"
        hung="$(cat "/proc/$server/task/$server/children") $server"
        for process in $hung; do kill -STOP "$process" 2>/dev/null; done
        echo hung ;;
    continue)
        go_on
        echo continued ;;
    esac
done
go_on
if [ -n "$server" ]; then kill -INT "$server"; wait "$server"; fi
rm -rf "$directory"
"#;

/// A running Postgres; it stops when this is dropped.
#[derive(Debug)]
pub struct Postgres {
    keeper: Keeper,
    url: String,
}

impl Postgres {
    /// Creates and starts one.
    ///
    /// # Errors
    /// If it is not installed, or does not start.
    pub fn start() -> Result<Postgres> {
        let programs = programs().context("initdb was not found: is Postgres installed?")?;
        let directory = fresh_directory("postgres")?;
        let user = if is_root()? {
            // initdb refuses root.
            let (user, group) = unprivileged()?;
            std::os::unix::fs::chown(&directory, Some(user), Some(group))?;
            Some((user, group))
        } else {
            None
        };
        let keeper = Keeper::start(KEEPER, &[&programs, &directory], user)
            .context("Postgres did not start")?;
        let url = format!("postgres://postgres@localhost/postgres?host={}", directory.display());
        Ok(Postgres { keeper, url })
    }

    /// Of its database `postgres`, for someone who may do everything.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Ends all its processes at once, without a farewell to anyone.
    ///
    /// # Errors
    /// If it is gone.
    pub fn stop(&mut self) -> Result<()> {
        self.keeper.order("stop", "stopped")
    }

    /// Starts it after [`stop`](Postgres::stop), and waits until it takes connections.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start_again(&mut self) -> Result<()> {
        self.keeper.order("start", "started")
    }

    /// Stops all its processes where they are: connections stay open, and nothing answers.
    ///
    /// # Errors
    /// If it is gone.
    pub fn hang(&mut self) -> Result<()> {
        self.keeper.order("hang", "hung")
    }

    /// Lets it go on after [`hang`](Postgres::hang).
    ///
    /// # Errors
    /// If it is gone.
    pub fn go_on(&mut self) -> Result<()> {
        self.keeper.order("continue", "continued")
    }
}

/// The directory of the programs of the newest Postgres. Debian keeps them out of `PATH`, where there are at best some of
/// them.
pub fn programs() -> Option<PathBuf> {
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
