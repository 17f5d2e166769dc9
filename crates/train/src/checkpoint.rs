//! Checkpoints that survive any crash: a folder of files with a manifest of their hashes.
//!
//! A checkpoint is written under another name, file by file, each brought to the disk, the manifest
//! last; then the folder gets its name. So a folder with the right name was complete when it was
//! written. What happened to it since is told by the hashes: a damaged checkpoint is passed over
//! for the one before.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::config::Checkpoint;

/// The version of the layout of checkpoints.
pub const FORMAT: u32 = 1;

const MANIFEST: &str = "manifest.json";
/// How the name of a checkpoint begins; the number of its update follows.
const PREFIX: &str = "update-";
/// How the name of a checkpoint begins while it is written or removed.
const UNFINISHED: &str = ".unfinished-";

/// What a checkpoint says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The game.
    pub game: String,
    /// The version of the encodings.
    pub encoding: u32,
    /// The numbering of actions.
    pub actions: String,
    /// How many updates were made.
    pub update: u64,
    /// How many moves were made.
    pub step: u64,
    /// The last evaluation's score, by which the best checkpoint is kept.
    pub score: Option<f64>,
}

/// A checkpoint in memory: its header and its files by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Stored {
    /// What it says of itself.
    pub header: Header,
    /// Its files.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Stored {
    /// A file by its name.
    pub fn file(&self, name: &str) -> Result<&[u8], CheckpointError> {
        let file = self.files.get(name).map(Vec::as_slice);
        file.ok_or_else(|| CheckpointError::Damaged(format!("it has no file {name:?}")))
    }
}

#[derive(Serialize, Deserialize)]
struct Manifest {
    format: u32,
    #[serde(flatten)]
    header: Header,
    files: BTreeMap<String, FileEntry>,
}

#[derive(PartialEq, Serialize, Deserialize)]
struct FileEntry {
    bytes: u64,
    sha256: String,
}

impl FileEntry {
    fn of(content: &[u8]) -> Self {
        Self { bytes: content.len() as u64, sha256: sha256(content) }
    }
}

/// Why a checkpoint cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The disk refuses.
    #[error("{path}: {source}")]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something in it is missing or changed.
    #[error("the checkpoint is damaged: {0}")]
    Damaged(String),
    /// It was written by another version of the program.
    #[error("the checkpoint has format {found}, but this program reads format {FORMAT}")]
    Format {
        /// Its format.
        found: u32,
    },
    /// It is for something else.
    #[error("the checkpoint is for {key} {found}, but {expected} is needed")]
    Mismatch {
        /// What differs.
        key: &'static str,
        /// What the checkpoint says.
        found: String,
        /// What is needed.
        expected: String,
    },
    /// There are checkpoints, but none can be used.
    #[error("no checkpoint in {folder} can be used; the newest: {newest}")]
    NoneUsable {
        /// Where they are.
        folder: PathBuf,
        /// What is wrong with the newest.
        newest: String,
    },
}

impl CheckpointError {
    fn disk(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Disk { path: path.to_owned(), source }
    }
}

/// The checkpoints of a run.
#[derive(Clone, Debug)]
pub struct Checkpoints {
    folder: PathBuf,
    keep_last: usize,
    keep_best: bool,
}

impl Checkpoints {
    /// The checkpoints in `folder`, of which as many are kept as the settings say.
    pub fn new(folder: PathBuf, settings: &Checkpoint) -> Self {
        Self { folder, keep_last: settings.keep_last, keep_best: settings.keep_best }
    }

    /// Writes a checkpoint, then removes those that need not be kept.
    pub fn save(&self, stored: &Stored) -> Result<PathBuf, CheckpointError> {
        let path = self.write(stored)?;
        if let Err(error) = self.prune() {
            tracing::warn!(%error, "old checkpoints could not be removed");
        }
        Ok(path)
    }

    fn write(&self, stored: &Stored) -> Result<PathBuf, CheckpointError> {
        fs::create_dir_all(&self.folder).map_err(CheckpointError::disk(&self.folder))?;
        let name = format!("{PREFIX}{:010}", stored.header.update);
        let unfinished = self.folder.join(format!("{UNFINISHED}{name}"));
        let path = self.folder.join(&name);
        self.remove(&unfinished)?;
        fs::create_dir(&unfinished).map_err(CheckpointError::disk(&unfinished))?;
        let write = |name: &str, content: &[u8]| {
            let path = unfinished.join(name);
            write_synced(&path, content).map_err(CheckpointError::disk(&path))
        };
        for (name, content) in &stored.files {
            write(name, content)?;
        }
        let files = stored.files.iter();
        let manifest = Manifest {
            format: FORMAT,
            header: stored.header.clone(),
            files: files.map(|(name, content)| (name.clone(), FileEntry::of(content))).collect(),
        };
        let manifest = serde_json::to_vec_pretty(&manifest).expect("a manifest is plain JSON");
        write(MANIFEST, &manifest)?;
        sync_folder(&unfinished).map_err(CheckpointError::disk(&unfinished))?;
        // One of this name is there if a run fell back behind it, or saves the same state again.
        self.remove(&path)?;
        fs::rename(&unfinished, &path).map_err(CheckpointError::disk(&path))?;
        sync_folder(&self.folder).map_err(CheckpointError::disk(&self.folder))?;
        Ok(path)
    }

    /// The newest checkpoint that is whole, or `None` if there never was one. Damaged ones are
    /// passed over with a warning.
    pub fn newest(&self) -> Result<Option<Stored>, CheckpointError> {
        let mut problem = None;
        for path in self.list()?.into_iter().rev() {
            match read(&path) {
                Ok(stored) => return Ok(Some(stored)),
                Err(error) => {
                    tracing::warn!(checkpoint = %path.display(), %error, "passed over");
                    problem.get_or_insert(error);
                }
            }
        }
        match problem {
            None => Ok(None),
            Some(error) => {
                let (folder, newest) = (self.folder.clone(), error.to_string());
                Err(CheckpointError::NoneUsable { folder, newest })
            }
        }
    }

    /// The folders of all checkpoints, the oldest first.
    pub fn list(&self) -> Result<Vec<PathBuf>, CheckpointError> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(CheckpointError::disk(&self.folder))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let path = entry.map_err(CheckpointError::disk(&self.folder))?.path();
            found.extend(update_of(&path).map(|update| (update, path)));
        }
        found.sort();
        Ok(found.into_iter().map(|(_, path)| path).collect())
    }

    /// Removes what need not be kept, and what was left unfinished.
    fn prune(&self) -> Result<(), CheckpointError> {
        let mut list = self.list()?;
        let older = list.len().saturating_sub(self.keep_last);
        let best = if self.keep_best { best_of(&list) } else { None };
        list.truncate(older);
        for path in list.iter().filter(|path| Some(*path) != best.as_ref()) {
            self.remove(path)?;
        }
        let entries = fs::read_dir(&self.folder).map_err(CheckpointError::disk(&self.folder))?;
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with(UNFINISHED) {
                self.remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// Removes a folder, if it is there. Its name goes first, so that no half of it is left under
    /// it.
    fn remove(&self, path: &Path) -> Result<(), CheckpointError> {
        if !path.exists() {
            return Ok(());
        }
        let doomed = self.folder.join(format!("{UNFINISHED}removed"));
        let name_is_free = |result: io::Result<()>| match result {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        };
        name_is_free(fs::remove_dir_all(&doomed))
            .and_then(|()| fs::rename(path, &doomed))
            .and_then(|()| fs::remove_dir_all(&doomed))
            .map_err(CheckpointError::disk(path))
    }
}

/// Reads the checkpoint in `folder` and checks that it is whole.
pub fn read(folder: &Path) -> Result<Stored, CheckpointError> {
    let manifest = read_manifest(folder)?;
    let mut files = BTreeMap::new();
    for (name, entry) in manifest.files {
        let path = folder.join(&name);
        let content = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => CheckpointError::Damaged(format!("{name} is missing")),
            _ => CheckpointError::disk(&path)(error),
        })?;
        if FileEntry::of(&content) != entry {
            return Err(CheckpointError::Damaged(format!("{name} is not what was written")));
        }
        files.insert(name, content);
    }
    Ok(Stored { header: manifest.header, files })
}

fn read_manifest(folder: &Path) -> Result<Manifest, CheckpointError> {
    #[derive(Deserialize)]
    struct Format {
        format: u32,
    }
    let path = folder.join(MANIFEST);
    let text = fs::read(&path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => CheckpointError::Damaged("it has no manifest".to_owned()),
        _ => CheckpointError::disk(&path)(error),
    })?;
    let damaged =
        |error: serde_json::Error| CheckpointError::Damaged(format!("{MANIFEST}: {error}"));
    let Format { format } = serde_json::from_slice(&text).map_err(damaged)?;
    if format != FORMAT {
        return Err(CheckpointError::Format { found: format });
    }
    serde_json::from_slice(&text).map_err(damaged)
}

/// The number of the update in a checkpoint's name.
fn update_of(path: &Path) -> Option<u64> {
    path.file_name()?.to_str()?.strip_prefix(PREFIX)?.parse().ok()
}

/// The checkpoint with the best score; of equals, the newest.
fn best_of(list: &[PathBuf]) -> Option<PathBuf> {
    let score = |path: &PathBuf| read_manifest(path).ok().and_then(|found| found.header.score);
    let scored = list.iter().filter_map(|path| score(path).map(|score| (score, path)));
    scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, path)| path.clone())
}

/// Writes a new file and brings it to the disk.
fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Brings the names in a folder to the disk.
fn sync_folder(path: &Path) -> io::Result<()> {
    // Windows cannot open folders, and writes names through.
    if cfg!(windows) { Ok(()) } else { File::open(path)?.sync_all() }
}

/// The SHA-256 of `content` in hexadecimal.
fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
