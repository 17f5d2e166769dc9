//! A game as a list of nodes with their SFENX positions.

use keisei_shogi::{Color, Shogi};

use super::super::json::{Document, Json, quote};
use super::super::spot::{Path, Spot};
use super::{parse_position, position_text};
use crate::builder::{Budget, Builder};
use crate::loss::Losses;
use crate::notation::{Spelling, japanese};
use crate::{Construct, Ending, Limits, NodeId, Problem, ReadError, Record, Step, Text};

/// Reads a list of nodes.
pub(super) fn read(text: &str, limits: Limits) -> Result<Record<Shogi>, ReadError> {
    let document = Document::parse(text)?;
    let list = document.root();
    let nodes: Vec<_> = list.items()?.iter().map(|&item| list.item(item)).collect();
    let first = *nodes.first().ok_or_else(|| list.error(Problem::Expected("a node")))?;
    let start = member(first, "sfenx")?;
    let turn = if member(first, "isSente")?.bool()? { Color::Black } else { Color::White };
    let position =
        parse_position(start.text()?, turn).map_err(|error| start.error(error.problem))?;
    let budget = Budget::new(limits);
    let mut builder = Builder::new(position, &budget);
    // A node is read once: a list that leads back into itself ends there.
    let mut seen = vec![false; nodes.len()];
    let mut waiting: Vec<(usize, usize)> = continuations(&nodes, first, &mut seen)?
        .into_iter()
        .rev()
        .map(|index| (0, index))
        .collect();
    while let Some((ply, index)) = waiting.pop() {
        builder.go_back(ply);
        let node = nodes[index];
        read_step(node, &mut builder)?;
        let next = continuations(&nodes, node, &mut seen)?;
        let ply = builder.ply();
        waiting.extend(next.into_iter().rev().map(|index| (ply, index)));
    }
    Ok(builder.finish())
}

fn member<'a>(node: Json<'a>, key: &'static str) -> Result<Json<'a>, ReadError> {
    node.get(key).ok_or_else(|| node.error(Problem::Expected(key)))
}

/// The continuations of `node`, the main one first.
fn continuations(
    nodes: &[Json<'_>],
    node: Json<'_>,
    seen: &mut [bool],
) -> Result<Vec<usize>, ReadError> {
    let mut found = Vec::new();
    let first = member(node, "next")?.whole(-1, nodes.len() as i64 - 1)?;
    let Ok(mut index) = usize::try_from(first) else { return Ok(found) };
    while !std::mem::replace(&mut seen[index], true) {
        found.push(index);
        index = member(nodes[index], "br_next")?.whole(0, nodes.len() as i64 - 1)? as usize;
    }
    Ok(found)
}

fn read_step(node: Json<'_>, builder: &mut Builder<'_, Shogi>) -> Result<(), ReadError> {
    let text = member(node, "move")?;
    let ending = match text.text()? {
        "resign" => Some(Ending::Resignation),
        "timeout" => Some(Ending::Timeout),
        _ => None,
    };
    if let Some(ending) = ending {
        return builder.end(ending).map_err(|problem| text.error(problem));
    }
    let mv = text.text()?.parse().map_err(|_| text.error(Problem::Expected("a move")))?;
    builder.play(mv).map_err(|problem| text.error(problem))?;
    let sfenx = member(node, "sfenx")?;
    if sfenx.text()? == position_text(builder.position()) {
        Ok(())
    } else {
        Err(sfenx.error(Problem::Contradiction("the moves before it")))
    }
}

/// Writes a record as a list of nodes, one a line.
pub fn write(record: &Record<Shogi>) -> Text {
    let mut losses = Losses::new(record);
    for (key, value) in record.headers.iter() {
        losses.add(Construct::Header, NodeId::ROOT, format!("{key}：{value}"));
    }
    if record.start().move_number() != 1 {
        losses.add(Construct::MoveNumber, NodeId::ROOT, record.start().move_number());
    }
    // Endings without a word here are left out, and the nodes are numbered without them.
    let holds = |id: &NodeId| match record.node(*id).ending() {
        Some(ending) => word(ending).is_some(),
        None => true,
    };
    let order: Vec<NodeId> =
        std::iter::once(NodeId::ROOT).chain(record.preorder().filter(holds)).collect();
    let places: std::collections::HashMap<NodeId, usize> =
        order.iter().enumerate().map(|(place, &id)| (id, place)).collect();
    for id in record.preorder().filter(|id| !holds(id)) {
        let ending = record.node(id).ending().expect("only endings are left out");
        losses.add(Construct::Ending, id, ending);
    }
    let mut path = Path::new(record);
    let mut lines = Vec::with_capacity(order.len());
    for &id in &order {
        losses.add_notes(id);
        if id != NodeId::ROOT {
            path.step(id);
        }
        lines.push(write_node(path.last(), id, |id| places.get(&id).copied(), record));
    }
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    Text { text, lost: losses.into_list() }
}

const fn word(ending: Ending) -> Option<&'static str> {
    match ending {
        Ending::Resignation => Some("resign"),
        Ending::Timeout => Some("timeout"),
        _ => None,
    }
}

fn write_node(
    spot: &Spot,
    id: NodeId,
    place: impl Fn(NodeId) -> Option<usize>,
    record: &Record<Shogi>,
) -> String {
    let node = record.node(id);
    let (display, mv) = match node.step() {
        None => ("初期局面".to_owned(), String::new()),
        Some(Step::Move(mv)) => {
            let text = japanese(&spot.before, mv, spot.previous, Spelling::default());
            (text.expect("moves of a record are legal"), mv.to_string())
        }
        Some(Step::End(ending)) => {
            let text = if ending == Ending::Timeout { "切れ負け" } else { "投了" };
            (text.to_owned(), word(ending).unwrap_or_default().to_owned())
        }
    };
    let next = node.children().iter().find_map(|&child| place(child));
    let own = place(id).unwrap_or(0);
    let ring = match node.parent() {
        None => own,
        Some(parent) => {
            let kept: Vec<_> =
                record.node(parent).children().iter().filter_map(|&child| place(child)).collect();
            let at = kept.iter().position(|&place| place == own).unwrap_or(0);
            kept[(at + 1) % kept.len()]
        }
    };
    let number = |place: Option<usize>| place.map_or_else(|| "-1".to_owned(), |p| p.to_string());
    format!(
        "{{\"display\":{},\"sfenx\":{},\"prev\":{},\"next\":{},\"br_next\":{ring},\"isSente\":{},\
         \"move\":{},\"isFavorite\":false,\"isSaved\":false}}",
        quote(&display),
        quote(&position_text(&spot.position)),
        number(node.parent().and_then(&place)),
        number(next),
        spot.turn() == Color::Black,
        quote(&mv),
    )
}
