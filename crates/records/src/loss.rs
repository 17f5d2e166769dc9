//! What a format could not hold.

use std::fmt;

use crate::{NodeId, Record, Recorded, Step};

/// The parts of a record that a format may be unable to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Construct {
    /// A header.
    Header,
    /// The number of the first move.
    MoveNumber,
    /// A variation with all that is in it.
    Branch,
    /// A comment, or a part of one.
    Comment,
    /// A bookmark.
    Bookmark,
    /// The time spent on a move, or its fraction of a second.
    Time,
    /// The time left on a clock.
    Clock,
    /// An evaluation, or a part of one.
    Evaluation,
    /// An annotation glyph.
    Nag,
    /// An ending, or the reason for it.
    Ending,
}

impl Construct {
    /// All constructs.
    pub const ALL: [Self; 10] = [
        Self::Header,
        Self::MoveNumber,
        Self::Branch,
        Self::Comment,
        Self::Bookmark,
        Self::Time,
        Self::Clock,
        Self::Evaluation,
        Self::Nag,
        Self::Ending,
    ];
}

impl fmt::Display for Construct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Header => "header",
            Self::MoveNumber => "move number",
            Self::Branch => "variation",
            Self::Comment => "comment",
            Self::Bookmark => "bookmark",
            Self::Time => "time",
            Self::Clock => "clock",
            Self::Evaluation => "evaluation",
            Self::Nag => "annotation glyph",
            Self::Ending => "ending",
        })
    }
}

/// Something that was in a record and is not, or not whole, in what was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Loss {
    /// What was lost.
    pub construct: Construct,
    /// Where it was: a header is lost at the start, a variation at its first step. What is noted in
    /// a lost variation or at a lost ending is lost with it.
    pub node: NodeId,
    /// How many steps from the start that is.
    pub ply: usize,
    /// Whether it was on the main line.
    pub main: bool,
    /// What it said, shortened.
    pub detail: String,
}

impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = if self.main { "" } else { " of a variation" };
        write!(f, "ply {}{line}: {} {:?}", self.ply, self.construct, self.detail)
    }
}

/// A record as written, and what the format could not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// Everything that is in the record and not in the file.
    pub lost: Vec<Loss>,
}

impl Written {
    /// The file as text, where it is UTF-8.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }
}

/// A record as text, and what the format could not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Everything that is in the record and not in the text.
    pub lost: Vec<Loss>,
}

/// The losses of a record while it is written.
pub(crate) struct Losses<'a, G: Recorded> {
    record: &'a Record<G>,
    list: Vec<Loss>,
}

impl<'a, G: Recorded> Losses<'a, G> {
    pub(crate) fn new(record: &'a Record<G>) -> Self {
        Self { record, list: Vec::new() }
    }

    pub(crate) fn add(&mut self, construct: Construct, node: NodeId, detail: impl fmt::Display) {
        let detail = detail.to_string();
        let detail = match detail.char_indices().nth(60) {
            Some((cut, _)) => format!("{}…", &detail[..cut]),
            None => detail,
        };
        let (ply, main) = (self.record.node(node).ply(), self.record.is_main(node));
        self.list.push(Loss { construct, node, ply, main, detail });
    }

    /// Lists everything noted at `node`.
    pub(crate) fn add_notes(&mut self, node: NodeId) {
        self.add_some(node, &Construct::ALL);
    }

    /// Lists what is noted at `node` and is one of `constructs`.
    pub(crate) fn add_some(&mut self, node: NodeId, constructs: &[Construct]) {
        let notes = &self.record.node(node).notes;
        for &construct in constructs {
            let text = match construct {
                Construct::Comment if !notes.comment.is_empty() => Some(notes.comment.clone()),
                Construct::Bookmark => notes.bookmark.clone(),
                Construct::Time => notes.time.map(|time| format!("{time:?}")),
                Construct::Clock => notes.clock.map(|left| format!("{left:?}")),
                Construct::Evaluation => notes.evaluations.first().map(ToString::to_string),
                Construct::Nag if !notes.nags.is_empty() => Some(format!("{:?}", notes.nags)),
                _ => None,
            };
            if let Some(text) = text {
                self.add(construct, node, text);
            }
        }
    }

    /// Lists the variations and endings beside `node`, which is the main continuation of its parent.
    pub(crate) fn add_siblings(&mut self, node: NodeId) {
        let record = self.record;
        let parent = record.node(node).parent();
        let siblings = parent.map_or(&[][..], |parent| &record.node(parent).children()[1..]);
        for &sibling in siblings {
            match record.node(sibling).step() {
                Some(Step::Move(mv)) => self.add(Construct::Branch, sibling, mv),
                Some(Step::End(ending)) => self.add(Construct::Ending, sibling, ending),
                None => {}
            }
        }
    }

    pub(crate) fn into_list(self) -> Vec<Loss> {
        self.list
    }
}
