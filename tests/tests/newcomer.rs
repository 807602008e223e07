//! What somebody meets who comes for the first time, without an account.

use manifold_tests::browser::{Browser, Key, white_first};
use manifold_tests::site::Site;
use manifold_tests::table::{FOURFOLD_MATE, Player, Table};
use serde_json::json;

/// What the page has asked for and not got, once the answers to all that it asks at first are there.
async fn refused(browser: &Browser) -> serde_json::Value {
    const REFUSED: &str = "const done = arguments[arguments.length - 1];
        (async () => {
          // Whatever is asked when the line opens has been asked before these are answered.
          for (let i = 0; i < 3; i++) await fetch('/api/v1/pools').then((answer) => answer.text());
          done(performance.getEntriesByType('resource').filter((entry) => entry.responseStatus >= 400).map((entry) => `${entry.responseStatus} ${entry.name}`));
        })();";
    browser.run_until_done(REFUSED).await
}

#[tokio::test]
async fn a_normal_visit_asks_for_nothing_that_is_refused() {
    let site = Site::open().await;
    let mut table = Table::rated(&site.server, "fourfold").await;
    table.play(0, &FOURFOLD_MATE).await;
    table.ended("white", "checkmate").await;
    let bob = site.visitor().await;
    let game = format!("/g/{}", table.game);
    for place in [
        "/",
        "/settings",
        "/@/ada",
        "/games?player=ad",
        "/leaderboard",
        "/learn",
        "/puzzles",
        "/analysis",
        "/login",
        "/signup",
        &game,
    ] {
        bob.go(place).await;
        // The line is open: it is known that there is nobody.
        bob.see(".me [href=\"/login\"]").await;
        assert_eq!(refused(&bob).await, json!([]), "{place}");
    }
    // All moves of a game that ended in mate are evaluated, the last one as well, and stay so.
    bob.see("[data-termination]").await;
    bob.press(Key::Shift).await;
    bob.click("[data-action=\"judge\"]").await;
    bob.see(".plot-card:has([data-action=\"judge\"][hidden])").await;
    assert_eq!(refused(&bob).await, json!([]));
    bob.see(".plot-line").await;
    bob.reload().await;
    bob.see("[data-termination]").await;
    bob.press(Key::Shift).await;
    bob.see(".plot-way[d]").await;
    site.close([bob]).await;
}

#[tokio::test]
async fn whoever_is_sent_a_rated_game_signs_up_and_comes_back_to_it() {
    let site = Site::open().await;
    let ada = Player::account(&site.server, "ada").await;
    let challenge = ada
        .client
        .challenge_with(json!({"time": {"base_ms": 300_000, "increment_ms": 0}, "rated": true}))
        .await;
    let bob = site.visitor().await;
    bob.go(&format!("/c/{}", challenge["id"].as_str().expect("an id"))).await;
    bob.see_text(".challenge", "a rated game needs an account").await;
    bob.click("[data-action=\"signup-first\"]").await;
    bob.fill("input[name=name]", "bob").await;
    bob.fill("input[name=password]", manifold_tests::PASSWORD).await;
    bob.click("button[type=submit]").await;
    bob.click("[data-action=\"accept-challenge\"]").await;
    bob.see("[data-you=\"black\"]").await;
    site.close([bob]).await;
}

#[tokio::test]
async fn who_waits_is_seen_on_the_first_page_and_the_first_move_is_called_for() {
    let site = Site::open().await;
    let (ada, bob) = site.visitors().await;
    bob.go("/").await;
    ada.go("/").await;
    ada.click("[data-pool=\"3+2\"]").await;
    bob.see_text("[data-pool=\"3+2\"] .crowd", "1 waiting").await;
    bob.picture("one-waits").await;
    bob.click("[data-pool=\"3+2\"]").await;
    let (white, black) = white_first(&ada, &bob).await;
    white.see_text(".first-call", "Make your first move within").await;
    white.picture("first-move").await;
    black.see(".say:has(.first-call[hidden])").await;
    site.close([ada, bob]).await;
}
