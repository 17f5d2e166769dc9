//! Finding and reading the weights of a network.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use keisei_encode::Actions;
use keisei_net::{NetEvaluator, StateError};

/// What weights files are called.
const EXTENSION: &str = "safetensors";
/// Where a run keeps them.
const MODELS: &str = "models";

/// Why there is no network.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The disk refuses.
    #[error("{path}: {source}")]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A folder without weights.
    #[error(
        "{folder} has no network: there is no file *.{EXTENSION} in it or in its folder {MODELS}"
    )]
    NoneInFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The weights are damaged, or of another game or encoding.
    #[error("{path}: {problem}")]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: StateError,
    },
}

/// The network at `path`: a weights file, or the folder of a run, whose newest model is taken.
pub fn load_network<A: Actions>(path: &Path) -> Result<NetEvaluator<A>, LoadError> {
    let path = find(path)?;
    let bytes = fs::read(&path).map_err(disk(&path))?;
    NetEvaluator::from_weights(&bytes).map_err(|problem| LoadError::Weights { path, problem })
}

/// The weights file at `path`.
fn find(path: &Path) -> Result<PathBuf, LoadError> {
    if !fs::metadata(path).map_err(disk(path))?.is_dir() {
        return Ok(path.to_owned());
    }
    for folder in [path.join(MODELS), path.to_owned()] {
        if let Some(newest) = newest_in(&folder)? {
            return Ok(newest);
        }
    }
    Err(LoadError::NoneInFolder { folder: path.to_owned() })
}

/// The weights in `folder` with the highest number at the end of their name, which counts steps of
/// training; of those without, the file written last.
fn newest_in(folder: &Path) -> Result<Option<PathBuf>, LoadError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries.map_err(disk(folder))?,
    };
    let mut newest: Option<(Option<u64>, SystemTime, PathBuf)> = None;
    for entry in entries {
        let entry = entry.map_err(disk(folder))?;
        let path = entry.path();
        // A file that begins with a dot is being written.
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if hidden || path.extension() != Some(OsStr::new(EXTENSION)) {
            continue;
        }
        let written = entry.metadata().and_then(|data| data.modified()).map_err(disk(&path))?;
        let candidate = (steps(&path), written, path);
        if newest.as_ref().is_none_or(|newest| candidate > *newest) {
            newest = Some(candidate);
        }
    }
    Ok(newest.map(|(.., path)| path))
}

/// The number at the end of a file's name.
fn steps(path: &Path) -> Option<u64> {
    let stem = path.file_stem()?.to_str()?;
    let number = stem.trim_end_matches(|letter: char| letter.is_ascii_digit());
    stem[number.len()..].parse().ok()
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> LoadError {
    move |source| LoadError::Disk { path: path.to_owned(), source }
}
