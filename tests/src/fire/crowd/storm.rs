//! A storm: everyone who watches is dropped at once, and comes back at once with what it has seen.

use std::io;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::nuisance::{Scene, place, watch_frames};
use crate::PATIENCE;
use crate::raw::{RawSocket, number};

/// So many come in at a time before the storm: that alone is not to be one.
const AT_ONCE: usize = 50;

/// Somebody who watches a game.
pub(super) struct Watcher {
    index: usize,
    /// The last event that it was told.
    seen: u64,
    socket: RawSocket,
}

/// Lets so many watchers come in, a few at a time.
pub(super) async fn gather(scene: &Scene, count: usize) -> Result<Vec<Watcher>> {
    let mut watchers = Vec::with_capacity(count);
    for first in (0..count).step_by(AT_ONCE) {
        let (come, unserved, _) =
            arrive(scene, (first..count.min(first + AT_ONCE)).map(|index| (index, 0))).await;
        if unserved > 0 {
            bail!("{unserved} who came to watch were not shown anything");
        }
        watchers.extend(come);
    }
    Ok(watchers)
}

/// Storms until it is over; everyone who comes back is waited for.
pub(super) async fn rage(scene: Scene, mut watchers: Vec<Watcher>) {
    while !scene.is_over.load(Ordering::Relaxed) {
        // They watch for a while, as people do between two storms.
        let mut watching = JoinSet::new();
        let mut seen = Vec::with_capacity(watchers.len());
        for Watcher { index, seen: last, mut socket } in watchers {
            seen.push((index, last));
            watching.spawn(async move { socket.drain().await });
        }
        let early = timeout(Duration::from_millis(500), watching.join_next()).await;
        if matches!(early, Ok(Some(_))) {
            scene.tally.ended();
        }
        drop(watching);
        let (come, unserved, slowest) = arrive(&scene, seen.into_iter()).await;
        scene.tally.storm(unserved, slowest);
        watchers = come;
    }
}

/// All of them come at once. Who was served, how many were not, and how long the slowest had to wait.
async fn arrive(
    scene: &Scene,
    who: impl Iterator<Item = (usize, u64)>,
) -> (Vec<Watcher>, u64, Duration) {
    let begin = Instant::now();
    let mut coming = JoinSet::new();
    for (index, seen) in who {
        let scene = scene.clone();
        coming.spawn(async move {
            let watching = timeout(PATIENCE, watch(&scene, index, seen)).await;
            (watching.map_err(io::Error::from).flatten(), begin.elapsed())
        });
    }
    let (mut watchers, mut unserved, mut slowest) = (Vec::new(), 0, Duration::ZERO);
    for (watcher, took) in coming.join_all().await {
        match watcher {
            Ok(watcher) => {
                watchers.push(watcher);
                slowest = slowest.max(took);
            }
            Err(_) => unserved += 1,
        }
    }
    (watchers, unserved, slowest)
}

/// Comes, and is shown what it has missed.
async fn watch(scene: &Scene, index: usize, seen: u64) -> io::Result<Watcher> {
    let mut socket = RawSocket::open(&scene.origin, place(index), None).await?;
    scene.tally.line();
    let game = std::slice::from_ref(&scene.games[index % scene.games.len()]);
    socket.send(&watch_frames(game, seen)).await?;
    socket.answer(r#""t":"replay""#).await?;
    let heard = socket.hear(r#","events""#).await?;
    let seen = number(&heard, "seq").ok_or(io::ErrorKind::InvalidData)?;
    Ok(Watcher { index, seen, socket })
}
