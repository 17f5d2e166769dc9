//! The checkpoints that climb the ladder.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use keisei_cluster::Communicator;
use keisei_ladder::ladder::Candidate;
use keisei_train::metrics::{self, Record, names};
use keisei_train::run::{MODEL_EXTENSION, RunFolder, step_of};

/// A checkpoint that is to be rated.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Selected {
    pub(super) path: PathBuf,
    step: Option<u64>,
    minutes: Option<f64>,
}

impl Selected {
    /// The candidate that plays with these weights in this way.
    pub(super) fn candidate(&self, kind: String) -> Candidate {
        let weights = match self.step {
            Some(step) => step.to_string(),
            None => self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let name = format!("{kind} @ {weights}");
        Candidate { name, kind, step: self.step, minutes: self.minutes }
    }
}

/// What [`select`] finds at rank 0, for all ranks: a run that goes on has more files when the
/// others look.
pub(super) fn select_among(
    ranks: &dyn Communicator,
    path: &Path,
    count: usize,
) -> Result<Vec<Selected>> {
    if !ranks.is_first() {
        let told: Vec<(String, _, _)> = ranks.share(Vec::new());
        let selected =
            |(path, step, minutes): (String, _, _)| Selected { path: path.into(), step, minutes };
        return Ok(told.into_iter().map(selected).collect());
    }
    let selected = select(path, count)?;
    let told = |Selected { path, step, minutes }: &Selected| {
        (path.to_string_lossy().into_owned(), *step, *minutes)
    };
    ranks.share(selected.iter().map(told).collect::<Vec<_>>());
    Ok(selected)
}

/// The weights file at `path`, or `count` of those of the run there, spread evenly.
fn select(path: &Path, count: usize) -> Result<Vec<Selected>> {
    if path.is_file() {
        return Ok(vec![Selected { path: path.to_owned(), step: step_of(path), minutes: None }]);
    }
    let run = RunFolder::new(path);
    let models = run.models();
    let folder = if models.is_dir() { &models } else { path };
    let cannot_read = || format!("cannot read {}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot_read)? {
        let path = entry.with_context(cannot_read)?.path();
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if !hidden && path.extension().is_some_and(|found| found == MODEL_EXTENSION) {
            found.push((step_of(&path), path));
        }
    }
    if found.is_empty() {
        bail!("there are no .{MODEL_EXTENSION} files in {}", folder.display());
    }
    found.sort();
    let times = times(&metrics::of_run(&run));
    let chosen = spread(found.len(), count).into_iter().map(|place| found[place].clone());
    let selected = |(step, path): (Option<u64>, PathBuf)| {
        let minutes = step.and_then(|step| minutes_at(&times, step));
        Selected { path, step, minutes }
    };
    Ok(chosen.map(selected).collect())
}

/// `count` of `total` places, spread evenly, the first and the last among them; of one, the last.
fn spread(total: usize, count: usize) -> Vec<usize> {
    match count.min(total) {
        count if count == total => (0..total).collect(),
        1 => vec![total - 1],
        count => (0..count).map(|place| place * (total - 1) / (count - 1)).collect(),
    }
}

/// Moves and minutes of a run's metrics.
fn times(metrics: &[Record]) -> Vec<(u64, f64)> {
    let time = |record: &Record| Some((record.step, record.get(names::SECONDS)? / 60.0));
    metrics.iter().filter_map(time).collect()
}

/// The time of the first record at or after `step`.
fn minutes_at(times: &[(u64, f64)], step: u64) -> Option<f64> {
    times.iter().find(|&&(at, _)| at >= step).map(|&(_, minutes)| minutes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_cluster::Threads;

    #[test]
    fn all_ranks_rate_what_rank_0_finds() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
        let selected = Threads::run(3, |ranks| {
            // As if the file were not there when the others look.
            let path = if ranks.is_first() { &file } else { Path::new("elsewhere") };
            select_among(&*ranks, path, 6).unwrap()
        });
        let expected = Selected { path: file, step: None, minutes: None };
        assert!(selected.iter().all(|found| *found == [expected.clone()]), "{selected:?}");
    }

    #[test]
    fn checkpoints_are_spread_evenly() {
        assert_eq!(spread(3, 6), [0, 1, 2]);
        assert_eq!(spread(11, 3), [0, 5, 10]);
        assert_eq!(spread(7, 1), [6]);
        assert_eq!(spread(1, 1), [0]);
    }

    #[test]
    fn metrics_tell_the_minutes() {
        let times = [(100, 0.5), (200, 1.0)];
        assert_eq!(
            [0, 150, 200, 201].map(|step| minutes_at(&times, step)),
            [Some(0.5), Some(1.0), Some(1.0), None]
        );
    }
}
