//! Those who do things wrong, each over and over until they are dropped. They come from addresses of their own, as the
//! bounds for one address are not the players'.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Result;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use super::{Nuisance, Plan, Tally, Trouble, storm};
use crate::raw::{Place, RawSocket, authority, dial, frame, text_frame};

/// Before somebody comes again.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a line is held that nobody closes.
const HELD: Duration = Duration::from_secs(3);
/// How many games a socket may watch.
const MOST_WATCHED: usize = 16;

/// Where the trouble is made.
#[derive(Clone)]
pub(super) struct Scene {
    pub origin: String,
    pub games: Vec<String>,
    pub tally: Arc<Tally>,
    /// Whoever is in the middle of something that is counted finishes it.
    pub is_over: Arc<AtomicBool>,
}

/// Lets them loose on that runtime.
pub(super) async fn begin(
    nuisance: Nuisance,
    plan: Plan,
    scene: Scene,
    runtime: &Handle,
) -> Result<Trouble> {
    let mut trouble = Trouble::new();
    let count = match nuisance {
        Nuisance::Stalled => plan.stalled,
        Nuisance::Flooders => plan.flooders,
        Nuisance::Garbage => plan.garbage,
        Nuisance::HalfClosed => plan.half_closed,
        Nuisance::Storm => {
            let gathering = scene.clone();
            let gathering =
                runtime.spawn(async move { storm::gather(&gathering, plan.storm).await });
            trouble.spawn_on(storm::rage(scene, gathering.await??), runtime);
            return Ok(trouble);
        }
    };
    for index in 0..count {
        trouble.spawn_on(annoy(nuisance, scene.clone(), index), runtime);
    }
    Ok(trouble)
}

/// An address for the troublemaker with this number; the first is the players'.
pub(super) fn place(index: usize) -> Place {
    Place(2 + (index % 32) as u8)
}

async fn annoy(nuisance: Nuisance, scene: Scene, index: usize) {
    for round in 0.. {
        let place = place(index);
        let done = match nuisance {
            Nuisance::Stalled => stall(&scene, place).await,
            Nuisance::Flooders => flood(&scene, place).await,
            Nuisance::Garbage => litter(&scene, place, index + round).await,
            Nuisance::HalfClosed => half_close(&scene, place, index + round).await,
            Nuisance::Storm => return,
        };
        // Refused, reset or closed: whichever the server likes.
        if done.is_err() {
            scene.tally.ended();
        }
        sleep(PAUSE).await;
    }
}

/// Asks for games from their beginning.
pub(super) fn watch_frames(games: &[String], seen: u64) -> Vec<u8> {
    let watch = |(index, game): (usize, &String)| {
        text_frame(
            &json!({"t": "watch", "id": format!("w-{index}"), "game": game, "seen": seen})
                .to_string(),
        )
    };
    games.iter().take(MOST_WATCHED).enumerate().flat_map(watch).collect()
}

/// Watches as many games as it may, and reads nothing of what it is told.
async fn stall(scene: &Scene, place: Place) -> io::Result<()> {
    // As little as the system allows: it fills the sooner.
    let stream = dial(&scene.origin, place, Some(2048)).await?;
    let mut socket = RawSocket::upgrade(stream, &scene.origin, None).await?;
    scene.tally.line();
    let again = watch_frames(&scene.games, 0);
    let begin = tokio::time::Instant::now();
    while begin.elapsed() < HELD {
        // The answers alone are more than it takes.
        socket.send(&again).await?;
        sleep(Duration::from_secs(1)).await;
    }
    Ok(())
}

/// Commands and questions, as fast as they are taken.
async fn flood(scene: &Scene, place: Place) -> io::Result<()> {
    let mut socket = RawSocket::open(&scene.origin, place, None).await?;
    scene.tally.line();
    let mut frames = Vec::new();
    for (index, game) in scene.games.iter().cycle().take(100).enumerate() {
        let message = match index % 4 {
            0 => json!({"t": "ping", "id": "p"}),
            1 => json!({"t": "watch", "id": "w", "game": game}),
            2 => json!({"t": "legal", "id": "l", "game": game, "ply": index, "turn": ""}),
            _ => json!({"t": "move", "id": "m", "game": game, "ply": index, "move": "a1@00a1@01"}),
        };
        frames.extend(text_frame(&message.to_string()));
    }
    let (mut reader, mut writer) = socket.stream.split();
    let reading = async {
        let mut heard = vec![0; 16 * 1024];
        while reader.read(&mut heard).await? > 0 {}
        Err(io::ErrorKind::ConnectionReset.into())
    };
    let writing = async {
        loop {
            writer.write_all(&frames).await?;
        }
    };
    tokio::select! {
        ended = reading => ended,
        ended = writing => ended,
    }
}

/// What is no message, or no request, or only half of one.
async fn litter(scene: &Scene, place: Place, kind: usize) -> io::Result<()> {
    let host = authority(&scene.origin);
    let long = format!(r#"{{"t":"ping","id":"p","padding":"{}"}}"#, "x".repeat(9_000));
    let request: Vec<u8> = match kind % 9 {
        0 => return on_socket(scene, place, &frame(0x82, b"\x00\xff\x00\xff")).await,
        1 => return on_socket(scene, place, &text_frame(r#"{"t":"move","id":"#)).await,
        2 => return on_socket(scene, place, &text_frame(&long)).await,
        // A frame that says that it is as long as can be.
        3 => {
            let endless = [0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];
            return on_socket(scene, place, &endless).await;
        }
        // Not masked, and with bits that nobody has agreed on.
        4 => return on_socket(scene, place, &[0xf1, 0x02, b'{', b'}']).await,
        5 => return on_socket(scene, place, &frame(0x81, &[0xc3, 0x28, 0xa0, 0xa1])).await,
        6 => format!("GET / HTTP/1.1\r\nHost: {host}\r\nX-Half: ").into_bytes(),
        7 => return slow_head(scene, place).await,
        // As a browser begins when it believes that this is TLS.
        _ => vec![0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03, 0x00],
    };
    let mut stream = dial(&scene.origin, place, None).await?;
    scene.tally.line();
    stream.write_all(&request).await?;
    hold(&mut stream).await
}

/// Sends something on a socket that is well otherwise.
async fn on_socket(scene: &Scene, place: Place, bytes: &[u8]) -> io::Result<()> {
    let mut socket = RawSocket::open(&scene.origin, place, None).await?;
    scene.tally.line();
    for _ in 0..20 {
        socket.send(bytes).await?;
    }
    timeout(HELD, socket.drain())
        .await
        .map_or(Ok(()), |()| Err(io::ErrorKind::ConnectionReset.into()))
}

/// A request of which now and then comes a byte.
async fn slow_head(scene: &Scene, place: Place) -> io::Result<()> {
    let mut stream = dial(&scene.origin, place, None).await?;
    scene.tally.line();
    for byte in b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: " {
        stream.write_all(&[*byte]).await?;
        sleep(PAUSE).await;
    }
    hold(&mut stream).await
}

/// Closes one direction, with something asked or in the middle of it, and stays.
async fn half_close(scene: &Scene, place: Place, kind: usize) -> io::Result<()> {
    let mut stream = if kind.is_multiple_of(2) {
        let mut socket = RawSocket::open(&scene.origin, place, None).await?;
        socket.send(&watch_frames(&scene.games, 0)).await?;
        socket.stream
    } else {
        let mut stream = dial(&scene.origin, place, None).await?;
        let host = authority(&scene.origin);
        stream.write_all(format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n").as_bytes()).await?;
        stream
    };
    scene.tally.line();
    stream.shutdown().await?;
    hold(&mut stream).await
}

/// Reads until the server closes the line, but not for ever.
async fn hold(stream: &mut tokio::net::TcpStream) -> io::Result<()> {
    let mut heard = vec![0; 4096];
    let reading = async {
        while stream.read(&mut heard).await? > 0 {}
        Err(io::ErrorKind::ConnectionReset.into())
    };
    timeout(HELD, reading).await.unwrap_or(Ok(()))
}
