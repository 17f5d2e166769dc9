//! The metrics of a run in memory, kept up with the file that training writes.

mod lines;
mod parse;
mod reduce;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use keisei_train::metrics::names;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use parse::Columns;
pub(crate) use reduce::{Axis, Curve, Scale, Window};

use reduce::Buckets;

/// How many of the last bytes read are remembered, to see whether they are still there.
const REMEMBERED: u64 = 4096;

/// The file of a run's metrics, as far as it was read.
#[derive(Debug)]
pub(crate) struct MetricsFile {
    path: PathBuf,
    columns: Columns,
    /// How many bytes were read: whole lines.
    read: u64,
    /// The last of them.
    tail: Vec<u8>,
    /// How often the file was found to be another than before.
    generation: u64,
}

/// What became of a file since it was last looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Growth {
    /// Records were added, or none, after the first so many.
    Grown {
        /// How many records there were before.
        before: usize,
    },
    /// A resumed run went back in it: everything was read anew.
    Rewritten,
}

/// A record of metrics.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MetricsRow {
    /// How many updates were made.
    pub update: u32,
    /// How many moves were made.
    pub step: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// The numbers by name.
    pub values: std::collections::BTreeMap<String, f32>,
}

impl MetricsFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, columns: Columns::default(), read: 0, tail: Vec::new(), generation: 0 }
    }

    pub(crate) fn columns(&self) -> &Columns {
        &self.columns
    }

    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    /// Reads what was written since the last time.
    pub(crate) fn catch_up(&mut self) -> io::Result<Growth> {
        let before = self.columns.len();
        let mut file = match File::open(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && self.read == 0 => {
                return Ok(Growth::Grown { before });
            }
            file => file?,
        };
        let length = file.metadata()?.len();
        if length == self.read {
            return Ok(Growth::Grown { before });
        }
        if length < self.read || !self.goes_on(&mut file)? {
            let generation = self.generation + 1;
            *self = Self { generation, ..Self::new(self.path.clone()) };
            self.read_lines(&mut file, length)?;
            return Ok(Growth::Rewritten);
        }
        self.read_lines(&mut file, length)?;
        Ok(Growth::Grown { before })
    }

    /// Whether what was read last is still where it was.
    fn goes_on(&self, file: &mut File) -> io::Result<bool> {
        let begin = self.read - self.tail.len() as u64;
        Ok(lines::read_between(file, begin, self.read)? == self.tail)
    }

    /// Reads whole lines from where reading ended up to `length`.
    fn read_lines(&mut self, file: &mut File, length: u64) -> io::Result<()> {
        let Some(end) = lines::last_end(file, self.read, length)? else { return Ok(()) };
        self.columns.append(lines::read_columns(&self.path, self.read, end)?);
        self.tail = lines::read_between(file, end - end.min(REMEMBERED), end)?;
        self.read = end;
        Ok(())
    }

    /// The curves of the metrics that `wanted` names, or of all.
    pub(crate) fn curves(&self, wanted: Option<&[&str]>, axis: Axis, window: Window) -> Vec<Curve> {
        let places = self.columns.axis(axis, names::SECONDS);
        let buckets = Buckets::new(&places, window);
        match wanted {
            None => self.columns.metrics.iter().map(|column| buckets.curve(column)).collect(),
            Some(names) => {
                let found = names.iter().filter_map(|name| self.columns.metric(name));
                found.map(|column| buckets.curve(column)).collect()
            }
        }
    }

    /// The records from number `first` on.
    pub(crate) fn rows(&self, first: usize) -> Vec<MetricsRow> {
        let columns = &self.columns;
        let mut rows: Vec<_> = (first..columns.len())
            .map(|row| MetricsRow {
                update: columns.updates[row],
                step: columns.steps[row],
                seconds: 0.0,
                values: Default::default(),
            })
            .collect();
        for column in &columns.metrics {
            let begin = column.rows.partition_point(|&row| (row as usize) < first);
            for (&row, &value) in column.rows[begin..].iter().zip(&column.values[begin..]) {
                rows[row as usize - first].values.insert(column.name.clone(), value);
            }
        }
        let mut seconds = self.seconds_before(first);
        for row in &mut rows {
            seconds = row.values.get(names::SECONDS).map_or(seconds, |&now| now.into());
            row.seconds = seconds;
        }
        rows
    }

    fn seconds_before(&self, row: usize) -> f64 {
        let Some(column) = self.columns.metric(names::SECONDS) else { return 0.0 };
        let place = column.rows.partition_point(|&found| (found as usize) < row);
        place.checked_sub(1).map_or(0.0, |place| column.values[place].into())
    }
}

/// The last records of a file, without reading the rest: at most those in its last 256 KiB.
pub(crate) fn newest(path: &Path) -> io::Result<Columns> {
    const READ: u64 = 256 << 10;
    let mut columns = Columns::default();
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(columns),
        file => file?,
    };
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(READ)))?;
    let mut bytes = Vec::new();
    file.take(READ).read_to_end(&mut bytes)?;
    let begin = match length > READ {
        true => bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |at| at + 1),
        false => 0,
    };
    columns.read(&bytes[begin..]);
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    fn line(n: u64) -> String {
        format!("{{\"a\":{n}.5,\"step\":{},\"time/seconds\":{n},\"update\":{n}}}\n", n * 10)
    }

    fn append(path: &Path, text: &str) {
        let mut file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    #[test]
    fn a_file_is_followed_line_by_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut file = MetricsFile::new(path.clone());
        assert_eq!(file.catch_up().unwrap(), Growth::Grown { before: 0 });
        append(&path, &(line(1) + &line(2)[..9]));
        assert_eq!(file.catch_up().unwrap(), Growth::Grown { before: 0 });
        assert_eq!(file.columns().len(), 1, "half a line waits");
        append(&path, &(line(2)[9..].to_owned() + &line(3)));
        assert_eq!(file.catch_up().unwrap(), Growth::Grown { before: 1 });
        let rows = file.rows(1);
        assert_eq!(rows.iter().map(|row| row.step).collect::<Vec<_>>(), [20, 30]);
        assert_eq!((rows[1].values["a"], rows[1].seconds), (3.5, 3.0));
        assert_eq!(file.catch_up().unwrap(), Growth::Grown { before: 3 });
    }

    #[test]
    fn a_run_that_resumes_from_an_earlier_state_is_read_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut file = MetricsFile::new(path.clone());
        append(&path, &(1..=5).map(line).collect::<String>());
        file.catch_up().unwrap();
        fs::write(&path, line(1) + &line(2)).unwrap();
        assert_eq!(file.catch_up().unwrap(), Growth::Rewritten, "it is shorter");
        assert_eq!(file.columns().steps, [10, 20]);
        let other = line(2).replace(".5", ".7");
        fs::write(&path, line(1) + &other + &line(3)).unwrap();
        assert_eq!(file.catch_up().unwrap(), Growth::Rewritten, "it went on before we looked");
        assert_eq!((file.columns().len(), file.generation()), (3, 2));
    }

    #[test]
    fn the_newest_records_are_found_without_reading_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        assert_eq!(newest(&path).unwrap().len(), 0);
        append(&path, &(1..20_000).map(line).collect::<String>());
        let columns = newest(&path).unwrap();
        assert_eq!(columns.steps.last(), Some(&199_990));
        assert!(columns.len() < 6_000 && columns.steps.is_sorted_by(|a, b| a + 10 == *b));
    }
}
