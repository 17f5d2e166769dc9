//! Evaluations in the comments of shogi records, as ShogiHome and Floodgate write them.
//!
//! A comment line `*評価値=120` is what the player thought, `#評価値=120` what an analysis found;
//! 詰み, 読み筋, 深さ, ノード数 and エンジン follow in the same way. Floodgate's `* 120 -3334FU` gives a
//! score and the expected moves in one line. A line that is not understood to its last character
//! stays part of the comment.

use keisei_game::Side;
use keisei_shogi::{Move, Position, Shogi};

use super::csa;
use crate::builder::CommentLines;
use crate::loss::Losses;
use crate::notation::{MoveText, Spelling, japanese};
use crate::scan::Cursor;
use crate::{Construct, Evaluation, Evaluator, Mate, NodeId, Notes};

/// The fields of an evaluation in the order in which they are written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Field {
    Mate,
    Score,
    Line,
    Depth,
    Nodes,
    Engine,
}

impl Field {
    const ALL: [Self; 6] =
        [Self::Mate, Self::Score, Self::Line, Self::Depth, Self::Nodes, Self::Engine];

    const fn key(self) -> &'static str {
        match self {
            Self::Mate => "詰み=",
            Self::Score => "評価値=",
            Self::Line => "読み筋=",
            Self::Depth => "深さ=",
            Self::Nodes => "ノード数=",
            Self::Engine => "エンジン=",
        }
    }

    /// The text of the field, if the evaluation has it.
    fn write(self, evaluation: &Evaluation<Move>, position: &Position) -> Option<String> {
        match self {
            Self::Mate => evaluation.mate.map(|mate| {
                let winner =
                    if mate.winner == Side::First { "先手勝ち" } else { "後手勝ち" };
                let distance = mate.distance.map(|plies| format!(":{plies}手"));
                [winner, &distance.unwrap_or_default()].concat()
            }),
            Self::Score => evaluation.centipawns.map(|score| score.to_string()),
            Self::Line if evaluation.line.is_empty() => None,
            Self::Line => write_line(position, &evaluation.line),
            Self::Depth => evaluation.depth.map(|depth| depth.to_string()),
            Self::Nodes => evaluation.nodes.map(|nodes| nodes.to_string()),
            Self::Engine => evaluation.engine.clone().filter(|name| !name.contains('\n')),
        }
    }

    /// Reads the field into the evaluation, if the text is nothing else.
    fn read(
        self,
        text: &str,
        evaluation: &mut Evaluation<Move>,
        position: &Position,
    ) -> Option<()> {
        match self {
            Self::Mate => evaluation.mate = Some(read_mate(text)?),
            Self::Score => evaluation.centipawns = Some(text.parse().ok()?),
            Self::Line => evaluation.line = read_line(position, text)?,
            Self::Depth => evaluation.depth = Some(text.parse().ok()?),
            Self::Nodes => evaluation.nodes = Some(text.parse().ok()?),
            Self::Engine => evaluation.engine = Some(text.to_owned()),
        }
        Some(())
    }
}

fn read_mate(text: &str) -> Option<Mate> {
    let (winner, rest) = match text.strip_prefix("先手勝ち") {
        Some(rest) => (Side::First, rest),
        None => (Side::Second, text.strip_prefix("後手勝ち")?),
    };
    let distance = match rest.strip_prefix(':') {
        None if rest.is_empty() => None,
        plies => Some(plies?.strip_suffix('手')?.parse().ok()?),
    };
    Some(Mate { winner, distance })
}

/// The moves of a line as one text: ▲２六歩△８四歩.
fn write_line(position: &Position, line: &[Move]) -> Option<String> {
    let spelling = Spelling::FOR_FILES;
    let (mut position, mut previous, mut text) = (*position, None, String::new());
    for &mv in line {
        if !position.is_legal(mv) {
            return None;
        }
        text.push_str(&japanese(&position, mv, previous, spelling).ok()?);
        position.play_unchecked(mv);
        previous = Some(mv.to());
    }
    Some(text)
}

fn read_line(position: &Position, text: &str) -> Option<Vec<Move>> {
    let (mut position, mut previous, mut line) = (*position, None, Vec::new());
    let mut cursor = Cursor::new(text);
    while !cursor.skip_spaces().is_done() {
        let mv = MoveText::scan(&mut cursor)?.resolve(&position, previous).ok()?;
        position.check_legal(mv).ok()?;
        position.play_unchecked(mv);
        previous = Some(mv.to());
        line.push(mv);
    }
    (!line.is_empty()).then_some(line)
}

/// Adds the comment lines at `position` to the notes, as evaluations or as the comment.
pub(crate) fn read(position: &Position, lines: &str, notes: &mut Notes<Move>) {
    let mut comment = CommentLines::default();
    // The field read last: one that comes no later in the order begins a new evaluation.
    let mut last = None;
    let old = notes.evaluations.len();
    for line in lines.split('\n') {
        if let Some(evaluation) = read_floodgate(position, line) {
            notes.evaluations.push(evaluation);
            last = Some(Field::Engine);
            continue;
        }
        let Some((by, field, text)) = split(line) else {
            comment.add(line);
            continue;
        };
        let continues =
            last < Some(field) && notes.evaluations[old..].last().is_some_and(|open| open.by == by);
        if !continues {
            notes.evaluations.push(Evaluation::new(by));
        }
        let evaluation = notes.evaluations.last_mut().expect("one was just made sure of");
        if field.read(text, evaluation, position).is_some() {
            last = Some(field);
        } else {
            comment.add(line);
            if !continues {
                notes.evaluations.pop();
            }
        }
    }
    if let Some(comment) = comment.take() {
        notes.add_comment(&comment);
    }
}

/// Splits `*評価値=120` into who, what and how much.
fn split(line: &str) -> Option<(Evaluator, Field, &str)> {
    let (by, rest) = match line.strip_prefix('*') {
        Some(rest) => (Evaluator::Player, rest),
        None => (Evaluator::Analysis, line.strip_prefix('#')?),
    };
    let of = |field: Field| rest.strip_prefix(field.key()).map(|text| (by, field, text));
    Field::ALL.into_iter().find_map(of)
}

/// Reads Floodgate's comment about `position`, `* 120 -3334FU +2726FU #4000`: a score from Black's
/// view, the expected moves and how many positions were searched.
pub fn read_floodgate(position: &Position, line: &str) -> Option<Evaluation<Move>> {
    let mut words = line.strip_prefix("* ")?.split(' ').filter(|word| !word.is_empty());
    let mut evaluation = Evaluation::new(Evaluator::Player);
    evaluation.centipawns = Some(words.next()?.parse().ok()?);
    let mut position = *position;
    while let Some(word) = words.next() {
        if let Some(nodes) = word.strip_prefix('#') {
            evaluation.nodes = Some(nodes.parse().ok()?);
            return words.next().is_none().then_some(evaluation);
        }
        let mv = csa::parse_move(&position, word).ok()?;
        position.check_legal(mv).ok()?;
        position.play_unchecked(mv);
        evaluation.line.push(mv);
    }
    Some(evaluation)
}

/// The evaluation of `position` in Floodgate's one line, if that holds all of it.
pub fn write_floodgate(position: &Position, evaluation: &Evaluation<Move>) -> Option<String> {
    let whole = evaluation.by == Evaluator::Player
        && evaluation.mate.is_none()
        && evaluation.depth.is_none()
        && evaluation.engine.is_none();
    let mut text = format!("* {}", evaluation.centipawns.filter(|_| whole)?);
    let mut position = *position;
    for &mv in &evaluation.line {
        if !position.is_legal(mv) {
            return None;
        }
        text.extend([" ", &csa::write_move(&position, mv)]);
        position.play_unchecked(mv);
    }
    if let Some(nodes) = evaluation.nodes {
        text.push_str(&format!(" #{nodes}"));
    }
    Some(text)
}

/// How evaluations are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// One line a field.
    ShogiHome,
    /// One line where it holds everything, otherwise one line a field.
    Floodgate,
}

/// The comment and the evaluations at `node` as comment lines. What would not be read back as it
/// was is listed as lost.
pub(crate) fn write(
    notes: &Notes<Move>,
    position: &Position,
    style: Style,
    node: NodeId,
    losses: &mut Losses<'_, Shogi>,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    if !notes.comment.is_empty() {
        lines.extend(notes.comment.replace('\r', "").split('\n').map(str::to_owned));
    }
    for evaluation in &notes.evaluations {
        let one_line = (style == Style::Floodgate).then(|| write_floodgate(position, evaluation));
        if let Some(line) = one_line.flatten() {
            lines.push(line);
            continue;
        }
        let mark = if evaluation.by == Evaluator::Player { '*' } else { '#' };
        for field in Field::ALL {
            if let Some(text) = field.write(evaluation, position) {
                lines.push(format!("{mark}{}{text}", field.key()));
            }
        }
    }
    let mut back = Notes::default();
    if !lines.is_empty() {
        read(position, &lines.join("\n"), &mut back);
    }
    if back.comment != notes.comment {
        losses.add(Construct::Comment, node, &notes.comment);
    }
    if back.evaluations != notes.evaluations {
        let changed = notes.evaluations.iter().find(|found| !back.evaluations.contains(found));
        losses.add(
            Construct::Evaluation,
            node,
            changed.map(ToString::to_string).unwrap_or_default(),
        );
    }
    lines
}
