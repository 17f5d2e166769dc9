//! Positions for learning: from games, to games, and from one format to another.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use keisei_game::Side;
use keisei_records::samples::{Games, PackError, Sample, SampleError, SampleFormat, samples_of};
use keisei_records::{AnyRecord, Format, Record, record_files};
use keisei_shogi::Shogi;

use crate::record_file::{Replacement, cannot_write, read_games};
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
    /// Files of a folder that were left out: they cannot be read, or hold another game.
    skipped: usize,
}

impl Counts {
    /// How many games or scores are missing, a file that was left out counted as one.
    fn missing(&self) -> usize {
        self.unscored + self.unfinished + self.handicaps + self.skipped
    }

    fn skip(&mut self, why: impl Display) {
        eprintln!("skipped: {why}");
        self.skipped += 1;
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
            (self.skipped, "file", "left out: see above"),
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
    let mut file = BufWriter::new(Replacement::begin(output)?);
    let mut counts = Counts::default();
    match SampleFormat::from_path(input).filter(|_| records.is_none()) {
        Some(from) => convert(input, from, format, &mut file, &mut counts),
        None => from_records(input, records, format, &mut file, &mut counts),
    }?;
    if strict && counts.missing() > 0 {
        bail!("{} games or scores are missing, so nothing is written", counts.missing());
    }
    let whole = file.into_inner().map_err(|error| error.into_error());
    whole.with_context(|| cannot_write(output))?.finish()?;
    Ok(counts.report(output, format))
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
    if !input.is_dir() {
        let games = shogi_games(input, records, format)?;
        return games.iter().try_for_each(|game| add_game(game, format, file, counts));
    }
    let found = record_files(input).with_context(|| cannot_read(input))?;
    if found.files.is_empty() {
        bail!("{} has no records", input.display());
    }
    found.unreadable.into_iter().for_each(|folder| counts.skip(folder));
    for path in found.files {
        match shogi_games(&path, records, format) {
            Ok(games) => {
                games.iter().try_for_each(|game| add_game(game, format, file, counts))?;
            }
            Err(error) => counts.skip(format_args!("{error:#}")),
        }
    }
    if counts.games.is_none() {
        bail!("{} has no records that can be read", input.display());
    }
    Ok(())
}

/// The games of a file, if all are of shogi.
fn shogi_games(
    path: &Path,
    records: Option<Format>,
    format: SampleFormat,
) -> Result<Vec<Record<Shogi>>> {
    let games = read_games(path, records)?.into_iter().map(|game| match game {
        AnyRecord::Shogi(record) => Ok(record),
        _ => bail!("{}: {format} is for games of shogi", path.display()),
    });
    games.collect()
}

fn add_game(
    record: &Record<Shogi>,
    format: SampleFormat,
    file: &mut impl Write,
    counts: &mut Counts,
) -> Result<()> {
    *counts.games.get_or_insert_default() += 1;
    let Some(game) = samples_of(record) else {
        counts.unfinished += 1;
        return Ok(());
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
    Ok(())
}
