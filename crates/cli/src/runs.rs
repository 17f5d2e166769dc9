//! `keisei runs`: lists the runs of training.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use keisei_train::Config;
use keisei_train::config::Sources;
use keisei_train::metrics::{self, Record, names};
use keisei_train::run::RunFolder;

/// Where runs are kept, as commands are told.
#[derive(Args)]
pub(crate) struct RunsFolder {
    /// Where runs are kept [default: the setting logging.runs_dir, which is runs if nobody sets it]
    #[arg(long, value_name = "FOLDER")]
    runs: Option<PathBuf>,
}

impl RunsFolder {
    /// The folder, by the settings of `sources` if it is not named.
    pub(crate) fn path(&self, sources: &Sources) -> Result<PathBuf> {
        match &self.runs {
            Some(folder) => Ok(folder.clone()),
            None => Ok(Config::read(sources)?.logging.runs_dir.into()),
        }
    }

    /// The folder, by the settings of the environment if it is not named.
    pub(crate) fn usual(&self) -> Result<PathBuf> {
        self.path(&Sources { environment: Sources::environment(), ..Sources::default() })
    }
}

/// List the runs of training with how far they are.
#[derive(Args)]
pub(crate) struct Runs {
    #[command(flatten)]
    runs: RunsFolder,
}

impl Runs {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let folder = self.runs.usual()?;
        let runs = RunFolder::list(&folder)?;
        if runs.is_empty() {
            writeln!(out, "there is no run in {}", folder.display())?;
        }
        for run in runs {
            let state = if run.is_finished() { "finished" } else { "unfinished" };
            let last = Last::of(&metrics::of_run(&run));
            let number = |value: Option<f64>| value.map_or("–".to_owned(), |n| format!("{n:.3}"));
            writeln!(
                out,
                "{:<32} {state:<10} {:>12} moves, score against random {} sampled, {} greedy",
                run.name(),
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
    fn of(metrics: &[Record]) -> Self {
        let mut last = Self::default();
        let sampled = format!("{}random", names::EVAL_SCORE);
        let greedy = format!("{sampled}{}", names::EVAL_GREEDY);
        for record in metrics {
            last.step = record.step;
            last.sampled = record.get(&sampled).or(last.sampled);
            last.greedy = record.get(&greedy).or(last.greedy);
        }
        last
    }
}
