//! The web client's checks: types by TypeScript, and its tests in Node. Both are for those who have Node; the server
//! needs neither.

use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::test::Done;
use xtask::command::{in_path, root, run, target_dir};

/// Pinned: a new compiler finds new faults, and should do so in a commit of its own.
const TYPESCRIPT: &str = "5.9.3";

/// The rules by which the browser tests judge whether everyone can use a page. Pinned for the same reason.
const AXE: &str = "4.14.1";

pub(crate) fn check() -> Result<Done> {
    if in_path("node").is_none() || in_path("npm").is_none() {
        return Ok(Done::Skipped("node and npm are not installed"));
    }
    // How strictly is said in static/tsconfig.json, where editors find it too.
    run(Command::new("node").arg(tsc()?).args(["--project", "static"]))?;
    let tests = scripts(&root().join("tests/client"))?;
    run(Command::new("node").arg("--test").args(tests.iter().filter(|file| is_test(file))))?;
    Ok(Done::Passed)
}

/// The compiler, installed beside the build; nothing gets into the tree.
fn tsc() -> Result<PathBuf> {
    installed("typescript", TYPESCRIPT, "bin/tsc")
}

/// axe-core for the browser tests, or why it is not there: it is judged by where it can be had.
pub(crate) fn axe() -> Result<PathBuf, &'static str> {
    if in_path("npm").is_none() {
        return Err("npm is not installed");
    }
    installed("axe-core", AXE, "axe.min.js").map_err(|_| "npm could not fetch axe-core")
}

/// A file of a package from npm, installed beside the build.
fn installed(package: &str, version: &str, file: &str) -> Result<PathBuf> {
    let directory = target_dir()?.join(format!("{package}-{version}"));
    let found = directory.join("node_modules").join(package).join(file);
    if !found.is_file() {
        fs::create_dir_all(&directory)?;
        run(Command::new("npm")
            .args([
                "install",
                "--no-save",
                "--no-package-lock",
                "--no-audit",
                "--no-fund",
                "--prefix",
            ])
            .arg(&directory)
            .arg(format!("{package}@{version}")))?;
    }
    Ok(found)
}

fn is_test(file: &Path) -> bool {
    file.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.contains(".test."))
}

/// All modules below a directory.
fn scripts(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries =
        fs::read_dir(directory).with_context(|| format!("cannot read {}", directory.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(scripts(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "js" || extension == "mjs")
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
