//! Many records at once: what was played in a position, and how it went.

use keisei_games::with_game;
use keisei_records::{Sides, Statistics};
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::board::{MoveParts, parts};
use crate::error::{Refusal, Result};
use crate::games::{GameName, Shown};
use crate::record::Record;

/// The records of one game, indexed by position.
#[wasm_bindgen]
pub struct Library(Box<dyn Indexed>);

/// What a [`Library`] can do, whichever game it is of.
trait Indexed {
    fn add(&mut self, record: &Record) -> Result<()>;
    fn games(&self) -> u32;
    fn statistics(&self, position: &str) -> Result<PositionStatistics>;
}

/// What became of a position in the records.
#[derive(Clone, Debug, Serialize, Tsify)]
#[tsify(into_wasm_abi)]
pub struct PositionStatistics {
    /// How often the position occurred.
    pub occurrences: u32,
    /// The most frequent first.
    pub moves: Vec<MoveStatistics>,
}

/// What became of a move, as its player sees it.
#[derive(Clone, Debug, Serialize, Tsify)]
pub struct MoveStatistics {
    #[serde(rename = "move")]
    pub step: MoveParts,
    pub played: u32,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
    /// The share of points, a draw counting half; null without a decided game.
    pub score: Option<f64>,
}

impl<G: Shown> Indexed for Statistics<G> {
    fn add(&mut self, record: &Record) -> Result<()> {
        let other = || Refusal::new(&format!("this is a collection of {}", G::NAME));
        self.add(record.of::<G>().ok_or_else(other)?);
        Ok(())
    }

    fn games(&self) -> u32 {
        self.games() as u32
    }

    fn statistics(&self, position: &str) -> Result<PositionStatistics> {
        let position: G::Position = position.parse()?;
        let moves = self.moves(&position).into_iter().map(|found| MoveStatistics {
            step: parts::<G>(&position, found.mv),
            played: found.played as u32,
            wins: found.wins as u32,
            draws: found.draws as u32,
            losses: found.losses as u32,
            score: found.score(),
        });
        Ok(PositionStatistics {
            occurrences: self.occurrences(&position).len() as u32,
            moves: moves.collect(),
        })
    }
}

#[wasm_bindgen]
impl Library {
    /// An empty collection of records of `game`.
    #[wasm_bindgen(constructor)]
    pub fn new(game: GameName) -> Library {
        with_game!(game.into(), G => Library(Box::new(Statistics::<G>::new(Sides::Apart))))
    }

    /// Adds the main line of a record of the same game.
    pub fn add(&mut self, record: &Record) -> Result<()> {
        self.0.add(record)
    }

    /// How many records there are.
    #[wasm_bindgen(getter)]
    pub fn games(&self) -> u32 {
        self.0.games()
    }

    /// What was played in a position, given as SFEN or FEN.
    pub fn statistics(&self, position: &str) -> Result<PositionStatistics> {
        self.0.statistics(position)
    }
}
