//! How long the players of a match may think, in fastchess's words.

use std::fmt;
use std::time::Duration;

use keisei_engine::spec::read_seconds;

/// The limits of one player.
///
/// Written as fastchess does: `tc=40/60+0.6` (moves, seconds or minutes:seconds, increment),
/// `st=2` (seconds a move), `nodes=800`, `depth=3`, `timemargin=50` (milliseconds beyond the limit
/// before a game is lost); and `byoyomi=5` (seconds for each move once the clock has run out).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeControl {
    /// The clock.
    pub clock: Option<ClockControl>,
    /// The time for every move once nothing is left on the clock.
    pub byoyomi: Option<Duration>,
    /// The time for every move.
    pub move_time: Option<Duration>,
    /// The positions, or simulations, for every move.
    pub nodes: Option<u64>,
    /// The plies that a search may look ahead.
    pub depth: Option<u32>,
    /// How much later than allowed an answer may come.
    pub margin: Option<Duration>,
}

/// The time on a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockControl {
    /// After how many moves the time is given again; `None` if it is for the entire game.
    pub moves: Option<u32>,
    /// The time.
    pub time: Duration,
    /// What is added with every move.
    pub increment: Duration,
}

/// Answers may come this much later than allowed, unless said otherwise: handing over a move takes
/// time too.
const MARGIN: Duration = Duration::from_millis(100);

/// Why a word is no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ControlParseError {
    /// Not one of the limits.
    #[error("{0:?} is no limit: tc=, st=, byoyomi=, nodes=, depth= or timemargin=")]
    Unknown(String),
    /// A limit that cannot be read.
    #[error("{key}={value} cannot be read: it is {form}")]
    Value {
        /// The limit.
        key: String,
        /// Its value.
        value: String,
        /// How it is written.
        form: &'static str,
    },
}

impl TimeControl {
    /// These limits with those of `words` in their place.
    pub fn with<'a>(
        mut self,
        words: impl IntoIterator<Item = &'a str>,
    ) -> Result<Self, ControlParseError> {
        for word in words {
            let unknown = || ControlParseError::Unknown(word.to_owned());
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            let refuse = |form| {
                let (key, value) = (key.to_owned(), value.to_owned());
                move || ControlParseError::Value { key, value, form }
            };
            let duration = || read_seconds(value).ok_or_else(refuse("a number of seconds"));
            let above_zero = refuse("a whole number above 0");
            match key {
                "tc" if value == "inf" => self.clock = None,
                "tc" => {
                    let form = "[moves/]seconds[+increment], or inf";
                    self.clock = Some(clock(value).ok_or_else(refuse(form))?);
                }
                "byoyomi" => self.byoyomi = Some(duration()?),
                "st" => self.move_time = Some(duration()?),
                "timemargin" => {
                    let form = "a whole number of milliseconds";
                    let margin = value.parse().map_err(|_| refuse(form)())?;
                    self.margin = Some(Duration::from_millis(margin));
                }
                "nodes" => {
                    let nodes = value.parse().ok().filter(|&nodes| nodes > 0);
                    self.nodes = Some(nodes.ok_or_else(above_zero)?);
                }
                "depth" => {
                    let depth = value.parse().ok().filter(|&depth| depth > 0);
                    self.depth = Some(depth.ok_or_else(above_zero)?);
                }
                _ => return Err(unknown()),
            }
        }
        Ok(self)
    }

    /// Whether time matters: only then is it measured and recorded.
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.byoyomi.is_some() || self.move_time.is_some()
    }

    pub(super) fn margin(&self) -> Duration {
        self.margin.unwrap_or(MARGIN)
    }
}

impl fmt::Display for TimeControl {
    /// The words that [`TimeControl::with`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        if let Some(ClockControl { moves, time, increment }) = self.clock {
            let moves = moves.map_or(String::new(), |moves| format!("{moves}/"));
            let increment = match increment {
                Duration::ZERO => String::new(),
                increment => format!("+{}", increment.as_secs_f64()),
            };
            words.push(format!("tc={moves}{}{increment}", time.as_secs_f64()));
        }
        let seconds = |key, time: Duration| format!("{key}={}", time.as_secs_f64());
        words.extend(self.byoyomi.map(|time| seconds("byoyomi", time)));
        words.extend(self.move_time.map(|time| seconds("st", time)));
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        words.extend(self.margin.map(|time| format!("timemargin={}", time.as_millis())));
        f.write_str(&words.join(" "))
    }
}

/// Reads `40/60+0.6`, `60`, `1:30+2`.
fn clock(text: &str) -> Option<ClockControl> {
    let (moves, text) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|&moves| moves > 0)?), rest),
        None => (None, text),
    };
    let (time, increment) = text.split_once('+').unwrap_or((text, "0"));
    let time = match time.split_once(':') {
        Some((minutes, rest)) => read_seconds(minutes)? * 60 + read_seconds(rest)?,
        None => read_seconds(time)?,
    };
    Some(ClockControl { moves, time, increment: read_seconds(increment)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<TimeControl, ControlParseError> {
        TimeControl::default().with(text.split_whitespace())
    }

    #[test]
    fn fastchess_clocks_are_read() {
        let clock = read("tc=40/60+0.6").unwrap().clock.unwrap();
        assert_eq!((clock.moves, clock.time.as_secs()), (Some(40), 60));
        assert_eq!(clock.increment, Duration::from_millis(600));
        let clock = read("tc=1:30.5").unwrap().clock.unwrap();
        assert_eq!((clock.moves, clock.time.as_secs_f64()), (None, 90.5));
        assert_eq!(read("tc=10 tc=inf").unwrap(), TimeControl::default());
    }

    #[test]
    fn all_limits_are_written_as_they_are_read() {
        let text = "tc=40/60+0.6 byoyomi=5 st=0.1 nodes=800 depth=3 timemargin=20";
        assert_eq!(read(text).unwrap().to_string(), text);
        assert_eq!(read("").unwrap().to_string(), "");
    }

    #[test]
    fn later_words_replace_earlier_ones() {
        let each = read("nodes=100 depth=2").unwrap();
        let own = each.with(["nodes=7"]).unwrap();
        assert_eq!((own.nodes, own.depth, own.is_timed()), (Some(7), Some(2), false));
        assert!(read("st=1").unwrap().is_timed());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let message = |text| read(text).unwrap_err().to_string();
        assert!(message("ponder").contains("\"ponder\" is no limit"));
        for word in ["tc=", "tc=x/10", "tc=0/10", "tc=5+", "st=-1", "st=nan", "nodes=0", "depth=a"]
        {
            let message = message(word);
            assert!(message.starts_with(word) && message.contains("cannot be read"), "{message}");
        }
    }
}
