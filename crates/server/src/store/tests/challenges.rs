//! Challenges.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn case_13_of_fifty_who_accept_a_challenge_one_gets_the_seat() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        let challenge = Challenge {
            id: ChallengeId::new(),
            creator: ada.clone(),
            variant: Variant::Fourfold,
            color: SeatChoice::White,
            time: BLITZ,
            rated: false,
            start_fen: None,
            opponent: None,
            command: None,
            created_at: at(0),
            expires_at: at(100),
            status: ChallengeStatus::Open,
        };
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
        let new = || Challenge {
            id: ChallengeId::new(),
            creator: ada.clone(),
            variant: Variant::FourfoldClassic,
            color: SeatChoice::Random,
            time: BLITZ,
            rated: false,
            start_fen: None,
            opponent: None,
            command: None,
            created_at: at(0),
            expires_at: at(100),
            status: ChallengeStatus::Open,
        };
        let (old, canceled) = (new(), new());
        store.create_challenge(&old).await.expect("stored");
        store.create_challenge(&canceled).await.expect("stored");
        assert_eq!(store.open_challenges(ada.id, at(99)).await.expect("readable"), 2);
        assert!(store.cancel_challenge(canceled.id, at(1)).await.expect("stored"));
        assert_eq!(store.open_challenges(ada.id, at(99)).await.expect("readable"), 1);
        assert_eq!(store.open_challenges(ada.id, at(100)).await.expect("readable"), 0);
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
