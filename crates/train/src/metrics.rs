//! Numbers of a run over time, and where they are written.

mod jsonl;
pub mod names;
mod tensorboard;
mod wandb;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

pub use jsonl::{JsonLines, of_run, read_records};
pub use tensorboard::TensorBoard;
pub use wandb::WeightsAndBiases;

/// The numbers of one update, or of one evaluation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// How many updates were made.
    pub update: u64,
    /// How many moves were made.
    pub step: u64,
    /// The numbers by name.
    pub values: BTreeMap<String, f64>,
}

impl Record {
    /// No numbers yet.
    pub fn new(update: u64, step: u64) -> Self {
        Self { update, step, values: BTreeMap::new() }
    }

    /// Adds a number.
    pub fn set(&mut self, name: &str, value: impl Into<f64>) {
        self.values.insert(name.to_owned(), value.into());
    }

    /// Adds a number, if there is one.
    pub fn set_some(&mut self, name: &str, value: Option<f64>) {
        if let Some(value) = value {
            self.set(name, value);
        }
    }

    /// A number by its name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.values.get(name).copied()
    }
}

/// A place where metrics are written.
pub trait Sink: Send {
    /// Its name in messages.
    fn name(&self) -> &'static str;

    /// Writes a record.
    fn write(&mut self, record: &Record) -> io::Result<()>;

    /// Makes sure that nothing is lost if the program stops now.
    fn flush(&mut self) -> io::Result<()>;

    /// The file it writes and how long that is now, if a resumed run has to go back in it.
    fn file(&self) -> Option<(&Path, u64)>;
}

/// All places where metrics are written. One that fails is reported and left out from then on:
/// no metric is worth a run.
#[derive(Default)]
pub struct Sinks(Vec<Box<dyn Sink>>);

impl Sinks {
    /// Adds a place.
    pub fn add(&mut self, sink: impl Sink + 'static) {
        self.0.push(Box::new(sink));
    }

    /// Writes a record everywhere.
    pub fn write(&mut self, record: &Record) {
        self.each(|sink| sink.write(record));
    }

    /// Makes sure that nothing is lost if the program stops now.
    pub fn flush(&mut self) {
        self.each(|sink| sink.flush());
    }

    /// The files that are written and how long they are.
    pub fn files(&self) -> impl Iterator<Item = (&Path, u64)> {
        self.0.iter().filter_map(|sink| sink.file())
    }

    fn each(&mut self, mut act: impl FnMut(&mut dyn Sink) -> io::Result<()>) {
        self.0.retain_mut(|sink| match act(&mut **sink) {
            Ok(()) => true,
            Err(error) => {
                tracing::warn!(sink = sink.name(), %error, "metrics are no longer written there");
                false
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    struct Fragile {
        written: Arc<Mutex<Vec<u64>>>,
        fails_at: u64,
    }

    impl Sink for Fragile {
        fn name(&self) -> &'static str {
            "fragile"
        }

        fn write(&mut self, record: &Record) -> io::Result<()> {
            if record.update == self.fails_at {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.written.lock().unwrap().push(record.update);
            Ok(())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn file(&self) -> Option<(&Path, u64)> {
            None
        }
    }

    #[test]
    fn a_place_that_fails_is_left_out_and_the_others_go_on() {
        let logs = [Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new()))];
        let mut sinks = Sinks::default();
        for (log, fails_at) in logs.iter().zip([2, 9]) {
            sinks.add(Fragile { written: Arc::clone(log), fails_at });
        }
        (1..4).for_each(|update| sinks.write(&Record::new(update, 0)));
        assert_eq!(*logs[0].lock().unwrap(), [1]);
        assert_eq!(*logs[1].lock().unwrap(), [1, 2, 3]);
    }
}
