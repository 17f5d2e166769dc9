//! Writing PGN.

use keisei_chess::{Chess, Position};
use keisei_game::Side;

use super::{ROSTER, endings, is_unknown, remarks};
use crate::loss::Losses;
use crate::{Construct, Ending, NodeId, Notes, Record, Text};

/// The width at which movetext is broken into lines.
const WIDTH: usize = 80;

/// Writes a record.
pub fn write(record: &Record<Chess>) -> Text {
    let mut losses = Losses::new(record);
    let last = record.main_line().filter(|&id| record.node(id).mv().is_some()).last();
    let last = record.position_at(last.unwrap_or(NodeId::ROOT));
    let ending = record.ending().map(|(ending, _)| ending);
    let result = endings::result(ending, last.turn().into());
    let mut text = write_tags(record, ending, result, &last, &mut losses);
    text.push('\n');
    let mut movetext = Movetext { record, tokens: Vec::new(), losses: &mut losses, number: true };
    movetext.write();
    movetext.tokens.push(result.to_owned());
    text.push_str(&wrap(&movetext.tokens));
    Text { text, lost: losses.into_list() }
}

fn write_tags(
    record: &Record<Chess>,
    ending: Option<Ending>,
    result: &str,
    last: &Position,
    losses: &mut Losses<'_, Chess>,
) -> String {
    let mut tags: Vec<(&str, String)> = Vec::new();
    for key in ROSTER {
        let unknown = if key == "Date" { "????.??.??" } else { "?" };
        let known = if key == "Result" { Some(result) } else { record.headers.get(key) };
        tags.push((key, known.unwrap_or(unknown).to_owned()));
    }
    let mut written: Vec<&str> = vec!["Result"];
    for (key, value) in record.headers.iter() {
        let reserved = matches!(key, "Result" | "SetUp" | "FEN");
        let name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        let fits = !key.is_empty() && key.bytes().all(name) && !value.contains(['\n', '\r']);
        if reserved || !fits || is_unknown(key, value) {
            losses.add(Construct::Header, NodeId::ROOT, format!("{key}: {value}"));
            if let Some(tag) = tags.iter_mut().find(|(name, _)| *name == key && !reserved) {
                "?".clone_into(&mut tag.1);
            }
        } else if ROSTER.contains(&key) && !written.contains(&key) {
            written.push(key);
        } else {
            tags.push((key, value.to_owned()));
        }
    }
    // A reason that the board does not show goes into the Termination tag, unless one is there.
    let given = record.headers.get("Termination");
    let shown = endings::read(result, given, last);
    if shown.0 != ending && given.is_none() {
        let reason = ending.map(endings::termination).unwrap_or_default();
        tags.push(("Termination", reason));
    } else if shown.0 != ending {
        let end = record.main_line().last().unwrap_or(NodeId::ROOT);
        losses.add(Construct::Ending, end, ending.map(endings::termination).unwrap_or_default());
    }
    if shown.1 {
        losses.add(
            Construct::Header,
            NodeId::ROOT,
            format!("Termination: {}", given.unwrap_or_default()),
        );
    }
    if *record.start() != Position::start() {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", record.start().to_string()));
    }
    let quote = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    tags.iter().map(|(key, value)| format!("[{key} \"{}\"]\n", quote(value))).collect()
}

/// What is still to be written, last first.
enum Task {
    /// A move at a position, its variations and what follows it.
    Line(NodeId, Position),
    Close,
}

struct Movetext<'a, 'b> {
    record: &'a Record<Chess>,
    tokens: Vec<String>,
    losses: &'b mut Losses<'a, Chess>,
    /// Whether the next move needs its number even if it is Black's.
    number: bool,
}

impl Movetext<'_, '_> {
    fn write(&mut self) {
        let record = self.record;
        self.write_notes(&record.node(NodeId::ROOT).notes, NodeId::ROOT);
        let mut tasks = Vec::new();
        self.follow(NodeId::ROOT, record.start(), &mut tasks);
        while let Some(task) = tasks.pop() {
            let Task::Line(id, position) = task else {
                self.tokens.push(")".to_owned());
                self.number = true;
                continue;
            };
            self.write_move(id, &position);
            let mut after = position.clone();
            if let Some(mv) = record.node(id).mv() {
                after.play_unchecked(mv);
            }
            self.follow(id, &after, &mut tasks);
            let parent = record.node(id).parent().unwrap_or(NodeId::ROOT);
            let moves = self.moves_after(parent);
            if moves.first() == Some(&id) {
                for &variation in moves[1..].iter().rev() {
                    tasks.push(Task::Close);
                    tasks.push(Task::Line(variation, position.clone()));
                }
            }
        }
    }

    /// The continuations of `parent` that movetext can hold.
    fn moves_after(&self, parent: NodeId) -> Vec<NodeId> {
        let children = self.record.node(parent).children();
        let is_move = |id: &NodeId| self.record.node(*id).mv().is_some();
        // Where the main line ends nothing can follow but the result.
        let ends = children.first().is_some_and(|first| !is_move(first));
        if ends && self.record.is_main(parent) {
            return Vec::new();
        }
        children.iter().copied().filter(is_move).collect()
    }

    /// Plans the continuation after `id`, and lists what movetext cannot hold there.
    fn follow(&mut self, id: NodeId, position: &Position, tasks: &mut Vec<Task>) {
        let moves = self.moves_after(id);
        if let Some(&next) = moves.first() {
            tasks.push(Task::Line(next, position.clone()));
        }
        let main = self.record.is_main(id);
        for (place, &child) in self.record.node(id).children().iter().enumerate() {
            match self.record.node(child).ending() {
                Some(_) if main && place == 0 => {
                    self.losses.add_notes(child);
                }
                Some(ending) => self.losses.add(Construct::Ending, child, ending),
                None if !moves.contains(&child) => {
                    let mv = self.record.node(child).mv().map(|mv| mv.to_string());
                    self.losses.add(Construct::Branch, child, mv.unwrap_or_default());
                }
                None => {}
            }
        }
    }

    fn write_move(&mut self, id: NodeId, position: &Position) {
        let node = self.record.node(id);
        let Some(mv) = node.mv() else { return };
        let parent = node.parent().unwrap_or(NodeId::ROOT);
        if self.moves_after(parent).first() != Some(&id) {
            self.tokens.push("(".to_owned());
            self.number = true;
        }
        let white = Side::from(position.turn()) == Side::First;
        if white || self.number {
            let dots = if white { "." } else { "..." };
            self.tokens.push(format!("{}{dots}", position.move_number()));
        }
        self.tokens.push(position.san(mv).expect("moves of a record are legal"));
        self.number = false;
        self.write_notes(&node.notes, id);
    }

    fn write_notes(&mut self, notes: &Notes<keisei_chess::Move>, id: NodeId) {
        for glyph in &notes.nags {
            self.tokens.push(format!("${glyph}"));
        }
        let comments = remarks::write(notes);
        for comment in &comments {
            self.number = true;
            if comment.contains('}') {
                self.tokens.push(format!(";{comment}\n"));
            } else {
                self.tokens.push(format!("{{{comment}}}"));
            }
        }
        let comments: Vec<_> = comments.iter().map(String::as_str).collect();
        let mut read = Notes::default();
        remarks::read(&comments, &mut read);
        let differences = [
            (read.comment != notes.comment, Construct::Comment),
            (read.time != notes.time, Construct::Time),
            (read.clock != notes.clock, Construct::Clock),
            (read.evaluations != notes.evaluations, Construct::Evaluation),
            (notes.bookmark.is_some(), Construct::Bookmark),
        ];
        for (_, construct) in differences.into_iter().filter(|(lost, _)| *lost) {
            self.losses.add(construct, id, comments.join(" "));
        }
    }
}

/// Joins tokens with spaces into lines. A comment to the end of a line ends the line.
fn wrap(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    let mut tight = true;
    for token in tokens {
        let width = token.chars().count();
        let space = !tight && token != ")";
        if column > 0 && column + width + usize::from(space) > WIDTH {
            text.push('\n');
            column = 0;
        } else if space && column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(token);
        column = if token.ends_with('\n') { 0 } else { column + width };
        tight = token == "(";
    }
    text.push_str("\n\n");
    text
}
