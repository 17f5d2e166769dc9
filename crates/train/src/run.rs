//! The folder of a run.
//!
//! ```text
//! runs/<name>/
//!   config.toml                  every setting, as the run resolved it
//!   checkpoints/update-…/        what it goes on from
//!   models/                      the weights at each checkpoint
//!   logs/<game>_training_log.txt games and updates as text
//!   metrics.jsonl, tensorboard/  numbers
//!   games/                       evaluation games
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::config::Config;

const CONFIG: &str = "config.toml";
const LOCK: &str = ".lock";

/// The folder of a run, held by this process alone.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    /// Released by the system when the process ends, however it ends.
    _lock: File,
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

/// What is known of a run from its folder alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunInfo {
    /// Its name.
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
}

impl RunFolder {
    /// The folder of the run called `name` in `runs`, made if it is not there.
    pub fn open(runs: &Path, name: &str) -> Result<Self, RunError> {
        let allowed = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(allowed) {
            return Err(RunError::Name(name.to_owned()));
        }
        let path = runs.join(name);
        fs::create_dir_all(&path).map_err(disk(&path))?;
        let lock_path = path.join(LOCK);
        let lock = File::create(&lock_path).map_err(disk(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(RunError::InUse(path)),
            Err(TryLockError::Error(error)) => Err(disk(&lock_path)(error)),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    /// The file with the run's settings, if the run has begun.
    pub fn config_file(&self) -> Option<PathBuf> {
        let path = self.path.join(CONFIG);
        path.exists().then_some(path)
    }

    /// Writes down the run's settings.
    pub fn write_config(&self, config: &Config) -> Result<(), RunError> {
        let path = self.path.join(CONFIG);
        let unfinished = self.path.join(format!(".{CONFIG}"));
        fs::write(&unfinished, config.to_toml()).map_err(disk(&unfinished))?;
        fs::rename(&unfinished, &path).map_err(disk(&path))
    }
}

/// The runs in `runs`, by name.
pub fn list(runs: &Path) -> Result<Vec<RunInfo>, RunError> {
    let entries = match fs::read_dir(runs) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(disk(runs))?,
    };
    let info = |entry: fs::DirEntry| {
        let (path, name) = (entry.path(), entry.file_name().into_string().ok()?);
        path.join(CONFIG).exists().then_some(RunInfo { name, path })
    };
    let mut found: Vec<_> = entries.flatten().filter_map(info).collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(found)
}

/// A name for a run that begins now: the game and the time, in UTC.
pub fn timestamped_name(game: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    format!("{game}-{}", timestamp(now))
}

/// `seconds` since 1970 as year, month, day, hour, minute and second.
fn timestamp(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years are counted from March, so that leap days come last in them.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}")
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> RunError {
    move |source| RunError::Disk { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_calendar_dates() {
        assert_eq!(timestamp(0), "19700101-000000");
        assert_eq!(timestamp(951_782_400), "20000229-000000");
        assert_eq!(timestamp(1_709_251_199), "20240229-235959");
        assert_eq!(timestamp(1_709_251_200), "20240301-000000");
        assert_eq!(timestamp(4_107_542_399), "21000228-235959");
        assert_eq!(timestamp(4_107_542_400), "21000301-000000");
        assert!(timestamped_name("shogi").starts_with("shogi-20"));
    }

    #[test]
    fn a_run_is_held_by_one_process_at_a_time() {
        let runs = tempfile::tempdir().unwrap();
        let folder = RunFolder::open(runs.path(), "first").unwrap();
        assert_eq!(folder.name(), "first");
        let message = RunFolder::open(runs.path(), "first").unwrap_err().to_string();
        assert!(message.contains("being trained by another process"), "{message}");
        drop(folder);
        RunFolder::open(runs.path(), "first").unwrap();
    }

    #[test]
    fn names_that_leave_the_folder_of_runs_are_refused() {
        let runs = tempfile::tempdir().unwrap();
        for name in ["", "..", ".hidden", "a/b", "a b", "/etc"] {
            assert!(matches!(RunFolder::open(runs.path(), name), Err(RunError::Name(_))), "{name}");
        }
    }

    #[test]
    fn an_unwritable_folder_is_named() {
        let runs = tempfile::tempdir().unwrap();
        let file = runs.path().join("file");
        fs::write(&file, "").unwrap();
        let message = RunFolder::open(&file, "first").unwrap_err().to_string();
        assert!(message.contains("file"), "{message}");
    }

    #[test]
    fn runs_are_those_folders_that_have_settings() {
        let runs = tempfile::tempdir().unwrap();
        assert_eq!(list(&runs.path().join("none")).unwrap(), []);
        for name in ["b", "a", "empty"] {
            let folder = RunFolder::open(runs.path(), name).unwrap();
            assert!(folder.config_file().is_none());
            if name != "empty" {
                folder.write_config(&Config::default()).unwrap();
                assert!(folder.config_file().is_some());
            }
        }
        let names: Vec<_> = list(runs.path()).unwrap().into_iter().map(|run| run.name).collect();
        assert_eq!(names, ["a", "b"]);
    }
}
