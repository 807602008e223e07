//! A finished game is looked at again: from its result card, in a real browser, with the engine and by keyboard.

use manifold_tests::browser::Key;
use manifold_tests::site::Site;
use manifold_tests::table::{FOURFOLD_MATE, Table};

#[tokio::test]
async fn a_finished_game_is_analyzed_and_the_place_is_shared() {
    let site = Site::open().await;
    let mut table = Table::rated(&site.server, "fourfold").await;
    table.play(0, &FOURFOLD_MATE).await;
    table.ended("white", "checkmate").await;
    let ada = site.visitor().await;

    // A link to a ply shows it; another move of the list is another address.
    let game = format!("/g/{}", table.game);
    ada.go(&format!("{game}/1")).await;
    ada.see("[data-ply=\"0\"][aria-current]").await;
    ada.press(Key::Right).await;
    ada.see(".plot").await;
    ada.see("[data-ply=\"1\"][aria-current]").await;
    ada.see_address(&format!("{game}/2")).await;
    ada.picture("analysis-game").await;

    ada.click("[data-action=\"analyze\"]").await;
    ada.see("[data-node=\"2\"][aria-current]").await;
    // Instead of the mate: another move, which becomes a variation.
    ada.click_move("a2@00a3@00").await;
    ada.see(".variation [data-node=\"4\"][aria-current]").await;

    // Back, on into the line that was left, to the mate beside it, to the start and to the end.
    for (key, node) in [
        (Key::Left, "2"),
        (Key::Right, "4"),
        (Key::Up, "3"),
        (Key::Down, "4"),
        (Key::Left, "2"),
        (Key::Home, ""),
        (Key::End, "3"),
        (Key::Down, "4"),
    ] {
        ada.press(key).await;
        if node.is_empty() {
            ada.see(".tree:not(:has([aria-current]))").await;
        } else {
            ada.see(&format!("[data-node=\"{node}\"][aria-current]")).await;
        }
    }

    ada.click("[data-action=\"ask-engine\"]").await;
    ada.see("[data-line=\"0\"]").await;
    ada.picture("analysis").await;
    ada.click("[data-line=\"0\"]").await;
    ada.see("[data-node=\"5\"][aria-current]").await;

    // The link leads to the same place: here after a reload, and in a browser that knows nothing of it.
    ada.click("[data-action=\"copy-link\"]").await;
    let link = ada.attribute("[data-action=\"copy-link\"][data-copied]", "data-copied").await;
    let path = link.strip_prefix(&site.server.origin()).expect("a link to this server").to_owned();
    assert!(path.contains(&format!("game={}&ply=2&moves=a2@00a3@00.", table.game)), "{path}");
    ada.see_address(&path).await;
    ada.reload().await;
    ada.see("[data-node=\"5\"][aria-current]").await;
    let bob = site.visitor().await;
    bob.go(&path).await;
    bob.see(".variation [data-node=\"5\"][aria-current]").await;
    bob.picture("analysis-shared").await;
    site.close([bob, ada]).await;
}
