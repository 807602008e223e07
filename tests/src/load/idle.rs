//! What a socket costs that only waits.

use anyhow::{Context as _, Result};
use futures_util::{StreamExt as _, TryStreamExt as _};

use super::server;
use crate::process::resident;
use crate::raw::{Place, RawSocket, text_frame};
use crate::{Database, Server};

/// So many are opened at once.
const AT_ONCE: usize = 32;

/// Resident memory of the server, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Idle {
    /// With everyone logged in who will be, and no socket open.
    pub base: u64,
    /// For each socket without a session.
    pub stranger: f64,
    /// For each socket with a session of its own.
    pub guest: f64,
}

/// Opens so many sockets, the one half without and the other with a session.
///
/// # Errors
/// If one is refused, or where memory cannot be measured.
pub async fn measure(database: Database, sockets: usize) -> Result<Idle> {
    let mut server = server(database).await;
    let half = sockets / 2;
    let guests = futures_util::stream::iter((0..half).map(|_| async {
        let client = server.client();
        client.be_guest().await;
        let cookie = client.cookie().context("a guest has a cookie")?;
        Ok::<_, anyhow::Error>(Some(cookie.to_str()?.to_owned()))
    }));
    let guests: Vec<_> = guests.buffer_unordered(AT_ONCE).try_collect().await?;
    // What the database's connections keep when sessions are looked up is theirs, and not the sockets'.
    for some in guests.chunks(AT_ONCE) {
        drop(open(&server, some.to_vec()).await?);
    }
    // What the first socket brings into being is not a socket's.
    drop(open(&server, vec![guests[0].clone(), None]).await?);
    let weigh = || resident(server.pid()).context("memory is measured on Linux alone");
    let base = weigh()?;
    let strangers = open(&server, vec![None; half]).await?;
    let with_strangers = weigh()?;
    let others = open(&server, guests).await?;
    let with_guests = weigh()?;
    drop((strangers, others));
    server.stop().await;
    let each = |more: u64, less: u64| (more as f64 - less as f64) / half as f64;
    Ok(Idle {
        base,
        stranger: each(with_strangers, base),
        guest: each(with_guests, with_strangers),
    })
}

/// Sockets that have asked something and been answered.
async fn open(server: &Server, cookies: Vec<Option<String>>) -> Result<Vec<RawSocket>> {
    let origin = server.origin();
    let ping = text_frame(r#"{"t":"ping","id":"p"}"#);
    let opening = futures_util::stream::iter(cookies.into_iter().map(|cookie| {
        let (origin, ping) = (&origin, &ping);
        async move {
            let mut socket = RawSocket::open(origin, Place(1), cookie.as_deref()).await?;
            socket.send(ping).await?;
            socket.answer(r#""t":"pong""#).await?;
            Ok(socket)
        }
    }));
    opening.buffer_unordered(AT_ONCE).try_collect().await
}
