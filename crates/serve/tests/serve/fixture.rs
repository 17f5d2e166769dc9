//! A server on a free port with folders of its own, and a plain HTTP client.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use keisei_serve::{Server, Settings};
use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// How long a test waits for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A server at work.
pub(crate) struct Fixture {
    pub(crate) address: SocketAddr,
    pub(crate) runs: PathBuf,
    pub(crate) records: PathBuf,
    stop: Option<oneshot::Sender<()>>,
    server: JoinHandle<()>,
    _folder: TempDir,
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Fixture {
    pub(crate) async fn start() -> Self {
        Self::with(|_| ()).await
    }

    pub(crate) async fn with(change: impl FnOnce(&mut Settings)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (runs, records) = (folder.path().join("runs"), folder.path().join("records"));
        [&runs, &records].iter().for_each(|folder| fs::create_dir(folder).unwrap());
        fs::write(folder.path().join("secret.kif"), "手合割：平手\n").unwrap();
        let mut settings = Settings {
            listen: "127.0.0.1:0".parse().unwrap(),
            runs: runs.clone(),
            records: Some(records.clone()),
            ..Settings::default()
        };
        change(&mut settings);
        let server = Server::bind(settings).await.unwrap();
        let address = SocketAddr::new("127.0.0.1".parse().unwrap(), server.address().port());
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(server.run(async { stopped.await.unwrap_or(()) }));
        Self { address, runs, records, stop: Some(stop), server, _folder: folder }
    }

    /// A run with some metrics.
    pub(crate) fn add_run(&self, name: &str, records: u64) -> PathBuf {
        let run = self.runs.join(name);
        fs::create_dir_all(&run).unwrap();
        fs::write(run.join("config.toml"), "[env]\ngame = \"shogi\"\n").unwrap();
        fs::write(run.join("metrics.jsonl"), (1..=records).map(line).collect::<String>()).unwrap();
        run
    }

    /// Ends the server and waits for it.
    pub(crate) async fn end(&mut self) {
        self.stop.take().unwrap().send(()).unwrap();
        tokio::time::timeout(PATIENCE, &mut self.server).await.unwrap().unwrap();
    }

    /// Sends `request` as it is and reads the answer to its end.
    pub(crate) async fn raw(&self, request: &[u8]) -> Response {
        let mut stream = TcpStream::connect(self.address).await.unwrap();
        // A server that refuses early need not read everything.
        let _ = stream.write_all(request).await;
        let mut bytes = Vec::new();
        let read = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut bytes)).await.unwrap();
        assert!(read.is_ok() || !bytes.is_empty(), "{read:?}");
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer");
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Response { status, head, body: bytes[end + 4..].to_vec() }
    }

    pub(crate) async fn request(
        &self,
        method: &str,
        path: &str,
        headers: &str,
        body: &[u8],
    ) -> Response {
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-length: {}\r\n{headers}\r\n",
            self.address,
            body.len()
        )
        .into_bytes();
        request.extend_from_slice(body);
        self.raw(&request).await
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.request("GET", path, "", b"").await
    }

    /// What a successful GET answers.
    pub(crate) async fn json(&self, path: &str) -> Value {
        let response = self.get(path).await;
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        response.json()
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Response {
        let headers = "content-type: application/json\r\n";
        self.request("POST", path, headers, body.to_string().as_bytes()).await
    }

    pub(crate) async fn socket(&self, path: &str) -> Socket {
        let (socket, _) = connect_async(format!("ws://{}{path}", self.address)).await.unwrap();
        Socket(socket)
    }
}

/// A WebSocket.
pub(crate) struct Socket(pub(crate) WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub(crate) async fn send(&mut self, message: Value) {
        use futures_util::SinkExt;
        self.0.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The next message, whatever it is.
    pub(crate) async fn next(&mut self) -> Message {
        use futures_util::StreamExt;
        let message = tokio::time::timeout(PATIENCE, self.0.next()).await;
        message.expect("a message in time").expect("a message").unwrap()
    }

    pub(crate) async fn json(&mut self) -> Value {
        let message = self.next().await;
        serde_json::from_str(message.to_text().unwrap()).unwrap()
    }

    /// The next message of this type.
    pub(crate) async fn of_type(&mut self, kind: &str) -> Value {
        loop {
            let message = self.json().await;
            if message["type"] == kind {
                return message;
            }
        }
    }
}

/// A record of metrics.
pub(crate) fn line(n: u64) -> String {
    let numbers = serde_json::json!({
        "charts/SPS": 100 + n, "eval/elo": n, "losses/entropy": 1.0 / n as f64,
        "step": n * 64, "time/seconds": n, "update": n,
    });
    format!("{numbers}\n")
}
