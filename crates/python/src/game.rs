//! A game that is being played.

mod played;

use keisei_game::BoardStyle;
use numpy::{PyArray1, PyArray3};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};

use crate::errors::refused;
use crate::games::Exposed;
use crate::moves::Move;
use crate::rules::{Declaration, Outcome, Rules};
pub(crate) use played::begin;
use played::{Played, Spelling};

/// A game with its past: the base of Shogi, Chess and Animal.
#[pyclass(subclass, module = "keisei")]
pub(crate) struct Game(Box<dyn Played>);

impl Game {
    pub(crate) fn of<G: Exposed>(game: G) -> Self {
        Self(Box::new(game))
    }

    /// The game, which must be one of `G`.
    pub(crate) fn expect<G: Exposed>(&self, py: Python<'_>) -> PyResult<&G> {
        let other =
            || refused(py, format!("a game of {}, not of {}", self.name(), G::NAME), self.name());
        self.0.as_any().downcast_ref().ok_or_else(other)
    }

    pub(crate) fn name(&self) -> &'static str {
        self.0.name()
    }

    /// The move that Python gave, which is one of ours or a text in any notation.
    fn given<'py>(&self, mv: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Move>> {
        if let Ok(mv) = mv.cast::<Move>() {
            return Ok(mv.clone());
        }
        let text: String = mv.extract()?;
        Ok(self.0.parse(mv.py(), &text)?.bind(mv.py()).clone())
    }
}

#[pymethods]
impl Game {
    /// The name of the game: shogi, chess or animal.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.name()
    }

    /// The rules that were agreed on.
    #[getter]
    fn rules(&self) -> Rules {
        self.0.rules()
    }

    /// The colour of the side to move.
    ///
    /// >>> import keisei
    /// >>> keisei.Shogi().turn, keisei.Chess().turn
    /// ('black', 'white')
    #[getter]
    fn turn(&self) -> &'static str {
        self.0.turn()
    }

    /// The side to move as a number: 0 for the side that opens the game, 1 for the other.
    #[getter]
    fn player(&self) -> usize {
        self.0.player()
    }

    /// How many moves were played.
    #[getter]
    fn ply(&self) -> usize {
        self.0.ply()
    }

    /// The position as SFEN or FEN.
    #[getter]
    fn position(&self) -> String {
        self.0.position()
    }

    /// The position as SFEN (shogi and animal shogi).
    #[getter]
    fn sfen(&self) -> String {
        self.0.position()
    }

    /// The position as FEN (chess).
    #[getter]
    fn fen(&self) -> String {
        self.0.position()
    }

    /// The game as a `position` line of USI or UCI has it, without that word.
    ///
    /// >>> import keisei
    /// >>> keisei.Chess("startpos moves e2e4 e7e5").position_line
    /// 'startpos moves e2e4 e7e5'
    #[getter]
    fn position_line(&self) -> String {
        self.0.position_line()
    }

    /// A hash of everything that makes two positions the same for the repetition rule.
    #[getter]
    fn key(&self) -> u64 {
        self.0.key()
    }

    /// Whether the side to move is in check.
    #[getter]
    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    /// How often the current position occurred before.
    #[getter]
    fn repetitions(&self) -> usize {
        self.0.repetitions()
    }

    /// The legal moves; none once the game is over.
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.0.legal_moves(py)
    }

    /// How many legal moves there are, without listing them.
    fn count_legal_moves(&self) -> usize {
        self.0.count_legal_moves()
    }

    /// The moves played so far.
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.0.moves(py)
    }

    /// Whether a move may be played now.
    fn is_legal(&self, mv: &Bound<'_, Move>) -> bool {
        self.0.is_legal(mv.get())
    }

    /// A move that is written in any notation of the game.
    ///
    /// >>> import keisei
    /// >>> keisei.Shogi().parse("P-7f")
    /// Move('shogi', '7g7f')
    /// >>> keisei.Chess().parse("e5")
    /// Traceback (most recent call last):
    /// ...
    /// keisei.errors.IllegalMoveError: e5 is illegal: a pawn does not move from h2 to e5
    fn parse(&self, py: Python<'_>, text: &str) -> PyResult<Py<Move>> {
        self.0.parse(py, text).map(|mv| mv.clone_ref(py))
    }

    /// Plays a move, given as a Move or as text in any notation, and returns it.
    fn push(&mut self, py: Python<'_>, mv: &Bound<'_, PyAny>) -> PyResult<Py<Move>> {
        let played = match mv.cast::<Move>() {
            Ok(mv) => self.0.push(py, mv.get()),
            Err(_) => {
                let mv = self.given(mv)?;
                self.0.push(py, mv.get())
            }
        };
        played.map(|mv| mv.clone_ref(py))
    }

    /// Takes back the last move, which is returned, and whatever ended the game.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Option<Py<Move>>> {
        Ok(self.0.pop(py)?.map(|mv| mv.clone_ref(py)))
    }

    /// Goes back to the start.
    fn reset(&mut self) {
        self.0.reset();
    }

    /// How the game ended, or None while it goes on.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    /// Ends the game for a reason outside the board, such as "time". A game that is over stays as
    /// it is.
    fn adjudicate(&mut self, py: Python<'_>, winner: Option<&str>, reason: &str) -> PyResult<()> {
        self.0.adjudicate(py, winner, reason)
    }

    /// The side of this colour gives up: the side to move, unless told otherwise.
    #[pyo3(signature = (color = None))]
    fn resign(&mut self, py: Python<'_>, color: Option<&str>) -> PyResult<()> {
        self.0.resign(py, color)
    }

    /// What the side to move would get by a claim or declaration now.
    fn claimable(&self) -> Option<Outcome> {
        self.0.claimable()
    }

    /// Claims a draw or declares an entered king, and so ends the game.
    ///
    /// >>> import keisei
    /// >>> keisei.Shogi(rules=keisei.Rules(declaration="27")).claim()
    /// Traceback (most recent call last):
    /// ...
    /// keisei.errors.ClaimError: the king is not in the three far rows
    fn claim(&mut self, py: Python<'_>) -> PyResult<Outcome> {
        self.0.claim(py)
    }

    /// What counts if the side to move declares an entered king now; None where that is not played.
    fn declaration(&self) -> Option<Declaration> {
        self.0.declaration()
    }

    /// A legal move of chess in algebraic notation.
    ///
    /// >>> import keisei
    /// >>> game = keisei.Chess()
    /// >>> game.san(game.parse("g1f3"))
    /// 'Nf3'
    fn san(&self, mv: &Bound<'_, PyAny>) -> PyResult<String> {
        self.0.spelled(mv.py(), self.given(mv)?.get(), Spelling::San)
    }

    /// A legal move of shogi as Japanese records write it.
    ///
    /// >>> import keisei
    /// >>> keisei.Shogi().japanese("7g7f")
    /// '☗７六歩'
    fn japanese(&self, mv: &Bound<'_, PyAny>) -> PyResult<String> {
        self.0.spelled(mv.py(), self.given(mv)?.get(), Spelling::Japanese)
    }

    /// A legal move in Western notation: P-7f, or SAN in chess.
    fn western(&self, mv: &Bound<'_, PyAny>) -> PyResult<String> {
        self.0.spelled(mv.py(), self.given(mv)?.get(), Spelling::Western)
    }

    /// Plays random legal moves until the game is over or `plies` were added, and returns how many
    /// that were. The same seed gives the same game.
    #[pyo3(signature = (seed, plies = usize::MAX))]
    fn playout(&mut self, py: Python<'_>, seed: u64, plies: usize) -> usize {
        let before = self.0.ply();
        let game = &mut self.0;
        py.detach(|| game.playout(seed, plies));
        self.0.ply() - before
    }

    /// What the side to move sees, as a network does: planes of float32, its own pieces below.
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        self.0.planes(py)
    }

    /// What the side to move sees, packed into some bytes.
    fn packed<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.0.packed(py)
    }

    /// How many numbers the moves of a network's policy have.
    #[getter]
    fn action_count(&self) -> usize {
        self.0.action_count()
    }

    /// The numbers of the legal moves, in their order.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_vec(py, self.0.legal_actions())
    }

    /// For each number of the policy, 1 if it stands for a legal move and 0 otherwise.
    ///
    /// >>> import keisei
    /// >>> keisei.Animal().action_mask().sum()
    /// np.int64(4)
    fn action_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        let mut mask = vec![0; self.0.action_count()];
        for action in self.0.legal_actions() {
            mask[action as usize] = 1;
        }
        PyArray1::from_vec(py, mask)
    }

    /// The number of a move.
    fn action(&self, mv: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.0.action(mv.py(), self.given(mv)?.get())
    }

    /// The legal move of a number.
    fn move_of(&self, py: Python<'_>, action: i64) -> PyResult<Py<Move>> {
        self.0.move_of(py, action).map(|mv| mv.clone_ref(py))
    }

    /// Plays the legal move of a number and returns it.
    fn push_action(&mut self, py: Python<'_>, action: i64) -> PyResult<Py<Move>> {
        let mv = self.0.move_of(py, action)?;
        self.0.push(py, mv.get()).map(|mv| mv.clone_ref(py))
    }

    /// The board as text; in kanji if asked (not in chess).
    #[pyo3(signature = (kanji = false))]
    fn board(&self, py: Python<'_>, kanji: bool) -> PyResult<String> {
        self.0.board(py, if kanji { BoardStyle::Kanji } else { BoardStyle::Ascii })
    }

    /// The position as a picture, which notebooks show.
    fn svg(&self) -> String {
        self.0.svg()
    }

    fn _repr_svg_(&self) -> String {
        self.0.svg()
    }

    /// A game of its own that stands where this one does.
    fn copy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.copied(py)
    }

    fn __copy__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.0.copied(py)
    }

    fn __deepcopy__<'py>(
        &self,
        py: Python<'py>,
        _memo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.0.copied(py)
    }

    fn __eq__(&self, other: &Self) -> bool {
        let (one, two) = (&self.0, &other.0);
        one.name() == two.name()
            && one.position_line() == two.position_line()
            && one.rules() == two.rules()
            && one.outcome() == two.outcome()
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.0.board(py, BoardStyle::Ascii)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let class = slf.get_type();
        Ok(format!("{}('{}')", class.name()?, slf.borrow().0.position_line()))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let game = &slf.borrow().0;
        let class: Bound<'py, PyType> = slf.get_type();
        let state = (game.outcome(),);
        (class, (game.position_line(), game.rules()), state).into_pyobject(slf.py())
    }

    /// Ends a game that was over when it was pickled.
    fn __setstate__(
        &mut self,
        py: Python<'_>,
        state: (Option<Bound<'_, Outcome>>,),
    ) -> PyResult<()> {
        match state.0.filter(|_| !self.0.is_over()) {
            Some(outcome) => {
                let (winner, reason) = outcome.get().words();
                self.0.adjudicate(py, winner, &reason)
            }
            None => Ok(()),
        }
    }
}

/// How many positions lie `depth` moves ahead of a game's position.
///
/// >>> import keisei
/// >>> keisei.perft(keisei.Shogi(), 3)
/// 25470
#[pyfunction]
pub(crate) fn perft(py: Python<'_>, game: &Bound<'_, Game>, depth: u32) -> u64 {
    let game = game.borrow();
    let played = &game.0;
    py.detach(|| played.perft(depth))
}
