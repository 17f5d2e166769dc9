//! A run as a checkpoint and back.

use std::collections::BTreeMap;

use keisei_encode::{Actions, Episode, VERSION};
use keisei_game::{Game, Rules};
use keisei_net::Learner;
use serde::{Deserialize, Serialize};

use super::{TrainError, Trainer, check};
use crate::checkpoint::{CheckpointError, Header, Stored};
use crate::config::Config;
use crate::opponents::{LoadPlayer, Pool};
use crate::rewind::{Ring, RingState};
use crate::rollout::{Rollout, Seen};
use crate::schedule::Progress;
use crate::starts::{Plan, Starts};

const LEARNER: &str = "learner.safetensors";
/// The file with the weights alone, for players.
pub const WEIGHTS: &str = "weights.safetensors";
const EVALUATED: &str = "evaluated.safetensors";
const TRAINER: &str = "trainer.json";

/// How long files were, by their names in the run's folder.
pub type Lengths = BTreeMap<String, u64>;

/// All of a run but the networks.
#[derive(Serialize, Deserialize)]
struct State {
    seed: u64,
    progress: Progress,
    episodes: u64,
    rate_scale: f64,
    /// How many moves each game has made.
    game_step: u64,
    games: Vec<GameState>,
    ring: RingState,
    /// The updates after which the earlier selves were frozen, by slot.
    frozen: Vec<u64>,
    /// How long the files were that the run writes, by their names.
    files: Lengths,
}

/// A game with its history, and how it is played.
#[derive(Serialize, Deserialize)]
struct GameState {
    start: String,
    moves: String,
    episode: u64,
    cut_at: Option<usize>,
    plan: Plan,
}

impl GameState {
    fn of<G: Game>(episode: &Episode<G>, plan: Plan) -> Self {
        let mut start = episode.game.clone();
        start.reset();
        let moves: Vec<_> = episode.game.moves().iter().map(ToString::to_string).collect();
        Self {
            start: start.notation(),
            moves: moves.join(" "),
            episode: episode.number,
            cut_at: episode.cut_at,
            plan,
        }
    }

    fn episode<G: Game>(&self) -> Result<Episode<G>, CheckpointError> {
        let damaged = |error: &dyn std::error::Error| {
            CheckpointError::Damaged(format!("a game in {TRAINER}: {error}"))
        };
        let mut game = G::with_rules(
            self.start.parse().map_err(|error: G::PositionError| damaged(&error))?,
            Rules::LEARNING,
        );
        for text in self.moves.split_whitespace() {
            let mv = game.parse_move(text).map_err(|error| damaged(&error))?;
            game.play(mv).map_err(|error| damaged(&error))?;
        }
        Ok(Episode { game, number: self.episode, cut_at: self.cut_at })
    }
}

fn frozen_name(slot: usize) -> String {
    format!("frozen-{slot}.safetensors")
}

impl<A: Actions, L: Learner<Seen<A>>> Trainer<A, L> {
    /// The run as a checkpoint. `files` are the lengths of the files that the run writes, to which
    /// they go back when it resumes here.
    pub fn checkpoint(&mut self, score: Option<f64>, files: Lengths) -> Stored {
        let plans = self.rollout.starts().plans();
        let games = self.rollout.episodes().zip(plans);
        let games = games.map(|(episode, plan)| GameState::of(episode, plan)).collect();
        let state = State {
            seed: self.seed,
            progress: self.progress,
            episodes: self.episodes,
            rate_scale: self.rate_scale,
            game_step: self.rollout.step(),
            games,
            ring: RingState::of(&self.rollout.starts().ring),
            frozen: self.pool.slots().iter().map(|frozen| frozen.update).collect(),
            files,
        };
        let state = serde_json::to_vec(&state).expect("a state is plain JSON");
        let mut files = BTreeMap::from([
            (LEARNER.to_owned(), self.learner.state()),
            (WEIGHTS.to_owned(), self.learner.weights()),
            (TRAINER.to_owned(), state),
        ]);
        files.extend(self.evaluated.iter().map(|weights| (EVALUATED.to_owned(), weights.clone())));
        let frozen = self.pool.slots().iter().enumerate();
        files.extend(frozen.map(|(slot, frozen)| (frozen_name(slot), frozen.weights.clone())));
        let header = Header {
            game: A::Game::NAME.to_owned(),
            encoding: VERSION,
            actions: A::NAME.to_owned(),
            update: self.progress.updates,
            step: self.progress.steps,
            score,
        };
        Stored { header, files }
    }

    /// A run that goes on from a checkpoint. Also gives the lengths of the files that it writes.
    pub fn resume(
        mut config: Config,
        learner: L,
        load: Box<LoadPlayer<Seen<A>>>,
        stored: &Stored,
    ) -> Result<(Self, Lengths), TrainError> {
        check_header::<A>(&stored.header)?;
        config.env.seed = Some(read_state(stored)?.seed);
        let seed = check::<A>(&config)?;
        let ring = Ring::new(&config.rewind);
        let starts =
            Starts::resume(&config, seed, ring, &vec![Plan::default(); config.rollout.games]);
        let mut trainer = Self::with_starts(config, seed, learner, load, starts);
        let files = trainer.restore(stored)?;
        Ok((trainer, files))
    }

    /// Goes to where the run was at a checkpoint. Gives the lengths of the files that it writes.
    pub fn restore(&mut self, stored: &Stored) -> Result<Lengths, TrainError> {
        let state = read_state(stored)?;
        let (found, expected) = (state.games.len(), self.config.rollout.games);
        if found != expected {
            return Err(TrainError::Games { found, expected });
        }
        let plans: Vec<_> = state.games.iter().map(|game| game.plan).collect();
        let episodes = state.games.iter().map(GameState::episode);
        let episodes = episodes.collect::<Result<Vec<_>, _>>()?;
        let mut pool = Pool::new(&self.config.opponents);
        for (slot, &update) in state.frozen.iter().enumerate() {
            pool.add(update, stored.file(&frozen_name(slot))?.to_vec(), &*self.load)?;
        }
        self.learner.restore(stored.file(LEARNER)?)?;
        let ring = state.ring.ring::<A::Game>(&self.config.rewind).map_err(|problem| {
            CheckpointError::Damaged(format!("a kept game in {TRAINER}: {problem}"))
        })?;
        let starts = Starts::resume(&self.config, self.seed, ring, &plans);
        let bootstrap = self.config.training.bootstrap_cut_games;
        self.rollout = Rollout::resume(starts, episodes, self.seed, bootstrap, state.game_step);
        self.pool = pool;
        self.progress = state.progress;
        self.episodes = state.episodes;
        self.rate_scale = state.rate_scale;
        self.evaluated = stored.files.get(EVALUATED).cloned();
        Ok(state.files)
    }
}

fn read_state(stored: &Stored) -> Result<State, CheckpointError> {
    serde_json::from_slice(stored.file(TRAINER)?)
        .map_err(|error| CheckpointError::Damaged(format!("{TRAINER}: {error}")))
}

/// Refuses a checkpoint of another game or another encoding.
fn check_header<A: Actions>(header: &Header) -> Result<(), CheckpointError> {
    let expected = [
        ("game", &header.game, A::Game::NAME.to_owned()),
        ("the actions", &header.actions, A::NAME.to_owned()),
        ("encoding version", &header.encoding.to_string(), VERSION.to_string()),
    ];
    for (key, found, expected) in expected {
        if *found != expected {
            return Err(CheckpointError::Mismatch { key, found: found.clone(), expected });
        }
    }
    Ok(())
}
