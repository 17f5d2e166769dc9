//! The API: its routes and the document that describes them.

mod extract;
pub(crate) mod live;
mod players;
mod records;
mod runs;
mod think;

use std::sync::Arc;

use axum::Json;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::Method;
use axum::routing::get;
use keisei_games::GameName;
use serde::Serialize;
use utoipa::openapi::OpenApi as Document;
use utoipa::{OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::problem::{Problem, Refusals};
use crate::server::Shared;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Keisei",
        description = "Watch runs of training, play and analyse with the players of this machine, \
            read and write records of games.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    components(schemas(live::LiveMessage, think::Request, think::Message))
)]
struct Api;

fn documented(record_bytes: usize) -> (axum::Router<Arc<Shared>>, Document) {
    let record = OpenApiRouter::new()
        .routes(routes!(records::read, records::write))
        .layer(DefaultBodyLimit::max(record_bytes));
    OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(server))
        .routes(routes!(runs::list))
        .routes(routes!(runs::show))
        .routes(routes!(runs::metrics))
        .routes(routes!(runs::games))
        .routes(routes!(runs::game_file))
        .routes(routes!(runs::checkpoints))
        .routes(routes!(runs::model))
        .routes(routes!(runs::ladder))
        .routes(routes!(live::live))
        .routes(routes!(players::list))
        .routes(routes!(players::evaluate))
        .routes(routes!(think::think))
        .routes(routes!(records::list))
        .merge(record)
        .split_for_parts()
}

/// The document that describes the API: OpenAPI 3.1.
pub fn document() -> Document {
    documented(0).1
}

pub(crate) fn router(record_bytes: usize) -> axum::Router<Arc<Shared>> {
    let (router, document) = documented(record_bytes);
    router.route("/api", get(async move || Json(document))).method_not_allowed_fallback(
        async |method: Method| Problem::Method { method: method.to_string() },
    )
}

/// What a server is and offers.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ServerInfo {
    /// The version of the program.
    version: &'static str,
    /// The games that its players play.
    games: Vec<&'static str>,
    /// Whether it keeps records.
    records: bool,
    /// What a player may do for one answer.
    limits: ThinkLimits,
}

/// What a player may do for one answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct ThinkLimits {
    /// Positions visited.
    nodes: u64,
    /// Milliseconds.
    move_time_ms: u64,
    /// Best lines reported.
    lines: usize,
}

/// What the server is and offers.
#[utoipa::path(get, path = "/api/server", tag = "server",
    responses((status = 200, body = ServerInfo), Refusals))]
async fn server(State(shared): State<Arc<Shared>>) -> Json<ServerInfo> {
    let bounds = &shared.settings.bounds;
    Json(ServerInfo {
        version: env!("CARGO_PKG_VERSION"),
        games: GameName::NAMES.to_vec(),
        records: shared.settings.records.is_some(),
        limits: ThinkLimits {
            nodes: bounds.nodes,
            move_time_ms: bounds.think_time.as_millis() as u64,
            lines: bounds.lines,
        },
    })
}

/// Runs what reads the disk or computes where it keeps nobody else waiting.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Problem::Busy { what: "the server is ending" }),
        },
    }
}
