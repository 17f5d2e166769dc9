//! Files that only grow, and go back to where they were when a run is resumed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written at its end.
#[derive(Debug)]
pub(crate) struct AppendFile {
    path: PathBuf,
    file: File,
    length: u64,
}

impl AppendFile {
    /// Opens the file, with its folder, to write at its end. If `length` is given, what lies beyond
    /// is cut away: it was written after the state that a run resumes from, and will be written
    /// again.
    pub(crate) fn open(path: &Path, length: Option<u64>) -> io::Result<Self> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let found = file.metadata()?.len();
        let length = length.map_or(found, |length| length.min(found));
        if length < found {
            file.set_len(length)?;
        }
        Ok(Self { path: path.to_owned(), file, length })
    }

    /// Writes `bytes` as a whole: after an error, the file is as it was if its disk allows.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Err(error) = self.file.write_all(bytes) {
            // The first error says more than that of a file that cannot be cut, such as a device.
            let _ = self.file.set_len(self.length);
            return Err(error);
        }
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Makes sure that all is on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match self.file.sync_data() {
            // A device or a pipe has no disk.
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
            result => result,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn length(&self) -> u64 {
        self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_grows_and_can_be_taken_back_to_an_earlier_length() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/file.txt");
        let mut file = AppendFile::open(&path, Some(7)).unwrap();
        file.write(b"one\n").unwrap();
        assert_eq!(file.length(), 4);
        file.write(b"two\n").unwrap();
        drop(file);
        let mut file = AppendFile::open(&path, None).unwrap();
        file.write(b"three\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\nthree\n");
        let mut file = AppendFile::open(&path, Some(4)).unwrap();
        file.write(b"2\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\n2\n");
    }
}
