//! Players.

use super::*;
use crate::session::sign_up_mark;
use crate::store::prune::{CHALLENGES, FIRST, GUESTS, LAST_OF_GUESTS, SEEKS, SESSIONS};

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

/// Most guests who have played stay, and there may be a million of them: whoever writes meanwhile waits for some of them.
#[tokio::test(flavor = "multi_thread")]
async fn guests_are_walked_some_at_a_time_and_each_is_looked_at_once() {
    on_both(async |store| {
        const MOST: u64 = 5;
        let ada = account(store, "ada").await;
        // Several of one moment, over the end of a batch; every third stays.
        let mut stay = Vec::new();
        for n in 0..23 {
            let begins_at = at(n / 4);
            let session = NewSession { begins_at, ..session() };
            let name = format!("Guest {n:06}");
            let guest =
                store.create_guest(PlayerId::new(), &name, &session).await.expect("created");
            if n % 3 == 0 {
                store.create_game(&setup(&ada, &guest)).await.expect("stored");
                stay.push(name);
            }
        }
        let young = NewSession { begins_at: at(100), ..session() };
        store.create_guest(PlayerId::new(), "Guest 777777", &young).await.expect("created");
        stay.push("Guest 777777".to_owned());
        assert_eq!(store.forget(SESSIONS, at(50)).await.expect("forgotten"), 25);

        let (mut next, mut batches, mut all) = (Some(FIRST), 0, 0);
        while let Some(after) = next {
            let (gone, last) =
                store.forget_guests_after(after, at(50), MOST).await.expect("forgotten");
            assert!(gone < MOST, "{gone}: of five in a row one stays");
            assert!(last.is_none_or(|last| after < last), "{last:?} after {after:?}");
            (next, batches, all) = (last, batches + 1, all + gone);
        }
        assert_eq!((batches, all), (5, 15), "23 in fives");
        for n in 0..23 {
            let name = format!("Guest {n:06}");
            let found = store.profile(&name).await.expect("readable").is_some();
            assert_eq!(found, stay.contains(&name), "{name}");
        }
        assert!(store.profile("Guest 777777").await.expect("readable").is_some(), "too young");
    })
    .await;
}

/// What is forgotten is found by an index, and not by looking at all that is there.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_forgotten_is_found_by_an_index() {
    on_both(async |store| {
        for (statement, index) in [
            (CHALLENGES, "challenges_expires_idx"),
            (SEEKS, "seeks_expires_idx"),
            (SESSIONS, "sessions_expires_idx"),
            (LAST_OF_GUESTS, "players_guests_idx"),
            (GUESTS, "players_guests_idx"),
        ] {
            let plan = plan(store, statement).await;
            assert!(plan.contains(index), "{statement}\n{plan}");
            // All of one table, in whatever order.
            let table = index.split('_').next().expect("it begins with its table");
            for whole in [format!("SCAN {table}\n"), format!("Seq Scan on {table}")] {
                assert!(!plan.contains(&whole), "{statement}\n{plan}");
            }
        }
    })
    .await;
}

/// How the database would do it.
async fn plan(store: &Store, statement: &'static str) -> String {
    let mut tx = store.begin().await.expect("it begins");
    let lines: Vec<String> = match &mut tx {
        Tx::Pg(tx) => {
            // A table that is as good as empty is otherwise read as a whole.
            sqlx::query("SET LOCAL enable_seqscan = off").execute(&mut **tx).await.expect("set");
            let generic = "SET LOCAL plan_cache_mode = force_generic_plan";
            sqlx::query(generic).execute(&mut **tx).await.expect("set");
            let prepare = sqlx::AssertSqlSafe(format!("PREPARE explained AS {statement}"));
            sqlx::raw_sql(prepare).execute(&mut **tx).await.expect("understood");
            let parameters = (1..9).filter(|n| statement.contains(&format!("${n}")));
            let nulls = parameters.map(|_| "NULL").collect::<Vec<_>>().join(", ");
            let explain = format!("EXPLAIN EXECUTE explained({nulls})");
            let explain = sqlx::AssertSqlSafe(explain);
            let rows = sqlx::raw_sql(explain).fetch_all(&mut **tx).await.expect("explained");
            // It would outlive the transaction.
            sqlx::raw_sql("DEALLOCATE explained").execute(&mut **tx).await.expect("it is there");
            rows.iter().map(|row| sqlx::Row::get(row, 0)).collect()
        }
        Tx::Lite(tx) => {
            let explain = sqlx::AssertSqlSafe(format!("EXPLAIN QUERY PLAN {statement}"));
            sqlx::raw_sql(explain)
                .fetch_all(&mut **tx)
                .await
                .expect("explained")
                .iter()
                .map(|row| sqlx::Row::get(row, 3))
                .collect()
        }
    };
    lines.into_iter().map(|line| line + "\n").collect()
}
