//! Reading the records of a folder.

use std::io;
use std::path::{Path, PathBuf};

use super::{Sides, Statistics};
use crate::{AnyRecord, Format, ReadError, Recorded, read};

/// Where a game of a collection comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Which game of the file, from 0.
    pub game: usize,
}

/// Why a file of a folder was left out.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// The file could not be opened.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file is no record.
    #[error("{}: {error}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: ReadError,
    },
}

/// The records of one game in a folder, indexed by position.
#[derive(Debug)]
pub struct Library<G: Recorded> {
    /// The games.
    pub statistics: Statistics<G>,
    /// Where each game comes from, by its number.
    pub sources: Vec<Source>,
    /// The files that could not be read.
    pub unreadable: Vec<Unreadable>,
}

impl<G: Recorded> Library<G> {
    /// Reads every record file in `folder` and the folders in it, in the order of their names.
    /// Records of other games are passed over.
    /// Files with other extensions are passed over; files that cannot be read are listed.
    pub fn open(folder: &Path, sides: Sides) -> io::Result<Self> {
        let mut library = Self {
            statistics: Statistics::new(sides),
            sources: Vec::new(),
            unreadable: Vec::new(),
        };
        let mut waiting = list(folder)?;
        waiting.reverse();
        while let Some(path) = waiting.pop() {
            // A link may lead back to where it stands; only the folders themselves are entered.
            if path.is_dir() && !path.is_symlink() {
                match list(&path) {
                    Ok(inner) => waiting.extend(inner.into_iter().rev()),
                    Err(error) => library.unreadable.push(Unreadable::Io { path, error }),
                }
            } else if path.is_file() {
                let extension = path.extension().and_then(|extension| extension.to_str());
                if let Some(format) = extension.and_then(Format::from_extension) {
                    library.add_file(path, format);
                }
            }
        }
        Ok(library)
    }

    fn add_file(&mut self, path: PathBuf, format: Format) {
        let bytes = match std::fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) => return self.unreadable.push(Unreadable::Io { path, error }),
        };
        match read(&bytes, Some(format)) {
            Ok(records) => {
                for (game, record) in records.iter().enumerate() {
                    self.add(record, Source { path: path.clone(), game });
                }
            }
            Err(error) => self.unreadable.push(Unreadable::Record { path, error }),
        }
    }

    /// Adds one record, if it is of this game.
    pub fn add(&mut self, record: &AnyRecord, source: Source) {
        if let Some(record) = record.of() {
            self.statistics.add(record);
            self.sources.push(source);
        }
    }
}

/// The entries of a folder in the order of their names.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
