//! What a terminal shows of a run.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use keisei_train::Config;
use keisei_train::callbacks::{Callback, Wishes};
use keisei_train::evaluate::Report;
use keisei_train::metrics::{Record, names};

/// Without a terminal, a line at most this often.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// A bar on a terminal, plain lines elsewhere; evaluations are lines in both.
pub(super) struct Display {
    bar: ProgressBar,
    is_terminal: bool,
    minutes: Option<f64>,
    last_line: Option<Instant>,
}

impl Display {
    pub(super) fn new(config: &Config, is_terminal: bool) -> Self {
        let target =
            if is_terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(1000), target);
        let style = ProgressStyle::with_template("{bar:20} {percent:>3}% {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, is_terminal, minutes: config.training.minutes, last_line: None }
    }

    fn say(&self, line: &str) {
        if self.is_terminal {
            self.bar.println(line);
        } else {
            eprintln!("{line}");
        }
    }
}

impl Callback for Display {
    fn on_update(&mut self, record: &Record, _: &mut Wishes) {
        let line = summary(record, self.minutes);
        let done = record.get(names::PROGRESS).unwrap_or(0.0);
        self.bar.set_position((done * 1000.0) as u64);
        if self.is_terminal {
            self.bar.set_message(line);
        } else if self.last_line.is_none_or(|last| last.elapsed() >= LINE_EVERY) {
            self.last_line = Some(Instant::now());
            eprintln!("{line}");
        }
    }

    fn on_evaluation(&mut self, report: &Report, record: &Record, _: &mut Wishes) {
        for result in &report.results {
            let (Some(mean), Some((low, high))) = (result.score.mean(), result.score.interval())
            else {
                continue;
            };
            let score = result.score;
            self.say(&format!(
                "update {}: {} against {}: {mean:.3} [{low:.3}, {high:.3}], +{} ={} -{}",
                record.update,
                result.choice.name(),
                result.opponent,
                score.wins,
                score.draws,
                score.losses
            ));
        }
        if let Some(mates) = &report.mates {
            self.say(&format!(
                "update {}: mates in one found: {:.3} (by chance {:.3})",
                record.update, mates.greedy, mates.chance
            ));
        }
        for problem in &report.problems {
            self.say(&format!("evaluation: {problem}"));
        }
    }
}

/// An update in one line.
fn summary(record: &Record, minutes: Option<f64>) -> String {
    let number = |name| record.get(name).unwrap_or(f64::NAN);
    let left = minutes.map(|minutes| minutes * 60.0 - number(names::SECONDS));
    let left = left.map_or(String::new(), |left| format!(", {:.0} s left", left.max(0.0)));
    format!(
        "update {}, {} moves, {:.0}/s, policy {:.4}, value {:.4}, entropy {:.3}, explained {:.2}, \
         decisive {:.2}, k {:.0}{left}",
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
