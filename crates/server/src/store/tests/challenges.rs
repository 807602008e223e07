//! Challenges.

use super::*;
use crate::lobby::challenge::Full;
use crate::store::challenges::Created;

#[tokio::test(flavor = "multi_thread")]
async fn case_13_of_fifty_who_accept_a_challenge_one_gets_the_seat() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        let challenge = Challenge::by_link(&ada, at(0));
        store.create_challenge(&challenge).await.expect("stored");
        let mut tries = Vec::new();
        for n in 0..50 {
            let guest = store
                .create_guest(PlayerId::new(), &format!("Guest {n:06}"), &session())
                .await
                .expect("created");
            let (store, setup, id) = (store.clone(), setup(&ada, &guest), challenge.id);
            tries.push(tokio::spawn(async move {
                (setup.id, store.accept_challenge(id, &setup).await)
            }));
        }
        let mut accepted = HashSet::new();
        for task in tries {
            let (game, result) = task.await.expect("no panic");
            if result.expect("no error for those who come late") {
                accepted.insert(game);
            }
        }
        assert_eq!(accepted.len(), 1);
        let stored = store.challenge(challenge.id, at(1)).await.expect("readable").expect("there");
        assert!(
            matches!(stored.status, ChallengeStatus::Accepted(game) if accepted.contains(&game))
        );
        let games = store
            .list_games(None, GameStatus::Any, None, 100, first_move_ms)
            .await
            .expect("readable");
        assert_eq!(games.len(), 1, "the others left no game behind");
        assert!(
            !store.cancel_challenge(challenge.id, at(1)).await.expect("stored"),
            "too late to cancel"
        );
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_expires_or_is_canceled() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let new = || Challenge::by_link(&ada, at(0));
        let (old, canceled) = (new(), new());
        store.create_challenge(&old).await.expect("stored");
        store.create_challenge(&canceled).await.expect("stored");
        let open = async |now| store.challenges_of(ada.id, now).await.expect("readable").len();
        assert_eq!(open(at(99)).await, 2);
        assert!(store.cancel_challenge(canceled.id, at(1)).await.expect("stored"));
        assert_eq!((open(at(99)).await, open(at(100)).await), (1, 0));
        let status = async |id, now| {
            store.challenge(id, now).await.expect("readable").expect("there").status
        };
        assert_eq!(status(canceled.id, at(2)).await, ChallengeStatus::Canceled);
        assert_eq!(status(old.id, at(99)).await, ChallengeStatus::Open);
        assert_eq!(status(old.id, at(100)).await, ChallengeStatus::Expired);
        let late = GameSetup { created_at: at(100), ..setup(&ada, &bob) };
        assert!(!store.accept_challenge(old.id, &late).await.expect("stored"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn however_many_are_made_at_once_none_is_beyond_a_bound_or_past_a_block() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let from = |creator: &Player, opponent: &Player, command| Challenge {
            opponent: Some(opponent.clone()),
            command,
            ..Challenge::by_link(creator, at(0))
        };
        let mut tries = Vec::new();
        for n in 0..24 {
            let challenge =
                if n % 2 == 0 { from(&ada, &bob, None) } else { from(&bob, &ada, None) };
            let store = store.clone();
            tries.push(tokio::spawn(async move { store.create_challenge(&challenge).await }));
        }
        let mut made = 0;
        for task in tries {
            match task.await.expect("no panic").expect("no deadlock") {
                Created::Now => made += 1,
                refused => assert_eq!(refused, Created::Full(Full::Pair)),
            }
        }
        assert_eq!(made, 6, "three of each");
        // By one name there is one, however often it is asked for.
        let cleo = account(store, "cleo").await;
        let again = from(&cleo, &bob, Some(command_id(1)));
        assert_eq!(store.create_challenge(&again).await.expect("stored"), Created::Now);
        let retry = Challenge { id: ChallengeId::new(), ..again.clone() };
        let before = store.create_challenge(&retry).await.expect("readable");
        assert_eq!(before, Created::Before(Box::new(again)));
        assert!(store.block(bob.id, cleo.id, at(1), 10).await.expect("stored"));
        for (creator, opponent) in [(&cleo, &bob), (&bob, &cleo)] {
            let refused = store.create_challenge(&from(creator, opponent, None)).await;
            assert_eq!(refused.expect("readable"), Created::Blocked);
        }
    })
    .await;
}
