//! The site with people who come to it by browser: what each story of `tests/` that has some begins and ends with.

use crate::browser::Browser;
use crate::driver::Driver;
use crate::{Database, Server};

/// A fresh server, and what brings browsers to it.
pub struct Site {
    /// Where people go.
    pub server: Server,
    driver: Driver,
}

impl Site {
    /// Opens it.
    pub async fn open() -> Site {
        Site { server: Server::start(Database::Sqlite).await, driver: Driver::start().await }
    }

    /// Somebody with a browser, who has been nowhere yet.
    pub async fn visitor(&self) -> Browser {
        self.driver.open(&self.server.origin()).await
    }

    /// Two of them.
    pub async fn visitors(&self) -> (Browser, Browser) {
        (self.visitor().await, self.visitor().await)
    }

    /// All have gone home.
    pub async fn close<const N: usize>(self, visitors: [Browser; N]) {
        for browser in visitors {
            browser.close().await;
        }
        self.driver.stop().await;
    }
}
