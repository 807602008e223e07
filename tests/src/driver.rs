//! What drives browsers, and takes them away in every case.

use std::path::{Path, PathBuf};
use std::process::Stdio;

use thirtyfour::prelude::*;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use xtask::keeper::Keeper;

use crate::PATIENCE;
use crate::browser::Browser;

/// Ends a process group when its standard input does: browsers outlive the chromedriver that brought them, and whoever is killed
/// closes nothing.
const KEEPER: &str = r#"echo ready; read -r _; kill -KILL "-$1""#;

/// Drives browsers; a chromedriver on a port of its own, in a process group that it shares with its browsers. Dropping this ends
/// them all, and so does the end of this process, however it comes.
pub struct Driver {
    /// Ends the group when it is dropped, which is first.
    keeper: Keeper,
    process: Child,
    url: String,
}

impl Driver {
    /// Starts one.
    ///
    /// # Panics
    /// If there is no chromedriver, or it does not start.
    pub async fn start() -> Driver {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("chromedriver is installed: `cargo xtask test` brings it");
        let group = PathBuf::from(process.id().expect("it runs").to_string());
        let keeper =
            Keeper::start(KEEPER, &[Path::new(&group)], None).expect("a keeper can be started");
        let mut lines = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let port = async {
            while let Some(line) = lines.next_line().await.expect("chromedriver can be read") {
                if let Some((_, port)) = line.split_once("started successfully on port ") {
                    return port.trim_end_matches('.').to_owned();
                }
            }
            panic!("chromedriver ended before it was ready");
        };
        let port = timeout(PATIENCE, port).await.expect("chromedriver gets ready in time");
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        Driver { keeper, process, url: format!("http://127.0.0.1:{port}") }
    }

    /// Opens a browser on the server at `origin`.
    ///
    /// # Panics
    /// If it does not open.
    pub async fn open(&self, origin: &str) -> Browser {
        let profile = tempfile::tempdir().expect("a temporary directory can be made");
        let mut capabilities = DesiredCapabilities::chrome();
        for argument in [
            "--headless=new",
            // Chromium refuses to sandbox itself for root.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--window-size=1280,900",
            &format!("--user-data-dir={}", profile.path().display()),
        ] {
            capabilities.add_arg(argument).expect("an argument is a string");
        }
        let web = WebDriver::new(&self.url, capabilities).await.expect("a browser opens");
        Browser::new(web, origin, profile)
    }

    /// Ends it.
    ///
    /// # Panics
    /// If it cannot be waited for.
    pub async fn stop(self) {
        let Driver { keeper, mut process, .. } = self;
        drop(keeper);
        process.wait().await.expect("it ends");
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Those of a process group that still run: proc(5) has the state after the name, then the parent and the group.
    fn members(group: u32) -> Vec<u32> {
        let processes = std::fs::read_dir("/proc").expect("this is Linux").flatten();
        let runs = |entry: std::fs::DirEntry| {
            let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
            let (_, fields) = stat.rsplit_once(") ")?;
            let fields: Vec<&str> = fields.split(' ').collect();
            let is_one =
                fields.get(2)?.parse() == Ok(group) && !["Z", "X"].contains(fields.first()?);
            if is_one { entry.file_name().to_str()?.parse().ok() } else { None }
        };
        processes.filter_map(runs).collect()
    }

    #[tokio::test]
    async fn no_browser_outlives_whoever_drove_it() {
        let driver = Driver::start().await;
        let group = driver.process.id().expect("it runs");
        let browser = driver.open("http://127.0.0.1").await;
        let pages = members(group);
        assert!(pages.len() > 2, "chromedriver, a browser and its page: {pages:?}");
        // As if the story had been killed: nobody has closed the browser.
        std::mem::forget(browser);
        drop(driver);
        let gone = async {
            while !members(group).is_empty() {
                tokio::task::yield_now().await;
            }
        };
        let gone = timeout(Duration::from_secs(10), gone).await;
        assert!(gone.is_ok(), "{:?} are left", members(group));
    }
}
