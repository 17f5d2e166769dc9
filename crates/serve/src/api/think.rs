//! Playing and analysing with the server's players, one thing at a time on a connection.

use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, close_code};
use axum::response::Response;
use keisei_engine::{Limits, Signal};
use keisei_games::GameName;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};
use utoipa::ToSchema;

use super::extract::Upgrade;
use super::players::{GameChoice, game_name};
use crate::connection::Place;
use crate::problem::{Problem, ProblemDetails, Refusals};
use crate::server::{Client, Shared, ended};
use crate::thinker::{Decision, Line, Thinker, thinker};

/// How many lines wait for a slow client; later ones are dropped.
const WAITING_LINES: usize = 64;

/// What a client asks of a player.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// Think, and answer for the side to move.
    Think(Task),
    /// Answer at once.
    Stop,
}

/// What a player is to think about.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(crate) struct Task {
    /// Comes back with every message about this task.
    id: u64,
    /// The game.
    #[schema(value_type = GameChoice)]
    game: String,
    /// The player's name.
    player: String,
    /// The position line without its first word.
    position: String,
    /// When it has to answer; as it likes best if there is no limit.
    #[serde(default)]
    limits: TaskLimits,
    /// How many of the best lines are reported.
    #[serde(default = "one")]
    lines: usize,
}

fn one() -> usize {
    1
}

/// When a player has to answer. More than the server allows is cut down.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TaskLimits {
    /// Positions visited.
    nodes: Option<u64>,
    /// Plies.
    depth: Option<u32>,
    /// Milliseconds.
    move_time_ms: Option<u64>,
    /// Whether it goes on until it is told to stop.
    infinite: bool,
}

/// What a client is told.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Message {
    /// A line that the player considers.
    Report {
        /// The task.
        id: u64,
        #[serde(flatten)]
        line: Line,
    },
    /// What it decided: the task is done.
    Answer {
        /// The task.
        id: u64,
        #[serde(flatten)]
        decision: Decision,
    },
    /// Why there is no answer: the task is done.
    Problem {
        /// The task; none if the request could not be read.
        id: Option<u64>,
        #[serde(flatten)]
        problem: ProblemDetails,
    },
}

/// Play and analyse (WebSocket). Requests are `Request`s, answers are `Message`s. A new task stops
/// the one under way.
#[utoipa::path(get, path = "/api/think", tag = "players",
    responses((status = 101, description = "Messages follow"),
        (status = 426, description = "Not a WebSocket", content_type = "application/problem+json", body = ProblemDetails),
        Refusals))]
pub(super) async fn think(
    State(shared): State<Arc<Shared>>,
    Extension(Client(client)): Extension<Client>,
    Upgrade(upgrade): Upgrade,
) -> Result<Response, Problem> {
    let busy = Problem::Busy { what: "you have as many players as a client may have" };
    let place = shared.players.take(client).ok_or(busy)?;
    Ok(upgrade.on_upgrade(move |socket| Table::new(shared, place, socket).run()))
}

/// A client with its player.
struct Table {
    shared: Arc<Shared>,
    socket: WebSocket,
    player: Option<Seated>,
    waiting: Option<Task>,
    _place: Place,
}

/// A player who has been built for a client.
struct Seated {
    game: GameName,
    name: String,
    lines: usize,
    thinker: Box<dyn Thinker>,
}

/// A task under way.
struct Job {
    id: u64,
    signal: Signal,
    deadline: Instant,
    lines: mpsc::Receiver<Line>,
    result: JoinHandle<(Option<Seated>, Result<Decision, Problem>)>,
}

impl Drop for Job {
    fn drop(&mut self) {
        // A client that has left is not thought for.
        self.signal.stop();
    }
}

/// The client has left, or the server ends.
struct Gone;

impl Table {
    fn new(shared: Arc<Shared>, place: Place, socket: WebSocket) -> Self {
        Self { shared, socket, player: None, waiting: None, _place: place }
    }

    async fn run(mut self) {
        while let Ok(task) = self.next_task().await {
            let mut job = self.begin(task);
            if self.attend(&mut job).await.is_err() {
                return;
            }
        }
    }

    /// Waits for a task.
    async fn next_task(&mut self) -> Result<Task, Gone> {
        loop {
            if let Some(task) = self.waiting.take() {
                return Ok(task);
            }
            if let Some(Request::Think(task)) = self.hear().await? {
                return Ok(task);
            }
        }
    }

    /// What the client says next; nothing if it makes no sense.
    async fn hear(&mut self) -> Result<Option<Request>, Gone> {
        let frame = tokio::select! {
            () = ended(self.shared.ending.clone()) => None,
            frame = self.socket.recv() => Some(frame),
        };
        match frame {
            None => {
                let reason = "the server is ending".into();
                let frame = CloseFrame { code: close_code::AWAY, reason };
                let _ = self.socket.send(Frame::Close(Some(frame))).await;
                Err(Gone)
            }
            Some(Some(Ok(Frame::Text(text)))) => match serde_json::from_str(&text) {
                Ok(request) => Ok(Some(request)),
                Err(error) => {
                    self.refuse(None, &Problem::Request(error.to_string())).await?;
                    Ok(None)
                }
            },
            Some(Some(Ok(Frame::Ping(_) | Frame::Pong(_)))) => Ok(None),
            Some(_) => Err(Gone),
        }
    }

    fn begin(&mut self, task: Task) -> Job {
        let bounds = &self.shared.settings.bounds;
        let signal = Signal::new();
        let (tell, lines) = mpsc::channel(WAITING_LINES);
        let deadline = Instant::now() + bounds.think_time;
        let (id, shared, player) = (task.id, Arc::clone(&self.shared), self.player.take());
        let result = tokio::spawn(work(shared, player, task, signal.clone(), tell));
        Job { id, signal, deadline, lines, result }
    }

    /// Passes on what the player says, and to it what the client says, until the task is done.
    async fn attend(&mut self, job: &mut Job) -> Result<(), Gone> {
        loop {
            tokio::select! {
                // Lines come before the answer.
                biased;
                Some(line) = job.lines.recv() => {
                    self.send(&Message::Report { id: job.id, line }).await?;
                }
                done = &mut job.result => {
                    let (player, result) = match done {
                        Ok(done) => done,
                        Err(_) => (None, Err(Problem::Failed("the player failed".to_owned()))),
                    };
                    self.player = player;
                    return match result {
                        Ok(decision) => self.send(&Message::Answer { id: job.id, decision }).await,
                        Err(problem) => self.refuse(Some(job.id), &problem).await,
                    };
                }
                () = sleep_until(job.deadline) => {
                    job.signal.stop();
                    job.deadline += Duration::from_secs(3600);
                }
                heard = self.hear() => match heard? {
                    None => {}
                    Some(Request::Stop) => job.signal.stop(),
                    Some(Request::Think(task)) => {
                        job.signal.stop();
                        if let Some(replaced) = self.waiting.replace(task) {
                            let problem = Problem::Busy { what: "a later task came before" };
                            self.refuse(Some(replaced.id), &problem).await?;
                        }
                    }
                },
            }
        }
    }

    async fn refuse(&mut self, id: Option<u64>, problem: &Problem) -> Result<(), Gone> {
        self.send(&Message::Problem { id, problem: problem.details() }).await
    }

    async fn send(&mut self, message: &Message) -> Result<(), Gone> {
        let text = serde_json::to_string(message).expect("messages are plain JSON");
        self.socket.send(Frame::Text(text.into())).await.map_err(|_| Gone)
    }
}

/// Waits for its turn, builds the player if it is another one than before, and lets it think.
async fn work(
    shared: Arc<Shared>,
    player: Option<Seated>,
    task: Task,
    signal: Signal,
    tell: mpsc::Sender<Line>,
) -> (Option<Seated>, Result<Decision, Problem>) {
    let game = match game_name(&task.game) {
        Ok(game) => game,
        Err(problem) => return (player, Err(problem)),
    };
    let bounds = &shared.settings.bounds;
    let turn = tokio::time::timeout(bounds.patience, Arc::clone(&shared.thinkers).acquire_owned());
    let Ok(Ok(permit)) = turn.await else {
        return (player, Err(Problem::Busy { what: "all thinkers are at work" }));
    };
    let limits = Limits {
        nodes: task.limits.nodes.map(|nodes| nodes.clamp(1, bounds.nodes)),
        depth: task.limits.depth.map(|depth| depth.max(1)),
        move_time: task
            .limits
            .move_time_ms
            .map(Duration::from_millis)
            .map(|t| t.min(bounds.think_time)),
        infinite: task.limits.infinite,
        ..Limits::default()
    };
    let lines = task.lines.clamp(1, bounds.lines);
    let thought = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let fits = |seated: &Seated| {
            seated.game == game && seated.name == task.player && seated.lines == lines
        };
        let mut seated = match player.filter(fits) {
            Some(seated) => seated,
            None => match thinker(&shared, game, &task.player, lines) {
                Ok(thinker) => Seated { game, name: task.player, lines, thinker },
                Err(problem) => return (None, Err(problem)),
            },
        };
        let decision = seated.thinker.think(&task.position, &limits, &signal, &mut |line| {
            // A client that is too slow for its lines gets the next ones.
            let _ = tell.try_send(line);
        });
        (Some(seated), decision)
    });
    match thought.await {
        Ok(done) => done,
        Err(_) => (None, Err(Problem::Failed("the player failed".to_owned()))),
    }
}
