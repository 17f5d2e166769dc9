//! Records: trees of moves, read from any format and written to any.

use std::path::{Path, PathBuf};
use std::time::Duration;

use keisei_game::Rules as GameRules;
use keisei_games::with_game;
use keisei_records::{
    AnyRecord, Encoding, Ending, Evaluator, Format, Mate, NodeId, Unreadable, read_file,
    read_named, with_record, write_encoded,
};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use crate::errors::{illegal, refused, unreadable};
use crate::game::{Game, begin};
use crate::games::{Exposed, game_name};
use crate::moves::{Move, interned};
use crate::rules::{Outcome, Rules, side};

/// The names of [`Ending::ALL`], in that order.
const ENDINGS: [&str; 20] = [
    "resignation",
    "timeout",
    "interruption",
    "repetition",
    "impasse",
    "draw",
    "max_moves",
    "checkmate",
    "no_mate",
    "illegal_move",
    "opponent_illegal_move",
    "declaration",
    "try",
    "win_by_default",
    "loss_by_default",
    "stalemate",
    "taken_back",
    "error",
    "first_won",
    "second_won",
];

fn ending_name(ending: Ending) -> &'static str {
    let place = Ending::ALL.into_iter().position(|one| one == ending);
    ENDINGS[place.expect("all endings are listed")]
}

fn ending(py: Python<'_>, name: &str) -> PyResult<Ending> {
    let place = ENDINGS.into_iter().position(|one| one == name);
    let problem = || format!("{name:?} ends no line; there are {}", ENDINGS.join(", "));
    Ok(Ending::ALL[place.ok_or_else(|| refused(py, problem(), name))?])
}

fn format(py: Python<'_>, name: &str) -> PyResult<Format> {
    name.parse().map_err(|error| refused(py, error, name))
}

/// All records in a file of any format and encoding: a path, or the bytes themselves.
///
/// >>> import keisei
/// >>> record, = keisei.read_records("手合割：平手\n   1 ７六歩(77)\n   2 投了\n".encode())
/// >>> [str(node.move or node.ending) for node in record.main_line()]
/// ['7g7f', 'resignation']
/// >>> keisei.read_records(b"1. e4 e4 *")
/// Traceback (most recent call last):
/// ...
/// keisei.errors.RecordError: line 1, column 7: the move at ply 2 is illegal, ...
#[pyfunction]
#[pyo3(signature = (source, format = None))]
pub(crate) fn read_records(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    format: Option<&str>,
) -> PyResult<Vec<Record>> {
    let format = format.map(|name| self::format(py, name)).transpose()?;
    if let Ok(bytes) = source.cast::<PyBytes>() {
        let bytes = bytes.as_bytes().to_vec();
        let read = py.detach(|| read_named(&bytes, Path::new(""), format));
        let read = read
            .map_err(|error| unreadable(py, &error, "<bytes>", Some((error.line, error.column))))?;
        return Ok(read.into_iter().map(Record).collect());
    }
    let path: PathBuf = source.extract()?;
    let read = py.detach(|| read_file(&path, format)).map_err(|error| match &error {
        Unreadable::Io { error, path } => {
            PyOSError::new_err((error.raw_os_error(), error.to_string(), path.clone()))
        }
        Unreadable::Record { error: inner, path } => {
            let place = Some((inner.line, inner.column));
            unreadable(py, &error, &path.display().to_string(), place)
        }
    })?;
    Ok(read.into_iter().map(Record).collect())
}

/// A record of a game: headers, and a tree of moves with notes.
///
/// The moves of a line such as `startpos moves 7g7f 3c3d` become the main line.
///
/// >>> import keisei
/// >>> record = keisei.Record("shogi", "startpos moves 7g7f 3c3d")
/// >>> record.set_header("先手", "Alice")
/// >>> first = record.root.children[0]
/// >>> first.comment = "opens the bishop's diagonal"
/// >>> variation = first.play("8c8d")
/// >>> variation.is_main, [str(child.move) for child in first.children]
/// (False, ['3c3d', '8c8d'])
/// >>> written = record.write("csa")
/// >>> "+7776FU" in written.text, written.lost
/// (True, ['ply 2 of a variation: variation "8c8d"'])
/// >>> record.headers
/// {'先手': 'Alice'}
#[pyclass(module = "keisei")]
pub(crate) struct Record(AnyRecord);

/// A node of a record: a position, the step that led to it, and what is noted there.
#[pyclass(frozen, module = "keisei")]
pub(crate) struct Node {
    record: Py<Record>,
    number: u32,
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

/// A file as it was written, and what the format could not hold.
#[pyclass(frozen, module = "keisei")]
pub(crate) struct Written(keisei_records::Written);

#[pymethods]
impl Written {
    /// The file.
    #[getter]
    fn bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.bytes)
    }

    /// The file as text, whatever its encoding.
    #[getter]
    fn text(&self) -> String {
        keisei_records::decode(&self.0.bytes).unwrap_or_default()
    }

    /// Everything that is in the record and not in the file, in sentences.
    #[getter]
    fn lost(&self) -> Vec<String> {
        self.0.lost.iter().map(ToString::to_string).collect()
    }
}

/// The record of a game without what ended it: that is known from its position.
fn begun<G: Exposed>(game: &G) -> AnyRecord {
    let mut record = keisei_records::Record::of_game(game);
    let last = record.main_line().last();
    if let Some(last) = last.filter(|&last| record.node(last).ending().is_some()) {
        record.delete(last);
    }
    record.into()
}

fn whole<G: Exposed>(game: &Game) -> Option<AnyRecord> {
    game.get::<G>().map(|game| keisei_records::Record::of_game(game).into())
}

#[pymethods]
impl Record {
    #[new]
    #[pyo3(signature = (game = "shogi", position = "startpos"))]
    fn new(py: Python<'_>, game: &str, position: &str) -> PyResult<Self> {
        let rules = Rules(GameRules::BARE);
        with_game!(game_name(py, game)?, G => Ok(Self(begun(&begin::<G>(py, position, Some(&rules))?))))
    }

    /// The record of a game that was played, with its end if it is over.
    #[staticmethod]
    fn of_game(py: Python<'_>, game: &Bound<'_, Game>) -> PyResult<Self> {
        let game = game.borrow();
        let record = with_game!(game_name(py, game.name())?, G => whole::<G>(&game));
        record.map(Self).ok_or_else(|| refused(py, "a game of no known kind", game.name()))
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.game().name()
    }

    /// The start as SFEN or FEN.
    #[getter]
    fn start(&self) -> String {
        with_record!(&self.0, record => record.start().to_string())
    }

    /// The start position, where the tree begins.
    #[getter]
    fn root(slf: &Bound<'_, Self>) -> Node {
        Node { record: slf.clone().unbind(), number: NodeId::ROOT.number() }
    }

    /// The nodes of the main line, from its first step to its end.
    fn main_line(slf: &Bound<'_, Self>) -> Vec<Node> {
        let ids: Vec<_> = with_record!(&slf.borrow().0, record => record.main_line().collect());
        nodes(slf, ids)
    }

    /// All nodes below the start, each before its continuations and the main ones first.
    fn nodes(slf: &Bound<'_, Self>) -> Vec<Node> {
        let ids: Vec<_> = with_record!(&slf.borrow().0, record => record.preorder().collect());
        nodes(slf, ids)
    }

    /// The headers; of several with the same name, the last.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyDict>> {
        let headers = pyo3::types::PyDict::new(py);
        with_record!(&self.0, record => {
            for (key, value) in record.headers.iter() {
                headers.set_item(key, value)?;
            }
        });
        Ok(headers)
    }

    /// Sets a header, or removes it if there is no value.
    fn set_header(&mut self, key: &str, value: Option<String>) {
        with_record!(&mut self.0, record => match value {
            Some(value) => record.headers.set(key, value),
            None => {
                record.headers.remove(key);
            }
        });
    }

    /// The name of the player of a colour, if a header gives it.
    fn player(&self, py: Python<'_>, color: &str) -> PyResult<Option<String>> {
        fn name<G: Exposed>(
            py: Python<'_>,
            record: &keisei_records::Record<G>,
            color: &str,
        ) -> PyResult<Option<String>> {
            Ok(record.player(side::<G>(py, color)?).map(str::to_owned))
        }
        with_record!(&self.0, record => name(py, record, color))
    }

    /// How the game of the main line ended.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        fn outcome<G: Exposed>(record: &keisei_records::Record<G>) -> Option<Outcome> {
            record.outcome().map(Outcome::new::<G>)
        }
        with_record!(&self.0, record => outcome(record))
    }

    /// The record as a file: kif, ki2, csa, jkf, usi, sfenx or pgn, in utf-8 or shift_jis.
    #[pyo3(signature = (format, encoding = "utf-8"))]
    fn write(&self, py: Python<'_>, format: &str, encoding: &str) -> PyResult<Written> {
        let encoding = match encoding {
            "utf-8" => Encoding::Utf8,
            "utf-8-sig" => Encoding::Utf8WithMark,
            "shift_jis" => Encoding::ShiftJis,
            other => {
                let problem = format!("{other:?} is no encoding: utf-8, utf-8-sig or shift_jis");
                return Err(refused(py, problem, other));
            }
        };
        let written = write_encoded(&self.0, self::format(py, format)?, encoding);
        written.map(Written).map_err(|error| refused(py, error, format))
    }

    /// Writes the record to a file, in the format and encoding that its name stands for, and
    /// returns what the format could not hold.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<Vec<String>> {
        let shown = path.display().to_string();
        let problem = || format!("the name of {shown:?} stands for no record format");
        let format = Format::from_path(&path).ok_or_else(|| refused(py, problem(), &shown))?;
        let written = write_encoded(&self.0, format, Encoding::from_path(&path));
        let written = Written(written.map_err(|error| refused(py, error, &shown))?);
        std::fs::write(&path, &written.0.bytes)?;
        Ok(written.lost())
    }

    /// Whether two records say the same: same start, headers and tree with all notes.
    fn __eq__(&self, other: &Self) -> bool {
        self.0.same_as(&other.0)
    }

    fn __repr__(&self) -> String {
        let moves = with_record!(&self.0, record => record.main_moves().count());
        format!("<Record of {} with {moves} moves>", self.game())
    }
}

fn nodes(record: &Bound<'_, Record>, ids: Vec<NodeId>) -> Vec<Node> {
    let node = |id: NodeId| Node { record: record.clone().unbind(), number: id.number() };
    ids.into_iter().map(node).collect()
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
        let line = one.line.iter().map(|&mv| interned::<G>(py, mv).map(|mv| mv.clone_ref(py)));
        Ok(Evaluation {
            by: match one.by {
                Evaluator::Player => "player",
                Evaluator::Analysis => "analysis",
            },
            centipawns: one.centipawns,
            mate_winner: one.mate.map(|mate| G::color(mate.winner)),
            mate_distance: one.mate.and_then(|mate| mate.distance),
            line: PyList::new(py, line.collect::<PyResult<Vec<_>>>()?)?.unbind(),
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

#[pymethods]
impl Node {
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
        let (id, mark) = (self.id(py)?, self::ending(py, ending)?);
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

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let step = match (self.r#move(py)?, self.ending(py)?) {
            (Some(mv), _) => mv.get().0.text(),
            (None, Some(ending)) => ending.to_owned(),
            (None, None) => "start".to_owned(),
        };
        Ok(format!("<Node {} {step}>", self.ply(py)?))
    }
}
