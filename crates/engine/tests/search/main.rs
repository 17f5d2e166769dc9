//! The search and the players that use it.

mod halving;
mod limits;
mod mates;
mod players;
mod repetition;
mod reuse;
mod slices;
mod tree;

use keisei_engine::search::{Found, Search, SearchSettings};
use keisei_engine::{Arena, Limits, Signal};
use keisei_game::Rules;
use keisei_net::{Evaluation, Evaluator, Uniform};

/// Settings under which a search by simulations is the same on every machine.
fn repeatable() -> SearchSettings {
    SearchSettings { threads: 1, batch: 8, ..SearchSettings::default() }
}

/// What a search without a network finds in the position `start`.
fn found<G: Arena>(start: &str, simulations: u64, settings: SearchSettings) -> Found<G::Move> {
    let game = G::with_rules(start.parse().unwrap(), Rules::between_programs(None));
    think(&mut Search::new(Uniform, settings), &game, simulations)
}

fn think<G: Arena, E: Evaluator<G::Packed> + Clone>(
    search: &mut Search<G, E>,
    game: &G,
    simulations: u64,
) -> Found<G::Move> {
    search.think(game, &Limits::nodes(simulations), &Signal::new(), &mut |_| ())
}

/// The sum of all visits of the root's moves.
fn total<M>(found: &Found<M>) -> u64 {
    found.visits.iter().map(|&(_, visits)| u64::from(visits)).sum()
}

/// Says the same of every position; what, is told by a function of its bytes.
#[derive(Clone)]
struct Judge<F>(F);

impl<P: AsRef<[u8]>, F: Fn(&[u8]) -> f32 + Send> Evaluator<P> for Judge<F> {
    fn evaluate(&mut self, observations: &[P], legal: &[&[u32]]) -> Vec<Evaluation> {
        let evaluation = |(seen, legal): (&P, &&[u32])| Evaluation {
            value: self.0(seen.as_ref()),
            policy: vec![1.0 / legal.len() as f32; legal.len()],
        };
        observations.iter().zip(legal).map(evaluation).collect()
    }
}

const SHOGI: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
