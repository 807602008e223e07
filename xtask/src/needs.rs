//! What the tests need besides Rust: installed on Debian as root, asked for elsewhere.

use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

use xtask::command::{in_path, is_root, run};
use xtask::postgres;

/// Something that must be installed.
pub(crate) struct Need {
    /// The Debian package that brings it.
    package: &'static str,
    is_there: fn() -> bool,
}

pub(crate) const POSTGRES: Need =
    Need { package: "postgresql", is_there: || postgres::programs().is_some() };

/// Two browsers play a game in the tests.
pub(crate) const BROWSER: [Need; 3] = [
    Need { package: "chromium", is_there: || in_path("chromium").is_some() },
    Need { package: "chromium-driver", is_there: || in_path("chromedriver").is_some() },
    Need { package: "fonts-liberation", is_there: has_fonts },
];

/// Makes sure that all of them are there.
///
/// # Errors
/// Says what to install when that cannot be done from here.
pub(crate) fn bring(needs: &[Need]) -> Result<()> {
    let missing: Vec<_> =
        needs.iter().filter(|need| !(need.is_there)()).map(|need| need.package).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let packages = missing.join(" ");
    if !Path::new("/etc/debian_version").exists() {
        bail!("please install what Debian calls {packages}, then run this again");
    }
    if !is_root()? {
        bail!(
            "please run `sudo apt-get install --no-install-recommends {packages}`, then this again"
        );
    }
    run(Command::new("apt-get").arg("update"))?;
    run(Command::new("apt-get")
        .args(["install", "--yes", "--no-install-recommends"])
        .args(&missing)
        .env("DEBIAN_FRONTEND", "noninteractive"))
}

/// Some fonts of any kind: without one a screenshot has no letters.
fn has_fonts() -> bool {
    ["/usr/share/fonts/truetype", "/usr/share/fonts/opentype", "/System/Library/Fonts"]
        .iter()
        .filter_map(|directory| std::fs::read_dir(directory).ok())
        .any(|mut entries| entries.next().is_some())
}
