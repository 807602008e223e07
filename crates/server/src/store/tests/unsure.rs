//! What was not answered and may be committed late: whoever asks waits until that has ended.

use std::pin::pin;

use super::seeks::seek;
use super::*;
use crate::blocks::Blocks;
use crate::store::blocks::insert_block;
use crate::store::events::insert_events;
use crate::store::games::insert_game;
use crate::store::players::hold_player;
use crate::store::seeks::insert_seek;

/// What is answered to a question that is asked while a transaction is open, which then ends.
async fn asked_during<T>(
    store: &Store,
    tx: Tx<'static>,
    is_committed: bool,
    question: impl Future<Output = Result<T, StoreError>>,
) -> T {
    let mut question = pin!(question);
    // Much more than it takes to look once.
    for _ in 0..50 {
        tokio::select! {
            biased;
            _ = &mut question => panic!("answered while the other was open"),
            read = store.last_beat() => drop(read.expect("readable")),
        }
    }
    if is_committed {
        tx.commit().await.expect("committed");
    } else {
        drop(tx);
    }
    question.await.expect("the database is there")
}

#[tokio::test(flavor = "multi_thread")]
async fn whether_something_is_there_is_answered_when_its_commit_has_ended() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let begin = async || store.begin().await.expect("it begins");
        for (number, is_committed) in [true, false].into_iter().enumerate() {
            let game = setup(&ada, &bob);
            let mut tx = begin().await;
            assert!(insert_game(&mut tx, &game).await.expect("stored"));
            let found = asked_during(store, tx, is_committed, store.is_game_stored(&game)).await;
            assert_eq!(found, is_committed);
            let read = store.game(game.id, first_move_ms).await.expect("readable");
            assert_eq!(read.is_some(), is_committed, "to ask makes none");

            let seek = seek(&ada, number, at(100));
            let mut tx = begin().await;
            assert!(insert_seek(&mut tx, &seek, None).await.expect("stored"));
            let found = asked_during(store, tx, is_committed, store.is_seek_stored(&seek)).await;
            assert_eq!(found, is_committed);
            assert_eq!(store.seek(seek.id).await.expect("readable").is_some(), is_committed);

            store.create_game(&game).await.expect("there or not");
            let [first, _] = &moves()[..] else { panic!("two moves") };
            let mut tx = begin().await;
            insert_events(tx.connection(), &[(game.id, first)]).await.expect("stored");
            asked_during(store, tx, is_committed, store.settle_event(game.id, 1)).await;
            let state = stored(store, game.id).await.state;
            assert_eq!(state.moves().len(), usize::from(is_committed));
        }
    })
    .await;
}

/// What is read while a block may still be written down is not kept as if it were all.
#[tokio::test(flavor = "multi_thread")]
async fn a_block_that_is_committed_late_counts() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let mut tx = store.begin().await.expect("it begins");
        hold_player(&mut tx, ada.id).await.expect("nobody else has her");
        insert_block(&mut tx, ada.id, bob.id, at(1)).await.expect("stored");
        let impatient = Store { timeout: Duration::from_millis(50), ..store.clone() };
        let blocks = Blocks::new(impatient);
        let unanswered = blocks.block(ada.id, bob.id, at(1)).await;
        assert!(matches!(unanswered, Err(StoreError::Unavailable(_))), "{unanswered:?}");
        let blocks = blocks.with(store.clone());
        let blocked = asked_during(store, tx, true, blocks.of(ada.id)).await;
        assert!(blocked.contains(&bob.id));
        assert!(blocks.between(bob.id, ada.id).await.expect("readable"));
    })
    .await;
}
