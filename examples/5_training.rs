//! A training run: settings, a learner, a folder for what it writes, and a callback that watches.
//!
//! This one takes seconds and learns next to nothing; `keisei train` runs the same for minutes or
//! days, and a run that was killed goes on exactly where its last checkpoint was.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Result;
use keisei_encode::shogi::Compact;
use keisei_net::{Backend, LearnerConfig};
use keisei_train::callbacks::{Callback, Requests};
use keisei_train::cluster::Alone;
use keisei_train::config::Sources;
use keisei_train::metrics::Record;
use keisei_train::run::RunFolder;
use keisei_train::session::Parts;
use keisei_train::{Config, Session};

struct Watch;

impl Callback for Watch {
    fn on_update(&mut self, record: &Record, _: &mut Requests) {
        println!("update {}: {} moves", record.update, record.step);
    }

    fn on_checkpoint(&mut self, path: &Path, _: &mut Requests) {
        println!("saved {}", path.file_name().unwrap_or_default().display());
    }
}

fn main() -> Result<()> {
    // Settings come from a preset, files, the environment and single values, in this order.
    let config = Config::load(&Sources {
        preset: Some("cpu-smoke".to_owned()),
        overrides: vec!["training.total_steps=512".to_owned()],
        ..Sources::default()
    })?;
    let Backend { learner, load, device, parameter_count, .. } =
        LearnerConfig::from(&config).build::<Compact>()?;
    println!("{parameter_count} weights on the {device}");

    let runs = tempfile::tempdir()?;
    let folder = RunFolder::named(runs.path(), "first")?;
    let (players, callbacks) = (Vec::new(), vec![Box::new(Watch) as Box<dyn Callback>]);
    // One process learns here; several would be the ranks of `keisei-mpi`.
    let ranks = Arc::new(Alone);
    let parts = Parts::<Compact> { config, learner, load, players, callbacks, ranks };
    let mut session = Session::begin(folder.hold()?, parts)?;
    let end = session.train(&AtomicBool::new(false))?;
    println!("{end:?} after {} moves", session.trainer().progress().steps);
    Ok(())
}

// Output:
//
// 6197 weights on the CPU
// saved update-0000000000
// update 1: 256 moves
// update 2: 512 moves
// saved update-0000000002
// Finished after 512 moves
