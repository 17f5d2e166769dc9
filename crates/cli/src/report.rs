//! `keisei report`: the curves and the figures of a run of training.

mod curves;
mod settings;
mod summary;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use keisei_train::metrics;
use keisei_train::run::RunFolder;

use crate::record_file::replace;
use crate::runs::RunsFolder;
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
    #[command(flatten)]
    runs: RunsFolder,
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
        let records = metrics::of_run(&run);
        let summary = Summary::new(&run, &records)?;
        let sheet = curves::sheet(run.name(), &summary.subtitle(), &records);
        let folder = self.out.as_deref().unwrap_or(run.path());
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
    fn find(&self) -> Result<RunFolder> {
        let folder = self.runs.usual()?;
        let runs = RunFolder::list(&folder)?;
        if let Some(run) = runs.iter().find(|run| run.name() == self.run) {
            return Ok(run.clone());
        }
        // A folder such as `.` has its name only once it is spelt out.
        let path = Path::new(&self.run).canonicalize().ok();
        if let Some(run) = path.as_deref().and_then(RunFolder::at) {
            return Ok(run);
        }
        let place = folder.display();
        if runs.is_empty() {
            bail!("there is no run {:?}: {place} has no runs", self.run);
        }
        let names: Vec<_> = runs.iter().map(RunFolder::name).collect();
        bail!("there is no run {:?} in {place}; there are: {}", self.run, names.join(", "));
    }
}
