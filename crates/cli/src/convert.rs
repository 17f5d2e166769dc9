//! `keisei convert`: records from one format to another, and to and from positions for learning.

mod samples;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use keisei_records::samples::SampleFormat;
use keisei_records::{AnyRecord, Format, Loss, WriteError, write_encoded, write_several};

use crate::record_file::{FormatArgs, Target, read_games, replace};
use crate::start::usage;
use crate::words::counted;

/// Convert game records (KIF, KI2, CSA, JKF, USI, SFENX, PGN) and positions for learning
///
/// Whatever the new format cannot hold is listed on standard error. Errors in the input are reported
/// with their line and column.
///
/// Files that end in .hcpe (dlshogi, Apery), .psv or .bin (YaneuraOu) and .jsonl (a JSON object a
/// line) hold positions of shogi, each with the move that was played, its score and how the game
/// ended. Every position and move is checked on the way. From records come the scores that the
/// players noted; positions that follow from each other become one game again. Of a folder, all record
/// files in it and its subfolders are taken; those that cannot be read are listed on standard error
/// and skipped.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Convert {
    /// The file to read, or - for standard input; for positions also a folder of records
    #[arg(value_name = "IN")]
    input: PathBuf,
    /// The file to write, or - for standard output
    #[arg(value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    formats: FormatArgs,
    /// Write nothing if anything would be lost
    #[arg(long)]
    strict: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei convert game.kif game.csa
  keisei convert game.csa - --to ki2
  keisei convert league.csa games.kifu      (several games: games-1.kifu, games-2.kifu, …)
  keisei convert - out.jkf --from kif < game.txt
  keisei convert matches/NAME/games teacher.hcpe      (games of a match as positions)
  keisei convert teacher.hcpe teacher.psv
  keisei convert teacher.psv - --to csa               (and back to games)";

impl Convert {
    /// Reads, converts, reports and writes.
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let from = self.formats.from;
        let positions = |path: &Path, named: bool| match named {
            true => None,
            false => SampleFormat::from_path(path),
        };
        if let Some(format) = positions(&self.output, self.formats.names_target()) {
            let target = (self.output.as_path(), format);
            return Ok(
                out.write_all(samples::write(&self.input, from, target, self.strict)?.as_bytes())?
            );
        }
        let target = self.formats.target(&self.input, &self.output).map_err(usage)?;
        let games = match positions(&self.input, from.is_some()) {
            Some(format) => samples::read(&self.input, format)?,
            None => read_games(&self.input, from)?,
        };
        let (files, lost) = files(&games, &target)?;
        let lost = report_losses(&lost, target.format);
        if self.strict && lost > 0 {
            bail!("{lost} parts of the record would be lost, so nothing is written");
        }
        if target.is_standard() {
            files.iter().try_for_each(|(_, bytes)| out.write_all(bytes))?;
            return Ok(());
        }
        for (path, bytes) in &files {
            replace(path, bytes)?;
            let count = counted(games.len() / files.len(), "game");
            writeln!(out, "{count} written to {} as {}", path.display(), target.format)?;
        }
        Ok(())
    }
}

/// Lists what is lost of each game on standard error, and counts it.
pub(crate) fn report_losses(games: &[Vec<Loss>], format: Format) -> usize {
    for (number, lost) in (1..).zip(games) {
        let which = if games.len() > 1 { &format!("game {number}, ") } else { "" };
        for loss in lost {
            eprintln!("{format} cannot hold: {which}{loss}");
        }
    }
    games.iter().map(Vec::len).sum()
}

/// A path and what is written there.
type File = (PathBuf, Vec<u8>);

/// The files to write, one for all games, or one for each where the format demands it; and what is
/// lost of each game.
fn files(games: &[AnyRecord], target: &Target) -> Result<(Vec<File>, Vec<Vec<Loss>>)> {
    match write_several(games, target.format, target.encoding) {
        Ok((bytes, lost)) => Ok((vec![(target.path.clone(), bytes)], lost)),
        Err(error @ WriteError::OneRecord(_)) if target.is_standard() => {
            Err(usage(format!("{error}, and there are {}: name a file", games.len())))
        }
        Err(WriteError::OneRecord(_)) => {
            let each = (1..).zip(games).map(|(number, game)| {
                let written = write_encoded(game, target.format, target.encoding)?;
                Ok(((numbered(&target.path, number), written.bytes), written.lost))
            });
            each.collect()
        }
        Err(error) => Err(error.into()),
    }
}

/// `games.kif` as `games-2.kif`.
fn numbered(path: &Path, number: usize) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
