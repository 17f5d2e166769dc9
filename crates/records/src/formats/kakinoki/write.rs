//! Writing what KIF and KI2 share.

use keisei_shogi::{Position, Shogi};

use super::super::presets::{Preset, player_title};
use super::super::remarks::{self, Style};
use super::{Statement, diagram};
use crate::loss::Losses;
use crate::scan::Cursor;
use crate::{Construct, NodeId, Record};

/// Writes the headers and the start position.
pub(in super::super) fn write_opening(
    record: &Record<Shogi>,
    text: &mut String,
    losses: &mut Losses<'_, Shogi>,
) {
    let start = record.start();
    let preset = Preset::of(start);
    for (key, value) in record.headers.iter() {
        let line = format!("{}：{value}", player_title(key, preset));
        // A purpose of the position, such as 詰将棋, is written in place of a handicap.
        let read_back = match Statement::of(Cursor::new(&line)) {
            Statement::Header(name, text) => name == key && text == value,
            Statement::Handicap(name) => {
                let known = Preset::find(|preset| preset.kif == value).is_some();
                name.rest().trim() == value && value != "その他" && !known
            }
            _ => false,
        };
        if read_back && !line.contains(['\n', '\r']) {
            text.extend([&line, "\n"]);
        } else {
            losses.add(Construct::Header, NodeId::ROOT, &line);
        }
    }
    match preset {
        Some(preset) if record.headers.get("手合割").is_none() => {
            text.extend(["手合割：", preset.kif, "\n"]);
        }
        _ => text.push_str(&diagram::write(start)),
    }
}

/// Writes the comment, the evaluations and the bookmark at `node`, each line of its own.
pub(in super::super) fn write_notes(
    record: &Record<Shogi>,
    node: NodeId,
    position: &Position,
    text: &mut String,
    losses: &mut Losses<'_, Shogi>,
) {
    let notes = &record.node(node).notes;
    let lines = remarks::write(notes, position, Style::ShogiHome, node, losses);
    for line in lines {
        text.extend(["*", &line, "\n"]);
    }
    if let Some(name) = &notes.bookmark {
        if name.contains(['\n', '\r']) || name.trim() != name {
            losses.add(Construct::Bookmark, node, name);
        } else {
            text.extend(["&", name, "\n"]);
        }
    }
    losses.add_some(node, &[Construct::Clock, Construct::Nag]);
}
