//! What can be read of ratings: who leads, and how one player's has gone.

use manifold_tests::table::{FOURFOLD_MATE, Table};
use manifold_tests::{Database, Server, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

const LEADERS: &str = "/api/v1/leaderboards/fourfold/blitz";

async fn read(server: &Server, path: &str) -> Value {
    server.client().get(path).await.expect(StatusCode::OK)
}

on_both_databases! {
    async fn the_leaders_are_those_whose_rating_is_sure_enough(db: Database) {
        // After one game everybody's is, here.
        let mut server = Server::start_with(db, &[("leaderboard.max_deviation", "499.0")]).await;
        assert_eq!(
            read(&server, LEADERS).await,
            json!({"variant": "fourfold", "speed": "blitz", "players": []})
        );
        let mut table = Table::rated(&server, "fourfold").await;
        table.play(0, &FOURFOLD_MATE).await;
        let ended = table.ended("white", "checkmate").await;

        let leaders = read(&server, LEADERS).await;
        let [first, second] = leaders["players"].as_array().unwrap().as_slice() else {
            panic!("two have played: {leaders}");
        };
        for (row, player, color) in [(first, &table.white, "white"), (second, &table.black, "black")] {
            assert_eq!(row["player"], json!({"name": player.name, "kind": "account"}));
            assert_eq!(row["rating"].as_f64().unwrap().round(), ended["ratings"][color]["after"].as_f64().unwrap());
            assert_eq!((&row["games"], &row["last_played_at"]), (&json!(1), &ended["ended_at"]));
            assert!(row["deviation"].as_f64().unwrap() < 499.0, "{row}");
        }
        for other in ["fourfold/rapid", "parallel-worlds/blitz"] {
            let leaders = read(&server, &format!("/api/v1/leaderboards/{other}")).await;
            assert_eq!(leaders["players"], json!([]), "{other}");
        }

        // By the rules that are promised, one game says too little.
        server.stop().await;
        server.set("leaderboard.max_deviation", "75.0");
        server.start_again().await;
        assert_eq!(read(&server, LEADERS).await["players"], json!([]));
    }

    async fn a_curve_has_a_point_for_each_rated_game(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        let mut expected = Vec::new();
        for _ in 0..3 {
            table.play(0, &FOURFOLD_MATE).await;
            let ended = table.ended("white", "checkmate").await;
            let winner = table.white.name.clone();
            let changes = &ended["ratings"];
            let after = |name: &str| changes[if name == winner { "white" } else { "black" }]["after"].clone();
            expected.push((table.game.clone(), after("ada"), ended["ended_at"].clone()));
            table = Table::by_pool(table.white, table.black, "fourfold", "3+2", true).await;
        }
        let curve = read(&server, "/api/v1/players/ada/ratings/fourfold/blitz").await;
        let found: Vec<(String, Value, Value)> = curve["points"]
            .as_array()
            .unwrap()
            .iter()
            .map(|point| {
                let rating = point["rating"].as_f64().unwrap().round();
                assert!(point["deviation"].as_f64().unwrap() < 500.0, "{point}");
                (point["game"].as_str().unwrap().to_owned(), json!(rating as i64), point["at"].clone())
            })
            .collect();
        assert_eq!(found, expected);
        let none = read(&server, "/api/v1/players/ada/ratings/fourfold/rapid").await;
        assert_eq!(none["points"], json!([]));
    }

    async fn what_is_no_game_or_speed_is_not_found(db: Database) {
        let server = Server::start(db).await;
        server.client().sign_up("ada").await;
        for path in [
            "/api/v1/leaderboards/fourfold/untimed",
            "/api/v1/leaderboards/fourfold/warp",
            "/api/v1/leaderboards/chess/blitz",
            "/api/v1/players/ada/ratings/chess/blitz",
            "/api/v1/players/ada/ratings/fourfold/warp",
            "/api/v1/players/nobody/ratings/fourfold/blitz",
        ] {
            server.client().get(path).await.expect_refusal(404, "not_found");
        }
    }
}
