//! Checkpoints that survive any crash: a folder of files with a manifest of their hashes.
//!
//! A checkpoint is written under another name, file by file, each brought to the disk, the manifest
//! last; then the folder gets its name. So a folder with the right name was complete when it was
//! written. What happened to it since is told by the hashes: a damaged checkpoint is passed over
//! for the one before. Where no large files are wanted, a file is written in parts.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use keisei_cluster::{Alone, Communicator};
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
    files: Entries,
}

/// The files of a checkpoint by their names.
type Entries = BTreeMap<String, FileEntry>;

#[derive(Serialize, Deserialize)]
struct FileEntry {
    bytes: u64,
    sha256: String,
    /// How many parts it is written in, one after the other; without a number, it is one file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parts: Option<usize>,
}

impl FileEntry {
    /// The entry of a file that is written in parts of at most so many bytes, if it is larger.
    fn of(content: &[u8], part_bytes: usize) -> Self {
        let parts = content.len().div_ceil(part_bytes);
        Self {
            bytes: content.len() as u64,
            sha256: sha256(content),
            parts: (parts > 1).then_some(parts),
        }
    }

    /// The names under which the file called `name` is written.
    fn names(&self, name: &str) -> Vec<String> {
        match self.parts {
            None => vec![name.to_owned()],
            Some(parts) => (1..=parts).map(|part| format!("{name}.part-{part}")).collect(),
        }
    }

    /// Whether `content` is what was written.
    fn describes(&self, content: &[u8]) -> bool {
        self.bytes == content.len() as u64 && self.sha256 == sha256(content)
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
    /// Another rank cannot write its part, or rank 0 cannot write the rest.
    #[error("rank {rank}: {problem}")]
    Rank {
        /// Which.
        rank: usize,
        /// What it says.
        problem: String,
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
    part_bytes: usize,
}

impl Checkpoints {
    /// The checkpoints in `folder`, of which as many are kept as the settings say.
    pub fn new(folder: PathBuf, settings: &Checkpoint) -> Self {
        let &Checkpoint { keep_last, keep_best, part_megabytes, .. } = settings;
        let part_bytes = part_megabytes.map_or(usize::MAX, |size| (size * 1e6) as usize);
        Self { folder, keep_last, keep_best, part_bytes }
    }

    /// Writes a checkpoint, then removes those that need not be kept.
    pub fn save(&self, stored: &Stored) -> Result<PathBuf, CheckpointError> {
        self.save_among(stored, &Alone)
    }

    /// The same for several ranks: each writes the files that it has, rank 0 also the manifest. They
    /// all succeed or all fail.
    pub fn save_among(
        &self,
        stored: &Stored,
        ranks: &dyn Communicator,
    ) -> Result<PathBuf, CheckpointError> {
        let name = format!("{PREFIX}{:010}", stored.header.update);
        let unfinished = self.folder.join(format!("{UNFINISHED}{name}"));
        let path = self.folder.join(&name);
        let made = if ranks.is_first() { self.make(&unfinished) } else { Ok(()) };
        agreed(made, ranks)?;
        let own = self.write_files(&unfinished, stored);
        let parts = ranks.collect_at_first(own.map_err(|error| error.to_string()));
        let written = match parts {
            Some(parts) => self.complete(stored, parts, &unfinished, &path),
            None => Ok(()),
        };
        agreed(written, ranks)?;
        if ranks.is_first()
            && let Err(error) = self.prune()
        {
            tracing::warn!(%error, "old checkpoints could not be removed");
        }
        Ok(path)
    }

    /// Makes the folder of a checkpoint while it is written.
    fn make(&self, unfinished: &Path) -> Result<(), CheckpointError> {
        fs::create_dir_all(&self.folder).map_err(CheckpointError::disk(&self.folder))?;
        self.remove(unfinished)?;
        fs::create_dir(unfinished).map_err(CheckpointError::disk(unfinished))
    }

    /// Writes the files of a checkpoint that this rank has.
    fn write_files(&self, folder: &Path, stored: &Stored) -> Result<Entries, CheckpointError> {
        let mut files = Entries::new();
        for (name, content) in &stored.files {
            let entry = FileEntry::of(content, self.part_bytes);
            // An empty file has no chunk.
            let parts = content.chunks(self.part_bytes).chain([&[][..]]);
            for (part_name, part) in entry.names(name).iter().zip(parts) {
                let path = folder.join(part_name);
                write_synced(&path, part).map_err(CheckpointError::disk(&path))?;
            }
            files.insert(name.clone(), entry);
        }
        Ok(files)
    }

    /// Writes the manifest, and gives the folder its name.
    fn complete(
        &self,
        stored: &Stored,
        parts: Vec<Result<Entries, String>>,
        unfinished: &Path,
        path: &Path,
    ) -> Result<(), CheckpointError> {
        let mut files = Entries::new();
        for (rank, part) in parts.into_iter().enumerate() {
            files.extend(part.map_err(|problem| CheckpointError::Rank { rank, problem })?);
        }
        let manifest = Manifest { format: FORMAT, header: stored.header.clone(), files };
        let manifest = serde_json::to_vec_pretty(&manifest).expect("a manifest is plain JSON");
        let file = unfinished.join(MANIFEST);
        write_synced(&file, &manifest).map_err(CheckpointError::disk(&file))?;
        sync_folder(unfinished).map_err(CheckpointError::disk(unfinished))?;
        // One of this name is there if a run fell back behind it, or saves the same state again.
        self.remove(path)?;
        fs::rename(unfinished, path).map_err(CheckpointError::disk(path))?;
        sync_folder(&self.folder).map_err(CheckpointError::disk(&self.folder))
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

    /// The same for several ranks: all read the one that rank 0 has found to be the newest.
    pub fn newest_among(
        &self,
        ranks: &dyn Communicator,
    ) -> Result<Option<Stored>, CheckpointError> {
        let newest = if ranks.is_first() { self.newest()? } else { None };
        let update = ranks.share(newest.as_ref().map(|stored| stored.header.update));
        match update {
            Some(update) if !ranks.is_first() => {
                read(&self.folder.join(format!("{PREFIX}{update:010}"))).map(Some)
            }
            _ => Ok(newest),
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

/// What rank 0 managed to do, for all ranks.
fn agreed(
    done: Result<(), CheckpointError>,
    ranks: &dyn Communicator,
) -> Result<(), CheckpointError> {
    if ranks.is_first() {
        ranks.share(done.as_ref().err().map(ToString::to_string));
        return done;
    }
    match ranks.share(None::<String>) {
        None => Ok(()),
        Some(problem) => Err(CheckpointError::Rank { rank: 0, problem }),
    }
}

/// Reads the checkpoint in `folder` and checks that it is whole.
pub fn read(folder: &Path) -> Result<Stored, CheckpointError> {
    let manifest = read_manifest(folder)?;
    let mut files = BTreeMap::new();
    for (name, entry) in manifest.files {
        let mut content = Vec::new();
        for part in entry.names(&name) {
            let path = folder.join(&part);
            let bytes = fs::read(&path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => CheckpointError::Damaged(format!("{part} is missing")),
                _ => CheckpointError::disk(&path)(error),
            })?;
            content.extend(bytes);
        }
        if !entry.describes(&content) {
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
pub(crate) fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests;
