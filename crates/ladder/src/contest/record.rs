//! The record of a game of a match.

use keisei_analysis::evaluation_after;
use keisei_engine::Arena;
use keisei_game::{BySide, Side};
use keisei_records::{AnyRecord, Ending, Record, Recorded};

use super::play::Played;

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
            let notes = record.notes_mut(node);
            notes.time = thought.time;
            notes.clock = thought.left;
            let report = thought.report.as_ref();
            notes
                .evaluations
                .extend(report.and_then(|report| evaluation_after::<G>(report, mover, mv)));
        }
    }
    if let Some(outcome) = game.outcome() {
        let end = record.end(Ending::of(outcome, game.turn()));
        let end = end.expect("a game ends once");
        record.notes_mut(end).comment = played.problem.clone().unwrap_or_default();
    }
    record.into()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use keisei_chess::Chess;
    use keisei_engine::{Report, Score};
    use keisei_game::Game;
    use keisei_records::{Format, write};

    use super::*;
    use crate::contest::play::Thought;

    #[test]
    fn a_pgn_counts_mates_in_moves_from_the_position_after_the_move() {
        let mut game = Chess::new();
        let mut thoughts = Vec::new();
        // White sees itself mated in four plies, Black a mate in three and then in one.
        for (text, plies) in [("f2f3", -4), ("e7e5", 3), ("g2g4", -2), ("d8h4", 1)] {
            let mv = game.parse_move(text).unwrap();
            game.play(mv).unwrap();
            let report = Report {
                line: 1,
                depth: 4,
                selective_depth: None,
                score: Score::Mate(plies),
                win_rate: None,
                nodes: 100,
                time: Duration::ZERO,
                hash_full: None,
                moves: vec![mv],
            };
            thoughts.push(Thought { report: Some(report), time: None, left: None });
        }
        let played = Played { game, thoughts, fault: None, problem: None };
        let record = record(&played, &BySide(["a", "b"]));
        let pgn = write(&record, Format::Pgn).unwrap();
        let text = pgn.text().unwrap();
        let evaluations = text.split("[%eval ").skip(1).filter_map(|rest| rest.split(']').next());
        assert_eq!(evaluations.collect::<Vec<_>>(), ["#-2,4", "#-1,4", "#-1,4"], "{text}");
        assert!(pgn.lost.is_empty(), "{:?}", pgn.lost);
    }
}
