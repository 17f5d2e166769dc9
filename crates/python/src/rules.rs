//! What is agreed on before a game, and how games end.

use keisei_game::{DeclarationRule, Game as _, Reason, Side};
use keisei_records::Recorded;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::refused;

/// The rules that are a matter of agreement; without arguments, those of the board alone.
///
/// `move_limit` draws a game after so many moves, `auto_claim` ends it with the first draw that
/// could be claimed. In shogi, `declaration` is "off", "27" or "24" (points), `handicap_points`
/// says whether the giver of a handicap counts what it gave, and with `try_rule` a king that
/// reaches the other king's starting square wins.
///
/// >>> import keisei
/// >>> keisei.Shogi(rules=keisei.Rules(move_limit=256, declaration="27")).rules
/// Rules(move_limit=256, auto_claim=False, declaration='27', handicap_points=True, try_rule=False)
#[pyclass(frozen, eq, hash, module = "keisei")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Rules(pub(crate) keisei_game::Rules);

const DECLARATIONS: [(&str, DeclarationRule); 3] = [
    ("off", DeclarationRule::Off),
    ("27", DeclarationRule::Points27),
    ("24", DeclarationRule::Points24),
];

#[pymethods]
impl Rules {
    #[new]
    #[pyo3(signature = (
        move_limit = None, auto_claim = false, declaration = "off", handicap_points = true,
        try_rule = false
    ))]
    fn new(
        py: Python<'_>,
        move_limit: Option<usize>,
        auto_claim: bool,
        declaration: &str,
        handicap_points: bool,
        try_rule: bool,
    ) -> PyResult<Self> {
        let found = DECLARATIONS.into_iter().find(|(name, _)| *name == declaration);
        let problem = || format!("{declaration:?} is no declaration rule: off, 27 or 24");
        let (_, declaration) = found.ok_or_else(|| refused(py, problem(), declaration))?;
        let rules =
            keisei_game::Rules { move_limit, auto_claim, declaration, handicap_points, try_rule };
        Ok(Self(rules))
    }

    #[getter]
    fn move_limit(&self) -> Option<usize> {
        self.0.move_limit
    }

    #[getter]
    fn auto_claim(&self) -> bool {
        self.0.auto_claim
    }

    #[getter]
    fn declaration(&self) -> &'static str {
        let found = DECLARATIONS.into_iter().find(|(_, rule)| *rule == self.0.declaration);
        found.expect("every rule has a name").0
    }

    #[getter]
    fn handicap_points(&self) -> bool {
        self.0.handicap_points
    }

    #[getter]
    fn try_rule(&self) -> bool {
        self.0.try_rule
    }

    fn __repr__(&self) -> String {
        let word = |value| if value { "True" } else { "False" };
        format!(
            "Rules(move_limit={}, auto_claim={}, declaration='{}', handicap_points={}, try_rule={})",
            self.0.move_limit.map_or("None".to_owned(), |limit| limit.to_string()),
            word(self.0.auto_claim),
            self.declaration(),
            word(self.0.handicap_points),
            word(self.0.try_rule)
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let keisei_game::Rules { move_limit, auto_claim, handicap_points, try_rule, .. } = self.0;
        let arguments = (move_limit, auto_claim, self.declaration(), handicap_points, try_rule);
        (py.get_type::<Self>(), arguments).into_pyobject(py)
    }
}

/// How a game ended: the colour of the winner, or None for a draw, and the rule that ended it.
///
/// >>> import keisei
/// >>> game = keisei.Animal()
/// >>> game.resign()
/// >>> game.outcome
/// Outcome('white', 'resignation')
/// >>> game.outcome.reward("black"), game.outcome.is_draw
/// (-1.0, False)
#[pyclass(frozen, eq, hash, module = "keisei")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// "black", "white", or None for a draw.
    #[pyo3(get)]
    winner: Option<&'static str>,
    reason: Reason,
}

/// All rules that end games.
const REASONS: [Reason; 16] = [
    Reason::Checkmate,
    Reason::NoMoves,
    Reason::Repetition,
    Reason::PerpetualCheck,
    Reason::Declaration,
    Reason::KingCaptured,
    Reason::Try,
    Reason::Resignation,
    Reason::MoveLimit,
    Reason::FiftyMoves,
    Reason::SeventyFiveMoves,
    Reason::InsufficientMaterial,
    Reason::Timeout,
    Reason::IllegalMove,
    Reason::Agreement,
    Reason::Abandoned,
];

/// The side of this colour.
pub(crate) fn side<G: Recorded>(py: Python<'_>, color: &str) -> PyResult<Side> {
    let found = Side::ALL.into_iter().find(|&side| G::color(side) == color);
    found.ok_or_else(|| refused(py, format!("{color:?} is neither black nor white"), color))
}

/// An outcome by the words that Python has for it.
pub(crate) fn outcome<G: Recorded>(
    py: Python<'_>,
    winner: Option<&str>,
    reason: &str,
) -> PyResult<keisei_game::Outcome> {
    let found = REASONS.into_iter().find(|known| known.to_string() == reason);
    let found = found.ok_or_else(|| {
        let known = REASONS.map(|reason| reason.to_string()).join(", ");
        refused(py, format!("{reason:?} ends no game; there are {known}"), reason)
    })?;
    Ok(match winner {
        Some(color) => keisei_game::Outcome::win(side::<G>(py, color)?, found),
        None => keisei_game::Outcome::draw(found),
    })
}

impl Outcome {
    pub(crate) fn new<G: Recorded>(outcome: keisei_game::Outcome) -> Self {
        Self { winner: outcome.winner().map(G::color), reason: outcome.reason() }
    }

    /// The winner and the reason in words.
    pub(crate) fn words(&self) -> (Option<&'static str>, String) {
        (self.winner, self.reason.to_string())
    }
}

#[pymethods]
impl Outcome {
    #[new]
    fn py_new(py: Python<'_>, winner: Option<&str>, reason: &str) -> PyResult<Self> {
        let outcome = outcome::<keisei_shogi::Shogi>(py, winner, reason)?;
        Ok(Self::new::<keisei_shogi::Shogi>(outcome))
    }

    /// The rule that ended the game, such as "checkmate" or "repetition".
    #[getter]
    fn reason(&self) -> String {
        self.reason.to_string()
    }

    /// Whether nobody won.
    #[getter]
    fn is_draw(&self) -> bool {
        self.winner.is_none()
    }

    /// Whether the game was cut off by a limit instead of being ended by its rules.
    #[getter]
    fn truncated(&self) -> bool {
        self.reason == Reason::MoveLimit
    }

    /// What the side of this colour gets: 1 for a win, -1 for a loss, 0 for a draw.
    fn reward(&self, color: &str) -> f32 {
        match self.winner {
            None => 0.0,
            Some(winner) if winner == color => 1.0,
            Some(_) => -1.0,
        }
    }

    fn __str__(&self) -> String {
        match self.winner {
            Some(color) => format!("{color} wins by {}", self.reason),
            None => format!("draw by {}", self.reason),
        }
    }

    fn __repr__(&self) -> String {
        match self.winner {
            Some(color) => format!("Outcome('{color}', '{}')", self.reason),
            None => format!("Outcome(None, '{}')", self.reason),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Self>(), (self.winner, self.reason())).into_pyobject(py)
    }
}

/// What counts if the side to move declares an entered king now.
///
/// >>> import keisei
/// >>> account = keisei.Shogi(rules=keisei.Rules(declaration="27")).declaration()
/// >>> account.points, account.points_to_win, account.problem
/// (0, 28, 'the king is not in the three far rows')
#[pyclass(frozen, get_all, module = "keisei")]
pub(crate) struct Declaration {
    king_entered: bool,
    in_check: bool,
    pieces: usize,
    pieces_needed: usize,
    points: u32,
    points_to_win: u32,
    points_to_draw: u32,
    outcome: Option<Outcome>,
    problem: Option<String>,
}

impl Declaration {
    pub(crate) fn new(counted: &keisei_shogi::Declaration, game: &keisei_shogi::Shogi) -> Self {
        let outcome = game.claimable();
        Self {
            king_entered: counted.king_entered,
            in_check: counted.in_check,
            pieces: counted.entered,
            pieces_needed: keisei_shogi::Declaration::ENTERED_NEEDED,
            points: counted.points,
            points_to_win: counted.points_to_win,
            points_to_draw: counted.points_to_draw,
            problem: outcome.as_ref().err().map(ToString::to_string),
            outcome: outcome.ok().map(Outcome::new::<keisei_shogi::Shogi>),
        }
    }
}
