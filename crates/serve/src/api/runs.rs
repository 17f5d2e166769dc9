//! Runs: how far they are, their settings, curves, games, models and ladders.

use std::fs;
use std::path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use keisei_train::live::{LiveEnd, LiveGame, LiveGames};
use keisei_train::metrics::names;
use keisei_train::run::{MODEL_EXTENSION, RunFolder, step_of};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::blocking;
use super::extract::{Parameters, Path};
use crate::metrics::{Axis, Columns, Curve, Scale, Window, newest};
use crate::problem::{Problem, Refusals};
use crate::run_folders::{is_inside, read_games};
use crate::server::Shared;

/// A run writes something at least this often while it goes on.
const QUIET: Duration = Duration::from_secs(180);
/// The most points of a curve.
const MOST_POINTS: usize = 4_000;
/// The most bytes of a file of evaluation games or of a ladder.
const MOST_BYTES: u64 = 16 << 20;

/// A run in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RunSummary {
    /// Its name.
    name: String,
    /// The game that it learns.
    game: String,
    /// The preset that its settings are based on.
    preset: Option<String>,
    /// When it began.
    began: Option<String>,
    /// Whether it has reached its end.
    finished: bool,
    /// Whether it is going on: it is not finished, and wrote something in the last minutes.
    live: bool,
    /// How many updates were made.
    update: u32,
    /// How many moves were made.
    step: u64,
    /// Seconds of training.
    seconds: f64,
    /// Moves a second, lately.
    speed: Option<f32>,
    /// The last rating over random play that is known.
    elo: Option<f32>,
    /// Half the width of its 95 % interval.
    elo_error: Option<f32>,
}

/// A run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Run {
    #[serde(flatten)]
    summary: RunSummary,
    /// Every setting, as the run resolved it.
    #[schema(value_type = Object)]
    settings: serde_json::Value,
    /// The names of its metrics.
    metrics: Vec<String>,
}

/// All runs, by name.
#[utoipa::path(get, path = "/api/runs", tag = "runs",
    responses((status = 200, body = [RunSummary]), Refusals))]
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
) -> Result<Json<Vec<RunSummary>>, Problem> {
    blocking(move || shared.runs.list()?.iter().map(summary).collect()).await.map(Json)
}

/// A run with its settings.
#[utoipa::path(get, path = "/api/runs/{run}", tag = "runs",
    params(("run" = String, Path, description = "The run's name")),
    responses((status = 200, body = Run), Refusals))]
pub(super) async fn show(
    State(shared): State<Arc<Shared>>,
    Path(run): Path<String>,
) -> Result<Json<Run>, Problem> {
    blocking(move || {
        let watched = shared.runs.watched(&run)?;
        let metrics = watched.metrics(|file| {
            file.columns().metrics.iter().map(|column| column.name.clone()).collect()
        })?;
        let folder = watched.folder();
        Ok(Run { summary: summary(folder)?, settings: settings(folder), metrics })
    })
    .await
    .map(Json)
}

fn settings(run: &RunFolder) -> serde_json::Value {
    let text = fs::read_to_string(run.config_file()).unwrap_or_default();
    let table: Option<toml::Table> = toml::from_str(&text).ok();
    table.and_then(|table| serde_json::to_value(table).ok()).unwrap_or(serde_json::json!({}))
}

/// The game that a run learns.
pub(super) fn game(run: &RunFolder) -> String {
    let game = settings(run).pointer("/env/game").and_then(|game| Some(game.as_str()?.to_owned()));
    game.unwrap_or_default()
}

fn summary(run: &RunFolder) -> Result<RunSummary, Problem> {
    let disk = |error: std::io::Error| Problem::Disk(error.to_string());
    let columns = newest(&run.metrics_file()).map_err(disk)?;
    let last = |name: &str| columns.metric(name).and_then(|column| column.values.last().copied());
    let origin = run.origin();
    let finished = run.is_finished();
    Ok(RunSummary {
        name: run.name().to_owned(),
        game: game(run),
        preset: origin.as_ref().map(|origin| origin.preset.clone()),
        began: origin.map(|origin| origin.began.to_string()),
        finished,
        live: !finished && last_written(run).is_some_and(is_recent),
        update: columns.updates.last().copied().unwrap_or(0),
        step: columns.steps.last().copied().unwrap_or(0),
        seconds: seconds(&columns),
        speed: last(names::SPS),
        elo: last(names::EVAL_ELO),
        elo_error: last(names::EVAL_ELO_ERROR),
    })
}

fn seconds(columns: &Columns) -> f64 {
    let column = columns.metric(names::SECONDS);
    column.and_then(|column| column.values.last()).map_or(0.0, |&last| last.into())
}

fn last_written(run: &RunFolder) -> Option<SystemTime> {
    let files = [run.metrics_file(), run.live_file(), run.config_file()];
    files.iter().filter_map(|file| fs::metadata(file).ok()?.modified().ok()).max()
}

fn is_recent(time: SystemTime) -> bool {
    time.elapsed().is_ok_and(|age| age < QUIET)
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct CurvesWanted {
    /// The metrics, with commas between them; all if none is named.
    names: Option<String>,
    /// What the curves are drawn over.
    #[serde(default)]
    #[param(inline)]
    x: Axis,
    /// From where.
    from: Option<f64>,
    /// To where.
    to: Option<f64>,
    /// How many points a curve may have.
    #[param(minimum = 1, maximum = 4000, default = 600)]
    points: Option<usize>,
    /// How the points are spread.
    #[serde(default)]
    #[param(inline)]
    scale: Scale,
}

/// The curves of a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Curves {
    /// Changes when a run goes back to an earlier state.
    generation: u64,
    /// How many records there are: where a watcher goes on.
    records: usize,
    /// What they are drawn over.
    x: Axis,
    /// The curves.
    curves: Vec<Curve>,
}

/// The curves of a run, reduced to a number of points that keep what is least and greatest.
#[utoipa::path(get, path = "/api/runs/{run}/metrics", tag = "runs",
    params(("run" = String, Path, description = "The run's name"), CurvesWanted),
    responses((status = 200, body = Curves), Refusals))]
pub(super) async fn metrics(
    State(shared): State<Arc<Shared>>,
    Path(run): Path<String>,
    Parameters(wanted): Parameters<CurvesWanted>,
) -> Result<Json<Curves>, Problem> {
    let window = wanted.window()?;
    blocking(move || {
        let names = wanted.names.as_ref().map(|names| names.split(',').collect::<Vec<_>>());
        shared.runs.watched(&run)?.metrics(|file| Curves {
            generation: file.generation(),
            records: file.columns().len(),
            x: wanted.x,
            curves: file.curves(names.as_deref(), wanted.x, window),
        })
    })
    .await
    .map(Json)
}

impl CurvesWanted {
    fn window(&self) -> Result<Window, Problem> {
        let points = self.points.unwrap_or(600);
        if !(1..=MOST_POINTS).contains(&points) {
            let expected = format!("a number from 1 to {MOST_POINTS}");
            return Err(Problem::Parameter { name: "points", value: points.to_string(), expected });
        }
        for (name, value) in [("from", self.from), ("to", self.to)] {
            if let Some(value) = value.filter(|value| value.is_nan()) {
                let expected = "a number".to_owned();
                return Err(Problem::Parameter { name, value: value.to_string(), expected });
            }
        }
        let (from, to) = (self.from.unwrap_or(0.0), self.to.unwrap_or(f64::INFINITY));
        Ok(Window { from, to, points, scale: self.scale })
    }
}

/// The games that a run plays.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(crate) struct Games {
    /// How many updates were made.
    update: u64,
    /// How many moves were made.
    step: u64,
    /// Some of the games that are being played.
    playing: Vec<Game>,
    /// Those that ended last, the newest first.
    ended: Vec<Game>,
    /// The files of evaluation games, the newest first.
    files: Vec<String>,
}

/// A game of a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Game {
    /// The game as a position line without its first word.
    position: String,
    /// How many of its moves were there when it was rewound to and begun anew.
    began_at: usize,
    /// The side that an earlier self plays, from 0.
    earlier_self: Option<usize>,
    /// How it ended, if it did.
    end: Option<End>,
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct End {
    /// The side that won, from 0.
    winner: Option<usize>,
    /// By which rule.
    reason: String,
}

impl From<LiveGame> for Game {
    fn from(game: LiveGame) -> Self {
        let LiveGame { position, began_at, earlier_self, end } = game;
        let end = end.map(|LiveEnd { winner, reason }| End { winner, reason });
        Self { position, began_at, earlier_self, end }
    }
}

/// The games that a run plays now, those that ended last, and the files of its evaluations.
#[utoipa::path(get, path = "/api/runs/{run}/games", tag = "runs",
    params(("run" = String, Path, description = "The run's name")),
    responses((status = 200, body = Games), Refusals))]
pub(super) async fn games(
    State(shared): State<Arc<Shared>>,
    Path(run): Path<String>,
) -> Result<Json<Games>, Problem> {
    blocking(move || {
        let run = shared.runs.find(&run)?;
        let LiveGames { update, step, playing, ended } = read_games(&run)?.unwrap_or_default();
        let mut files = file_names(&run.games(), "usi");
        files.sort_by(|a, b| b.cmp(a));
        let [playing, ended] =
            [playing, ended].map(|all| all.into_iter().map(Game::from).collect());
        Ok(Games { update, step, playing, ended, files })
    })
    .await
    .map(Json)
}

/// The names of the files in `folder` that end so; files being written are left out.
fn file_names(folder: &std::path::Path, extension: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| is_file_name(name, extension)).collect()
}

fn is_file_name(name: &str, extension: &str) -> bool {
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_=.".contains(letter);
    let stem = name.strip_suffix(extension).and_then(|stem| stem.strip_suffix('.'));
    stem.is_some_and(|stem| !stem.is_empty()) && !name.starts_with('.') && name.chars().all(allowed)
}

/// A file of evaluation games: a position line for each game.
#[utoipa::path(get, path = "/api/runs/{run}/games/{file}", tag = "runs",
    params(("run" = String, Path, description = "The run's name"),
        ("file" = String, Path, description = "The file's name")),
    responses((status = 200, body = String, content_type = "text/plain"), Refusals))]
pub(super) async fn game_file(
    State(shared): State<Arc<Shared>>,
    Path((run, file)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let text = blocking(move || {
        let folder = shared.runs.find(&run)?.games();
        read_bounded(&shared, &folder, &file, "usi", MOST_BYTES)
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

/// A file in a folder of a run, if it is in the folder of all runs.
fn read_bounded(
    shared: &Shared,
    folder: &std::path::Path,
    name: &str,
    extension: &str,
    most: u64,
) -> Result<Vec<u8>, Problem> {
    let missing = || Problem::NoFile { name: name.to_owned() };
    let path = folder.join(name);
    if !is_file_name(name, extension) || !is_inside(shared.runs.folder(), &path) {
        return Err(missing());
    }
    let data = fs::metadata(&path).map_err(Problem::reading(name))?;
    if data.len() > most {
        return Err(Problem::Failed(format!("{name} is larger than {most} bytes")));
    }
    fs::read(&path).map_err(Problem::reading(name))
}

/// A model that a run has written.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Checkpoint {
    /// The file's name.
    file: String,
    /// After how many moves of training it was written.
    step: Option<u64>,
    /// Its size in bytes.
    bytes: u64,
    /// When it was written.
    written: Option<String>,
    /// What the network is called in the name of a player: `net:` or `policy:` stand before it.
    network: String,
}

/// The models of a run, the newest last.
#[utoipa::path(get, path = "/api/runs/{run}/checkpoints", tag = "runs",
    params(("run" = String, Path, description = "The run's name")),
    responses((status = 200, body = [Checkpoint]), Refusals))]
pub(super) async fn checkpoints(
    State(shared): State<Arc<Shared>>,
    Path(run): Path<String>,
) -> Result<Json<Vec<Checkpoint>>, Problem> {
    blocking(move || {
        let run = shared.runs.find(&run)?;
        let folder = run.models();
        if !is_inside(shared.runs.folder(), &folder) {
            return Ok(Vec::new());
        }
        let checkpoint = |file: String| {
            let data = fs::metadata(folder.join(&file)).ok()?;
            let written = data.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
            Some(Checkpoint {
                step: step_of(path::Path::new(&file)),
                bytes: data.len(),
                written: written.map(|time| time.to_string()),
                network: folder.join(&file).display().to_string(),
                file,
            })
        };
        let mut found: Vec<_> =
            file_names(&folder, MODEL_EXTENSION).into_iter().filter_map(checkpoint).collect();
        found.sort_by(|a, b| (a.step, &a.file).cmp(&(b.step, &b.file)));
        Ok(found)
    })
    .await
    .map(Json)
}

/// A model: its weights as safetensors, which the client's own player takes too.
#[utoipa::path(get, path = "/api/runs/{run}/models/{file}", tag = "runs",
    params(("run" = String, Path, description = "The run's name"),
        ("file" = String, Path, description = "The model's file")),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), Refusals))]
pub(super) async fn model(
    State(shared): State<Arc<Shared>>,
    Path((run, file)): Path<(String, String)>,
) -> Result<Response, Problem> {
    const MOST: u64 = 1 << 30;
    let bytes = blocking(move || {
        let folder = shared.runs.find(&run)?.models();
        read_bounded(&shared, &folder, &file, MODEL_EXTENSION, MOST)
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response())
}

/// The table of a ladder, the strongest first.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Ladder {
    /// The game.
    game: String,
    /// How the games were played.
    conditions: String,
    /// Everybody.
    rows: Vec<Row>,
    /// Those who could not play, with the reason.
    left_out: Vec<(String, String)>,
}

/// Somebody on a ladder.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Row {
    /// The name.
    name: String,
    /// What is known of a player of this run; none for the rungs of the ladder.
    candidate: Option<Candidate>,
    /// The rating; none without games that connect it with random play.
    rating: Option<Rating>,
    /// The games against each opponent on this ladder, from this player's view.
    results: Vec<Met>,
}

/// A player of the run on its ladder.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Candidate {
    name: String,
    /// How it plays.
    kind: String,
    /// After how many moves of training.
    step: Option<u64>,
    /// After how many minutes of training.
    minutes: Option<f64>,
}

/// How strong a player is.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Rating {
    /// Elo over random play.
    elo: f64,
    /// Half the width of the 95 % interval.
    error: f64,
    games: u64,
    /// `at_least` or `at_most`, where all games were won or lost.
    bound: Option<String>,
}

/// The games between two players.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct Met {
    first: String,
    second: String,
    wins: u64,
    draws: u64,
    losses: u64,
}

/// The ladder of a run, as `keisei ladder` left it.
#[utoipa::path(get, path = "/api/runs/{run}/ladder", tag = "runs",
    params(("run" = String, Path, description = "The run's name")),
    responses((status = 200, body = Ladder), Refusals))]
pub(super) async fn ladder(
    State(shared): State<Arc<Shared>>,
    Path(run): Path<String>,
) -> Result<Json<Ladder>, Problem> {
    blocking(move || {
        let folder = shared.runs.find(&run)?.ladder();
        let none = || Problem::NotInRun { what: "ladder", run: run.clone() };
        let bytes = read_bounded(&shared, &folder, "ladder.json", "json", MOST_BYTES);
        let bytes = bytes.map_err(|problem| match problem {
            Problem::NoFile { .. } => none(),
            other => other,
        })?;
        serde_json::from_slice(&bytes).map_err(|error| Problem::Failed(format!("ladder: {error}")))
    })
    .await
    .map(Json)
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_ladder::ladder::{Candidate, Met, Rung, Table};
    use keisei_ladder::stats::Games;

    #[test]
    fn the_table_of_a_ladder_is_read_as_it_is_written() {
        let rungs = ["random", "mate1"].map(|name| Rung { name, player: name });
        let candidate = Candidate {
            name: "policy @ 100".to_owned(),
            kind: "policy".to_owned(),
            step: Some(100),
            minutes: None,
        };
        let met = |first: &str, second: &str| Met {
            first: first.to_owned(),
            second: second.to_owned(),
            games: Games { wins: 3, draws: 1, losses: 0 },
        };
        let games = [met("policy @ 100", "random"), met("mate1", "random")];
        let table = Table::new(&rungs, &[candidate], &[], &games);
        let text = serde_json::to_string(&table).unwrap();
        let read: Ladder = serde_json::from_str(&text).unwrap();
        let again = serde_json::to_value(&read).unwrap();
        assert_eq!(again, serde_json::to_value(&table).unwrap());
    }

    #[test]
    fn names_of_files_stay_in_their_folder() {
        for name in ["../x.usi", ".usi", ".hidden.usi", "a/b.usi", "a\\b.usi", "a.kif", "", "é.usi"]
        {
            assert!(!is_file_name(name, "usi"), "{name}");
        }
        assert!(is_file_name("update-0000000010-ab_2-greedy.usi", "usi"));
    }
}
