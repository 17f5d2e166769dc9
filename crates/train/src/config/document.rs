//! The six sections of the design document, with its defaults, and what was added to them.

use keisei_games::GameName;

use super::field::Limits::{Above, Any, AtLeast, Between, OneOf};
use super::section::{choice, section};

choice! {
    /// Where the network runs.
    Device {
        /// The GPU where there is one, otherwise the CPU.
        Auto = "auto",
        /// The CPU.
        Cpu = "cpu",
        /// The GPU; without one, the CPU after a warning.
        Cuda = "cuda",
    }
}

choice! {
    /// How much the log tells.
    LogLevel {
        /// What stops a run.
        Error = "ERROR",
        /// And what may need a look.
        Warn = "WARN",
        /// And what happens.
        Info = "INFO",
        /// And details.
        Debug = "DEBUG",
        /// And everything else.
        Trace = "TRACE",
    }
}

choice! {
    /// Whether the W&B client sends what it gets.
    WandbMode {
        /// At once.
        Online = "online",
        /// Later, by `wandb sync`.
        Offline = "offline",
    }
}

section! {
    /// The games: which, how long, how the network sees them.
    Env {
        /// The game that is learned.
        game: GameName = GameName::Shogi, OneOf(GameName::NAMES);
        /// Where the network runs: `cuda` takes the GPU and falls back to the CPU with a warning,
        /// `auto` falls back silently.
        device: Device = Device::Cuda, OneOf(Device::NAMES);
        /// How many planes an observation has. It must be the game's number: 46 for shogi.
        input_channels: usize = 46, AtLeast(1.0);
        /// How many actions the policy has. It must be the number of the game's action map: for
        /// shogi 2187 (by destination and direction) or 13527 (by both squares).
        action_space_size: usize = 2187, AtLeast(1.0);
        /// All that is random follows from this number; without one it is drawn when a run begins,
        /// and written into the run's configuration.
        seed: Option<u64> = None, Any;
        /// A game is cut off after this many moves, unless its last move ended it otherwise.
        max_moves_per_game: usize = 500, Between(1.0, 65_535.0);
        /// If given, each game's limit is drawn between this and `max_moves_per_game`, so that a
        /// network cannot know when a game will be cut off.
        min_moves_per_game: Option<usize> = None, Between(1.0, 65_535.0);
        /// Whether each episode is seen in a left–right mirror with probability one half (shogi
        /// has this symmetry; chess does not).
        mirror: bool = false, Any;
    }
}

section! {
    /// The PPO algorithm.
    Training {
        /// Adam's step size at the beginning.
        learning_rate: f64 = 3e-4, Above(0.0);
        /// The step size at the end, reached along a straight line; without one it stays.
        learning_rate_end: Option<f64> = None, AtLeast(0.0);
        /// The step size rises from 0 during this many updates.
        warmup_updates: u64 = 0, Any;
        /// How much a reward one move later counts. Below 1, a quick win is worth more.
        gamma: f64 = 0.99, Between(0.0, 1.0);
        /// How far the probability ratio may leave 1 before it stops counting.
        clip_epsilon: f64 = 0.2, Between(0.001, 1.0);
        /// How often each rollout is learned from.
        ppo_epochs: usize = 10, Between(1.0, 1000.0);
        /// How many positions one step of the optimiser sees.
        minibatch_size: usize = 64, AtLeast(1.0);
        /// The weight of the entropy bonus at the beginning.
        entropy_coeff: f64 = 0.01, Between(0.0, 1.0);
        /// The weight of the entropy bonus at the end, reached along a straight line; without one
        /// it stays.
        entropy_coeff_end: Option<f64> = None, Between(0.0, 1.0);
        /// Whether the entropy is divided by the logarithm of the number of legal moves, so that
        /// the bonus does not depend on how many there are.
        relative_entropy: bool = false, Any;
        /// How far advantages look ahead: 0 one move, 1 to the end of the game.
        lambda_gae: f64 = 0.95, Between(0.0, 1.0);
        /// The weight of the value loss.
        value_coeff: f64 = 0.5, Between(0.0, 100.0);
        /// Whether the value loss is clipped around the acting network's values.
        clip_value: bool = false, Any;
        /// Advantages are divided by their deviation, but by no less than this: where all games
        /// are alike, noise must not become a lesson.
        advantage_floor: f64 = 1e-8, Above(0.0);
        /// The largest norm of the gradient; longer ones are shortened to it.
        gradient_clip_norm: f64 = 0.5, Above(0.0);
        /// An update stops when the policy has moved this far from the one that acted.
        target_kl: Option<f64> = None, Above(0.0);
        /// Whether a game that is cut off counts as the network values its last position. If not,
        /// it counts as a draw.
        bootstrap_cut_games: bool = true, Any;
        /// Whether the network computes in 16 bits where that is safe: on a GPU. A CPU computes in
        /// 32 bits, and says so.
        mixed_precision: bool = false, Any;
        /// Whether several processes learn together. Refused by programs that cannot.
        distributed: bool = false, Any;
        /// How many updates lie between two checkpoints.
        checkpoint_interval: u64 = 1000, AtLeast(1.0);
        /// The run ends after this many moves.
        total_steps: u64 = 10_000_000, AtLeast(1.0);
        /// If given, the run ends after this many minutes, and schedules follow the time. As no two
        /// runs take the same time, a run that is interrupted then does not go on exactly as it
        /// would have; with `total_steps` alone it does, bit by bit.
        minutes: Option<f64> = None, Above(0.0);
    }
}

section! {
    /// Games played now and then to see how strong the network is.
    Evaluation {
        /// How many updates lie between two evaluations.
        eval_interval: u64 = 100, AtLeast(1.0);
        /// How many games are played against each opponent, in each of the two ways to choose
        /// moves: sampled and greedy. An even number: each opening is played with both colours.
        eval_games: usize = 10, Between(2.0, 100_000.0);
        /// An evaluation ends after this many seconds with the games finished by then.
        eval_timeout: f64 = 300.0, Above(0.0);
        /// Whether the games are kept in the run's `games` folder.
        save_eval_games: bool = true, Any;
        /// Against whom: `random`, `previous` (the network at the evaluation before) and players as
        /// `keisei play` names them, such as `mate1`, `greedy` or `ab:1`.
        opponents: Vec<String> = vec!["random".to_owned(), "previous".to_owned()], Any;
        /// How many random moves open each pair of games.
        opening_plies: usize = 4, Between(0.0, 100.0);
        /// How many held-out positions with a mate in one are asked; 0 leaves it out.
        mate_positions: usize = 200, Between(0.0, 100_000.0);
    }
}

section! {
    /// Where a run writes, and how much it tells.
    Logging {
        /// The folder that gets a folder for each run.
        runs_dir: String = "runs".to_owned(), Any;
        /// The folder for the weights of each checkpoint, inside the run's folder unless absolute.
        model_dir: String = "models".to_owned(), Any;
        /// The training log, inside the run's folder unless absolute; without one it is
        /// `logs/<game>_training_log.txt`.
        log_file: Option<String> = None, Any;
        /// How much is told.
        log_level: LogLevel = LogLevel::Info, OneOf(LogLevel::NAMES);
        /// The moves of one finished game in so many are logged; 1 logs them all.
        log_every_games: u64 = 1, AtLeast(1.0);
        /// Whether metrics are also written as TensorBoard event files.
        tensorboard: bool = true, Any;
    }
}

section! {
    /// Weights & Biases, through its own Python client.
    Wandb {
        /// Whether metrics are sent there.
        enabled: bool = false, Any;
        /// The project.
        project: String = "keisei-shogi".to_owned(), Any;
        /// The user or team.
        entity: Option<String> = None, Any;
        /// The run's name there; without one, the name of the run's folder.
        run_name: Option<String> = None, Any;
        /// Tags of the run.
        tags: Vec<String> = Vec::new(), Any;
        /// Notes on the run.
        notes: Option<String> = None, Any;
        /// Whether the client sends at once or keeps what it gets for `wandb sync`.
        mode: WandbMode = WandbMode::Online, OneOf(WandbMode::NAMES);
        /// The Python interpreter that has the client.
        python: String = "python3".to_owned(), Any;
    }
}

section! {
    /// Showing a trained network.
    Demo {
        /// Whether to show instead of training.
        enabled: bool = false, Any;
        /// The weights to show.
        model_path: Option<String> = None, Any;
        /// Whether a person plays against the network; if not, it plays against itself.
        interactive: bool = true, Any;
    }
}
