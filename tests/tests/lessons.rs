//! A newcomer in a real browser: through the steps to a first move against the computer, and a puzzle.

use manifold_tests::browser::square;
use manifold_tests::site::Site;
use reqwest::StatusCode;

#[tokio::test]
async fn a_newcomer_learns_and_solves_a_puzzle() {
    let site = Site::open().await;
    let ada = site.visitor().await;
    ada.go("/").await;
    ada.click("[data-action=\"learn\"]").await;
    ada.click("[data-action=\"start-learning\"]").await;

    // A rook goes along each coordinate; it stays picked up, so that one press moves it.
    for (tasks, to) in ["c1@00", "c3@00", "c3@10", "c3@11"].into_iter().enumerate() {
        ada.click(&format!("{}[data-legal]", square(to))).await;
        ada.see(&format!(".tasks li:nth-child({})[data-done]", tasks + 1)).await;
    }
    ada.see(".finished").await;
    ada.picture("learn-coordinates").await;

    ada.click("[data-action=\"next-lesson\"]").await;
    ada.see_text(".reach-total", "8 squares").await;
    ada.click("[data-role=\"Q\"]").await;
    ada.see_text(".reach-total", "38 squares").await;
    ada.picture("learn-reach").await;

    // Legal or not: the reason is told in words.
    ada.click("[data-action=\"next-lesson\"]").await;
    ada.click("[data-action=\"legal\"]").await;
    ada.see_text(".feedback", "Right").await;
    ada.click("[data-action=\"next-drill\"]").await;
    ada.click("[data-action=\"legal\"]").await;
    ada.see_text(".why", "exactly one coordinate").await;
    ada.picture("learn-count").await;

    // A wrong attacker is told why it is none; the right one stands across W.
    ada.click("[data-action=\"next-lesson\"]").await;
    ada.click(&square("a3@00")).await;
    ada.see_text(".feedback", "cannot take it").await;
    ada.click(&square("a3@10")).await;
    ada.see_text(".feedback", "that is the one").await;

    ada.click("[data-lesson=\"try\"]").await;
    ada.click(&format!("{}[data-legal]", square("a1@01"))).await;
    ada.see_text(".feedback", "It played").await;
    ada.see(".finished").await;
    ada.picture("learn-try").await;

    // What was done is remembered.
    ada.go("/learn").await;
    ada.see(".lesson-card[data-lesson=\"coordinates\"][data-done]").await;
    ada.see(".lesson-card[data-lesson=\"try\"][data-done]").await;

    ada.go("/puzzles").await;
    ada.click("[data-puzzle=\"m1-01\"]").await;
    let puzzle = site.server.client().get("/api/v1/puzzles/m1-01").await.expect(StatusCode::OK);
    let answer = puzzle["answer"].as_str().expect("a puzzle has an answer").to_owned();
    ada.click("[data-action=\"hint\"]").await;
    ada.see(&format!("{}[data-selected]", square(&answer[..5]))).await;
    // Another square than the right one: the reply is shown, and one may try again.
    let other = format!(".stage [data-legal]:not([data-square=\"{}\"])", &answer[5..]);
    ada.click(&other).await;
    ada.see(".feedback[data-kind=\"bad\"]").await;
    // Nobody is asked to move meanwhile.
    ada.see(".puzzle:has(.puzzle-side[hidden]) .say[data-rest]").await;
    ada.picture("puzzle-wrong").await;
    ada.click("[data-action=\"try-again\"]").await;
    ada.click_move(&answer).await;
    ada.see_text(".feedback", "Solved").await;
    ada.see("[data-puzzle=\"m1-01\"][data-how=\"solved\"]").await;
    // Why it is mate can be asked, as after a game.
    ada.see(".say[data-rest]").await;
    ada.click("[data-action=\"why-mate\"][aria-expanded=\"false\"]").await;
    ada.see("[data-action=\"why-mate\"][aria-expanded=\"true\"]").await;
    ada.see(".puzzle [data-flight-row]").await;
    ada.picture("puzzle-solved").await;
    site.close([ada]).await;
}
