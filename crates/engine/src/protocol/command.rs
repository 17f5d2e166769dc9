//! The commands that a GUI sends.

use crate::Protocol;

/// A line of the GUI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// `usi` or `uci`: who are you, and what can be set?
    Identify,
    IsReady,
    SetOption {
        name: &'a str,
        value: &'a str,
    },
    NewGame,
    /// What follows `position`.
    Position(&'a str),
    /// What follows `go`.
    Go(&'a str),
    Stop,
    /// What follows `ponderhit`: some GUIs send the clocks only here.
    PonderHit(&'a str),
    GameOver,
    Debug(bool),
    Quit,
    /// Nothing that this protocol knows.
    Unknown,
}

impl<'a> Command<'a> {
    pub(super) fn parse(protocol: Protocol, line: &'a str) -> Self {
        let (word, rest) = first_word(line);
        match word {
            "isready" => Self::IsReady,
            "setoption" => set_option(rest).unwrap_or(Self::Unknown),
            "position" => Self::Position(rest),
            "go" => Self::Go(rest),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit(rest),
            "gameover" => Self::GameOver,
            "quit" => Self::Quit,
            "debug" => match rest {
                "on" => Self::Debug(true),
                "off" => Self::Debug(false),
                _ => Self::Unknown,
            },
            _ if word == protocol.name() => Self::Identify,
            _ if word == protocol.new_game() => Self::NewGame,
            _ => Self::Unknown,
        }
    }
}

/// The first word of `text` and what follows, without the blanks around them.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// Reads `name N [value V]`. Both may have blanks inside.
fn set_option(text: &str) -> Option<Command<'_>> {
    let ("name", rest) = first_word(text) else { return None };
    let words = rest.split_inclusive(char::is_whitespace);
    let starts = words.scan(0, |at, word| {
        *at += word.len();
        Some((*at - word.len(), word.trim_end()))
    });
    let split = starts.filter(|&(_, word)| word == "value").map(|(at, _)| at).next();
    let (name, value) = match split {
        Some(at) => (&rest[..at], &rest[at + "value".len()..]),
        None => (rest, ""),
    };
    let name = name.trim();
    (!name.is_empty()).then_some(Command::SetOption { name, value: value.trim() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usi(line: &str) -> Command<'_> {
        Command::parse(Protocol::Usi, line)
    }

    #[test]
    fn each_dialect_knows_its_own_greeting_and_new_game() {
        assert_eq!(usi("usi"), Command::Identify);
        assert_eq!(usi("usinewgame"), Command::NewGame);
        assert_eq!(usi("uci"), Command::Unknown);
        assert_eq!(Command::parse(Protocol::Uci, "uci"), Command::Identify);
        assert_eq!(Command::parse(Protocol::Uci, "ucinewgame"), Command::NewGame);
        assert_eq!(Command::parse(Protocol::Uci, "usi"), Command::Unknown);
    }

    #[test]
    fn blanks_around_and_between_words_do_not_matter() {
        assert_eq!(usi("  go \t btime 1\r"), Command::Go("btime 1"));
        assert_eq!(usi("stop \r\n"), Command::Stop);
        assert_eq!(usi(""), Command::Unknown);
    }

    #[test]
    fn names_and_values_of_options_may_have_blanks_inside() {
        let option = |line| match usi(line) {
            Command::SetOption { name, value } => Some((name, value)),
            _ => None,
        };
        assert_eq!(option("setoption name Move Overhead value 30"), Some(("Move Overhead", "30")));
        assert_eq!(
            option("setoption name EvalFile value C:/my nets/value a.bin"),
            Some(("EvalFile", "C:/my nets/value a.bin"))
        );
        assert_eq!(option("setoption name Clear"), Some(("Clear", "")));
        assert_eq!(option("setoption name X value"), Some(("X", "")));
        assert_eq!(option("setoption name  value 3"), None);
        assert_eq!(option("setoption"), None);
    }
}
