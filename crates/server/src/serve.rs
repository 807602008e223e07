//! Taking connections: `axum::serve` with bounds. A client that does not finish what it asks is not waited for, and there
//! are never more connections than the server can hold.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt as _;

/// Before the next try, when no connection could be taken: there are no more file descriptors, and one has to end.
const PAUSE: Duration = Duration::from_millis(100);

/// What connections may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Requests under way and idle connections; sockets have a bound of their own. The rest waits to be taken.
    pub connections: usize,
    /// For the head of a request, from the first moment on or since the answer before.
    pub head: Duration,
}

/// Serves until `stop` fires; then takes no more connections and waits for the requests under way.
pub async fn serve(listener: TcpListener, router: Router, bounds: Bounds, stop: CancellationToken) {
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(bounds.head);
    let places = Arc::new(Semaphore::new(bounds.connections));
    let connections = TaskTracker::new();
    while let Some((stream, peer, place)) = next(&listener, &places, &stop).await {
        let connection = Connection { stream, peer, place };
        connections.spawn(connection.run(http.clone(), router.clone(), stop.clone()));
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

/// One client's connection.
struct Connection {
    stream: TcpStream,
    peer: SocketAddr,
    /// Free again when the connection ends, or has become a socket.
    place: OwnedSemaphorePermit,
}

impl Connection {
    async fn run(self, http: http1::Builder, router: Router, stop: CancellationToken) {
        let Self { stream, peer, place } = self;
        // A move is a small packet, and must not wait for the next one.
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "nodelay");
        }
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            let router = router.clone();
            async move { Ok::<_, Infallible>(answer(router, request).await) }
        });
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        tokio::pin!(connection);
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
        drop(place);
    }
}

async fn answer(router: Router, request: Request<Body>) -> axum::response::Response {
    match router.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}
