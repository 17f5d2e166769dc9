//! Watching a run: what training writes is told as it is written.

use std::sync::Arc;

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, close_code};
use axum::response::Response;
use keisei_train::live::LiveGames;
use serde::{Deserialize, Serialize};
use tokio::sync::{broadcast, watch};
use utoipa::{IntoParams, ToSchema};

use super::blocking;
use super::extract::{Parameters, Path, Upgrade};
use super::runs::Games;
use crate::metrics::MetricsRow;
use crate::problem::{Problem, Refusals};
use crate::run_folders::{Subscription, WatchedRun};
use crate::server::{Shared, ended};

/// What watchers of a run are told.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum LiveMessage {
    /// Records were written.
    Metrics {
        /// Changes when the records before are no longer those that were sent.
        generation: u64,
        /// How many records came before these.
        after: usize,
        /// How many there are now.
        records: usize,
        /// The new ones.
        rows: Vec<MetricsRow>,
    },
    /// The games that are being played now.
    #[schema(value_type = Games)]
    Games(LiveGames),
    /// How the run stands.
    State {
        /// Whether it has reached its end.
        finished: bool,
        /// How many models it has written.
        models: usize,
    },
    /// The curves have to be fetched again: the run went back to an earlier state, or the watcher
    /// was too slow.
    Restart {
        /// The generation of the curves now.
        generation: u64,
    },
}

impl LiveMessage {
    pub(crate) fn text(&self) -> Utf8Bytes {
        serde_json::to_string(self).expect("messages are plain JSON").into()
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct After {
    /// How many records the watcher has already.
    #[serde(default)]
    after: usize,
    /// Their generation.
    #[serde(default)]
    generation: u64,
}

/// Watch a run (WebSocket). Every message is a `LiveMessage`.
#[utoipa::path(get, path = "/api/runs/{run}/live", tag = "runs",
    params(("run" = String, Path, description = "The run's name"), After),
    responses((status = 101, description = "Messages follow"),
        (status = 426, description = "Not a WebSocket", content_type = "application/problem+json", body = crate::problem::ProblemDetails),
        Refusals))]
pub(super) async fn live(
    State(shared): State<Arc<Shared>>,
    Path(run): Path<String>,
    Parameters(After { after, generation }): Parameters<After>,
    upgrade: Result<Upgrade, Problem>,
) -> Result<Response, Problem> {
    let watched = {
        let shared = Arc::clone(&shared);
        blocking(move || shared.runs.watched(&run)).await?
    };
    let Upgrade(upgrade) = upgrade?;
    let subscription = {
        let watched = Arc::clone(&watched);
        blocking(move || watched.subscribe(after, generation)).await?
    };
    let ending = shared.ending.clone();
    if subscription.follow {
        tokio::spawn(Arc::clone(&watched).follow());
    }
    Ok(upgrade.on_upgrade(move |socket| tell(socket, watched, subscription, ending)))
}

/// Passes on what happens until the watcher leaves or the server ends.
async fn tell(
    mut socket: WebSocket,
    watched: Arc<WatchedRun>,
    subscription: Subscription,
    ending: watch::Receiver<bool>,
) {
    let Subscription { first, mut news, .. } = subscription;
    for message in first {
        if socket.send(Message::Text(message)).await.is_err() {
            return;
        }
    }
    loop {
        let message = tokio::select! {
            () = ended(ending.clone()) => {
                let reason = "the server is ending".into();
                let frame = CloseFrame { code: close_code::AWAY, reason };
                let _ = socket.send(Message::Close(Some(frame))).await;
                return;
            }
            heard = socket.recv() => match heard {
                // Watchers have nothing to say; pings are answered by the library.
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Text(_))) => continue,
                _ => return,
            },
            message = news.recv() => message,
        };
        let message = match message {
            Ok(message) => message,
            Err(broadcast::error::RecvError::Lagged(_)) => {
                // What comes next is newer than what was missed.
                news = news.resubscribe();
                let watched = Arc::clone(&watched);
                let generation = blocking(move || watched.metrics(|file| file.generation())).await;
                LiveMessage::Restart { generation: generation.unwrap_or_default() }.text()
            }
            Err(broadcast::error::RecvError::Closed) => return,
        };
        if socket.send(Message::Text(message)).await.is_err() {
            return;
        }
    }
}
