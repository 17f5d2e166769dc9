//! The record of a game of a match.

use keisei_engine::{Arena, Score};
use keisei_game::{BySide, Side};
use keisei_records::{AnyRecord, Ending, Evaluation, Evaluator, Mate, Notes, Record, Recorded};

use super::play::{Played, Thought};

/// A game that can be played in matches and recorded.
pub trait Contested: Arena + Recorded {}

impl<G: Arena + Recorded> Contested for G {}

/// The record of a game with the names of its players, their times and what they thought.
pub(super) fn record<G: Contested>(played: &Played<G>, names: &BySide<&str>) -> AnyRecord {
    let game = &played.game;
    let mut record = Record::<G>::from_position(game.start().clone());
    for side in Side::ALL {
        record.headers.set(G::PLAYER_KEYS[side as usize], names[side]);
    }
    let opening = game.moves().len().saturating_sub(played.thoughts.len());
    let thoughts = (0..opening).map(|_| None).chain(played.thoughts.iter().map(Some));
    for (&mv, thought) in game.moves().iter().zip(thoughts) {
        let mover = record.turn_at(record.current());
        let node = record.play(mv).expect("the game was played by the same rules");
        if let Some(thought) = thought {
            note(record.notes_mut(node), thought, mover);
        }
    }
    if let Some(outcome) = game.outcome() {
        let end = record.end(Ending::of(outcome, game.turn()));
        let end = end.expect("a game ends once");
        record.notes_mut(end).comment = played.problem.clone().unwrap_or_default();
    }
    record.into()
}

/// Notes what `mover` thought about its move. Records have scores from the first side's view.
fn note<M: Copy>(notes: &mut Notes<M>, thought: &Thought<M>, mover: Side) {
    notes.time = thought.time;
    notes.clock = thought.left;
    let Some(report) = &thought.report else { return };
    let mut evaluation = Evaluation::new(Evaluator::Player);
    match report.score {
        Score::Centipawns(score) => {
            evaluation.centipawns = Some(if mover == Side::First { score } else { -score });
        }
        Score::Mate(plies) => {
            let winner = if plies > 0 { mover } else { !mover };
            evaluation.mate = Some(Mate { winner, distance: Some(plies.unsigned_abs()) });
        }
    }
    evaluation.depth = Some(report.depth);
    evaluation.nodes = Some(report.nodes);
    notes.evaluations.push(evaluation);
}
