//! Statistics over many records: what was played in a position, and how it scored.

use keisei_games::with_game;
use keisei_records::{Sides, Statistics};
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::board::{MoveParts, parts};
use crate::error::{Refusal, Result};
use crate::games::{GameName, Shown};
use crate::record::Record;

/// A collection of records of one game, indexed by position.
#[wasm_bindgen]
pub struct Library {
    game: GameName,
    index: Box<dyn Indexed>,
}

/// A move of a position in the collection. Scores are its player's.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct PlayedMove {
    #[serde(rename = "move")]
    pub mv: MoveParts,
    pub played: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// From 0 to 1, a draw counting half; null without a decided game.
    pub score: Option<f64>,
}

/// A place in a game of the collection.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct Occurrence {
    /// The number of the game, in the order in which games were added, from 0.
    pub game: u32,
    /// How many moves were played before.
    pub ply: u32,
}

/// The index, whichever game it is of.
trait Indexed {
    fn add(&mut self, record: &Record) -> Result<u32>;
    fn games(&self) -> usize;
    fn positions(&self) -> usize;
    fn moves(&self, position: &str) -> Result<Vec<PlayedMove>>;
    fn occurrences(&self, position: &str) -> Result<Vec<Occurrence>>;
}

impl<G: Shown> Indexed for Statistics<G> {
    fn add(&mut self, record: &Record) -> Result<u32> {
        let found = record.of::<G>();
        let found = found.ok_or_else(|| Refusal::new(&format!("no record of {}", G::NAME)))?;
        Ok(self.add(found))
    }

    fn games(&self) -> usize {
        self.games()
    }

    fn positions(&self) -> usize {
        self.positions()
    }

    fn moves(&self, position: &str) -> Result<Vec<PlayedMove>> {
        let position: G::Position = position.parse()?;
        let shown = |found: keisei_records::MoveStatistics<G::Move>| PlayedMove {
            mv: parts::<G>(&position, found.mv),
            played: found.played as u32,
            wins: found.wins as u32,
            draws: found.draws as u32,
            losses: found.losses as u32,
            score: found.score(),
        };
        Ok(self.moves(&position).into_iter().map(shown).collect())
    }

    fn occurrences(&self, position: &str) -> Result<Vec<Occurrence>> {
        let position: G::Position = position.parse()?;
        let found = self.occurrences(&position).iter();
        Ok(found.map(|one| Occurrence { game: one.game, ply: one.ply }).collect())
    }
}

#[wasm_bindgen]
impl Library {
    /// An empty collection. With `together`, a position of shogi counts the same with the colours
    /// exchanged.
    #[wasm_bindgen(constructor)]
    pub fn new(game: GameName, together: bool) -> Library {
        let sides = if together { Sides::Together } else { Sides::Apart };
        let index = with_game!(game.into(), G => {
            Box::new(Statistics::<G>::new(sides)) as Box<dyn Indexed>
        });
        Library { game, index }
    }

    #[wasm_bindgen(getter)]
    pub fn game(&self) -> GameName {
        self.game
    }

    /// Adds the main line of a record; the number of the game.
    pub fn add(&mut self, record: &Record) -> Result<u32> {
        self.index.add(record)
    }

    #[wasm_bindgen(getter)]
    pub fn games(&self) -> u32 {
        self.index.games() as u32
    }

    #[wasm_bindgen(getter)]
    pub fn positions(&self) -> u32 {
        self.index.positions() as u32
    }

    /// The moves played in a position, the most frequent first.
    pub fn moves(&self, position: &str) -> Result<Vec<PlayedMove>> {
        self.index.moves(position)
    }

    /// The games that had a position.
    pub fn occurrences(&self, position: &str) -> Result<Vec<Occurrence>> {
        self.index.occurrences(position)
    }
}
