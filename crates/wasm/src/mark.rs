//! Marks on moves that an analysis has looked at.

use keisei_analysis::Mark;
use serde::{Deserialize, Serialize};
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

/// A move that threw away chances to win.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
#[tsify(into_wasm_abi)]
pub enum MoveMark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// The mark of a move that lowered the chance to win, from 0 to 1, by `loss`; undefined if it
/// deserves none.
#[wasm_bindgen(js_name = moveMark)]
pub fn move_mark(loss: f64) -> Option<MoveMark> {
    Mark::of(loss).map(|mark| match mark {
        Mark::Inaccuracy => MoveMark::Inaccuracy,
        Mark::Mistake => MoveMark::Mistake,
        Mark::Blunder => MoveMark::Blunder,
    })
}
