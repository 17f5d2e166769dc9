//! Profiles as tables to read.

use std::fmt::Write;

use super::{Phase, Times};

impl Phase {
    fn seconds_per_call(&self) -> f64 {
        self.seconds / self.calls.max(1) as f64
    }
}

/// Calls, total and per-call time of each phase, the longest total first.
pub(super) fn of(times: &Times) -> String {
    let calls: u64 = times.phases.iter().map(|phase| phase.calls).sum();
    let seconds: f64 = times.phases.iter().map(|phase| phase.seconds).sum();
    let mut text = format!("{}: {calls} calls in {seconds:.3} seconds\n\n", times.game);
    text += "       calls    total s    per call  phase\n";
    for phase in by_total(times) {
        let Phase { name, calls, seconds } = phase;
        let per_call = duration(phase.seconds_per_call());
        let _ = writeln!(text, "{calls:>12} {seconds:>10.3} {per_call:>11}  {name}");
    }
    text
}

/// The phases of two profiles in one table, the longest total before first, with how many times as
/// fast a call is afterwards.
pub(super) fn side_by_side(before: &Times, after: &Times) -> String {
    let mut text = format!("{}: before and after\n\n", before.game);
    text += "             before                  after\n";
    text += "   total s    per call    total s    per call  speed-up  phase\n";
    let cells = |phase: Option<&Phase>| match phase {
        Some(phase) => {
            format!("{:>10.3} {:>11}", phase.seconds, duration(phase.seconds_per_call()))
        }
        None => format!("{:>10} {:>11}", "-", "-"),
    };
    let find = |times: &'_ Times, name: &str| -> Option<Phase> {
        times.phases.iter().find(|phase| phase.name == name).cloned()
    };
    let new = by_total(after).into_iter().filter(|phase| find(before, &phase.name).is_none());
    for name in by_total(before).into_iter().chain(new).map(|phase| &phase.name) {
        let (old, new) = (find(before, name), find(after, name));
        let ratio = match (&old, &new) {
            (Some(old), Some(new)) => {
                format!("{:.2}x", old.seconds_per_call() / new.seconds_per_call())
            }
            _ => "-".to_owned(),
        };
        let (old, new) = (cells(old.as_ref()), cells(new.as_ref()));
        let _ = writeln!(text, "{old} {new} {ratio:>9}  {name}");
    }
    text
}

fn by_total(times: &Times) -> Vec<&Phase> {
    let mut phases: Vec<_> = times.phases.iter().collect();
    phases.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    phases
}

/// A time of nanoseconds to seconds with three digits.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s if s >= 1e-6 => format!("{:.2} µs", s * 1e6),
        s => format!("{:.2} ns", s * 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(phases: &[(&str, u64, f64)]) -> Times {
        let phase = |&(name, calls, seconds): &(&str, u64, f64)| Phase {
            name: name.to_owned(),
            calls,
            seconds,
        };
        Times { game: "shogi".to_owned(), phases: phases.iter().map(phase).collect() }
    }

    #[test]
    fn phases_are_sorted_by_their_total_with_the_time_of_a_call() {
        let text = of(&times(&[("quick", 10, 0.5), ("slow", 4, 2.0)]));
        let lines: Vec<_> = text.lines().map(str::split_whitespace).collect();
        let words = |line: usize| lines[line].clone().collect::<Vec<_>>();
        assert_eq!(text.lines().next(), Some("shogi: 14 calls in 2.500 seconds"));
        assert_eq!(words(3), ["4", "2.000", "500.00", "ms", "slow"]);
        assert_eq!(words(4), ["10", "0.500", "50.00", "ms", "quick"]);
    }

    #[test]
    fn a_comparison_gives_the_ratio_of_the_times_per_call() {
        let before = times(&[("same", 10, 1.0), ("gone", 1, 3.0)]);
        let after = times(&[("same", 20, 0.5), ("new", 1, 1.0)]);
        let text = side_by_side(&before, &after);
        let line = |name: &str| text.lines().find(|line| line.ends_with(name)).unwrap();
        assert!(line("same").contains("4.00x"), "{text}");
        assert!(line("gone").contains(" - "), "{text}");
        assert!(line("new").contains(" - "), "{text}");
    }
}
