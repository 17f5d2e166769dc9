//! Reading the records of a folder.

use std::io;
use std::path::{Path, PathBuf};

use super::{Sides, Statistics};
use crate::{AnyRecord, Format, Recorded, Unreadable, read_file};

/// Where a game of a collection comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub path: PathBuf,
    /// Which game of the file, from 0.
    pub game: usize,
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
    /// Files with other extensions and records of other games are passed over; files that cannot be
    /// read are listed.
    pub fn open(folder: &Path, sides: Sides) -> io::Result<Self> {
        let RecordFiles { files, unreadable } = record_files(folder)?;
        let mut library =
            Self { statistics: Statistics::new(sides), sources: Vec::new(), unreadable };
        files.into_iter().for_each(|path| library.add_file(path));
        Ok(library)
    }

    fn add_file(&mut self, path: PathBuf) {
        match read_file(&path, None) {
            Ok(records) => {
                for (game, record) in records.iter().enumerate() {
                    self.add(record, Source { path: path.clone(), game });
                }
            }
            Err(unreadable) => self.unreadable.push(unreadable),
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

/// What a folder and the folders in it hold.
#[derive(Debug, Default)]
pub struct RecordFiles {
    /// The files whose names are those of records.
    pub files: Vec<PathBuf>,
    /// The inner folders that cannot be listed.
    pub unreadable: Vec<Unreadable>,
}

/// The record files in `folder` and the folders in it, in the order of their names.
pub fn record_files(folder: &Path) -> io::Result<RecordFiles> {
    let mut found = RecordFiles::default();
    let mut waiting = list(folder)?;
    waiting.reverse();
    while let Some(path) = waiting.pop() {
        // A link may lead back to where it stands; only the folders themselves are entered.
        if path.is_dir() && !path.is_symlink() {
            match list(&path) {
                Ok(inner) => waiting.extend(inner.into_iter().rev()),
                Err(error) => found.unreadable.push(Unreadable::Io { path, error }),
            }
        } else if path.is_file() && Format::from_path(&path).is_some() {
            found.files.push(path);
        }
    }
    Ok(found)
}

/// The entries of a folder in the order of their names.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
