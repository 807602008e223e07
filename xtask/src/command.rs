//! Running other programs from the root of the repository.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
///
/// # Panics
/// Never.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// Where cargo builds; this program lies in `debug/` of it.
///
/// # Errors
/// If it was moved elsewhere.
pub fn target_dir() -> Result<PathBuf> {
    let own = std::env::current_exe().context("where is xtask itself?")?;
    Ok(own.ancestors().nth(2).context("xtask does not lie in a target directory")?.to_owned())
}

/// The cargo that started us.
pub fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // What cargo tells about *this* package would otherwise be taken for that of the packages it builds below.
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        }) {
            command.env_remove(name);
        }
    }
    command
}

/// Runs it to its end in the root of the repository.
///
/// # Errors
/// If it cannot be started or fails.
pub fn run(command: &mut Command) -> Result<()> {
    let shown = shown(command);
    eprintln!("$ {shown}");
    let status =
        command.current_dir(root()).status().with_context(|| format!("cannot run {shown}"))?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// Whether it can be run and succeeds; nobody sees its output.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// What it prints, trimmed.
///
/// # Errors
/// If it cannot be started or fails.
pub fn output(command: &mut Command) -> Result<String> {
    let shown = shown(command);
    let output = command.output().with_context(|| format!("cannot run {shown}"))?;
    if !output.status.success() {
        bail!("{shown}: {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether this process may do everything.
///
/// # Errors
/// If nobody says who we are.
pub fn is_root() -> Result<bool> {
    Ok(output(Command::new("id").arg("-u"))? == "0")
}

/// Whether there is such a program in `PATH`.
pub fn in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}
