//! A run as lines: for files, pipes and people who like them.

use std::time::{Duration, Instant};

use keisei_train::callbacks::{Callback, Wishes};
use keisei_train::evaluate::{MatchResult, Report};
use keisei_train::metrics::{Record, names};

use super::console::Console;

/// An update is told at most this often.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Says how a run goes. While the view has the screen, updates are its business.
pub(super) struct Lines {
    console: Console,
    last_line: Option<Instant>,
}

impl Lines {
    pub(super) fn new(console: &Console) -> Self {
        Self { console: console.clone(), last_line: None }
    }
}

impl Callback for Lines {
    fn on_update(&mut self, record: &Record, _: &mut Wishes) {
        let due = self.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY);
        if due && !self.console.on_screen() {
            self.last_line = Some(Instant::now());
            self.console.say(&update_line(record));
        }
    }

    fn on_evaluation(&mut self, report: &Report, record: &Record, _: &mut Wishes) {
        let update = record.update;
        for result in &report.results {
            if let Some(line) = result_line(result) {
                self.console.say(&format!("update {update}: {line}"));
            }
        }
        if let Some(mates) = &report.mates {
            let (found, chance) = (mates.greedy, mates.chance);
            self.console.say(&format!(
                "update {update}: mates in one found: {found:.3} (by chance {chance:.3})"
            ));
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

/// An update in one line.
fn update_line(record: &Record) -> String {
    let number = |name| record.get(name).unwrap_or(f64::NAN);
    format!(
        "{:.0} %, update {}, {} moves, {:.0}/s, policy {:.4}, value {:.4}, entropy {:.3}, \
         explained {:.2}, decisive {:.2}, k {:.0}",
        100.0 * number(names::PROGRESS),
        record.update,
        record.step,
        number(names::SPS),
        number(names::POLICY_LOSS),
        number(names::VALUE_LOSS),
        number(names::ENTROPY),
        number(names::EXPLAINED_VARIANCE),
        number(names::DECISIVE_RATE),
        number(names::REWIND_DEPTH),
    )
}
