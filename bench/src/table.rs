//! The positions of the benchmark, read from the table of perft counts that the tests use.

use anyhow::{Context, Result, ensure};

/// The table as it stands in the tests of the rules.
const TABLE: &str = include_str!("../../crates/shogi/tests/data/perft-shogi.txt");

/// A position with its known perft counts.
#[derive(Debug)]
pub(crate) struct Case {
    /// The comment above the position's lines.
    pub(crate) name: String,
    pub(crate) sfen: String,
    /// Depth and number of leaves, in the order of the table.
    counts: Vec<(u32, u64)>,
}

impl Case {
    /// The deepest known count of at most `most` leaves.
    pub(crate) fn deepest(&self, most: u64) -> Result<(u32, u64)> {
        self.counts
            .iter()
            .copied()
            .filter(|&(_, leaves)| leaves <= most)
            .max()
            .with_context(|| format!("{} has no count of {most} leaves or fewer", self.name))
    }
}

/// The positions of the table.
pub(crate) fn cases() -> Result<Vec<Case>> {
    parse(TABLE)
}

fn parse(text: &str) -> Result<Vec<Case>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut name = "";
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(comment) = line.strip_prefix('#') {
            name = comment.trim();
            continue;
        }
        let fields: Vec<_> = line.split(';').map(str::trim).collect();
        ensure!(fields.len() == 3, "{line:?} is not position;depth;count");
        let depth = fields[1].parse().with_context(|| format!("the depth of {line:?}"))?;
        let leaves = fields[2].parse().with_context(|| format!("the count of {line:?}"))?;
        match cases.last_mut() {
            Some(case) if case.sfen == fields[0] => case.counts.push((depth, leaves)),
            _ => cases.push(Case {
                name: name.to_owned(),
                sfen: fields[0].to_owned(),
                counts: vec![(depth, leaves)],
            }),
        }
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_eight_named_positions() {
        let names: Vec<_> = cases().unwrap().into_iter().map(|case| case.name).collect();
        let expected = [
            "startpos",
            "maxmoves",
            "midgame",
            "pins",
            "uchifu",
            "evasion",
            "double_check",
            "opening",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn the_deepest_count_within_reach_is_chosen() {
        let start = &cases().unwrap()[0];
        assert_eq!(start.deepest(1_000_000).unwrap(), (4, 719_731));
        assert_eq!(start.deepest(30).unwrap(), (1, 30));
        assert!(start.deepest(29).is_err());
    }

    #[test]
    fn a_line_of_another_form_is_refused() {
        assert!(parse("startpos;1").is_err());
        assert!(parse("startpos;one;30").is_err());
    }
}
