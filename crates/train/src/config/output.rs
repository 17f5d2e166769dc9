//! Settings of what a run leaves behind: evaluations, checkpoints, logs, metrics.

use super::field::Limits::{Above, Any, AtLeast, Between, OneOf};
use super::section::{choice, section};

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
    /// Saving a run so that it goes on exactly where it stopped.
    Checkpoint {
        /// How many of the newest checkpoints are kept.
        keep_last: usize = 3, Between(1.0, 100_000.0);
        /// Whether the checkpoint with the best evaluation is kept as well.
        keep_best: bool = true, Any;
        /// If given, a checkpoint is also written whenever this many more episodes have ended.
        episodes: Option<u64> = None, AtLeast(1.0);
        /// A checkpoint is also written when the last one is this many seconds old.
        seconds: f64 = 300.0, AtLeast(1.0);
        /// If given, larger files of a checkpoint are written in parts of so many megabytes
        /// (millions of bytes), for stores that take no large files.
        part_megabytes: Option<f64> = None, Between(0.001, 1e6);
    }
}

choice! {
    /// How much is said while a run goes on.
    LogLevel {
        /// What stops a run.
        Error = "ERROR",
        /// And what may need a look.
        Warn = "WARN",
        /// And updates every few seconds, and evaluations.
        Info = "INFO",
        /// And every update and checkpoint.
        Debug = "DEBUG",
        /// And when each rollout begins.
        Trace = "TRACE",
    }
}

section! {
    /// Where a run writes, and how much it tells.
    Logging {
        /// The folder that gets a folder for each run. `--runs` on the command line goes first.
        runs_dir: String = "runs".to_owned(), Any;
        /// The folder for the weights of each checkpoint, inside the run's folder unless absolute.
        model_dir: String = "models".to_owned(), Any;
        /// The training log, inside the run's folder unless absolute; without one it is
        /// `logs/<game>_training_log.txt`.
        log_file: Option<String> = None, Any;
        /// How much is said while a run goes on: `ERROR` what stops it, `WARN` what may need a
        /// look, `INFO` updates every few seconds and evaluations, `DEBUG` every update and
        /// checkpoint, `TRACE` also when each rollout begins.
        log_level: LogLevel = LogLevel::Info, OneOf(LogLevel::NAMES);
        /// The moves of one finished game in so many are logged; 1 logs them all.
        log_every_games: u64 = 1, AtLeast(1.0);
        /// Whether metrics are also written as TensorBoard event files.
        tensorboard: bool = true, Any;
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
    /// Showing a trained network, which `keisei play` does.
    Demo {
        /// Whether to show instead of training. True is refused with the command that does it.
        enabled: bool = false, Any;
        /// The weights to show.
        model_path: Option<String> = None, Any;
        /// Whether a person plays against the network; if not, it plays against itself.
        interactive: bool = true, Any;
    }
}
