//! What the engine says.

use std::fmt::{Display, Write};

use crate::mate::Verdict;
use crate::{Answer, Protocol, Report, Score};

/// An `info` line with a line of play, which comes last. Its number is named where several lines
/// are shown.
pub(super) fn info<M: Display>(protocol: Protocol, report: &Report<M>, several: bool) -> String {
    let mut line = format!("info depth {}", report.depth);
    let mut add = |name: &str, value: &dyn Display| {
        let _ = write!(line, " {name} {value}");
    };
    if let Some(depth) = report.selective_depth {
        add("seldepth", &depth);
    }
    if several {
        add("multipv", &report.line);
    }
    match report.score {
        Score::Centipawns(worth) => add("score cp", &worth),
        Score::Mate(plies) => add("score mate", &protocol.mate_distance(plies)),
    }
    add("nodes", &report.nodes);
    let seconds = report.time.as_secs_f64();
    if seconds > 0.0 {
        add("nps", &((report.nodes as f64 / seconds) as u64));
    }
    if let Some(share) = report.hash_full {
        add("hashfull", &share);
    }
    add("time", &report.time.as_millis());
    if !report.moves.is_empty() {
        add("pv", &words(&report.moves));
    }
    line
}

/// An `info string` line. Line breaks would end it.
pub(super) fn remark(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    format!("info string {}", words.join(" "))
}

/// The answer to `go`.
pub(super) fn best_move<M: Display>(protocol: Protocol, answer: &Answer<M>) -> String {
    match answer {
        Answer::Play { mv, ponder: None } => format!("bestmove {mv}"),
        Answer::Play { mv, ponder: Some(reply) } => format!("bestmove {mv} ponder {reply}"),
        Answer::Win => "bestmove win".to_owned(),
        Answer::Resign => protocol.no_move().to_owned(),
    }
}

/// The answer to `go mate`.
pub(super) fn checkmate<M: Display>(verdict: &Verdict<M>) -> String {
    let result = match verdict {
        Verdict::Mate { line, .. } => words(line),
        Verdict::NoMate => "nomate".to_owned(),
        Verdict::Unknown => "timeout".to_owned(),
    };
    format!("checkmate {result}")
}

fn words<M: Display>(moves: &[M]) -> String {
    let texts: Vec<_> = moves.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn report(score: Score) -> Report<&'static str> {
        Report {
            line: 2,
            depth: 7,
            selective_depth: Some(12),
            score,
            win_rate: None,
            nodes: 900,
            time: Duration::from_millis(300),
            hash_full: Some(15),
            moves: vec!["7g7f", "3c3d"],
        }
    }

    #[test]
    fn a_report_names_everything_it_knows_with_the_moves_last() {
        assert_eq!(
            info(Protocol::Usi, &report(Score::Centipawns(-31)), true),
            "info depth 7 seldepth 12 multipv 2 score cp -31 nodes 900 nps 3000 hashfull 15 \
             time 300 pv 7g7f 3c3d"
        );
        let bare = Report {
            selective_depth: None,
            hash_full: None,
            time: Duration::ZERO,
            moves: Vec::new(),
            ..report(Score::Mate(3))
        };
        assert_eq!(info(Protocol::Usi, &bare, false), "info depth 7 score mate 3 nodes 900 time 0");
        assert_eq!(info(Protocol::Uci, &bare, false), "info depth 7 score mate 2 nodes 900 time 0");
    }

    #[test]
    fn a_remark_stays_on_its_line() {
        assert_eq!(remark("no\r\nbestmove  7g7f\n"), "info string no bestmove 7g7f");
    }

    #[test]
    fn answers_are_moves_or_words() {
        let usi = |answer: &Answer<&str>| best_move(Protocol::Usi, answer);
        assert_eq!(usi(&Answer::play("7g7f")), "bestmove 7g7f");
        let expecting = Answer::Play { mv: "7g7f", ponder: Some("3c3d") };
        assert_eq!(usi(&expecting), "bestmove 7g7f ponder 3c3d");
        assert_eq!(usi(&Answer::Resign), "bestmove resign");
        assert_eq!(usi(&Answer::Win), "bestmove win");
        let mate = Verdict::Mate { line: vec!["G*5b", "5a4a"], within: 3, shortest: true };
        assert_eq!(checkmate(&mate), "checkmate G*5b 5a4a");
        assert_eq!(checkmate(&Verdict::<&str>::NoMate), "checkmate nomate");
        assert_eq!(checkmate(&Verdict::<&str>::Unknown), "checkmate timeout");
    }
}
