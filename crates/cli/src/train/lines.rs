//! A run as lines: for files, pipes and people who like them.

use std::path::Path;
use std::time::{Duration, Instant};

use keisei_train::callbacks::{Callback, Requests};
use keisei_train::config::LogLevel;
use keisei_train::evaluate::{EvaluationReport, MatchResult};
use keisei_train::metrics::{Record, names};

use super::console::Console;

/// An update is told at most this often.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Says how a run goes. While the view has the screen, updates are its business.
pub(super) struct Lines {
    console: Console,
    level: LogLevel,
    last_line: Option<Instant>,
}

impl Lines {
    pub(super) fn new(console: &Console, level: LogLevel) -> Self {
        Self { console: console.clone(), level, last_line: None }
    }

    /// Says a line of this level, if that much is to be said.
    fn say(&self, level: LogLevel, line: &str) {
        if level <= self.level {
            self.console.say(line);
        }
    }
}

impl Callback for Lines {
    fn on_update_start(&mut self, update: u64, _: &mut Requests) {
        self.say(LogLevel::Trace, &format!("update {update} is done, a rollout begins"));
    }

    fn on_update(&mut self, record: &Record, _: &mut Requests) {
        let due = self.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY);
        if (due || self.level >= LogLevel::Debug) && !self.console.on_screen() {
            self.last_line = Some(Instant::now());
            self.say(LogLevel::Info, &update_line(record));
        }
    }

    fn on_checkpoint(&mut self, path: &Path, _: &mut Requests) {
        self.say(LogLevel::Debug, &format!("saved {}", path.display()));
    }

    fn on_evaluation(&mut self, report: &EvaluationReport, record: &Record, _: &mut Requests) {
        let update = record.update;
        for result in &report.results {
            if let Some(line) = result_line(result) {
                self.say(LogLevel::Info, &format!("update {update}: {line}"));
            }
        }
        if let Some(mates) = &report.mates {
            let (found, chance) = (mates.greedy, mates.chance);
            let line =
                format!("update {update}: mates in one found: {found:.3} (by chance {chance:.3})");
            self.say(LogLevel::Info, &line);
        }
    }
}

/// A result with its interval, if there is one.
fn result_line(result: &MatchResult) -> Option<String> {
    let MatchResult { opponent, choice, score, .. } = result;
    let (mean, (low, high)) = (score.mean()?, score.interval()?);
    let (wins, draws, losses) = (score.wins, score.draws, score.losses);
    Some(format!(
        "{} against {opponent}: {mean:.3} [{low:.3}, {high:.3}], +{wins} ={draws} -{losses}",
        choice.name()
    ))
}

/// An update in one line, without what is not known: no game may have ended.
fn update_line(record: &Record) -> String {
    let share = record.get(names::PROGRESS).map(|share| format!("{:.0} %", 100.0 * share));
    let parts = [
        ("", names::SPS, 0, "/s"),
        ("policy ", names::POLICY_LOSS, 4, ""),
        ("value ", names::VALUE_LOSS, 4, ""),
        ("entropy ", names::ENTROPY, 3, ""),
        ("explained ", names::EXPLAINED_VARIANCE, 2, ""),
        ("decisive ", names::DECISIVE_RATE, 2, ""),
        ("rewind ", names::REWIND_DEPTH, 0, ""),
    ];
    let part = |(before, name, decimals, after): (&str, &str, usize, &str)| {
        record.get(name).map(|value| format!("{before}{value:.decimals$}{after}"))
    };
    let counts = [format!("update {}", record.update), format!("{} moves", record.step)];
    let all = share.into_iter().chain(counts).chain(parts.into_iter().filter_map(part));
    all.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_in_which_no_game_ended_says_nothing_of_how_games_end() {
        let mut record = Record::new(3, 768);
        record.set(names::PROGRESS, 0.5);
        record.set(names::ENTROPY, 3.25);
        assert_eq!(update_line(&record), "50 %, update 3, 768 moves, entropy 3.250");
        record.set(names::DECISIVE_RATE, 0.5);
        assert!(update_line(&record).ends_with(", decisive 0.50"));
    }
}
