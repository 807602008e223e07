//! Whose the database is. On SQLite the kernel knows, and whoever has died commits nothing.

use super::*;
use crate::store::games::insert_game;
use crate::store::tenancy::Tenancy;

/// Takes the database, as a server does when it starts.
async fn serve(url: &str) -> (Tenancy, Store) {
    let mut config = StoreConfig { timeout: Duration::from_secs(2), ..config(url) };
    let mut tenancy = Tenancy::take(&config).await.expect("nobody has it");
    config.tenant = Some(tenancy.tenant);
    let store = Store::open(&config).await.expect("the database opens");
    tenancy.begin(at(0)).await.expect("it is written down");
    store.begin_tenancy();
    (tenancy, store)
}

/// Where a server loses its hold without knowing it, the next one ends what it has begun.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_committed_to_a_database_that_another_server_has_taken() {
    let Ok(server) = std::env::var("MANIFOLD_TEST_POSTGRES") else { return };
    let database = TestDb::postgres(server.clone()).await;
    let (_, name) = database.postgres.as_ref().expect("it is one");
    let url = TestDb::url(&server, name);
    let (hold, old) = serve(&url).await;
    let (ada, bob) = (account(&old, "ada").await, account(&old, "bob").await);
    let (begun, late) = (setup(&ada, &bob), setup(&ada, &bob));
    let mut tx = old.begin().await.expect("it begins");
    assert!(insert_game(&mut tx, &begun).await.expect("not committed yet"));

    drop(hold);
    let (_hold, new) = serve(&url).await;
    let unknown = tx.commit().await;
    assert!(matches!(unknown, Err(StoreError::Unavailable(_))), "{unknown:?}");
    // Nor does it come back.
    let refused = old.create_game(&late).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    for game in [&begun, &late] {
        assert!(new.game(game.id, first_move_ms).await.expect("readable").is_none());
    }
    new.create_game(&late).await.expect("the new one writes");
    // A command that runs beside it is nobody's server.
    database.store.profile("ada").await.expect("readable").expect("there");
    for store in [old, new] {
        store.close().await;
    }
    database.drop_it().await;
}
