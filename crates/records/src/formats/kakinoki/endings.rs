//! The words with which KIF and KI2 end a line.

use keisei_shogi::Color;

use crate::scan::Cursor;
use crate::{Ending, Problem, ReadError};

/// The word for an ending in a KIF move line, and whether the word says all of it. `None` if no
/// word comes near.
pub(in super::super) const fn ending_word(ending: Ending) -> Option<(&'static str, bool)> {
    Some(match ending {
        Ending::Resignation => ("投了", true),
        Ending::Timeout => ("切れ負け", true),
        Ending::Interruption => ("中断", true),
        Ending::Repetition => ("千日手", true),
        Ending::Impasse => ("持将棋", true),
        // The format has one word for every draw but repetition.
        Ending::Draw | Ending::MaxMoves | Ending::Stalemate => ("持将棋", false),
        Ending::Checkmate => ("詰み", true),
        Ending::NoMate => ("不詰", true),
        Ending::IllegalMove => ("反則負け", true),
        Ending::OpponentIllegalMove => ("反則勝ち", true),
        Ending::Declaration => ("入玉勝ち", true),
        Ending::Try => ("トライ", true),
        Ending::WinByDefault => ("不戦勝", true),
        Ending::LossByDefault => ("不戦敗", true),
        Ending::TakenBack => ("待った", true),
        Ending::Error => ("エラー", true),
        Ending::Won(_) => return None,
    })
}

/// The ending that a word means, if it means one.
pub(in super::super) fn parse_ending_word(word: &str) -> Option<Ending> {
    let exact = |&ending: &Ending| ending_word(ending) == Some((word, true));
    Ending::ALL.into_iter().find(exact).or(match word {
        "詰" => Some(Ending::Checkmate),
        "封じ手" => Some(Ending::Interruption),
        "引き分け" | "引分" => Some(Ending::Draw),
        "最大手数" => Some(Ending::MaxMoves),
        "時間切れ" => Some(Ending::Timeout),
        _ => None,
    })
}

/// Reads what follows まで in `まで87手で先手の勝ち`, when `mover` is to move.
pub(in super::super) fn read_summary(
    mut cursor: Cursor<'_>,
    mover: Color,
) -> Result<Ending, ReadError> {
    cursor.eat("、");
    let mut counted = *cursor.skip_spaces();
    if counted.number().is_some() {
        // A problem ends with まで49手詰.
        if matches!(counted.rest().trim(), "手詰" | "手詰み") {
            return Ok(Ending::Checkmate);
        }
        if counted.skip_spaces().eat("手で") {
            cursor = counted;
        }
    }
    let at = *cursor.skip_spaces();
    let text: String = at.rest().split_whitespace().collect();
    let (late, text) = match text.strip_prefix("時間切れにより") {
        Some(rest) => (true, rest),
        None => (false, text.as_str()),
    };
    let titles = [
        ("先手", Color::Black),
        ("下手", Color::Black),
        ("後手", Color::White),
        ("上手", Color::White),
    ];
    let subject = titles
        .iter()
        .find_map(|&(title, color)| Some((color, text.strip_prefix(title)?.strip_prefix('の')?)));
    let unknown = || at.error(Problem::Unknown("ending"));
    let Some((subject, text)) = subject else {
        return parse_ending_word(text).ok_or_else(unknown);
    };
    Ok(match (text, subject == mover) {
        ("勝ち", false) if late => Ending::Timeout,
        ("勝ち", false) => Ending::Resignation,
        ("勝ち", true) => Ending::Won(mover.into()),
        ("反則勝ち", true) | ("反則負け", false) => Ending::OpponentIllegalMove,
        ("反則負け", true) | ("反則勝ち", false) => Ending::IllegalMove,
        ("入玉勝ち", true) => Ending::Declaration,
        _ => return Err(unknown()),
    })
}

/// What follows まで…手で in KI2 for an ending when `mover` is to move, and whether it says all of
/// it.
pub(in super::super) fn write_summary(ending: Ending, mover: Color) -> Option<(String, bool)> {
    let title = |color| if color == Color::Black { "先手" } else { "後手" };
    let (winner, whole) = match ending {
        Ending::Resignation => (!mover, true),
        Ending::Won(side) => (side.into(), Color::from(side) == mover),
        Ending::Timeout => return Some((format!("時間切れにより{}の勝ち", title(!mover)), true)),
        Ending::Declaration => return Some((format!("{}の入玉勝ち", title(mover)), true)),
        Ending::OpponentIllegalMove => return Some((format!("{}の反則勝ち", title(mover)), true)),
        Ending::IllegalMove => return Some((format!("{}の反則負け", title(mover)), true)),
        _ => return ending_word(ending).map(|(word, whole)| (word.to_owned(), whole)),
    };
    Some((format!("{}の勝ち", title(winner)), whole))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_that_a_word_or_summary_says_wholly_is_read_back() {
        for ending in Ending::ALL {
            if let Some((word, true)) = ending_word(ending) {
                assert_eq!(parse_ending_word(word), Some(ending), "{word}");
            }
            for mover in Color::ALL {
                if let Some((summary, whole)) = write_summary(ending, mover) {
                    let line = format!("87手で{summary}");
                    let read = read_summary(Cursor::new(&line), mover).unwrap();
                    assert_eq!(read == ending, whole, "{line} reads as {read}");
                }
            }
        }
    }

    #[test]
    fn a_summary_names_the_winner_whoever_is_to_move() {
        let read = |text, mover| read_summary(Cursor::new(text), mover).unwrap();
        assert_eq!(read("112手で後手の勝ち", Color::Black), Ending::Resignation);
        assert_eq!(read("112手で上手の勝ち", Color::Black), Ending::Resignation);
        assert_eq!(read("、112手で先手の反則負け", Color::White), Ending::OpponentIllegalMove);
        assert_eq!(read("千日手", Color::Black), Ending::Repetition);
        assert_eq!(read("49手詰", Color::White), Ending::Checkmate);
        assert!(read_summary(Cursor::new("12手で何か"), Color::Black).is_err());
    }
}
