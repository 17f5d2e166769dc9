//! Players by name, for clients: only those that may be had, with bounded work.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use keisei_encode::legal_actions;
use keisei_engine::network_player::{SHIPPED, SearchPlayer, find_weights, load_network};
use keisei_engine::search::{SearchSettings, win_rate};
use keisei_engine::{
    Answer, Arena, Limits, NetSpec, OwnLimits, Player, PlayerSpec, Report, Score, Signal,
};
use keisei_game::{Game, Position, PositionLine, PositionLineError, Rules};
use keisei_games::{GameName, with_game};
use keisei_net::Evaluator;
use serde::Serialize;
use utoipa::ToSchema;

use crate::problem::{Problem, build_problem};
use crate::run_folders::is_inside;
use crate::server::Shared;

/// How often lines are told on the way.
const REPORT_EVERY: Duration = Duration::from_millis(200);

/// Somebody who plays, whatever the game.
pub(crate) trait Thinker: Send {
    /// Thinks about the game of a position line.
    fn think(
        &mut self,
        position: &str,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(Line),
    ) -> Result<Decision, Problem>;
}

/// A line of play that a player considers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Line {
    /// Which of the best lines this is, from 1.
    line: usize,
    /// How many plies deep the search looked.
    depth: u32,
    /// How many positions it visited.
    nodes: u64,
    /// How long it has been thinking.
    time_ms: u64,
    /// How good the position is for the side to move.
    score: LineScore,
    /// How likely the side to move wins, from 0 to 1.
    win_rate: Option<f32>,
    /// The moves it expects.
    moves: Vec<String>,
}

/// How good a position is for the side to move.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LineScore {
    /// In hundredths of a pawn.
    Cp(i32),
    /// Mate in so many plies: positive if the side to move gives it.
    Mate(i32),
}

/// What a player decides.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "answer", rename_all = "snake_case")]
pub(crate) enum Decision {
    /// It moves.
    Play {
        /// The move.
        #[serde(rename = "move")]
        mv: String,
        /// The reply it expects.
        ponder: Option<String>,
    },
    /// It gives up.
    Resign,
    /// It declares a win by the rules.
    Win,
}

impl<M: std::fmt::Display> From<&Report<M>> for Line {
    fn from(report: &Report<M>) -> Self {
        Self {
            line: report.line,
            depth: report.depth,
            nodes: report.nodes,
            time_ms: report.time.as_millis() as u64,
            score: match report.score {
                Score::Centipawns(score) => LineScore::Cp(score),
                Score::Mate(plies) => LineScore::Mate(plies),
            },
            win_rate: report.win_rate,
            moves: report.moves.iter().map(ToString::to_string).collect(),
        }
    }
}

impl<M: std::fmt::Display> From<Answer<M>> for Decision {
    fn from(answer: Answer<M>) -> Self {
        match answer {
            Answer::Play { mv, ponder } => {
                Self::Play { mv: mv.to_string(), ponder: ponder.map(|mv| mv.to_string()) }
            }
            Answer::Resign => Self::Resign,
            Answer::Win => Self::Win,
        }
    }
}

/// The player called `name`, who reports so many lines where it can.
pub(crate) fn thinker(
    shared: &Shared,
    game: GameName,
    name: &str,
    lines: usize,
) -> Result<Box<dyn Thinker>, Problem> {
    let spec = permitted(shared, name)?;
    with_game!(game, G => seat::<G>(shared, name, &spec, lines))
}

fn seat<G: Arena>(
    shared: &Shared,
    name: &str,
    spec: &PlayerSpec,
    lines: usize,
) -> Result<Box<dyn Thinker>, Problem> {
    let bounds = &shared.settings.bounds;
    let (player, own): (Box<dyn Player<G>>, OwnLimits) = match spec {
        PlayerSpec::Net(net) => {
            let settings = SearchSettings {
                // Visitors share the machine's cores; none takes several.
                threads: 1,
                memory: bounds.tree_memory,
                multi_pv: lines,
                report_every: REPORT_EVERY,
                ..net.search_settings()
            };
            let player = SearchPlayer::open(name, &net.checkpoint, settings)
                .map_err(|error| build_problem(name, error.into(), &shared.settings.runs))?;
            (Box::new(player), OwnLimits { seconds: net.seconds, ..OwnLimits::default() })
        }
        spec => {
            let seed = u64::from(std::process::id());
            let player = spec
                .build(seed)
                .map_err(|error| build_problem(name, error, &shared.settings.runs))?;
            (player, OwnLimits::default())
        }
    };
    Ok(Box::new(Seat { player, own, before: None }))
}

/// A player of `G` at its board.
struct Seat<G: Arena> {
    player: Box<dyn Player<G>>,
    own: OwnLimits,
    /// The game that it thought about last.
    before: Option<G>,
}

impl<G: Arena> Thinker for Seat<G> {
    fn think(
        &mut self,
        position: &str,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(Line),
    ) -> Result<Decision, Problem> {
        let game: G = read_game(position)?;
        if let Some(outcome) = game.outcome() {
            let problem = format!("the game is over: {outcome}");
            return Err(Problem::Position { position: position.to_owned(), problem });
        }
        let goes_on =
            |before: &G| before.start() == game.start() && game.moves().starts_with(before.moves());
        if !self.before.as_ref().is_some_and(goes_on) {
            self.player.new_game()?;
        }
        let limits = self.own.over(limits);
        let answer =
            self.player.think(&game, &limits, signal, &mut |found| report(Line::from(found)))?;
        self.before = Some(game);
        Ok(answer.into())
    }
}

/// The game of a position line. Where its moves go on after the rules have ended it, as people do
/// who study a game, it begins anew.
pub(crate) fn read_game<G: Game>(text: &str) -> Result<G, Problem> {
    let problem = |error: PositionLineError| Problem::Position {
        position: text.to_owned(),
        problem: error.to_string(),
    };
    let line = PositionLine::read_strictly::<G>(text).map_err(problem)?;
    let rules = Rules::between_people::<G>();
    let start = line.start_position::<G>().map_err(problem)?;
    let mut game = G::with_rules(start, rules);
    line.each_move(|text| {
        if game.is_over() && game.position().has_legal_moves() {
            game = G::with_rules(game.position().clone(), rules);
        }
        let mv = game.parse_move(text)?;
        game.play(mv)
    })
    .map_err(problem)?;
    Ok(game)
}

/// What a network says of a position, without search.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Evaluated {
    /// How likely the side to move wins, from 0 to 1.
    value: f32,
    /// The legal moves, the likeliest first.
    moves: Vec<Likely>,
}

/// A move that a network considers.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Likely {
    /// The move.
    #[serde(rename = "move")]
    mv: String,
    /// How likely the network plays it.
    probability: f32,
}

/// Asks a network about a position.
pub(crate) fn evaluate(
    shared: &Shared,
    game: GameName,
    network: &str,
    position: &str,
) -> Result<Evaluated, Problem> {
    let path = permitted_network(shared, network, Path::new(network))?;
    with_game!(game, G => evaluate_in::<G>(shared, network, &path, position))
}

fn evaluate_in<G: Arena>(
    shared: &Shared,
    name: &str,
    path: &Path,
    position: &str,
) -> Result<Evaluated, Problem> {
    let game: G = read_game(position)?;
    let mut network = load_network::<G>(path)
        .map_err(|error| build_problem(name, error.into(), &shared.settings.runs))?;
    let legal = legal_actions::<G::Actions>(game.position());
    if legal.is_empty() {
        let problem = "there is no legal move".to_owned();
        return Err(Problem::Position { position: position.to_owned(), problem });
    }
    let actions: Vec<_> = legal.iter().map(|&(action, _)| action as u32).collect();
    let found = network.evaluate(&[game.pack()], &[&actions]).remove(0);
    let likely =
        |(&(_, mv), probability): (&(_, G::Move), f32)| Likely { mv: mv.to_string(), probability };
    let mut moves: Vec<_> = legal.iter().zip(found.policy).map(likely).collect();
    moves.sort_by(|a, b| b.probability.total_cmp(&a.probability));
    Ok(Evaluated { value: win_rate(found.value), moves })
}

/// The player of this name, if clients may have it: no program is started but those that were named
/// when the server was, no file is read but models of runs, and nobody thinks for longer than they
/// may.
fn permitted(shared: &Shared, name: &str) -> Result<PlayerSpec, Problem> {
    let bounds = &shared.settings.bounds;
    let refused = |problem: &str| Problem::player(name, problem);
    let spec: PlayerSpec = name.parse().map_err(|error| Problem::player(name, error))?;
    Ok(match spec {
        PlayerSpec::Human => return Err(refused("people play at the board")),
        PlayerSpec::Engine(_) if !shared.settings.engines.contains(&spec) => {
            return Err(refused("this engine was not named with --engine"));
        }
        PlayerSpec::AlphaBeta { depth, .. } if depth > bounds.depth => {
            return Err(refused(&format!(
                "alpha-beta looks {} plies deep here at most",
                bounds.depth
            )));
        }
        PlayerSpec::Policy { checkpoint, greedy, temperature, mirror } => {
            let checkpoint = permitted_network(shared, name, &checkpoint)?;
            PlayerSpec::Policy { checkpoint, greedy, temperature, mirror }
        }
        PlayerSpec::Net(net) => {
            let checkpoint = permitted_network(shared, name, &net.checkpoint)?;
            let simulations = net.simulations.map(|count| count.min(bounds.nodes));
            let seconds = net.seconds.map(|time| time.min(bounds.think_time));
            PlayerSpec::Net(NetSpec { checkpoint, simulations, seconds, threads: None, ..net })
        }
        spec => spec,
    })
}

/// The weights of a network, named as on the command line: the built-in one, a run, or a model of a
/// run. The folder of the runs may be left out.
fn permitted_network(shared: &Shared, name: &str, path: &Path) -> Result<PathBuf, Problem> {
    if path == Path::new(SHIPPED) {
        return Ok(path.to_owned());
    }
    let runs = shared.runs.folder();
    let within = path.strip_prefix(runs).unwrap_or(path);
    let refused = || Problem::player(name, "networks are `shipped`, a run, or a model of a run");
    let plain = within.components().all(|part| matches!(part, Component::Normal(_)));
    let run = within.components().next().and_then(|part| part.as_os_str().to_str());
    let (true, Some(run)) = (plain, run) else { return Err(refused()) };
    let run = shared.runs.find(run)?;
    let found = find_weights(&runs.join(within))
        .map_err(|error| build_problem(name, error.into(), runs))?;
    let model = found.extension().is_some_and(|extension| extension == "safetensors");
    match model && is_inside(run.path(), &found) {
        true => Ok(found),
        false => Err(refused()),
    }
}
