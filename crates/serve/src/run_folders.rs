//! The runs that the server knows, read from their folders while training writes them.
//!
//! Training never waits for a watcher: it writes files, and one follower for each run that is
//! watched looks at them now and then. What the follower finds is put into words once and handed to
//! all watchers through a ring of messages; a watcher that is too slow for the ring is told to fetch
//! the curves again.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use axum::extract::ws::Utf8Bytes;
use keisei_train::live::LiveGames;
use keisei_train::run::RunFolder;
use tokio::sync::broadcast;

use crate::api::live::LiveMessage;
use crate::metrics::{Growth, MetricsFile};
use crate::problem::Problem;

/// How often files are looked at.
const EVERY: Duration = Duration::from_millis(100);
/// How often what changes seldom is looked at, in these intervals.
const SELDOM: u32 = 10;
/// How many messages a slow watcher may be behind.
const RING: usize = 64;
/// How many records a watcher gets at once; whoever is further behind fetches the curves.
const MOST_ROWS: usize = 2_000;
/// How large a file of games may be.
const MOST_BYTES_OF_GAMES: u64 = 1 << 20;

/// All runs in a folder.
#[derive(Debug)]
pub(crate) struct RunFolders {
    folder: PathBuf,
    idle_points: usize,
    watched: Mutex<HashMap<String, Arc<WatchedRun>>>,
}

impl RunFolders {
    pub(crate) fn new(folder: PathBuf, idle_points: usize) -> Self {
        Self { folder, idle_points, watched: Mutex::default() }
    }

    /// Where the runs are.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// All runs, by name. A link that leads out of the folder is no run.
    pub(crate) fn list(&self) -> Result<Vec<RunFolder>, Problem> {
        let runs =
            RunFolder::list(&self.folder).map_err(|error| Problem::Disk(error.to_string()))?;
        Ok(runs.into_iter().filter(|run| self.find(run.name()).is_ok()).collect())
    }

    /// The run called `name`.
    pub(crate) fn find(&self, name: &str) -> Result<RunFolder, Problem> {
        let missing = || Problem::NoRun { name: name.to_owned() };
        let run = RunFolder::named(&self.folder, name).map_err(|_| missing())?;
        match run.has_begun() && is_inside(&self.folder, run.path()) {
            true => Ok(run),
            false => Err(missing()),
        }
    }

    /// The run called `name` with its metrics in memory.
    pub(crate) fn watched(&self, name: &str) -> Result<Arc<WatchedRun>, Problem> {
        let run = self.find(name)?;
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let found = watched.entry(name.to_owned()).or_insert_with(|| WatchedRun::new(run));
        let found = Arc::clone(found);
        self.forget_idle(&mut watched, name);
        Ok(found)
    }

    /// Forgets the metrics that nobody has looked at for longest, while there are too many.
    fn forget_idle(&self, watched: &mut HashMap<String, Arc<WatchedRun>>, wanted: &str) {
        // Whatever is in use has another owner than this map, and is too busy to be counted.
        let idle = |run: &Arc<WatchedRun>| match run.state.try_lock() {
            Ok(state) if Arc::strong_count(run) == 1 => {
                Some((state.used, state.metrics.columns().points()))
            }
            _ => None,
        };
        let mut found: Vec<_> = watched
            .iter()
            .filter(|(name, _)| *name != wanted)
            .filter_map(|(name, run)| idle(run).map(|(used, points)| (used, points, name.clone())))
            .collect();
        found.sort();
        let mut points: usize = found.iter().map(|(_, points, _)| points).sum();
        for (_, own, name) in found {
            if points <= self.idle_points {
                break;
            }
            watched.remove(&name);
            points -= own;
        }
    }
}

/// Whether `path` is in `folder` once all links are followed.
pub(crate) fn is_inside(folder: &Path, path: &Path) -> bool {
    match (folder.canonicalize(), path.canonicalize()) {
        (Ok(folder), Ok(path)) => path.starts_with(folder),
        _ => false,
    }
}

/// A run whose metrics are in memory.
#[derive(Debug)]
pub(crate) struct WatchedRun {
    run: RunFolder,
    state: Mutex<State>,
    news: broadcast::Sender<Utf8Bytes>,
}

#[derive(Debug)]
struct State {
    metrics: MetricsFile,
    games: Option<SystemTime>,
    standing: Standing,
    looked: u32,
    followed: bool,
    used: Instant,
}

/// What changes seldom in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Standing {
    finished: bool,
    models: usize,
}

impl WatchedRun {
    fn new(run: RunFolder) -> Arc<Self> {
        let state = State {
            metrics: MetricsFile::new(run.metrics_file()),
            games: None,
            standing: Standing::default(),
            looked: 0,
            followed: false,
            used: Instant::now(),
        };
        Arc::new(Self { run, state: Mutex::new(state), news: broadcast::channel(RING).0 })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.used = Instant::now();
        state
    }

    /// The run's folder.
    pub(crate) fn folder(&self) -> &RunFolder {
        &self.run
    }

    /// Reads the metrics, once they are up to date.
    pub(crate) fn metrics<T>(&self, read: impl FnOnce(&MetricsFile) -> T) -> Result<T, Problem> {
        let mut state = self.state();
        let messages = state.look_at_metrics()?;
        self.tell(messages);
        Ok(read(&state.metrics))
    }

    /// Subscribes to what happens from record number `after` of `generation` on: messages that are
    /// due at once, and those to come. The follower must be started by the caller if there is none.
    pub(crate) fn subscribe(&self, after: usize, generation: u64) -> Result<Subscription, Problem> {
        let mut state = self.state();
        let messages = state.look_at_metrics()?;
        self.tell(messages);
        let news = self.news.subscribe();
        let mut first = vec![state.metrics_after(after, generation).text()];
        first.extend(read_games(&self.run)?.map(|games| LiveMessage::Games(games).text()));
        first.push(state.standing_now(&self.run).text());
        let follow = !std::mem::replace(&mut state.followed, true);
        Ok(Subscription { first, news, follow })
    }

    /// Looks at the files until nobody listens.
    pub(crate) async fn follow(self: Arc<Self>) {
        loop {
            tokio::time::sleep(EVERY).await;
            let run = Arc::clone(&self);
            let goes_on = tokio::task::spawn_blocking(move || run.look()).await;
            if !goes_on.unwrap_or(false) {
                return;
            }
        }
    }

    /// Looks at the files once. Whether somebody still listens.
    fn look(&self) -> bool {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.news.receiver_count() == 0 {
            state.followed = false;
            return false;
        }
        match state.look(&self.run) {
            Ok(messages) => self.tell(messages),
            // A folder that is being moved or removed: it may come back.
            Err(problem) => tracing::warn!(run = self.run.name(), %problem, "cannot be followed"),
        }
        true
    }

    fn tell(&self, messages: Vec<LiveMessage>) {
        if self.news.receiver_count() > 0 {
            for message in messages {
                // Without a listener there is nobody to tell.
                let _ = self.news.send(message.text());
            }
        }
    }
}

/// What a watcher gets.
pub(crate) struct Subscription {
    /// What is due at once.
    pub(crate) first: Vec<Utf8Bytes>,
    /// What comes later.
    pub(crate) news: broadcast::Receiver<Utf8Bytes>,
    /// Whether the run has to be followed from now on.
    pub(crate) follow: bool,
}

impl State {
    fn look(&mut self, run: &RunFolder) -> Result<Vec<LiveMessage>, Problem> {
        let mut messages = self.look_at_metrics()?;
        let written = fs::metadata(run.live_file()).and_then(|data| data.modified()).ok();
        if written != self.games {
            self.games = written;
            messages.extend(read_games(run)?.map(LiveMessage::Games));
        }
        self.looked += 1;
        if self.looked.is_multiple_of(SELDOM) {
            let before = self.standing;
            let message = self.standing_now(run);
            messages.extend((self.standing != before).then_some(message));
        }
        Ok(messages)
    }

    fn look_at_metrics(&mut self) -> Result<Vec<LiveMessage>, Problem> {
        let growth = self.metrics.catch_up().map_err(|error| Problem::Disk(error.to_string()))?;
        Ok(match growth {
            Growth::Rewritten => vec![self.restart()],
            Growth::Grown { before } if before == self.metrics.columns().len() => Vec::new(),
            Growth::Grown { before } => {
                vec![self.metrics_after(before, self.metrics.generation())]
            }
        })
    }

    fn restart(&self) -> LiveMessage {
        LiveMessage::Restart { generation: self.metrics.generation() }
    }

    /// The records after the first so many, if they are few enough.
    fn metrics_after(&self, after: usize, generation: u64) -> LiveMessage {
        let records = self.metrics.columns().len();
        let known = generation == self.metrics.generation() && after <= records;
        if !known || records - after > MOST_ROWS {
            return self.restart();
        }
        LiveMessage::Metrics { generation, after, records, rows: self.metrics.rows(after) }
    }

    fn standing_now(&mut self, run: &RunFolder) -> LiveMessage {
        let models = fs::read_dir(run.models()).map_or(0, |entries| entries.flatten().count());
        self.standing = Standing { finished: run.is_finished(), models };
        let Standing { finished, models } = self.standing;
        LiveMessage::State { finished, models }
    }
}

/// The games that a run shows, if it shows any.
pub(crate) fn read_games(run: &RunFolder) -> Result<Option<LiveGames>, Problem> {
    let path = run.live_file();
    match fs::metadata(&path) {
        Ok(data) if data.len() <= MOST_BYTES_OF_GAMES => {}
        Ok(_) => return Err(Problem::Failed("the file of games is too large".to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Problem::Disk(error.to_string())),
    }
    let bytes = fs::read(&path).map_err(|error| Problem::Disk(error.to_string()))?;
    // A file of another version of the program shows nothing.
    Ok(serde_json::from_slice(&bytes).ok())
}
