//! A record as plain values of Python, with everything that is in it, for pickles and copies.

use std::collections::HashMap;
use std::time::Duration;

use keisei_records::{AnyRecord, Evaluation, Evaluator, Mate, NodeId, Notes, Record, with_record};
use pyo3::prelude::*;

use super::ending::{ending, ending_name};
use crate::errors::{illegal, refused};
use crate::games::Exposed;
use crate::rules::side;

/// What a record says beyond its start.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(super) struct State {
    headers: Vec<(String, String)>,
    /// What is noted at the start.
    notes: NotesState,
    /// All other nodes, each before its continuations.
    nodes: Vec<NodeState>,
}

#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct NodeState {
    /// The place of the node before among all nodes: 0 is the start.
    parent: usize,
    /// The move that led here; without one, the line ends here.
    mv: Option<String>,
    ending: Option<String>,
    notes: NotesState,
}

#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct NotesState {
    comment: String,
    bookmark: Option<String>,
    time: Option<Time>,
    clock: Option<Time>,
    evaluations: Vec<EvaluationState>,
    nags: Vec<u8>,
}

#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct EvaluationState {
    by_player: bool,
    centipawns: Option<i32>,
    /// The colour of the winner, and how far the mate is.
    mate: Option<(String, Option<u32>)>,
    line: Vec<String>,
    depth: Option<u32>,
    nodes: Option<u64>,
    engine: Option<String>,
}

/// Seconds and nanoseconds: a float would round them.
type Time = (u64, u32);

fn time(duration: Duration) -> Time {
    (duration.as_secs(), duration.subsec_nanos())
}

impl State {
    pub(super) fn of(record: &AnyRecord) -> Self {
        with_record!(record, record => Self::of_game(record))
    }

    fn of_game<G: Exposed>(record: &Record<G>) -> Self {
        let mut places = HashMap::from([(NodeId::ROOT, 0)]);
        let nodes = record.preorder().zip(1..).map(|(id, place)| {
            places.insert(id, place);
            let node = record.node(id);
            NodeState {
                parent: node.parent().map_or(0, |parent| places[&parent]),
                mv: node.mv().map(|mv| mv.to_string()),
                ending: node.ending().map(|ending| ending_name(ending).to_owned()),
                notes: NotesState::of::<G>(&node.notes),
            }
        });
        Self {
            nodes: nodes.collect(),
            headers: record.headers.iter().map(|(key, value)| (key.into(), value.into())).collect(),
            notes: NotesState::of::<G>(&record.node(NodeId::ROOT).notes),
        }
    }

    /// Adds everything to a record that has nothing but its start.
    pub(super) fn restore(self, py: Python<'_>, record: &mut AnyRecord) -> PyResult<()> {
        with_record!(record, record => self.restore_game(py, record))
    }

    fn restore_game<G: Exposed>(self, py: Python<'_>, record: &mut Record<G>) -> PyResult<()> {
        for (key, value) in self.headers {
            record.headers.push(key, value);
        }
        *record.notes_mut(NodeId::ROOT) = self.notes.restored::<G>(py)?;
        let mut ids = vec![NodeId::ROOT];
        for node in self.nodes {
            let parent = ids.get(node.parent).copied();
            let parent = parent
                .ok_or_else(|| refused(py, "no node stands there", &node.parent.to_string()))?;
            if record.current() != parent {
                record.jump(parent);
            }
            let here = record.position().to_string();
            let id = match (&node.mv, &node.ending) {
                (Some(text), _) => record
                    .play(parsed::<G>(py, text)?)
                    .map_err(|error| illegal(py, error, text, &here))?,
                (None, Some(name)) => {
                    record.end(ending(py, name)?).map_err(|error| refused(py, error, name))?
                }
                (None, None) => return Err(refused(py, "a node without a step", &here)),
            };
            *record.notes_mut(id) = node.notes.restored::<G>(py)?;
            ids.push(id);
        }
        record.first();
        Ok(())
    }
}

/// The move of `G` that `text` writes.
fn parsed<G: Exposed>(py: Python<'_>, text: &str) -> PyResult<G::Move> {
    let problem = || refused(py, format!("{text:?} is no move of {}", G::NAME), text);
    text.parse().map_err(|_| problem())
}

impl NotesState {
    fn of<G: Exposed>(notes: &Notes<G::Move>) -> Self {
        let evaluation = |one: &Evaluation<G::Move>| EvaluationState {
            by_player: one.by == Evaluator::Player,
            centipawns: one.centipawns,
            mate: one.mate.map(|mate| (G::color(mate.winner).to_owned(), mate.distance)),
            line: one.line.iter().map(ToString::to_string).collect(),
            depth: one.depth,
            nodes: one.nodes,
            engine: one.engine.clone(),
        };
        Self {
            comment: notes.comment.clone(),
            bookmark: notes.bookmark.clone(),
            time: notes.time.map(time),
            clock: notes.clock.map(time),
            evaluations: notes.evaluations.iter().map(evaluation).collect(),
            nags: notes.nags.clone(),
        }
    }

    fn restored<G: Exposed>(self, py: Python<'_>) -> PyResult<Notes<G::Move>> {
        let duration = |(seconds, nanoseconds)| Duration::new(seconds, nanoseconds);
        let evaluation = |one: EvaluationState| {
            let mate = |(winner, distance): (String, _)| {
                PyResult::Ok(Mate { winner: side::<G>(py, &winner)?, distance })
            };
            Ok(Evaluation {
                by: if one.by_player { Evaluator::Player } else { Evaluator::Analysis },
                centipawns: one.centipawns,
                mate: one.mate.map(mate).transpose()?,
                line: one.line.iter().map(|text| parsed::<G>(py, text)).collect::<PyResult<_>>()?,
                depth: one.depth,
                nodes: one.nodes,
                engine: one.engine,
            })
        };
        Ok(Notes {
            comment: self.comment,
            bookmark: self.bookmark,
            time: self.time.map(duration),
            clock: self.clock.map(duration),
            evaluations: self.evaluations.into_iter().map(evaluation).collect::<PyResult<_>>()?,
            nags: self.nags,
        })
    }
}
