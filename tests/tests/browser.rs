//! Two people with real browsers sign up, are paired, play to mate, and see what it did to their ratings.

use manifold_tests::browser::{Browser, Driver};
use manifold_tests::table::FOURFOLD_MATE;
use manifold_tests::{Database, PASSWORD, Server};

async fn sign_up(browser: &Browser, name: &str) {
    browser.go("/signup").await;
    browser.fill("input[name=name]", name).await;
    browser.fill("input[name=password]", PASSWORD).await;
    browser.click("button[type=submit]").await;
    browser.see(&format!("[data-me=\"{name}\"]")).await;
}

async fn join_pool(browser: &Browser) {
    browser.go("/").await;
    // The radio button itself lies unseen under its label.
    browser.click("label:has([data-variant=\"fourfold\"])").await;
    browser.click("[data-pool=\"3+2\"]").await;
}

/// Clicks the piece, sees its square marked as one that it can go to, and clicks that.
async fn play(browser: &Browser, ply: usize) {
    let (from, to) = FOURFOLD_MATE[ply].split_at(5);
    browser.click(&square(from)).await;
    browser.see(&format!("{}[data-legal]", square(to))).await;
    browser.click(&square(to)).await;
    browser.see(&format!("[data-ply=\"{ply}\"]")).await;
}

fn square(address: &str) -> String {
    format!("button[data-square=\"{address}\"]")
}

#[tokio::test]
async fn two_browsers_play_a_rated_game_to_mate() {
    let server = Server::start(Database::Sqlite).await;
    let driver = Driver::start().await;
    let origin = server.origin();
    let (ada, bob) = (driver.open(&origin).await, driver.open(&origin).await);
    sign_up(&ada, "ada").await;
    ada.picture("signed-up").await;
    sign_up(&bob, "bob").await;
    join_pool(&ada).await;
    ada.picture("waiting").await;
    join_pool(&bob).await;

    let color = ada.attribute("[data-you]", "data-you").await;
    let (white, black) = if color == "white" { (&ada, &bob) } else { (&bob, &ada) };
    white.see("[data-you=\"white\"]").await;
    black.see("[data-you=\"black\"]").await;
    white.picture("start-white").await;
    black.picture("start-black").await;

    play(white, 0).await;
    black.see("[data-ply=\"0\"]").await;
    play(black, 1).await;
    white.see("[data-ply=\"1\"]").await;

    // Nothing is lost by a reload in the middle.
    white.reload().await;
    white.see("[data-you=\"white\"]").await;
    white.see("[data-ply=\"1\"]").await;
    white.picture("reloaded").await;
    play(white, 2).await;

    for (browser, name) in [(white, "mate-white"), (black, "mate-black")] {
        browser.see("[data-result=\"white\"]").await;
        browser.see("[data-termination=\"checkmate\"]").await;
        let gain = browser.text("[data-rating-change=\"white\"]").await;
        let loss = browser.text("[data-rating-change=\"black\"]").await;
        assert!(gain.contains("1500 →") && gain.contains('+'), "{gain}");
        assert!(loss.contains("1500 →") && loss.contains(['−', '-']), "{loss}");
        browser.picture(name).await;
    }

    // The ratings are those that everyone sees afterwards.
    let profile = server.client().get("/api/v1/players/ada").await.expect(reqwest::StatusCode::OK);
    let rating =
        profile["player"]["ratings"][0]["rating"].as_f64().expect("a rating is a number").round();
    let shown = ada.text(&format!("[data-rating-change=\"{color}\"]")).await;
    assert!(shown.contains(&format!("→ {rating}")), "{shown}, but it is {rating}");

    // A page that is opened later tells the same end.
    black.reload().await;
    black.see("[data-result=\"white\"]").await;
    ada.close().await;
    bob.close().await;
    driver.stop().await;
}
