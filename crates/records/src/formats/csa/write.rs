//! Writing CSA records.

use keisei_shogi::Shogi;

use super::super::remarks::{self, Style};
use super::super::times;
use super::{HEADERS, ending_name, header_key, moves, start};
use crate::loss::Losses;
use crate::{Construct, Ending, Loss, NodeId, Record, Step, Text};

/// Writes the main line of a record: in version 2.2, which most programs read, or in version 3
/// where only that holds the times or the ending.
pub fn write(record: &Record<Shogi>) -> Text {
    let game = write_game(record);
    let text = format!("{}{}", head(game.needs_v3), game.text);
    Text { text, lost: game.lost }
}

/// Writes the main lines of several records into one file. The losses are those of each.
pub(crate) fn write_several(records: &[&Record<Shogi>]) -> (String, Vec<Vec<Loss>>) {
    let games: Vec<_> = records.iter().map(|record| write_game(record)).collect();
    let head = head(games.iter().any(|game| game.needs_v3));
    let texts: Vec<_> = games.iter().map(|game| game.text.as_str()).collect();
    (head.to_owned() + &texts.join("/\n"), games.into_iter().map(|game| game.lost).collect())
}

/// The first lines of a file.
const fn head(v3: bool) -> &'static str {
    if v3 { "'CSA encoding=UTF-8\nV3.0\n" } else { "'CSA encoding=UTF-8\nV2.2\n" }
}

/// A game without the first lines of its file.
struct Written {
    text: String,
    lost: Vec<Loss>,
    needs_v3: bool,
}

fn write_game(record: &Record<Shogi>) -> Written {
    let mut losses = Losses::new(record);
    let mut text = String::new();
    write_headers(record, &mut text, &mut losses);
    if record.start().move_number() != 1 {
        losses.add(Construct::MoveNumber, NodeId::ROOT, record.start().move_number());
    }
    text.push_str(&start::write(record.start()));
    let mut position = *record.start();
    write_notes(record, NodeId::ROOT, &position, &mut text, &mut losses);
    losses.add_some(NodeId::ROOT, &[Construct::Time]);
    let mut needs_v3 = false;
    for id in record.main_line() {
        let node = record.node(id);
        match node.step() {
            Some(Step::Move(mv)) => {
                text.push_str(&moves::write_move(&position, mv));
                position.play_unchecked(mv);
            }
            Some(Step::End(ending)) => {
                let name = ending_name(ending, position.turn());
                if name.is_none_or(|(_, whole)| !whole) {
                    losses.add(Construct::Ending, id, ending);
                }
                needs_v3 |= ending == Ending::MaxMoves;
                text.extend(["%", name.map_or("CHUDAN", |(name, _)| name)]);
            }
            None => {}
        }
        if let Some(time) = node.notes.time {
            needs_v3 |= time.subsec_nanos() > 0;
            text.push_str(&format!(",T{}", times::seconds(time)));
        }
        text.push('\n');
        write_notes(record, id, &position, &mut text, &mut losses);
        losses.add_siblings(id);
    }
    Written { text, lost: losses.into_list(), needs_v3 }
}

fn write_headers(record: &Record<Shogi>, text: &mut String, losses: &mut Losses<'_, Shogi>) {
    // Players come first, whatever the order of the headers.
    for (key, sign) in [("先手", "N+"), ("後手", "N-")] {
        for (_, name) in record.headers.iter().filter(|(name, _)| *name == key) {
            if fits(name) {
                text.extend([sign, name, "\n"]);
            } else {
                losses.add(Construct::Header, NodeId::ROOT, format!("{key}：{name}"));
            }
        }
    }
    for (key, value) in record.headers.iter().filter(|(key, _)| !matches!(*key, "先手" | "後手"))
    {
        let name = match key {
            "持ち時間" if is_v3_time(value) => "TIME",
            "持ち時間" => "TIME_LIMIT",
            key => HEADERS.iter().find(|(kif, _)| *kif == key).map_or(key, |(_, csa)| csa),
        };
        let clean = !name.is_empty() && !name.contains([':', '\n', '\r']) && fits(value);
        if clean && header_key(name) == key {
            text.push_str(&format!("${name}:{value}\n"));
        } else {
            losses.add(Construct::Header, NodeId::ROOT, format!("{key}：{value}"));
        }
    }
}

/// Whether a value survives on a line of its own.
fn fits(value: &str) -> bool {
    value.trim() == value && !value.contains(['\n', '\r'])
}

/// `600+30+0`: seconds, countdown and increment.
fn is_v3_time(value: &str) -> bool {
    let number =
        |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    value.split('+').count() == 3 && value.split('+').all(number)
}

fn write_notes(
    record: &Record<Shogi>,
    node: NodeId,
    position: &keisei_shogi::Position,
    text: &mut String,
    losses: &mut Losses<'_, Shogi>,
) {
    let notes = &record.node(node).notes;
    for line in remarks::write(notes, position, Style::Floodgate, node, losses) {
        text.extend(["'*", &line, "\n"]);
    }
    losses.add_some(node, &[Construct::Bookmark, Construct::Clock, Construct::Nag]);
}
