//! A run as a checkpoint and back.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use keisei_cluster::{Alone, Communicator};
use keisei_encode::{Actions, Episode, Observation, VERSION};
use keisei_game::{Game, Rules};
use keisei_net::{Learner, LoadEvaluator};
use serde::{Deserialize, Serialize};

use super::{State, TrainError, Trainer, check, curriculum};
use crate::checkpoint::{CheckpointError, Header, Stored};
use crate::config::Config;
use crate::curriculum::Plan;
use crate::opponents::Pool;
use crate::rewind::RingState;
use crate::rollout::{Rollout, Running};
use crate::schedule::Progress;
use crate::shards::Shards;
use crate::teacher::Teacher;

const LEARNER: &str = "learner.safetensors";
/// The file with the weights alone, for players.
pub const WEIGHTS: &str = "weights.safetensors";
const EVALUATED: &str = "evaluated.safetensors";
const TRAINER: &str = "trainer.json";
/// How the names of the files with games begin; the number of the first game follows. Every rank
/// writes one.
const GAMES: &str = "games-";

/// How long files were, by their names in the run's folder.
pub type Lengths = BTreeMap<String, u64>;

/// All of a run but the networks.
#[derive(Serialize, Deserialize)]
struct Written {
    seed: u64,
    progress: Progress,
    episodes: u64,
    rate_scale: f64,
    /// How many moves each game has made.
    game_step: u64,
    /// Games of checkpoints from when one process wrote all: they have files of their own now.
    #[serde(default, skip_serializing)]
    games: Vec<GameState>,
    ring: RingState,
    /// The updates after which the earlier selves were frozen, by slot.
    frozen: Vec<u64>,
    /// How long the files were that the run writes, by their names.
    files: Lengths,
}

/// A running episode: its game with its history, and how it is played.
#[derive(Serialize, Deserialize)]
struct GameState {
    start: String,
    moves: String,
    episode: u64,
    #[serde(rename = "cut_at")]
    truncate_at: Option<usize>,
    plan: Plan,
    /// A `+` for each move of the episode before which the value favoured the mover, a `-` for
    /// each other.
    #[serde(default)]
    favoured: String,
}

impl GameState {
    fn of<G: Game>((episode, favoured): (&Episode<G, Plan>, &[bool])) -> Self {
        let mut start = episode.game.clone();
        start.reset();
        let moves: Vec<_> = episode.game.moves().iter().map(ToString::to_string).collect();
        Self {
            start: start.notation(),
            moves: moves.join(" "),
            episode: episode.number,
            truncate_at: episode.truncate_at,
            plan: episode.plan,
            favoured: favoured.iter().map(|&yes| if yes { '+' } else { '-' }).collect(),
        }
    }

    fn running<G: Game>(&self) -> Result<Running<G>, CheckpointError> {
        let damaged = |error: &dyn std::error::Error| {
            CheckpointError::Damaged(format!("a game in {TRAINER}: {error}"))
        };
        let start = self.start.parse().map_err(|error: G::PositionError| damaged(&error))?;
        let mut game = G::with_rules(start, Rules::LEARNING);
        for text in self.moves.split_whitespace() {
            let mv = game.parse_move(text).map_err(|error| damaged(&error))?;
            game.play(mv).map_err(|error| damaged(&error))?;
        }
        let &Self { episode: number, truncate_at, plan, .. } = self;
        let favoured = self.favoured.chars().map(|sign| sign == '+').collect();
        Ok(Running { episode: Episode { game, number, truncate_at, plan }, favoured })
    }
}

fn games_name(first: usize) -> String {
    format!("{GAMES}{first:09}.json")
}

/// The running episodes of a checkpoint with these numbers, and how many it has in all.
fn read_games(
    written: Vec<GameState>,
    stored: &Stored,
    numbers: &Range<usize>,
) -> Result<(Vec<GameState>, usize), CheckpointError> {
    let mut games = written;
    for (name, content) in stored.files.iter().filter(|(name, _)| name.starts_with(GAMES)) {
        if *name != games_name(games.len()) {
            return Err(CheckpointError::Damaged(format!("games are missing before {name}")));
        }
        let part: Vec<GameState> = serde_json::from_slice(content)
            .map_err(|error| CheckpointError::Damaged(format!("{name}: {error}")))?;
        games.extend(part);
    }
    let count = games.len();
    let end = numbers.end.min(count);
    Ok((games.drain(numbers.start.min(end)..end).collect(), count))
}

fn frozen_name(slot: usize) -> String {
    format!("frozen-{slot}.safetensors")
}

impl<A: Actions> Trainer<A> {
    /// The run as a checkpoint: at rank 0 all of it, but for the games of other ranks, which those
    /// have. `files` are the lengths of the files that the run writes, to which they go back when it
    /// resumes here.
    pub fn checkpoint(&self, score: Option<f64>, files: Lengths) -> Stored {
        let State { curriculum, rollout, pool, progress, episodes, rate_scale, evaluated } =
            &self.state;
        let state = Written {
            seed: self.seed,
            progress: *progress,
            episodes: *episodes,
            rate_scale: *rate_scale,
            game_step: rollout.step(),
            games: Vec::new(),
            ring: RingState::of(&curriculum.ring),
            frozen: pool.slots().iter().map(|frozen| frozen.update).collect(),
            files,
        };
        let state = serde_json::to_vec(&state).expect("a state is plain JSON");
        let games: Vec<_> = rollout.running().map(GameState::of).collect();
        let games = serde_json::to_vec(&games).expect("games are plain JSON");
        let games = (games_name(self.shards.own_games().start), games);
        if !self.ranks.is_first() {
            return Stored { header: self.header(score), files: BTreeMap::from([games]) };
        }
        let mut files = BTreeMap::from([
            games,
            (LEARNER.to_owned(), self.learner.state()),
            (WEIGHTS.to_owned(), self.learner.weights()),
            (TRAINER.to_owned(), state),
        ]);
        files.extend(evaluated.iter().map(|weights| (EVALUATED.to_owned(), weights.clone())));
        let frozen = pool.slots().iter().enumerate();
        files.extend(frozen.map(|(slot, frozen)| (frozen_name(slot), frozen.weights.clone())));
        Stored { header: self.header(score), files }
    }

    fn header(&self, score: Option<f64>) -> Header {
        let Progress { updates, steps, .. } = self.state.progress;
        Header {
            game: A::Game::NAME.to_owned(),
            encoding: VERSION,
            actions: A::NAME.to_owned(),
            update: updates,
            step: steps,
            score,
        }
    }

    /// A run that goes on from a checkpoint. Also gives the lengths of the files that it writes.
    pub fn resume(
        config: Config,
        learner: Box<dyn Learner<Observation<A>>>,
        load: Box<LoadEvaluator<Observation<A>>>,
        stored: &Stored,
    ) -> Result<(Self, Lengths), TrainError> {
        Self::resume_among(Arc::new(Alone), config, learner, load, stored)
    }

    /// The same on several ranks, of which this is one. It does not matter how many wrote the
    /// checkpoint.
    pub fn resume_among(
        ranks: Arc<dyn Communicator>,
        mut config: Config,
        mut learner: Box<dyn Learner<Observation<A>>>,
        load: Box<LoadEvaluator<Observation<A>>>,
        stored: &Stored,
    ) -> Result<(Self, Lengths), TrainError> {
        check_header::<A>(&stored.header)?;
        let written = read_state(stored)?;
        let seed = written.seed;
        config.env.seed = Some(seed);
        check::<A>(&config)?;
        let shards = Shards::of(&config, &*ranks)?;
        let files = written.files.clone();
        let state = written.state(&config, &*load, stored, &shards, &ranks)?;
        learner.restore(stored.file(LEARNER)?)?;
        let traffic = ranks.traffic();
        Ok((Self { config, seed, learner, load, state, ranks, shards, traffic }, files))
    }

    /// Goes to where the run was at a checkpoint. Gives the lengths of the files that it writes.
    pub fn restore(&mut self, stored: &Stored) -> Result<Lengths, TrainError> {
        let written = read_state(stored)?;
        let files = written.files.clone();
        let Self { config, load, shards, ranks, .. } = &*self;
        self.state = written.state(config, &**load, stored, shards, ranks)?;
        self.learner.restore(stored.file(LEARNER)?)?;
        Ok(files)
    }
}

impl Written {
    /// The state of the run, with the weights and games that are stored beside it.
    fn state<A: Actions>(
        self,
        config: &Config,
        load: &LoadEvaluator<Observation<A>>,
        stored: &Stored,
        shards: &Shards,
        ranks: &Arc<dyn Communicator>,
    ) -> Result<State<A>, TrainError> {
        let numbers = shards.own_games();
        let (games, found) = read_games(self.games, stored, &numbers)?;
        let expected = config.rollout.games;
        if found != expected {
            return Err(TrainError::Games { found, expected });
        }
        let ring = self.ring.ring::<A::Game>(&config.rewind).map_err(|problem| {
            CheckpointError::Damaged(format!("a kept game in {TRAINER}: {problem}"))
        })?;
        // The settings may have room for fewer earlier selves than were stored.
        let mut pool = Pool::new(&config.opponents);
        let kept = pool.newest(&self.frozen);
        for &slot in &kept {
            pool.add(self.frozen[slot], stored.file(&frozen_name(slot))?.to_vec(), load)?;
        }
        let running = games.iter().map(|game| {
            let mut running = game.running()?;
            running.episode.plan.move_opponent(&kept);
            Ok(running)
        });
        let running: Result<Vec<_>, CheckpointError> = running.collect();
        let bootstrap = config.training.bootstrap_cut_games;
        Ok(State {
            curriculum: curriculum::<A>(config, self.seed, ring).from_game(numbers.start),
            rollout: Rollout::resume(running?, self.seed, bootstrap, self.game_step)
                .taught_by(Teacher::of(config, numbers.len()))
                .among(shards.clone(), Arc::clone(ranks)),
            pool,
            progress: self.progress,
            episodes: self.episodes,
            rate_scale: self.rate_scale,
            evaluated: stored.files.get(EVALUATED).cloned(),
        })
    }
}

fn read_state(stored: &Stored) -> Result<Written, CheckpointError> {
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
