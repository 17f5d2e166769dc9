//! `Game_Summary`: what a server says of a game before it begins.

use std::str::FromStr;
use std::time::Duration;

use keisei_game::{BySide, Side};
use keisei_records::Record;
use keisei_records::formats::csa;
use keisei_shogi::Shogi;

/// A game that a server proposes.
#[derive(Debug)]
pub struct GameSummary {
    /// The name by which the server knows the game.
    pub id: String,
    /// The names of the players.
    pub names: BySide<String>,
    /// Our side.
    pub side: Side,
    /// The start position and the moves that were made already, with their times.
    pub record: Record<Shogi>,
    /// The clock of each side.
    pub clocks: BySide<Clock>,
    /// After how many moves the game ends without a result.
    pub max_moves: Option<usize>,
    /// Whether an entered king may be declared.
    pub declaration: bool,
}

/// The clock of one side as the game begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What one unit of time is: that of all times that the server tells.
    pub unit: Duration,
    /// The time for the game.
    pub total: Duration,
    /// The time for every move once nothing is left.
    pub byoyomi: Duration,
    /// What every turn begins with on top.
    pub increment: Duration,
}

/// Why a summary cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SummaryError {
    /// A field that every summary has.
    #[error("the summary of the game has no {0}")]
    Missing(&'static str),
    /// A field with a value that the protocol does not know.
    #[error("the summary of the game has {key}:{value}")]
    Value {
        /// The field.
        key: String,
        /// Its value.
        value: String,
    },
    /// A position that cannot be read.
    #[error("the summary of the game has a position that cannot be read: {0}")]
    Position(String),
}

/// The lines of a summary while they arrive.
#[derive(Debug, Default)]
pub(crate) struct SummaryReader {
    fields: Vec<(String, String)>,
    /// The fields of `Time`, `Time+` and `Time-`.
    times: Vec<(String, String, String)>,
    position: String,
    section: Option<String>,
}

impl SummaryReader {
    /// Takes a line after `BEGIN Game_Summary`; the summary once `END Game_Summary` was read.
    pub(crate) fn read(&mut self, line: &str) -> Option<Result<GameSummary, SummaryError>> {
        if line == "END Game_Summary" {
            return Some(std::mem::take(self).finish());
        }
        if let Some(name) = line.strip_prefix("BEGIN ") {
            self.section = Some(name.to_owned());
            return None;
        }
        if line.starts_with("END ") {
            self.section = None;
            return None;
        }
        if self.section.as_deref() == Some("Position") {
            self.position.extend([line, "\n"]);
        } else if let Some((key, value)) = line.split_once(':') {
            let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
            match &self.section {
                Some(section) => self.times.push((section.clone(), key, value)),
                None => self.fields.push((key, value)),
            }
        }
        None
    }

    fn finish(self) -> Result<GameSummary, SummaryError> {
        let clocks = BySide([self.clock(Side::First)?, self.clock(Side::Second)?]);
        let side = match self.required("Your_Turn")? {
            "+" => Side::First,
            "-" => Side::Second,
            other => return Err(wrong("Your_Turn", other)),
        };
        let names = ["Name+", "Name-"].map(|key| self.field(key).unwrap_or_default().to_owned());
        let records = csa::read(&self.position);
        let mut records = records.map_err(|error| SummaryError::Position(error.to_string()))?;
        let record = records.swap_remove(0);
        let max_moves = match self.field("Max_Moves") {
            None | Some("0") => None,
            Some(text) => Some(number("Max_Moves", text)?),
        };
        Ok(GameSummary {
            id: self.required("Game_ID")?.to_owned(),
            names: BySide(names),
            side,
            record,
            clocks,
            max_moves,
            declaration: self.field("Declaration").is_some(),
        })
    }

    fn field(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    fn required(&self, key: &'static str) -> Result<&str, SummaryError> {
        self.field(key).ok_or(SummaryError::Missing(key))
    }

    fn clock(&self, side: Side) -> Result<Clock, SummaryError> {
        let own = if side == Side::First { "Time+" } else { "Time-" };
        let field = |key: &str| {
            let of = |section: &str| {
                let named = |(s, k, _): &&(String, String, String)| s == section && k == key;
                self.times.iter().find(named).map(|(_, _, value)| value.as_str())
            };
            of(own).or_else(|| of("Time"))
        };
        let unit = read_unit(field("Time_Unit").unwrap_or("1sec"))?;
        let time = |key: &str| -> Result<Duration, SummaryError> {
            let units: u32 = field(key).map_or(Ok(0), |text| number(key, text))?;
            unit.checked_mul(units).ok_or_else(|| wrong(key, &units.to_string()))
        };
        Ok(Clock {
            unit,
            total: time("Total_Time")?,
            byoyomi: time("Byoyomi")?,
            increment: time("Increment")?,
        })
    }
}

/// `1sec`, `500msec`, `1min`.
fn read_unit(text: &str) -> Result<Duration, SummaryError> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, name) = text.split_at(digits);
    let one = match name {
        "msec" => Duration::from_millis(1),
        "sec" => Duration::from_secs(1),
        "min" => Duration::from_secs(60),
        _ => return Err(wrong("Time_Unit", text)),
    };
    let count: u32 = if count.is_empty() { 1 } else { number("Time_Unit", count)? };
    one.checked_mul(count).filter(|unit| !unit.is_zero()).ok_or_else(|| wrong("Time_Unit", text))
}

fn number<T: FromStr>(key: &str, text: &str) -> Result<T, SummaryError> {
    text.parse().map_err(|_| wrong(key, text))
}

fn wrong(key: &str, value: &str) -> SummaryError {
    SummaryError::Value { key: key.to_owned(), value: value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &str) -> Result<GameSummary, SummaryError> {
        let mut reader = SummaryReader::default();
        lines.lines().find_map(|line| reader.read(line)).expect("the summary ends")
    }

    const SUMMARY: &str = "Game_ID:20261116-a\nName+:one\nName-:two\nYour_Turn:-\nTo_Move:+\n\
        Declaration:Jishogi 1.1\nMax_Moves:256\nBEGIN Time\nTime_Unit:1sec\nTotal_Time:300\n\
        Increment:10\nEND Time\nBEGIN Position\nPI\n+\n+7776FU,T3\nEND Position\nEND Game_Summary";

    #[test]
    fn a_summary_tells_players_clocks_and_the_moves_so_far() {
        let summary = read(SUMMARY).unwrap();
        assert_eq!((&summary.id[..], summary.side), ("20261116-a", Side::Second));
        assert_eq!(summary.names[Side::First], "one");
        assert_eq!(summary.record.main_moves().count(), 1);
        assert_eq!((summary.max_moves, summary.declaration), (Some(256), true));
        let clock = summary.clocks[Side::First];
        assert_eq!((clock.total.as_secs(), clock.increment.as_secs()), (300, 10));
    }

    #[test]
    fn sides_may_have_clocks_of_their_own_in_any_unit() {
        let own = "BEGIN Time+\nTime_Unit:500msec\nTotal_Time:20\nByoyomi:4\nEND Time+";
        let summary = read(&SUMMARY.replace("BEGIN Time\n", &format!("{own}\nBEGIN Time\n")));
        let clocks = summary.unwrap().clocks;
        assert_eq!(clocks[Side::First].total, Duration::from_secs(10));
        assert_eq!(clocks[Side::First].byoyomi, Duration::from_secs(2));
        assert_eq!(clocks[Side::Second].total, Duration::from_secs(300));
    }

    #[test]
    fn what_is_missing_or_wrong_is_named() {
        let problem = |from: &str, to: &str| read(&SUMMARY.replace(from, to)).unwrap_err();
        assert_eq!(problem("Game_ID", "Game"), SummaryError::Missing("Game_ID"));
        assert_eq!(problem("Turn:-", "Turn:x"), wrong("Your_Turn", "x"));
        assert_eq!(problem("1sec", "1week"), wrong("Time_Unit", "1week"));
        assert_eq!(problem(":300", ":many"), wrong("Total_Time", "many"));
        assert!(matches!(problem("+7776FU", "+7775FU"), SummaryError::Position(_)));
    }
}
