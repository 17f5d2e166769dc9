//! `keisei report`: the curves and the figures of a run of training.

mod curves;
mod settings;
mod summary;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use keisei_train::metrics::read_records;
use keisei_train::run::{self, RunInfo};

use crate::record_file::replace;
use summary::Summary;

/// Draw the curves of a run of training and sum it up
///
/// Writes report.md, report.svg and report.png into the run's folder. The run may still be going.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Report {
    /// The run's name, or its folder
    #[arg(value_name = "RUN")]
    run: String,
    /// Where runs are kept
    #[arg(long, value_name = "FOLDER", default_value = "runs")]
    runs: PathBuf,
    /// Where the report is written [default: the run's folder]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  keisei report first                  runs/first/report.md, .svg and .png
  keisei report first --out charts
  keisei report /data/runs/first";

impl Report {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let run = self.find()?;
        let records = read_records(&run.path.join("metrics.jsonl"));
        let summary = Summary::new(&run, &records)?;
        let sheet = curves::sheet(&run.name, &summary.subtitle(), &records);
        let folder = self.out.as_ref().unwrap_or(&run.path);
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let files = [
            ("report.md", summary.markdown().into_bytes()),
            ("report.svg", sheet.svg().into_bytes()),
            ("report.png", sheet.png()),
        ];
        write!(out, "{}", summary.text())?;
        for (name, bytes) in files {
            let path = folder.join(name);
            replace(&path, &bytes)?;
            writeln!(out, "written: {}", path.display())?;
        }
        Ok(())
    }

    /// The run of that name, or in that folder.
    fn find(&self) -> Result<RunInfo> {
        let runs = run::list(&self.runs)?;
        if let Some(run) = runs.iter().find(|run| run.name == self.run) {
            return Ok(run.clone());
        }
        if let Some(run) = at(Path::new(&self.run))? {
            return Ok(run);
        }
        let place = self.runs.display();
        if runs.is_empty() {
            bail!("there is no run {:?}: {place} has no runs", self.run);
        }
        let names: Vec<_> = runs.into_iter().map(|run| run.name).collect();
        bail!("there is no run {:?} in {place}; there are: {}", self.run, names.join(", "));
    }
}

/// The run in the folder `path`, if it is one.
fn at(path: &Path) -> Result<Option<RunInfo>> {
    let Ok(path) = path.canonicalize() else { return Ok(None) };
    let Some(parent) = path.parent() else { return Ok(None) };
    Ok(run::list(parent)?.into_iter().find(|run| run.path == path))
}
