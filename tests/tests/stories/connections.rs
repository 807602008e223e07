//! Connections that are no good to anyone.

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

#[tokio::test]
async fn connections_beyond_the_bound_wait_for_a_place() {
    let settings = [("server.connections", "2"), ("server.head_ms", "500")];
    let server = Server::start_with(Database::Sqlite, &settings).await;
    // Both places are taken by clients that say nothing, until the server has had enough of them.
    let mut silent = [connect(&server).await, connect(&server).await];
    assert_eq!(server.client().get("/healthz").await.status, StatusCode::OK);
    for stream in &mut silent {
        assert!(!last_words(stream).await.contains("200"));
    }
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
