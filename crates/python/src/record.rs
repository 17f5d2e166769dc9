//! Records: trees of moves, read from any format and written to any.

mod ending;
mod node;
mod state;

use std::path::{Path, PathBuf};

use keisei_game::Rules as GameRules;
use keisei_games::with_game;
use keisei_records::{
    AnyRecord, Encoding, Format, NodeId, Unreadable, read_file, read_named, with_record,
    write_encoded,
};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::errors::{refused, unreadable};
use crate::game::{Game, begin};
use crate::games::{Exposed, game_name};
use crate::rules::{Outcome, Rules, side};
pub(crate) use node::{Evaluation, Node};
use state::State;

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

fn whole<G: Exposed>(game: &G) -> AnyRecord {
    keisei_records::Record::of_game(game).into()
}

impl From<AnyRecord> for Record {
    fn from(record: AnyRecord) -> Self {
        Self(record)
    }
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
        with_game!(game_name(py, game.name())?, G => Ok(Self(whole::<G>(game.expect(py)?))))
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
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let begun = (self.game(), self.start());
        (py.get_type::<Self>(), begun, State::of(&self.0)).into_pyobject(py)
    }

    /// Adds what a record had when it was pickled.
    fn __setstate__(&mut self, py: Python<'_>, state: State) -> PyResult<()> {
        state.restore(py, &mut self.0)
    }
}

fn nodes(record: &Bound<'_, Record>, ids: Vec<NodeId>) -> Vec<Node> {
    let node = |id: NodeId| Node { record: record.clone().unbind(), number: id.number() };
    ids.into_iter().map(node).collect()
}
