//! Accounts that become bots.

use super::*;
use crate::store::bots::NoBot;

async fn kind(store: &Store, player: &Player) -> PlayerKind {
    store.player(player.id).await.expect("readable").expect("there").kind
}

async fn why_not(store: &Store, player: &Player) -> Option<NoBot> {
    store.become_bot(player.id).await.expect("readable").err()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_becomes_a_bot_for_good_and_keeps_what_lets_in_as_it() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let shown = Shown { kind: SessionKind::Token, token: [7; 32] };
        let token = NewSession { shown, ..session_of([7; 32], at(100)) };
        assert!(store.create_token(&token, ada.id, 5).await.expect("stored"));
        assert_eq!(store.bot(ada.id).await.expect("readable").map(|bot| bot.player), None);
        for _ in 0..2 {
            let became = store.become_bot(ada.id).await.expect("stored").expect("nothing forbids");
            assert_eq!(became.player, Player { kind: PlayerKind::Bot, ..ada.clone() });
            assert_eq!(became.sessions.len(), 2, "the browser that signed up, and the token");
            assert!(became.sessions.contains(&[7; 32]));
        }
        let session = store.session(shown, at(1)).await.expect("readable").expect("it is there");
        assert_eq!(session.player.kind, PlayerKind::Bot);
        let credentials = store.credentials("ADA").await.expect("readable").expect("a password");
        assert_eq!(credentials.player.kind, PlayerKind::Bot);
        assert_eq!(kind(store, &bob).await, PlayerKind::Account);
        assert_eq!(store.accounts().await.expect("readable").len(), 2);
        assert!(store.mark_bot("Bob").await.expect("stored"));
        assert!(!store.mark_bot("nobody").await.expect("readable"));
        assert_eq!(kind(store, &bob).await, PlayerKind::Bot);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_plays_or_has_played_for_points_stays_a_person() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let cleo = account(store, "cleo").await;
        let slow = slow_game(store, &cleo, &ada).await;
        assert_eq!(why_not(store, &cleo).await, Some(NoBot::Plays(slow.id)));
        let journal = journal(store);
        let rated = begun_game(store, &journal, &ada, &bob).await;
        assert_eq!(why_not(store, &bob).await, Some(NoBot::Plays(rated.id)));

        // While it ends, many ask: there is no moment at which nothing is in the way.
        let tries = (0..50).map(|_| {
            let (store, bob) = (store.clone(), bob.id);
            tokio::spawn(async move { store.become_bot(bob).await })
        });
        let tries: Vec<_> = tries.collect();
        journal.append(ending(&rated)).await.expect("stored");
        for task in tries {
            assert!(task.await.expect("no panic").expect("readable").is_err());
        }
        assert_eq!(why_not(store, &bob).await, Some(NoBot::HasRatedGames));
        assert_eq!(kind(store, &bob).await, PlayerKind::Account);

        let since = at(0);
        let leaders = async || {
            let highest = store.highest_rated(rated.variant, rated.time.speed(), since, 10).await;
            let names = highest.expect("readable").into_iter().map(|(player, _)| player.name);
            names.collect::<Vec<_>>()
        };
        assert_eq!(leaders().await, ["ada", "bob"]);
        assert!(store.mark_bot("ada").await.expect("stored"), "the host may");
        assert_eq!(leaders().await, ["bob"], "people lead");
        assert_eq!(store.ratings(ada.id).await.expect("readable").len(), 1);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_under_way_are_counted_whatever_their_kind() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let count = async || store.count_under_way(ada.id).await.expect("readable");
        assert_eq!(count().await, 0);
        let journal = journal(store);
        let first = begun_game(store, &journal, &ada, &bob).await;
        slow_game(store, &bob, &ada).await;
        assert_eq!(count().await, 2);
        journal.append(ending(&first)).await.expect("stored");
        assert_eq!(count().await, 1);
    })
    .await;
}
