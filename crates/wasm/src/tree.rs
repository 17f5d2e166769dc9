//! Records as data: nodes, notes, formats.

use std::time::Duration;

use keisei_game::Position as _;
use keisei_records::{Ending, NodeId, Step};
use serde::{Deserialize, Serialize};
use tsify::Tsify;

use crate::board::{MoveParts, Side, parts};
use crate::error::{Refusal, Result};
use crate::games::{NotationStyle, Shown};

/// A record format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub enum Format {
    Kif,
    Ki2,
    Csa,
    Jkf,
    Usi,
    Sfenx,
    Pgn,
}

impl From<Format> for keisei_records::Format {
    fn from(format: Format) -> Self {
        match format {
            Format::Kif => Self::Kif,
            Format::Ki2 => Self::Ki2,
            Format::Csa => Self::Csa,
            Format::Jkf => Self::Jkf,
            Format::Usi => Self::Usi,
            Format::Sfenx => Self::Sfenx,
            Format::Pgn => Self::Pgn,
        }
    }
}

impl From<keisei_records::Format> for Format {
    fn from(format: keisei_records::Format) -> Self {
        use keisei_records::Format as Ours;
        match format {
            Ours::Kif => Self::Kif,
            Ours::Ki2 => Self::Ki2,
            Ours::Csa => Self::Csa,
            Ours::Jkf => Self::Jkf,
            Ours::Usi => Self::Usi,
            Ours::Sfenx => Self::Sfenx,
            Ours::Pgn => Self::Pgn,
        }
    }
}

/// The character encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub enum Encoding {
    #[serde(rename = "utf-8")]
    Utf8,
    #[serde(rename = "utf-8-bom")]
    Utf8WithMark,
    #[serde(rename = "shift_jis")]
    ShiftJis,
}

impl From<Encoding> for keisei_records::Encoding {
    fn from(encoding: Encoding) -> Self {
        match encoding {
            Encoding::Utf8 => Self::Utf8,
            Encoding::Utf8WithMark => Self::Utf8WithMark,
            Encoding::ShiftJis => Self::ShiftJis,
        }
    }
}

impl From<keisei_records::Encoding> for Encoding {
    fn from(encoding: keisei_records::Encoding) -> Self {
        match encoding {
            keisei_records::Encoding::Utf8 => Self::Utf8,
            keisei_records::Encoding::Utf8WithMark => Self::Utf8WithMark,
            keisei_records::Encoding::ShiftJis => Self::ShiftJis,
        }
    }
}

/// The mark that ends a line of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub enum EndingName {
    Resignation,
    Timeout,
    Interruption,
    Repetition,
    Impasse,
    Draw,
    MaxMoves,
    Checkmate,
    NoMate,
    IllegalMove,
    OpponentIllegalMove,
    Declaration,
    Try,
    WinByDefault,
    LossByDefault,
    Stalemate,
    TakenBack,
    Error,
    FirstWon,
    SecondWon,
}

/// The names in the order of [`Ending::ALL`].
const ENDINGS: [EndingName; 20] = [
    EndingName::Resignation,
    EndingName::Timeout,
    EndingName::Interruption,
    EndingName::Repetition,
    EndingName::Impasse,
    EndingName::Draw,
    EndingName::MaxMoves,
    EndingName::Checkmate,
    EndingName::NoMate,
    EndingName::IllegalMove,
    EndingName::OpponentIllegalMove,
    EndingName::Declaration,
    EndingName::Try,
    EndingName::WinByDefault,
    EndingName::LossByDefault,
    EndingName::Stalemate,
    EndingName::TakenBack,
    EndingName::Error,
    EndingName::FirstWon,
    EndingName::SecondWon,
];

impl From<Ending> for EndingName {
    fn from(ending: Ending) -> Self {
        let place = Ending::ALL.into_iter().position(|one| one == ending);
        ENDINGS[place.expect("all endings are listed")]
    }
}

impl From<EndingName> for Ending {
    fn from(name: EndingName) -> Self {
        let place = ENDINGS.into_iter().position(|one| one == name);
        Self::ALL[place.expect("all names are listed")]
    }
}

/// A header of a record.
#[derive(Clone, Debug, Serialize, Deserialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct Header {
    pub key: String,
    pub value: String,
}

/// A node of a record: a position, and the step that led to it.
#[derive(Clone, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi)]
pub struct TreeNode {
    /// 0 is the start.
    pub id: u32,
    pub parent: Option<u32>,
    /// The continuations, the main one first.
    pub children: Vec<u32>,
    /// How many steps lie between the start and here.
    pub ply: u32,
    /// The number of the move that led here, which a start position may let begin above 1.
    pub number: u32,
    /// Whether it lies on the main line.
    pub main: bool,
    /// Who is to move here.
    pub turn: Side,
    /// The move that led here; null at the start and for an ending.
    #[serde(rename = "move")]
    pub step: Option<MoveParts>,
    /// That move as people write it.
    pub text: String,
    pub ending: Option<EndingName>,
    /// The same for all nodes with the same position; a hexadecimal number.
    pub key: String,
    /// Other nodes with the same position that the same line does not pass: transpositions.
    pub same: Vec<u32>,
    pub comment: String,
    pub bookmark: Option<String>,
    /// The time spent on the move.
    pub seconds: Option<f64>,
    /// The time left on the mover's clock, in seconds.
    pub clock: Option<f64>,
    /// Annotation glyphs as PGN numbers them: 1 is `!`, 2 is `?`.
    pub nags: Vec<u8>,
    pub evaluations: Vec<NodeEvaluation>,
}

/// What somebody thinks of the position at a node.
#[derive(Clone, Debug, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct NodeEvaluation {
    pub by: EvaluatorName,
    /// In hundredths of a pawn, from the first side's view.
    pub centipawns: Option<i32>,
    pub mate: Option<NodeMate>,
    /// The moves expected from here.
    pub line: Vec<String>,
    pub depth: Option<u32>,
    #[tsify(type = "number | null")]
    pub nodes: Option<u64>,
    pub engine: Option<String>,
}

/// The evaluations of a node.
#[derive(Clone, Debug, Serialize, Deserialize, Tsify)]
#[serde(transparent)]
#[tsify(into_wasm_abi, from_wasm_abi)]
pub struct NodeEvaluations(pub Vec<NodeEvaluation>);

/// Who evaluated a position.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum EvaluatorName {
    /// The player who made the move, during the game.
    Player,
    /// An analysis of the record.
    Analysis,
}

/// A forced mate.
#[derive(Clone, Debug, Serialize, Deserialize, Tsify)]
pub struct NodeMate {
    pub winner: Side,
    /// In plies in shogi, in moves in chess.
    pub distance: Option<u32>,
}

/// Something that a format could not hold.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct Loss {
    /// What was lost: header, comment, variation and so on, in English.
    pub what: String,
    pub node: u32,
    pub ply: u32,
    /// Whether it was on the main line.
    pub main: bool,
    /// What it said, shortened.
    pub detail: String,
    /// All of that in a sentence.
    pub text: String,
}

impl From<&keisei_records::Loss> for Loss {
    fn from(loss: &keisei_records::Loss) -> Self {
        Self {
            what: loss.construct.to_string(),
            node: loss.node.number(),
            ply: loss.ply as u32,
            main: loss.main,
            detail: loss.detail.clone(),
            text: loss.to_string(),
        }
    }
}

/// All nodes of a record, the start first and each before its continuations.
pub(crate) fn nodes<G: Shown>(
    record: &keisei_records::Record<G>,
    style: NotationStyle,
) -> Vec<TreeNode> {
    // Positions by number; nodes follow their parents.
    let mut positions: Vec<Option<G::Position>> = Vec::new();
    let mut list: Vec<TreeNode> = Vec::new();
    for id in std::iter::once(NodeId::ROOT).chain(record.preorder()) {
        let node = record.node(id);
        let parent = node.parent();
        let before = parent.and_then(|parent| positions[parent.number() as usize].clone());
        let mut position = before.clone().unwrap_or_else(|| record.start().clone());
        let mut step = None;
        let mut text = String::new();
        if let (Some(mv), Some(before)) = (node.mv(), &before) {
            let previous = parent.and_then(|parent| record.node(parent).mv());
            step = Some(parts::<G>(before, mv));
            text = G::spell(before, mv, previous, style);
            position.play_unchecked(mv);
        }
        list.push(TreeNode {
            id: id.number(),
            parent: parent.map(NodeId::number),
            children: node.children().iter().map(|child| child.number()).collect(),
            ply: node.ply() as u32,
            number: node.ply() as u32,
            main: record.is_main(id),
            turn: record.turn_at(id).into(),
            step,
            text,
            ending: node.ending().map(EndingName::from),
            key: format!("{:016x}", position.key()),
            same: Vec::new(),
            comment: node.notes.comment.clone(),
            bookmark: node.notes.bookmark.clone(),
            seconds: node.notes.time.map(|time| time.as_secs_f64()),
            clock: node.notes.clock.map(|left| left.as_secs_f64()),
            nags: node.notes.nags.clone(),
            evaluations: node.notes.evaluations.iter().map(evaluation_data).collect(),
        });
        let place = id.number() as usize;
        if positions.len() <= place {
            positions.resize(place + 1, None);
        }
        positions[place] = Some(position);
    }
    mark_transpositions(&mut list);
    list
}

/// Lists for each node the others with the same position that are neither before nor after it.
fn mark_transpositions(list: &mut [TreeNode]) {
    use std::collections::HashMap;
    let mut by_key: HashMap<String, Vec<u32>> = HashMap::new();
    let mut parents: HashMap<u32, u32> = HashMap::new();
    for node in list.iter() {
        if let Some(parent) = node.parent {
            parents.insert(node.id, parent);
        }
        if node.ending.is_none() {
            by_key.entry(node.key.clone()).or_default().push(node.id);
        }
    }
    let passes = |line_to: u32, other: u32| {
        let mut at = line_to;
        loop {
            if at == other {
                return true;
            }
            match parents.get(&at) {
                Some(&parent) => at = parent,
                None => return false,
            }
        }
    };
    for node in list.iter_mut().filter(|node| node.ending.is_none()) {
        let others = by_key.get(&node.key).map_or(&[][..], Vec::as_slice);
        if others.len() > 1 {
            let apart = |&&other: &&u32| !passes(node.id, other) && !passes(other, node.id);
            node.same = others.iter().filter(apart).copied().collect();
        }
    }
}

fn evaluation_data<M: ToString>(found: &keisei_records::Evaluation<M>) -> NodeEvaluation {
    NodeEvaluation {
        by: match found.by {
            keisei_records::Evaluator::Player => EvaluatorName::Player,
            keisei_records::Evaluator::Analysis => EvaluatorName::Analysis,
        },
        centipawns: found.centipawns,
        mate: found
            .mate
            .map(|mate| NodeMate { winner: mate.winner.into(), distance: mate.distance }),
        line: found.line.iter().map(ToString::to_string).collect(),
        depth: found.depth,
        nodes: found.nodes,
        engine: found.engine.clone(),
    }
}

/// The evaluation of the position at `id` that `data` describes.
pub(crate) fn evaluation<G: Shown>(
    record: &keisei_records::Record<G>,
    id: NodeId,
    data: NodeEvaluation,
) -> Result<keisei_records::Evaluation<G::Move>> {
    let by = match data.by {
        EvaluatorName::Player => keisei_records::Evaluator::Player,
        EvaluatorName::Analysis => keisei_records::Evaluator::Analysis,
    };
    let mut position = record.position_at(id);
    let mut line = Vec::with_capacity(data.line.len());
    for text in &data.line {
        let mv = text.parse().map_err(|_| {
            Refusal::new(&format!(
                "{text:?} in the line of an evaluation is no move of {}",
                G::NAME
            ))
        })?;
        G::check(&position, mv)?;
        position.play_unchecked(mv);
        line.push(mv);
    }
    Ok(keisei_records::Evaluation {
        centipawns: data.centipawns,
        mate: data.mate.map(|mate| keisei_records::Mate {
            winner: mate.winner.into(),
            distance: mate.distance,
        }),
        line,
        depth: data.depth,
        nodes: data.nodes,
        engine: data.engine,
        ..keisei_records::Evaluation::new(by)
    })
}

/// A time in seconds.
pub(crate) fn duration(seconds: f64) -> Result<Duration> {
    Ok(Duration::try_from_secs_f64(seconds)?)
}

/// The last step of the line to `id` that is a move, with the position before it.
pub(crate) fn last_move<G: Shown>(
    record: &keisei_records::Record<G>,
    id: NodeId,
) -> Option<MoveParts> {
    let line = record.line_to(id);
    let last = line.into_iter().rev().find(|&id| record.node(id).mv().is_some())?;
    match record.node(last).step()? {
        Step::Move(mv) => Some(parts::<G>(&record.position_at(record.node(last).parent()?), mv)),
        Step::End(_) => None,
    }
}
