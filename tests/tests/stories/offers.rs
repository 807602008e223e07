//! Draws by agreement.

use manifold_tests::table::Table;
use manifold_tests::{Database, Server, on_both_databases};
use serde_json::{Value, json};

on_both_databases! {
    async fn an_offer_that_is_accepted_ends_the_game(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::rated(&server, "fourfold").await;
        table.play_on(0, 4).await;
        let game = table.game.clone();
        let offer = table.white.socket.done(json!({"t": "offer_draw", "game": game})).await["seq"].clone();
        let heard = table.black.socket.event(&game, "draw_offered").await;
        assert_eq!((&heard["by"], &heard["seq"]), (&json!("white"), &offer));
        let snapshot = table.black.socket.watch(&game).await;
        assert_eq!(snapshot["draw_offer"], json!({"by": "white", "offer": offer}));

        table.white.socket.refused(json!({"t": "offer_draw", "game": game}), "offer_open").await;
        table.white.socket.refused(json!({"t": "accept_draw", "game": game, "offer": offer}), "no_such_offer").await;
        table.black.socket.refused(json!({"t": "accept_draw", "game": game, "offer": 1}), "no_such_offer").await;

        table.black.socket.done(json!({"t": "accept_draw", "game": game, "offer": offer})).await;
        let ended = table.ended("draw", "agreement").await;
        assert_eq!(ended["ratings"]["black"], json!({"before": 1500, "after": 1500}));
    }

    async fn case_09_an_offer_that_is_declined_is_not_repeated_at_once(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        table.play_on(0, 2).await;
        let game = table.game.clone();
        let offer = table.white.socket.done(json!({"t": "offer_draw", "game": game})).await["seq"].clone();
        table.black.socket.done(json!({"t": "decline_draw", "game": game, "offer": offer})).await;
        let declined = table.white.socket.event(&game, "draw_declined").await;
        assert_eq!((&declined["by"], &declined["offer"]), (&json!("black"), &offer));
        table.black.socket.refused(json!({"t": "accept_draw", "game": game, "offer": offer}), "no_such_offer").await;
        table.black.socket.refused(json!({"t": "decline_draw", "game": game, "offer": offer}), "no_such_offer").await;

        for own_moves in 0..10 {
            table.white.socket.refused(json!({"t": "offer_draw", "game": game}), "offer_too_soon").await;
            table.play_on(2 + 2 * own_moves, 2).await;
        }
        table.white.socket.done(json!({"t": "offer_draw", "game": game})).await;
    }

    async fn a_move_declines_the_opponent_s_offer_and_keeps_one_s_own(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        table.play_on(0, 2).await;
        let game = table.game.clone();
        // White offers and moves: the offer stands.
        let offer = table.white.socket.done(json!({"t": "offer_draw", "game": game})).await["seq"].clone();
        table.play_on(2, 1).await;
        let snapshot = table.black.socket.watch(&game).await;
        assert_eq!(snapshot["draw_offer"], json!({"by": "white", "offer": offer}));
        // Black moves instead of answering.
        table.play_on(3, 1).await;
        table.black.socket.refused(json!({"t": "accept_draw", "game": game, "offer": offer}), "no_such_offer").await;
        assert_eq!(table.white.socket.watch(&game).await["draw_offer"], Value::Null);
    }

    async fn case_09_two_offers_that_cross_are_an_agreement(db: Database) {
        let server = Server::start(db).await;
        let mut table = Table::casual(&server).await;
        table.play_on(0, 2).await;
        let offer = json!({"t": "offer_draw", "game": table.game});
        tokio::join!(table.white.socket.done(offer.clone()), table.black.socket.done(offer));
        table.ended("draw", "agreement").await;
    }
}
