//! A server: it listens, lets clients in, and ends gracefully.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::DefaultBodyLimit;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore, watch};
use tower::ServiceExt;

use crate::connection::{Connection, Places};
use crate::problem::Problem;
use crate::run_folders::RunFolders;
use crate::settings::Settings;
use crate::{api, guard, site};

/// Threads that read the disk, besides those that think.
const READERS: usize = 16;
/// How long clients get to say goodbye when the server ends.
const FAREWELL: Duration = Duration::from_secs(3);

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    ending: watch::Sender<bool>,
}

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) runs: RunFolders,
    /// Those who think now.
    pub(crate) thinkers: Arc<Semaphore>,
    /// The players that clients have.
    pub(crate) players: Places,
    /// Becomes true when the server ends.
    pub(crate) ending: watch::Receiver<bool>,
}

/// Who sent a request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// It would be open to others.
    #[error("{0} can be reached by other machines: a token is needed")]
    NoToken(SocketAddr),
    /// The token is no token.
    #[error("a token has 16 or more letters, digits, '-' and '_'; this one has others, or fewer")]
    Token,
    /// The address cannot be had.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        error: io::Error,
    },
    /// The system has no threads, or no randomness, to give.
    #[error("the system refuses: {0}")]
    Threads(io::Error),
}

/// Asks a server to end. Clones ask the same server.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Notify>);

impl Stop {
    /// Asks.
    pub fn ask(&self) {
        self.0.notify_one();
    }
}

/// Serves until `stop` asks for the end, on threads of its own. `started` is told the address.
pub fn serve(
    settings: Settings,
    stop: &Stop,
    started: impl FnOnce(SocketAddr),
) -> Result<(), StartError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(settings.bounds.thinkers.clamp(1, 4))
        .max_blocking_threads(settings.bounds.thinkers + READERS)
        .enable_all()
        .build()
        .map_err(StartError::Threads)?;
    runtime.block_on(async {
        let server = Server::bind(settings).await?;
        started(server.address);
        server.run(stop.0.notified()).await;
        Ok(())
    })
}

/// A token that nobody can guess.
pub fn fresh_token() -> Result<String, StartError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| StartError::Threads(io::Error::other(error)))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Server {
    /// Listens, but answers nobody yet.
    pub async fn bind(settings: Settings) -> Result<Self, StartError> {
        let address = settings.listen;
        match &settings.token {
            None if !address.ip().is_loopback() => return Err(StartError::NoToken(address)),
            Some(token) if !is_token(token) => return Err(StartError::Token),
            _ => {}
        }
        let refused = |error| StartError::Listen { address, error };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let (ending, ended) = watch::channel(false);
        let shared = Shared {
            runs: RunFolders::new(settings.runs.clone(), settings.bounds.idle_points),
            thinkers: Arc::new(Semaphore::new(settings.bounds.thinkers.max(1))),
            players: Places::new(settings.bounds.connections, settings.bounds.players_per_client),
            ending: ended,
            settings,
        };
        Ok(Self { listener, address, shared: Arc::new(shared), ending })
    }

    /// Where it listens: the port is the real one.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is ready; then lets what is under way come to its end, for a moment.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let Self { listener, shared, ending, .. } = self;
        let bounds = shared.settings.bounds.clone();
        let router = router(Arc::clone(&shared));
        let places = Places::new(bounds.connections, bounds.connections_per_client);
        let mut stop = std::pin::pin!(stop);
        loop {
            let accepted = tokio::select! {
                () = &mut stop => break,
                accepted = listener.accept() => accepted,
            };
            let (stream, address) = match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    // Too many open files, mostly: others have to go first.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let Some(place) = places.take(address.ip()) else {
                tokio::spawn(turn_away(stream));
                continue;
            };
            // Small messages are worth nothing late.
            let _ = stream.set_nodelay(true);
            let router = router.clone();
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(Client(address.ip()));
                router.clone().oneshot(request.map(Body::new))
            });
            let stream = TokioIo::new(Connection::new(stream, bounds.patience, place));
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(bounds.patience)
                .max_buf_size(64 << 10)
                .serve_connection(stream, service)
                .with_upgrades();
            let ending = shared.ending.clone();
            tokio::spawn(async move {
                let mut connection = std::pin::pin!(connection);
                let result = tokio::select! {
                    result = connection.as_mut() => result,
                    () = ended(ending) => {
                        connection.as_mut().graceful_shutdown();
                        connection.await
                    }
                };
                if let Err(error) = result {
                    tracing::debug!(%error, "a connection broke");
                }
            });
        }
        drop(listener);
        let _ = ending.send(true);
        if tokio::time::timeout(FAREWELL, places.all_free()).await.is_err() {
            tracing::info!("some clients did not leave");
        }
    }
}

/// Waits until the server ends.
pub(crate) async fn ended(mut ending: watch::Receiver<bool>) {
    // Without a sender the server is gone.
    let _ = ending.wait_for(|&ended| ended).await;
}

fn router(shared: Arc<Shared>) -> Router {
    let limit = shared.settings.bounds.request_bytes;
    api::router(shared.settings.bounds.record_bytes)
        .fallback(site::file)
        .layer(DefaultBodyLimit::max(limit))
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&shared), guard::guard))
        .with_state(shared)
}

/// Tells a client that there are too many.
async fn turn_away(mut stream: TcpStream) {
    let problem = Problem::Busy { what: "there are too many connections" };
    let body = serde_json::to_string(&problem.details()).expect("problems are plain JSON");
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/problem+json\r\n\
         connection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(answer.as_bytes())).await;
}

fn is_token(token: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    token.len() >= 16 && token.bytes().all(allowed)
}
