//! Connections that are no good to anyone.

use std::pin::pin;

use manifold_tests::{Database, PATIENCE, Server};
use reqwest::StatusCode;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

async fn connect(server: &Server) -> TcpStream {
    let origin = server.origin();
    TcpStream::connect(origin.trim_start_matches("http://")).await.expect("the server listens")
}

/// What the server says until it closes the connection, which it must.
async fn last_words(stream: &mut TcpStream) -> String {
    let mut words = Vec::new();
    // A connection that is reset is closed, too.
    _ = timeout(PATIENCE, stream.read_to_end(&mut words)).await.expect("it is closed in time");
    String::from_utf8_lossy(&words).into_owned()
}

#[tokio::test]
async fn who_does_not_finish_a_request_is_not_waited_for() {
    let server = Server::start_with(Database::Sqlite, &[("server.head_ms", "300")]).await;
    let mut silent = connect(&server).await;
    let mut halfway = connect(&server).await;
    halfway.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ").await.unwrap();
    let mut idle = connect(&server).await;
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
    for stream in [&mut silent, &mut halfway] {
        let words = last_words(stream).await;
        assert!(!words.contains("200 OK"), "{words}");
    }
    assert!(last_words(&mut idle).await.contains("200 OK"), "a whole request is answered");
}

/// A byte from time to time keeps nobody's place: what counts is when the whole body is there.
#[tokio::test]
async fn a_body_that_trickles_is_not_waited_for() {
    let server = Server::start_with(
        Database::Sqlite,
        &[("server.body_ms", "300"), ("metrics.listen", "127.0.0.1:0")],
    )
    .await;
    let mut stream = connect(&server).await;
    let head = "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
        Content-Length: 10000\r\n\r\n{";
    stream.write_all(head.as_bytes()).await.unwrap();
    let (mut read, mut write) = stream.split();
    // Only the server ends this.
    let trickle = async {
        let mut every = tokio::time::interval(std::time::Duration::from_millis(50));
        while write.write_all(b" ").await.is_ok() {
            every.tick().await;
        }
    };
    let mut words = Vec::new();
    let answer = async { _ = read.read_to_end(&mut words).await };
    let ended = async { tokio::join!(trickle, answer) };
    timeout(PATIENCE, ended).await.expect("the connection is closed");
    let figures = server.metrics().await.page().await;
    assert!(figures.contains("manifold_http_refusals_total{code=\"timed_out\"} 1"), "{figures}");
    let words = String::from_utf8_lossy(&words);
    assert!(words.starts_with("HTTP/1.1 408 ") && words.contains("timed_out"), "{words}");
}

#[tokio::test]
async fn connections_beyond_the_bound_wait_for_a_place() {
    let settings = [("server.connections", "2"), ("server.head_ms", "500")];
    let server = Server::start_with(Database::Sqlite, &settings).await;
    // Both places are taken by clients that say nothing, until the server has had enough of them.
    let (mut one, mut other) = (connect(&server).await, connect(&server).await);
    let client = server.client();
    let answer = client.get("/healthz");
    let mut answer = pin!(answer);
    tokio::select! {
        biased;
        _ = last_words(&mut one) => {}
        _ = last_words(&mut other) => {}
        answer = &mut answer => panic!("there was no place, and yet {answer:?}"),
    }
    assert_eq!(answer.await.status, StatusCode::OK);
}

#[tokio::test]
async fn nobody_takes_all_places() {
    let settings = [("server.connections", "50"), ("server.connections_per_address", "2")];
    let server = Server::start_with(Database::Sqlite, &settings).await;
    let (_one, _other) = (connect(&server).await, connect(&server).await);
    let mut third = connect(&server).await;
    assert_eq!(last_words(&mut third).await, "");
}

#[tokio::test]
async fn a_proxy_s_connections_are_many_people_s() {
    let settings =
        [("server.connections_per_address", "1"), ("server.trusted_proxies", "127.0.0.0/8")];
    let server = Server::start_with(Database::Sqlite, &settings).await;
    let _idle = [connect(&server).await, connect(&server).await];
    assert_eq!(server.client().get("/healthz").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_socket_takes_no_place_of_a_request() {
    let server = Server::start_with(Database::Sqlite, &[("server.connections", "1")]).await;
    let mut sockets = Vec::new();
    for _ in 0..3 {
        sockets.push(manifold_tests::Socket::open(&server.origin(), None).await);
    }
    assert!(sockets.iter().all(|socket| socket.hello["t"] == "hello"));
}
