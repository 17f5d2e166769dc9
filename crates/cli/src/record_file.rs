//! Record files: reading them, and writing them in a format and an encoding.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use keisei_records::{AnyRecord, Encoding, Format, Problem, Unreadable, read, read_file};

use crate::text_game::TextGame;
use crate::words::listed;

/// An encoding by its name on the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum EncodingName {
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

/// How records are read and written.
#[derive(Args)]
pub(crate) struct FormatArgs {
    /// The format to read [default: recognised by the content]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<Format>,
    /// The format to write [default: by the extension of the file]
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// The encoding to write [default: shift-jis for .kif and .ki2, else utf-8]
    #[arg(long, value_enum)]
    encoding: Option<EncodingName>,
    /// Allow the result to overwrite the file it was read from
    #[arg(long)]
    overwrite: bool,
}

impl FormatArgs {
    /// Whether the format to write is named, rather than left to the file's name.
    pub(crate) fn names_target(&self) -> bool {
        self.to.is_some()
    }

    /// Where a record that was read from `input` is written.
    pub(crate) fn target(&self, input: &Path, output: &Path) -> Result<Target> {
        let target = Target::new(output, self.to, self.encoding)?;
        if !self.overwrite && !target.is_standard() && same_file(input, output) {
            bail!(
                "{} would be written over itself: name another file, or give --overwrite",
                input.display()
            );
        }
        Ok(target)
    }
}

fn same_file(one: &Path, two: &Path) -> bool {
    match (one.canonicalize(), two.canonicalize()) {
        (Ok(one), Ok(two)) => one == two,
        _ => false,
    }
}

/// The path that stands for standard input or output.
pub(crate) const STANDARD: &str = "-";

/// Reads the games of a file, or of standard input, in the format `from` or in the one that its
/// content or its name shows.
pub(crate) fn read_games(path: &Path, from: Option<Format>) -> Result<Vec<AnyRecord>> {
    let standard = path == Path::new(STANDARD);
    let name = if standard { "standard input".to_owned() } else { path.display().to_string() };
    let cannot_read = || format!("cannot read {name}");
    let games = if standard {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).with_context(cannot_read)?;
        read(&bytes, from)
    } else {
        match read_file(path, from) {
            Ok(games) => Ok(games),
            Err(Unreadable::Io { error, .. }) => return Err(error).with_context(cannot_read),
            Err(Unreadable::Record { error, .. }) => Err(error),
        }
    };
    let games = games.map_err(|error| {
        let place = format!("{name}:{}:{}", error.line, error.column);
        let hint = if error.problem == Problem::Format { " (name it with --from)" } else { "" };
        match &error.text[..] {
            "" => anyhow!("{place}: {}{hint}", error.problem),
            text => anyhow!("{place}: {}: {text:?}{hint}", error.problem),
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
    /// stands for.
    fn new(path: &Path, format: Option<Format>, encoding: Option<EncodingName>) -> Result<Self> {
        let Some(format) = format.or_else(|| Format::from_path(path)) else {
            if path == Path::new(STANDARD) {
                let names = listed(&Format::ALL.map(|format| format.to_string().to_lowercase()));
                bail!("standard output has no name that tells the format: give --to {names}");
            }
            let extensions = extensions(&Format::ALL);
            bail!(
                "the name {:?} tells no record format: let it end in {extensions}, or give --to",
                path.display()
            );
        };
        let encoding = encoding.map_or_else(|| Encoding::from_path(path), Encoding::from);
        Ok(Self { path: path.to_owned(), format, encoding })
    }

    /// The file at `path` for a game of `G`, by its extension.
    pub(crate) fn for_game<G: TextGame>(path: &Path) -> Result<Self> {
        let held = Format::holding::<G>();
        match Format::from_path(path) {
            Some(format) if held.contains(&format) => {
                Ok(Self { path: path.to_owned(), format, encoding: Encoding::from_path(path) })
            }
            _ => bail!(
                "a game of {} is saved in a file that ends in {}, not in {:?}",
                G::NAME,
                extensions(&held),
                path.display()
            ),
        }
    }

    /// Whether this is standard output.
    pub(crate) fn is_standard(&self) -> bool {
        self.path == Path::new(STANDARD)
    }
}

/// `.kifu, .ki2u or .csa`.
fn extensions(formats: &[Format]) -> String {
    let names: Vec<_> = formats.iter().map(|format| format!(".{}", format.extension())).collect();
    listed(&names)
}

/// Writes `bytes` to the file at `path`. Whatever happens meanwhile, the file holds either what it
/// held before or all of `bytes`.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut file = Replacement::begin(path)?;
    file.write_all(bytes).with_context(|| cannot_write(path))?;
    file.finish()
}

/// Refuses a path that no file can be written to, before there is anything to write.
pub(crate) fn check_writable(path: &Path) -> Result<()> {
    // Opening a pipe would wait for its reader.
    if is_special(path) && !path.is_dir() {
        return Ok(());
    }
    Replacement::begin(path).map(drop)
}

/// A file in the making, which takes its place only when it is finished.
pub(crate) struct Replacement {
    /// As the user named it.
    path: PathBuf,
    file: File,
    /// Where the file is made and where it goes. Pipes and devices are written to as they are.
    place: Option<Place>,
}

struct Place {
    part: PathBuf,
    whole: PathBuf,
}

impl Replacement {
    /// Begins a file for `path`. Links to a file stay, and so does its mode.
    pub(crate) fn begin(path: &Path) -> Result<Self> {
        Self::open(path).with_context(|| cannot_write(path))
    }

    fn open(path: &Path) -> io::Result<Self> {
        if is_special(path) {
            let file = File::options().write(true).open(path)?;
            return Ok(Self { path: path.to_owned(), file, place: None });
        }
        let whole = followed(path);
        let mut part = whole.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create(&part)?;
        let replacement = Self { path: path.to_owned(), file, place: Some(Place { part, whole }) };
        if let Some(Place { part, whole }) = &replacement.place
            && let Ok(before) = fs::metadata(whole)
        {
            fs::set_permissions(part, before.permissions())?;
        }
        Ok(replacement)
    }

    /// Puts the file in its place.
    pub(crate) fn finish(mut self) -> Result<()> {
        let Some(Place { part, whole }) = self.place.take() else { return Ok(()) };
        let moved = fs::rename(&part, whole);
        if moved.is_err() {
            // What is left over helps nobody.
            let _ = fs::remove_file(part);
        }
        moved.with_context(|| cannot_write(&self.path))
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(Place { part, .. }) = &self.place {
            // What is left over helps nobody.
            let _ = fs::remove_file(part);
        }
    }
}

pub(crate) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Whether `path` is a pipe or a device, in whose place no file could be put.
fn is_special(path: &Path) -> bool {
    path.exists() && !path.is_file()
}

/// Links that lead through more than this many others lead nowhere.
const MOST_LINKS: usize = 40;

/// The file that `path` leads to over links, whether or not it exists.
fn followed(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = path.parent().map(|folder| folder.join(&target)).unwrap_or(target);
    }
    path
}
