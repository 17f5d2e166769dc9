//! Players who think in steps, so that a worker hears what is said to it in between.

use std::time::Duration;

use keisei_engine::network_player::{Begun, PolicyChoice, PolicyPlayer, SearchPlayer};
use keisei_engine::search::{Run, SearchSettings as Settings};
use keisei_engine::{Clock, Limits, PlayerSpec, Report, Score, Signal};
use keisei_game::BySide;
use keisei_games::with_game;
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use web_time::Instant;

use crate::error::{Refusal, Result};
use crate::game::Game;
use crate::games::{GameName, Shown};
use crate::network::Network;

/// How a network plays.
#[derive(Clone, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[tsify(from_wasm_abi)]
pub struct SearchSettings {
    /// By its policy alone, without search.
    #[tsify(optional)]
    pub policy_only: Option<bool>,
    /// 0 plays the best move; above, moves are drawn, the more evenly the higher.
    #[tsify(optional)]
    pub temperature: Option<f32>,
    /// How many of the best lines are told.
    #[tsify(optional)]
    pub multi_pv: Option<u32>,
    /// The most simulations a move, whatever else limits it.
    #[tsify(optional)]
    pub simulations: Option<u32>,
    /// How much memory the tree may use, in MiB.
    #[tsify(optional)]
    pub memory: Option<u32>,
    /// How many positions are evaluated at once.
    #[tsify(optional)]
    pub batch: Option<u32>,
    /// By what the logits of the policy are divided; without one, by what suits the search.
    #[tsify(optional)]
    pub policy_temperature: Option<f32>,
    /// By how much of a Gumbel variable a small search is disturbed: 0 plays the best, 1 samples.
    #[tsify(optional)]
    pub noise: Option<f32>,
    /// Whether each position is evaluated together with its mirror image.
    #[tsify(optional)]
    pub mirror: Option<bool>,
    /// The chance to win below which the player resigns.
    #[tsify(optional)]
    pub resign_below: Option<f32>,
    /// Where chance begins.
    #[tsify(optional)]
    pub seed: Option<u32>,
}

/// When a player has to answer. Without any limit it answers as it likes best.
#[derive(Clone, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
#[tsify(from_wasm_abi)]
pub struct SearchLimits {
    /// How many positions may be visited.
    #[tsify(optional)]
    pub nodes: Option<u32>,
    /// The time for this move.
    #[tsify(optional)]
    pub milliseconds: Option<f64>,
    /// How many plies deep a search may look.
    #[tsify(optional)]
    pub depth: Option<u32>,
    /// Whether only `stop` ends the thinking.
    #[tsify(optional)]
    pub infinite: Option<bool>,
    #[tsify(optional)]
    pub clock: Option<ClockState>,
    /// The moves to choose from.
    #[tsify(optional)]
    pub moves: Option<Vec<String>>,
}

/// The clocks of both sides, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ClockState {
    pub first: f64,
    pub second: f64,
    #[serde(default)]
    pub increment_first: f64,
    #[serde(default)]
    pub increment_second: f64,
    #[serde(default)]
    pub byoyomi: f64,
}

/// What a step of thinking led to.
#[derive(Clone, Debug, Default, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct Progress {
    /// The best lines, if there is news of them.
    pub lines: Vec<SearchLine>,
    /// The answer, once there is one.
    pub answer: Option<Answer>,
}

/// A line of play that a player considers. Scores are the side to move's.
#[derive(Clone, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct SearchLine {
    /// Which of the best lines this is, from 1.
    pub rank: u32,
    pub depth: u32,
    pub selective_depth: Option<u32>,
    /// Null where a mate is known.
    pub centipawns: Option<i32>,
    /// Mate in so many plies; negative if the side to move is mated.
    pub mate: Option<i32>,
    /// From 0 to 1.
    pub win_rate: Option<f32>,
    pub nodes: f64,
    pub milliseconds: f64,
    pub moves: Vec<String>,
}

/// What a player answers.
#[derive(Clone, Debug, Serialize, Tsify)]
pub struct Answer {
    pub kind: AnswerKind,
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// The reply that the player expects.
    pub ponder: Option<String>,
}

/// The kinds of answers.
#[derive(Clone, Copy, Debug, Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum AnswerKind {
    Move,
    /// The player gives up.
    Resign,
    /// The player declares a win by the rules.
    Win,
}

impl<M: ToString> From<keisei_engine::Answer<M>> for Answer {
    fn from(answer: keisei_engine::Answer<M>) -> Self {
        use keisei_engine::Answer as Ours;
        match answer {
            Ours::Play { mv, ponder } => Self {
                kind: AnswerKind::Move,
                mv: Some(mv.to_string()),
                ponder: ponder.map(|reply| reply.to_string()),
            },
            Ours::Resign => Self { kind: AnswerKind::Resign, mv: None, ponder: None },
            Ours::Win => Self { kind: AnswerKind::Win, mv: None, ponder: None },
        }
    }
}

impl<M: ToString> From<&Report<M>> for SearchLine {
    fn from(report: &Report<M>) -> Self {
        let (centipawns, mate) = match report.score {
            Score::Centipawns(worth) => (Some(worth), None),
            Score::Mate(plies) => (None, Some(plies)),
        };
        Self {
            rank: report.line as u32,
            depth: report.depth,
            selective_depth: report.selective_depth,
            centipawns,
            mate,
            win_rate: report.win_rate,
            nodes: report.nodes as f64,
            milliseconds: report.time.as_secs_f64() * 1000.0,
            moves: report.moves.iter().map(ToString::to_string).collect(),
        }
    }
}

/// How often lines are told on the way.
const TOLD_EVERY: Duration = Duration::from_millis(100);

/// A tree of this size suits a phone too.
const MEMORY: u32 = 128;

impl SearchSettings {
    fn complete(&self) -> Settings {
        let usual = Settings::default();
        Settings {
            simulations: self.simulations.map(u64::from),
            temperature: self.temperature.unwrap_or(usual.temperature),
            multi_pv: self.multi_pv.map_or(usual.multi_pv, |lines| lines as usize),
            memory: self.memory.unwrap_or(MEMORY) as usize,
            batch: self.batch.map_or(usual.batch, |batch| batch as usize),
            policy_temperature: self.policy_temperature,
            noise: self.noise.unwrap_or(usual.noise),
            mirror: self.mirror.unwrap_or(usual.mirror),
            seed: self.seed.map_or(usual.seed, u64::from),
            report_every: TOLD_EVERY,
            ..usual
        }
    }
}

impl ClockState {
    fn complete(self) -> Result<Clock> {
        Ok(Clock {
            left: BySide([time(self.first)?, time(self.second)?]),
            increment: BySide([time(self.increment_first)?, time(self.increment_second)?]),
            byoyomi: time(self.byoyomi)?,
            moves_to_go: None,
        })
    }
}

impl SearchLimits {
    fn complete(self) -> Result<Limits> {
        Ok(Limits {
            clock: self.clock.map(ClockState::complete).transpose()?,
            move_time: self.milliseconds.map(time).transpose()?,
            nodes: self.nodes.map(u64::from),
            depth: self.depth,
            infinite: self.infinite.unwrap_or(false),
            search_moves: self.moves.unwrap_or_default(),
            ..Limits::default()
        })
    }
}

/// A time in milliseconds.
fn time(milliseconds: f64) -> Result<Duration> {
    Ok(Duration::try_from_secs_f64(milliseconds / 1000.0)?)
}

/// Somebody who plays one of the games.
#[wasm_bindgen]
pub struct Player(Box<dyn Thinks>);

/// What a [`Player`] can do, whichever game it plays.
trait Thinks {
    fn new_game(&mut self) -> Result<()>;
    fn start(&mut self, game: &Game, limits: Limits) -> Result<()>;
    fn step(&mut self, deadline: Instant) -> Result<Progress>;
    fn stop(&mut self);
}

#[wasm_bindgen]
impl Player {
    /// A player with a network, which keeps what it found from move to move.
    pub fn network(network: &Network, settings: Option<SearchSettings>) -> Result<Player> {
        let settings = settings.unwrap_or_default();
        with_game!(network.game().into(), G => with_network::<G>(network, &settings))
    }

    /// A classical player: `random`, `mate1`, `greedy`, `ab:2` or `ab:2,quiescence`.
    pub fn named(game: GameName, name: &str, seed: u32) -> Result<Player> {
        let spec: PlayerSpec = name.parse()?;
        with_game!(game.into(), G => {
            let player = spec.yardstick::<G>(seed.into());
            let player = player.ok_or_else(|| {
                Refusal::new(&format!("{name:?} needs a network or an operating system"))
            })?;
            Ok(Player(Box::new(AtOnce { player, question: None, signal: Signal::new() })))
        })
    }

    /// A game begins that has nothing to do with the one before.
    #[wasm_bindgen(js_name = newGame)]
    pub fn new_game(&mut self) -> Result<()> {
        self.0.new_game()
    }

    /// Begins to think about a game, which must not be over. What was begun before is dropped.
    pub fn start(&mut self, game: &Game, limits: Option<SearchLimits>) -> Result<()> {
        self.0.start(game, limits.unwrap_or_default().complete()?)
    }

    /// Thinks for about so many milliseconds. To be called until there is an answer.
    pub fn step(&mut self, milliseconds: f64) -> Result<Progress> {
        self.0.step(Instant::now() + time(milliseconds)?)
    }

    /// Makes the next step answer.
    pub fn stop(&mut self) {
        self.0.stop();
    }
}

fn with_network<G: Shown>(network: &Network, settings: &SearchSettings) -> Result<Player> {
    let evaluator = network.evaluator::<G>()?;
    let name = "network";
    if settings.policy_only == Some(true) {
        let choice = match settings.temperature.unwrap_or(0.0) {
            cold if cold <= 0.0 => PolicyChoice::Greedy,
            temperature => PolicyChoice::Sampled(temperature),
        };
        let seed = settings.seed.map_or(0, u64::from);
        let player = PolicyPlayer::<G>::new(name, evaluator, choice, seed);
        let player = if settings.mirror == Some(true) { player.with_mirror() } else { player };
        let player: Box<dyn keisei_engine::Player<G>> = Box::new(player);
        return Ok(Player(Box::new(AtOnce { player, question: None, signal: Signal::new() })));
    }
    let mut player = SearchPlayer::<G>::new(name, evaluator, settings.complete());
    player.resign_below(settings.resign_below);
    Ok(Player(Box::new(InSteps { player, begun: None, signal: Signal::new() })))
}

/// The newest lines told, by their rank.
#[derive(Default)]
struct Told(Vec<SearchLine>);

impl Told {
    fn hear<M: ToString>(&mut self, report: &Report<M>) {
        if report.line == 1 {
            self.0.clear();
        }
        self.0.push(report.into());
    }
}

fn nothing_to_do() -> Refusal {
    Refusal::new("the player was not asked anything")
}

/// A player with search.
struct InSteps<G: Shown> {
    player: SearchPlayer<G>,
    begun: Option<Begun<G>>,
    signal: Signal,
}

impl<G: Shown> InSteps<G> {
    /// Brings the tree of a search that nobody waits for back to where it is used again.
    fn drop_run(&mut self) {
        if let Some(Begun::Run(run)) = self.begun.take() {
            self.player.end(run, &mut |_| ());
        }
    }

    fn go_on(&mut self, mut run: Run<G>, deadline: Instant) -> Progress {
        let mut told = Told::default();
        let pause = &mut || Instant::now() >= deadline;
        let over = self.player.go_on(&mut run, &self.signal, &mut |line| told.hear(line), pause);
        if !over {
            self.begun = Some(Begun::Run(run));
            return Progress { lines: told.0, answer: None };
        }
        let answer = self.player.end(run, &mut |line| told.hear(line));
        Progress { lines: told.0, answer: Some(answer.into()) }
    }
}

impl<G: Shown> Thinks for InSteps<G> {
    fn new_game(&mut self) -> Result<()> {
        self.drop_run();
        Ok(keisei_engine::Player::new_game(&mut self.player)?)
    }

    fn start(&mut self, game: &Game, limits: Limits) -> Result<()> {
        self.drop_run();
        self.signal = Signal::new();
        self.begun = Some(self.player.begin(game.of::<G>()?, &limits, &self.signal)?);
        Ok(())
    }

    fn step(&mut self, deadline: Instant) -> Result<Progress> {
        match self.begun.take().ok_or_else(nothing_to_do)? {
            Begun::Answer(answer) => {
                Ok(Progress { lines: Vec::new(), answer: Some(answer.into()) })
            }
            Begun::Run(run) => Ok(self.go_on(run, deadline)),
        }
    }

    fn stop(&mut self) {
        self.signal.stop();
    }
}

/// A player who answers in one step.
struct AtOnce<G: Shown> {
    player: Box<dyn keisei_engine::Player<G>>,
    question: Option<(G, Limits)>,
    signal: Signal,
}

impl<G: Shown> Thinks for AtOnce<G> {
    fn new_game(&mut self) -> Result<()> {
        self.question = None;
        Ok(self.player.new_game()?)
    }

    fn start(&mut self, game: &Game, limits: Limits) -> Result<()> {
        self.signal = Signal::new();
        self.question = Some((game.of::<G>()?.clone(), limits));
        Ok(())
    }

    fn step(&mut self, deadline: Instant) -> Result<Progress> {
        let (game, mut limits) = self.question.take().ok_or_else(nothing_to_do)?;
        // Nobody can stop it on the way.
        let longest = deadline.saturating_duration_since(Instant::now()) * 25;
        limits.move_time = Some(limits.move_time.map_or(longest, |time| time.min(longest)));
        let mut told = Told::default();
        let report = &mut |line: &Report<G::Move>| told.hear(line);
        let answer = self.player.think(&game, &limits, &self.signal, report)?;
        Ok(Progress { lines: told.0, answer: Some(answer.into()) })
    }

    fn stop(&mut self) {
        self.signal.stop();
    }
}
