//! Record files: reading them, and writing them in a format and an encoding.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use keisei_records::{AnyRecord, Encoding, Format, Problem, read};

/// An encoding by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EncodingName {
    #[value(name = "utf-8")]
    Utf8,
    #[value(name = "shift-jis")]
    ShiftJis,
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Self {
        match name {
            EncodingName::Utf8 => Self::Utf8,
            EncodingName::ShiftJis => Self::ShiftJis,
        }
    }
}

/// The path that stands for standard input or output.
pub(crate) const STANDARD: &str = "-";

/// Reads the games of a file, or of standard input, in the format `from` or in the one that its
/// content or its name shows.
pub(crate) fn read_games(path: &Path, from: Option<Format>) -> Result<Vec<AnyRecord>> {
    let (name, bytes) = if path == Path::new(STANDARD) {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        ("standard input".to_owned(), read.map(|_| bytes))
    } else {
        (path.display().to_string(), fs::read(path))
    };
    let bytes = bytes.with_context(|| format!("cannot read {name}"))?;
    let by_name = || path.extension().and_then(OsStr::to_str).and_then(Format::from_extension);
    let games = match (read(&bytes, from), by_name()) {
        (Err(error), Some(format)) if error.problem == Problem::Format => {
            read(&bytes, Some(format))
        }
        (games, _) => games,
    };
    let games = games.map_err(|error| {
        let place = format!("{name}:{}:{}", error.line, error.column);
        let hint = if error.problem == Problem::Format { " (name it with --from)" } else { "" };
        match &error.text[..] {
            "" => anyhow::anyhow!("{place}: {}{hint}", error.problem),
            text => anyhow::anyhow!("{place}: {}: {text:?}{hint}", error.problem),
        }
    })?;
    if games.is_empty() {
        bail!("{name} has no games");
    }
    Ok(games)
}

/// A file that games are written to, or standard output.
pub(crate) struct Target {
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    pub(crate) encoding: Encoding,
}

impl Target {
    /// The file at `path`. Format and encoding are those asked for, or those that its extension
    /// stands for: `.kif` and `.ki2` files are Shift_JIS, all others UTF-8.
    pub(crate) fn new(
        path: &Path,
        format: Option<Format>,
        encoding: Option<EncodingName>,
    ) -> Result<Self> {
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let Some(format) = format.or_else(|| Format::from_extension(extension)) else {
            let known = Format::ALL.map(|format| format!(".{}", format.extension())).join(", ");
            bail!("the name {:?} tells no record format: it could end in {known}", path.display());
        };
        let old = ["kif", "ki2"].contains(&extension.to_ascii_lowercase().as_str());
        let usual = if old { Encoding::ShiftJis } else { Encoding::Utf8 };
        let encoding = encoding.map_or(usual, Encoding::from);
        Ok(Self { path: path.to_owned(), format, encoding })
    }

    /// Whether this is standard output.
    pub(crate) fn is_standard(&self) -> bool {
        self.path == Path::new(STANDARD)
    }
}

/// Writes `bytes` to the file at `path`. Whatever happens meanwhile, the file holds either what it
/// held before or all of `bytes`.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let cannot_write = || format!("cannot write {}", path.display());
    // A pipe or a device is no file that could be put in its place.
    if path.exists() && !path.is_file() {
        return fs::write(path, bytes).with_context(cannot_write);
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, path));
    written.with_context(cannot_write)
}
