//! Other libraries that play many games, each in a process of its own.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::Row;

/// The programs: each is given the number of games and seconds, and prints lines of a name and the
/// two rates in plies a second, with tabs between them and `-` for what it cannot do. A program
/// whose library is not installed prints nothing.
const PROGRAMS: [&str; 2] =
    [include_str!("../../python/cshogi_env.py"), include_str!("../../python/pgx_env.py")];

/// Runs the programs one after the other with `python`.
pub(super) fn measure(python: &Path, games: usize, seconds: f64) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for program in PROGRAMS {
        let mut command = Command::new(python);
        command.args(["-c", program, &games.to_string(), &seconds.to_string()]);
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("{} does not start", python.display()))?;
        ensure!(output.status.success(), "{} fails: {}", python.display(), output.status);
        let text = String::from_utf8(output.stdout)?;
        for line in text.lines() {
            rows.push(row(line).with_context(|| format!("{line:?} is no row"))?);
        }
    }
    Ok(rows)
}

fn row(line: &str) -> Option<Row> {
    let mut fields = line.split('\t');
    let name = fields.next()?.to_owned();
    let mut rate = || match fields.next()? {
        "-" => Some(None),
        number => Some(Some(number.parse().ok()?)),
    };
    Some(Row { name, packed: rate()?, planes: rate()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_a_name_and_two_rates_that_may_be_missing() {
        let Row { name, packed, planes } = row("peer 1.0\t1200.5\t-").unwrap();
        assert_eq!((name.as_str(), packed, planes), ("peer 1.0", Some(1200.5), None));
        assert!(row("peer\tfast\t-").is_none());
        assert!(row("peer\t1").is_none());
    }
}
