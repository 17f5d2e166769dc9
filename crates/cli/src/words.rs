//! Text for people: reading what they type, and readable output.

use std::time::Duration;

use keisei_engine::spec::read_seconds;

/// Reads a time in seconds.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let time = read_seconds(text).filter(|time| !time.is_zero());
    time.ok_or_else(|| "give a number of seconds above 0 and less than a month".to_owned())
}

/// `1 game`, `3 games`.
pub(crate) fn counted(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// `a, b or c`.
pub(crate) fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Sets `entries` in lines of `columns`.
pub(crate) fn columns(entries: &[String], columns: usize) -> String {
    let width = entries.iter().map(|entry| entry.chars().count()).max().unwrap_or(0);
    let line = |line: &[String]| {
        let cells = line.iter().map(|entry| format!("{entry:<width$}"));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    entries.chunks(columns).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_their_nouns() {
        assert_eq!([0, 1, 2].map(|n| counted(n, "game")), ["0 games", "1 game", "2 games"]);
    }

    #[test]
    fn times_are_above_nothing_and_less_than_a_month() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["0", "-1", "x", "NaN", "1e19", "1e99", "2678400", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn lists_end_in_or() {
        let words = ["a", "b", "c"].map(str::to_owned);
        assert_eq!([1, 2, 3].map(|n| listed(&words[..n])), ["a", "a or b", "a, b or c"]);
    }

    #[test]
    fn columns_are_as_wide_as_the_widest_entry() {
        let entries = ["7g7f", "8h2b+", "P*5e"].map(str::to_owned);
        assert_eq!(columns(&entries, 2), "7g7f   8h2b+\nP*5e\n");
        assert_eq!(columns(&[], 2), "");
    }
}
