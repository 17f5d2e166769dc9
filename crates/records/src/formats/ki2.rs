//! KI2: moves as books print them, `▲７六歩 △３四歩`, without origins and times.

use keisei_shogi::{Color, Shogi};

use super::kakinoki::{self, MoveLines, parse_ending_word, write_summary};
use super::spot::Path;
use crate::builder::{Budget, Builder};
use crate::loss::Losses;
use crate::notation::{MoveText, Spelling, japanese};
use crate::scan::Cursor;
use crate::{Construct, Limits, NodeId, Problem, ReadError, Record, Step, Text};

/// Reads a KI2 file.
pub fn read(text: &str) -> Result<Record<Shogi>, ReadError> {
    read_within(text, Limits::default())
}

/// Reads as [`read`] does, with limits of your own.
pub fn read_within(text: &str, limits: Limits) -> Result<Record<Shogi>, ReadError> {
    kakinoki::read(text, &Budget::new(limits), &mut Marked)
}

/// Moves with the mark of the mover before each, several a line.
struct Marked;

impl MoveLines for Marked {
    fn read(
        &mut self,
        mut line: Cursor<'_>,
        builder: &mut Builder<'_, Shogi>,
    ) -> Result<(), ReadError> {
        while !line.skip_spaces().is_done() {
            let at = line;
            let color = line.take(|mark| match mark {
                '▲' | '▼' | '☗' => Some(Color::Black),
                '△' | '▽' | '☖' => Some(Color::White),
                _ => None,
            });
            let color = color.ok_or_else(|| at.error(Problem::Expected("▲ or △ and a move")))?;
            if color != builder.position().turn() {
                return Err(at.error(Problem::Contradiction("the side to move")));
            }
            let word = line.skip_spaces().rest().split_whitespace().next().unwrap_or_default();
            if let Some(ending) = parse_ending_word(word) {
                line.eat(word);
                builder.end(ending).map_err(|problem| at.error(problem))?;
                continue;
            }
            let ply = builder.ply() + 1;
            let scanned = MoveText::scan(&mut line);
            let scanned = scanned.ok_or_else(|| at.error(Problem::Expected("a move")))?;
            let previous = builder.last_move().map(|mv| mv.to());
            let mv = scanned.resolve(builder.position(), previous);
            let mv = mv.map_err(|error| at.error(Problem::Move { ply, error }))?;
            builder.play(mv).map_err(|problem| at.error(problem))?;
        }
        Ok(())
    }

    fn moves_before(&self, number: usize) -> Option<usize> {
        number.checked_sub(1)
    }
}

/// How many moves stand on a line.
const MOVES_A_LINE: usize = 6;

/// Writes a record.
pub fn write(record: &Record<Shogi>) -> Text {
    let mut losses = Losses::new(record);
    let mut text = String::new();
    let spelling = Spelling::FOR_FILES;
    kakinoki::write_opening(record, &mut text, &mut losses);
    kakinoki::write_notes(record, NodeId::ROOT, record.start(), &mut text, &mut losses);
    let mut path = Path::new(record);
    let mut on_line = 0;
    for id in record.preorder() {
        let node = record.node(id);
        if !record.is_first(id) {
            end_line(&mut text, &mut on_line);
            text.push_str(&format!("\n変化：{}手\n", node.ply()));
        }
        let spot = path.step(id);
        match node.step() {
            Some(Step::Move(mv)) => {
                let word = japanese(&spot.before, mv, spot.previous, spelling);
                text.push_str(if on_line == 0 { "" } else { "  " });
                text.push_str(&word.expect("moves of a record are legal"));
                on_line += 1;
            }
            Some(Step::End(ending)) => {
                end_line(&mut text, &mut on_line);
                let summary = write_summary(ending, spot.turn());
                if summary.as_ref().is_none_or(|(_, whole)| !whole) {
                    losses.add(Construct::Ending, id, ending);
                }
                if let Some((summary, _)) = summary {
                    text.push_str(&format!("まで{}手で{summary}\n", node.ply() - 1));
                }
            }
            None => {}
        }
        let mut notes = String::new();
        kakinoki::write_notes(record, id, &spot.position, &mut notes, &mut losses);
        if on_line == MOVES_A_LINE || !notes.is_empty() {
            end_line(&mut text, &mut on_line);
        }
        text.push_str(&notes);
    }
    end_line(&mut text, &mut on_line);
    for id in std::iter::once(NodeId::ROOT).chain(record.preorder()) {
        losses.add_some(id, &[Construct::Time]);
    }
    Text { text, lost: losses.into_list() }
}

fn end_line(text: &mut String, on_line: &mut usize) {
    if *on_line > 0 {
        text.push('\n');
        *on_line = 0;
    }
}
