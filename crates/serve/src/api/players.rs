//! The players that clients may have, and what networks think without search.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use keisei_engine::{EngineKind, PlayerSpec, models, network_player::SHIPPED};
use keisei_games::GameName;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::extract::{Body, Parameters};
use super::{blocking, runs};
use crate::problem::{Problem, Refusals};
use crate::server::Shared;
use crate::thinker::{Evaluated, evaluate as ask};

/// A player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Player {
    /// Its name, as on the command line.
    name: String,
    /// What it is.
    kind: PlayerKind,
    /// The run that it is a network of.
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<String>,
}

/// What a player is.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PlayerKind {
    /// A yardstick without a network.
    Classical,
    /// A network with search.
    Net,
    /// A network without search.
    Policy,
    /// Somebody else's program.
    Engine,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// The game.
    #[param(value_type = GameChoice, inline)]
    game: String,
}

/// A game, for the API's document: [`GameName`] reads its name.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes values for the API's document")]
pub(super) enum GameChoice {
    Shogi,
    Chess,
    Animal,
}

/// Reads the name of a game.
pub(super) fn game_name(text: &str) -> Result<GameName, Problem> {
    text.parse().map_err(|_| Problem::Parameter {
        name: "game",
        value: text.to_owned(),
        expected: format!("one of {}", GameName::NAMES.join(", ")),
    })
}

/// The players of a game. Settings may be added to their names: `net:shipped,simulations=100`.
#[utoipa::path(get, path = "/api/players", tag = "players", params(Wanted),
    responses((status = 200, body = [Player]), Refusals))]
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Parameters(Wanted { game }): Parameters<Wanted>,
) -> Result<Json<Vec<Player>>, Problem> {
    let game = game_name(&game)?;
    blocking(move || players(&shared, game)).await.map(Json)
}

fn players(shared: &Shared, game: GameName) -> Result<Vec<Player>, Problem> {
    let classical =
        |name: &str| Player { name: name.to_owned(), kind: PlayerKind::Classical, run: None };
    let mut players: Vec<_> = ["random", "mate1", "greedy"].map(classical).into();
    let deepest = shared.settings.bounds.depth.min(3);
    players.extend((1..=deepest).map(|depth| classical(&format!("ab:{depth}"))));
    let mut add = |network: &str, run: Option<&str>| {
        for (kind, word) in [(PlayerKind::Net, "net"), (PlayerKind::Policy, "policy")] {
            let run = run.map(str::to_owned);
            players.push(Player { name: format!("{word}:{network}"), kind, run });
        }
    };
    if models::network(game.name(), Path::new(SHIPPED)).is_some() {
        add(SHIPPED, None);
    }
    for run in shared.runs.list()?.iter().filter(|run| runs::game(run) == game.name()) {
        add(&run.path().display().to_string(), Some(run.name()));
    }
    let engines = shared.settings.engines.iter().filter(|spec| plays(spec, game));
    players.extend(engines.map(|spec| Player {
        name: spec.to_string(),
        kind: PlayerKind::Engine,
        run: None,
    }));
    Ok(players)
}

/// Whether an engine may play a game, by the language it speaks.
fn plays(spec: &PlayerSpec, game: GameName) -> bool {
    let PlayerSpec::Engine(engine) = spec else { return false };
    match engine.kind {
        EngineKind::Usi | EngineKind::GnuShogi => game == GameName::Shogi,
        EngineKind::Uci => game == GameName::Chess,
    }
}

/// A position that a network is asked about.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// The game.
    #[schema(value_type = GameChoice)]
    game: String,
    /// The network: `shipped`, a run or a model of a run.
    #[schema(examples("shipped"))]
    network: String,
    /// The position line without its first word.
    #[schema(examples("startpos moves 7g7f"))]
    position: String,
}

/// What a network thinks of a position, without search: its policy and its value.
#[utoipa::path(post, path = "/api/evaluate", tag = "players", request_body = Question,
    responses((status = 200, body = Evaluated), Refusals))]
pub(super) async fn evaluate(
    State(shared): State<Arc<Shared>>,
    Body(Question { game, network, position }): Body<Question>,
) -> Result<Json<Evaluated>, Problem> {
    let game = game_name(&game)?;
    let busy = Problem::Busy { what: "all thinkers are at work" };
    let permit = Arc::clone(&shared.thinkers).acquire_owned().await.map_err(|_| busy)?;
    blocking(move || {
        let _permit = permit;
        ask(&shared, game, &network, &position)
    })
    .await
    .map(Json)
}
