//! What an engine says while it thinks: `info` lines.

use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Duration;

use crate::{Arena, Protocol, Report, Score};

/// The report of an `info` line about `game`. `None` if the line tells no score.
pub(super) fn report<G: Arena>(line: &str, game: &G) -> Option<Report<G::Move>> {
    let mut words = line.split_ascii_whitespace();
    if words.next() != Some("info") {
        return None;
    }
    let mut report = Report {
        line: 1,
        depth: 0,
        selective_depth: None,
        score: Score::Centipawns(0),
        win_rate: None,
        nodes: 0,
        time: Duration::ZERO,
        hash_full: None,
        moves: Vec::new(),
    };
    let mut scored = false;
    while let Some(word) = words.next() {
        match word {
            "multipv" => report.line = number(&mut words)?,
            "depth" => report.depth = number(&mut words)?,
            "seldepth" => report.selective_depth = Some(number(&mut words)?),
            "nodes" => report.nodes = number(&mut words)?,
            "time" => report.time = Duration::from_millis(number(&mut words)?),
            "hashfull" => report.hash_full = Some(number(&mut words)?),
            "score" => {
                report.score = score::<G>(&mut words)?;
                scored = true;
            }
            "wdl" => {
                let [won, drawn, _]: [f32; 3] =
                    [number(&mut words)?, number(&mut words)?, number(&mut words)?];
                report.win_rate = Some((won + drawn / 2.0) / 1000.0);
            }
            "pv" => {
                report.moves = line_of_play(&mut words, game);
                break;
            }
            "string" => break,
            // Whatever else engines tell: `nps`, `currmove`, `tbhits`, bounds.
            _ => {}
        }
    }
    scored.then_some(report)
}

fn number<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

/// Chess engines count mates in moves, shogi engines in plies.
fn score<G: Arena>(words: &mut SplitAsciiWhitespace<'_>) -> Option<Score> {
    match (words.next()?, G::PROTOCOL) {
        ("cp", _) => number(words).map(Score::Centipawns),
        ("mate", Protocol::Usi) => number(words).map(Score::Mate),
        ("mate", Protocol::Uci) => {
            let moves: i32 = number(words)?;
            Some(Score::Mate(moves.saturating_mul(2) - i32::from(moves > 0)))
        }
        _ => None,
    }
}

/// The moves that follow, as far as they can be played.
fn line_of_play<G: Arena>(words: &mut SplitAsciiWhitespace<'_>, game: &G) -> Vec<G::Move> {
    let mut game = game.clone();
    let play = |word| {
        let mv = game.parse_move(word).ok()?;
        game.play(mv).ok()?;
        Some(mv)
    };
    words.map_while(play).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_chess::Chess;
    use keisei_game::Game;
    use keisei_shogi::Shogi;

    #[test]
    fn a_line_of_shogi_is_read_with_all_it_tells() {
        let line = "info depth 12 seldepth 20 multipv 2 score cp -31 lowerbound nodes 900 nps 1 \
                    hashfull 17 time 250 pv 7g7f 3c3d 9a9z 2g2f";
        let report = report(line, &Shogi::new()).unwrap();
        assert_eq!((report.line, report.depth, report.selective_depth), (2, 12, Some(20)));
        assert_eq!((report.score, report.nodes), (Score::Centipawns(-31), 900));
        assert_eq!((report.hash_full, report.time), (Some(17), Duration::from_millis(250)));
        let moves: Vec<_> = report.moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["7g7f", "3c3d"], "as far as the moves are legal");
    }

    #[test]
    fn mates_are_counted_in_plies() {
        let mate = |number: &str| {
            let line = format!("info depth 1 score mate {number} wdl 1000 0 0 pv e2e4");
            (report(&line, &Chess::new()).map(|report| report.score), {
                let line = format!("info score mate {number} pv 7g7f");
                report(&line, &Shogi::new()).map(|report| report.score)
            })
        };
        assert_eq!(mate("3"), (Some(Score::Mate(5)), Some(Score::Mate(3))));
        assert_eq!(mate("-3"), (Some(Score::Mate(-6)), Some(Score::Mate(-3))));
    }

    #[test]
    fn chances_become_a_rate() {
        let report = report("info score cp 5 wdl 500 300 200", &Chess::new()).unwrap();
        assert_eq!(report.win_rate, Some(0.65));
    }

    #[test]
    fn lines_without_a_score_report_nothing() {
        for line in
            ["info string score cp 5", "info depth 3 currmove 7g7f", "info", "bestmove 7g7f"]
        {
            assert!(report(line, &Shogi::new()).is_none(), "{line}");
        }
        assert!(report("info depth x score cp 1", &Shogi::new()).is_none());
    }
}
