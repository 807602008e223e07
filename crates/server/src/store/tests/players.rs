//! Players.

use super::*;
use crate::session::sign_up_mark;

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_taken_once_whatever_its_case_and_however_many_ask() {
    on_both(async |store| {
        let tries = (0..20).map(|n| {
            let store = store.clone();
            let name =
                AccountName::parse(if n % 2 == 0 { "Ada" } else { "aDA" }).expect("a good name");
            tokio::spawn(async move {
                store.create_account(PlayerId::new(), &name, "hash", &session(), None).await
            })
        });
        let mut created = 0;
        for task in tries.collect::<Vec<_>>() {
            match task.await.expect("no panic") {
                Ok(_) => created += 1,
                Err(error) => assert!(is_name_taken(&error), "{error}"),
            }
        }
        assert_eq!(created, 1);
        assert!(store.profile("ADA").await.expect("readable").is_some());
        assert!(store.profile("bob").await.expect("readable").is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_signs_up_stays_the_same_player() {
    on_both(async |store| {
        let begun = session();
        let (old, shown) = (begun.shown.token, begun.shown);
        let guest =
            store.create_guest(PlayerId::new(), "Guest 222222", &begun).await.expect("created");
        let name = AccountName::parse("carl").expect("a good name");
        let player = store
            .promote_guest(guest.id, old, &name, "hash", &session(), None)
            .await
            .expect("stored")
            .expect("a guest");
        assert_eq!(
            (player.id, player.kind, &*player.name),
            (guest.id, PlayerKind::Account, "carl")
        );
        assert!(
            store
                .promote_guest(guest.id, old, &name, "hash", &session(), None)
                .await
                .expect("stored")
                .is_none(),
            "only once"
        );
        // The guest's session opens nothing, is known for a while, and is not ended as others are.
        assert!(store.session(shown, at(0)).await.expect("readable").is_none());
        assert!(!store.delete_session(old).await.expect("stored"));
        let known = async |token, seconds| {
            let found = store.signed_up_with(token, at(seconds)).await.expect("readable");
            found.map(|found| found.player)
        };
        assert_eq!(known(old, 1).await.as_ref(), Some(&player));
        assert_eq!(known(old, 3600).await, None);
        // Nor does a request's name open anything, for as long as it is known.
        let name_of_dora = AccountName::parse("dora").expect("a good name");
        let mark = sign_up_mark("dora", "c-1");
        let dora = store
            .create_account(PlayerId::new(), &name_of_dora, "hash", &session(), Some(mark))
            .await
            .expect("the name is free");
        assert_eq!(known(mark, 1).await, Some(dora.clone()));
        assert_eq!(known(sign_up_mark("dora", "c-2"), 1).await, None);
        assert_eq!(known(mark, 3600).await, None);
        let shown = Shown { kind: SessionKind::Browser, token: mark };
        assert!(store.session(shown, at(0)).await.expect("readable").is_none());
        let taken =
            store.create_guest(PlayerId::new(), "Guest 333333", &session()).await.expect("created");
        let error = store
            .promote_guest(taken.id, old, &name, "hash", &session(), None)
            .await
            .expect_err("the name is taken");
        assert!(is_name_taken(&error), "{error}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prune_forgets_only_what_nobody_can_find() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        let guest = async |name, session| {
            store.create_guest(PlayerId::new(), name, &session).await.expect("created")
        };
        guest("Guest 222222", session_of([1; 32], at(100))).await;
        guest("Guest 333333", session_of([2; 32], at(90_000))).await;
        let played = guest("Guest 444444", session()).await;
        store.create_game(&setup(&ada, &played)).await.expect("stored");
        assert_eq!(store.prune(at(99)).await.expect("pruned"), 0, "too young");
        assert_eq!(store.prune(at(4000)).await.expect("pruned"), 1);
        assert!(store.profile("Guest 222222").await.expect("readable").is_none());
        assert!(store.profile("Guest 333333").await.expect("readable").is_some());
        assert!(store.profile("Guest 444444").await.expect("readable").is_some());
        assert!(store.profile("ada").await.expect("readable").is_some());
    })
    .await;
}
