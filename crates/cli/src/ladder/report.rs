//! What a ladder leaves in its folder.

use std::path::Path;

use anyhow::Result;
use keisei_chart::{Chart, Series};
use keisei_ladder::ladder::{Row, Table};

use crate::record_file::replace;

/// Writes the table as text, Markdown and JSON, and strength over training as SVG.
pub(super) fn write(folder: &Path, table: &Table) -> Result<()> {
    let json = serde_json::to_string_pretty(table)? + "\n";
    for (name, content) in
        [("ladder.txt", table.text()), ("ladder.md", table.markdown()), ("ladder.json", json)]
    {
        replace(&folder.join(name), content.as_bytes())?;
    }
    match chart(table) {
        Some(chart) => replace(&folder.join("ladder.svg"), chart.svg().as_bytes()),
        None => Ok(()),
    }
}

/// Strength over training: over minutes where all are known, otherwise over moves. `None` if
/// neither is.
fn chart(table: &Table) -> Option<Chart> {
    let candidates = || table.rows.iter().filter_map(|row| row.candidate.as_ref());
    let timed = candidates().all(|candidate| candidate.minutes.is_some());
    let x = |row: &Row| match (row.candidate.as_ref()?, timed) {
        (candidate, true) => candidate.minutes,
        (candidate, false) => candidate.step.map(|step| step as f64),
    };
    let mut kinds: Vec<_> = candidates().map(|candidate| candidate.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let label = if timed { "minutes of training" } else { "moves of training" };
    let mut chart =
        Chart::new(format!("Strength at {}", table.game)).x(label).y("Elo above random");
    let mut drawn = false;
    for kind in kinds {
        let rows = table
            .rows
            .iter()
            .filter(|row| row.candidate.as_ref().is_some_and(|candidate| candidate.kind == kind));
        let mut points: Vec<_> = rows.filter_map(|row| Some((x(row)?, row.rating?))).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        drawn |= !points.is_empty();
        let line = points.iter().map(|&(x, rating)| (x, rating.elo));
        let bars =
            points.iter().map(|(_, rating)| (rating.elo - rating.error, rating.elo + rating.error));
        chart = chart.series(Series::line(kind, line).bars(bars));
    }
    drawn.then_some(chart)
}
