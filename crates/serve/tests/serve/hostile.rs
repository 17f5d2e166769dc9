//! Requests that want more than they may have.

use std::fs;
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::fixture::{Fixture, PATIENCE};

#[tokio::test]
async fn no_path_leaves_the_folders() {
    let server = Fixture::start().await;
    let run = server.add_run("first", 1);
    fs::write(server.runs.join("outside.usi"), "secret").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink("/etc", server.runs.join("etc")).unwrap();
        symlink(server.runs.parent().unwrap(), server.records.join("up")).unwrap();
        fs::create_dir(run.join("games")).unwrap();
        symlink("/etc/passwd", run.join("games/passwd.usi")).unwrap();
        symlink("/etc/passwd", run.join("live.json")).unwrap();
    }
    for path in [
        "/api/runs/..",
        "/api/runs/%2e%2e",
        "/api/runs/%2e%2e%2frecords",
        "/api/runs/etc",
        "/api/runs/first%2f..%2f..",
        "/api/runs/first/games/..%2f..%2foutside.usi",
        "/api/runs/first/games/%2e%2e%2f%2e%2e%2foutside.usi",
        "/api/runs/first/games/passwd.usi",
        "/api/runs/first/models/..%2fconfig.toml",
        "/api/runs/first/models/%00.safetensors",
        "/api/record?path=../secret.kif",
        "/api/record?path=up/secret.kif",
        "/api/record?path=/etc/passwd",
        "/api/record?path=..%2fsecret.kif",
        "/api/record?path=a%00.kif",
        "/api/records?folder=..",
        "/api/records?folder=up",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/..%5c..%5cetc/passwd",
    ] {
        let answer = server.get(path).await;
        assert!([404, 422].contains(&answer.status), "{path}: {} {}", answer.status, answer.text());
        assert!(!answer.text().contains("root:") && !answer.text().contains("平手"), "{path}");
    }
    let games = server.get("/api/runs/first/games").await.text();
    assert!(!games.contains("root:"), "{games}");
    for network in ["/etc/passwd", "../secret", "first/../../secret", "etc", "first/config.toml"] {
        let question = json!({"game": "shogi", "network": network, "position": "startpos"});
        let answer = server.post("/api/evaluate", &question).await;
        assert!([404, 422].contains(&answer.status), "{network}: {}", answer.text());
    }
    let write =
        server.request("PUT", "/api/record?path=up/new.kif", "", "手合割：平手\n".as_bytes());
    assert_eq!(write.await.status, 404);
    assert!(!server.records.parent().unwrap().join("new.kif").exists());
}

#[tokio::test]
async fn what_is_too_large_is_refused() {
    let server = Fixture::with(|settings| settings.bounds.record_bytes = 100_000).await;
    let headers = "content-type: application/json\r\n";
    let body = vec![b' '; 70_000];
    let answer = server.request("POST", "/api/evaluate", headers, &body).await;
    assert_eq!(answer.status, 413);
    let body = vec![b' '; 100_001];
    let answer = server.request("PUT", "/api/record?path=a.kif", "", &body).await;
    assert_eq!(answer.status, 413, "{}", answer.text());
    assert!(answer.json()["detail"].as_str().unwrap().contains("100000 bytes"));
    // Neither is it read when its size is not announced.
    let mut request = format!(
        "PUT /api/record?path=a.kif HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
         transfer-encoding: chunked\r\n\r\n",
        server.address
    )
    .into_bytes();
    for _ in 0..200 {
        request.extend(b"1000\r\n");
        request.extend([b' '; 0x1000]);
        request.extend(b"\r\n");
    }
    assert_eq!(server.raw(&request).await.status, 413);
    let address = format!("/api/runs?{}", "x".repeat(100_000));
    assert!([414, 431].contains(&server.get(&address).await.status));
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_in_words() {
    let server = Fixture::start().await;
    let headers = "content-type: application/json\r\n";
    for body in [&b"{"[..], b"", b"[]", b"{\"game\":1}", b"\xff\xfe", b"{\"game\":\"shogi\"}"] {
        let answer = server.request("POST", "/api/evaluate", headers, body).await;
        assert_eq!(answer.status, 400, "{body:?}");
        let problem = answer.json();
        assert_eq!(problem["status"], 400);
        assert!(problem["detail"].as_str().unwrap().starts_with("the request cannot be read"));
        assert!(answer.head.contains("content-type: application/problem+json"), "{}", answer.head);
    }
    let unknown = server.get("/api/runs?colour=red").await;
    assert_eq!(unknown.status, 200, "what is not asked for is not looked at");
    assert_eq!(server.get("/api/nothing").await.status, 404);
    assert_eq!(server.request("DELETE", "/api/runs", "", b"").await.status, 405);
    assert_eq!(server.request("POST", "/", "", b"").await.status, 405);
    assert_eq!(server.raw(b"nonsense\r\n\r\n").await.status, 400);
}

#[tokio::test]
async fn pages_of_other_sites_and_other_names_are_not_answered() {
    let server = Fixture::with(|settings| settings.names.push("shogi.example".to_owned())).await;
    let ask = |host: &str, more: &str| {
        let request =
            format!("GET /api/server HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{more}\r\n");
        let server = &server;
        async move { server.raw(request.as_bytes()).await }
    };
    let rebound = ask("evil.example", "").await;
    assert_eq!((rebound.status, &rebound.json()["value"]), (403, &json!("evil.example")));
    assert_eq!(ask("", "").await.status, 403);
    for host in ["localhost:1", "127.0.0.1", "[::1]:8700", "shogi.example"] {
        assert_eq!(ask(host, "").await.status, 200, "{host}");
    }
    let elsewhere = ask("localhost", "origin: http://evil.example\r\n").await;
    assert_eq!(
        (elsewhere.status, &elsewhere.json()["value"]),
        (403, &json!("http://evil.example"))
    );
    assert_eq!(ask("localhost", "origin: null\r\n").await.status, 403);
    assert_eq!(ask("localhost:9", "origin: http://localhost:9\r\n").await.status, 200);
    let upgrade = "origin: http://evil.example\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
        sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
    let request = format!(
        "GET /api/think HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\n{upgrade}\r\n"
    );
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 403");
}

#[tokio::test]
async fn with_a_token_nobody_gets_in_without_it() {
    let token = "0123456789abcdef";
    let server = Fixture::with(|settings| {
        settings.listen = "0.0.0.0:0".parse().unwrap();
        settings.token = Some(token.to_owned());
    })
    .await;
    for path in ["/", "/api", "/api/runs", "/api/think", "/?token=wrong"] {
        let answer = server.get(path).await;
        assert_eq!(answer.status, 401, "{path}");
        assert!(answer.head.contains("www-authenticate: Bearer"));
    }
    let ask = |headers: String| {
        let server = &server;
        async move { server.request("GET", "/api/runs", &headers, b"").await.status }
    };
    assert_eq!(ask(format!("authorization: Bearer {token}\r\n")).await, 200);
    assert_eq!(ask("authorization: Bearer 0123456789abcdeF\r\n".to_owned()).await, 401);
    let welcome = server.get(&format!("/?token={token}")).await;
    assert_eq!(welcome.status, 303);
    assert!(welcome.head.contains("location: /\r\n"), "{}", welcome.head);
    let cookie = welcome.head.split("set-cookie: ").nth(1).unwrap();
    assert!(cookie.contains("HttpOnly; SameSite=Strict"), "{cookie}");
    assert_eq!(ask(format!("cookie: {}\r\n", cookie.split(';').next().unwrap())).await, 200);
}

#[tokio::test]
async fn beyond_loopback_a_server_without_a_token_does_not_start() {
    use keisei_serve::{Server, Settings};
    let start = |listen: &str, token: Option<&str>| {
        let (listen, token) = (listen.parse().unwrap(), token.map(str::to_owned));
        Server::bind(Settings { listen, token, ..Settings::default() })
    };
    let error = start("0.0.0.0:0", None).await.unwrap_err().to_string();
    assert!(error.contains("0.0.0.0:0 can be reached by other machines"), "{error}");
    assert!(start("127.0.0.1:0", Some("short")).await.is_err());
    assert!(start("127.0.0.1:0", None).await.is_ok());
}

#[tokio::test]
async fn too_many_connections_of_a_client_are_turned_away_and_leave_room_when_they_go() {
    let server = Fixture::with(|settings| settings.bounds.connections_per_client = 3).await;
    let mut open = Vec::new();
    for _ in 0..3 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        // An answer shows that the connection was let in.
        stream.write_all(b"GET /api/server HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
        stream.read_exact(&mut [0; 12]).await.unwrap();
        open.push(stream);
    }
    let refused = server.raw(b"").await;
    assert_eq!(refused.status, 503);
    assert!(refused.json()["detail"].as_str().unwrap().contains("too many connections"));
    open.clear();
    let again = async {
        loop {
            if server
                .raw(b"GET /api/server HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
                .await
                .status
                == 200
            {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, again).await.unwrap();
}

#[tokio::test]
async fn a_client_that_sends_its_request_too_slowly_is_given_up() {
    let patience = Duration::from_millis(300);
    let server = Fixture::with(|settings| settings.bounds.patience = patience).await;
    for begun in [
        "GET /api/ser",
        "POST /api/evaluate HTTP/1.1\r\nhost: localhost\r\n\
        content-type: application/json\r\nconnection: close\r\ncontent-length: 100\r\n\r\n{",
    ] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        stream.write_all(begun.as_bytes()).await.unwrap();
        let mut answer = Vec::new();
        let end = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut answer)).await;
        assert!(end.is_ok(), "{begun:?}");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        assert!(answer.is_empty() || answer.contains(" 408 "), "{answer}");
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_its_answer_is_given_up_and_others_are_not_kept_waiting() {
    let patience = Duration::from_millis(300);
    let server = Fixture::with(|settings| {
        settings.bounds.patience = patience;
        settings.bounds.connections_per_client = 2;
    })
    .await;
    let run = server.add_run("first", 1);
    fs::create_dir(run.join("models")).unwrap();
    fs::write(run.join("models/big.safetensors"), vec![7; 64 << 20]).unwrap();
    let mut slow = Vec::new();
    for _ in 0..2 {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        let request =
            "GET /api/runs/first/models/big.safetensors HTTP/1.1\r\nhost: localhost\r\n\r\n";
        stream.write_all(request.as_bytes()).await.unwrap();
        slow.push(stream);
    }
    // Both places are taken until the server loses its patience.
    let free = async {
        while server
            .raw(b"GET /api/server HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
            .await
            .status
            != 200
        {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, free).await.unwrap();
}
