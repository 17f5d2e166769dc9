//! Who sits at the board.

use keisei_engine::{Arena, Player, Report, Score};
use keisei_game::Game;

/// Who chooses the moves of a side.
pub(super) enum Seat<G: Game> {
    /// The person at the terminal.
    Person,
    /// A program.
    Program(Box<dyn Player<G>>),
}

impl<G: Arena> Seat<G> {
    pub(super) const fn is_person(&self) -> bool {
        matches!(self, Self::Person)
    }

    /// The name that stands in a record.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Person => "human",
            Self::Program(player) => player.name(),
        }
    }
}

/// What a player thought, in a line to read. The score is its own.
pub(super) fn thought<M: std::fmt::Display>(report: &Report<M>) -> String {
    let score = match report.score {
        Score::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
        Score::Mate(plies) if plies > 0 => format!("mates in {plies} plies"),
        Score::Mate(plies) => format!("is mated in {} plies", plies.unsigned_abs()),
    };
    let chance =
        report.win_rate.map_or(String::new(), |rate| format!(", wins {:.0} %", rate * 100.0));
    let line: String = report.moves.iter().map(|mv| format!(" {mv}")).collect();
    format!("{score}{chance}, depth {}, {} nodes:{line}", report.depth, report.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn thoughts_are_told_with_score_depth_and_line() {
        let report = Report {
            line: 1,
            depth: 3,
            selective_depth: None,
            score: Score::Centipawns(-35),
            win_rate: Some(0.4),
            nodes: 120,
            time: Duration::ZERO,
            hash_full: None,
            moves: vec!["7g7f", "3c3d"],
        };
        assert_eq!(thought(&report), "-0.35, wins 40 %, depth 3, 120 nodes: 7g7f 3c3d");
        let mate = Report { score: Score::Mate(3), win_rate: None, ..report.clone() };
        assert_eq!(thought(&mate), "mates in 3 plies, depth 3, 120 nodes: 7g7f 3c3d");
        let mated = Report { score: Score::Mate(-2), win_rate: None, ..report };
        assert!(thought(&mated).starts_with("is mated in 2 plies, depth"));
    }
}
