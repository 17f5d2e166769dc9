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
    let mut text = write_tags(record, result, &mut losses);
    let (tag, ends) = write_termination(record, ending, result, &last, &mut losses);
    text.push_str(&tag);
    text.push('\n');
    let mut movetext =
        Movetext { record, tokens: Vec::new(), losses: &mut losses, number: true, ends };
    movetext.write();
    movetext.tokens.push(result.to_owned());
    text.push_str(&wrap(&movetext.tokens));
    Text { text, lost: losses.into_list() }
}

fn write_tags(record: &Record<Chess>, result: &str, losses: &mut Losses<'_, Chess>) -> String {
    let name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let fits = |key: &str, value: &str| {
        !key.is_empty()
            && key.bytes().all(name)
            && !value.contains(['\n', '\r'])
            && !matches!(key, "Result" | "SetUp" | "FEN")
            && !is_unknown(key, value)
    };
    let mut tags = ROSTER.map(|key| (key, if key == "Date" { "????.??.??" } else { "?" })).to_vec();
    tags[ROSTER.len() - 1].1 = result;
    for (key, value) in record.headers.iter() {
        let mut roster = tags[..ROSTER.len()].iter_mut();
        let vacant = roster.find(|(name, known)| *name == key && is_unknown(key, known));
        match vacant {
            _ if !fits(key, value) => {
                losses.add(Construct::Header, NodeId::ROOT, format!("{key}: {value}"));
            }
            Some(tag) => tag.1 = value,
            None => tags.push((key, value)),
        }
    }
    let start = record.start().to_string();
    if *record.start() != Position::start() {
        tags.extend([("SetUp", "1"), ("FEN", start.as_str())]);
    }
    tags.iter().map(|(key, value)| write_tag(key, value)).collect()
}

fn write_tag(key: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{key} \"{value}\"]\n")
}

/// The Termination tag, where the ending needs one: the board does not show the reason, and no
/// such header is there already. Also says whether any ending will be read back.
fn write_termination(
    record: &Record<Chess>,
    ending: Option<Ending>,
    result: &str,
    last: &Position,
    losses: &mut Losses<'_, Chess>,
) -> (String, bool) {
    let given = record.headers.get("Termination");
    let (shown, used) = endings::read(result, given, last);
    if used {
        let text = given.unwrap_or_default();
        losses.add(Construct::Header, NodeId::ROOT, format!("Termination: {text}"));
    }
    let Some(ending) = ending.filter(|&ending| shown != Some(ending)) else {
        return (String::new(), shown.is_some());
    };
    let reason = endings::termination(ending);
    if given.is_none() {
        return (write_tag("Termination", &reason), true);
    }
    let end = record.main_line().last().unwrap_or(NodeId::ROOT);
    losses.add(Construct::Ending, end, reason);
    (String::new(), shown.is_some())
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
    /// Whether the ending of the main line is written.
    ends: bool,
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
                Some(_) if main && place == 0 && self.ends => self.losses.add_notes(child),
                Some(_) if main && place == 0 => {}
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
        let mut read = Notes::default();
        if !comments.is_empty() {
            remarks::read(&comments.join("\n"), &mut read);
        }
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
