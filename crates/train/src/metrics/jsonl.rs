//! Metrics as JSON, one record a line.

use std::fs;
use std::io;
use std::path::Path;

use keisei_runs::RunFolder;
use serde_json::{Map, Value};

use super::{Record, Sink};
use crate::append::AppendFile;

/// A file with a JSON object on each line: `update`, `step` and every metric by its name.
#[derive(Debug)]
pub struct JsonLines(AppendFile);

impl JsonLines {
    /// Writes at the end of `path`, after `length` bytes if given.
    pub fn open(path: &Path, length: Option<u64>) -> io::Result<Self> {
        AppendFile::open(path, length).map(Self)
    }
}

/// A record as a JSON object. A number that is not finite becomes null.
pub(super) fn object(record: &Record) -> Map<String, Value> {
    let counters = [("update", record.update), ("step", record.step)];
    let counters = counters.into_iter().map(|(name, count)| (name.to_owned(), Value::from(count)));
    let values = record.values.iter().map(|(name, &value)| (name.clone(), Value::from(value)));
    counters.chain(values).collect()
}

/// The metrics of the run in `folder`, first to last.
pub fn of_run(folder: &RunFolder) -> Vec<Record> {
    read_records(&folder.metrics_file())
}

/// The records in a file of this kind, first to last; none if it is not there. A line that cannot
/// be read is one that is just being written.
pub fn read_records(path: &Path) -> Vec<Record> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| record(serde_json::from_str(line).ok()?)).collect()
}

fn record(mut object: Map<String, Value>) -> Option<Record> {
    let mut counter = |name| object.remove(name)?.as_u64();
    let (update, step) = (counter("update")?, counter("step")?);
    let values = object.into_iter().filter_map(|(name, value)| Some((name, value.as_f64()?)));
    Some(Record { update, step, values: values.collect() })
}

impl Sink for JsonLines {
    fn name(&self) -> &'static str {
        "JSON lines"
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        self.0.write(format!("{}\n", Value::Object(object(record))).as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.sync()
    }

    fn file(&self) -> Option<(&Path, u64)> {
        Some((self.0.path(), self.0.length()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_object_with_counters_and_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let mut sink = JsonLines::open(&path, None).unwrap();
        let mut record = Record::new(3, 768);
        record.set("losses/entropy", 0.1);
        record.set("losses/value_loss", f64::NAN);
        sink.write(&record).unwrap();
        sink.write(&Record::new(4, 1024)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let expected = serde_json::json!(
            {"update": 3, "step": 768, "losses/entropy": 0.1, "losses/value_loss": null}
        );
        assert_eq!(lines, [expected, serde_json::json!({"update": 4, "step": 1024})]);
        assert_eq!(sink.file(), Some((path.as_path(), text.len() as u64)));
    }

    #[test]
    fn records_are_read_back_but_for_a_line_that_is_not_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        assert_eq!(read_records(&path), []);
        let mut sink = JsonLines::open(&path, None).unwrap();
        let mut record = Record::new(3, 768);
        record.set("losses/entropy", 0.1);
        sink.write(&record).unwrap();
        sink.0.write(br#"{"update": 4, "st"#).unwrap();
        assert_eq!(read_records(&path), [record]);
    }
}
