//! What every game that Python plays can do, whichever game it is.

use keisei_encode::{Actions, Encode, legal_actions};
use keisei_game::{BoardStyle, Position as _, PositionLine};
use keisei_records::{LineError, read_line};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::errors::{bad_action, illegal, no_claim, no_position, refused};
use crate::games::Exposed;
use crate::moves::{Move, interned, objects};
use crate::rules::{Declaration, Outcome, Rules, outcome, side};
use crate::svg;

/// What a [`Game`](super::Game) can do.
pub(crate) trait Played: Send + Sync {
    fn as_any(&self) -> &dyn std::any::Any;
    fn name(&self) -> &'static str;
    fn copied<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>>;
    fn rules(&self) -> Rules;
    fn turn(&self) -> &'static str;
    fn player(&self) -> usize;
    fn ply(&self) -> usize;
    fn position(&self) -> String;
    fn position_line(&self) -> String;
    fn key(&self) -> u64;
    fn board(&self, py: Python<'_>, style: BoardStyle) -> PyResult<String>;
    fn svg(&self) -> String;
    fn in_check(&self) -> bool;
    fn repetitions(&self) -> usize;
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>>;
    fn count_legal_moves(&self) -> usize;
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>>;
    fn is_legal(&self, mv: &Move) -> bool;
    fn parse(&self, py: Python<'_>, text: &str) -> PyResult<&'static Py<Move>>;
    fn push(&mut self, py: Python<'_>, mv: &Move) -> PyResult<&'static Py<Move>>;
    fn pop(&mut self, py: Python<'_>) -> PyResult<Option<&'static Py<Move>>>;
    fn reset(&mut self);
    fn outcome(&self) -> Option<Outcome>;
    fn is_over(&self) -> bool;
    fn adjudicate(&mut self, py: Python<'_>, winner: Option<&str>, reason: &str) -> PyResult<()>;
    fn resign(&mut self, py: Python<'_>, color: Option<&str>) -> PyResult<()>;
    fn claimable(&self) -> Option<Outcome>;
    fn claim(&mut self, py: Python<'_>) -> PyResult<Outcome>;
    fn declaration(&self) -> Option<Declaration>;
    fn spelled(&self, py: Python<'_>, mv: &Move, style: Spelling) -> PyResult<String>;
    fn playout(&mut self, seed: u64, plies: usize);
    fn perft(&self, depth: u32) -> u64;
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>>;
    fn packed<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>>;
    fn action_count(&self) -> usize;
    fn legal_actions(&self) -> Vec<u32>;
    fn action(&self, py: Python<'_>, mv: &Move) -> PyResult<usize>;
    fn move_of(&self, py: Python<'_>, action: i64) -> PyResult<&'static Py<Move>>;
}

/// How a move is written for people.
#[derive(Clone, Copy)]
pub(crate) enum Spelling {
    San,
    Japanese,
    Western,
}

impl<G: Exposed> Played for G {
    fn as_any(&self) -> &dyn std::any::Any {
        self
    }

    fn name(&self) -> &'static str {
        G::NAME
    }

    fn copied<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        G::wrapped(py, self.clone())
    }

    fn rules(&self) -> Rules {
        Rules(keisei_game::Game::rules(self))
    }

    fn turn(&self) -> &'static str {
        G::color(keisei_game::Game::turn(self))
    }

    fn player(&self) -> usize {
        keisei_game::Game::turn(self) as usize
    }

    fn ply(&self) -> usize {
        keisei_game::Game::ply(self)
    }

    fn position(&self) -> String {
        self.notation()
    }

    fn position_line(&self) -> String {
        PositionLine::write(self)
    }

    fn key(&self) -> u64 {
        keisei_game::Game::position(self).key()
    }

    fn board(&self, py: Python<'_>, style: BoardStyle) -> PyResult<String> {
        keisei_records::Recorded::board(self, style).map_err(|error| refused(py, error, G::NAME))
    }

    fn svg(&self) -> String {
        svg::drawing(self)
    }

    fn in_check(&self) -> bool {
        keisei_game::Game::position(self).in_check()
    }

    fn repetitions(&self) -> usize {
        keisei_game::Game::repetitions(self)
    }

    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        if keisei_game::Game::is_over(self) {
            return Ok(PyList::empty(py));
        }
        objects::<G>(py, keisei_game::Game::position(self).legal_moves().as_ref())
    }

    fn count_legal_moves(&self) -> usize {
        match keisei_game::Game::is_over(self) {
            true => 0,
            false => keisei_game::Game::position(self).count_legal_moves(),
        }
    }

    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        objects::<G>(py, keisei_game::Game::moves(self))
    }

    fn is_legal(&self, mv: &Move) -> bool {
        let legal = |mv| keisei_game::Game::position(self).is_legal(mv);
        !keisei_game::Game::is_over(self) && G::of_any_move(mv.0).is_some_and(legal)
    }

    fn parse(&self, py: Python<'_>, text: &str) -> PyResult<&'static Py<Move>> {
        let refusal =
            |problem: &dyn ToString| illegal(py, problem.to_string(), text, &self.notation());
        if let Some(outcome) = keisei_game::Game::outcome(self) {
            return Err(refusal(&format!("the game is over: {outcome}")));
        }
        let read = self.read_move(text.trim()).map_err(|error| refusal(&error))?;
        // A move that must promote need not say so.
        let mv = self.parse_move(&read.to_string()).map_err(|error| refusal(&error))?;
        G::check(keisei_game::Game::position(self), mv)
            .map_err(|rule| refusal(&format!("{mv} is illegal: {rule}")))?;
        interned::<G>(py, mv)
    }

    fn push(&mut self, py: Python<'_>, mv: &Move) -> PyResult<&'static Py<Move>> {
        let mv = own::<G>(py, mv)?;
        match keisei_game::Game::play(self, mv) {
            // A move that must promote was completed.
            Ok(()) => interned::<G>(py, *keisei_game::Game::moves(self).last().expect("a move")),
            Err(error) => Err(illegal(py, error, &mv.to_string(), &self.notation())),
        }
    }

    fn pop(&mut self, py: Python<'_>) -> PyResult<Option<&'static Py<Move>>> {
        self.undo().map(|mv| interned::<G>(py, mv)).transpose()
    }

    fn reset(&mut self) {
        keisei_game::Game::reset(self);
    }

    fn outcome(&self) -> Option<Outcome> {
        keisei_game::Game::outcome(self).map(Outcome::new::<G>)
    }

    fn is_over(&self) -> bool {
        keisei_game::Game::is_over(self)
    }

    fn adjudicate(&mut self, py: Python<'_>, winner: Option<&str>, reason: &str) -> PyResult<()> {
        keisei_game::Game::adjudicate(self, outcome::<G>(py, winner, reason)?);
        Ok(())
    }

    fn resign(&mut self, py: Python<'_>, color: Option<&str>) -> PyResult<()> {
        let side = color.map(|color| side::<G>(py, color)).transpose()?;
        keisei_game::Game::resign(self, side.unwrap_or(keisei_game::Game::turn(self)));
        Ok(())
    }

    fn claimable(&self) -> Option<Outcome> {
        keisei_game::Game::claimable(self).ok().map(Outcome::new::<G>)
    }

    fn claim(&mut self, py: Python<'_>) -> PyResult<Outcome> {
        let claimed = keisei_game::Game::claim(self);
        claimed.map(Outcome::new::<G>).map_err(|error| no_claim(py, error, &self.notation()))
    }

    fn declaration(&self) -> Option<Declaration> {
        self.declaration_of()
    }

    fn spelled(&self, py: Python<'_>, mv: &Move, style: Spelling) -> PyResult<String> {
        let mv = own::<G>(py, mv)?;
        let refusal = |problem: &dyn ToString| {
            illegal(py, problem.to_string(), &mv.to_string(), &self.notation())
        };
        G::check(keisei_game::Game::position(self), mv).map_err(|rule| refusal(&rule))?;
        let chess = G::NAME == <keisei_chess::Chess as keisei_game::Game>::NAME;
        let text = match style {
            Spelling::San if chess => self.book_move(mv),
            Spelling::Japanese if !chess => self.book_move(mv),
            Spelling::Western => self.western_move(mv),
            Spelling::San => return Err(refused(py, "SAN is for chess", G::NAME)),
            Spelling::Japanese => {
                return Err(refused(py, "Japanese notation is for shogi", G::NAME));
            }
        };
        text.map_err(|error| refusal(&error))
    }

    fn playout(&mut self, seed: u64, plies: usize) {
        keisei_game::random_game(self, seed, plies);
    }

    fn perft(&self, depth: u32) -> u64 {
        keisei_game::perft(keisei_game::Game::position(self), depth, keisei_game::Leaves::Count)
    }

    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f32>>> {
        let rows = G::SQUARES / G::COLUMNS;
        PyArray1::from_vec(py, Encode::planes(self)).reshape([G::PLANES, rows, G::COLUMNS])
    }

    fn packed<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        PyArray1::from_slice(py, self.pack().as_ref())
    }

    fn action_count(&self) -> usize {
        <G::Actions as Actions>::COUNT
    }

    fn legal_actions(&self) -> Vec<u32> {
        if keisei_game::Game::is_over(self) {
            return Vec::new();
        }
        let numbered = legal_actions::<G::Actions>(keisei_game::Game::position(self));
        numbered.into_iter().map(|(action, _)| action as u32).collect()
    }

    fn action(&self, py: Python<'_>, mv: &Move) -> PyResult<usize> {
        let mv = own::<G>(py, mv)?;
        Ok(<G::Actions as Actions>::index(keisei_game::Game::turn(self), mv))
    }

    fn move_of(&self, py: Python<'_>, action: i64) -> PyResult<&'static Py<Move>> {
        let index = usize::try_from(action).ok().filter(|_| !keisei_game::Game::is_over(self));
        let position = keisei_game::Game::position(self);
        let found = index.and_then(|index| <G::Actions as Actions>::find(position, index));
        let problem = || format!("action {action} is not legal in {}", self.notation());
        let mv = found.ok_or_else(|| bad_action(py, problem(), action, 0))?;
        interned::<G>(py, mv)
    }
}

/// The move, if it is one of `G`.
fn own<G: Exposed>(py: Python<'_>, mv: &Move) -> PyResult<G::Move> {
    G::of_any_move(mv.0).ok_or_else(|| {
        let text = mv.0.text();
        refused(py, format!("{text} is a move of {}, not of {}", mv.0.game(), G::NAME), &text)
    })
}

/// A game of `G` that goes as `text` says.
pub(crate) fn begin<G: Exposed>(py: Python<'_>, text: &str, rules: Option<&Rules>) -> PyResult<G> {
    use keisei_game::PositionLineError::Move;
    let rules = rules.map_or(G::RULES, |rules| rules.0);
    read_line::<G>(text, rules).map_err(|error| match &error {
        LineError::Line(Move { text: mv, .. }) => illegal(py, &error, mv, text),
        _ => no_position(py, &error, text),
    })
}
