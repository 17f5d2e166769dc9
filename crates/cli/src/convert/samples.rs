//! Positions for learning: from games, to games, and from one format to another.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use keisei_game::Side;
use keisei_records::samples::{Games, PackError, Sample, SampleError, SampleFormat, samples_of};
use keisei_records::{AnyRecord, Format};

use crate::record_file::read_games;
use crate::words::counted;

/// What was converted and what was not.
#[derive(Default)]
pub(super) struct Counts {
    /// Games that were read, where games are read.
    games: Option<usize>,
    positions: usize,
    /// Positions by who won their game: Black, White, nobody.
    results: [usize; 3],
    /// Positions of which no score is known.
    unscored: usize,
    /// Games left out because nobody knows how they ended.
    unfinished: usize,
    /// Games left out because the format holds only full sets.
    handicaps: usize,
}

impl Counts {
    /// How many games or scores are missing.
    fn missing(&self) -> usize {
        self.unscored + self.unfinished + self.handicaps
    }

    fn add(&mut self, sample: &Sample) {
        self.positions += 1;
        self.results[match sample.winner {
            Some(Side::First) => 0,
            Some(Side::Second) => 1,
            None => 2,
        }] += 1;
    }

    /// What happened, for a person.
    fn report(&self, path: &Path, format: SampleFormat) -> String {
        let [black, white, drawn] = self.results;
        let games = self.games.map(|games| format!("{} as ", counted(games, "game")));
        let mut text = format!(
            "{}{} written to {} as {format}: {black} of games that black won, {white} that white \
             won, {drawn} of draws\n",
            games.unwrap_or_default(),
            counted(self.positions, "position"),
            path.display(),
        );
        let left_out = [
            (self.unscored, "position", "without a score, written as 0"),
            (self.unfinished, "game", "left out: the record does not say who won"),
            (self.handicaps, "game", "left out: the format needs all 40 pieces"),
        ];
        for (number, what, why) in left_out.into_iter().filter(|&(number, ..)| number > 0) {
            text.push_str(&format!("{} {why}\n", counted(number, what)));
        }
        text
    }
}

/// Writes the positions of `input`, which is a file of positions, a record or a folder of records.
pub(super) fn write(
    input: &Path,
    records: Option<Format>,
    (output, format): (&Path, SampleFormat),
    strict: bool,
) -> Result<String> {
    let cannot_write = || format!("cannot write {}", output.display());
    let mut part = output.as_os_str().to_owned();
    part.push(".part");
    let part = PathBuf::from(part);
    let mut file = BufWriter::new(File::create(&part).with_context(cannot_write)?);
    let mut counts = Counts::default();
    let written = match SampleFormat::from_path(input).filter(|_| records.is_none()) {
        Some(from) => convert(input, from, format, &mut file, &mut counts),
        None => from_records(input, records, format, &mut file, &mut counts),
    };
    let complete = written.and_then(|()| {
        if strict && counts.missing() > 0 {
            bail!("{} games or scores are missing, so nothing is written", counts.missing());
        }
        file.flush().and_then(|()| fs::rename(&part, output)).with_context(cannot_write)
    });
    if complete.is_err() {
        // What is left over helps nobody.
        let _ = fs::remove_file(&part);
    }
    complete.map(|()| counts.report(output, format))
}

/// The games of a file of positions.
pub(super) fn read(input: &Path, format: SampleFormat) -> Result<Vec<AnyRecord>> {
    let mut games = Games::default();
    let mut records = Vec::new();
    for sample in open(input, format)? {
        let sample = sample.with_context(|| cannot_read(input))?;
        records.extend(games.add(&sample).map(AnyRecord::from));
    }
    records.extend(games.finish().map(AnyRecord::from));
    if records.is_empty() {
        bail!("{} has no positions", input.display());
    }
    Ok(records)
}

fn cannot_read(input: &Path) -> String {
    format!("cannot read {}", input.display())
}

fn open(
    input: &Path,
    format: SampleFormat,
) -> Result<impl Iterator<Item = Result<Sample, SampleError>> + use<>> {
    let file = File::open(input).with_context(|| cannot_read(input))?;
    Ok(format.read(BufReader::with_capacity(1 << 20, file)))
}

fn convert(
    input: &Path,
    from: SampleFormat,
    to: SampleFormat,
    file: &mut impl Write,
    counts: &mut Counts,
) -> Result<()> {
    for sample in open(input, from)? {
        let sample = sample.with_context(|| cannot_read(input))?;
        to.write(&sample, file).with_context(|| format!("{} cannot hold it", sample.position))?;
        counts.add(&sample);
    }
    Ok(())
}

fn from_records(
    input: &Path,
    records: Option<Format>,
    format: SampleFormat,
    file: &mut impl Write,
    counts: &mut Counts,
) -> Result<()> {
    for path in record_files(input)? {
        for game in read_games(&path, records)? {
            let AnyRecord::Shogi(record) = game else {
                bail!("{}: {format} is for games of shogi", path.display());
            };
            *counts.games.get_or_insert_default() += 1;
            let Some(game) = samples_of(&record) else {
                counts.unfinished += 1;
                continue;
            };
            for (sample, scored) in game.samples.iter().zip(game.scored) {
                match format.write(sample, file) {
                    Err(SampleError::Pack(PackError::NoKing | PackError::Pieces(_))) => {
                        // The set is as full at the end of a game as at its beginning.
                        counts.handicaps += 1;
                        break;
                    }
                    written => written?,
                }
                counts.add(sample);
                counts.unscored += usize::from(!scored);
            }
        }
    }
    Ok(())
}

/// The file itself, or the records in a folder by their names.
fn record_files(input: &Path) -> Result<Vec<PathBuf>> {
    if !input.is_dir() {
        return Ok(vec![input.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in fs::read_dir(input).with_context(|| cannot_read(input))? {
        let path = entry.with_context(|| cannot_read(input))?.path();
        if path.is_file() && Format::from_path(&path).is_some() {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        bail!("{} has no records", input.display());
    }
    Ok(files)
}
