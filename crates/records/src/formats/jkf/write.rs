//! Writing JKF.

use std::collections::HashSet;
use std::time::Duration;

use keisei_shogi::{Color, HandKind, Move, Position, Shogi, Square};

use super::super::csa;
use super::super::json::quote;
use super::super::presets::{self, Preset};
use super::super::remarks::{self, Style};
use super::super::spot::Spot;
use crate::loss::Losses;
use crate::notation::{Motion, Relative, Rivals, csa_name, marks, moved_kind};
use crate::{Construct, NodeId, Record, Step, Text};

/// Writes a record, one move a line.
pub fn write(record: &Record<Shogi>) -> Text {
    let mut losses = Losses::new(record);
    let header = write_headers(record, &mut losses);
    if record.start().move_number() != 1 {
        losses.add(Construct::MoveNumber, NodeId::ROOT, record.start().move_number());
    }
    let start = write_start(record.start());
    let mut text = format!("{{\"header\":{{{header}}},\n\"initial\":{start},\n\"moves\":[\n");
    write_moves(record, &mut text, &mut losses);
    text.push_str("\n]}\n");
    Text { text, lost: losses.into_list() }
}

fn write_headers(record: &Record<Shogi>, losses: &mut Losses<'_, Shogi>) -> String {
    let preset = Preset::of(record.start());
    let mut members: Vec<(&str, &str)> = Vec::new();
    let mut seen = HashSet::new();
    for (key, value) in record.headers.iter() {
        let title = presets::player_title(key, preset);
        let swallowed = key == "手合割"
            && (value == "その他" || preset.is_some_and(|preset| preset.kif == value));
        // A JSON object has one value a key.
        if swallowed || presets::player_key(title) != key || !seen.insert(title) {
            losses.add(Construct::Header, NodeId::ROOT, format!("{key}：{value}"));
        } else {
            members.push((title, value));
        }
    }
    let members = members.iter().map(|(key, value)| format!("{}:{}", quote(key), quote(value)));
    members.collect::<Vec<_>>().join(",")
}

/// What is still to be written, last first.
#[allow(clippy::large_enum_variant, reason = "as many tasks as open forks, and soon gone")]
enum Task {
    /// A node after a spot, its forks and what follows it.
    Line(NodeId, Spot),
    Text(&'static str),
}

fn write_moves(record: &Record<Shogi>, text: &mut String, losses: &mut Losses<'_, Shogi>) {
    let start = Spot::start(record);
    text.push('{');
    text.push_str(&write_notes(record, NodeId::ROOT, &start, losses).join(","));
    text.push('}');
    let mut tasks = Vec::new();
    if let Some(&first) = record.node(NodeId::ROOT).children().first() {
        tasks.push(Task::Line(first, start));
        tasks.push(Task::Text(",\n"));
    }
    while let Some(task) = tasks.pop() {
        let (id, before) = match task {
            Task::Text(part) => {
                text.push_str(part);
                continue;
            }
            Task::Line(id, before) => (id, before),
        };
        let spot = before.step(record, id);
        text.push('{');
        text.push_str(&write_entry(record, id, &spot, losses).join(","));
        if let Some(&next) = record.node(id).children().first() {
            tasks.push(Task::Line(next, spot));
            tasks.push(Task::Text(",\n"));
        }
        tasks.push(Task::Text("}"));
        let parent = record.node(id).parent().unwrap_or(NodeId::ROOT);
        let siblings = record.node(parent).children();
        if siblings[0] == id && siblings.len() > 1 {
            text.push_str(",\"forks\":[");
            tasks.push(Task::Text("]"));
            for (place, &fork) in siblings.iter().enumerate().skip(1).rev() {
                tasks.push(Task::Text("]"));
                tasks.push(Task::Line(fork, before.clone()));
                tasks.push(Task::Text(if place == 1 { "[\n" } else { ",[\n" }));
            }
        }
    }
}

/// The members of the object for one step.
fn write_entry(
    record: &Record<Shogi>,
    id: NodeId,
    spot: &Spot,
    losses: &mut Losses<'_, Shogi>,
) -> Vec<String> {
    let mut members = Vec::new();
    match record.node(id).step() {
        Some(Step::Move(mv)) => {
            members.push(format!("\"move\":{}", write_move(&spot.before, mv, spot.previous)));
        }
        Some(Step::End(ending)) => {
            let name = csa::ending_name(ending, spot.turn());
            if name.is_none_or(|(_, whole)| !whole) {
                losses.add(Construct::Ending, id, ending);
            }
            let name = name.map_or("CHUDAN", |(name, _)| name);
            members.push(format!("\"special\":\"{name}\""));
        }
        None => {}
    }
    members.extend(write_notes(record, id, spot, losses));
    members
}

fn write_notes(
    record: &Record<Shogi>,
    id: NodeId,
    spot: &Spot,
    losses: &mut Losses<'_, Shogi>,
) -> Vec<String> {
    let mut members = Vec::new();
    let notes = &record.node(id).notes;
    if let Some(time) = notes.time {
        let total = if id == NodeId::ROOT { time } else { spot.total() };
        let (now, total) = (write_time(time), write_time(total));
        members.push(format!("\"time\":{{\"now\":{now},\"total\":{total}}}"));
        if time.subsec_nanos() > 0 {
            losses.add(Construct::Time, id, format!("{time:?}"));
        }
    }
    let lines = remarks::write(notes, &spot.position, Style::ShogiHome, id, losses);
    if !lines.is_empty() {
        let lines: Vec<_> = lines.iter().map(|line| quote(line)).collect();
        members.push(format!("\"comments\":[{}]", lines.join(",")));
    }
    losses.add_some(id, &[Construct::Bookmark, Construct::Clock, Construct::Nag]);
    members
}

fn write_time(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let hours = if hours > 0 { format!("\"h\":{hours},") } else { String::new() };
    format!("{{{hours}\"m\":{minutes},\"s\":{seconds}}}")
}

fn write_move(position: &Position, mv: Move, previous: Option<Square>) -> String {
    let place = |square: Square| format!("{{\"x\":{},\"y\":{}}}", square.file(), square.row() + 1);
    let kind = moved_kind(position, mv).expect("moves of a record are legal");
    let mover = position.turn();
    let mut members = vec![format!("\"color\":{}", mover as u8)];
    if let Some(from) = mv.from() {
        members.push(format!("\"from\":{}", place(from)));
    }
    members.push(format!("\"to\":{},\"piece\":\"{}\"", place(mv.to()), csa_name(kind)));
    if previous == Some(mv.to()) {
        members.push("\"same\":true".to_owned());
    }
    if let Some(from) = mv.from() {
        let zone = |square: Square| mover.relative_row(square.row()) < 3;
        if kind.promoted().is_some() && (zone(from) || zone(mv.to())) {
            members.push(format!("\"promote\":{}", mv.promotes()));
        }
    }
    if let Some(captured) = position.piece_at(mv.to()) {
        members.push(format!("\"capture\":\"{}\"", csa_name(captured.kind)));
    }
    let marks = marks(position, mv, Rivals::Attacking).expect("moves of a record are legal");
    let relative = marks.relative.map(|relative| match relative {
        Relative::Left => 'L',
        Relative::Straight => 'C',
        Relative::Right => 'R',
    });
    let motion = marks.motion.map(|motion| match motion {
        Motion::Up => 'U',
        Motion::Sideways => 'M',
        Motion::Back => 'D',
    });
    let letters: String =
        relative.into_iter().chain(motion).chain(marks.drop.then_some('H')).collect();
    if !letters.is_empty() {
        members.push(format!("\"relative\":\"{letters}\""));
    }
    format!("{{{}}}", members.join(","))
}

fn write_start(position: &Position) -> String {
    if let Some(preset) = Preset::of(position) {
        return format!("{{\"preset\":\"{}\"}}", preset.jkf);
    }
    let file = |x: u8| {
        let squares =
            (0..9).map(|y| match Square::at(y, 9 - x).and_then(|s| position.piece_at(s)) {
                None => "{}".to_owned(),
                Some(piece) => {
                    let (color, name) = (piece.color as u8, csa_name(piece.kind));
                    format!("{{\"color\":{color},\"kind\":\"{name}\"}}")
                }
            });
        format!("[{}]", squares.collect::<Vec<_>>().join(","))
    };
    let board: Vec<_> = (1..=9).map(file).collect();
    let hand = |color| {
        let counts = HandKind::ALL.map(|kind| {
            format!("\"{}\":{}", csa_name(kind.kind()), position.hand(color).count(kind))
        });
        format!("{{{}}}", counts.join(","))
    };
    let (color, board) = (position.turn() as u8, board.join(","));
    let hands = Color::ALL.map(hand).join(",");
    format!(
        "{{\"preset\":\"OTHER\",\"data\":{{\"color\":{color},\"board\":[{board}],\"hands\":[{hands}]}}}}"
    )
}
