//! The folder of a run, and the names of everything in it.
//!
//! ```text
//! runs/<name>/
//!   config.toml                  every setting, as the run resolved it
//!   run.toml                     the preset it began from, and when
//!   checkpoints/update-…/        what it goes on from
//!   models/                      the weights at each checkpoint (logging.model_dir), by game and
//!                                number of moves: <game>_ppo_agent_step_<moves>.safetensors
//!   logs/<game>_training_log.txt games and updates as text (logging.log_file)
//!   metrics.jsonl, tensorboard/  numbers
//!   wandb/                       what the W&B client keeps, if it is used
//!   games/                       evaluation games
//!   live.json                    games that are being played, replaced every second or so
//!   ladder/                      tables and games of `keisei ladder`
//!   finished                     there once the run has reached its end
//!   .lock                        held by the process that trains
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Where models go unless a run's settings name another folder.
pub const MODELS: &str = "models";

/// How the names of models end.
pub const MODEL_EXTENSION: &str = "safetensors";
/// What stands in a model's name before the number of moves.
const STEP: &str = "_step_";

const CONFIG: &str = "config.toml";
const ORIGIN: &str = "run.toml";
const FINISHED: &str = "finished";
const LOCK: &str = ".lock";

/// The name of the model that a run of `game` writes after so many moves.
pub fn model_name(game: &str, step: u64) -> String {
    format!("{game}_ppo_agent{STEP}{step}.{MODEL_EXTENSION}")
}

/// After how many moves a model was written, if its name tells.
pub fn step_of(model: &Path) -> Option<u64> {
    model.file_stem()?.to_str()?.rsplit_once(STEP)?.1.parse().ok()
}

/// The folder of a run. It may be read while the run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

/// What a run began from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunOrigin {
    /// The preset that its settings are based on.
    pub preset: String,
    /// When it began.
    pub began: Timestamp,
    /// Whether somebody chose its name.
    pub named: bool,
}

impl RunOrigin {
    /// A run of `preset` that begins now.
    pub fn now(preset: &str, named: bool) -> Self {
        Self { preset: preset.to_owned(), began: Timestamp::now(), named }
    }

    /// A name for a run of which nobody chose the name: the preset and the time, in UTC.
    fn name(&self) -> String {
        format!("{}-{}", self.preset, self.began.strftime("%Y%m%d-%H%M%S"))
    }
}

/// Why a run's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The disk refuses.
    #[error("{path}: {source}")]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another process is training there.
    #[error("{0} is being trained by another process")]
    InUse(PathBuf),
    /// The name cannot be a folder's.
    #[error("{0:?} cannot be the name of a run: use letters, digits, '-', '_' and '.'")]
    Name(String),
}

impl RunFolder {
    /// The folder at `path`, whether or not a run has begun there.
    pub fn new(path: &Path) -> Self {
        Self { path: path.to_owned() }
    }

    /// The folder of the run called `name` in `runs`, which need not be there yet.
    pub fn named(runs: &Path, name: &str) -> Result<Self, RunError> {
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(allowed) {
            return Err(RunError::Name(name.to_owned()));
        }
        Ok(Self { path: runs.join(name) })
    }

    /// The folder at `path`, if a run has begun there.
    pub fn at(path: &Path) -> Option<Self> {
        Some(Self::new(path)).filter(Self::has_begun)
    }

    /// The runs in `runs`, by name.
    pub fn list(runs: &Path) -> Result<Vec<Self>, RunError> {
        let entries = match fs::read_dir(runs) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(disk(runs))?,
        };
        let mut found: Vec<_> =
            entries.flatten().filter_map(|entry| Self::at(&entry.path())).collect();
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// The unfinished run of `preset` in `runs` that began last, of those without a chosen name.
    pub fn unfinished(runs: &Path, preset: &str) -> Result<Option<Self>, RunError> {
        let candidate = |run: Self| {
            let origin = run.origin()?;
            let goes_on = origin.preset == preset && !origin.named && !run.is_finished();
            goes_on.then_some((origin.began, run))
        };
        let candidates = Self::list(runs)?.into_iter().filter_map(candidate);
        Ok(candidates.max_by_key(|(began, _)| *began).map(|(_, run)| run))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// The file with the run's settings.
    pub fn config_file(&self) -> PathBuf {
        self.path.join(CONFIG)
    }

    /// Whether the run has begun.
    pub fn has_begun(&self) -> bool {
        self.config_file().exists()
    }

    /// What the run began from, if it says so.
    pub fn origin(&self) -> Option<RunOrigin> {
        toml::from_str(&fs::read_to_string(self.path.join(ORIGIN)).ok()?).ok()
    }

    /// The folder of the checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.path.join("checkpoints")
    }

    /// The folder of the models, as the run's settings name it. Other settings may be those of
    /// another version of the program; they are not looked at.
    pub fn models(&self) -> PathBuf {
        let text = fs::read_to_string(self.config_file()).unwrap_or_default();
        let settings: Option<toml::Table> = toml::from_str(&text).ok();
        let named =
            settings.as_ref().and_then(|all| all.get("logging")?.get("model_dir")?.as_str());
        self.path.join(named.unwrap_or(MODELS))
    }

    /// The metrics as JSON lines.
    pub fn metrics_file(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// The metrics as TensorBoard reads them.
    pub fn tensorboard_file(&self) -> PathBuf {
        self.path.join("tensorboard/events.out.tfevents.keisei")
    }

    /// The folder of the W&B client.
    pub fn wandb(&self) -> PathBuf {
        self.path.join("wandb")
    }

    /// The training log of a run that learns `game`, in the file that its settings name, if any.
    pub fn log_file(&self, named: Option<&str>, game: &str) -> PathBuf {
        match named {
            Some(file) => self.path.join(file),
            None => self.path.join(format!("logs/{game}_training_log.txt")),
        }
    }

    /// The games that are being played, if the run shows them, as `keisei_train::live` writes them.
    pub fn live_file(&self) -> PathBuf {
        self.path.join("live.json")
    }

    /// The folder of the evaluation games.
    pub fn games(&self) -> PathBuf {
        self.path.join("games")
    }

    /// The folder of the run's ladder.
    pub fn ladder(&self) -> PathBuf {
        self.path.join("ladder")
    }

    /// Whether the run has reached its end.
    pub fn is_finished(&self) -> bool {
        self.path.join(FINISHED).exists()
    }

    /// Makes the folder if it is not there, and holds it for this process alone.
    pub fn hold(&self) -> Result<HeldRun, RunError> {
        let runs = self.path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(runs).map_err(disk(&self.path))?;
        match fs::create_dir(&self.path) {
            Ok(()) => HeldRun::new(self.clone(), true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                HeldRun::new(self.clone(), false)
            }
            Err(error) => Err(disk(&self.path)(error)),
        }
    }

    /// Makes a folder in `runs` that nobody has yet, for a run that begins now, and holds it.
    pub fn create(runs: &Path, origin: &RunOrigin) -> Result<HeldRun, RunError> {
        fs::create_dir_all(runs).map_err(disk(runs))?;
        let name = origin.name();
        for number in 1.. {
            let name = if number == 1 { name.clone() } else { format!("{name}-{number}") };
            let folder = Self::named(runs, &name)?;
            match fs::create_dir(&folder.path) {
                Ok(()) => return HeldRun::new(folder, true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(disk(&folder.path)(error)),
            }
        }
        unreachable!("some number is free")
    }
}

/// The folder of a run, held by this process alone.
#[derive(Debug)]
pub struct HeldRun {
    folder: RunFolder,
    /// Whether this process made the folder.
    made: bool,
    /// Released by the system when the process ends, however it ends.
    _lock: File,
}

impl Deref for HeldRun {
    type Target = RunFolder;

    fn deref(&self) -> &RunFolder {
        &self.folder
    }
}

impl HeldRun {
    fn new(folder: RunFolder, made: bool) -> Result<Self, RunError> {
        let path = folder.path.join(LOCK);
        let lock = File::create(&path).map_err(disk(&path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { folder, made, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(RunError::InUse(folder.path)),
            Err(TryLockError::Error(error)) => Err(disk(&path)(error)),
        }
    }

    /// Takes the folder away again, if this process made it: nothing was begun in it.
    pub fn discard(self) {
        if self.made
            && let Err(error) = fs::remove_dir_all(&self.path)
        {
            tracing::warn!(%error, folder = %self.path.display(), "cannot be removed again");
        }
    }

    /// Writes down the run's settings.
    pub fn write_config(&self, toml: &str) -> Result<(), RunError> {
        self.write(CONFIG, toml)
    }

    /// Writes down what the run began from, unless that is known.
    pub fn write_origin(&self, origin: &RunOrigin) -> Result<(), RunError> {
        if self.path.join(ORIGIN).exists() {
            return Ok(());
        }
        self.write(ORIGIN, &toml::to_string(origin).expect("an origin is TOML"))
    }

    /// Writes a file as a whole.
    fn write(&self, name: &str, content: &str) -> Result<(), RunError> {
        let (path, unfinished) = (self.path.join(name), self.path.join(format!(".{name}")));
        fs::write(&unfinished, content).map_err(disk(&unfinished))?;
        fs::rename(&unfinished, &path).map_err(disk(&path))
    }

    /// Says whether the run has reached its end.
    pub fn mark_finished(&self, finished: bool) -> Result<(), RunError> {
        let path = self.path.join(FINISHED);
        match finished {
            true => fs::write(&path, "").map_err(disk(&path)),
            false if path.exists() => fs::remove_file(&path).map_err(disk(&path)),
            false => Ok(()),
        }
    }
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    move |source| RunError::Disk { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hold(runs: &Path, name: &str) -> Result<HeldRun, RunError> {
        RunFolder::named(runs, name)?.hold()
    }

    #[test]
    fn a_run_is_held_by_one_process_at_a_time() {
        let runs = tempfile::tempdir().unwrap();
        let folder = hold(runs.path(), "first").unwrap();
        assert_eq!(folder.name(), "first");
        let message = hold(runs.path(), "first").unwrap_err().to_string();
        assert!(message.contains("being trained by another process"), "{message}");
        drop(folder);
        hold(runs.path(), "first").unwrap();
    }

    #[test]
    fn names_that_leave_the_folder_of_runs_are_refused() {
        let runs = tempfile::tempdir().unwrap();
        for name in ["", "..", ".hidden", "a/b", "a b", "/etc"] {
            assert!(matches!(hold(runs.path(), name), Err(RunError::Name(_))), "{name}");
        }
    }

    #[test]
    fn an_unwritable_folder_is_named() {
        let runs = tempfile::tempdir().unwrap();
        let file = runs.path().join("file");
        fs::write(&file, "").unwrap();
        let message = hold(&file, "first").unwrap_err().to_string();
        assert!(message.contains("file"), "{message}");
    }

    #[test]
    fn runs_are_those_folders_that_have_settings() {
        let runs = tempfile::tempdir().unwrap();
        assert_eq!(RunFolder::list(&runs.path().join("none")).unwrap(), []);
        for name in ["b", "a", "empty"] {
            let folder = hold(runs.path(), name).unwrap();
            assert!(!folder.has_begun());
            if name != "empty" {
                folder.write_config("").unwrap();
                assert!(folder.has_begun());
            }
        }
        let list = RunFolder::list(runs.path()).unwrap();
        assert_eq!(list.iter().map(RunFolder::name).collect::<Vec<_>>(), ["a", "b"]);
    }

    /// A run of which nobody chose the name.
    fn begin(runs: &Path, preset: &str, began: &str) -> HeldRun {
        let origin =
            RunOrigin { preset: preset.to_owned(), began: began.parse().unwrap(), named: false };
        let folder = RunFolder::create(runs, &origin).unwrap();
        folder.write_config("").unwrap();
        folder.write_origin(&origin).unwrap();
        folder
    }

    #[test]
    fn the_newest_unfinished_run_of_a_preset_goes_on_and_none_of_another() {
        let runs = tempfile::tempdir().unwrap();
        let unfinished = |preset| RunFolder::unfinished(runs.path(), preset).unwrap();
        begin(runs.path(), "cpu-smoke", "2024-02-29T23:59:59Z");
        assert_eq!(unfinished("cpu"), None, "a preset whose name begins alike is another");
        let old = begin(runs.path(), "cpu", "2024-02-29T23:59:59Z");
        assert_eq!(old.name(), "cpu-20240229-235959");
        let new = begin(runs.path(), "cpu", "2024-03-01T00:00:00Z");
        assert_eq!(unfinished("cpu").as_ref(), Some(&*new));
        new.mark_finished(true).unwrap();
        assert_eq!(unfinished("cpu").as_ref(), Some(&*old));
        new.mark_finished(false).unwrap();
        assert_eq!(unfinished("cpu").as_ref(), Some(&*new));
    }

    #[test]
    fn two_runs_that_begin_in_the_same_second_have_folders_of_their_own() {
        let runs = tempfile::tempdir().unwrap();
        let names =
            [(); 3].map(|()| begin(runs.path(), "cpu", "2024-03-01T00:00:00Z").name().to_owned());
        let name = "cpu-20240301-000000";
        assert_eq!(names, [name.to_owned(), format!("{name}-2"), format!("{name}-3")]);
    }

    #[test]
    fn the_name_of_a_model_tells_after_how_many_moves_it_was_written() {
        let name = model_name("shogi", 4096);
        assert_eq!(name, "shogi_ppo_agent_step_4096.safetensors");
        assert_eq!(step_of(&Path::new("models").join(name)), Some(4096));
        for other in ["best.safetensors", "best-2.safetensors", "a_step_x.safetensors"] {
            assert_eq!(step_of(Path::new(other)), None, "{other}");
        }
    }

    #[test]
    fn models_are_where_the_settings_say() {
        let runs = tempfile::tempdir().unwrap();
        let folder = hold(runs.path(), "a").unwrap();
        assert_eq!(folder.models(), folder.path().join("models"));
        folder.write_config("[logging]\nmodel_dir = \"weights\"").unwrap();
        assert_eq!(folder.models(), folder.path().join("weights"));
        folder.write_config("[logging]\nmodel_dir = \"/elsewhere\"").unwrap();
        assert_eq!(folder.models(), Path::new("/elsewhere"));
    }
}
