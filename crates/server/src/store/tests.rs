//! Every test here runs on SQLite, and on Postgres where `MANIFOLD_TEST_POSTGRES` names a server (`cargo xtask test`
//! starts one). Each makes a database of its own.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use manifold_rules::{Color, Game, GameEnd, Outcome, Termination, Variant};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::games::GameStatus;
use super::journal::{Finish, GameWrite, Journal};
use super::players::is_name_taken;
use super::ratings::RatedResult;
use super::sessions::{NewSession, TokenHash};
use super::*;
use crate::game::clock::{BySide, Fischer, TimeControl};
use crate::game::event::{Event, Logged};
use crate::game::state::{GameSetup, Seat};
use crate::ids::{ChallengeId, CommandId, GameId, PlayerId};
use crate::lobby::challenge::{Challenge, ChallengeStatus, SeatChoice};
use crate::player::{AccountName, Player, PlayerKind};
use crate::time::Timestamp;

const BLITZ: TimeControl = TimeControl::Fischer(Fischer { base_ms: 180_000, increment_ms: 2000 });

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_micros(1_800_000_000_000_000).plus_ms(seconds * 1000)
}

/// A session that has begun and ends at once.
fn session() -> NewSession {
    let id = Uuid::new_v4();
    let mut token = [0; 32];
    token[..16].copy_from_slice(id.as_bytes());
    session_of(token, at(1))
}

fn session_of(token: TokenHash, expires_at: Timestamp) -> NewSession {
    NewSession { token, begins_at: at(0), expires_at }
}

fn first_move_ms(_: TimeControl) -> i64 {
    20_000
}

/// A database of a test's own, gone with it.
struct TestDb {
    store: Store,
    folder: Option<PathBuf>,
    postgres: Option<(String, String)>,
}

impl TestDb {
    async fn sqlite() -> Self {
        let folder = std::env::temp_dir().join(format!("manifold-store-{}", Uuid::new_v4()));
        let store = open(&format!("sqlite:{}", folder.join("test.db").display())).await;
        Self { store, folder: Some(folder), postgres: None }
    }

    async fn postgres(server: String) -> Self {
        let name = format!("store_{}", Uuid::new_v4().simple());
        run_sql(&server, format!("CREATE DATABASE {name}")).await;
        let (address, options) = server.split_once('?').map_or((&*server, ""), |(a, o)| (a, o));
        let base = address.rsplit_once('/').expect("a url with a database").0;
        let store = open(&format!("{base}/{name}?{options}")).await;
        Self { store, folder: None, postgres: Some((server, name)) }
    }

    async fn drop_it(self) {
        self.store.close().await;
        if let Some(folder) = self.folder {
            std::fs::remove_dir_all(folder).expect("the folder is there");
        }
        if let Some((server, name)) = self.postgres {
            run_sql(&server, format!("DROP DATABASE {name}")).await;
        }
    }
}

async fn open(url: &str) -> Store {
    let config =
        StoreConfig { url: url.to_owned(), max_connections: 4, timeout: Duration::from_secs(20) };
    Store::open(&config).await.expect("the database opens")
}

async fn run_sql(server: &str, sql: String) {
    let mut connection = PgConnection::connect(server).await.expect("the server is there");
    sqlx::query(sqlx::AssertSqlSafe(sql))
        .execute(&mut connection)
        .await
        .expect("the statement runs");
}

/// Runs a story on each database.
async fn on_both(story: impl AsyncFn(&Store)) {
    let mut databases = vec![TestDb::sqlite().await];
    if let Ok(server) = std::env::var("MANIFOLD_TEST_POSTGRES") {
        databases.push(TestDb::postgres(server).await);
    }
    for database in databases {
        story(&database.store).await;
        database.drop_it().await;
    }
}

async fn account(store: &Store, name: &str) -> Player {
    let name = AccountName::parse(name).expect("a good name");
    store
        .create_account(PlayerId::new(), &name, "hash", &session())
        .await
        .expect("the name is free")
}

fn setup(white: &Player, black: &Player) -> GameSetup {
    let seat = |player: &Player| Seat { player: player.clone(), rating: None };
    GameSetup {
        id: GameId::new(),
        variant: Variant::Fourfold,
        rated: true,
        time: BLITZ,
        first_move_ms: 20_000,
        start_fen: Game::new(Variant::Fourfold).fen(),
        seats: BySide { white: seat(white), black: seat(black) },
        created_at: at(0),
    }
}

fn glicko2() -> manifold_glicko2::Config {
    manifold_glicko2::Config::default()
}

fn command_id(n: usize) -> CommandId {
    CommandId::try_from(format!("c-{n}")).expect("a good id")
}

/// The first two moves of a game.
fn moves() -> Vec<Logged> {
    [(Color::White, "d1@00d1@11"), (Color::Black, "b3@01b2@01")]
        .into_iter()
        .enumerate()
        .map(|(ply, (by, turn))| Logged {
            seq: ply as u64 + 1,
            at: at(ply as i64 + 1),
            event: Event::Move {
                by,
                id: command_id(ply),
                ply,
                turn: turn.to_owned(),
                spent_ms: 1000,
                remaining_ms: Some(180_000),
            },
        })
        .collect()
}

const WHITE_WINS: GameEnd =
    GameEnd { outcome: Outcome::Win(Color::White), termination: Termination::Resignation };

/// The end of a game after [`moves`].
fn ending(setup: &GameSetup) -> GameWrite {
    let ended_at = at(60);
    let event = Event::Ended {
        outcome: WHITE_WINS.outcome,
        termination: WHITE_WINS.termination,
        cause: None,
    };
    let rated = RatedResult {
        game: setup.id,
        variant: setup.variant,
        speed: setup.time.speed(),
        players: BySide { white: setup.seats.white.player.id, black: setup.seats.black.player.id },
        outcome: WHITE_WINS.outcome,
        ended_at,
    };
    GameWrite {
        game: setup.id,
        events: vec![Logged { seq: 3, at: ended_at, event }],
        finish: Some(Finish { end: WHITE_WINS, ended_at, plies: 2, rated: Some(rated) }),
    }
}

/// A journal and its task.
fn journal(store: &Store) -> Journal {
    let (journal, task) = Journal::new(store.clone(), glicko2());
    tokio::spawn(task);
    journal
}

async fn begun_game(store: &Store, journal: &Journal, white: &Player, black: &Player) -> GameSetup {
    let setup = setup(white, black);
    store.create_game(&setup).await.expect("the game is stored");
    let write = GameWrite { game: setup.id, events: moves(), finish: None };
    journal.append(write).await.expect("the moves are stored");
    setup
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_taken_once_whatever_its_case_and_however_many_ask() {
    on_both(async |store| {
        let tries = (0..20).map(|n| {
            let store = store.clone();
            let name =
                AccountName::parse(if n % 2 == 0 { "Ada" } else { "aDA" }).expect("a good name");
            tokio::spawn(async move {
                store.create_account(PlayerId::new(), &name, "hash", &session()).await
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
        let guest =
            store.create_guest(PlayerId::new(), "Guest 222222", &session()).await.expect("created");
        let name = AccountName::parse("carl").expect("a good name");
        let player = store
            .promote_guest(guest.id, &name, "hash", &session())
            .await
            .expect("stored")
            .expect("a guest");
        assert_eq!(
            (player.id, player.kind, &*player.name),
            (guest.id, PlayerKind::Account, "carl")
        );
        assert!(
            store
                .promote_guest(guest.id, &name, "hash", &session())
                .await
                .expect("stored")
                .is_none(),
            "only once"
        );
        let taken =
            store.create_guest(PlayerId::new(), "Guest 333333", &session()).await.expect("created");
        let error = store
            .promote_guest(taken.id, &name, "hash", &session())
            .await
            .expect_err("the name is taken");
        assert!(is_name_taken(&error), "{error}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_when_it_expires_or_is_deleted() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        store.create_session(&session_of([1; 32], at(100)), ada.id).await.expect("stored");
        let found = async |token, now| {
            store.session(token, now).await.expect("readable").map(|(player, _)| player.id)
        };
        assert_eq!(found([1; 32], at(99)).await, Some(ada.id));
        assert_eq!(found([1; 32], at(100)).await, None);
        assert_eq!(found([2; 32], at(0)).await, None);
        store.extend_session([1; 32], at(200)).await.expect("stored");
        assert_eq!(found([1; 32], at(150)).await, Some(ada.id));
        store.delete_session([1; 32]).await.expect("stored");
        assert_eq!(found([1; 32], at(0)).await, None);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn prune_forgets_only_what_nobody_can_find() {
    on_both(async |store| {
        let ada = account(store, "ada").await;
        let lost =
            store.create_guest(PlayerId::new(), "Guest 222222", &session()).await.expect("created");
        let here =
            store.create_guest(PlayerId::new(), "Guest 333333", &session()).await.expect("created");
        let played =
            store.create_guest(PlayerId::new(), "Guest 444444", &session()).await.expect("created");
        store.create_session(&session_of([1; 32], at(100)), lost.id).await.expect("stored");
        store.create_session(&session_of([2; 32], at(90_000)), here.id).await.expect("stored");
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

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_told_again_from_its_journal() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let journal = journal(store);
        let setup = begun_game(store, &journal, &ada, &bob).await;
        let state = store.game(setup.id, first_move_ms).await.expect("readable").expect("there");
        assert_eq!(state.log(), moves());
        assert_eq!(
            state.game().fen(),
            "4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/p1pp/1p2/4|kbnr/pppp/4/3Q w 0 2"
        );
        let live = store.clocked_games(first_move_ms).await.expect("readable");
        assert_eq!(live.iter().map(|state| state.setup().id).collect::<Vec<_>>(), [setup.id]);
        assert_eq!(live[0].log(), moves());
        assert!(store.game(GameId::new(), first_move_ms).await.expect("readable").is_none());
    })
    .await;
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
        let state = store.game(setup.id, first_move_ms).await.expect("readable").expect("there");
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
        let unknown = GameWrite { game: GameId::new(), events: moves(), finish: None };
        let fine = GameWrite { game: good.id, events: moves(), finish: None };
        let ((unknown, fine), _) = tokio::join!(
            async move { tokio::join!(journal.append(unknown), journal.append(fine)) },
            task
        );
        assert!(matches!(unknown, Err(StoreError::Constraint(_))), "{unknown:?}");
        assert!(fine.is_ok());
        assert_eq!(
            store.game(good.id, first_move_ms).await.expect("readable").expect("there").seq(),
            2
        );
    })
    .await;
}

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

#[tokio::test(flavor = "multi_thread")]
async fn case_18_fifty_writers_do_not_lock_each_other_out() {
    on_both(async |store| {
        let (ada, bob) = (account(store, "ada").await, account(store, "bob").await);
        let tries = (0..50).map(|_| {
            let (store, setup) = (store.clone(), setup(&ada, &bob));
            tokio::spawn(async move { store.create_game(&setup).await })
        });
        for task in tries.collect::<Vec<_>>() {
            task.await.expect("no panic").expect("written");
        }
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
async fn the_last_heartbeat_is_kept() {
    on_both(async |store| {
        assert_eq!(store.last_beat().await.expect("readable"), None);
        store.beat(at(1)).await.expect("stored");
        store.beat(at(2)).await.expect("stored");
        assert_eq!(store.last_beat().await.expect("readable"), Some(at(2)));
        assert!(store.is_ready().await);
    })
    .await;
}

/// A full disk makes SQLite roll back by itself, which sqlx does not notice.
#[tokio::test(flavor = "multi_thread")]
async fn after_a_full_disk_sqlite_can_be_written_again() {
    let database = TestDb::sqlite().await;
    let store = &database.store;
    let Db::Lite(writer) = &store.write else { panic!("this is SQLite") };
    // No page more than there are: for this connection the disk is full.
    sqlx::query("PRAGMA max_page_count = 1").execute(writer).await.expect("a pragma");
    let guest = async |n: usize| {
        store.create_guest(PlayerId::new(), &format!("Guest {n:06}"), &session()).await
    };
    let mut written = 0;
    let error = loop {
        match guest(written).await {
            Ok(_) => written += 1,
            Err(error) => break error,
        }
        assert!(written < 10_000, "the disk is never full");
    };
    assert!(error.to_string().contains("full"), "{error}");
    guest(10_001).await.expect("there is room again for a new connection");
    database.drop_it().await;
}
