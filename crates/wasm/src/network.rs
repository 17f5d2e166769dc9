//! Networks, given as the bytes of their weights files.

use std::any::Any;

use keisei_encode::{Actions, Encode};
use keisei_games::with_game;
use keisei_net::{Evaluator, InferencePrecision, NetEvaluator};
use serde::Serialize;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::board::{MoveParts, parts};
use crate::error::{Refusal, Result};
use crate::game::Game;
use crate::games::{GameName, Shown};

/// A network with its weights.
#[wasm_bindgen]
pub struct Network {
    game: GameName,
    /// A `NetEvaluator` of that game.
    evaluator: Box<dyn Any>,
    step: u64,
}

/// What a network thinks of a position at first sight.
#[derive(Clone, Debug, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
#[tsify(into_wasm_abi)]
pub struct Prediction {
    /// −1 if the side to move has lost, 1 if it has won.
    pub value: f32,
    /// The chance of the side to move to win, from 0 to 1.
    pub win_rate: f32,
    /// All legal moves, the likeliest first.
    pub policy: Vec<Likely>,
}

/// A move and how likely the network would play it.
#[derive(Clone, Debug, Serialize, Tsify)]
pub struct Likely {
    #[serde(rename = "move")]
    pub mv: MoveParts,
    pub probability: f32,
}

impl Network {
    /// The evaluator, if it is one for `G`.
    pub(crate) fn evaluator<G: Shown>(&self) -> Result<NetEvaluator<G::Actions>> {
        let found: Option<&NetEvaluator<G::Actions>> = self.evaluator.downcast_ref();
        found.cloned().ok_or_else(|| Refusal::new(&format!("the network is none for {}", G::NAME)))
    }
}

#[wasm_bindgen]
impl Network {
    /// The network in a weights file (safetensors), in the precision of play.
    #[wasm_bindgen(constructor)]
    pub fn new(game: GameName, weights: &[u8]) -> Result<Network> {
        with_game!(game.into(), G => {
            let evaluator = NetEvaluator::<<G as Encode>::Actions>::from_weights(weights)?
                .with_precision(InferencePrecision::default());
            let step = evaluator.header().step;
            Ok(Network { game, evaluator: Box::new(evaluator), step })
        })
    }

    #[wasm_bindgen(getter)]
    pub fn game(&self) -> GameName {
        self.game
    }

    /// How many updates the weights have seen.
    #[wasm_bindgen(getter)]
    pub fn step(&self) -> f64 {
        self.step as f64
    }

    /// What it thinks of the position, before any search.
    pub fn evaluate(&self, game: &Game) -> Result<Prediction> {
        with_game!(self.game.into(), G => evaluate::<G>(self, game))
    }
}

fn evaluate<G: Shown>(network: &Network, game: &Game) -> Result<Prediction> {
    let (mut evaluator, game) = (network.evaluator::<G>()?, game.of::<G>()?);
    let moves = game.legal_moves();
    let number = |&mv: &G::Move| <G::Actions as Actions>::index(game.turn(), mv) as u32;
    let actions: Vec<_> = moves.iter().map(number).collect();
    let found = evaluator.evaluate(&[game.pack()], &[&actions]).remove(0);
    let mut policy: Vec<_> = moves
        .iter()
        .zip(found.policy)
        .map(|(&mv, probability)| Likely { mv: parts::<G>(game.position(), mv), probability })
        .collect();
    policy.sort_by(|one, other| other.probability.total_cmp(&one.probability));
    let value = found.value;
    Ok(Prediction { value, win_rate: keisei_engine::search::win_rate(value), policy })
}
