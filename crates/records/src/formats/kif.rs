//! KIF, the format of Kakinoki Shogi and Kifu for Windows: one move a line.
//!
//! ```text
//!    1 ７六歩(77)   ( 0:03/00:00:03)
//! *a comment
//!    2 投了         ( 0:10/00:00:10)
//!
//! 変化：2手
//!    2 ３四歩(33)
//! ```

use std::time::Duration;

use keisei_shogi::Shogi;

use super::kakinoki::{self, MoveLines, ending_word, parse_ending_word};
use super::spot::{Path, Spot};
use super::times;
use crate::builder::{Budget, Builder};
use crate::loss::Losses;
use crate::notation::{MoveText, kif};
use crate::scan::Cursor;
use crate::{Construct, Limits, NodeId, Problem, ReadError, Record, Step, Text};

/// Reads a KIF file.
pub fn read(text: &str) -> Result<Record<Shogi>, ReadError> {
    read_within(text, Limits::default())
}

/// Reads as [`read`] does, with limits of your own.
pub fn read_within(text: &str, limits: Limits) -> Result<Record<Shogi>, ReadError> {
    kakinoki::read(text, &Budget::new(limits), &mut Numbered::default())
}

/// Moves with a number before each.
#[derive(Default)]
struct Numbered {
    /// The number of the first move: usually 1, but a record may continue another.
    first: Option<usize>,
}

impl MoveLines for Numbered {
    fn read(
        &mut self,
        mut line: Cursor<'_>,
        builder: &mut Builder<'_, Shogi>,
    ) -> Result<(), ReadError> {
        let at = line;
        let number = line.number().map(|number| number as usize);
        let number = number.ok_or_else(|| at.error(Problem::Expected("a numbered move")))?;
        let expected = *self.first.get_or_insert(number) + builder.ply();
        if number != expected {
            return Err(at.error(Problem::Number { expected, found: number }));
        }
        let at = *line.skip_spaces();
        let ply = builder.ply() + 1;
        if let Some(scanned) = MoveText::scan(&mut line) {
            let previous = builder.last_move().map(|mv| mv.to());
            let mv = scanned.resolve(builder.position(), previous);
            let mv = mv.map_err(|error| at.error(Problem::Move { ply, error }))?;
            builder.play(mv).map_err(|problem| at.error(problem))?;
        } else {
            line = at;
            let word = line.take_while(|c| !c.is_whitespace() && c != '(' && c != '+');
            let ending = parse_ending_word(word);
            let ending =
                ending.ok_or_else(|| at.error(Problem::Expected("a move or an ending")))?;
            builder.end(ending).map_err(|problem| at.error(problem))?;
        }
        if line.skip_spaces().eat("(") {
            builder.notes().time = Some(read_time(&mut line)?);
        }
        // A plus says that variations follow; they say so themselves.
        line.skip_spaces().eat("+");
        if line.skip_spaces().is_done() {
            Ok(())
        } else {
            Err(line.error(Problem::Expected("the end of the line")))
        }
    }

    fn moves_before(&self, number: usize) -> Option<usize> {
        number.checked_sub(self.first.unwrap_or(1))
    }
}

/// Reads `0:03/00:00:03)`: minutes and seconds of the move, perhaps with hours, and a total that
/// the moves give anyway.
fn read_time(cursor: &mut Cursor<'_>) -> Result<Duration, ReadError> {
    let at = *cursor.skip_spaces();
    let inside = cursor.take_until(')');
    let now = inside.and_then(|inside| inside.split('/').next());
    let time = now.and_then(|now| times::parse(now.trim()));
    time.ok_or_else(|| at.error(Problem::Expected("a time such as 0:03/00:00:03")))
}

/// Writes a record.
pub fn write(record: &Record<Shogi>) -> Text {
    let mut losses = Losses::new(record);
    let mut text = "#KIF version=2.0 encoding=UTF-8\n".to_owned();
    kakinoki::write_opening(record, &mut text, &mut losses);
    text.push_str("手数----指手---------消費時間--\n");
    kakinoki::write_notes(record, NodeId::ROOT, record.start(), &mut text, &mut losses);
    losses.add_some(NodeId::ROOT, &[Construct::Time]);
    let mut path = Path::new(record);
    for id in record.preorder() {
        if !record.is_first(id) {
            text.push_str(&format!("\n変化：{}手\n", record.node(id).ply()));
        }
        let spot = path.step(id);
        write_step(record, id, spot, &mut text, &mut losses);
        kakinoki::write_notes(record, id, &spot.position, &mut text, &mut losses);
    }
    Text { text, lost: losses.into_list() }
}

fn write_step(
    record: &Record<Shogi>,
    id: NodeId,
    spot: &Spot,
    text: &mut String,
    losses: &mut Losses<'_, Shogi>,
) {
    let node = record.node(id);
    let word = match node.step() {
        Some(Step::Move(mv)) => {
            kif(&spot.before, mv, spot.previous).expect("moves of a record are legal")
        }
        Some(Step::End(ending)) => {
            let word = ending_word(ending);
            if word.is_none_or(|(_, whole)| !whole) {
                losses.add(Construct::Ending, id, ending);
            }
            // The line must end somehow, or a variation after it would be attached elsewhere.
            word.map_or("中断", |(word, _)| word).to_owned()
        }
        None => return,
    };
    let width: usize = word.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
    let padding = " ".repeat(12usize.saturating_sub(width));
    text.push_str(&format!("{:>4} {word}", node.ply()));
    if let Some(time) = node.notes.time {
        let (now, total) = (times::minutes(time), times::hours(spot.total()));
        text.push_str(&format!("{padding} ({now}/{total})"));
        if time.subsec_nanos() > 0 {
            losses.add(Construct::Time, id, format!("{time:?}"));
        }
    }
    let siblings = node.parent().map_or(&[][..], |parent| record.node(parent).children());
    if siblings.last() != Some(&id) {
        text.push('+');
    }
    text.push('\n');
}
