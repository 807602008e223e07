//! What keeps other people's pages, scripts and headers from doing harm.

use manifold_tests::table::Table;
use manifold_tests::{Answer, Database, PASSWORD, Server, on_both_databases};
use reqwest::{Method, StatusCode, header};
use serde_json::{Value, json};

const SITE: &str = "https://chess.example.org";
const SCRIPT: &str = "<script>alert(1)</script>";

fn header<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.get(name).map(|value| value.to_str().expect("text"))
}

/// What every answer says to the browser that gets it.
fn assert_strict(answer: &Answer, what: &str) {
    let policy =
        header(answer, "content-security-policy").unwrap_or_else(|| panic!("{what} has no policy"));
    for rule in
        ["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"]
    {
        assert!(policy.split("; ").any(|found| found == rule), "{what}: {rule} is not in {policy}");
    }
    assert!(
        !policy.contains("unsafe") && !policy.contains('*') && !policy.contains("http"),
        "{what}: {policy}"
    );
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("x-frame-options", "DENY"),
        ("cross-origin-opener-policy", "same-origin"),
        ("cross-origin-resource-policy", "same-origin"),
        ("strict-transport-security", "max-age=31536000"),
    ] {
        assert_eq!(header(answer, name), Some(value), "{what}: {name}");
    }
    let permissions = header(answer, "permissions-policy").unwrap_or_default();
    assert!(
        permissions.contains("camera=()") && permissions.contains("geolocation=()"),
        "{what}: {permissions}"
    );
    assert!(header(answer, "access-control-allow-origin").is_none(), "{what} is for our own pages");
    let id = header(answer, "x-request-id").unwrap_or_default();
    assert_eq!(id.len(), 36, "{what} can be found in the log: {id}");
}

async fn sign_up_from(server: &Server, name: &str, forwarded: Option<&str>) -> StatusCode {
    let client = server.client();
    let body = json!({"name": name, "password": PASSWORD});
    let mut request = client.request(Method::POST, "/api/v1/accounts").json(&body);
    if let Some(forwarded) = forwarded {
        request = request.header("x-forwarded-for", forwarded);
    }
    client.send(request).await.status
}

on_both_databases! {
    async fn every_answer_tells_the_browser_what_it_may_do(db: Database) {
        let server = Server::start_with(db, &[("server.public_url", SITE)]).await;
        let client = server.client();
        let home = client.get("/").await;
        let asset = home.body.split('"').find(|part| part.starts_with("/assets/") && part.ends_with(".js")).unwrap();
        for path in [
            "/", "/login", "/nowhere", "/@/nobody", "/api/v1/session", "/api/v1/pools", "/api/v1/nothing",
            "/api/v1/games?cursor=nonsense", "/api/v1/socket", "/healthz", "/readyz", "/favicon.ico", "/assets/old/js/main.js",
        ] {
            assert_strict(&client.get(path).await, path);
        }
        for (method, path) in [(Method::POST, "/games"), (Method::PUT, "/api/v1/session"), (Method::POST, "/api/v1/session")] {
            assert_strict(&client.send(client.request(method.clone(), path)).await, &format!("{method} {path}"));
        }
        let body = json!({"name": "ada", "password": "x".repeat(20_000)});
        assert_strict(&client.send(client.request(Method::POST, "/api/v1/session").json(&body)).await, "too large");
        let request = client.request(Method::DELETE, "/api/v1/session").header(header::ORIGIN, "https://evil.example");
        assert_strict(&client.send(request).await, "wrong origin");
        // What a page may do is said with the page; said with each of its files, too, it would weigh a quarter of them.
        let asset = client.get(asset).await;
        assert_eq!(header(&asset, "x-content-type-options"), Some("nosniff"));
        assert_eq!(header(&asset, "cross-origin-resource-policy"), Some("same-origin"));
        assert_eq!(header(&asset, "strict-transport-security"), Some("max-age=31536000"));

        // Nobody names our log's lines for us.
        let request = client.request(Method::GET, "/healthz").header("x-request-id", "mine");
        assert_ne!(header(&client.send(request).await, "x-request-id"), Some("mine"));
    }

    async fn nobody_is_somewhere_else_by_saying_so(db: Database) {
        let limits = [("limits.new_players_per_hour", "8")];
        let server = Server::start_with(db, &limits).await;
        // A quarter of an hour's allowance at once, whatever a client writes into the header.
        for (name, from, status) in [
            ("ada", Some("203.0.113.1"), 201), ("bob", Some("203.0.113.2"), 201), ("carl", Some("203.0.113.3"), 429), ("dora", None, 429),
        ] {
            assert_eq!(sign_up_from(&server, name, from).await, status, "{name}");
        }
    }

    async fn a_trusted_proxy_says_where_its_clients_are_and_they_add_nothing(db: Database) {
        let limits = [("limits.new_players_per_hour", "8"), ("server.trusted_proxies", "127.0.0.0/8")];
        let server = Server::start_with(db, &limits).await;
        // The proxy appends the address that it sees: what stands before it was written by the client.
        for (name, from, status) in [
            ("ada", "203.0.113.1", 201), ("bob", "198.51.100.7, 203.0.113.1", 201), ("carl", "198.51.100.8, 203.0.113.1", 429),
            ("dora", "203.0.113.2", 201), ("emil", "127.0.0.1, 203.0.113.1", 429),
        ] {
            assert_eq!(sign_up_from(&server, name, Some(from)).await, status, "{name}");
        }
    }

    async fn case_19_nothing_that_a_user_writes_runs_in_a_page(db: Database) {
        let server = Server::start(db).await;
        let ada = server.client();
        ada.sign_up("ada").await;
        let post = |path: &'static str, body: Value| { let ada = ada.clone(); async move { ada.post(path, body).await } };
        // No name can be a script, and a refusal does not bring it back as anything but JSON.
        let answer = post("/api/v1/accounts", json!({"name": SCRIPT, "password": PASSWORD})).await;
        answer.expect_refusal(400, "invalid_name");
        // What can be one is data: JSON that no browser takes for a page.
        let made = post("/api/v1/tokens", json!({"name": SCRIPT})).await;
        let kind = header(&made, "content-type").unwrap().to_owned();
        assert_eq!((kind.as_str(), header(&made, "x-content-type-options")), ("application/json", Some("nosniff")));
        assert_eq!(made.expect(StatusCode::CREATED)["name"], SCRIPT);
        for body in [
            json!({"variant": SCRIPT, "color": "white", "time": null}),
            json!({"variant": "fourfold", "color": SCRIPT, "time": null}),
            json!({"variant": "fourfold", "color": "white", "time": null, SCRIPT: 1}),
        ] {
            let answer = post("/api/v1/challenges", body).await;
            assert!(answer.status.is_client_error(), "{}", answer.body);
            assert_eq!(header(&answer, "content-type"), Some("application/problem+json"));
        }
        let answer = post("/api/v1/analysis", json!({"variant": "fourfold", "fen": SCRIPT})).await;
        answer.expect_refusal(422, "bad_position");

        // Addresses and hosts that pages, previews and records show.
        let table = Table::casual(&server).await;
        let paths = ["/@/%3Cscript%3Ealert(1)%3C%2Fscript%3E".to_owned(), format!("/g/{}", table.game), "/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E".to_owned()];
        for path in &paths {
            for host in ["chess.example", "x\"><script>alert(1)</script>"] {
                let page = ada.send(ada.request(Method::GET, path).header(header::HOST, host)).await;
                assert!(!page.body.contains("<script>alert"), "{path} {host}: {}", page.body);
                assert!(!header(&page, "content-security-policy").unwrap_or_default().contains("unsafe"));
            }
        }
        let path = format!("/api/v1/games/{}.pgn", table.game);
        let request = ada.request(Method::GET, &path).header(header::HOST, "x\"]\\[White \"mallory\"]<script>");
        let record = ada.send(request).await;
        assert!(header(&record, "content-type").unwrap().starts_with("application/x-chess-pgn"));
        assert_eq!(header(&record, "x-content-type-options"), Some("nosniff"));
        let read = manifold_rules::record::Record::from_pgn(&record.body).expect("a good record");
        assert_ne!(read.tags.white.as_deref(), Some("mallory"), "{}", record.body);
        let site = read.tags.site.unwrap_or_default();
        assert!(site.contains("mallory") && site.contains(&table.game), "the tag is one text: {site}");
    }
}
