//! People with real browsers play as people do: by clicking.

use manifold_tests::browser::{Browser, square, white_first};
use manifold_tests::site::Site;
use manifold_tests::table::{FOURFOLD_MATE, PARALLEL_CAPTURE};

async fn join_pool(browser: &Browser, variant: &str) {
    browser.go("/").await;
    browser.choose("variant", variant).await;
    browser.click("[data-pool=\"3+2\"]").await;
}

/// Both wait in the same pool until they are paired; White first.
async fn pair<'a>(ada: &'a Browser, bob: &'a Browser, variant: &str) -> (&'a Browser, &'a Browser) {
    join_pool(ada, variant).await;
    ada.picture(&format!("{variant}-waiting")).await;
    join_pool(bob, variant).await;
    white_first(ada, bob).await
}

/// A turn of one move.
async fn play(browser: &Browser, ply: usize) {
    browser.click_move(FOURFOLD_MATE[ply]).await;
    browser.see(&played(ply)).await;
}

/// The entry of the move list that this ply becomes.
fn played(ply: usize) -> String {
    format!("[data-ply=\"{ply}\"]")
}

#[tokio::test]
async fn two_browsers_play_a_rated_game_to_mate() {
    let site = Site::open().await;
    let (ada, bob) = site.visitors().await;
    ada.sign_up("ada").await;
    ada.picture("signed-up").await;
    bob.sign_up("bob").await;
    let (white, black) = pair(&ada, &bob, "fourfold").await;
    white.picture("start-white").await;
    black.picture("start-black").await;

    play(white, 0).await;
    black.see(&played(0)).await;
    play(black, 1).await;
    white.see(&played(1)).await;
    white.see_text(".say", "Last move: Pawn b3[0,1]–b2[0,1]").await;
    white.see("[data-ply=\"1\"][aria-current][title=\"last move\"]").await;

    // Nothing is lost by a reload in the middle.
    white.reload().await;
    white.see("[data-you=\"white\"]").await;
    white.see(&played(1)).await;
    white.picture("reloaded").await;
    who_attacks_is_told_by_a_key(white).await;
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
    let profile =
        site.server.client().get("/api/v1/players/ada").await.expect(reqwest::StatusCode::OK);
    let rating =
        profile["player"]["ratings"][0]["rating"].as_f64().expect("a rating is a number").round();
    let color = ada.attribute("[data-you]", "data-you").await;
    let shown = ada.text(&format!("[data-rating-change=\"{color}\"]")).await;
    assert!(shown.contains(&format!("→ {rating}")), "{shown}, but it is {rating}");

    // A page that is opened later tells the same end, and has not fetched much for it.
    let late = site.visitor().await;
    late.go(&ada.path().await).await;
    late.see("[data-result=\"white\"]").await;
    let bytes = late.bytes_loaded().await;
    assert!((10_000..GAME_PAGE_BYTES).contains(&bytes), "{bytes} bytes");
    site.close([late, ada, bob]).await;
}

/// White's rook on a1 is guarded: arrows and a list say by whom, until Escape.
async fn who_attacks_is_told_by_a_key(white: &Browser) {
    let rook = square("a1@00");
    white.fill(&rook, "i").await;
    white.see(&format!("{rook}[data-inspected]")).await;
    white.see_text(".say", "Attacked by 0").await;
    white.see(".sheet [data-attack=\"defense\"]").await;
    white.see(".arrows [data-arrow=\"defense\"] .arrow-end").await;
    white.picture("inspected").await;
    white.fill(&rook, "\u{e00c}").await;
    white.see(".sheet:not(:has([data-inspected], [data-arrow]))").await;
}

#[tokio::test]
async fn two_browsers_play_parallel_worlds_until_a_king_is_captured() {
    let site = Site::open().await;
    let (ada, bob) = site.visitors().await;
    let (white, black) = pair(&ada, &bob, "parallel-worlds").await;
    black.picture("worlds-start").await;

    for (ply, turn) in PARALLEL_CAPTURE.iter().enumerate() {
        let (mover, waiter) = if ply.is_multiple_of(2) { (white, black) } else { (black, white) };
        let moves: Vec<&str> = turn.split(',').collect();
        for (index, single) in moves.iter().enumerate() {
            mover.click_move(single).await;
            // The last move of this turn is seen in the list, or ends the turn at once.
            if index + 1 < moves.len() || ply == 3 {
                mover.see(&format!("[data-tray-move=\"{index}\"]")).await;
            }
            if (ply, index) == (1, 0) {
                wrong_moves_are_explained_and_taken_back(mover).await;
            }
            if (ply, index) == (2, 1) {
                // A turn that is half made outlives a reload.
                mover.reload().await;
                mover.see("[data-tray-move=\"1\"]").await;
                mover.picture("worlds-tray").await;
            }
        }
        // Turns of three moves, White's first of two and the capture of a king end by themselves.
        if ply == 3 {
            mover.click("[data-action=\"end-turn\"]").await;
        }
        mover.see(&played(ply)).await;
        waiter.see(&played(ply)).await;
    }
    for (browser, name) in [(white, "worlds-won"), (black, "worlds-lost")] {
        browser.see("[data-result=\"white\"]").await;
        browser.see("[data-termination=\"king_captured\"]").await;
        browser.picture(name).await;
    }
    site.close([ada, bob]).await;
}

/// Black has moved on level 1: no other piece may end there, and the tray says so and can be emptied.
async fn wrong_moves_are_explained_and_taken_back(black: &Browser) {
    black.click(&square("e7@1")).await;
    black.see(&format!("{}[data-legal]", square("e7@2"))).await;
    black.click(&square("e5@1")).await;
    black.see(&format!("{}[data-why]", square("e5@1"))).await;
    black.see_text(".say", "already ended on level 1").await;
    black.picture("worlds-why-not").await;
    black.click("[data-action=\"undo-move\"]").await;
    black.see(&format!("{}[data-piece=\"bP\"]", square("f7@1"))).await;
    black.click_move("f7@1f6@1").await;
    black.see("[data-tray-move=\"0\"]").await;
}

/// What a game page may cost whoever opens it for the first time.
const GAME_PAGE_BYTES: u64 = 120_000;

/// So many turns of each side are enough to see that a game is really played.
const EXCHANGED: usize = 3;

#[tokio::test]
async fn the_computer_plays_every_game() {
    let site = Site::open().await;
    let ada = site.visitor().await;
    for variant in ["fourfold", "fourfold-classic", "parallel-worlds"] {
        ada.go("/").await;
        ada.choose("variant", variant).await;
        ada.choose("level-choice", "1").await;
        ada.choose("computer-color", "white").await;
        ada.picture(&format!("computer-{variant}-chosen")).await;
        ada.click("[data-action=\"play-computer\"]").await;
        ada.see("[data-you=\"white\"]").await;
        let mut is_over = false;
        for turn in 0..EXCHANGED {
            let moves_first = ada.attribute(".sheet [data-movable]", "data-square").await;
            ada.click(&square(&moves_first)).await;
            ada.click(".sheet [data-legal]").await;
            if variant == "parallel-worlds" {
                ada.click("[data-action=\"end-turn\"]").await;
            }
            // The computer answers, if it can: the weakest is mated even by who plays whatever comes first.
            is_over = ada.has(&format!("[data-over], {}", played(2 * turn + 1)), "data-over").await;
            if is_over {
                break;
            }
        }
        ada.see_text(".bar.top", "Point (strength 1)").await;
        ada.picture(&format!("computer-{variant}")).await;
        let first = ada.address().await;
        if !is_over {
            ada.click("[data-action=\"resign\"]").await;
            ada.click("[data-action=\"resign\"][data-confirm]").await;
            ada.see("[data-termination=\"resignation\"]").await;
        }
        ada.see("[data-termination]").await;
        ada.picture(&format!("computer-{variant}-over")).await;
        // The next game is a press away, with the same color.
        ada.click("[data-action=\"play-again\"]").await;
        ada.see("[data-you=\"white\"]:not([data-over])").await;
        ada.see_text(".moves-scroll", "No moves yet").await;
        assert_ne!(ada.address().await, first);
    }
    site.close([ada]).await;
}

#[tokio::test]
async fn a_game_with_days_a_move_is_made_by_link_and_waits_for_both() {
    let site = Site::open().await;
    let (ada, bob) = site.visitors().await;
    ada.go("/").await;
    ada.click(".friend summary").await;
    for (what, value) in [
        ("make-whom", "link"),
        ("make-variant", "fourfold"),
        ("make-pace", "days"),
        ("make-color", "white"),
    ] {
        ada.choose(what, value).await;
    }
    ada.picture("days-form").await;
    ada.click("[data-action=\"create-challenge\"]").await;
    let link = ada.attribute("[data-challenge-url]", "data-challenge-url").await;
    bob.go(url::Url::parse(&link).expect("a link").path()).await;
    bob.see_text(".facts", "3 days a move").await;
    bob.click("[data-action=\"accept-challenge\"]").await;
    ada.see("[data-you=\"white\"]").await;
    bob.see("[data-you=\"black\"]").await;
    play(&ada, 0).await;
    bob.see(&played(0)).await;
    // Who comes back another day finds it, and that it is their turn.
    bob.go("/").await;
    bob.see_text(".mine [data-turn]", "Your turn").await;
    bob.picture("days-waiting").await;
    bob.click(".mine [data-turn]").await;
    bob.see("[data-you=\"black\"]").await;
    play(&bob, 1).await;
    ada.see(&played(1)).await;
    site.close([ada, bob]).await;
}

#[tokio::test]
async fn a_game_is_offered_on_the_first_page_and_taken_by_who_sees_it_appear() {
    let site = Site::open().await;
    let (ada, bob) = site.visitors().await;
    ada.sign_up("ada").await;
    bob.go("/").await;
    bob.see_text(".aside", "Nobody is waiting just now").await;
    ada.go("/").await;
    ada.click(".friend summary").await;
    // An open game is rated unless that is not wanted; one that somebody is asked for is not, unless it is.
    let is = |rated: bool| format!("label:has([data-make-rated=\"{rated}\"]:checked)");
    for (whom, rated) in [("link", false), ("lobby", true), ("player", false)] {
        ada.choose("make-whom", whom).await;
        ada.see(&is(rated)).await;
    }
    ada.choose("make-rated", "true").await;
    ada.see_text(".rated-means", "The result changes both ratings").await;
    for (what, value) in [
        ("make-whom", "lobby"),
        ("make-variant", "fourfold"),
        ("make-color", "white"),
        ("make-rated", "false"),
    ] {
        ada.choose(what, value).await;
    }
    ada.picture("seek-form").await;
    ada.click("[data-action=\"create-challenge\"]").await;
    // Its owner can take it back, and everybody else can take it.
    ada.see(".seek[data-mine] [data-action=\"cancel-seek\"]").await;
    bob.see_text(".seek .entry-who", "ada").await;
    ada.picture("seek-mine").await;
    bob.picture("seek-theirs").await;
    ada.click("[data-action=\"cancel-seek\"]").await;
    bob.see_text(".aside", "Nobody is waiting just now").await;
    ada.click(".friend summary").await;
    ada.click("[data-action=\"create-challenge\"]").await;
    // Whoever comes by without a session plays as a guest.
    bob.click("[data-action=\"accept-seek\"]").await;
    ada.see("[data-you=\"white\"]").await;
    bob.see("[data-you=\"black\"]").await;
    play(&ada, 0).await;
    bob.see(&played(0)).await;
    site.close([ada, bob]).await;
}

#[tokio::test]
async fn an_account_becomes_a_bot_in_its_settings() {
    let site = Site::open().await;
    let marvin = site.visitor().await;
    marvin.sign_up("marvin").await;
    marvin.go("/settings").await;
    // It is for good, which is read before the button that does it is there.
    marvin.click("[data-action=\"become-bot\"]").await;
    marvin.see_text(".bot-sure", "marvin will be marked BOT for everyone").await;
    marvin.click("[data-action=\"become-bot-no\"]").await;
    marvin.click("[data-action=\"become-bot\"]").await;
    marvin.picture("becomes-a-bot").await;
    marvin.click("[data-action=\"become-bot-yes\"]").await;
    marvin.see(".me .bot-mark:not([hidden])").await;
    marvin.go("/@/marvin").await;
    marvin.see(".page-head .bot-mark:not([hidden])").await;
    site.close([marvin]).await;
}
