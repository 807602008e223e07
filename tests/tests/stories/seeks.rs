//! The lobby: games that people offer, seen live, accepted once.

use manifold_tests::table::{Player, Table};
use manifold_tests::{Database, Server, Socket, on_both_databases};
use reqwest::StatusCode;
use serde_json::{Value, json};

/// A casual game with a clock, or whatever is said otherwise.
fn seek(options: Value) -> Value {
    let mut seek = json!({"t": "seek", "variant": "fourfold", "color": "random", "rated": false,
        "time": {"base_ms": 180_000, "increment_ms": 2_000}});
    for (key, value) in options.as_object().expect("options are an object") {
        seek[key] = value.clone();
    }
    seek
}

fn days() -> Value {
    json!({"time": {"days_per_move": 3}})
}

fn accept(seek: &Value) -> Value {
    json!({"t": "accept_seek", "seek": seek})
}

fn cancel(seek: &Value) -> Value {
    json!({"t": "cancel_seek", "seek": seek})
}

/// Makes one; its id.
async fn make(player: &mut Player, options: Value) -> Value {
    player.socket.done(seek(options)).await["seek"].clone()
}

/// What the lobby shows now, by id.
async fn shown(socket: &mut Socket) -> Vec<Value> {
    let list = socket.ask(json!({"t": "lobby"})).await;
    assert_eq!(list["t"], "lobby", "{list}");
    list["seeks"].as_array().expect("it is a list").iter().map(|seek| seek["id"].clone()).collect()
}

/// Games that have been made.
async fn games(server: &Server) -> usize {
    let games = server.client().get("/api/v1/games?limit=100").await.expect(StatusCode::OK);
    games["games"].as_array().expect("it is a list").len()
}

on_both_databases! {
    async fn a_seek_is_seen_as_it_comes_and_goes_and_is_accepted_once(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut bob = Player::account(&server, "bob").await;
        let mut tab = ada.client.socket().await;
        let mut stranger = server.client().socket().await;
        let list = stranger.ask(json!({"t": "lobby"})).await;
        assert_eq!((&list["seeks"], &list["waiting"], &list["games"]), (&json!([]), &Value::Null, &json!(0)));
        assert_eq!(list["online"], 2, "{list}");

        let wanted = seek(json!({"id": "mine", "rated": true, "color": "white", "rating": {"min": 1400, "max": null}}));
        let made = ada.socket.done(wanted.clone()).await;
        let id = made["seek"].clone();
        let mut told = stranger.wait("seek_added").await["seek"].clone();
        assert!(told["created_at"].as_str().is_some_and(|at| at.ends_with('Z')), "{told}");
        told["created_at"].take();
        assert_eq!(told, json!({
            "id": id, "owner": {"name": "ada", "kind": "account"}, "owner_rating": 1500, "provisional": true,
            "variant": "fourfold", "color": "white", "time": {"base_ms": 180_000, "increment_ms": 2_000}, "speed": "blitz",
            "rated": true, "rating": {"min": 1400, "max": null}, "created_at": null,
        }));
        assert_eq!(shown(&mut bob.socket).await, std::slice::from_ref(&id));
        assert_eq!(ada.socket.done(wanted.clone()).await, made, "a retry");
        ada.socket.refused(seek(json!({"id": "mine"})), "id_reused").await;
        stranger.refused(accept(&id), "unauthenticated").await;
        ada.socket.refused(accept(&id), "own_seek").await;
        bob.socket.refused(cancel(&id), "not_the_owner").await;

        let take = json!({"t": "accept_seek", "id": "take", "seek": id});
        let taken = bob.socket.done(take.clone()).await;
        assert_eq!(bob.socket.done(take).await, taken, "a retry");
        for (socket, color) in [(&mut ada.socket, "white"), (&mut tab, "white"), (&mut bob.socket, "black")] {
            let paired = socket.wait("paired").await;
            assert_eq!((&paired["game"], &paired["color"]), (&taken["game"], &json!(color)));
        }
        assert_eq!(stranger.wait("seek_removed").await["seek"], id);
        assert_eq!(bob.socket.wait("seek_removed").await["seek"], id);
        let game = server.client().game(taken["game"].as_str().unwrap()).await;
        assert_eq!((&game["rated"], &game["white"]["name"], &game["black"]["name"]), (&json!(true), &json!("ada"), &json!("bob")));
        Player::guest(&server).await.socket.refused(accept(&id), "seek_gone").await;
        ada.socket.refused(accept(&id), "seek_gone").await;
        ada.socket.refused(cancel(&id), "seek_gone").await;
        assert_eq!(ada.socket.done(wanted).await, made, "a late retry makes no other");

        // While that game is played, only those of days per move are made.
        let refused = ada.socket.refused(seek(json!({})), "already_playing").await;
        assert_eq!(refused["game"], taken["game"]);
        let later = make(&mut ada, days()).await;
        assert_eq!(stranger.wait("seek_added").await["seek"]["speed"], "correspondence");
        // Who looks away is told nothing more.
        stranger.done(json!({"t": "leave_lobby"})).await;
        for _ in 0..2 {
            assert_eq!(ada.socket.done(cancel(&later)).await["seek"], later);
        }
        assert_eq!(bob.socket.wait("seek_removed").await["seek"], later);
        stranger.ask(json!({"t": "ping"})).await;
        assert!(stranger.told_by_lobby().await.iter().all(|message| message["t"] != "seek_removed"));
    }

    async fn what_is_no_seek_is_refused(db: Database) {
        let server = Server::start(db).await;
        let mut guest = Player::guest(&server).await;
        for wrong in [
            json!({"variant": "chess"}),
            json!({"color": "red"}),
            json!({"time": null}),
            json!({"time": {"days_per_move": 15}}),
            json!({"time": {"base_ms": 1, "increment_ms": 0}}),
            json!({"time": {"base_ms": 180_000, "increment_ms": 0, "days_per_move": 1}}),
            json!({"rating": {"min": 1501, "max": 1500}}),
            json!({"rating": {"min": -1, "max": null}}),
            json!({"rating": {"least": 1}}),
            json!({"rated": null}),
        ] {
            guest.socket.refused(seek(wrong), "bad_message").await;
        }
        guest.socket.refused(json!({"t": "accept_seek", "seek": "x"}), "bad_message").await;
        guest.socket.refused(seek(json!({"rated": true})), "guests_play_casual").await;
        for gone in [accept, cancel] {
            guest.socket.refused(gone(&json!("0192d3a0-0000-7000-8000-000000000000")), "seek_gone").await;
        }
        assert_eq!(shown(&mut guest.socket).await, Vec::<Value>::new());
    }

    async fn who_may_accept_is_seen_at_the_edges(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut bob = Player::account(&server, "bob").await;
        let mut guest = Player::guest(&server).await;
        // A beginner has 1500, and a guest counts as one.
        for (rated, min, max, account, guests) in [
            (true, Some(1501), None, "rating_out_of_range", "guests_play_casual"),
            (false, None, Some(1499), "rating_out_of_range", "rating_out_of_range"),
            (true, Some(1500), Some(1500), "", "guests_play_casual"),
            (false, Some(1500), Some(1500), "rating_out_of_range", ""),
        ] {
            let id = make(&mut ada, json!({"time": {"days_per_move": 1}, "rated": rated, "rating": {"min": min, "max": max}})).await;
            for (player, code) in [(&mut guest, guests), (&mut bob, account)] {
                let answer = player.socket.ask(accept(&id)).await;
                if code.is_empty() {
                    assert_eq!(answer["t"], "ack", "{answer}");
                    break;
                }
                assert_eq!(answer["code"], code, "{answer}");
            }
        }
    }

    async fn of_fifty_who_accept_at_once_one_gets_the_game(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::guest(&server).await;
        let mut crowd = Vec::new();
        for _ in 0..50 {
            crowd.push(Player::guest(&server).await);
        }
        for (round, options) in [json!({}), days()].into_iter().enumerate() {
            let id = make(&mut ada, options).await;
            let answers = crowd.iter_mut().map(|player| player.socket.ask(accept(&id)));
            let answers = futures_util::future::join_all(answers).await;
            let (got, others): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer["t"] == "ack");
            assert_eq!(got.len(), 1, "{got:?}");
            assert!(others.iter().all(|answer| answer["code"] == "seek_gone"), "{others:?}");
            assert_eq!(ada.socket.wait("paired").await["game"], got[0]["game"]);
            assert_eq!(games(&server).await, round + 1);
        }
        let written = server.storage().count("SELECT count(*) FROM seeks WHERE game_id IS NOT NULL").await;
        assert_eq!(written.expect("readable"), 2);
    }

    async fn case_14_an_accepted_seek_and_another_game_of_its_owner_have_one_order(db: Database) {
        let server = Server::start(db).await;
        let join = json!({"t": "join_pool", "variant": "fourfold", "time": "3+2", "rated": false});
        for round in 0..24 {
            let (mut ada, mut bob, mut cleo) = (Player::guest(&server).await, Player::guest(&server).await, Player::guest(&server).await);
            let id = make(&mut ada, json!({})).await;
            let challenge = ada.client.challenge("fourfold", "white", Some((180_000, 2_000))).await;
            let path = format!("/api/v1/challenges/{challenge}/accept");
            let by_pool = round % 2 == 0;
            if by_pool {
                ada.socket.done(join.clone()).await;
            }
            let other = async {
                if by_pool {
                    cleo.socket.done(join.clone()).await;
                    true
                } else {
                    cleo.client.post(&path, json!({})).await.status == StatusCode::OK
                }
            };
            // Whose message is first changes from round to round.
            let (answer, other) = if round % 4 < 2 {
                tokio::join!(bob.socket.ask(accept(&id)), other)
            } else {
                let (other, answer) = tokio::join!(other, bob.socket.ask(accept(&id)));
                (answer, other)
            };
            let playing = ada.client.get("/api/v1/session").await.expect(StatusCode::OK)["playing"].clone();
            assert_eq!(playing.as_array().map(Vec::len), Some(1), "round {round}: {answer} {playing}");
            if answer["t"] == "ack" {
                assert_eq!(playing[0], answer["game"]);
                assert!(by_pool || !other, "both got ada");
                assert_eq!(ada.socket.wait("paired").await["game"], answer["game"]);
            } else {
                assert!(answer["code"] == "seek_gone" || answer["code"] == "opponent_playing", "{answer}");
                let mut stranger = server.client().socket().await;
                assert!(!shown(&mut stranger).await.contains(&id), "it ended with the game");
            }
            // Out of the way of the next round.
            cleo.socket.ask(json!({"t": "leave_pool"})).await;
            ada.socket.ask(json!({"t": "abort", "game": playing[0]})).await;
        }
    }

    async fn after_a_restart_those_with_a_clock_are_gone_and_those_of_days_are_there(db: Database) {
        let mut server = Server::start(db).await;
        let (mut ada, mut bob) = (Player::guest(&server).await, Player::guest(&server).await);
        make(&mut ada, json!({})).await;
        let wanted = seek(json!({"id": "kept", "time": {"days_per_move": 3}}));
        let kept = ada.socket.done(wanted.clone()).await["seek"].clone();
        let dropped = seek(json!({"id": "dropped", "time": {"days_per_move": 3}}));
        let canceled = ada.socket.done(dropped.clone()).await["seek"].clone();
        ada.socket.done(cancel(&canceled)).await;
        let offered = seek(json!({"id": "offered"}));
        let mut cleo = Player::guest(&server).await;
        let taken = cleo.socket.done(offered.clone()).await["seek"].clone();
        let game = bob.socket.done(accept(&taken)).await["game"].clone();

        server.kill9().await;
        server.start_again().await;
        for player in [&mut ada, &mut bob, &mut cleo] {
            player.socket = player.client.socket().await;
        }
        assert_eq!(shown(&mut ada.socket).await, std::slice::from_ref(&kept));
        // Retries of what was done before get the same answers.
        assert_eq!(ada.socket.done(wanted).await["seek"], kept);
        assert_eq!(ada.socket.done(dropped).await["seek"], canceled, "and it is not made again");
        assert_eq!(ada.socket.done(cancel(&canceled)).await["seek"], canceled);
        bob.socket.refused(cancel(&canceled), "seek_gone").await;
        bob.socket.refused(accept(&canceled), "seek_gone").await;
        assert_eq!(bob.socket.done(accept(&taken)).await["game"], game);
        assert_eq!(cleo.socket.done(offered).await["seek"], taken);
        ada.socket.refused(accept(&taken), "seek_gone").await;
        assert_eq!(shown(&mut ada.socket).await, std::slice::from_ref(&kept));
        let next = bob.socket.done(accept(&kept)).await["game"].clone();
        assert_eq!(ada.socket.wait("paired").await["game"], next);
        // In two weeks nobody has accepted the other.
        make(&mut ada, days()).await;
        server.stop().await;
        server.storage().seeks_grow_older(14).await;
        server.start_again().await;
        ada.socket = ada.client.socket().await;
        assert_eq!(shown(&mut ada.socket).await, Vec::<Value>::new());
    }

    async fn the_blocked_see_nothing_of_each_other_s(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::account(&server, "ada").await;
        let mut bob = Player::account(&server, "bob").await;
        let mut cleo = Player::account(&server, "cleo").await;
        let adas = make(&mut ada, json!({})).await;
        let bobs = make(&mut bob, json!({})).await;
        for player in [&mut ada, &mut bob, &mut cleo] {
            assert_eq!(shown(&mut player.socket).await, [adas.clone(), bobs.clone()]);
        }
        ada.client.put("/api/v1/blocks/bob", Value::Null).await.expect(StatusCode::NO_CONTENT);
        // Whoever blocks gets a list without the other; the other's loses one.
        let list = ada.socket.wait("lobby").await;
        assert_eq!((&list["id"], &list["seeks"][0]["id"], list["seeks"].as_array().map(Vec::len)), (&Value::Null, &adas, Some(1)));
        assert_eq!(bob.socket.wait("seek_removed").await["seek"], adas);
        for (player, mine, theirs) in [(&mut ada, &adas, &bobs), (&mut bob, &bobs, &adas)] {
            assert_eq!(shown(&mut player.socket).await, std::slice::from_ref(mine));
            player.socket.refused(accept(theirs), "seek_gone").await;
        }
        let later = make(&mut bob, days()).await;
        assert_eq!(cleo.socket.wait("seek_added").await["seek"]["id"], later);
        assert!(ada.socket.told_by_lobby().await.iter().all(|message| message["t"] != "seek_added"));
        ada.client.delete("/api/v1/blocks/bob").await.expect(StatusCode::NO_CONTENT);
        assert_eq!(ada.socket.wait("lobby").await["seeks"].as_array().map(Vec::len), Some(3));
        bob.socket.wait_for("ada's seek", |m| m["t"] == "seek_added" && m["seek"]["id"] == adas).await;
        ada.socket.done(accept(&bobs)).await;
    }

    async fn a_guest_who_signs_up_is_seen_by_the_new_name(db: Database) {
        let server = Server::start(db).await;
        let mut guest = Player::guest(&server).await;
        let mut stranger = server.client().socket().await;
        let id = make(&mut guest, days()).await;
        assert_eq!(shown(&mut stranger).await, std::slice::from_ref(&id));
        guest.client.sign_up("ada").await;
        let again = stranger.wait("seek_added").await["seek"].clone();
        assert_eq!((&again["id"], &again["owner"]), (&id, &json!({"name": "ada", "kind": "account"})));
        assert_eq!((&again["owner_rating"], &again["provisional"]), (&json!(1500), &json!(true)));
    }

    async fn whoever_signs_up_waits_on(db: Database) {
        let server = Server::start(db).await;
        let (mut guest, mut bob) = (Player::guest(&server).await, Player::guest(&server).await);
        guest.join("fourfold", "3+2", false).await;
        let id = make(&mut guest, json!({})).await;
        let mut stranger = server.client().socket().await;
        assert_eq!(shown(&mut stranger).await, std::slice::from_ref(&id));
        guest.client.sign_up("ada").await;
        assert_eq!(guest.socket.closed().await.as_deref(), Some("session"));
        let again = stranger.wait("seek_added").await["seek"].clone();
        assert_eq!((&again["id"], &again["owner"]["name"]), (&id, &json!("ada")));
        guest.socket = guest.client.socket().await;
        assert_eq!(guest.socket.wait("pool").await["waiting"]["time"], "3+2");
        assert_eq!(shown(&mut stranger).await, std::slice::from_ref(&id));
        // And is found by whoever comes.
        bob.join("fourfold", "3+2", false).await;
        let game = bob.socket.wait("paired").await["game"].clone();
        assert_eq!(guest.socket.wait("paired").await["game"], game);
        let game = server.client().game(game.as_str().unwrap()).await;
        assert!(game["white"]["name"] == "ada" || game["black"]["name"] == "ada", "{game}");
        assert_eq!(shown(&mut stranger).await, Vec::<Value>::new());
    }

    async fn a_player_has_five_and_those_with_a_clock_end_with_the_last_tab_or_a_game(db: Database) {
        let server = Server::start(db).await;
        let mut ada = Player::guest(&server).await;
        let mut stranger = server.client().socket().await;
        let kept = make(&mut ada, days()).await;
        for _ in 0..4 {
            make(&mut ada, json!({})).await;
        }
        for options in [json!({}), days()] {
            ada.socket.refused(seek(options), "too_many_seeks").await;
        }
        assert_eq!(shown(&mut stranger).await.len(), 5);
        // With another tab they stay; with the last one they go.
        let tab = ada.client.socket().await;
        drop(std::mem::replace(&mut ada.socket, tab));
        ada.socket.refused(seek(json!({})), "too_many_seeks").await;
        assert_eq!(shown(&mut stranger).await.len(), 5);
        drop(ada.socket);
        for _ in 0..4 {
            assert_ne!(stranger.wait("seek_removed").await["seek"], kept);
        }
        ada.socket = ada.client.socket().await;
        assert_eq!(shown(&mut ada.socket).await, std::slice::from_ref(&kept));
        // A game against the computer, and one by a challenge, end them as well.
        for round in 0..2 {
            let id = make(&mut ada, json!({})).await;
            let game = if round == 0 {
                let body = json!({"variant": "fourfold", "level": 1, "color": "white", "time": null});
                ada.client.post("/api/v1/games", body).await.expect(StatusCode::CREATED)["game"].clone()
            } else {
                let challenge = ada.client.challenge_with(json!({"time": {"base_ms": 180_000, "increment_ms": 0}})).await;
                json!(Player::guest(&server).await.client.accept(&challenge).await)
            };
            assert_eq!(stranger.wait("seek_removed").await["seek"], id);
            assert_eq!(shown(&mut stranger).await, std::slice::from_ref(&kept));
            ada.socket.done(json!({"t": "abort", "game": game})).await;
        }
    }

    async fn a_rematch_of_the_owner_ends_what_is_offered_with_a_clock(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        let game = table.game.clone();
        table.play_and_resign().await;
        let id = make(&mut table.white, json!({})).await;
        let mut stranger = server.client().socket().await;
        assert_eq!(shown(&mut stranger).await, std::slice::from_ref(&id));
        let offer = table.white.socket.done(json!({"t": "offer_rematch", "game": game})).await["seq"].clone();
        table.black.socket.done(json!({"t": "accept_rematch", "game": game, "offer": offer})).await;
        assert_eq!(stranger.wait("seek_removed").await["seek"], id);
    }

    async fn who_looks_is_told_how_many_are_there(db: Database) {
        let mut server = Server::start(db).await;
        let mut stranger = server.client().socket().await;
        assert_eq!(stranger.ask(json!({"t": "lobby"})).await["online"], 0);
        let mut ada = Player::guest(&server).await;
        stranger.wait_for("one more", |m| m["t"] == "lobby_counts" && m["online"] == 1).await;
        let mut bob = Player::guest(&server).await;
        let id = make(&mut ada, json!({})).await;
        bob.socket.done(accept(&id)).await;
        stranger.wait_for("a game", |m| m["t"] == "lobby_counts" && m["online"] == 2 && m["games"] == 1).await;
        // A game without a clock is one, too, also when the server begins again and it sleeps.
        let endless = json!({"variant": "fourfold", "level": 1, "color": "white", "time": null});
        Player::account(&server, "dan").await.client.post("/api/v1/games", endless).await.expect(StatusCode::CREATED);
        stranger.wait_for("another game", |m| m["t"] == "lobby_counts" && m["games"] == 2).await;
        // Where one waits is told with the list, on every tab.
        let mut cleo = Player::guest(&server).await;
        let mut tab = cleo.client.socket().await;
        cleo.join("fourfold", "3+2", false).await;
        tab.wait("pool").await;
        let waiting = tab.ask(json!({"t": "lobby"})).await["waiting"].clone();
        assert_eq!(waiting, json!({"variant": "fourfold", "time": "3+2", "rated": false}));
        server.stop().await;
        server.start_again().await;
        assert_eq!(server.client().socket().await.ask(json!({"t": "lobby"})).await["games"], 2);
    }

    async fn without_a_database_nothing_is_half_done(db: Database) {
        let server = Server::start(db).await;
        let (mut ada, mut bob) = (Player::guest(&server).await, Player::guest(&server).await);
        let offered = make(&mut ada, json!({})).await;
        // From now on the lobby knows whom he has blocked: nothing but the game itself is asked of the database.
        make(&mut bob, json!({})).await;
        let outage = server.storage().fail().await;
        let wanted = seek(json!({"id": "wanted", "time": {"days_per_move": 3}}));
        ada.socket.refused(wanted.clone(), "storage_unavailable").await;
        bob.socket.refused(accept(&offered), "storage_unavailable").await;
        // He may have it already: nobody is told anything else, himself included.
        bob.socket.refused(accept(&offered), "storage_unavailable").await;
        outage.end().await;
        // Both are tried again until it is known what became of the first try.
        let until_done = async |socket: &mut Socket, command: Value| loop {
            let answer = socket.ask(command.clone()).await;
            if answer["t"] == "ack" {
                break answer;
            }
            assert_eq!(answer["code"], "storage_unavailable", "{answer}");
        };
        let id = until_done(&mut ada.socket, wanted).await["seek"].clone();
        let game = until_done(&mut bob.socket, accept(&offered)).await["game"].clone();
        assert_eq!(ada.socket.wait("paired").await["game"], game);
        assert_eq!(shown(&mut bob.socket).await, [id]);
        assert_eq!(games(&server).await, 1);
    }
}
