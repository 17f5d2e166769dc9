//! Records through formats, and the difference between two records.

use keisei_records::{
    AnyRecord, Construct, Encoding, Format, NodeId, Record, Recorded, read, write_encoded,
};

/// Writes the record, reads it back and checks that exactly the listed things are lost. `None` if
/// the format is for another game.
pub(crate) fn through(
    record: &AnyRecord,
    format: Format,
    encoding: Encoding,
    what: &str,
) -> Option<AnyRecord> {
    let written = write_encoded(record, format, encoding).ok()?;
    let text = String::from_utf8_lossy(&written.bytes).into_owned();
    let back = read(&written.bytes, Some(format));
    let back = back.unwrap_or_else(|error| panic!("{what} as {format}: {error}\n{text}"));
    let [back] = back.try_into().expect("one record was written");
    let mut listed: Vec<_> = written.lost.iter().map(|loss| (loss.construct, loss.node)).collect();
    listed.sort();
    assert_eq!(missing(record, &back), listed, "{what} as {format}\n{text}\n{:?}", written.lost);
    Some(back)
}

/// What of `one` is missing or different in `two`, as a format would list it. Panics if `two` has
/// something that `one` has not.
fn missing(one: &AnyRecord, two: &AnyRecord) -> Vec<(Construct, NodeId)> {
    let mut found = match (one, two) {
        (AnyRecord::Shogi(one), AnyRecord::Shogi(two)) => missing_in(one, two, |text| {
            text.rsplit_once(' ').map_or(text.to_owned(), |(board, _)| board.to_owned())
        }),
        (AnyRecord::Chess(one), AnyRecord::Chess(two)) => missing_in(one, two, str::to_owned),
        _ => panic!("records of two games"),
    };
    found.sort();
    found
}

fn missing_in<G: Recorded>(
    one: &Record<G>,
    two: &Record<G>,
    without_number: impl Fn(&str) -> String,
) -> Vec<(Construct, NodeId)> {
    let mut found = Vec::new();
    if one.start() != two.start() {
        let starts = [one, two].map(|record| without_number(&record.start().to_string()));
        assert_eq!(starts[0], starts[1], "the start is another one");
        found.push((Construct::MoveNumber, NodeId::ROOT));
    }
    let mut rest: Vec<_> = two.headers.iter().collect();
    for header in one.headers.iter() {
        match rest.iter().position(|other| *other == header) {
            Some(place) => drop(rest.swap_remove(place)),
            None => found.push((Construct::Header, NodeId::ROOT)),
        }
    }
    // What an encoding lacks comes back as a mark.
    rest.retain(|(key, value)| !key.contains('〓') && !value.contains('〓'));
    assert!(rest.is_empty(), "headers from nowhere: {rest:?}");
    let mut pairs = vec![(NodeId::ROOT, NodeId::ROOT)];
    while let Some((id, other)) = pairs.pop() {
        compare_notes(one, id, two, other, &mut found);
        pair_children(one, id, two, other, &mut found, &mut pairs);
    }
    found
}

fn compare_notes<G: Recorded>(
    one: &Record<G>,
    id: NodeId,
    two: &Record<G>,
    other: NodeId,
    found: &mut Vec<(Construct, NodeId)>,
) {
    let (here, there) = (&one.node(id).notes, &two.node(other).notes);
    let differences = [
        (here.comment != there.comment, Construct::Comment),
        (here.bookmark != there.bookmark, Construct::Bookmark),
        (here.time != there.time, Construct::Time),
        (here.clock != there.clock, Construct::Clock),
        (here.evaluations != there.evaluations, Construct::Evaluation),
        (here.nags != there.nags, Construct::Nag),
        (one.node(id).ending() != two.node(other).ending(), Construct::Ending),
    ];
    found.extend(
        differences.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| (what, id)),
    );
}

/// Pairs the continuations of two nodes in their order: same moves with each other, and an ending
/// with whatever ending stands in its place.
fn pair_children<G: Recorded>(
    one: &Record<G>,
    id: NodeId,
    two: &Record<G>,
    other: NodeId,
    found: &mut Vec<(Construct, NodeId)>,
    pairs: &mut Vec<(NodeId, NodeId)>,
) {
    let mut rest = two.node(other).children().iter().copied().peekable();
    for &child in one.node(id).children() {
        let node = one.node(child);
        let fits = |there: &NodeId| match node.mv() {
            Some(mv) => two.node(*there).mv() == Some(mv),
            None => two.node(*there).ending().is_some(),
        };
        match (rest.next_if(fits), node.ending()) {
            (Some(there), _) => pairs.push((child, there)),
            (None, Some(_)) => found.push((Construct::Ending, child)),
            (None, None) => found.push((Construct::Branch, child)),
        }
    }
    assert!(rest.next().is_none(), "continuations from nowhere, or in another order");
}
