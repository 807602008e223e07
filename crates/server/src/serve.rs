//! Taking connections: `axum::serve` with bounds. A client that does not finish what it asks, or does not read what it is
//! answered, is not waited for; and neither are there more connections than the server can hold, nor more of one address
//! than leave room for the others.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use ipnet::IpNet;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

use crate::counts::{count_down, count_up};

/// So many may wait to be taken, where the system allows it: whoever finds no room among them tries again after a second, then
/// three, seven and fifteen.
const BACKLOG: i32 = 4096;

/// Before the next try, when no connection could be taken: there are no more file descriptors, and one has to end.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a client may leave what it was sent without taking it.
#[cfg(target_os = "linux")]
const UNREAD: Duration = Duration::from_secs(30);

/// What connections may cost.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Requests under way and idle connections; sockets have a bound of their own. The rest waits to be taken.
    pub connections: usize,
    /// Of these, from one address; more are closed at once.
    pub per_address: usize,
    /// Proxies, whose connections are many people's.
    pub trusted_proxies: Vec<IpNet>,
    /// For the head of a request, from the first moment on or since the answer before.
    pub head: Duration,
}

impl Bounds {
    /// For those who read figures: a few, who are known.
    pub const fn for_figures() -> Self {
        const FEW: usize = 16;
        let head = Duration::from_secs(15);
        Self { connections: FEW, per_address: FEW, trusted_proxies: Vec::new(), head }
    }
}

/// Serves until `stop` fires; then takes no more connections and waits for the requests under way, which are in
/// `connections`.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    bounds: Bounds,
    connections: TaskTracker,
    stop: CancellationToken,
) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(bounds.head);
    if let Err(error) = socket2::SockRef::from(&listener).listen(BACKLOG) {
        tracing::warn!(%error, "fewer connections may wait to be taken");
    }
    let places = Arc::new(Semaphore::new(bounds.connections));
    let addresses = Addresses::default();
    while let Some((stream, peer, place)) = next(&listener, &places, &stop).await {
        let Some(share) = addresses.share(peer.ip(), &bounds) else { continue };
        let connection = Connection { stream, peer, place, share };
        connections.spawn(connection.run(http.clone(), router.clone(), stop.clone()));
        // Where all come at once, those who are here have their turn before one more is taken.
        tokio::task::yield_now().await;
    }
    drop(listener);
    connections.close();
    connections.wait().await;
}

/// The next connection, once there is a place for it; `None` when the server stops.
async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
    stop: &CancellationToken,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let taking = async {
        let place = Arc::clone(places).acquire_owned().await.ok()?;
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => return Some((stream, peer, place)),
                Err(error) => {
                    tracing::warn!(%error, "no connection could be taken");
                    tokio::time::sleep(PAUSE).await;
                }
            }
        }
    };
    stop.run_until_cancelled(taking).await.flatten()
}

/// How many connections each address has.
#[derive(Clone, Default)]
struct Addresses(Arc<Mutex<HashMap<IpAddr, usize>>>);

impl Addresses {
    /// One more connection for this address, if it may have one.
    fn share(&self, address: IpAddr, bounds: &Bounds) -> Option<Share> {
        if bounds.trusted_proxies.iter().any(|proxy| proxy.contains(&address)) {
            return Some(Share(None));
        }
        count_up(&mut self.counts(), address, bounds.per_address)
            .then(|| Share(Some((self.clone(), address))))
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        // No code panics while it holds this; if some did, the map is still whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An address's right to one connection; nothing is counted for a proxy. Dropped, it is free again.
struct Share(Option<(Addresses, IpAddr)>);

impl Drop for Share {
    fn drop(&mut self) {
        if let Some((addresses, address)) = &self.0 {
            count_down(&mut addresses.counts(), address);
        }
    }
}

/// One client's connection.
struct Connection {
    stream: TcpStream,
    peer: SocketAddr,
    /// Free again when the connection ends, or has become a socket.
    place: OwnedSemaphorePermit,
    share: Share,
}

impl Connection {
    async fn run(self, http: http1::Builder, router: Router, stop: CancellationToken) {
        let Self { stream, peer, place, share } = self;
        if let Err(error) = set_options(&stream) {
            tracing::debug!(%error, "options of a connection");
        }
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let router = router.clone();
            async move { Ok::<_, Infallible>(answer(router, request).await) }
        });
        {
            let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = stop.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            // Clients come and go as they like.
            if let Err(error) = ended {
                tracing::debug!(%peer, %error, "connection");
            }
        }
        // Whoever waits for the place is taken when this connection is closed, not before.
        drop((place, share));
    }
}

fn set_options(stream: &TcpStream) -> std::io::Result<()> {
    // A move is a small packet, and must not wait for the next one.
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    socket2::SockRef::from(stream).set_tcp_user_timeout(Some(UNREAD))?;
    Ok(())
}

async fn answer(router: Router, request: Request<Body>) -> axum::response::Response {
    match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn those_who_are_here_have_their_turn_between_two_who_come() {
        const COME: usize = 50;
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let mut lines = Vec::new();
        for _ in 0..COME {
            lines.push(TcpStream::connect(address).await.expect("it listens"));
        }
        let (connections, stop) = (TaskTracker::new(), CancellationToken::new());
        let bounds = Bounds { connections: COME, per_address: COME, ..Bounds::for_figures() };
        let (tracker, stopped) = (connections.clone(), stop.clone());
        let serving = tokio::spawn(serve(listener, Router::new(), bounds, tracker, stopped));
        let mut taken = 0;
        while taken < COME {
            tokio::task::yield_now().await;
            let more = connections.len() - taken;
            assert!(more <= 1, "{more} were taken at once");
            taken += more;
        }
        stop.cancel();
        drop(lines);
        serving.await.expect("it does not panic");
    }
}
