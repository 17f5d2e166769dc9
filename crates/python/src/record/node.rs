//! The nodes of a record: moves with what is noted about them.

use std::time::Duration;

use keisei_game::Rules as GameRules;
use keisei_records::{Evaluator, Mate, NodeId, with_record};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::Record;
use super::ending::ending_name;
use crate::errors::{illegal, refused};
use crate::games::Exposed;
use crate::moves::{Move, interned, objects};
use crate::rules::Rules;

/// A node of a record: a position, the step that led to it, and what is noted there.
///
/// It is found by the continuations that lead there from the start, the main one being 0.
///
/// >>> import keisei
/// >>> record = keisei.Record("shogi", "startpos moves 7g7f 3c3d")
/// >>> keisei.Node(record, [0, 0])
/// <Node 2 3c3d>
#[pyclass(frozen, module = "keisei")]
pub(crate) struct Node {
    pub(super) record: Py<Record>,
    pub(super) number: u32,
}

/// What somebody thinks of the position at a node.
#[pyclass(frozen, get_all, module = "keisei")]
pub(crate) struct Evaluation {
    by: &'static str,
    centipawns: Option<i32>,
    mate_winner: Option<&'static str>,
    mate_distance: Option<u32>,
    line: Py<PyList>,
    depth: Option<u32>,
    nodes: Option<u64>,
    engine: Option<String>,
}

impl Node {
    fn id(&self, py: Python<'_>) -> PyResult<NodeId> {
        let found = with_record!(&self.record.borrow(py).0, record => record.numbered(self.number));
        let gone = || refused(py, "the node was deleted", &self.number.to_string());
        found.ok_or_else(gone)
    }

    fn at(&self, py: Python<'_>, id: NodeId) -> Self {
        Self { record: self.record.clone_ref(py), number: id.number() }
    }
}

/// The object of a node's move.
fn node_move<G: Exposed>(
    py: Python<'_>,
    record: &keisei_records::Record<G>,
    id: NodeId,
) -> PyResult<Option<Py<Move>>> {
    let mv = record.node(id).mv();
    mv.map(|mv| interned::<G>(py, mv).map(|mv| mv.clone_ref(py))).transpose()
}

/// Plays a move that is given as an object or in any notation.
fn play_at<G: Exposed>(
    record: &mut keisei_records::Record<G>,
    id: NodeId,
    mv: &Bound<'_, PyAny>,
) -> PyResult<NodeId> {
    let py = mv.py();
    let text = mv.str()?.to_string();
    let game = record.game_at(id, GameRules::BARE);
    let refusal =
        |problem: &dyn ToString| illegal(py, problem.to_string(), &text, &game.notation());
    let read = game.read_move(text.trim()).map_err(|error| refusal(&error))?;
    let game_here = G::with_rules(game.position().clone(), GameRules::BARE);
    let read = game_here.parse_move(&read.to_string()).map_err(|error| refusal(&error))?;
    record.jump(id);
    record.play(read).map_err(|error| refusal(&error))
}

fn evaluations<G: Exposed>(
    py: Python<'_>,
    record: &keisei_records::Record<G>,
    id: NodeId,
) -> PyResult<Vec<Evaluation>> {
    let made = record.node(id).notes.evaluations.iter().map(|one| {
        Ok(Evaluation {
            by: match one.by {
                Evaluator::Player => "player",
                Evaluator::Analysis => "analysis",
            },
            centipawns: one.centipawns,
            mate_winner: one.mate.map(|mate| G::color(mate.winner)),
            mate_distance: one.mate.and_then(|mate| mate.distance),
            line: objects::<G>(py, &one.line)?.unbind(),
            depth: one.depth,
            nodes: one.nodes,
            engine: one.engine.clone(),
        })
    });
    made.collect()
}

fn seconds(time: Option<f64>) -> PyResult<Option<Duration>> {
    let time = time.map(Duration::try_from_secs_f64).transpose();
    time.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The node that `path` leads to from the start, if there is one.
fn followed<G: Exposed>(record: &keisei_records::Record<G>, path: &[usize]) -> Option<NodeId> {
    let mut at = NodeId::ROOT;
    for &place in path {
        at = *record.node(at).children().get(place)?;
    }
    Some(at)
}

/// The continuations that lead from the start to `id`.
fn path_to<G: Exposed>(record: &keisei_records::Record<G>, id: NodeId) -> Vec<usize> {
    let mut before = NodeId::ROOT;
    let place = |id| {
        let siblings = record.node(std::mem::replace(&mut before, id)).children();
        siblings.iter().position(|&one| one == id).expect("a node continues the one before")
    };
    record.line_to(id).into_iter().map(place).collect()
}

#[pymethods]
impl Node {
    #[new]
    #[pyo3(signature = (record, path = Vec::new()))]
    fn new(py: Python<'_>, record: Py<Record>, path: Vec<usize>) -> PyResult<Self> {
        let found = with_record!(&record.borrow(py).0, record => followed(record, &path));
        let path = format!("{path:?}");
        let found = found.ok_or_else(|| refused(py, format!("{path} leads to no node"), &path))?;
        Ok(Self { record, number: found.number() })
    }

    /// The move that led here; None at the start and for an ending.
    #[getter]
    fn r#move(&self, py: Python<'_>) -> PyResult<Option<Py<Move>>> {
        let id = self.id(py)?;
        with_record!(&self.record.borrow(py).0, record => node_move(py, record, id))
    }

    /// The mark that ends the line here, such as "resignation"; None for a move.
    #[getter]
    fn ending(&self, py: Python<'_>) -> PyResult<Option<&'static str>> {
        let id = self.id(py)?;
        let found = with_record!(&self.record.borrow(py).0, record => record.node(id).ending());
        Ok(found.map(ending_name))
    }

    /// The record that the node belongs to.
    #[getter]
    fn record(&self, py: Python<'_>) -> Py<Record> {
        self.record.clone_ref(py)
    }

    /// The node before this one; None at the start.
    #[getter]
    fn parent(&self, py: Python<'_>) -> PyResult<Option<Self>> {
        let id = self.id(py)?;
        let parent = with_record!(&self.record.borrow(py).0, record => record.node(id).parent());
        Ok(parent.map(|id| self.at(py, id)))
    }

    /// The continuations, the main one first.
    #[getter]
    fn children(&self, py: Python<'_>) -> PyResult<Vec<Self>> {
        let id = self.id(py)?;
        let ids =
            with_record!(&self.record.borrow(py).0, record => record.node(id).children().to_vec());
        Ok(ids.into_iter().map(|id| self.at(py, id)).collect())
    }

    /// How many steps lie between the start and here.
    #[getter]
    fn ply(&self, py: Python<'_>) -> PyResult<usize> {
        let id = self.id(py)?;
        Ok(with_record!(&self.record.borrow(py).0, record => record.node(id).ply()))
    }

    /// Whether the node lies on the main line.
    #[getter]
    fn is_main(&self, py: Python<'_>) -> PyResult<bool> {
        let id = self.id(py)?;
        Ok(with_record!(&self.record.borrow(py).0, record => record.is_main(id)))
    }

    /// The position here as SFEN or FEN.
    #[getter]
    fn position(&self, py: Python<'_>) -> PyResult<String> {
        let id = self.id(py)?;
        Ok(with_record!(&self.record.borrow(py).0, record => record.position_at(id).to_string()))
    }

    /// The game here, with the moves that led here.
    #[pyo3(signature = (rules = None))]
    fn game<'py>(
        &self,
        py: Python<'py>,
        rules: Option<&Bound<'py, Rules>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fn game<'py, G: Exposed>(
            py: Python<'py>,
            record: &keisei_records::Record<G>,
            id: NodeId,
            rules: Option<GameRules>,
        ) -> PyResult<Bound<'py, PyAny>> {
            G::wrapped(py, record.game_at(id, rules.unwrap_or(G::RULES)))
        }
        let (id, rules) = (self.id(py)?, rules.map(|rules| rules.get().0));
        with_record!(&self.record.borrow(py).0, record => game(py, record, id, rules))
    }

    /// The comment; empty when there is none.
    #[getter]
    fn comment(&self, py: Python<'_>) -> PyResult<String> {
        let id = self.id(py)?;
        Ok(with_record!(&self.record.borrow(py).0, record => record.node(id).notes.comment.clone()))
    }

    #[setter]
    fn set_comment(&self, py: Python<'_>, comment: String) -> PyResult<()> {
        let id = self.id(py)?;
        with_record!(&mut self.record.borrow_mut(py).0, record => record.notes_mut(id).comment = comment);
        Ok(())
    }

    /// The time spent on the move, in seconds.
    #[getter]
    fn seconds(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let id = self.id(py)?;
        let time = with_record!(&self.record.borrow(py).0, record => record.node(id).notes.time);
        Ok(time.map(|time| time.as_secs_f64()))
    }

    #[setter]
    fn set_seconds(&self, py: Python<'_>, time: Option<f64>) -> PyResult<()> {
        let (id, time) = (self.id(py)?, seconds(time)?);
        with_record!(&mut self.record.borrow_mut(py).0, record => record.notes_mut(id).time = time);
        Ok(())
    }

    /// The time left on the mover's clock after the move, in seconds.
    #[getter]
    fn clock(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        let id = self.id(py)?;
        let left = with_record!(&self.record.borrow(py).0, record => record.node(id).notes.clock);
        Ok(left.map(|left| left.as_secs_f64()))
    }

    #[setter]
    fn set_clock(&self, py: Python<'_>, left: Option<f64>) -> PyResult<()> {
        let (id, left) = (self.id(py)?, seconds(left)?);
        with_record!(&mut self.record.borrow_mut(py).0, record => record.notes_mut(id).clock = left);
        Ok(())
    }

    /// Annotation glyphs as PGN numbers them: 1 is !, 2 is ?.
    #[getter]
    fn nags(&self, py: Python<'_>) -> PyResult<Vec<u16>> {
        let id = self.id(py)?;
        let nags =
            with_record!(&self.record.borrow(py).0, record => record.node(id).notes.nags.clone());
        Ok(nags.into_iter().map(u16::from).collect())
    }

    #[setter]
    fn set_nags(&self, py: Python<'_>, nags: Vec<u8>) -> PyResult<()> {
        let id = self.id(py)?;
        with_record!(&mut self.record.borrow_mut(py).0, record => record.notes_mut(id).nags = nags);
        Ok(())
    }

    /// What players and analysts think of the position.
    #[getter]
    fn evaluations(&self, py: Python<'_>) -> PyResult<Vec<Evaluation>> {
        let id = self.id(py)?;
        with_record!(&self.record.borrow(py).0, record => evaluations(py, record, id))
    }

    /// Notes an analyst's score in hundredths of a pawn, from the view of the side that opened the
    /// game.
    #[pyo3(signature = (centipawns, *, depth = None, nodes = None, engine = None))]
    fn evaluate(
        &self,
        py: Python<'_>,
        centipawns: i32,
        depth: Option<u32>,
        nodes: Option<u64>,
        engine: Option<String>,
    ) -> PyResult<()> {
        let id = self.id(py)?;
        with_record!(&mut self.record.borrow_mut(py).0, record => {
            let mut one = keisei_records::Evaluation::new(Evaluator::Analysis);
            (one.centipawns, one.mate) = (Some(centipawns), None::<Mate>);
            (one.depth, one.nodes, one.engine) = (depth, nodes, engine);
            record.notes_mut(id).evaluations.push(one);
        });
        Ok(())
    }

    /// Plays a move here, given as a Move or in any notation, and returns its node. A move that is
    /// already there is followed; another one becomes a variation.
    fn play(&self, mv: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = mv.py();
        let id = self.id(py)?;
        let new =
            with_record!(&mut self.record.borrow_mut(py).0, record => play_at(record, id, mv))?;
        Ok(self.at(py, new))
    }

    /// Ends the line here with a mark such as "resignation", and returns its node.
    fn end(&self, py: Python<'_>, ending: &str) -> PyResult<Self> {
        let (id, mark) = (self.id(py)?, super::ending::ending(py, ending)?);
        let new = with_record!(&mut self.record.borrow_mut(py).0, record => {
            record.jump(id);
            record.end(mark).map_err(|error| refused(py, error, ending))
        })?;
        Ok(self.at(py, new))
    }

    /// Moves the variation one place forward among its siblings. False if it is the first.
    fn promote(&self, py: Python<'_>) -> PyResult<bool> {
        let id = self.id(py)?;
        Ok(with_record!(&mut self.record.borrow_mut(py).0, record => record.promote(id)))
    }

    /// Makes the line through this node the main line.
    fn make_main(&self, py: Python<'_>) -> PyResult<()> {
        let id = self.id(py)?;
        with_record!(&mut self.record.borrow_mut(py).0, record => record.make_main(id));
        Ok(())
    }

    /// Deletes the node and all that follows it. False for the start.
    fn delete(&self, py: Python<'_>) -> PyResult<bool> {
        let id = self.id(py)?;
        Ok(with_record!(&mut self.record.borrow_mut(py).0, record => record.delete(id)))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let id = self.id(py)?;
        Ok(with_record!(&self.record.borrow(py).0, record => {
            crate::svg::drawing(&record.game_at(id, GameRules::BARE))
        }))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.record.is(&other.record) && self.number == other.number
    }

    fn __hash__(&self) -> u64 {
        u64::from(self.number)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let id = self.id(py)?;
        let path = with_record!(&self.record.borrow(py).0, record => path_to(record, id));
        (py.get_type::<Self>(), (self.record.clone_ref(py), path)).into_pyobject(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let step = match (self.r#move(py)?, self.ending(py)?) {
            (Some(mv), _) => mv.get().0.text(),
            (None, Some(ending)) => ending.to_owned(),
            (None, None) => "start".to_owned(),
        };
        Ok(format!("<Node {} {step}>", self.ply(py)?))
    }
}
