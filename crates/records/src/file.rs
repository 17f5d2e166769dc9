//! Record files: what their names say of them, and reading them from disk.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::{AnyRecord, Encoding, Format, Problem, ReadError, read};

/// Why a record file cannot be read.
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

/// Reads the file at `path`: in `format` if one is given, otherwise in the format that its content
/// shows, or where the content shows none, in the one that its extension stands for.
pub fn read_file(path: &Path, format: Option<Format>) -> Result<Vec<AnyRecord>, Unreadable> {
    let bytes =
        std::fs::read(path).map_err(|error| Unreadable::Io { path: path.to_owned(), error })?;
    let records = read_named(&bytes, path, format);
    records.map_err(|error| Unreadable::Record { path: path.to_owned(), error })
}

/// Reads the bytes of the file that is called `path`, as [`read_file`] does.
pub fn read_named(
    bytes: &[u8],
    path: &Path,
    format: Option<Format>,
) -> Result<Vec<AnyRecord>, ReadError> {
    match (read(bytes, format), Format::from_path(path)) {
        (Err(error), Some(format)) if error.problem == Problem::Format => read(bytes, Some(format)),
        (records, _) => records,
    }
}

impl Format {
    /// The format that the extension of `path` stands for.
    pub fn from_path(path: &Path) -> Option<Self> {
        Self::from_extension(path.extension()?.to_str()?)
    }
}

impl Encoding {
    /// The encoding that programs expect of a file by its extension: Shift_JIS in `.kif` and `.ki2`
    /// files, UTF-8 in all others.
    pub fn from_path(path: &Path) -> Self {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let old = ["kif", "ki2"].iter().any(|old| extension.eq_ignore_ascii_case(old));
        if old { Self::ShiftJis } else { Self::Utf8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_of_a_file_counts_more_than_its_name() {
        let path = std::env::temp_dir().join(format!("keisei-{}.csa", std::process::id()));
        let read = |text: &str, format| {
            std::fs::write(&path, text).unwrap();
            read_file(&path, format)
        };
        let moves = |records: Vec<AnyRecord>| match &records[..] {
            [AnyRecord::Shogi(record)] => record.main_moves().count(),
            _ => panic!("one game of shogi"),
        };
        assert_eq!(moves(read("▲７六歩 △３四歩", None).unwrap()), 2, "KI2 by its content");
        assert_eq!(moves(read("", None).unwrap()), 0, "nothing is read as CSA");
        let refused = read("▲７六歩", Some(Format::Csa)).unwrap_err();
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(refused, Unreadable::Record { .. }), "{refused}");
        assert!(matches!(read_file(&path, None), Err(Unreadable::Io { .. })));
    }

    #[test]
    fn names_tell_formats_and_encodings() {
        let of =
            |name: &str| (Format::from_path(name.as_ref()), Encoding::from_path(name.as_ref()));
        assert_eq!(of("a/b.KIF"), (Some(Format::Kif), Encoding::ShiftJis));
        assert_eq!(of("b.kifu"), (Some(Format::Kif), Encoding::Utf8));
        assert_eq!(of("-"), (None, Encoding::Utf8));
    }
}
