//! What can be read back: games, players, records, pages.

use std::collections::HashSet;

use manifold_rules::record::Record;
use manifold_rules::{Outcome, Termination};
use manifold_tests::table::{FOURFOLD_MATE, Table};
use manifold_tests::{Client, Database, Server, on_both_databases};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

/// Walks a list to its end; between pages `meanwhile` happens.
async fn walk(
    client: &Client,
    path: &str,
    limit: usize,
    mut meanwhile: impl AsyncFnMut(),
) -> Vec<Value> {
    let mut found = Vec::new();
    let mut cursor: Option<String> = None;
    loop {
        let separator = if path.contains('?') { '&' } else { '?' };
        let mut query = format!("{path}{separator}limit={limit}");
        if let Some(cursor) = &cursor {
            query.push_str(&format!("&cursor={cursor}"));
        }
        let page = client.get(&query).await.expect(StatusCode::OK);
        let games = page["games"].as_array().unwrap();
        assert!(games.len() <= limit);
        found.extend(games.iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return found,
        }
        meanwhile().await;
    }
}

fn ids(games: &[Value]) -> Vec<&str> {
    games.iter().map(|game| game["id"].as_str().unwrap()).collect()
}

on_both_databases! {
    async fn case_20_a_list_shows_each_game_once_while_games_begin_and_end(db: Database) {
        let server = Server::start(db).await;
        let mut tables = Vec::new();
        for _ in 0..11 {
            tables.push(Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await);
        }
        let expected: Vec<String> = tables.iter().rev().map(|table| table.game.clone()).collect();
        let client = server.client();
        let mut rest = tables;
        let games = walk(&client, "/api/v1/games", 3, async || {
            // One of the old games ends, and a new one begins.
            let mut table = rest.pop().unwrap();
            table.play(0, &FOURFOLD_MATE).await;
            table.ended("white", "checkmate").await;
            Table::by_challenge(&server, "fourfold", Some((60_000, 0))).await;
        })
        .await;
        assert_eq!(ids(&games), expected, "newest first, those that began later are not in it");

        let ended = walk(&client, "/api/v1/games?status=ended", 2, async || {}).await;
        let live = walk(&client, "/api/v1/games?status=live", 2, async || {}).await;
        assert_eq!(ended.len() + live.len(), 11 + 3);
        for game in &ended {
            assert_eq!((&game["plies"], &game["termination"]), (&json!(3), &json!("checkmate")));
            assert!(game.get("moves").is_none());
        }
        for game in &live {
            assert_eq!((&game["ended_at"], &game["outcome"]), (&Value::Null, &Value::Null));
        }
        let all: HashSet<_> = ids(&ended).into_iter().chain(ids(&live)).collect();
        assert_eq!(all.len(), 14);
    }

    async fn a_list_is_narrowed_to_what_is_looked_for(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        // Two are played to their end, the one between them goes on.
        let mut games = Vec::new();
        for (variant, time) in [("fourfold", Some((60_000, 0))), ("parallel-worlds", None), ("fourfold", Some((600_000, 10_000)))] {
            let mut table = Table::by_challenge(&server, variant, time).await;
            if variant == "fourfold" {
                table.play(0, &FOURFOLD_MATE).await;
                table.ended("white", "checkmate").await;
            }
            games.push(table.game);
        }
        let [bullet, untimed, rapid] = [0, 1, 2].map(|index| games[index].as_str());
        for (query, expected) in [
            ("variant=fourfold", vec![rapid, bullet]),
            ("variant=fourfold&speed=rapid", vec![rapid]),
            ("speed=bullet&outcome=white&rated=false", vec![bullet]),
            ("speed=untimed&status=live", vec![untimed]),
            ("outcome=white", vec![rapid, bullet]),
            ("outcome=black", vec![]),
            ("rated=true", vec![]),
            ("variant=parallel-worlds&status=ended", vec![]),
        ] {
            for limit in [1, 20] {
                let found = walk(&client, &format!("/api/v1/games?{query}"), limit, async || {}).await;
                assert_eq!(ids(&found), expected, "{query}, {limit} at a time");
            }
        }
        // By a player, too; of whom nobody is there are none.
        let white = client.game(rapid).await["white"]["name"].as_str().unwrap().replace(' ', "%20");
        let found = walk(&client, &format!("/api/v1/games?player={white}"), 20, async || {}).await;
        assert_eq!(ids(&found), [rapid]);
        let found = client.get("/api/v1/games?player=nob").await.expect(StatusCode::OK);
        assert_eq!(found, json!({"games": [], "next": null}));
        for query in ["variant=chess", "speed=slow", "rated=perhaps", "outcome=lost", "color=white"] {
            client.get(&format!("/api/v1/games?{query}")).await.expect_refusal(400, "bad_request");
        }
    }

    async fn a_player_s_games_are_those_of_both_colors(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        let mut games = Vec::new();
        for _ in 0..5 {
            table.play(0, &FOURFOLD_MATE).await;
            table.ended("white", "checkmate").await;
            games.insert(0, table.game.clone());
            table = Table::by_pool(table.white, table.black, "fourfold", "3+2", true).await;
        }
        games.insert(0, table.game.clone());
        for name in ["ada", "BOB"] {
            let path = format!("/api/v1/players/{name}/games");
            let found = walk(&server.client(), &path, 2, async || {}).await;
            assert_eq!(ids(&found), games);
        }
        let profile = server.client().get("/api/v1/players/ADA").await.expect(StatusCode::OK)["player"].clone();
        assert_eq!((&profile["name"], &profile["kind"]), (&json!("ada"), &json!("account")));
        assert_eq!(profile["ratings"][0]["games"], 5);
        // The last rating is the one that the last game led to.
        let last = server.client().game(&games[1]).await;
        let color = if last["white"]["name"] == "ada" { "white" } else { "black" };
        let rating = profile["ratings"][0]["rating"].as_f64().unwrap().round();
        assert_eq!(json!(rating as i64), last["ratings"][color]["after"]);
    }

    async fn a_record_can_be_taken_home(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold-classic").await;
        table.play(0, &["d1@00c2@01", "b4@11c4@00"]).await;
        let path = format!("/api/v1/games/{}", table.game);
        let client = server.client();
        let under_way = client.get(&format!("{path}.pgn")).await;
        assert_eq!(Record::from_pgn(&under_way.body).unwrap().end, None);

        table.black.socket.done(json!({"t": "resign", "game": table.game})).await;
        table.ended("white", "resignation").await;
        let by_suffix = client.get(&format!("{path}.pgn")).await;
        let request = client.request(Method::GET, &path).header(header::ACCEPT, "application/x-chess-pgn");
        let by_accept = client.send(request).await;
        for answer in [&by_suffix, &by_accept] {
            assert_eq!(answer.status, StatusCode::OK);
            let kind = answer.headers[header::CONTENT_TYPE].to_str().unwrap();
            assert!(kind.starts_with("application/x-chess-pgn"), "{kind}");
        }
        assert_eq!(by_suffix.body, by_accept.body);

        let record = Record::from_pgn(&by_suffix.body).unwrap();
        let end = record.end.unwrap();
        assert_eq!(end.termination, Termination::Resignation);
        assert!(matches!(end.outcome, Outcome::Win(manifold_rules::Color::White)));
        let turns: Vec<_> = record.game.turns().iter().map(ToString::to_string).collect();
        assert_eq!(turns, ["d1@00c2@01", "b4@11c4@00"]);
        let game = client.game(&table.game).await;
        assert_eq!(record.game.fen(), game["moves"][1]["fen"].as_str().unwrap());
        assert_eq!(record.tags.white.as_deref(), game["white"]["name"].as_str());
        assert_eq!(record.tags.black.as_deref(), game["black"]["name"].as_str());
        assert!(record.tags.site.unwrap().contains(&table.game));
    }

    async fn every_page_says_what_it_is_and_lets_nobody_in(db: Database) {
        let server = Server::start(db).await;
        let client = server.client();
        client.sign_up("ada").await;
        let table = Table::casual(&server).await;
        for (path, status) in [
            ("/".to_owned(), 200),
            ("/login".to_owned(), 200),
            ("/signup".to_owned(), 200),
            ("/analysis?variant=parallel-worlds".to_owned(), 200),
            ("/games?status=live".to_owned(), 200),
            ("/@/ada".to_owned(), 200),
            (format!("/g/{}", table.game), 200),
            ("/g/nonsense".to_owned(), 404),
            ("/@/nobody".to_owned(), 404),
            ("/nowhere".to_owned(), 404),
        ] {
            let page = client.get(&path).await;
            assert_eq!(page.status, status, "{path}");
            let header = |name: &str| page.headers.get(name).map_or("", |value| value.to_str().unwrap());
            assert!(header("content-type").starts_with("text/html"), "{path}");
            assert!(page.body.contains("<title>"), "{path}");
            let policy = header("content-security-policy");
            assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
            assert!(!policy.contains("unsafe"), "{policy}");
            assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
            assert_eq!(header("referrer-policy"), "same-origin", "{path}");
            assert!(!page.body.contains("<script>") && !page.body.contains("style=\""), "{path} has inline code");
        }
        assert_eq!(client.get("/healthz").await.status, 200);
        assert_eq!(client.get("/readyz").await.status, 200);
        client.get("/assets/nonsense/js/main.js").await.expect_refusal(404, "not_found");
        for path in ["players/%ff", "players/%ff/games", "games/%ff", "challenges/%ff"] {
            client.get(&format!("/api/v1/{path}")).await.expect_refusal(404, "not_found");
        }
        let home = client.get("/").await.body;
        let asset = home.split('"').find(|part| part.starts_with("/assets/") && part.ends_with(".js")).unwrap();
        let script = client.get(asset).await;
        assert_eq!(script.status, 200);
        assert!(script.headers[header::CACHE_CONTROL].to_str().unwrap().contains("immutable"));
        assert_eq!(script.headers["x-content-type-options"], "nosniff");
        assert!(script.headers.get("content-security-policy").is_none(), "said fifty times, it weighs too much");
        for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/..%2fCargo.toml"] {
            let outside = asset.rsplit_once('/').unwrap().0.to_owned() + path;
            assert_ne!(client.get(&outside).await.status, 200, "{outside}");
        }
    }

    async fn names_that_a_page_shows_are_not_taken_for_its_code(db: Database) {
        let server = Server::start(db).await;
        let page = server.client().get("/@/%3Cscript%3Ealert(1)%3C%2Fscript%3E").await;
        assert_eq!(page.status, 404);
        assert!(!page.body.contains("<script>alert"), "{}", page.body);
    }
}
