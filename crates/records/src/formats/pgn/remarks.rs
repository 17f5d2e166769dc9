//! Commands in the comments of chess records: `[%clk 1:02:03]`, `[%emt 0:00:05]`, `[%eval 0.25,20]`.

use std::time::Duration;

use keisei_chess::Move;
use keisei_game::Side;

use super::super::times;
use crate::builder::CommentLines;
use crate::{Evaluation, Evaluator, Mate, Notes};

/// Reads comments into the notes, each a line, less the commands in it.
pub(crate) fn read(comments: &str, notes: &mut Notes<Move>) {
    let mut lines = CommentLines::default();
    for comment in comments.split('\n') {
        let mut text = String::new();
        let mut rest = comment.trim();
        let mut commanded = false;
        while let Some(start) = rest.find("[%") {
            let end = rest[start..].find(']').map(|length| start + length + 1);
            let command = end.and_then(|end| Command::parse(&rest[start + 2..end - 1]));
            let (Some(command), Some(end)) = (command, end) else {
                text.push_str(&rest[..start + 2]);
                rest = &rest[start + 2..];
                continue;
            };
            command.apply(notes);
            commanded = true;
            text.push_str(&rest[..start]);
            rest = &rest[end..];
        }
        text.push_str(rest);
        let text = text.trim();
        if !text.is_empty() || !commanded {
            lines.add(text);
        }
    }
    if let Some(comment) = lines.take() {
        notes.add_comment(&comment);
    }
}

/// A comment of several lines as one.
pub(super) fn join_lines(comment: &str) -> String {
    comment.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The comments that hold the notes, as [`read`] takes them.
pub(super) fn write(notes: &Notes<Move>) -> Vec<String> {
    let mut commands = Vec::new();
    for evaluation in &notes.evaluations {
        let depth = evaluation.depth.map(|depth| format!(",{depth}")).unwrap_or_default();
        let score = evaluation.centipawns.map(|score| {
            let sign = if score < 0 { "-" } else { "" };
            let score = score.unsigned_abs();
            format!("{sign}{}.{:02}", score / 100, score % 100)
        });
        let mate = evaluation.mate.and_then(|mate| {
            let sign = if mate.winner == Side::Second { "-" } else { "" };
            Some(format!("#{sign}{}", mate.distance?))
        });
        if let Some(value) = mate.or(score) {
            commands.push(format!("[%eval {value}{depth}]"));
        }
    }
    if let Some(time) = notes.time {
        commands.push(format!("[%emt {}]", clock(time)));
    }
    if let Some(left) = notes.clock {
        commands.push(format!("[%clk {}]", clock(left)));
    }
    let mut comments = Vec::new();
    if !commands.is_empty() {
        comments.push(commands.join(" "));
    }
    if !notes.comment.is_empty() {
        comments.extend(notes.comment.split('\n').map(str::to_owned));
    }
    comments
}

/// `1:02:03`, or `0:00:05.25`.
fn clock(time: Duration) -> String {
    let whole =
        Duration::from_secs(time.as_secs() % 60) + Duration::from_nanos(time.subsec_nanos().into());
    let padding = if whole.as_secs() < 10 { "0" } else { "" };
    let minutes = time.as_secs() / 60;
    format!("{}:{:02}:{padding}{}", minutes / 60, minutes % 60, times::seconds(whole))
}

enum Command {
    Clock(Duration),
    Time(Duration),
    Evaluation(Evaluation<Move>),
}

impl Command {
    /// Reads a command without its brackets, if it is one of ours and whole.
    fn parse(text: &str) -> Option<Self> {
        let (name, value) = text.split_once(' ')?;
        let value = value.trim();
        Some(match name {
            "clk" => Self::Clock(times::parse(value)?),
            "emt" => Self::Time(times::parse(value)?),
            "eval" => Self::Evaluation(parse_evaluation(value)?),
            _ => return None,
        })
    }

    fn apply(self, notes: &mut Notes<Move>) {
        match self {
            Self::Clock(left) => notes.clock = Some(left),
            Self::Time(time) => notes.time = Some(time),
            Self::Evaluation(evaluation) => notes.evaluations.push(evaluation),
        }
    }
}

fn parse_evaluation(text: &str) -> Option<Evaluation<Move>> {
    let (value, depth) = match text.split_once(',') {
        Some((value, depth)) => (value, Some(depth.parse().ok()?)),
        None => (text, None),
    };
    let mut evaluation = Evaluation { depth, ..Evaluation::new(Evaluator::Analysis) };
    match value.strip_prefix('#') {
        Some(mate) => {
            let (winner, distance) = match mate.strip_prefix('-') {
                Some(distance) => (Side::Second, distance),
                None => (Side::First, mate),
            };
            let distance = distance.bytes().all(|b| b.is_ascii_digit()).then(|| distance.parse());
            evaluation.mate = Some(Mate { winner, distance: Some(distance?.ok()?) });
        }
        None => evaluation.centipawns = Some(parse_pawns(value)?),
    }
    Some(evaluation)
}

/// Reads `-1.5` as −150: pawns with at most two places.
fn parse_pawns(text: &str) -> Option<i32> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let plain = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if whole.is_empty() || !plain(whole) || !plain(fraction) || fraction.len() > 2 {
        return None;
    }
    let fraction: i32 = format!("{fraction:0<2}").parse().ok()?;
    let whole: i32 = whole.parse().ok()?;
    Some(sign * whole.checked_mul(100)?.checked_add(fraction)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_become_notes_and_the_rest_stays_comment() {
        let mut notes = Notes::default();
        let text = " good\n move [%eval -1.5,20] [%clk 1:02:03] [%csl Gd4] [%emt 0:00:05.25] ";
        read(&join_lines(text), &mut notes);
        assert_eq!(notes.comment, "good move   [%csl Gd4]");
        assert_eq!(notes.clock, Some(Duration::from_secs(3723)));
        assert_eq!(notes.time, Some(Duration::from_millis(5250)));
        assert_eq!(notes.evaluations[0].centipawns, Some(-150));
        assert_eq!(notes.evaluations[0].depth, Some(20));
        assert_eq!(write(&notes)[0], "[%eval -1.50,20] [%emt 0:00:05.25] [%clk 1:02:03]");
    }

    #[test]
    fn a_command_that_is_not_understood_whole_stays_comment() {
        for text in ["[%eval", "[%eval x]", "[%eval 0.123]", "[%eval #--3]", "[%clk 5]", "[%x 1]"] {
            let mut notes = Notes::default();
            read(text, &mut notes);
            assert_eq!(notes.comment, text);
        }
    }

    #[test]
    fn mates_are_counted_for_either_side() {
        let mate = |text| parse_evaluation(text).and_then(|evaluation| evaluation.mate);
        assert_eq!(mate("#3"), Some(Mate { winner: Side::First, distance: Some(3) }));
        assert_eq!(mate("#-12,30"), Some(Mate { winner: Side::Second, distance: Some(12) }));
    }
}
