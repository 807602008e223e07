//! A game's page at a ply, and its picture.

use manifold_tests::client::Answer;
use manifold_tests::table::{CLASSIC_MATE, PARALLEL_CAPTURE, Table};
use manifold_tests::{Client, Database, Server, on_both_databases};
use serde_json::json;

const FOR_EVER: &str = "public, max-age=31536000, immutable";
const A_DAY: &str = "public, max-age=86400";
const A_MOMENT: &str = "public, max-age=30";

fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.headers.get(name).map_or("", |value| value.to_str().expect("a header of ours is text"))
}

async fn picture(client: &Client, game: &str, ply: usize) -> Answer {
    client.get(&format!("/g/{game}/{ply}.svg")).await
}

/// How long the picture of each ply may be kept, until there is no such ply.
async fn caching(client: &Client, game: &str) -> Vec<String> {
    let mut found = Vec::new();
    loop {
        let answer = picture(client, game, found.len()).await;
        if answer.status == 404 {
            return found;
        }
        assert_eq!(answer.status, 200);
        found.push(header(&answer, "cache-control").to_owned());
    }
}

/// What a page says of itself.
fn meta<'a>(page: &'a str, property: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("<meta property=\"{property}\" content=\""))?;
    rest.split_once('"').map(|(content, _)| content)
}

/// The pieces of a picture.
fn pieces(picture: &str) -> usize {
    picture.matches("<use ").count()
}

on_both_databases! {
    async fn a_game_has_a_page_and_a_picture_at_every_ply(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let mut table = Table::rated(&server, "fourfold").await;
        let other = Table::by_challenge(&server, "parallel-worlds", None).await;
        table.play(0, &["d1@00c2@01", "b3@01b2@01"]).await;
        let (game, players) = (&table.game, format!("{} – {}", table.white.name, table.black.name));
        for (path, title, shown) in [
            (format!("/g/{game}"), players.clone(), 2),
            (format!("/g/{game}/0"), format!("{players}, ply 0"), 0),
            (format!("/g/{game}/2"), format!("{players}, ply 2"), 2),
        ] {
            let page = client.get(&path).await;
            assert_eq!(page.status, 200, "{path}");
            assert_eq!(meta(&page.body, "og:title"), Some(&*format!("{title} · Manifold")));
            assert_eq!(meta(&page.body, "og:url"), Some(&*format!("{}{path}", server.origin())));
            let description = format!("Fourfold, rated, 3 minutes + 2 seconds. Chess in four dimensions: the position at ply {shown}.");
            assert_eq!(meta(&page.body, "og:description"), Some(&*description));
            let address = format!("/g/{game}/{shown}.svg");
            let image = format!("{}{address}", server.origin());
            assert_eq!(meta(&page.body, "og:image"), Some(&*image), "{path}");
            assert_eq!(client.get(&address).await.status, 200);
        }
        for (id, rest) in [
            (&**game, "/3"), (game, "/3.svg"), (game, "/+1"), (game, "/+1.svg"), (game, "/-1"), (game, "/x"), (game, "/x.svg"),
            (game, "/000001"), (game, "/99999999999999999999.svg"), (game, "/1.png"), (game, "/.svg"), (game, "/1/2"), ("nonsense", "/0"),
            ("nonsense", "/0.svg"), (&other.game, "/1"), (&other.game, "/1.svg"),
            ("00000000-0000-7000-8000-000000000000", "/0"), ("00000000-0000-7000-8000-000000000000", "/0.svg"),
        ] {
            let page = client.get(&format!("/g/{id}{rest}")).await;
            assert_eq!(page.status, 404, "{id}{rest}");
            assert!(header(&page, "content-type").starts_with("text/html"), "{id}{rest}");
            assert_eq!(meta(&page.body, "og:image"), None);
        }
        client.post(&format!("/g/{game}/0.svg"), json!({})).await.expect_refusal(405, "method_not_allowed");
    }

    async fn a_picture_shows_the_boards_the_players_and_how_it_stands(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let mut table = Table::rated(&server, "fourfold").await;
        table.play(0, &["d1@00c2@01", "b3@01b2@01"]).await;
        let start = picture(&client, &table.game, 0).await;
        for (name, value) in [
            ("content-type", "image/svg+xml"),
            ("content-security-policy", "default-src 'none'; frame-ancestors 'none'; sandbox"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-resource-policy", "cross-origin"),
        ] {
            assert_eq!(header(&start, name), value);
        }
        let start = start.body;
        assert_eq!(pieces(&start), 32, "the full army of both");
        // The shapes are the sprite's, without what would need a style.
        let sprite = include_str!("../../../static/img/pieces.svg");
        let (_, queen) = sprite.split_once("id=\"p-Q\"").unwrap();
        let queen = queen.split("d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert!(start.contains(queen), "{start}");
        assert_eq!(start.matches("<symbol ").count(), 6);
        assert!(!start.contains("class=") && !start.contains("style"), "{start}");
        for words in [">Z = 0<", ">Z = 1<", ">W = 0<", ">W = 1<", ">White to move<", ">start<", ">ada<", ">bob<", ">1500?<", ">d<", ">4<"] {
            assert!(start.contains(words), "{words} in {start}");
        }
        let after = picture(&client, &table.game, 1).await.body;
        assert!(after.contains(">Qd1@00-c2@01") && after.contains(">Black to move<"), "{after}");
        assert_ne!(start, after);
        // The end is told by the last position alone.
        table.play_on(2, 1).await;
        table.black.socket.done(json!({"t": "resign", "game": table.game})).await;
        table.ended("white", "resignation").await;
        let last = picture(&client, &table.game, 3).await.body;
        assert!(last.contains(">1–0<") && last.contains(">resignation<"), "{last}");
        assert_eq!(picture(&client, &table.game, 1).await.body, after);

        // A king in check has a disk behind it.
        let mut classic = Table::by_challenge(&server, "fourfold-classic", Some((60_000, 0))).await;
        classic.play(0, &CLASSIC_MATE).await;
        classic.ended("white", "checkmate").await;
        let before = picture(&client, &classic.game, 2).await.body;
        let mate = picture(&client, &classic.game, 3).await.body;
        assert!(mate.contains(">checkmate<") && mate.contains(">Small army<"), "{mate}");
        let checks = |picture: &str| picture.matches("fill=\"#e2543a\"").count();
        assert_eq!((pieces(&mate), checks(&before), checks(&mate)), (20, 0, 1));

        let mut worlds = Table::by_challenge(&server, "parallel-worlds", None).await;
        worlds.play(0, &PARALLEL_CAPTURE).await;
        worlds.ended("white", "king_captured").await;
        let start = picture(&client, &worlds.game, 0).await.body;
        assert_eq!(pieces(&start), 64);
        for words in [">Level 1<", ">Level 2<", ">Level 3<", ">h<", ">8<", ">casual · without a clock<"] {
            assert!(start.contains(words), "{words} in {start}");
        }
        let end = picture(&client, &worlds.game, 5).await.body;
        assert!(end.contains(">king captured<"), "{end}");
        // Each single move of a turn has the square that it reached in a frame.
        let frames = |picture: &str| picture.matches("fill=\"none\" stroke=\"#8f7212\"").count();
        let second = picture(&client, &worlds.game, 2).await.body;
        assert_eq!((frames(&start), frames(&second), frames(&end)), (0, 3, 1));
    }

    async fn a_picture_is_kept_for_as_long_as_it_cannot_change(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let mut rated = Table::rated(&server, "fourfold").await;
        rated.play(0, &["d1@00c2@01", "b3@01b2@01"]).await;
        assert_eq!(caching(&client, &rated.game).await, [FOR_EVER, FOR_EVER, A_MOMENT]);
        rated.black.socket.done(json!({"t": "resign", "game": rated.game})).await;
        rated.ended("white", "resignation").await;
        assert_eq!(caching(&client, &rated.game).await, [FOR_EVER; 3]);

        // Guests get other names when they sign up, and moves are taken back.
        let mut casual = Table::by_challenge(&server, "fourfold", None).await;
        casual.play(0, &["d1@00c2@01", "b3@01b2@01"]).await;
        assert_eq!(caching(&client, &casual.game).await, [A_MOMENT; 3]);
        let before = picture(&client, &casual.game, 2).await.body;
        let game = casual.game.clone();
        let offer = casual.black.socket.done(json!({"t": "offer_takeback", "game": game})).await["seq"].clone();
        casual.white.socket.event(&game, "takeback_offered").await;
        casual.white.socket.done(json!({"t": "accept_takeback", "game": game, "offer": offer})).await;
        assert_eq!(caching(&client, &casual.game).await, [A_MOMENT; 2], "the ply is gone");
        casual.black.socket.event(&game, "taken_back").await;
        casual.play(1, &["d3@11d2@11"]).await;
        assert_ne!(picture(&client, &game, 2).await.body, before, "another move was made instead");
        casual.white.socket.done(json!({"t": "resign", "game": game})).await;
        assert_eq!(caching(&client, &game).await, [A_DAY; 3]);
    }

    async fn case_19_a_name_makes_no_script_on_a_page_or_in_a_picture(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        let table = Table::by_challenge(&server, "fourfold", None).await;
        let name = "\"><script>alert('x')</script>&";
        server.storage().rename(&table.white.name, name).await;
        let shown = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;";
        for path in ["", "/0", "/0.svg"] {
            let answer = client.get(&format!("/g/{}{path}", table.game)).await;
            assert_eq!(answer.status, 200, "{path}");
            assert!(answer.body.contains(shown), "{path}: {}", answer.body);
            assert!(!answer.body.contains("<script>"), "{path}: {}", answer.body);
        }
    }

    async fn a_sleeping_game_and_one_told_again_have_the_same_pictures(db: Database) {
        let mut server = Server::start(db).await;
        let mut table = Table::by_challenge(&server, "fourfold", None).await;
        table.play_on(0, 4).await;
        let before = picture(&server.client(), &table.game, 3).await.body;
        // Nobody has been there since: it is asked of its journal.
        server.stop().await;
        server.start_again().await;
        let client = server.client();
        assert_eq!(picture(&client, &table.game, 3).await.body, before);
        assert_eq!(client.get(&format!("/g/{}/4", table.game)).await.status, 200);
        assert_eq!(client.get(&format!("/g/{}/5", table.game)).await.status, 404);
    }
}
