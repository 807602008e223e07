//! Sessions and tokens.

use super::*;

fn shown(token: TokenHash) -> Shown {
    Shown { kind: SessionKind::Browser, token }
}

fn token_of(token: TokenHash) -> NewSession {
    let shown = Shown { kind: SessionKind::Token, token };
    NewSession { shown, ..session_of(token, at(100)) }
}

async fn opens(store: &Store, shown: Shown) -> bool {
    store.session(shown, at(10)).await.expect("readable").is_some()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_when_it_expires_or_is_deleted() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        let begun = store.create_session(&session_of([1; 32], at(100)), ada.id, "hash").await;
        assert_eq!(begun.expect("stored"), Some(Vec::new()));
        let found = async |token, now| {
            store.session(shown(token), now).await.expect("readable").map(|found| found.player.id)
        };
        assert_eq!(found([1; 32], at(99)).await, Some(ada.id));
        assert_eq!(found([1; 32], at(100)).await, None);
        assert_eq!(found([2; 32], at(0)).await, None);
        store.see_session([1; 32], at(50), at(200)).await.expect("stored");
        assert_eq!(found([1; 32], at(150)).await, Some(ada.id));
        let own = store.sessions_of(ada.id, SessionKind::Browser, at(60)).await.expect("readable");
        assert_eq!(own.iter().map(|session| session.seen_at).collect::<Vec<_>>(), [at(50)]);
        store.delete_session([1; 32]).await.expect("stored");
        assert_eq!(found([1; 32], at(0)).await, None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_no_cookie_and_a_cookie_no_token() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        store.create_session(&session_of([1; 32], at(100)), ada.id, "hash").await.expect("stored");
        assert!(store.create_token(&token_of([2; 32]), ada.id, 5).await.expect("stored"));
        assert!(opens(store, shown([1; 32])).await && !opens(store, shown([2; 32])).await);
        assert!(opens(store, token_of([2; 32]).shown).await);
        assert!(!opens(store, token_of([1; 32]).shown).await);
    })
    .await;
}

/// Many log in with the old password while it is changed: whoever gets in does so before, and is put out.
#[tokio::test(flavor = "multi_thread")]
async fn no_log_in_outlives_the_password_that_it_was_made_with() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        let log_ins = (1..=20).map(|n| {
            let store = store.clone();
            tokio::spawn(async move {
                let session = session_of([n; 32], at(100));
                store.create_session(&session, ada.id, "hash").await.expect("stored")
            })
        });
        let log_ins: Vec<_> = log_ins.collect();
        let new = session_of([99; 32], at(100));
        let changed = store.change_password(ada.id, "hash", "another", &new).await;
        let put_out = changed.expect("stored").expect("it was the password");
        for (n, log_in) in (1..=20).zip(log_ins) {
            let got_in = log_in.await.expect("no panic").is_some();
            assert_eq!(got_in, put_out.contains(&[n; 32]), "whoever got in is put out, {n}");
            assert!(!opens(store, shown([n; 32])).await, "{n}");
        }
        assert!(opens(store, shown([99; 32])).await);
        let late = store.create_session(&session_of([21; 32], at(100)), ada.id, "hash").await;
        assert_eq!(late.expect("readable"), None, "that is no password any more");
        let again = session_of([98; 32], at(100));
        let again = store.change_password(ada.id, "hash", "third", &again).await;
        assert_eq!(again.expect("readable"), None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn browsers_and_tokens_are_bounded_and_end_apart() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let tries = (1..=20).map(|n| {
            let store = store.clone();
            tokio::spawn(async move { store.create_token(&token_of([n; 32]), ada.id, 3).await })
        });
        let mut made = 0;
        for task in tries.collect::<Vec<_>>() {
            made += usize::from(task.await.expect("no panic").expect("stored"));
        }
        assert_eq!(made, 3);

        let mut put_out = Vec::new();
        // The first session came with the account.
        for n in 100..150 {
            let session = session_of([n; 32], at(100));
            put_out.push(store.create_session(&session, ada.id, "hash").await.expect("stored"));
        }
        let made_room: usize = put_out.into_iter().flatten().map(|ended| ended.len()).sum();
        assert_eq!(made_room, 1, "of fifty-one");
        assert!(opens(store, shown([149; 32])).await);

        let own = store.sessions_of(ada.id, SessionKind::Browser, at(10)).await.expect("readable");
        assert_eq!(own.len(), 50);
        let theirs = store.end_session(bob.id, SessionKind::Browser, own[0].id).await;
        assert!(theirs.expect("stored").is_empty(), "nobody ends another's");
        let wrong_kind = store.end_session(ada.id, SessionKind::Token, own[0].id).await;
        assert!(wrong_kind.expect("stored").is_empty());
        let one = store.end_session(ada.id, SessionKind::Browser, own[0].id).await.expect("stored");
        assert_eq!(one.len(), 1);
        assert_eq!(store.end_browsers(ada.id).await.expect("stored").len(), 49);
        let tokens = store.sessions_of(ada.id, SessionKind::Token, at(10)).await.expect("readable");
        assert_eq!(tokens.len(), 3, "programs stay");
    })
    .await;
}
