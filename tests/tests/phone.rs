//! On a small screen, under a thumb.

use manifold_tests::site::Site;

#[tokio::test]
async fn the_levels_are_tabs_in_their_order_and_a_small_one_says_what_a_tap_does() {
    let site = Site::open().await;
    let ada = site.visitor().await;
    ada.resize(500, 900).await;
    ada.go("/").await;
    ada.choose("variant", "parallel-worlds").await;
    ada.choose("computer-color", "white").await;
    ada.click("[data-action=\"play-computer\"]").await;
    ada.see("[data-level=\"1\"][data-large] [data-movable]").await;
    ada.see_text("[data-level=\"2\"] .board-enlarge", "enlarge").await;
    ada.see_text("[data-level=\"3\"] .board-enlarge", "enlarge").await;
    let tab = |level: u32| format!(".level-tabs label:nth-of-type({level})");
    for level in [3, 2, 3] {
        ada.click(&tab(level)).await;
        ada.see(&format!("[data-level=\"{level}\"][data-large]")).await;
        ada.see(&format!("{} input:checked + span", tab(level))).await;
    }
    // A tap on a small one does what its words say, and its tab follows.
    ada.click("[data-level=\"2\"] .board-enlarge").await;
    ada.see("[data-level=\"2\"][data-large]").await;
    ada.see(&format!("{} input:checked + span", tab(2))).await;
    ada.click(&tab(3)).await;
    ada.click_move("g1@3f3@3").await;
    ada.see(&format!("{}[data-last]", tab(3))).await;
    ada.picture("phone-levels").await;
    site.close([ada]).await;
}
