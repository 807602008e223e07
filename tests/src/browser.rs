//! Real browsers, driven as a person would: looking at what is there, clicking, typing.

use std::path::PathBuf;
use std::time::Duration;

pub use thirtyfour::Key;
use thirtyfour::error::{WebDriverErrorInner, WebDriverResult};
use thirtyfour::prelude::*;
use tokio::time::Instant;

use crate::{PASSWORD, PATIENCE};

/// How often a page is looked at while something is waited for.
const GLANCE: Duration = Duration::from_millis(50);

/// No page has so many things to stop at before the one that is wanted.
const TABS: usize = 80;

/// One person's browser, with a profile of its own.
pub struct Browser {
    web: WebDriver,
    origin: String,
    /// Removed with it.
    _profile: tempfile::TempDir,
}

/// The square of that name, on whichever boards the page has.
pub fn square(name: &str) -> String {
    format!("button[data-square=\"{name}\"]")
}

/// Those two whose game has begun, White first.
pub async fn white_first<'a>(one: &'a Browser, other: &'a Browser) -> (&'a Browser, &'a Browser) {
    let color = one.attribute("[data-you]", "data-you").await;
    let (white, black) = if color == "white" { (one, other) } else { (other, one) };
    white.see("[data-you=\"white\"]").await;
    black.see("[data-you=\"black\"]").await;
    (white, black)
}

impl Browser {
    /// One that is being driven, on the site at `origin`; its profile is removed with it.
    pub(crate) fn new(web: WebDriver, origin: &str, profile: tempfile::TempDir) -> Browser {
        Browser { web, origin: origin.to_owned(), _profile: profile }
    }

    /// Chooses one of a row of radio buttons; the button itself lies unseen under its label.
    ///
    /// # Panics
    /// If it cannot be clicked.
    pub async fn choose(&self, what: &str, value: &str) {
        self.click(&format!("label:has([data-{what}=\"{value}\"])")).await;
    }

    /// Clicks the piece, sees its square marked as one that it can go to, and clicks that.
    ///
    /// # Panics
    /// If it cannot go there.
    pub async fn click_move(&self, single: &str) {
        let (from, to) = single.split_at(single.len() / 2);
        self.click(&square(from)).await;
        self.click(&format!("{}[data-legal]", square(to))).await;
    }

    /// A game as White without a clock; its address on the site.
    ///
    /// # Panics
    /// If it does not begin.
    pub async fn play_the_computer(&self) -> String {
        self.go("/").await;
        self.choose("computer-color", "white").await;
        self.click("[data-action=\"play-computer\"]").await;
        self.see(".sheet [data-movable]").await;
        self.path().await
    }

    /// What drives it.
    pub(crate) fn web(&self) -> &WebDriver {
        &self.web
    }

    /// Goes to a place of the site.
    ///
    /// # Panics
    /// If it does not load.
    pub async fn go(&self, path: &str) {
        self.web.goto(format!("{}{path}", self.origin)).await.expect("the page loads");
    }

    /// Gives its window another size.
    ///
    /// # Panics
    /// If it does not take it.
    pub async fn resize(&self, width: u32, height: u32) {
        self.web.set_window_rect(0, 0, width, height).await.expect("a window can be resized");
    }

    /// Loads the page again.
    ///
    /// # Panics
    /// If it does not load.
    pub async fn reload(&self) {
        self.web.refresh().await.expect("the page loads again");
    }

    /// The bytes that the page and its files took on the line so far, headers included.
    ///
    /// # Panics
    /// If the browser does not answer.
    pub async fn bytes_loaded(&self) -> u64 {
        let script = "return performance.getEntries().reduce((sum, entry) => sum + (entry.transferSize ?? 0), 0);";
        let sum = self.web.execute(script, Vec::new()).await.expect("a script runs");
        sum.json().as_u64().expect("a sum is a number")
    }

    /// Makes an account on the page for it.
    ///
    /// # Panics
    /// If that does not come about.
    pub async fn sign_up(&self, name: &str) {
        self.go("/signup").await;
        self.fill("input[name=name]", name).await;
        self.fill("input[name=password]", PASSWORD).await;
        self.click("button[type=submit]").await;
        self.see(&format!("[data-me=\"{name}\"]")).await;
    }

    /// Where it is.
    ///
    /// # Panics
    /// If it does not answer.
    pub async fn address(&self) -> String {
        self.web.current_url().await.expect("the browser is somewhere").to_string()
    }

    /// Where it is on the site.
    ///
    /// # Panics
    /// If it does not answer.
    pub async fn path(&self) -> String {
        url::Url::parse(&self.address().await).expect("an address").path().to_owned()
    }

    /// Waits until something is there and can be seen.
    ///
    /// # Panics
    /// If it does not appear.
    pub async fn see(&self, selector: &str) {
        self.of(selector, async |_| Ok(())).await;
    }

    /// Waits until something says these words.
    ///
    /// # Panics
    /// If it does not.
    pub async fn see_text(&self, selector: &str, words: &str) {
        let found = redrawn(PATIENCE, async || {
            let wanted = words.to_owned();
            let query = self.web.query(By::Css(selector)).wait(PATIENCE, GLANCE);
            query.with_text(move |text: &str| text.contains(&wanted)).first().await
        });
        if let Err(error) = found.await {
            self.picture("missing-words").await;
            panic!("{selector} does not say “{words}”; see the screenshot: {error}");
        }
    }

    /// Clicks on something once it is there and can be clicked.
    ///
    /// # Panics
    /// If it cannot.
    pub async fn click(&self, selector: &str) {
        let clicked = redrawn(PATIENCE, async || {
            let query = self.web.query(By::Css(selector)).wait(PATIENCE, GLANCE);
            query.and_clickable().first().await?.click().await
        });
        clicked.await.unwrap_or_else(|error| panic!("{selector} cannot be clicked: {error}"));
    }

    /// Presses a key, wherever the focus is.
    ///
    /// # Panics
    /// If that is not possible.
    pub async fn press(&self, key: Key) {
        self.web.action_chain().send_keys(key).perform().await.expect("a key can be pressed");
    }

    /// How long the page's thread has worked since it began, in all and of it on scripts. What it waited for while other
    /// programs had the processor does not count.
    ///
    /// # Panics
    /// If the browser does not tell.
    pub async fn busy_ms(&self) -> [f64; 2] {
        let tools = self.web.cdp();
        tools
            .send_raw("Performance.enable", serde_json::json!({"timeDomain": "threadTicks"}))
            .await
            .expect("the browser measures");
        let metrics = tools
            .send_raw("Performance.getMetrics", serde_json::json!({}))
            .await
            .expect("it tells");
        ["TaskDuration", "ScriptDuration"].map(|name| {
            let metrics = metrics["metrics"].as_array().into_iter().flatten();
            let seconds =
                metrics.filter(|metric| metric["name"] == name).find_map(|m| m["value"].as_f64());
            seconds.unwrap_or_else(|| panic!("there is no {name}")) * 1000.0
        })
    }

    /// Waits until this is the address, query included.
    ///
    /// # Panics
    /// If it never is.
    pub async fn see_address(&self, path: &str) {
        const LOOK: &str = "const [path, done] = arguments;
            const look = () => location.pathname + location.search === path ? done() : setTimeout(look, 20);
            look();";
        if let Err(error) = self.web.execute_async(LOOK, vec![path.into()]).await {
            let address = self.address().await;
            panic!("the address never became {path}; it is {address}: {error}");
        }
    }

    /// Types into a field.
    ///
    /// # Panics
    /// If that is not possible.
    pub async fn fill(&self, selector: &str, text: &str) {
        self.of(selector, async |field| field.send_keys(text).await).await;
    }

    /// Presses keys, wherever the focus is.
    ///
    /// # Panics
    /// If it does not answer.
    pub async fn type_keys(&self, keys: &str) {
        let focused = self.web.active_element().await.expect("something has the focus");
        focused.send_keys(keys).await.expect("keys can be pressed");
    }

    /// Goes on with the Tab key until something has the focus.
    ///
    /// # Panics
    /// If the key does not lead there.
    pub async fn tab_to(&self, selector: &str) {
        self.see(selector).await;
        for _ in 0..TABS {
            if self.run(&format!("return document.activeElement.matches({selector:?});")).await
                == true
            {
                return;
            }
            self.type_keys("\u{e004}").await;
        }
        self.picture("no-tab-leads-there").await;
        panic!("the Tab key does not lead to {selector}");
    }

    /// What a script returns.
    ///
    /// # Panics
    /// If it fails.
    pub async fn run(&self, script: &str) -> serde_json::Value {
        self.web.execute(script, Vec::new()).await.expect("a script runs").json().clone()
    }

    /// What a script hands to its callback, the last of `arguments`.
    ///
    /// # Panics
    /// If it fails.
    pub async fn run_until_done(&self, script: &str) -> serde_json::Value {
        self.web.execute_async(script, Vec::new()).await.expect("a script runs").json().clone()
    }

    /// What something says.
    ///
    /// # Panics
    /// If it is not there.
    pub async fn text(&self, selector: &str) -> String {
        self.of(selector, async |element| element.text().await).await
    }

    /// An attribute of something.
    ///
    /// # Panics
    /// If it is not there or has none.
    pub async fn attribute(&self, selector: &str, name: &str) -> String {
        let value = self.of(selector, async |element| element.attr(name).await).await;
        value.unwrap_or_else(|| panic!("{selector} has no {name}"))
    }

    /// Whether something has an attribute.
    ///
    /// # Panics
    /// If it is not there.
    pub async fn has(&self, selector: &str, name: &str) -> bool {
        self.of(selector, async |element| element.attr(name).await).await.is_some()
    }

    /// Waits until something can be seen, and does that with it.
    async fn of<T>(
        &self,
        selector: &str,
        act: impl AsyncFn(WebElement) -> WebDriverResult<T>,
    ) -> T {
        let done = redrawn(PATIENCE, async || {
            let query = self.web.query(By::Css(selector)).wait(PATIENCE, GLANCE);
            act(query.and_displayed().first().await?).await
        });
        match done.await {
            Ok(value) => value,
            Err(error) => {
                let name = selector.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
                self.picture(&format!("missing-{name}")).await;
                panic!("{selector} does not appear; see the screenshot: {error}")
            }
        }
    }

    /// A screenshot into `target/screenshots/`.
    ///
    /// # Panics
    /// If it cannot be written.
    pub async fn picture(&self, name: &str) {
        let directory = screenshots();
        std::fs::create_dir_all(&directory).expect("the target directory can be written");
        let path = directory.join(format!("{name}.png"));
        self.web.screenshot(&path).await.expect("a screenshot can be taken");
    }

    /// Closes it.
    ///
    /// # Panics
    /// If it does not answer.
    pub async fn close(self) {
        self.web.quit().await.expect("the browser closes");
    }
}

/// Looks again when the page has drawn anew what was just found: what stood there was not acted upon, and a person
/// would not even notice.
async fn redrawn<T>(
    patience: Duration,
    act: impl AsyncFn() -> WebDriverResult<T>,
) -> WebDriverResult<T> {
    let end = Instant::now() + patience;
    loop {
        match act().await {
            Err(error)
                if matches!(error.as_inner(), WebDriverErrorInner::StaleElementReference(_))
                    && Instant::now() < end => {}
            done => return done,
        }
    }
}

fn screenshots() -> PathBuf {
    let own = std::env::current_exe().expect("this program lies somewhere");
    let profile = own
        .ancestors()
        .find(|directory| directory.ends_with("debug") || directory.ends_with("release"));
    profile
        .and_then(|profile| profile.parent())
        .expect("this program was built by cargo")
        .join("screenshots")
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use thirtyfour::error::WebDriverErrorInfo;

    use super::*;

    fn stale() -> WebDriverError {
        let info = WebDriverErrorInfo::new("stale element reference".to_owned());
        WebDriverError::from_inner(WebDriverErrorInner::StaleElementReference(info))
    }

    #[tokio::test]
    async fn what_is_drawn_anew_is_looked_at_again() {
        let looks = Cell::new(0);
        let seen = redrawn(PATIENCE, async || {
            looks.set(looks.get() + 1);
            if looks.get() < 3 { Err(stale()) } else { Ok("there") }
        });
        assert_eq!(seen.await.expect("the third look finds it"), "there");
        assert_eq!(looks.get(), 3);
    }

    #[tokio::test]
    async fn what_is_drawn_anew_for_ever_is_given_up() {
        let seen = redrawn(Duration::from_millis(1), async || Err::<(), _>(stale()));
        assert!(seen.await.is_err());
    }

    #[tokio::test]
    async fn what_is_missing_is_not_looked_at_again() {
        let looks = Cell::new(0);
        let seen = redrawn(PATIENCE, async || {
            looks.set(looks.get() + 1);
            Err::<(), _>(thirtyfour::error::no_such_element("nothing".to_owned()))
        });
        assert!(seen.await.is_err());
        assert_eq!(looks.get(), 1);
    }
}
