//! Every test here runs on SQLite, and on Postgres where `MANIFOLD_TEST_POSTGRES` names a server (`cargo xtask test`
//! starts one). Each makes a database of its own.

mod bots;
mod challenges;
mod games;
mod journal;
mod players;
mod seeks;
mod sessions;
mod tenancy;
mod unsure;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use manifold_rules::{Color, Game, GameEnd, Outcome, Termination, Variant};
use sqlx::{Connection as _, PgConnection};
use uuid::Uuid;

use super::games::{GameStatus, StoredGame};
use super::journal::{Finish, GameWrite, Journal};
use super::players::is_name_taken;
use super::ratings::RatedResult;
use super::*;
use crate::game::clock::{BySide, DAY_MS, Days, Fischer, TimeControl};
use crate::game::event::{Event, Logged};
use crate::game::state::{GameSetup, Seat};
use crate::ids::{ChallengeId, CommandId, GameId, PlayerId, SessionId};
use crate::lobby::challenge::{Challenge, ChallengeStatus, SeatChoice};
use crate::metrics::{self, Gauges, Metrics};
use crate::player::{AccountName, Player, PlayerKind};
use crate::session::{NewSession, SessionKind, Shown, TokenHash};
use crate::time::Timestamp;

/// How many connections a test's store has, on SQLite for reading.
const CONNECTIONS: u32 = 4;
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
    let shown = Shown { kind: SessionKind::Browser, token };
    NewSession {
        id: SessionId::new(),
        shown,
        name: "Unknown".to_owned(),
        begins_at: at(0),
        expires_at,
    }
}

fn first_move_ms(time: TimeControl) -> i64 {
    time.days().map_or(20_000, Days::ms)
}

/// A database of a test's own, gone with it.
pub(crate) struct TestDb {
    pub(crate) store: Store,
    folder: Option<PathBuf>,
    postgres: Option<(String, String)>,
}

impl TestDb {
    pub(crate) async fn sqlite() -> Self {
        let folder = std::env::temp_dir().join(format!("manifold-store-{}", Uuid::new_v4()));
        let store = open(&format!("sqlite:{}", folder.join("test.db").display())).await;
        Self { store, folder: Some(folder), postgres: None }
    }

    async fn postgres(server: String) -> Self {
        let name = format!("store_{}", Uuid::new_v4().simple());
        run_sql(&server, format!("CREATE DATABASE {name}")).await;
        let store = open(&Self::url(&server, &name)).await;
        Self { store, folder: None, postgres: Some((server, name)) }
    }

    /// Of another database in the same Postgres.
    fn url(server: &str, name: &str) -> String {
        let (address, options) = server.split_once('?').map_or((server, ""), |(a, o)| (a, o));
        let base = address.rsplit_once('/').expect("a url with a database").0;
        format!("{base}/{name}?{options}")
    }

    pub(crate) async fn drop_it(self) {
        self.store.close().await;
        if let Some(folder) = self.folder {
            std::fs::remove_dir_all(folder).expect("the folder is there");
        }
        if let Some((server, name)) = self.postgres {
            run_sql(&server, format!("DROP DATABASE {name} WITH (FORCE)")).await;
        }
    }
}

fn config(url: &str) -> StoreConfig {
    StoreConfig {
        url: url.to_owned(),
        max_connections: CONNECTIONS,
        timeout: Duration::from_secs(20),
        tenant: None,
    }
}

async fn open(url: &str) -> Store {
    Store::open(&config(url)).await.expect("the database opens")
}

async fn run_sql(server: &str, sql: String) {
    let mut connection = PgConnection::connect(server).await.expect("the server is there");
    sqlx::query(sqlx::AssertSqlSafe(sql))
        .execute(&mut connection)
        .await
        .expect("the statement runs");
}

/// Runs a story on each database.
pub(crate) async fn on_both(story: impl AsyncFn(&Store)) {
    let mut databases = vec![TestDb::sqlite().await];
    if let Ok(server) = std::env::var("MANIFOLD_TEST_POSTGRES") {
        databases.push(TestDb::postgres(server).await);
    }
    for database in databases {
        story(&database.store).await;
        database.drop_it().await;
    }
}

pub(crate) async fn account(store: &Store, name: &str) -> Player {
    let name = AccountName::parse(name).expect("a good name");
    store
        .create_account(PlayerId::new(), &name, "hash", &session(), None)
        .await
        .expect("the name is free")
}

pub(crate) fn setup(white: &Player, black: &Player) -> GameSetup {
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
        series: None,
    }
}

/// A game of three days per move, stored.
async fn slow_game(store: &Store, white: &Player, black: &Player) -> GameSetup {
    let days = Days::new(3).expect("three are fine");
    let slow = GameSetup {
        time: TimeControl::Correspondence(days),
        first_move_ms: days.ms(),
        ..setup(white, black)
    };
    store.create_game(&slow).await.expect("the game is stored");
    slow
}

pub(crate) async fn stored(store: &Store, game: GameId) -> StoredGame {
    store.game(game, first_move_ms).await.expect("readable").expect("there")
}

pub(crate) fn glicko2() -> manifold_glicko2::Config {
    manifold_glicko2::Config::default()
}

fn command_id(n: usize) -> CommandId {
    CommandId::try_from(format!("c-{n}")).expect("a good id")
}

/// Spoils all events of a game, as a hand in the database could.
pub(crate) async fn damage(store: &Store, game: GameId) {
    let spoiled = on_db!(&store.write, |p, D| sqlx::query(
        "UPDATE game_events SET body = '{' WHERE game_id = $1"
    )
    .bind(game)
    .execute(p)
    .await
    .map(|done| done.rows_affected()));
    assert_ne!(spoiled.expect("the table is there"), 0);
}

/// All connections that read: whoever reads waits until they are dropped.
pub(crate) async fn hold_readers(store: &Store) -> impl Sized {
    let (mut pg, mut lite) = (Vec::new(), Vec::new());
    for _ in 0..CONNECTIONS {
        match &store.read {
            Db::Pg(pool) => pg.push(pool.acquire().await.expect("a connection")),
            Db::Lite(pool) => lite.push(pool.acquire().await.expect("a connection")),
        }
    }
    (pg, lite)
}

/// All connections that write: whoever writes waits until they are dropped.
pub(crate) async fn hold_writers(store: &Store) -> impl Sized {
    match &store.write {
        Db::Pg(_) => (Some(hold_readers(store).await), None),
        Db::Lite(pool) => (None, Some(pool.acquire().await.expect("a connection"))),
    }
}

/// From now on nothing is read from a SQLite database; what is written has a connection of its own.
pub(crate) fn close_readers(store: &Store) {
    match &store.read {
        // It is closed when this returns; only its connections would be waited for.
        Db::Lite(pool) => drop(pool.close()),
        Db::Pg(_) => panic!("Postgres has one pool for both"),
    }
}

/// How often the store has counted `line`, a figure and its labels.
pub(crate) fn counted(store: &Store, line: &str) -> Option<u64> {
    let page = metrics::page(&Metrics::default(), &store.metrics, Gauges::default());
    page.lines().find_map(|found| found.strip_prefix(line)?.trim().parse().ok())
}

/// The first two moves of a game.
pub(crate) fn moves() -> Vec<Logged> {
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
                compensated_ms: 0,
                remaining_ms: Some(180_000),
            },
        })
        .collect()
}

/// What no database takes: each of them has its number already.
pub(crate) fn repeated_moves() -> Vec<Logged> {
    [moves(), moves()].concat()
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
        sleeps_until: None,
        next: None,
    }
}

/// A journal and its task.
pub(crate) fn journal(store: &Store) -> Journal {
    let (journal, task) = Journal::new(store.clone(), glicko2());
    tokio::spawn(task);
    journal
}

pub(crate) async fn begun_game(
    store: &Store,
    journal: &Journal,
    white: &Player,
    black: &Player,
) -> GameSetup {
    let setup = setup(white, black);
    store.create_game(&setup).await.expect("the game is stored");
    let write =
        GameWrite { game: setup.id, events: moves(), finish: None, sleeps_until: None, next: None };
    journal.append(write).await.expect("the moves are stored");
    setup
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

/// What time does not mend must not be told as if it did.
#[tokio::test(flavor = "multi_thread")]
async fn only_what_may_pass_is_told_as_passing() {
    on_both(async |store| {
        let run = async |sql: &'static str| {
            let done = store.within(async {
                on_db!(&store.write, |p, D| sqlx::query(sql).execute(p).await.map(drop))?;
                Ok(())
            });
            done.await.expect_err(sql)
        };
        for wrong in ["SELEC 1", "SELECT x FROM heartbeat", "SELECT * FROM nowhere"] {
            let error = run(wrong).await;
            assert!(matches!(error, StoreError::Damaged(_)), "{wrong}: {error:?}");
        }
        let null = "INSERT INTO heartbeat (id, at) VALUES (1, NULL)";
        let error = run(null).await;
        assert!(matches!(error, StoreError::Constraint(_)), "{null}: {error:?}");
        let text: Result<(i64,), _> = store
            .within(async {
                Ok(on_db!(&store.read, |p, D| sqlx::query_as("SELECT 'x'").fetch_one(p).await)?)
            })
            .await;
        assert!(matches!(text, Err(StoreError::Damaged(_))), "{text:?}");
        store.fence.check().expect("it is open");
        store.close().await;
        let gone = store.last_beat().await;
        assert!(matches!(gone, Err(StoreError::Unavailable(_))), "{gone:?}");
    })
    .await;
}

#[test]
fn codes_of_what_passes() {
    // Postgres: shut down, not accepting connections, disk full, a lost race; SQLite: busy, its snapshot's kind, full.
    for code in ["57P01", "55000", "53100", "40001", "08006", "25006", "5", "517", "13", "10"] {
        assert!(may_pass(code), "{code}");
    }
    for code in ["42601", "22P02", "XX000", "1", "11", "20", "26", ""] {
        assert!(!may_pass(code), "{code}");
    }
}
