//! The journal when the database does not answer.

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::*;

/// What waits behind a batch that fails has waited already: a player is refused after the time that is set, not after twice
/// that time. A table that is locked keeps a commit waiting, as a database does that has stopped answering.
#[tokio::test]
async fn nobody_waits_twice_for_a_database_that_hangs() {
    let Ok(server) = std::env::var("MANIFOLD_TEST_POSTGRES") else { return };
    let database = TestDb::postgres(server).await;
    let (ada, bob) = (account(&database.store, "ada").await, account(&database.store, "bob").await);
    let games = [setup(&ada, &bob), setup(&bob, &ada)];
    for game in &games {
        database.store.create_game(game).await.expect("the game is stored");
    }
    let timeout = Duration::from_secs(2);
    let store = Store { timeout, ..database.store.clone() };
    let Db::Pg(pool) = &store.write else { panic!("this is Postgres") };
    let mut lock = pool.begin().await.expect("a transaction");
    let statement = "LOCK TABLE game_events IN ACCESS EXCLUSIVE MODE";
    sqlx::query(statement).execute(&mut *lock).await.expect("locked");

    let journal = journal(&store);
    let write = |game: &GameSetup| GameWrite {
        game: game.id,
        events: moves(),
        finish: None,
        sleeps_until: None,
        next: None,
    };
    let mut first = std::pin::pin!(journal.append(write(&games[0])));
    for _ in 0..5 {
        // The writer takes the first for itself before there is a second.
        tokio::select! {
            biased;
            _ = &mut first => panic!("the table is locked"),
            () = tokio::task::yield_now() => {}
        }
    }
    let begun = Instant::now();
    let (first, second) = tokio::join!(first, journal.append(write(&games[1])));
    assert!(first.is_err() && second.is_err());
    assert!(begun.elapsed() < timeout * 3 / 2, "{:?}", begun.elapsed());
    lock.rollback().await.expect("unlocked");
    let again = journal.append(write(&games[1])).await;
    again.expect("it is there again");
    database.drop_it().await;
}

/// The same where another process holds SQLite's lock: the first is not refused long before the others, as if the database
/// had been tried for half of the time that is set.
#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_is_waited_for_as_long_as_is_set() {
    let folder = std::env::temp_dir().join(format!("manifold-store-{}", Uuid::new_v4()));
    let url = format!("sqlite:{}", folder.join("test.db").display());
    let timeout = Duration::from_secs(2);
    let store = Store::open(&StoreConfig { timeout, ..config(&url) }).await.expect("it opens");
    let (ada, bob) = (account(&store, "ada").await, account(&store, "bob").await);
    let journal = journal(&store);
    let mut games = Vec::new();
    for _ in 0..3 {
        let game = setup(&ada, &bob);
        store.create_game(&game).await.expect("the game is stored");
        games.push(game);
    }
    let options: SqliteConnectOptions = url.parse().expect("a good url");
    let mut other = sqlx::SqliteConnection::connect_with(&options).await.expect("it is there");
    let lock = other.begin_with(BEGIN_WRITING).await.expect("nobody else writes");
    let begun = Instant::now();
    let refusals: Vec<_> = games
        .iter()
        .map(|game| {
            let journal = journal.clone();
            let (game, events) = (game.id, moves());
            let write = GameWrite { game, events, finish: None, sleeps_until: None, next: None };
            tokio::spawn(async move {
                journal.append(write).await.expect_err("it is locked");
                begun.elapsed()
            })
        })
        .collect();
    for refusal in refusals {
        let after = refusal.await.expect("no panic");
        assert!(after >= timeout * 3 / 4, "refused after {after:?} of {timeout:?}");
        assert!(after < timeout * 3 / 2, "refused after {after:?} of {timeout:?}");
    }
    lock.rollback().await.expect("unlocked");
    store.beat(at(1)).await.expect("it can be written again");
    store.close().await;
    other.close().await.expect("closed");
    std::fs::remove_dir_all(folder).expect("the folder is there");
}

/// Nor is one that has stopped answering asked for each of a batch in turn: a write to which it had objected would cost the
/// others a time each. Whoever holds the only connection that writes keeps a commit waiting, as such a database does.
#[tokio::test]
async fn after_an_objection_a_database_that_hangs_is_asked_once() {
    let database = TestDb::sqlite().await;
    let (ada, bob) = (account(&database.store, "ada").await, account(&database.store, "bob").await);
    let store = Store { timeout: Duration::from_secs(2), ..database.store.clone() };
    let writes = (0..5).map(|_| GameWrite {
        game: setup(&ada, &bob).id,
        events: repeated_moves(),
        finish: None,
        sleeps_until: None,
        next: None,
    });
    let (journal, task) = Journal::new(store.clone(), glicko2());
    let tasks: Vec<_> = writes
        .map(|write| {
            let journal = journal.clone();
            tokio::spawn(async move { journal.append(write).await })
        })
        .collect();
    while journal.waiting() < tasks.len() {
        tokio::task::yield_now().await;
    }
    drop(journal);
    // Connections are given to those who wait in their order: the batch has it first, and then this.
    let first = store.begin().await.expect("nobody else writes");
    let give_way = async {
        drop(first);
        let held = store.begin().await.expect("the batch is refused at once");
        for task in tasks {
            let answer = task.await.expect("no panic");
            assert!(matches!(answer, Err(StoreError::Unavailable(_))), "{answer:?}");
        }
        drop(held);
    };
    tokio::join!(task, give_way);
    assert_eq!(counted(&store, "manifold_commit_writes_count"), Some(2), "all five, and one");
    database.drop_it().await;
}

/// While games never stop sending, the one connection goes round: a batch is written, then somebody else's row.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_writes_beside_the_journal_waits_for_a_batch_and_no_longer() {
    const GAMES: usize = 40;
    const WRITES: u64 = 20;
    let database = TestDb::sqlite().await;
    let store = database.store.clone();
    let (ada, bob) = (account(&store, "ada").await, account(&store, "bob").await);
    let (journal, task) = Journal::new(store.clone(), glicko2());
    let task = tokio::spawn(task);
    let enough = CancellationToken::new();
    let games: Vec<_> = (0..GAMES)
        .map(|_| {
            let (journal, enough, game) = (journal.clone(), enough.clone(), setup(&ada, &bob).id);
            tokio::spawn(async move {
                for seq in 1.. {
                    if enough.is_cancelled() {
                        return;
                    }
                    let event = Event::Resumed { elapsed_ms: 0 };
                    let events = vec![Logged { seq, at: at(0), event }];
                    let (finish, sleeps_until, next) = (None, None, None);
                    let write = GameWrite { game, events, finish, sleeps_until, next };
                    journal.append(write).await.expect("stored");
                }
            })
        })
        .collect();
    drop(journal);
    let batches = || counted(&store, "manifold_commit_writes_count").unwrap_or(0);
    while batches() == 0 {
        tokio::task::yield_now().await;
    }
    let before = batches();
    for n in 0..WRITES {
        store.beat(at(n.cast_signed())).await.expect("written");
    }
    let between = batches() - before;
    enough.cancel();
    for game in games {
        game.await.expect("no panic");
    }
    task.await.expect("no panic");
    assert!(between <= 3 * WRITES, "{between} batches while {WRITES} rows waited");
    database.drop_it().await;
}
