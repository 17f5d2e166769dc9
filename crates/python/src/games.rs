//! What Python needs to know of each game beyond what all of them promise.

use keisei_animal::HandKind;
use keisei_engine::Arena;
use keisei_games::GameName;
use keisei_records::Recorded;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::errors::refused;
use crate::game::{Game, begin};
use crate::moves::{Interned, Movable, Move};
use crate::rules::{Declaration, Rules};

/// A game that Python is offered.
pub(crate) trait Exposed: Arena + Recorded + Movable {
    /// A number below 2¹⁶ that no other move has.
    fn number(mv: Self::Move) -> usize;

    /// The objects of its moves.
    fn interned() -> &'static Interned;

    /// `game` as an object of the game's own class.
    fn wrapped(py: Python<'_>, game: Self) -> PyResult<Bound<'_, PyAny>>;

    /// What counts if the side to move declares now.
    fn declaration_of(&self) -> Option<Declaration> {
        None
    }
}

/// The game called `text`.
pub(crate) fn game_name(py: Python<'_>, text: &str) -> PyResult<GameName> {
    text.parse().map_err(|error| refused(py, error, text))
}

macro_rules! game_class {
    ($(#[$about:meta])* $class:ident = $game:ty) => {
        $(#[$about])*
        #[pyclass(extends = Game, module = "keisei")]
        pub(crate) struct $class;

        impl $class {
            fn object(py: Python<'_>, game: Game) -> PyResult<Bound<'_, PyAny>> {
                let made = PyClassInitializer::from(game).add_subclass(Self);
                Ok(Bound::new(py, made)?.into_any())
            }
        }

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (position = "startpos", rules = None))]
            fn new(
                py: Python<'_>,
                position: &str,
                rules: Option<&Bound<'_, Rules>>,
            ) -> PyResult<PyClassInitializer<Self>> {
                let game = begin::<$game>(py, position, rules.map(|rules| rules.get()))?;
                Ok(PyClassInitializer::from(Game::of(game)).add_subclass(Self))
            }
        }
    };
}

game_class! {
    /// A game of shogi. Black moves first.
    ///
    /// The position is SFEN, `startpos`, the name of a handicap, or a line such as
    /// `startpos moves 7g7f 3c3d`. Without rules, the game is drawn after 500 moves.
    ///
    /// >>> import keisei
    /// >>> game = keisei.Shogi()
    /// >>> len(game.legal_moves())
    /// 30
    /// >>> game.push("7g7f"), game.push("３四歩"), game.push("Bx2b+")
    /// (Move('shogi', '7g7f'), Move('shogi', '3c3d'), Move('shogi', '8h2b+'))
    /// >>> game.sfen
    /// 'lnsgkgsnl/1r5+B1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/7R1/LNSGKGSNL w B 4'
    /// >>> game.pop()
    /// Move('shogi', '8h2b+')
    /// >>> keisei.Shogi("two").turn
    /// 'white'
    Shogi = keisei_shogi::Shogi
}

game_class! {
    /// A game of chess. White moves first.
    ///
    /// The position is FEN, `startpos`, or a line such as `startpos moves e2e4`.
    ///
    /// >>> import keisei
    /// >>> game = keisei.Chess()
    /// >>> for san in ["f3", "e5", "g4", "Qh4#"]:
    /// ...     _ = game.push(san)
    /// >>> game.outcome
    /// Outcome('black', 'checkmate')
    /// >>> game.fen
    /// 'rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3'
    Chess = keisei_chess::Chess
}

game_class! {
    /// A game of animal shogi on 3 × 4 squares. Black moves first.
    ///
    /// >>> import keisei
    /// >>> game = keisei.Animal()
    /// >>> [str(move) for move in game.legal_moves()]
    /// ['2c2b', '1d1c', '2d3c', '2d1c']
    /// >>> game.sfen
    /// 'gle/1c1/1C1/ELG b - 1'
    Animal = keisei_animal::Animal
}

static SHOGI: Interned = [const { PyOnceLock::<Py<Move>>::new() }; 1 << 16];
static CHESS: Interned = [const { PyOnceLock::<Py<Move>>::new() }; 1 << 16];
static ANIMAL: Interned = [const { PyOnceLock::<Py<Move>>::new() }; 1 << 16];

impl Exposed for keisei_shogi::Shogi {
    fn number(mv: keisei_shogi::Move) -> usize {
        usize::from(mv.bits())
    }

    fn interned() -> &'static Interned {
        &SHOGI
    }

    fn wrapped(py: Python<'_>, game: Self) -> PyResult<Bound<'_, PyAny>> {
        Shogi::object(py, Game::of(game))
    }

    fn declaration_of(&self) -> Option<Declaration> {
        self.declaration().map(|counted| Declaration::new(&counted, self))
    }
}

impl Exposed for keisei_chess::Chess {
    fn number(mv: keisei_chess::Move) -> usize {
        usize::from(mv.bits())
    }

    fn interned() -> &'static Interned {
        &CHESS
    }

    fn wrapped(py: Python<'_>, game: Self) -> PyResult<Bound<'_, PyAny>> {
        Chess::object(py, Game::of(game))
    }
}

impl Exposed for keisei_animal::Animal {
    fn number(mv: keisei_animal::Move) -> usize {
        use keisei_animal::{Move, Square};
        let to = mv.to().index();
        let (origin, promotes) = match mv {
            Move::Step { from, promotes, .. } => (from.index(), promotes),
            Move::Drop { kind, .. } => (Square::COUNT + kind as usize, false),
        };
        const ORIGINS: usize = Square::COUNT + HandKind::ALL.len() + 1;
        (usize::from(promotes) * ORIGINS + origin) * Square::COUNT + to
    }

    fn interned() -> &'static Interned {
        &ANIMAL
    }

    fn wrapped(py: Python<'_>, game: Self) -> PyResult<Bound<'_, PyAny>> {
        Animal::object(py, Game::of(game))
    }
}
