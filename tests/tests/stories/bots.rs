//! Accounts that programs play for.

use std::path::Path;
use std::process::Stdio;

use futures_util::future::join_all;
use manifold_tests::table::{FOURFOLD_MATE, Player, Table};
use manifold_tests::{Client, Database, PASSWORD, Server, Socket, on_both_databases};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

const BOT: &str = "/api/v1/account/bot";

async fn become_bot(client: &Client) -> Value {
    client.post(BOT, json!({})).await.expect(StatusCode::OK)["player"].clone()
}

/// A bot, its socket opened by its token; and the token.
async fn bot(server: &Server, name: &str) -> (Player, String) {
    let client = server.client();
    client.sign_up(name).await;
    assert_eq!(become_bot(&client).await, json!({"name": name, "kind": "bot"}));
    let (_, token) = client.token("at home").await;
    let socket = Socket::by_token(&server.origin(), &token).await;
    (Player { name: name.to_owned(), client, socket }, token)
}

/// A casual seek with a clock, or whatever is said otherwise.
fn seek(options: Value) -> Value {
    let mut seek = json!({"t": "seek", "variant": "fourfold", "color": "random", "rated": false, "time": clock()});
    for (key, value) in options.as_object().expect("options are an object") {
        seek[key] = value.clone();
    }
    seek
}

fn clock() -> Value {
    json!({"base_ms": 180_000, "increment_ms": 2_000})
}

fn accept_seek(made: &Value) -> Value {
    json!({"t": "accept_seek", "seek": made["seek"]})
}

/// The example of the documentation, as its reader starts it.
fn example(server: &Server, token: &str) -> Child {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/bot.mjs");
    Command::new("node")
        .arg("--experimental-websocket")
        .arg(file)
        .arg(server.origin())
        .env("MANIFOLD_TOKEN", token)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .expect("node is there")
}

/// Wins, or comes to another end, as White; the event that ends the game.
async fn beat(ada: &mut Player, game: &str) -> Value {
    let snapshot = ada.socket.watch(game).await;
    assert_eq!(snapshot["you"], "white");
    let mut fen = snapshot["game"]["start_fen"].clone();
    for ply in (0..400).step_by(2) {
        let question = json!({"variant": "fourfold", "fen": fen, "time_ms": 30});
        let best = ada.client.post("/api/v1/analysis", question).await.expect(StatusCode::OK);
        ada.socket.play(game, ply, best["turn"].as_str().expect("there is a move")).await;
        let answer = |m: &Value| {
            let is_their_move = m["kind"] == "move" && m["ply"] == ply + 1;
            m["t"] == "event" && m["game"] == game && (is_their_move || m["kind"] == "ended")
        };
        let told = ada.socket.wait_for("the bot's move", answer).await;
        if told["kind"] == "ended" {
            return told;
        }
        if told["legal"] == json!([]) {
            return ada.socket.event(game, "ended").await;
        }
        fen = told["fen"].clone();
    }
    panic!("this game does not end");
}

on_both_databases! {
    async fn an_account_becomes_a_bot_for_good_and_everybody_sees_it(db: Database) {
        let server = Server::start(db).await;
        let mut marvin = Player::account(&server, "Marvin").await;
        let (_, token) = marvin.client.token("at home").await;
        let mut program = Socket::by_token(&server.origin(), &token).await;
        let mut ada = Player::account(&server, "ada").await;
        let made = marvin.socket.done(seek(json!({"time": {"days_per_move": 2}, "rated": true}))).await;
        ada.socket.ask(json!({"t": "lobby"})).await;

        // Only by somebody who has logged in, from our own pages.
        server.client().post(BOT, json!({})).await.expect_refusal(401, "unauthenticated");
        let request = marvin.client.request(Method::POST, BOT);
        marvin.client.send(request).await.expect_refusal(403, "wrong_origin");
        let request = server.client().request(Method::POST, BOT).bearer_auth(&token);
        server.client().send(request).await.expect_refusal(403, "session_needed");
        let guest = server.client();
        guest.be_guest().await;
        guest.post(BOT, json!({})).await.expect_refusal(403, "not_an_account");

        let kind = json!({"name": "Marvin", "kind": "bot"});
        assert_eq!(become_bot(&marvin.client).await, kind);
        // Both sockets were a person's.
        for socket in [&mut marvin.socket, &mut program] {
            assert_eq!(socket.closed().await.as_deref(), Some("session"));
        }
        // A retry is the same answer, and nothing leads back.
        assert_eq!(become_bot(&marvin.client).await, kind);
        let socket = Socket::by_token(&server.origin(), &token).await;
        assert_eq!(socket.hello["player"], kind);
        assert_eq!(marvin.client.get("/api/v1/session").await.expect(StatusCode::OK)["player"], kind);
        let profile = ada.client.get("/api/v1/players/marvin").await.expect(StatusCode::OK);
        assert_eq!(profile["player"]["kind"], "bot");
        let told = ada.socket.wait_for("the seek's new owner", |m| m["t"] == "seek_added" && m["seek"]["id"] == made["seek"]).await;
        assert_eq!((&told["seek"]["owner"], &told["seek"]["owner_rating"]), (&kind, &json!(1500)));
        let challenge = marvin.client.challenge_with(json!({"opponent": "ada"})).await;
        assert_eq!(challenge["creator"], kind);
        assert_eq!(ada.socket.wait("challenged").await["challenge"]["creator"], kind);
        // It is still an account: a password opens it.
        let anew = server.client();
        let body = json!({"name": "marvin", "password": PASSWORD});
        assert_eq!(anew.post("/api/v1/session", body).await.expect(StatusCode::OK)["player"], kind);
        anew.token("another").await;
        let list = server.command(&["user", "list"]).output().await.expect("it runs");
        let list = String::from_utf8_lossy(&list.stdout).into_owned();
        assert!(list.lines().any(|line| line.starts_with("Marvin\tbot\t")), "{list}");
        let marked = server.command(&["user", "bot", "ADA"]).status().await.expect("it runs");
        assert!(marked.success());
        assert_eq!(ada.client.get("/api/v1/session").await.expect(StatusCode::OK)["player"]["kind"], "bot");
    }

    async fn who_plays_or_has_played_for_points_stays_a_person(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        for player in [&table.white, &table.black] {
            player.client.post(BOT, json!({})).await.expect_refusal(409, "already_playing");
        }
        table.play(0, &FOURFOLD_MATE).await;
        table.ended("white", "checkmate").await;
        for player in [&table.white, &table.black] {
            player.client.post(BOT, json!({})).await.expect_refusal(409, "cannot_become_bot");
        }
        // Casual games are nobody's points; but whoever sits opposite has begun with a person.
        let cleo = Player::account(&server, "cleo").await;
        let slow = cleo.client.challenge_with(json!({"time": {"days_per_move": 1}})).await;
        let game = table.white.client.accept(&slow).await;
        cleo.client.post(BOT, json!({})).await.expect_refusal(409, "already_playing");
        table.white.socket.watch(&game).await;
        table.white.socket.done(json!({"t": "abort", "game": game})).await;
        become_bot(&cleo.client).await;
    }

    async fn no_bot_waits_in_a_pool_however_it_came_there(db: Database) {
        let server = Server::start(db).await;
        let join = json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": true});
        for round in 0..10 {
            let mut marvin = Player::account(&server, &format!("marvin{round}")).await;
            // It waits, or is just about to, when many ask at once that it be a bot.
            if round % 2 == 0 {
                marvin.socket.done(join.clone()).await;
            } else {
                marvin.socket.send(&json!({"t": "join_pool", "id": "late", "variant": "fourfold", "time": "3+2", "rated": true})).await;
            }
            let answers = join_all((0..50).map(|_| marvin.client.post(BOT, json!({})))).await;
            for answer in answers {
                assert_eq!(answer.expect(StatusCode::OK)["player"]["kind"], "bot");
            }
            marvin.socket.closed().await;
            let mut again = marvin.client.socket().await;
            again.refused(json!({"t": "leave_pool"}), "not_waiting").await;
            again.refused(join.clone(), "not_for_bots").await;
            // Whoever comes next meets a person.
            let mut people = [Player::account(&server, &format!("ada{round}")).await, Player::account(&server, &format!("bob{round}")).await];
            for person in &mut people {
                person.join("fourfold", "3+2", true).await;
            }
            let paired = people[0].socket.wait("paired").await;
            assert_eq!(paired["game"], people[1].socket.wait("paired").await["game"]);
        }
    }

    async fn of_many_tokens_that_are_made_at_once_there_are_as_many_as_may_be(db: Database) {
        let server = Server::start(db).await;
        let ada = server.client();
        ada.sign_up("ada").await;
        let tries = (0..50).map(|n| ada.post("/api/v1/tokens", json!({"name": format!("bot {n}")})));
        let (made, refused): (Vec<_>, Vec<_>) =
            join_all(tries).await.into_iter().partition(|answer| answer.status == StatusCode::CREATED);
        assert_eq!(made.len(), 10);
        for answer in refused {
            answer.expect_refusal(429, "too_many_tokens");
        }
        let list = ada.get("/api/v1/tokens").await.expect(StatusCode::OK);
        assert_eq!(list["tokens"].as_array().unwrap().len(), 10);
    }

    async fn a_bot_takes_casual_seeks_and_rated_ones_of_bots(db: Database) {
        let server = Server::start(db).await;
        let (mut marvin, _) = bot(&server, "marvin").await;
        let (mut eddie, _) = bot(&server, "eddie").await;
        let mut ada = Player::account(&server, "ada").await;
        let rated = ada.socket.done(seek(json!({"rated": true}))).await;
        marvin.socket.refused(accept_seek(&rated), "not_for_bots").await;
        let casual = ada.socket.done(seek(json!({}))).await;
        let game = marvin.socket.done(accept_seek(&casual)).await["game"].clone();
        for player in [&mut ada, &mut marvin] {
            assert_eq!(player.socket.wait("paired").await["game"], game);
        }
        // With its game under way it offers another, and takes that of a bot.
        let own = marvin.socket.done(seek(json!({"rated": true}))).await;
        let game = eddie.socket.done(accept_seek(&own)).await["game"].clone();
        let game = server.client().game(game.as_str().unwrap()).await;
        assert_eq!((&game["rated"], &game["white"]["kind"], &game["black"]["kind"]), (&json!(true), &json!("bot"), &json!("bot")));
        // People take what a bot offers, for points too.
        let own = eddie.socket.done(seek(json!({"rated": true}))).await;
        let mut bob = Player::account(&server, "bob").await;
        bob.socket.done(accept_seek(&own)).await;
        // A person still has one game with a clock.
        let own = eddie.socket.done(seek(json!({}))).await;
        ada.socket.refused(accept_seek(&own), "already_playing").await;
    }

    async fn a_bot_plays_several_games_at_once_and_no_more_than_it_may(db: Database) {
        let server = Server::start_with(db, &[("game.games_per_bot", "3")]).await;
        let (mut marvin, token) = bot(&server, "marvin").await;
        let mut people = Vec::new();
        for n in 0..8 {
            people.push(Player::account(&server, &format!("ada{n}")).await);
        }
        let mut challenges = Vec::new();
        for (n, person) in people.iter().enumerate() {
            let time = if n == 0 { json!({"days_per_move": 1}) } else { clock() };
            challenges.push(person.client.challenge_with(json!({"opponent": "marvin", "time": time})).await);
            assert_eq!(marvin.socket.wait("challenged").await["challenge"]["id"], challenges[n]["id"]);
        }
        // By token, all at once.
        let accepting = challenges.iter().map(|challenge| {
            let path = format!("/api/v1/challenges/{}/accept", challenge["id"].as_str().unwrap());
            let program = server.client();
            let request = program.request(Method::POST, &path).bearer_auth(&token);
            async move { program.send(request).await }
        });
        let answers = join_all(accepting).await;
        let games: Vec<_> = answers.iter().filter(|answer| answer.status == StatusCode::OK).collect();
        assert_eq!(games.len(), 3, "{answers:?}");
        for answer in answers.iter().filter(|answer| answer.status != StatusCode::OK) {
            answer.expect_refusal(429, "too_many_games");
        }
        let session = marvin.client.get("/api/v1/session").await.expect(StatusCode::OK);
        assert_eq!(session["playing"].as_array().unwrap().len(), 3);
        // Nobody else gets a fourth out of it.
        let theirs = marvin.client.challenge_with(json!({"time": {"days_per_move": 1}})).await;
        let eve = Player::account(&server, "eve").await;
        let path = format!("/api/v1/challenges/{}/accept", theirs["id"].as_str().unwrap());
        eve.client.post(&path, json!({})).await.expect_refusal(409, "opponent_playing");
        let own = json!({"level": 1, "variant": "fourfold", "color": "white", "time": null});
        marvin.client.post("/api/v1/games", own).await.expect_refusal(429, "too_many_games");
        // One ends, and there is room for one.
        let game = games[0].expect(StatusCode::OK)["game"].clone();
        marvin.socket.watch(game.as_str().unwrap()).await;
        marvin.socket.done(json!({"t": "abort", "game": game})).await;
        eve.client.post(&path, json!({})).await.expect(StatusCode::OK);
    }

    async fn a_rematch_counts_whoever_has_become_a_bot_as_one(db: Database) {
        let server = Server::start_with(db, &[("game.games_per_bot", "1")]).await;
        let (mut ada, mut marvin) = (Player::account(&server, "ada").await, Player::account(&server, "marvin").await);
        let bob = Player::account(&server, "bob").await;
        // A game without a clock ends, and its task stays: it is still looked at.
        let game = marvin.client.accept(&ada.client.challenge_with(json!({"time": null})).await).await;
        ada.socket.watch(&game).await;
        ada.socket.done(json!({"t": "abort", "game": game})).await;
        assert_eq!(become_bot(&marvin.client).await, json!({"name": "marvin", "kind": "bot"}));
        let (_, token) = marvin.client.token("at home").await;
        marvin.socket = Socket::by_token(&server.origin(), &token).await;
        marvin.socket.watch(&game).await;
        let other = marvin.client.accept(&bob.client.challenge_with(json!({"time": null})).await).await;
        ada.socket.done(json!({"t": "offer_rematch", "game": game})).await;
        marvin.socket.refused(json!({"t": "offer_rematch", "game": game}), "too_many_games").await;
        marvin.socket.watch(&other).await;
        marvin.socket.done(json!({"t": "abort", "game": other})).await;
        marvin.socket.done(json!({"t": "offer_rematch", "game": game})).await;
        let next = ada.socket.event(&game, "rematched").await["next"].as_str().unwrap().to_owned();
        assert_eq!(ada.socket.watch(&next).await["game"]["white"], json!({"name": "marvin", "kind": "bot", "rating": null, "provisional": false}));
    }

    async fn the_documented_bot_plays_a_whole_rated_game_against_a_person(db: Database) {
        let server = Server::start_with(db, &[("leaderboard.max_deviation", "499.0")]).await;
        let (marvin, token) = bot(&server, "marvin").await;
        drop(marvin.socket);
        let mut ada = Player::account(&server, "ada").await;
        // One is open before the bot is there.
        let early = ada.client.challenge_with(json!({"opponent": "marvin", "variant": "parallel-worlds"})).await;
        let _bot = example(&server, &token);
        let news = ada.socket.wait("challenge").await;
        assert_eq!((&news["challenge"], &news["status"]), (&early["id"], &json!("declined")));
        let options = json!({"opponent": "marvin", "rated": true, "time": clock()});
        let made = ada.client.challenge_with(options).await;
        let news = ada.socket.wait("challenge").await;
        assert_eq!((&news["challenge"], &news["status"]), (&made["id"], &json!("accepted")));
        assert_eq!(news["by"], json!({"name": "marvin", "kind": "bot"}));
        let game = news["game"].as_str().unwrap().to_owned();
        let ended = beat(&mut ada, &game).await;
        assert!(ended["ratings"]["white"]["after"].is_number(), "{ended}");

        // It counts for both, and people lead.
        let leaders = server.client().get("/api/v1/leaderboards/fourfold/blitz").await.expect(StatusCode::OK);
        let names: Vec<_> = leaders["players"].as_array().unwrap().iter().map(|row| row["player"]["name"].clone()).collect();
        assert_eq!(names, [json!("ada")]);
        let profile = server.client().get("/api/v1/players/marvin").await.expect(StatusCode::OK);
        assert_eq!(profile["player"]["ratings"][0]["games"], 1);
        let record = server.client().get(&format!("/api/v1/games/{game}.pgn")).await;
        assert!(record.body.contains("[BlackTitle \"BOT\"]") && !record.body.contains("WhiteTitle"), "{}", record.body);
        let seen = server.client().game(&game).await;
        let picture = format!("/g/{game}/{}.svg", seen["moves"].as_array().unwrap().len());
        assert!(server.client().get(&picture).await.body.contains(">BOT 1500?<"));

        // Again, with the colors swapped: now the bot begins.
        ada.socket.done(json!({"t": "offer_rematch", "game": game})).await;
        let next = ada.socket.event(&game, "rematched").await["next"].as_str().unwrap().to_owned();
        assert_eq!(ada.socket.watch(&next).await["you"], "black");
        let seen = async |ada: &mut Player| ada.socket.watch(&next).await["game"]["moves"].as_array().unwrap().len();
        if seen(&mut ada).await == 0 {
            assert_eq!(ada.socket.event(&next, "move").await["by"], "white");
        }
    }
}
