//! A run in a few lines.

use anyhow::Result;
use keisei_train::Config;
use keisei_train::checkpoint::Checkpoints;
use keisei_train::config::Checkpoint;
use keisei_train::metrics::{Record, names};
use keisei_train::run::RunFolder;

use super::settings::nearest_preset;
use crate::words::counted;

/// What is to be said of a run, line by line.
pub(super) struct Summary {
    name: String,
    lines: Vec<(&'static str, String)>,
}

/// The metric of the score against random play.
pub(super) fn score_name(greedy: bool) -> String {
    format!("{}random{}", names::EVAL_SCORE, if greedy { names::EVAL_GREEDY } else { "" })
}

impl Summary {
    /// Sums up `run` by its folder and its metrics.
    pub(super) fn new(run: &RunFolder, records: &[Record]) -> Result<Self> {
        let state = if run.is_finished() { "finished" } else { "not finished" };
        let mut lines = vec![("progress", format!("{state}: {}", progress(records)))];
        match Config::of_run(run) {
            Ok(config) => {
                lines.push(("game", config.env.game.name().to_owned()));
                lines.push(("settings", settings(&config)?));
                lines.extend(config.env.seed.map(|seed| ("seed", seed.to_string())));
            }
            // Another version of the program may have had other settings; its numbers still count.
            Err(error) => lines.push(("settings", format!("cannot be read: {error}"))),
        }
        let evaluations = [("sampled moves", false), ("likeliest moves", true)];
        for (what, greedy) in evaluations {
            let name = score_name(greedy);
            let (best, last) = (best(records, &name), latest(records, &name));
            if let (Some(best), Some(last)) = (best, last) {
                let against = if greedy { "greedy score" } else { "score" };
                let text = format!(
                    "best {}, last {}, against random play with {what}",
                    score(best, &name),
                    score(last, &name)
                );
                lines.push((against, text));
            }
        }
        if let Some(last) = latest(records, names::EVAL_MATE) {
            let found = last.get(names::EVAL_MATE).unwrap_or_default();
            let chance = last.get(names::EVAL_MATE_CHANCE).unwrap_or_default();
            lines.push(("mates in one", format!("{found:.3} found; {chance:.3} by chance")));
        }
        let checkpoints = Checkpoints::new(run.checkpoints(), &Checkpoint::default()).list()?;
        if let Some(last) = checkpoints.last() {
            lines.push(("checkpoint", last.display().to_string()));
        }
        lines.push(("models", run.models().display().to_string()));
        Ok(Self { name: run.name().to_owned(), lines })
    }

    /// The line below the title of the curves.
    pub(super) fn subtitle(&self) -> String {
        self.lines[0].1.clone()
    }

    /// For a terminal.
    pub(super) fn text(&self) -> String {
        let lines = self.lines.iter().map(|(what, text)| format!("{what:<14}{text}\n"));
        [format!("{:<14}{}\n", "run", self.name)].into_iter().chain(lines).collect()
    }

    /// As a page with the curves.
    pub(super) fn markdown(&self) -> String {
        let row = |(what, text): &(&str, String)| format!("| {what} | {} |\n", escaped(text));
        let rows: String = self.lines.iter().map(row).collect();
        let name = escaped(&self.name);
        format!("# Run {name}\n\n| | |\n|---|---|\n{rows}\n![Curves of {name}](report.svg)\n")
    }
}

/// `text` without what Markdown would take for the end of a cell.
fn escaped(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn progress(records: &[Record]) -> String {
    let updates = records.last().map_or(0, |record| record.update);
    let moves = records.last().map_or(0, |record| record.step);
    let games: f64 = records.iter().filter_map(|record| record.get(names::GAMES)).sum();
    let seconds = records.iter().rev().find_map(|record| record.get(names::SECONDS));
    let [updates, moves, games] = [(updates, "update"), (moves, "move"), (games as u64, "game")]
        .map(|(number, what)| counted(number as usize, what));
    format!("{updates}, {moves}, {games}, {} of training", clock(seconds.unwrap_or(0.0)))
}

fn settings(config: &Config) -> Result<String> {
    let found = nearest_preset(config)?;
    let preset = format!("preset {}", found.preset);
    Ok(match &found.settings[..] {
        [] => preset,
        settings => format!("{preset} with {}", settings.join(", ")),
    })
}

/// The latest record with a number of this name.
fn latest<'a>(records: &'a [Record], name: &str) -> Option<&'a Record> {
    records.iter().rev().find(|record| record.get(name).is_some())
}

/// The record with the highest number of this name; of equals, the latest.
fn best<'a>(records: &'a [Record], name: &str) -> Option<&'a Record> {
    let known = records.iter().filter_map(|record| Some((record, record.get(name)?)));
    known.max_by(|(_, one), (_, two)| one.total_cmp(two)).map(|(record, _)| record)
}

/// A score with its interval and when it was reached.
fn score(record: &Record, name: &str) -> String {
    let number = |ending: &str| record.get(&format!("{name}{ending}"));
    let interval = match (number(names::EVAL_LOW), number(names::EVAL_HIGH)) {
        (Some(low), Some(high)) => format!(" ({low:.3} to {high:.3})"),
        _ => String::new(),
    };
    let score = number("").unwrap_or_default();
    format!("{score:.3}{interval} after {} moves", record.step)
}

/// Seconds as hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(step: u64, score: f64) -> Record {
        let mut record = Record::new(step / 100, step);
        record.set(&score_name(false), score);
        record.set(names::GAMES, 7.0);
        record.set(names::SECONDS, 36.0 * step as f64);
        record
    }

    #[test]
    fn the_best_evaluation_is_the_latest_of_the_highest() {
        let records = [record(100, 0.5), record(200, 0.9), record(300, 0.9), record(400, 0.8)];
        let name = score_name(false);
        assert_eq!(best(&records, &name).unwrap().step, 300);
        assert_eq!(latest(&records, &name).unwrap().step, 400);
        assert_eq!(score(&records[0], &name), "0.500 after 100 moves");
        assert_eq!(best(&records, names::EVAL_MATE), None);
    }

    #[test]
    fn games_are_added_up_and_time_is_that_of_training() {
        let records = [record(100, 0.5), record(200, 0.9)];
        assert_eq!(progress(&records), "2 updates, 200 moves, 14 games, 2:00:00 of training");
        assert_eq!(progress(&[]), "0 updates, 0 moves, 0 games, 0:00:00 of training");
    }
}
