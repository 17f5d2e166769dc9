//! Moves as Python sees them: one object for each move of a game, however often it is listed.

use keisei_games::{GameName, for_each_game, with_game};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};

use crate::errors::refused;
use crate::games::{Exposed, game_name};

macro_rules! any_move {
    ([$($game:ident = $krate:ident::$type:ident, $about:literal;)*]) => {
        /// A move of one of the games.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum AnyMove {
            $($game($krate::Move),)*
        }

        impl AnyMove {
            pub(crate) const fn game(self) -> GameName {
                match self {
                    $(Self::$game(_) => GameName::$game,)*
                }
            }

            pub(crate) fn text(self) -> String {
                match self {
                    $(Self::$game(mv) => mv.to_string(),)*
                }
            }
        }

        $(
            impl Movable for keisei_games::$game {
                fn any(mv: $krate::Move) -> AnyMove {
                    AnyMove::$game(mv)
                }

                fn of_any_move(mv: AnyMove) -> Option<$krate::Move> {
                    match mv {
                        AnyMove::$game(mv) => Some(mv),
                        _ => None,
                    }
                }
            }
        )*
    };
}

/// A game whose moves are among those of all games.
pub(crate) trait Movable: keisei_game::Game {
    fn any(mv: Self::Move) -> AnyMove;
    fn of_any_move(mv: AnyMove) -> Option<Self::Move>;
}

for_each_game!(any_move! {});

/// A move, written as USI or UCI writes it.
///
/// >>> import keisei
/// >>> move = keisei.Move("shogi", "7g7f")
/// >>> move.from_square, move.to_square
/// ('7g', '7f')
/// >>> str(move), move == keisei.Shogi().parse("７六歩")
/// ('7g7f', True)
/// >>> keisei.Move("chess", "e7e8q").promotion
/// 'q'
/// >>> keisei.Move("shogi", "P*5e").drop
/// 'P'
#[pyclass(frozen, eq, hash, module = "keisei")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Move(pub(crate) AnyMove);

/// The objects of a game's moves, made when they are first listed.
pub(crate) type Interned = [PyOnceLock<Py<Move>>; 1 << 16];

/// The object of `mv`.
pub(crate) fn interned<G: Exposed>(py: Python<'_>, mv: G::Move) -> PyResult<&'static Py<Move>> {
    let made = || Py::new(py, Move(G::any(mv)));
    G::interned()[G::number(mv)].get_or_try_init(py, made)
}

/// The objects of `moves`.
pub(crate) fn objects<'py, G: Exposed>(
    py: Python<'py>,
    moves: &[G::Move],
) -> PyResult<Bound<'py, PyList>> {
    let mut failed = None;
    let list = PyList::new(
        py,
        moves.iter().map(|&mv| match interned::<G>(py, mv) {
            Ok(object) => Some(object.clone_ref(py)),
            Err(error) => {
                failed = Some(error);
                None
            }
        }),
    )?;
    failed.map_or(Ok(list), Err)
}

impl Move {
    fn text(&self) -> String {
        self.0.text()
    }
}

#[pymethods]
impl Move {
    #[new]
    fn new(py: Python<'_>, game: &str, text: &str) -> PyResult<Self> {
        let parsed = with_game!(game_name(py, game)?, G => {
            text.parse::<<G as keisei_game::Game>::Move>().map(G::any).ok()
        });
        parsed.map(Self).ok_or_else(|| refused(py, format!("{text:?} is no move of {game}"), text))
    }

    /// The game: shogi, chess or animal.
    #[getter]
    fn game(&self) -> &'static str {
        self.0.game().name()
    }

    /// Where the piece comes from; None for a drop.
    #[getter]
    #[pyo3(name = "from_square")]
    fn origin(&self) -> Option<String> {
        let text = self.text();
        (!text.contains('*')).then(|| text[..2].to_owned())
    }

    /// Where the piece arrives.
    #[getter]
    fn to_square(&self) -> String {
        self.text()[2..4].to_owned()
    }

    /// The letter of the piece that is dropped; None for a move on the board.
    #[getter]
    fn drop(&self) -> Option<String> {
        self.text().split_once('*').map(|(kind, _)| kind.to_owned())
    }

    /// "+", or in chess the letter of the piece that a pawn becomes; None without a promotion.
    #[getter]
    fn promotion(&self) -> Option<String> {
        Some(self.text()[4..].to_owned()).filter(|letter| !letter.is_empty())
    }

    fn __str__(&self) -> String {
        self.text()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}', '{}')", self.game(), self.text())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Self>(), (self.game(), self.text())).into_pyobject(py)
    }
}
