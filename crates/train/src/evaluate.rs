//! Games that show how strong the network is, while it learns.

mod matches;
mod mates;
mod player;
mod score;

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use keisei_cluster::Communicator;
use keisei_encode::{Actions, Observation};
use keisei_game::Game;
use keisei_net::LoadEvaluator;
use serde::{Deserialize, Serialize};

pub use matches::{Conditions, Played, play, score};
pub use mates::{MatePositions, MatesFound};
pub use player::{Choice, NetworkPlayer, Player, RandomPlayer};
pub use score::Score;

use crate::config::{Env, Evaluation as Settings};
use crate::metrics::{Record, names};
use crate::random::{Purpose, stream};

/// The opponent who plays any move.
pub const RANDOM: &str = "random";
/// The opponent who is the network at the evaluation before.
pub const PREVIOUS: &str = "previous";

/// Evaluations by the settings of a run.
pub struct Evaluation<A: Actions> {
    conditions: Conditions,
    timeout: Duration,
    mirror: bool,
    opponents: Vec<String>,
    players: Vec<Box<dyn Player<A::Game>>>,
    mates: MatePositions<A>,
    /// Where games are kept, if they are.
    games_folder: Option<PathBuf>,
}

/// What an evaluation found.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct EvaluationReport {
    /// The result against each opponent, moves chosen in each way.
    pub results: Vec<MatchResult>,
    /// The held-out mates, if they were asked.
    pub mates: Option<MatesFound>,
    /// What went wrong, if something did.
    pub problems: Vec<String>,
}

/// The result against one opponent.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The opponent.
    pub opponent: String,
    /// How the network chose its moves.
    pub choice: Choice,
    /// Its score.
    pub score: Score,
    /// How many games there was no time to finish.
    pub unfinished: usize,
}

/// The configuration names an opponent that nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("evaluation.opponents names {name:?}; known are: {}", known.join(", "))]
pub struct UnknownOpponent {
    /// The name.
    pub name: String,
    /// The names there are.
    pub known: Vec<String>,
}

/// The longest time for an evaluation in seconds, a century: no clock can count all that settings
/// allow.
const LONGEST: f64 = 100.0 * 365.0 * 24.0 * 3600.0;

/// The network to be evaluated and its earlier self.
#[derive(Clone, Copy)]
pub struct Candidates<'a, P> {
    /// After which update.
    pub update: u64,
    /// Its weights.
    pub weights: &'a [u8],
    /// The weights at the evaluation before.
    pub previous: Option<&'a [u8]>,
    /// Makes players of weights.
    pub load: &'a LoadEvaluator<P>,
}

impl<A: Actions> Evaluation<A> {
    /// Evaluations against the configured opponents, of which `players` are those that this crate
    /// does not know. Games are kept in `games_folder`, if they are to be kept.
    pub fn new(
        settings: &Settings,
        env: &Env,
        seed: u64,
        players: Vec<Box<dyn Player<A::Game>>>,
        games_folder: PathBuf,
    ) -> Result<Self, UnknownOpponent> {
        let names = players.iter().map(|player| player.name().to_owned());
        let known: Vec<_> =
            [RANDOM.to_owned(), PREVIOUS.to_owned()].into_iter().chain(names).collect();
        if let Some(name) = settings.opponents.iter().find(|name| !known.contains(name)) {
            return Err(UnknownOpponent { name: name.clone(), known });
        }
        let limit = env.max_moves_per_game;
        Ok(Self {
            conditions: Conditions {
                games: settings.eval_games,
                opening_plies: settings.opening_plies,
                limit,
                seed,
                deadline: Instant::now(),
            },
            timeout: Duration::from_secs_f64(settings.eval_timeout.min(LONGEST)),
            mirror: env.mirror,
            opponents: settings.opponents.clone(),
            players,
            // Random games need room to end in mate, however short those of training are.
            mates: MatePositions::collect(settings.mate_positions, seed, limit.max(500)),
            games_folder: settings.save_eval_games.then_some(games_folder),
        })
    }

    /// Plays against all opponents, which are dealt to `ranks`. A player that fails ends up in the
    /// report, and the run goes on. Networks are copies, so that nothing of the run changes.
    pub fn run(
        &mut self,
        candidates: &Candidates<'_, Observation<A>>,
        ranks: &dyn Communicator,
    ) -> EvaluationReport {
        self.conditions.deadline = Instant::now() + self.timeout;
        let matches = self.opponents.clone().into_iter();
        let matches =
            matches.flat_map(|name| Choice::ALL.map(|choice| Some((name.clone(), choice))));
        let tasks: Vec<_> = [None].into_iter().chain(matches).collect();
        let (rank, size) = (ranks.rank(), ranks.size());
        let dealt = tasks.iter().skip(rank).step_by(size);
        let own: Vec<_> = dealt.map(|task| self.part(task.as_ref(), candidates)).collect();
        let parts = ranks.collect(own);
        let mut report = EvaluationReport::default();
        for place in 0..tasks.len() {
            let part = parts[place % size][place / size].clone();
            report.results.extend(part.results);
            report.mates = report.mates.or(part.mates);
            report.problems.extend(part.problems);
        }
        for problem in &report.problems {
            tracing::warn!(update = candidates.update, problem, "evaluation");
        }
        report
    }

    /// The part of a report that comes from one match, or from the mates in one.
    fn part(
        &mut self,
        task: Option<&(String, Choice)>,
        candidates: &Candidates<'_, Observation<A>>,
    ) -> EvaluationReport {
        let mut report = EvaluationReport::default();
        match task {
            None => match self.ask_mates(candidates) {
                Ok(mates) => report.mates = mates,
                Err(problem) => report.problems.push(format!("mates in one: {problem}")),
            },
            Some((name, choice)) => match self.play_against(name, *choice, candidates) {
                Ok(result) => report.results.extend(result),
                Err(problem) => report.problems.push(format!("against {name}: {problem}")),
            },
        }
        report
    }

    fn ask_mates(
        &self,
        candidates: &Candidates<'_, Observation<A>>,
    ) -> Result<Option<MatesFound>, Box<dyn Error>> {
        if self.mates.is_empty() {
            return Ok(None);
        }
        let mut network =
            self.network("network", candidates.weights, Choice::Greedy, candidates)?;
        Ok(self.mates.ask(&mut network))
    }

    /// Plays all games against one opponent; none if that is an earlier self and there is none.
    fn play_against(
        &mut self,
        name: &str,
        choice: Choice,
        candidates: &Candidates<'_, Observation<A>>,
    ) -> Result<Option<MatchResult>, Box<dyn Error>> {
        let mut network = self.network("network", candidates.weights, choice, candidates)?;
        let games = match name {
            RANDOM => {
                let mut random = RandomPlayer(self.rng(candidates, 2));
                play(&self.conditions, &mut network, &mut random)?
            }
            PREVIOUS => {
                let Some(weights) = candidates.previous else { return Ok(None) };
                let mut previous = self.network(PREVIOUS, weights, choice, candidates)?;
                play(&self.conditions, &mut network, &mut previous)?
            }
            _ => {
                let seed = self.rng(candidates, 2).next_u64();
                let found = self.players.iter_mut().find(|player| player.name() == name);
                let player = found.ok_or("no such player")?;
                player.begin(seed)?;
                play(&self.conditions, &mut network, &mut **player)?
            }
        };
        if let Some(folder) = &self.games_folder {
            let name = file_name(name);
            let file = format!("update-{:010}-{name}-{}.usi", candidates.update, choice.name());
            fs::create_dir_all(folder)?;
            fs::write(folder.join(file), position_lines(&games))?;
        }
        let unfinished = games.iter().filter(|game| game.outcome.is_none()).count();
        let (opponent, score) = (name.to_owned(), score(&games));
        Ok(Some(MatchResult { opponent, choice, score, unfinished }))
    }

    fn network(
        &self,
        name: &'static str,
        weights: &[u8],
        choice: Choice,
        candidates: &Candidates<'_, Observation<A>>,
    ) -> Result<NetworkPlayer<A>, Box<dyn Error>> {
        let network = (candidates.load)(weights)?;
        let rng = self.rng(candidates, u64::from(name == PREVIOUS));
        Ok(NetworkPlayer::new(name, network, choice, self.mirror, rng))
    }

    fn rng(
        &self,
        candidates: &Candidates<'_, Observation<A>>,
        player: u64,
    ) -> keisei_game::SplitMix64 {
        stream(self.conditions.seed, Purpose::Player, candidates.update, player)
    }
}

impl EvaluationReport {
    /// The score by which the best checkpoint is kept: with sampled moves, against the first
    /// opponent with a result.
    pub fn main_score(&self) -> Option<f64> {
        let mut sampled = self.results.iter().filter(|result| result.choice == Choice::Sampled);
        sampled.find_map(|result| result.score.mean())
    }

    /// Adds the numbers to a record.
    pub fn write(&self, record: &mut Record) {
        for MatchResult { opponent, choice, score, .. } in &self.results {
            let ending = if *choice == Choice::Greedy { names::EVAL_GREEDY } else { "" };
            let name = format!("{}{opponent}{ending}", names::EVAL_SCORE);
            record.set_some(&name, score.mean());
            if let Some((low, high)) = score.interval() {
                record.set(&format!("{name}{}", names::EVAL_LOW), low);
                record.set(&format!("{name}{}", names::EVAL_HIGH), high);
            }
            if opponent == RANDOM
                && *choice == Choice::Sampled
                && let Some((elo, error)) = score.elo()
            {
                record.set(names::EVAL_ELO, elo);
                record.set(names::EVAL_ELO_ERROR, error);
            }
        }
        if let Some(mates) = self.mates {
            record.set(names::EVAL_MATE, mates.greedy);
            record.set(names::EVAL_MATE_SAMPLED, mates.sampled);
            record.set(names::EVAL_MATE_CHANCE, mates.chance);
        }
    }
}

/// A player's name as part of a file's name.
fn file_name(player: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_=.".contains(letter);
    player.chars().map(|letter| if plain(letter) { letter } else { '_' }).collect()
}

/// The games as engines take them, one a line. All begin at the standard start.
fn position_lines<G: Game>(games: &[Played<G>]) -> String {
    let line = |played: &Played<G>| {
        let moves: String = played.game.moves().iter().map(|mv| format!(" {mv}")).collect();
        format!("position startpos moves{moves}\n")
    };
    games.iter().map(line).collect()
}
