//! Matches between two players.

use std::sync::atomic::{AtomicBool, Ordering};

use keisei_engine::PlayerSpec;
use keisei_games::with_game;
use keisei_ladder::contest::{
    Contestant, Match, MatchSettings, Openings, Summary, TimeControl, text,
};
use keisei_ladder::stats::Sprt;
use keisei_records::AnyRecord;
use keisei_train::cluster::Alone;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::{no_player, refused};
use crate::games::{Exposed, game_name};
use crate::interrupt::interruptible;
use crate::record::Record;

/// How a match ended, from the first player's view.
#[pyclass(frozen, module = "keisei")]
pub(crate) struct MatchResult {
    summary: Summary,
    records: Py<PyList>,
}

#[pymethods]
impl MatchResult {
    /// The names of the players.
    #[getter]
    fn players(&self) -> (&str, &str) {
        let [first, second] = &self.summary.settings.players;
        (first, second)
    }

    /// How many games the first player won.
    #[getter]
    fn wins(&self) -> u64 {
        self.summary.games.wins
    }

    /// How many games were drawn.
    #[getter]
    fn draws(&self) -> u64 {
        self.summary.games.draws
    }

    /// How many games the first player lost.
    #[getter]
    fn losses(&self) -> u64 {
        self.summary.games.losses
    }

    /// Points a game: 1 for a win, ½ for a draw.
    #[getter]
    fn score(&self) -> Option<f64> {
        self.summary.score
    }

    /// Wilson's 95 % interval of the score.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        self.summary.score_interval
    }

    /// The difference in Elo, and half the width of its 95 % interval; infinite if one side won
    /// everything.
    #[getter]
    fn elo(&self) -> Option<(f64, f64)> {
        self.summary.elo.map(|elo| (elo.value, elo.error))
    }

    /// How likely the first player is the stronger one.
    #[getter]
    fn superiority(&self) -> Option<f64> {
        self.summary.los
    }

    /// What the test found: "H0", "H1", or None if there was none or it is open.
    #[getter]
    fn verdict(&self) -> Option<String> {
        self.summary.sprt.and_then(|test| test.verdict).map(|verdict| verdict.to_string())
    }

    /// The games in their order, with the names of the players and what they thought.
    #[getter]
    fn records(&self, py: Python<'_>) -> Py<PyList> {
        self.records.clone_ref(py)
    }

    fn __str__(&self) -> String {
        text(&self.summary)
    }

    fn __repr__(&self) -> String {
        let games = self.summary.games;
        format!("<MatchResult +{} ={} -{}>", games.wins, games.draws, games.losses)
    }
}

/// Plays a match between two players by their names: `rounds` of two games from the same opening
/// with colours exchanged, `concurrency` games at once. Each opening has `random_plies` random
/// moves.
///
/// `limits` are those of each move or clock in the words of the command line, such as "nodes=100",
/// "st=0.5" (seconds a move) or "tc=10+0.1"; `sprt` is a test that may end the match early, such as
/// "elo0=0 elo1=10". The same seed gives the same games where no clock decides. Ctrl-C stops the
/// match.
///
/// >>> import keisei
/// >>> result = keisei.play_match("mate1", "random", "animal", rounds=10)
/// >>> result.wins + result.draws + result.losses, len(result.records)
/// (20, 20)
/// >>> low, high = result.interval
/// >>> 0.5 < low < result.score < high
/// True
/// >>> sorted({result.records[0].player("black"), result.records[0].player("white")})
/// ['mate1', 'random']
#[pyfunction]
#[pyo3(signature = (
    first, second, game = "shogi", *, rounds = 50, limits = "", random_plies = 4,
    max_moves = Some(512), sprt = None, concurrency = 1, seed = 1
))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn play_match(
    py: Python<'_>,
    first: &str,
    second: &str,
    game: &str,
    rounds: u64,
    limits: &str,
    random_plies: usize,
    max_moves: Option<usize>,
    sprt: Option<&str>,
    concurrency: usize,
    seed: u64,
) -> PyResult<MatchResult> {
    let player = |name: &str| -> PyResult<PlayerSpec> {
        name.parse().map_err(|error| no_player(py, error, name))
    };
    let control = TimeControl::default().with(limits.split_whitespace());
    let control = control.map_err(|error| refused(py, error, limits))?;
    let test = sprt.map(|words| words.parse::<Sprt>().map_err(|error| refused(py, error, words)));
    let openings = Openings::Random { plies: random_plies };
    let game = game_name(py, game)?;
    let specs = [player(first)?, player(second)?];
    let settings = MatchSettings {
        game: game.name().to_owned(),
        players: specs.each_ref().map(ToString::to_string),
        identities: Default::default(),
        limits: [control.to_string(), control.to_string()],
        openings: openings.describe(),
        seed,
        games_per_round: 2,
        max_moves,
        draw: None,
        resign: None,
        sprt: test.transpose()?,
    };
    let planned = Planned { specs, control, settings, openings, rounds, concurrency };
    let (summary, records) = with_game!(game, G => planned.play::<G>(py))?;
    let records = records.into_iter().map(|record| Py::new(py, Record::from(record)));
    let records = PyList::new(py, records.collect::<PyResult<Vec<_>>>()?)?.unbind();
    Ok(MatchResult { summary, records })
}

/// A match whose game is not known yet.
struct Planned {
    specs: [PlayerSpec; 2],
    control: TimeControl,
    settings: MatchSettings,
    openings: Openings,
    rounds: u64,
    concurrency: usize,
}

impl Planned {
    fn play<G: Exposed>(self, py: Python<'_>) -> PyResult<(Summary, Vec<AnyRecord>)> {
        let Self { specs, control, mut settings, openings, rounds, concurrency } = self;
        let contestant = |spec: &PlayerSpec| {
            let named = py.detach(|| Contestant::<G>::named(&Alone, spec, control.clone()));
            named.map_err(|error| no_player(py, error, &spec.to_string()))
        };
        let [(first, one), (second, other)] = [contestant(&specs[0])?, contestant(&specs[1])?];
        settings.identities = [one, other];
        let names = settings.players.join(" – ");
        let contest = Match {
            settings,
            contestants: [first, second],
            openings,
            rounds,
            concurrency,
            format: G::MATCH_FORMAT,
        };
        let stop = AtomicBool::new(false);
        let halt = || stop.store(true, Ordering::Relaxed);
        let played = interruptible(py, halt, || contest.play_recorded(&stop, &mut |_| ()))?;
        played.map_err(|error| no_player(py, error, &names))
    }
}
