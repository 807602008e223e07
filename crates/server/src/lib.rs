//! The server of Manifold: chess in four dimensions, online.
//!
//! Read it as one move's way: `ws` reads a message, the game's own task (`game`) decides, the rules say what is
//! legal, the journal (`store`) commits, and everyone who watches is told. `lobby` is where games begin, `http`
//! everything that is not a socket. ARCHITECTURE.md walks one move through all of it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::assets::Assets;
use crate::blocks::Blocks;
use crate::computer::Computer;
use crate::computer::thinkers::Thinkers;
use crate::config::Config;
use crate::game::registry::Registry;
use crate::game::retold::Retold;
use crate::game::sleepers::Sleepers;
use crate::limits::Limits;
use crate::lobby::pool::Window;
use crate::lobby::seating::Seating;
use crate::metrics::Metrics;
use crate::password::Passwords;
use crate::serve::Bounds;
use crate::state::{App, AppState, Sockets};
use crate::store::journal::Journal;
use crate::store::tenancy::{Ended, Tenancy};
use crate::store::{Store, StoreConfig};
use crate::time::Clock;

pub mod admin;
mod assets;
mod blocks;
mod computer;
pub mod config;
mod counts;
mod decode;
mod error;
mod game;
mod http;
mod ids;
mod limits;
mod lobby;
mod metrics;
#[cfg(test)]
mod ordeal;
mod outbox;
mod password;
mod pgn;
mod player;
mod puzzles;
mod serve;
mod session;
mod state;
mod store;
mod terms;
mod time;
mod wire;
mod ws;

/// How often the database is told that the server lives, while games are under way: so much of a clock's time may be
/// given back too generously after a crash.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// The same while all games under way sleep, which have days.
const SLOW_HEARTBEAT: Duration = Duration::from_secs(60);
/// How often what nobody needs any more is forgotten.
const HOUSEKEEPING: Duration = Duration::from_secs(600);
/// How long the database may take to close at the end of a stop, if nothing is left of its time.
const CLOSING: Duration = Duration::from_secs(1);

/// Connects to the database and brings its schema up to date. It must be ours alone.
async fn open_store(config: &StoreConfig) -> anyhow::Result<Store> {
    Store::open(config).await.context("database")
}

fn store_config(config: &Config) -> StoreConfig {
    StoreConfig {
        url: config.database.url.clone(),
        max_connections: config.database.max_connections,
        timeout: Duration::from_millis(config.database.timeout_ms),
        tenant: None,
    }
}

/// Serves until `shutdown` fires, and then leaves in order: no acknowledged move is lost either way. Calls `ready` once
/// everything is there.
pub async fn run(
    config: Config,
    listener: TcpListener,
    shutdown: CancellationToken,
    ready: impl FnOnce(),
) -> anyhow::Result<()> {
    let clock = Clock::system();
    let mut store_config = store_config(&config);
    let mut tenancy = Tenancy::take(&store_config).await?;
    store_config.tenant = Some(tenancy.tenant);
    let store = open_store(&store_config).await?;
    tenancy.begin(clock.now()).await?;
    store.begin_tenancy();
    let left = CancellationToken::new();
    let tenancy = tenancy.keep(store.fence.clone(), left.clone());
    let tenancy = tokio::spawn(stay(tenancy, shutdown.clone()));
    let glicko2 = config.rating.glicko2()?;
    let (journal, journal_task) = Journal::new(store.clone(), glicko2);
    let journal_task = tokio::spawn(journal_task);
    store.seed_computers(clock.now()).await.context("computers")?;
    let (thinkers, threads) =
        Thinkers::start(config.computer.threads, config.computer.analysis_queue)?;
    let computer = Computer::new(thinkers, clock, config.computer.clone());
    let registry = Registry::new(
        store.clone(),
        journal.clone(),
        clock,
        config.game.clone(),
        glicko2,
        computer.clone(),
    );
    let away_since = store.last_beat().await.context("heartbeat")?;
    let games = registry.bring_back(away_since).await.context("games under way")?;
    store.give_back_downtime(clock.now()).await.context("sleeping games")?;
    let sleepers = Sleepers::new(registry.clone());
    let wakes = tokio::spawn(sleepers.clone().run(shutdown.clone()));
    tracing::info!(games, "brought back");

    let window = Window { start: config.pool.window, per_second: config.pool.window_per_second };
    let blocks = Blocks::new(store.clone());
    let seating = Seating {
        store: store.clone(),
        registry: registry.clone(),
        glicko2,
        blocks: blocks.clone(),
    };
    let (lobby, lobby_task) = lobby::actor::new(seating, window).await.context("seeks")?;
    let lobby_task = tokio::spawn(lobby_task);

    let app: AppState = Arc::new(App {
        variants: config.variants()?,
        pools: config.pools()?,
        clock,
        store: store.clone(),
        glicko2,
        registry: registry.clone(),
        computer,
        lobby,
        blocks,
        assets: Assets::new(&config.server.static_dir),
        retold: Retold::default(),
        passwords: Passwords::new(config.limits.password_workers, config.limits.password_queue),
        limits: Limits::new(&config.limits),
        sockets: Sockets::new(shutdown.clone()),
        connections: TaskTracker::new(),
        journal,
        metrics: Metrics::default(),
        trusted_proxies: config.server.trusted_proxies()?,
        stop: shutdown.clone(),
        config,
    });
    let heartbeat = tokio::spawn(heartbeat(Arc::clone(&app), sleepers));
    let housekeeping = tokio::spawn(housekeeping(Arc::clone(&app)));

    let bounds = app.config.server.bounds()?;
    let router = http::router(Arc::clone(&app));
    let connections = app.connections.clone();
    let figures = match app.config.metrics.address()? {
        Some(address) => Some(tell_figures(Arc::clone(&app), address).await?),
        None => None,
    };
    let served =
        tokio::spawn(serve::serve(listener, router, bounds, connections, shutdown.clone()));
    ready();
    shutdown.cancelled().await;

    // From here on nobody can play, and no clock is charged: the games stop first, and what they had under way is
    // committed. Then the last sign of life says when that was.
    let stopped_at = clock.now();
    let deadline = Instant::now() + app.config.server.shutdown();
    join_until(deadline, "sleeping games", wakes).await?;
    if tokio::time::timeout_at(deadline, registry.stop()).await.is_err() {
        tracing::warn!("some games did not stop in time");
    }
    join_until(deadline, "heartbeat", heartbeat).await?;
    match tokio::time::timeout_at(deadline, store.beat(stopped_at)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::error!(%error, "the last heartbeat was not written"),
        Err(_) => tracing::error!("the last heartbeat was not written in time"),
    }
    // Requests that wait for advice are answered now.
    threads.stop();
    app.sockets.tasks.close();
    if tokio::time::timeout_at(deadline, app.sockets.tasks.wait()).await.is_err() {
        tracing::warn!("some sockets did not close in time");
    }
    join_until(deadline, "housekeeping", housekeeping).await?;
    // Requests that do not end are not waited for.
    join_until(deadline, "serving", served).await?;
    if let Some(figures) = figures {
        join_until(deadline, "figures", figures).await?;
    }
    // With the last handles gone, the lobby and the journal empty their mailboxes and end. A request that does not end
    // still holds some: no game's task is left that could have anything committed, so it is not waited for.
    drop((app, registry));
    join_until(deadline, "lobby", lobby_task).await?;
    join_until(deadline, "journal", journal_task).await?;
    if tokio::time::timeout_at(deadline, threads.ended()).await.is_err() {
        tracing::warn!("a search did not end in time");
    }
    // Also where a client has used up all the time: it must not keep the database from being left in order.
    let closed_by = deadline.max(Instant::now() + CLOSING);
    if tokio::time::timeout_at(closed_by, store.close()).await.is_err() {
        tracing::warn!("the database was not closed in time");
    }
    left.cancel();
    match tenancy.await.context("tenancy")? {
        Ended::Left => Ok(()),
        Ended::Evicted => {
            bail!("another server has taken the database; one database has one server")
        }
    }
}

/// Looks after the hold on the database. Without it the server stops.
async fn stay(tenancy: impl Future<Output = Ended>, shutdown: CancellationToken) -> Ended {
    let ended = tenancy.await;
    if ended == Ended::Evicted {
        shutdown.cancel();
    }
    ended
}

/// Waits for a task that is about to end, but not longer than until `deadline`.
async fn join_until(
    deadline: Instant,
    name: &'static str,
    task: JoinHandle<()>,
) -> anyhow::Result<()> {
    match tokio::time::timeout_at(deadline, task).await {
        Ok(ended) => ended.context(name),
        Err(_) => {
            tracing::warn!(name, "did not end in time");
            Ok(())
        }
    }
}

/// Tells figures on an address of their own until the server stops.
async fn tell_figures(app: AppState, address: SocketAddr) -> anyhow::Result<JoinHandle<()>> {
    let listener = TcpListener::bind(address)
        .await
        .with_context(|| format!("metrics.listen: cannot listen on {address}"))?;
    tracing::info!("figures on http://{}/metrics", listener.local_addr()?);
    let (bounds, stop) = (Bounds::for_figures(), app.stop.clone());
    let router = http::figures(app);
    Ok(tokio::spawn(serve::serve(listener, router, bounds, TaskTracker::new(), stop)))
}

async fn heartbeat(app: AppState, sleepers: Sleepers) {
    let mut every = tokio::time::interval(HEARTBEAT);
    let mut last: Option<Instant> = None;
    loop {
        tokio::select! {
            () = app.stop.cancelled() => return,
            _ = every.tick() => {}
        }
        // An idle server does not write, but once when it has started.
        let pause = if sleepers.any() { SLOW_HEARTBEAT } else { Duration::MAX };
        if app.registry.live_count() == 0 && last.is_some_and(|last| last.elapsed() < pause) {
            continue;
        }
        match app.store.beat(app.now()).await {
            Ok(()) => last = Some(Instant::now()),
            Err(error) => tracing::warn!(%error, "no heartbeat"),
        }
    }
}

async fn housekeeping(app: AppState) {
    let stop = app.stop.clone();
    // What is left undone is done after the next start.
    _ = stop.run_until_cancelled(keep_house(app)).await;
}

async fn keep_house(app: AppState) {
    let mut every = tokio::time::interval(HOUSEKEEPING);
    loop {
        every.tick().await;
        app.limits.prune();
        match app.registry.adopt_orphans().await {
            Ok(0) => {}
            Ok(games) => tracing::warn!(games, "adopted games without a task"),
            Err(error) => tracing::warn!(%error, "did not look for games without a task"),
        }
        match app.store.prune(app.now()).await {
            Ok(guests) => tracing::debug!(guests, "pruned"),
            Err(error) => tracing::warn!(%error, "not pruned"),
        }
    }
}
