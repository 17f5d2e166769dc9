//! `keisei runs`: lists the runs of training.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use keisei_train::metrics::{names, read_records};
use keisei_train::run;

use crate::train::is_finished;

/// List the runs of training with how far they are.
#[derive(Args)]
pub(crate) struct Runs {
    /// Where runs are kept
    #[arg(long, value_name = "FOLDER", default_value = "runs")]
    runs: PathBuf,
}

impl Runs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let runs = run::list(&self.runs)?;
        if runs.is_empty() {
            writeln!(out, "there is no run in {}", self.runs.display())?;
        }
        for run in runs {
            let state = if is_finished(&run.path) { "finished" } else { "unfinished" };
            let last = Last::read(&run.path.join("metrics.jsonl"));
            let number = |value: Option<f64>| value.map_or("–".to_owned(), |n| format!("{n:.3}"));
            writeln!(
                out,
                "{:<32} {state:<10} {:>12} moves, score against random {} sampled, {} greedy",
                run.name,
                last.step,
                number(last.sampled),
                number(last.greedy)
            )?;
        }
        Ok(())
    }
}

/// The newest numbers of a run.
#[derive(Default)]
struct Last {
    step: u64,
    sampled: Option<f64>,
    greedy: Option<f64>,
}

impl Last {
    /// What the metrics say.
    fn read(metrics: &Path) -> Self {
        let mut last = Self::default();
        let sampled = format!("{}random", names::EVAL_SCORE);
        let greedy = format!("{sampled}{}", names::EVAL_GREEDY);
        for record in read_records(metrics) {
            last.step = record.step;
            last.sampled = record.get(&sampled).or(last.sampled);
            last.greedy = record.get(&greedy).or(last.greedy);
        }
        last
    }
}
