//! Games, their journal and the ratings that they change.

use super::*;
use crate::store::games::PORTION;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_told_again_from_its_journal() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let setup = begun_game(store, &journal, &ada, &bob).await;
        let state = stored(store, setup.id).await.state;
        assert_eq!(state.log(), moves());
        assert_eq!(
            state.game().fen(),
            "4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/p1pp/1p2/4|kbnr/pppp/4/3Q w 0 2"
        );
        let live = store.clocked_games(first_move_ms).await.expect("readable");
        assert_eq!(live.iter().map(|(game, _)| *game).collect::<Vec<_>>(), [setup.id]);
        assert_eq!(live[0].1.as_ref().expect("whole").log(), moves());
        assert!(store.game(GameId::new(), first_move_ms).await.expect("readable").is_none());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_come_back_in_portions_each_with_its_own_moves() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let mut expected = Vec::new();
        for index in 0..PORTION * 2 + 1 {
            // Every third has not begun.
            if index % 3 == 2 {
                let setup = setup(&ada, &bob);
                store.create_game(&setup).await.expect("stored");
                expected.push((setup.id, 0));
            } else {
                let setup = begun_game(store, &journal, &ada, &bob).await;
                expected.push((setup.id, moves().len()));
            }
        }
        // One that is over lies between them.
        let over = begun_game(store, &journal, &ada, &bob).await;
        journal.append(ending(&over)).await.expect("stored");
        let damaged = expected[PORTION].0;
        on_db!(&store.write, |p, D| sqlx::query(
            "UPDATE game_events SET body = 'no event' WHERE game_id = $1 AND seq = 2"
        )
        .bind(damaged)
        .execute(p)
        .await
        .map(drop))
        .expect("written");
        expected.sort_unstable();
        let found = store.clocked_games(first_move_ms).await.expect("readable");
        assert_eq!(found.iter().map(|(id, _)| *id).collect::<Vec<_>>(), ids(&expected));
        for ((id, state), (_, events)) in found.into_iter().zip(expected) {
            match state {
                Ok(state) => assert_eq!((state.setup().id, state.log().len()), (id, events)),
                Err(error) => assert_eq!(id, damaged, "{error}"),
            }
        }
    })
    .await;
}

fn ids(games: &[(GameId, usize)]) -> Vec<GameId> {
    games.iter().map(|(id, _)| *id).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn case_01_fifty_finishes_of_one_game_rate_it_once() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let setup = begun_game(store, &journal, &ada, &bob).await;
        let tries = (0..50).map(|_| {
            let (journal, write) = (journal.clone(), ending(&setup));
            tokio::spawn(async move { journal.append(write).await })
        });
        let mut finished = 0;
        for task in tries.collect::<Vec<_>>() {
            finished += usize::from(task.await.expect("no panic").is_ok());
        }
        assert_eq!(finished, 1);
        for player in [&ada, &bob] {
            let ratings = store.ratings(player.id).await.expect("readable");
            assert_eq!(ratings.iter().map(|r| r.games).collect::<Vec<_>>(), [1]);
        }
        let state = stored(store, setup.id).await.state;
        assert_eq!(state.end(), Some(WHITE_WINS));
        assert_eq!(state.log().len(), 3);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_02_a_game_is_rated_from_what_the_last_one_wrote() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let mut changes = Vec::new();
        for setup in [
            begun_game(store, &journal, &ada, &bob).await,
            begun_game(store, &journal, &bob, &ada).await,
        ] {
            changes.push(
                journal.append(ending(&setup)).await.expect("stored").ratings.expect("rated"),
            );
        }
        // Ada won the first as White and lost the second as Black.
        assert_eq!(changes[0].white.before, 1500.0);
        assert_eq!(changes[1].black.before, changes[0].white.after);
        assert_eq!(changes[1].white.before, changes[0].black.after);
        assert!(
            changes[0].white.after > 1500.0 && changes[1].black.after < changes[1].black.before
        );
        let ratings = store.ratings(ada.id).await.expect("readable");
        assert_eq!(ratings[0].rating, changes[1].black.after);
        assert_eq!(ratings[0].games, 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_the_database_objects_to_takes_no_other_with_it() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let (journal, task) = Journal::new(store.clone(), glicko2());
        let good = setup(&ada, &bob);
        store.create_game(&good).await.expect("stored");
        // The task does not run yet, so that both go into one batch.
        let twice = GameWrite {
            game: GameId::new(),
            events: repeated_moves(),
            finish: None,
            sleeps_until: None,
            next: None,
        };
        let fine = GameWrite {
            game: good.id,
            events: moves(),
            finish: None,
            sleeps_until: None,
            next: None,
        };
        let ((twice, fine), _) = tokio::join!(
            async move { tokio::join!(journal.append(twice), journal.append(fine)) },
            task
        );
        assert!(matches!(twice, Err(StoreError::Constraint(_))), "{twice:?}");
        assert!(fine.is_ok());
        assert_eq!(stored(store, good.id).await.state.seq(), 2);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_20_a_walk_meets_every_game_once_while_games_end() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = Arc::new(journal(store));
        let mut games = Vec::new();
        for _ in 0..25 {
            games.push(begun_game(store, &journal, &ada, &bob).await);
        }
        let mut seen = Vec::new();
        let mut before = None;
        loop {
            let part = store
                .list_games(Some(bob.id), GameStatus::Any, before, 4, first_move_ms)
                .await
                .expect("readable");
            let Some(last) = part.last() else { break };
            before = Some(last.setup.id);
            seen.extend(part.iter().map(|game| game.setup.id));
            // One that was met, and one that was not yet, if there is one.
            for game in [games.first().cloned(), games.pop()].into_iter().flatten() {
                // The second time the same one is refused, and changes nothing.
                _ = journal.append(ending(&game)).await;
            }
        }
        assert_eq!(seen.len(), 25);
        assert!(seen.is_sorted_by(|a, b| a > b), "newest first, none twice");
        let ended = store
            .list_games(None, GameStatus::Ended, None, 100, first_move_ms)
            .await
            .expect("readable");
        let live = store
            .list_games(None, GameStatus::Live, None, 100, first_move_ms)
            .await
            .expect("readable");
        assert_eq!(ended.len() + live.len(), 25);
        assert!(!ended.is_empty() && ended.iter().all(|game| game.ratings.is_some()));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sleeping_game_is_found_by_its_deadline() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let (slow, quick) = (slow_game(store, &ada, &bob).await, setup(&ada, &bob));
        store.create_game(&quick).await.expect("stored");
        let deadlines = async || store.next_deadlines(10).await.expect("readable");
        assert_eq!(deadlines().await, [(slow.id, at(0).plus_ms(3 * DAY_MS))], "the first move's");
        let later = slow_game(store, &bob, &ada).await;
        let write = |events, finish, sleeps_until| GameWrite {
            game: slow.id,
            events,
            finish,
            sleeps_until,
            next: None,
        };
        let next = at(2).plus_ms(3 * DAY_MS);
        journal.append(write(moves(), None, Some(next))).await.expect("stored");
        assert_eq!(deadlines().await, [(later.id, at(0).plus_ms(3 * DAY_MS)), (slow.id, next)]);
        assert_eq!(store.next_deadlines(1).await.expect("readable").len(), 1);
        store.sleep_until(later.id, next.plus_ms(1)).await.expect("stored");
        assert_eq!(deadlines().await[0].0, slow.id);
        let end = GameWrite { game: slow.id, ..ending(&slow) };
        journal.append(end).await.expect("stored");
        assert_eq!(deadlines().await, [(later.id, next.plus_ms(1))], "what is over sleeps on");
        let clocked = store.clocked_games(first_move_ms).await.expect("readable");
        assert_eq!(clocked.iter().map(|(game, _)| *game).collect::<Vec<_>>(), [quick.id]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_03_a_sleeping_game_is_given_back_the_downtime_once() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let (played, young) =
            (slow_game(store, &ada, &bob).await, slow_game(store, &bob, &ada).await);
        let untimed = GameSetup { time: TimeControl::Untimed, rated: false, ..setup(&ada, &bob) };
        store.create_game(&untimed).await.expect("stored");
        let deadline = async |game| stored(store, game).await.deadline_at.expect("it sleeps");
        let untimed_at = deadline(untimed.id).await;

        // Without a sign of life it is not known how long the server was away.
        assert_eq!(store.give_back_downtime(at(50)).await.expect("stored"), 0);

        // Alive at 100; one game goes on until 130; the next start is at 1000.
        store.beat(at(100)).await.expect("stored");
        let mut events = moves();
        events.truncate(1);
        events[0].at = at(130);
        let due = at(130).plus_ms(3 * DAY_MS);
        let sleeps_until = Some(due);
        let write = GameWrite { game: played.id, events, finish: None, sleeps_until, next: None };
        journal.append(write).await.expect("stored");
        assert_eq!(store.give_back_downtime(at(1000)).await.expect("stored"), 2);
        assert_eq!(deadline(played.id).await, due.plus_ms(870_000));
        let young_due = at(0).plus_ms(3 * DAY_MS);
        assert_eq!(deadline(young.id).await, young_due.plus_ms(900_000));
        let stored_game = stored(store, played.id).await;
        assert_eq!(stored_game.state.owed_ms(stored_game.deadline_at.expect("it sleeps")), 870_000);

        // It fell again before it could leave a sign of life: only what came after is given back.
        store.give_back_downtime(at(1010)).await.expect("stored");
        assert_eq!(deadline(young.id).await, young_due.plus_ms(910_000));
        store.beat(at(1500)).await.expect("stored");
        store.give_back_downtime(at(1600)).await.expect("stored");
        assert_eq!(deadline(young.id).await, young_due.plus_ms(1_010_000));
        assert_eq!(deadline(untimed.id).await, untimed_at, "a month is long enough");
    })
    .await;
}
