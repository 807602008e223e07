//! Which games have a task, and from when on their clocks are charged.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::super::registry::Registry;
use super::super::sleepers::Sleepers;
use crate::computer::Computer;
use crate::computer::thinkers::Thinkers;
use crate::config::Config;
use crate::game::clock::{DAY_MS, Days, TimeControl};
use crate::game::event::{Event, Logged};
use crate::game::state::GameSetup;
use crate::store::Store;
use crate::store::journal::{GameWrite, Journal};
use crate::store::tests::{
    TestDb, account, begun_game, close_readers, counted, damage, glicko2, hold_readers, journal,
    moves, on_both, setup, stored,
};
use crate::time::Clock;

/// The tasks of the games in `store`: none yet.
fn registry(store: &Store, journal: &Journal) -> Registry {
    let config = Config::load(None, &BTreeMap::new()).expect("the defaults are fine");
    let clock = Clock::system();
    let (thinkers, _) = Thinkers::start(0, 1).expect("no thread");
    let computer = Computer::new(thinkers, clock, config.computer);
    Registry::new(store.clone(), journal.clone(), clock, config.game, glicko2(), computer)
}

#[tokio::test]
async fn a_damaged_game_keeps_no_other_from_its_task() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let damaged = begun_game(store, &journal, &ada, &bob).await.id;
        damage(store, damaged).await;
        let now = Clock::system().now();
        let whole = GameSetup { created_at: now, ..setup(&ada, &bob) };
        store.create_game(&whole).await.expect("stored");
        let errors = || counted(store, "manifold_database_errors_total{kind=\"damaged\"}");

        let started = registry(store, &journal);
        assert_eq!(started.bring_back(None).await.expect("the server starts"), 1);
        assert!(started.find(whole.id).is_some() && started.find(damaged).is_none());
        assert_eq!(errors(), Some(1));
        started.stop().await;

        let running = registry(store, &journal);
        assert_eq!(running.adopt_orphans().await.expect("the others are adopted"), 1);
        assert!(running.find(whole.id).is_some() && running.find(damaged).is_none());
        assert_eq!(errors(), Some(2));
        assert_eq!(running.adopt_orphans().await.expect("again"), 0);
        running.stop().await;
    })
    .await;
}

/// Thousands are brought back at once, and each would wait for the readers.
#[tokio::test]
async fn a_game_that_is_brought_back_is_read_once() {
    let database = TestDb::sqlite().await;
    let store = &database.store;
    let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
    let journal = journal(store);
    let game = begun_game(store, &journal, &ada, &bob).await.id;
    let registry = registry(store, &journal);
    assert_eq!(registry.bring_back(None).await.expect("the server starts"), 1);
    // Its task has not run yet.
    close_readers(store);
    let task = registry.find(game).expect("it has a task");
    let state = task.look().await.expect("it goes on");
    assert!(matches!(state.log().last(), Some(Logged { event: Event::Resumed { .. }, .. })));
    registry.stop().await;
    database.drop_it().await;
}

/// Its creation was committed, but the answer was lost: until it has a task nobody can move, and nobody is charged.
#[tokio::test]
async fn a_game_whose_beginning_nobody_heard_of_begins_with_its_task() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let registry = registry(store, &journal);
        let outage_ms = 600_000;
        let created_at = registry.clock().now().plus_ms(-outage_ms);
        let begun = GameSetup { created_at, ..setup(&ada, &bob) };
        assert!(registry.first_move_ms(begun.time) < outage_ms);
        store.create_game(&begun).await.expect("stored");
        let task = registry.get(begun.id).await.expect("readable").expect("there");
        let state = task.look().await.expect("it goes on");
        assert_eq!(state.end(), None);
        assert!(matches!(state.log(), [Logged { event: Event::Resumed { .. }, .. }]), "{state:?}");
        registry.stop().await;
        // Who comes while the server stops is given no task, and nothing is given back for it.
        assert!(registry.get(begun.id).await.is_err());
        let stored = stored(store, begun.id).await.state;
        assert_eq!(stored.log().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_damaged_game_sleeps_on_as_it_was_and_the_others_are_woken() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let registry = registry(store, &journal);
        let sleepers = Sleepers::new(registry.clone());
        let now = registry.clock().now();
        let days = Days::new(3).expect("three are fine");
        let slow = || GameSetup {
            time: TimeControl::Correspondence(days),
            first_move_ms: days.ms(),
            created_at: now.plus_ms(-4 * DAY_MS),
            ..setup(&ada, &bob)
        };
        let (damaged, whole, due) = (slow(), slow(), now.plus_ms(-2 * DAY_MS));
        for game in [&damaged, &whole] {
            store.create_game(game).await.expect("stored");
        }
        let (game, events) = (damaged.id, moves());
        let write = GameWrite { game, events, finish: None, sleeps_until: Some(due), next: None };
        journal.append(write).await.expect("stored");
        damage(store, damaged.id).await;

        let mut put_off = HashMap::new();
        let mut wake_due = async |now| {
            sleepers.wake_due(now, None, &mut put_off).await.expect("the database is there");
        };
        let errors = || counted(store, "manifold_database_errors_total{kind=\"damaged\"}");
        wake_due(now).await;
        assert!(registry.find(whole.id).is_some(), "the other is woken");
        assert_eq!(errors(), Some(1));
        wake_due(now.plus_ms(1000)).await;
        assert_eq!(errors(), Some(1), "it is left alone for a day");
        wake_due(now.plus_ms(DAY_MS)).await;
        assert_eq!(errors(), Some(2), "and tried again");
        let deadlines = store.next_deadlines(2).await.expect("readable");
        assert!(deadlines.contains(&(damaged.id, due)), "{deadlines:?}");
        registry.stop().await;
    })
    .await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_what_is_read_of_sleeping_games() {
    on_both(async |store| {
        let journal = journal(store);
        let stop = CancellationToken::new();
        let held = hold_readers(store).await;
        let wakes = tokio::spawn(Sleepers::new(registry(store, &journal)).run(stop.clone()));
        tokio::task::yield_now().await;
        stop.cancel();
        tokio::time::timeout(Duration::from_secs(5), wakes)
            .await
            .expect("it does not wait until the database is given up")
            .expect("no panic");
        drop(held);
    })
    .await;
}

#[tokio::test]
async fn a_server_that_has_stopped_starts_no_task() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let game = begun_game(store, &journal, &ada, &bob).await.id;
        let registry = registry(store, &journal);
        registry.stop().await;
        assert!(registry.get(game).await.is_err());
        assert!(registry.find(game).is_none(), "nobody would join it");
        // To look at one needs no task.
        assert!(registry.look(game).await.expect("readable").is_some());
        assert_eq!(registry.bring_back(None).await.expect("readable"), 0);
    })
    .await;
}
