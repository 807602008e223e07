//! Seeks of days per move, and forgetting them.

use super::*;
use crate::ids::SeekId;
use crate::lobby::seek::{RatingRange, Seek, Wanted};
use crate::store::seeks::SeekStatus;
use crate::store::sessions::insert_session;

/// One of three days per move, open until then.
pub(super) fn seek(owner: &Player, number: usize, expires_at: Timestamp) -> Seek {
    Seek {
        id: SeekId::new(),
        owner: owner.clone(),
        rating: None,
        wanted: Wanted {
            variant: Variant::Fourfold,
            color: SeatChoice::Random,
            time: TimeControl::Correspondence(Days::new(3).expect("three are fine")),
            rated: false,
            range: RatingRange::default(),
        },
        command: command_id(number),
        created_at: at(0),
        expires_at,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_canceled_seek_is_known_for_a_day_and_accepted_by_nobody() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let (kept, canceled) = (seek(&ada, 1, at(10 * 86_400)), seek(&ada, 2, at(10 * 86_400)));
        for seek in [&kept, &canceled] {
            store.create_seek(seek).await.expect("stored");
        }
        assert!(store.cancel_seek(canceled.id, at(1)).await.expect("stored"));
        assert!(!store.cancel_seek(canceled.id, at(2)).await.expect("stored"), "it is already");
        let open: Vec<_> =
            store.open_seeks(at(2)).await.expect("readable").iter().map(|seek| seek.id).collect();
        assert_eq!(open, [kept.id]);
        let late = GameSetup { created_at: at(3), ..setup(&ada, &bob) };
        assert!(!store.accept_seek(&canceled, &late).await.expect("readable"));
        let status = async || {
            let found = store.seek_by_command(ada.id, &canceled.command).await.expect("readable");
            found.map(|found| (found.seek.id, found.status))
        };
        store.prune(at(86_400)).await.expect("pruned");
        assert_eq!(status().await, Some((canceled.id, SeekStatus::Canceled)));
        store.prune(at(86_401)).await.expect("pruned");
        assert_eq!(status().await, None);
        assert!(store.seek(kept.id).await.expect("readable").is_some());
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn however_much_has_expired_all_of_it_is_forgotten() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        let mut tx = store.begin().await.expect("it begins");
        for _ in 0..1_234 {
            let session = NewSession { expires_at: at(5), ..session() };
            insert_session(&mut tx, &session, ada.id).await.expect("stored");
        }
        tx.commit().await.expect("committed");
        store.prune(at(5)).await.expect("pruned");
        let (left,): (i64,) = on_db!(&store.read, |p, D| sqlx::query_as(
            "SELECT CAST(count(*) AS BIGINT) FROM sessions WHERE player_id = $1"
        )
        .bind(ada.id)
        .fetch_one(p)
        .await)
        .expect("readable");
        assert_eq!(left, 0, "the account's own has expired as well");
    })
    .await;
}
