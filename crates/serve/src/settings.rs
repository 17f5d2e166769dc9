//! What a server may do, and for whom.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use keisei_engine::PlayerSpec;

/// The settings of a server. The defaults listen on loopback only.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens. Beyond loopback it needs a token.
    pub listen: SocketAddr,
    /// Who knows it may do everything; nobody needs it on loopback.
    pub token: Option<String>,
    /// Names of this machine besides `localhost` and its addresses.
    pub names: Vec<String>,
    /// The folder of the runs.
    pub runs: PathBuf,
    /// The folder of the records, if there is one.
    pub records: Option<PathBuf>,
    /// Engines that clients may play against: no others are started.
    pub engines: Vec<PlayerSpec>,
    /// What is too much.
    pub bounds: Bounds,
}

/// What is too much, altogether or for one client. A client is an address.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Open connections altogether.
    pub connections: usize,
    /// Open connections of a client.
    pub connections_per_client: usize,
    /// Bytes of a request that is no record.
    pub request_bytes: usize,
    /// Bytes of a record.
    pub record_bytes: usize,
    /// How long a request may take to arrive, and an answer to be taken.
    pub patience: Duration,
    /// Players that think at the same time.
    pub thinkers: usize,
    /// Players that a client may have at the same time.
    pub players_per_client: usize,
    /// Positions that a player may visit for one answer.
    pub nodes: u64,
    /// How long a player may think for one answer.
    pub think_time: Duration,
    /// How deep alpha-beta may look.
    pub depth: u32,
    /// The best lines that a player may report.
    pub lines: usize,
    /// MiB of a player's search tree.
    pub tree_memory: usize,
    /// Numbers of metrics that are kept in memory while nobody looks at them.
    pub idle_points: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8700)),
            token: None,
            names: Vec::new(),
            runs: "runs".into(),
            records: None,
            engines: Vec::new(),
            bounds: Bounds::default(),
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_per_client: 1280,
            request_bytes: 64 << 10,
            record_bytes: 8 << 20,
            patience: Duration::from_secs(30),
            thinkers: std::thread::available_parallelism().map_or(1, usize::from),
            players_per_client: 8,
            nodes: 1_000_000,
            think_time: Duration::from_secs(60),
            depth: 5,
            lines: 10,
            tree_memory: 64,
            idle_points: 50_000_000,
        }
    }
}
