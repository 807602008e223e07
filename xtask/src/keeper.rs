//! Something that goes away with this process, however that ends.
//!
//! It hangs on a pipe: a small shell script brings it and waits for the end of its standard input. That comes when the
//! [`Keeper`] is dropped, and also when this process is interrupted or killed; so what was brought is taken away again in
//! every case, without any signal handler here. Until then the script takes orders, a line each, and answers each with one.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context as _, Result, bail};

/// A script that holds something until this is dropped.
#[derive(Debug)]
pub struct Keeper {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Keeper {
    /// Runs `script` by a shell, as another user where one is named by user and group, and waits until it says `ready`.
    ///
    /// # Errors
    /// If it says anything else; its own words are on standard error.
    pub fn start(script: &str, arguments: &[&Path], user: Option<(u32, u32)>) -> Result<Keeper> {
        let mut command = Command::new("sh");
        command.args(["-c", script, "keeper"]).args(arguments);
        if let Some((user, group)) = user {
            command.uid(user).gid(group);
        }
        let mut child = command
            .current_dir("/")
            // Its own process group: Ctrl-C ends us, and that ends it in good order.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("cannot run sh")?;
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut keeper = Keeper { child, answers };
        keeper.expect("ready")?;
        Ok(keeper)
    }

    /// Has the script do something, and waits until it says that it has.
    ///
    /// # Errors
    /// If it says anything else, or is gone.
    pub fn order(&mut self, order: &str, answer: &str) -> Result<()> {
        let stdin = self.child.stdin.as_mut().context("the keeper has been dismissed")?;
        writeln!(stdin, "{order}").with_context(|| format!("nobody is there to {order}"))?;
        self.expect(answer)
    }

    fn expect(&mut self, answer: &str) -> Result<()> {
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        if line.trim() != answer {
            bail!("{answer} was expected, and {:?} heard; its own words are above", line.trim());
        }
        Ok(())
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        if let Err(error) = self.child.wait() {
            eprintln!("did the keeper take away what it brought? {error}");
        }
    }
}

/// A fresh directory that no other process and nobody else in this one has. Whoever asks removes it.
///
/// # Errors
/// If it cannot be created.
pub fn fresh_directory(purpose: &str) -> Result<PathBuf> {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let directory =
        std::env::temp_dir().join(format!("manifold-{purpose}-{}-{number}", std::process::id()));
    std::fs::create_dir(&directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    Ok(directory)
}
