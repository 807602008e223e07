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
    bob.see_text(".plot-card h2", "Time and evaluation").await;
    bob.reload().await;
    bob.see("[data-termination]").await;
    bob.press(Key::Shift).await;
    bob.see(".plot-way[d]").await;
    bob.go("/@/ada").await;
    bob.see_text(".rating-card", "?").await;
    bob.see_text(".provisional", "“?” means provisional: the number after ± is 110 or more").await;
    bob.see_text(".curve h2", "Rating over time: Fourfold · Blitz").await;
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
    // What is wrong with a password is said, and is another thing each time.
    for (password, why) in [
        ("short", "too short"),
        ("password", "one of the first"),
        ("my name is Bob", "has your name in it"),
    ] {
        bob.fill("input[name=password]", password).await;
        bob.click("button[type=submit]").await;
        bob.see_text("#auth-problem", why).await;
        bob.run("document.querySelector('input[name=password]').value = '';").await;
    }
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

/// The game that is chosen on the first page.
fn chosen(variant: &str) -> String {
    format!("label:has([data-variant=\"{variant}\"]:checked)")
}

#[tokio::test]
async fn a_first_game_is_offered_with_the_small_army_and_later_the_last_one() {
    let site = Site::open().await;
    let mut ada = Player::guest(&site.server).await;
    let bob = site.visitor().await;
    bob.go("/").await;
    bob.see(&chosen("fourfold-classic")).await;
    bob.see_text(".variants", "The best set for a first game").await;
    bob.see_text(".computer", "Small army").await;
    bob.picture("first-visit").await;

    // Bob is sent a game of the full army, and it is played to an end.
    let challenge = ada.client.challenge("fourfold", "white", None).await;
    bob.go(&format!("/c/{challenge}")).await;
    bob.click("[data-action=\"accept-challenge\"]").await;
    bob.see("[data-you=\"black\"]").await;
    let news = ada.socket.wait("challenge").await;
    let game = news["game"].as_str().expect("a game has an id");
    ada.socket.watch(game).await;
    ada.socket.play(game, 0, FOURFOLD_MATE[0]).await;
    bob.see("[data-ply=\"0\"]").await;
    for square in FOURFOLD_MATE[1].as_bytes().chunks(5) {
        let square = str::from_utf8(square).expect("a square is ASCII");
        bob.click(&format!(".sheet [data-square=\"{square}\"]")).await;
    }
    bob.see("[data-ply=\"1\"]").await;
    ada.socket.done(json!({"t": "resign", "game": game})).await;
    bob.see("[data-termination=\"resignation\"]").await;
    bob.go("/").await;
    bob.see(&chosen("fourfold")).await;

    // What was chosen since goes over it, here and after a reload.
    bob.click("label:has([data-variant=\"parallel-worlds\"])").await;
    bob.see_text(".computer", "Parallel Worlds").await;
    bob.reload().await;
    bob.see(&chosen("parallel-worlds")).await;
    site.close([bob]).await;
}

#[tokio::test]
async fn who_wants_nothing_to_do_with_somebody_is_not_asked_for_a_game_by_their_page() {
    let site = Site::open().await;
    let (ada, bob) = site.visitors().await;
    ada.sign_up("ada").await;
    bob.sign_up("bob").await;
    ada.go("/@/bob").await;
    ada.see("details.friend:not([hidden])").await;
    ada.click("[data-action=\"block\"]").await;
    ada.see_text(".apart", "You have blocked bob").await;
    ada.see(".page:has(details.friend[hidden])").await;
    bob.go("/@/ada").await;
    bob.see_text(".apart", "One of you two has blocked the other").await;
    bob.see(".page:has(details.friend[hidden])").await;
    ada.click("[data-action=\"block\"]").await;
    ada.see("details.friend:not([hidden])").await;
    ada.see(".page:has(.apart[hidden])").await;
    site.close([ada, bob]).await;
}
