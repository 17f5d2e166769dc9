//! Results, and the reasons that the Termination tag gives for them.

use keisei_chess::Position;
use keisei_game::Side;

use crate::Ending;

/// The result that ends the movetext.
pub(super) fn result(ending: Option<Ending>, mover: Side) -> &'static str {
    match ending.and_then(|ending| ending.outcome(mover)).map(|outcome| outcome.winner()) {
        Some(Some(Side::First)) => "1-0",
        Some(Some(Side::Second)) => "0-1",
        Some(None) => "1/2-1/2",
        None => "*",
    }
}

/// The text of the Termination tag for an ending: the standard's words where it has any.
pub(super) fn termination(ending: Ending) -> String {
    match ending {
        Ending::Interruption => "unterminated".to_owned(),
        Ending::IllegalMove => "rules infraction".to_owned(),
        Ending::LossByDefault => "abandoned".to_owned(),
        other => other.to_string(),
    }
}

/// The ending that a result means at the end of a game, with the text of the Termination tag, and
/// whether that text is used up by it.
pub(super) fn read(result: &str, tag: Option<&str>, last: &Position) -> (Option<Ending>, bool) {
    let mover: Side = last.turn().into();
    let named = Ending::ALL.into_iter().find(|&ending| {
        let same = tag.is_some_and(|text| text.eq_ignore_ascii_case(&termination(ending)));
        same && self::result(Some(ending), mover) == result
    });
    if named.is_some() {
        return (named, true);
    }
    let (over, in_check) = (!last.has_legal_moves(), last.in_check());
    let ending = match result {
        "1/2-1/2" if over && !in_check => Ending::Stalemate,
        "1/2-1/2" => Ending::Draw,
        "1-0" | "0-1" => {
            let winner = if result == "1-0" { Side::First } else { Side::Second };
            if over && in_check && winner != mover {
                Ending::Checkmate
            } else {
                Ending::Won(winner)
            }
        }
        _ => return (None, false),
    };
    (Some(ending), false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ending_is_read_back_from_its_result_and_its_termination() {
        let last = Position::start();
        for ending in Ending::ALL {
            let result = result(Some(ending), Side::First);
            let tag = termination(ending);
            assert_eq!(read(result, Some(&tag), &last), (Some(ending), true), "{tag}");
        }
    }

    #[test]
    fn a_mate_or_stalemate_on_the_board_needs_no_termination() {
        let mate: Position = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert_eq!(read("1-0", None, &mate), (Some(Ending::Checkmate), false));
        assert_eq!(read("0-1", None, &mate), (Some(Ending::Won(Side::Second)), false));
        let stalemate: Position = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1".parse().unwrap();
        assert_eq!(read("1/2-1/2", Some("Normal"), &stalemate).0, Some(Ending::Stalemate));
        assert_eq!(read("*", None, &mate), (None, false));
    }
}
