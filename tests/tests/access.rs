//! For everyone: pages that axe finds nothing serious on, a game by keyboard alone, a page that outlives its server, and how
//! quick it all feels, in figures.

use manifold_tests::assistive::Reader;
use manifold_tests::browser::white_first;
use manifold_tests::site::Site;
use manifold_tests::table::{FOURFOLD_MATE, Table};

const ENTER: &str = "\u{e007}";
const TAB: &str = "\u{e004}";
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
/// Alt with an arrow, then nothing held any more.
const BOARD_UP: &str = "\u{e00a}\u{e013}\u{e000}";
const BOARD_DOWN: &str = "\u{e00a}\u{e015}\u{e000}";

/// The places that anybody can go to, with something that is there once they are.
const PLACES: [(&str, &str); 14] = [
    ("/", "[data-action=\"play-computer\"]"),
    ("/learn", "[data-action=\"start-learning\"]"),
    ("/learn/coordinates", ".stage [data-legal]"),
    ("/learn/count", "[data-action=\"legal\"]"),
    ("/learn/worlds", ".stage.parallel"),
    ("/puzzles", "main h1"),
    ("/puzzles/m1-01", ".stage [data-movable]"),
    ("/leaderboard", "main h1"),
    ("/games", "main h1"),
    ("/@/ada", "main h1"),
    ("/settings", "[data-action=\"make-token\"]"),
    ("/login", "main form"),
    ("/signup", "main form"),
    ("/nowhere", "main h1"),
];

/// What is pressed on a page, and what is there then.
type Presses = &'static [(&'static str, &'static str)];

#[tokio::test]
async fn axe_finds_nothing_serious_on_any_page() {
    let Ok(axe) = std::env::var("MANIFOLD_AXE") else {
        println!("MANIFOLD_AXE names no axe-core: `cargo xtask test` brings it where npm can");
        return;
    };
    let axe = std::fs::read_to_string(axe).expect("axe-core can be read");
    let site = Site::open().await;
    let ada = site.visitor().await;
    ada.sign_up("ada").await;
    let game = ada.play_the_computer().await;
    let mut table = Table::casual(&site.server).await;
    table.play(0, &FOURFOLD_MATE).await;
    table.ended("white", "checkmate").await;
    let over = format!("/g/{}", table.game);
    // With a variation, and what the engine would play.
    let analysis = format!("/analysis?game={}&ply=2&moves=a2@00a3@00", table.game);
    let more: [(&str, &str, Presses); 3] = [
        (&game, ".sheet [data-movable]", &[]),
        (
            &over,
            "[data-action=\"why-mate\"]",
            &[
                ("[data-action=\"why-mate\"]", "[data-flight-row]"),
                ("[data-action=\"judge\"]", ".plot-way[d]"),
                (".plot-table summary", ".plot-table td"),
            ],
        ),
        (
            &analysis,
            ".variation [data-node=\"4\"][aria-current]",
            &[
                ("[data-action=\"ask-engine\"]", "[data-line=\"0\"]"),
                (".tools summary", ".tools input"),
            ],
        ),
    ];
    let places = PLACES.into_iter().map(|(place, sign)| (place, sign, [].as_slice())).chain(more);
    let mut found = Vec::new();
    for (place, sign, presses) in places {
        for theme in ["light", "dark"] {
            ada.run(&format!("localStorage.setItem('manifold.theme', '{theme}');")).await;
            ada.go(place).await;
            ada.see(sign).await;
            for (press, shows) in presses {
                // What the engine said of a game is remembered.
                if ada
                    .run(&format!(
                        "return document.querySelector({shows:?})?.checkVisibility() === true;"
                    ))
                    .await
                    == false
                {
                    ada.click(press).await;
                }
                ada.see(shows).await;
            }
            ada.run(&axe).await;
            let script = "const done = arguments[arguments.length - 1]; axe.run(document).then((r) => done(r.violations
                .filter((v) => v.impact === 'serious' || v.impact === 'critical').map((v) => `${v.id}: ${v.nodes[0].html}`)));";
            let serious = ada.run_until_done(script).await;
            for violation in serious.as_array().expect("a list") {
                found.push(format!("{place} in {theme}: {violation}"));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    site.close([ada]).await;
}

#[tokio::test]
async fn a_whole_game_is_played_by_keyboard_alone() {
    let site = Site::open().await;
    let (ada, bob) = site.visitors().await;
    for browser in [&ada, &bob] {
        browser.go("/").await;
        // The choice of the game is next to the link to the lessons.
        browser.tab_to("[data-action=\"learn\"]").await;
        for key in [TAB, LEFT] {
            browser.type_keys(key).await;
        }
        browser.see("label:has([data-variant=\"fourfold\"]:checked)").await;
        browser.tab_to("[data-pool=\"3+2\"]").await;
        browser.type_keys(ENTER).await;
    }
    let (white, black) = white_first(&ada, &bob).await;

    // Arrows inside a board, Alt and arrows between them: the queen goes from d1[0,0] to c2[0,1].
    white.tab_to(".sheet [data-square=\"a1@00\"]").await;
    for key in [RIGHT, RIGHT, RIGHT, ENTER, BOARD_UP, UP, LEFT] {
        white.type_keys(key).await;
    }
    white.see(".sheet [data-square=\"c2@01\"][data-legal]:focus").await;
    white.type_keys(ENTER).await;
    black.see("[data-ply=\"0\"]").await;

    // Black types.
    black.type_keys("m").await;
    black.type_keys("b3@01 b2@01").await;
    black.type_keys(ENTER).await;
    white.see("[data-ply=\"1\"]").await;

    // And mate, with the focus where it was left.
    for key in [ENTER, BOARD_DOWN, UP, LEFT, ENTER] {
        white.type_keys(key).await;
    }
    for browser in [white, black] {
        browser.see("[data-termination=\"checkmate\"]").await;
        browser.tab_to("[data-action=\"rematch\"]").await;
        browser.type_keys(ENTER).await;
    }
    white.see("[data-you=\"black\"]:not([data-over])").await;
    site.close([ada, bob]).await;
}

/// By roles, names and what a screen reader speaks alone, from the first page to the next game.
#[tokio::test]
async fn a_whole_game_is_played_through_the_accessibility_tree() {
    let site = Site::open().await;
    let (ada, bob) = site.visitors().await;
    let (ada_reads, bob_reads) = (Reader::of(&ada), Reader::of(&bob));
    for (browser, reader) in [(&ada, &ada_reads), (&bob, &bob_reads)] {
        browser.go("/").await;
        reader.find("heading", "Find an opponent").await;
        reader.choose("Fourfold").await;
        reader.activate("button", "3+2 Blitz").await;
    }
    let side = ada_reads.hear_one_of(&["You have White against", "You have Black against"]).await;
    let (white, black) =
        if side == 0 { (&ada_reads, &bob_reads) } else { (&bob_reads, &ada_reads) };
    black.hear("You have Black against").await;
    black.hear("Their turn").await;
    white.hear("Your turn").await;

    white.activate("button", "White queen, d1[0,0]").await;
    white.hear("d1[0,0] selected").await;
    white.activate("button", "c2[0,1], empty, legal move").await;
    black.hear("White played Qd1[0,0]–c2[0,1].").await;
    black.type_into("Type a move", "b3@01 b2@01\u{e007}").await;
    white.hear("Black played").await;
    white.activate("button", "White queen, c2[0,1]").await;
    white.activate("button", "b3[0,0], empty, legal move").await;

    // The move that mates and the result come at once: both are heard.
    for reader in [white, black] {
        reader.hear("Checkmate: Black's king has no way out.").await;
    }
    black.hear("White played Qc2[0,1]–b3[0,0]").await;
    white.find("heading", "You won").await;
    black.find("heading", "You lost").await;
    // Whoever has lost is told why, square by square.
    black.find_expanded("button", "Why is it mate?").await;
    black.find("button", "a4[0,0] Queen b3[0,0]").await;
    white.activate("button", "Why is it mate?").await;
    white.hear("squares are beside the king").await;

    white.activate("button", "Rematch").await;
    black.hear("White would like a rematch.").await;
    black.activate("button", "Accept the rematch").await;
    white.hear("You have Black against").await;
    black.hear("You have White against").await;
    site.close([ada, bob]).await;
}

#[tokio::test]
async fn a_page_outlives_its_server() {
    let mut site = Site::open().await;
    let ada = site.visitor().await;
    ada.play_the_computer().await;
    site.server.kill9().await;
    ada.see("[data-connection=\"reconnecting\"], [data-connection=\"lost\"]").await;
    ada.picture("server-gone").await;
    site.server.start_again_in_place().await;
    ada.see("[data-connection=\"back\"]").await;
    // The game goes on where it was.
    let from = ada.attribute(".sheet [data-movable]", "data-square").await;
    ada.click(&format!(".sheet [data-square=\"{from}\"]")).await;
    ada.click(".sheet [data-legal]").await;
    ada.see("[data-ply=\"0\"]").await;
    site.close([ada]).await;
}

/// Figures for those who look at them. A busy machine is slow, and that is no fault: asserted is only that what is measured
/// happens.
#[tokio::test]
async fn how_quick_it_feels_is_measured() {
    let site = Site::open().await;
    let ada = site.visitor().await;
    ada.play_the_computer().await;
    // From a press to the frame after the one that shows it, for each piece that can move.
    let input = ada.run_until_done(INPUT_TO_PAINT).await;
    // The window is too low for both views at once.
    ada.click("label:has(input[name=view][value=tesseract])").await;
    ada.see(".tess-picture").await;
    let before = ada.busy_ms().await;
    let frames = ada.run_until_done(FRAMES).await;
    let after = ada.busy_ms().await;
    // What a frame takes of the page's thread is what a slow machine's frames depend on: how many there are also hangs on what
    // else the machine does, and on drawing without a graphics card.
    let count = frames["frames"].as_f64().unwrap_or(f64::NAN);
    let [busy, scripts] = [0, 1].map(|i| (after[i] - before[i]) / count);
    println!(
        "input to paint {input}, tesseract {frames}: {busy:.2} ms of the page's thread a frame, {scripts:.2} of them scripts"
    );
    assert!(input["presses"].as_u64().is_some_and(|presses| presses > 0), "{input}");
    assert!(input["median_ms"].as_f64().is_some_and(|median| median > 0.0), "{input}");
    assert!(frames["frames"].as_u64().is_some_and(|frames| frames > 10), "{frames}");
    let pictures = ada.run_until_done(PICTURES).await;
    assert_eq!(
        pictures,
        serde_json::json!(PICTURES_SEEN),
        "each step of a turn shows another picture"
    );
    site.close([ada]).await;
}

const INPUT_TO_PAINT: &str = "
    const done = arguments[arguments.length - 1];
    const long = [];
    new PerformanceObserver((list) => long.push(...list.getEntries().map((e) => Math.round(e.duration)))).observe({ type: 'longtask', buffered: false });
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    (async () => {
      const times = [];
      for (const square of document.querySelectorAll('.sheet [data-movable]')) {
        const begin = performance.now();
        square.click();
        await frame();
        // What is asked for before a frame is painted is called in the next one, once it is there.
        await frame();
        times.push(performance.now() - begin);
      }
      times.sort((a, b) => a - b);
      done({ presses: times.length, median_ms: times[times.length >> 1], worst_ms: times.at(-1), long_tasks_ms: long });
    })();";

const FRAMES: &str = "
    const done = arguments[arguments.length - 1];
    const canvas = document.querySelector('.tess-picture');
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const at = (type, n) => canvas.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, isPrimary: true, pointerType: 'mouse', button: 0,
      clientX: left + width / 4 + n, clientY: top + height / 2 }));
    // There is no pointer that could be captured.
    canvas.setPointerCapture = () => {};
    at('pointerdown', 0);
    const begin = performance.now();
    let frames = 0;
    const turn = () => {
      frames += 1;
      at('pointermove', 6 + frames * 2);
      if (frames < 90) return requestAnimationFrame(turn);
      at('pointerup', 6 + frames * 2);
      done({ frames, per_second: Math.round(frames * 1000 / (performance.now() - begin)) });
    };
    requestAnimationFrame(turn);";

/// As many as steps, and the first.
const PICTURES_SEEN: usize = 9;

/// Turns it step by step, and counts the pictures that are seen: after each step there is one that was not there before, or
/// this never ends.
const PICTURES: &str = "
    const done = arguments[arguments.length - 1];
    const canvas = document.querySelector('.tess-picture');
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const c = copy.getContext('2d', { willReadFrequently: true });
    const look = () => { c.clearRect(0, 0, copy.width, copy.height); c.drawImage(canvas, 0, 0); return copy.toDataURL(); };
    const frame = () => new Promise((next) => requestAnimationFrame(next));
    (async () => {
      const seen = new Set([look()]);
      for (let step = 0; step < 8; step++) {
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
        const before = seen.size;
        while (seen.add(look()).size === before) await frame();
      }
      done(seen.size);
    })();";
