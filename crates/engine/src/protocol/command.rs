//! The commands that a GUI sends, in the words of USI or UCI.

use std::iter::Peekable;
use std::str::SplitWhitespace;
use std::time::Duration;

use keisei_game::Side;

use crate::{Clock, Limits, Protocol};

impl Protocol {
    /// The greeting, which is also the protocol's name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Usi => "usi",
            Self::Uci => "uci",
        }
    }

    pub(super) fn new_game(self) -> &'static str {
        match self {
            Self::Usi => "usinewgame",
            Self::Uci => "ucinewgame",
        }
    }

    /// The side that is called Black.
    pub(super) fn black(self) -> Side {
        match self {
            Self::Usi => Side::First,
            Self::Uci => Side::Second,
        }
    }

    /// The answer where no move can be given. UCI has no word for giving up.
    pub(super) fn no_move(self) -> &'static str {
        match self {
            Self::Usi => "bestmove resign",
            Self::Uci => "bestmove (none)",
        }
    }

    /// The distance to a mate that is `plies` away: USI counts plies, UCI moves of the one side.
    pub(super) fn mate_distance(self, plies: i32) -> i32 {
        match self {
            Self::Usi => plies,
            Self::Uci => plies / 2 + plies % 2,
        }
    }

    /// The word for an option that names a file.
    pub(super) fn file_type(self) -> &'static str {
        match self {
            Self::Usi => "filename",
            Self::Uci => "string",
        }
    }
}

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

/// What to do, and what of the command was not understood.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Go {
    pub(super) limits: Limits,
    /// Look for mates only, for at most the time inside.
    pub(super) mate: Option<Option<Duration>>,
    pub(super) complaints: Vec<String>,
}

/// No clock is longer than this; so times can be added without care.
const A_YEAR: u64 = 365 * 24 * 3600 * 1000;

impl Go {
    pub(super) fn parse(protocol: Protocol, text: &str) -> Self {
        let mut reader = Reader { words: text.split_whitespace().peekable(), go: Self::default() };
        while let Some(word) = reader.words.next() {
            reader.read(protocol, word);
        }
        reader.go
    }
}

struct Reader<'a> {
    words: Peekable<SplitWhitespace<'a>>,
    go: Go,
}

impl Reader<'_> {
    fn read(&mut self, protocol: Protocol, word: &str) {
        let black = protocol.black();
        match word {
            "infinite" => self.go.limits.infinite = true,
            "ponder" => self.go.limits.ponder = true,
            "btime" => self.time(word, |clock, time| clock.left[black] = time),
            "wtime" => self.time(word, |clock, time| clock.left[!black] = time),
            "binc" => self.time(word, |clock, time| clock.increment[black] = time),
            "winc" => self.time(word, |clock, time| clock.increment[!black] = time),
            "byoyomi" => self.time(word, |clock, time| clock.byoyomi = time),
            "movestogo" => {
                if let Some(moves) = self.number(word).filter(|&moves| moves > 0) {
                    self.clock().moves_to_go = Some(moves.try_into().unwrap_or(u32::MAX));
                }
            }
            "movetime" => self.go.limits.move_time = self.number(word).map(milliseconds),
            "nodes" => self.go.limits.nodes = self.number(word).map(|nodes| nodes.max(1)),
            "depth" => self.go.limits.depth = self.number(word).map(plies),
            "mate" if protocol == Protocol::Usi => {
                let unlimited = self.words.next_if_eq(&"infinite").is_some();
                let limited = !unlimited && self.words.peek().is_some();
                let time = limited.then(|| self.number(word)).flatten();
                self.go.mate = Some(time.map(milliseconds));
            }
            // Mate in so many moves of ours: the search need not look further.
            "mate" => {
                let moves = self.number(word);
                self.go.limits.depth = moves.map(|n| plies(n.saturating_mul(2).saturating_sub(1)));
            }
            "searchmoves" => {
                while let Some(mv) = self.words.next_if(|word| is_move_like(word)) {
                    self.go.limits.search_moves.push(mv.to_owned());
                }
            }
            _ => self.complain(format!("go: {word:?} is not understood")),
        }
    }

    fn time(&mut self, word: &str, set: impl FnOnce(&mut Clock, Duration)) {
        if let Some(number) = self.number(word) {
            set(self.clock(), milliseconds(number));
        }
    }

    fn clock(&mut self) -> &mut Clock {
        self.go.limits.clock.get_or_insert_default()
    }

    /// The number after `word`. What is below 0, as an overstepped clock may be, counts as 0.
    fn number(&mut self, word: &str) -> Option<u64> {
        let Some(text) = self.words.peek().copied() else {
            self.complain(format!("go: a number is missing after {word}"));
            return None;
        };
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            self.complain(format!("go: {word} needs a number, not {text:?}"));
            return None;
        }
        self.words.next();
        let negative = text.starts_with('-');
        Some(if negative { 0 } else { digits.parse().unwrap_or(u64::MAX) })
    }

    fn complain(&mut self, complaint: String) {
        self.go.complaints.push(complaint);
    }
}

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number.min(A_YEAR))
}

fn plies(number: u64) -> u32 {
    number.clamp(1, u64::from(u32::MAX)) as u32
}

/// Whether a word after `searchmoves` is a move: all of them have digits, no word of `go` has.
fn is_move_like(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use keisei_game::BySide;

    use super::*;

    #[test]
    fn uci_counts_mates_in_moves_and_usi_in_plies() {
        let both =
            |plies| [Protocol::Usi, Protocol::Uci].map(|dialect| dialect.mate_distance(plies));
        assert_eq!(both(1), [1, 1]);
        assert_eq!(both(5), [5, 3]);
        assert_eq!(both(-2), [-2, -1]);
        assert_eq!(both(-4), [-4, -2]);
    }

    fn command(line: &str) -> Command<'_> {
        Command::parse(Protocol::Usi, line)
    }

    #[test]
    fn each_dialect_knows_its_own_greeting_and_new_game() {
        assert_eq!(command("usi"), Command::Identify);
        assert_eq!(command("usinewgame"), Command::NewGame);
        assert_eq!(command("uci"), Command::Unknown);
        assert_eq!(Command::parse(Protocol::Uci, "uci"), Command::Identify);
        assert_eq!(Command::parse(Protocol::Uci, "ucinewgame"), Command::NewGame);
        assert_eq!(Command::parse(Protocol::Uci, "usi"), Command::Unknown);
    }

    #[test]
    fn blanks_around_and_between_words_do_not_matter() {
        assert_eq!(command("  go \t btime 1\r"), Command::Go("btime 1"));
        assert_eq!(command("stop \r\n"), Command::Stop);
        assert_eq!(command(""), Command::Unknown);
    }

    #[test]
    fn names_and_values_of_options_may_have_blanks_inside() {
        let option = |line| match command(line) {
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

    fn usi_go(text: &str) -> Go {
        let go = Go::parse(Protocol::Usi, text);
        assert_eq!(go.complaints, [""; 0], "{text}");
        go
    }

    const fn ms(number: u64) -> Duration {
        Duration::from_millis(number)
    }

    #[test]
    fn clocks_belong_to_the_sides_of_the_game() {
        let line = "btime 1000 wtime 2000 binc 30 winc 40 movestogo 5";
        let clock = |protocol| Go::parse(protocol, line).limits.clock.unwrap();
        let shogi = clock(Protocol::Usi);
        assert_eq!(shogi.left, BySide([ms(1000), ms(2000)]));
        assert_eq!(shogi.increment, BySide([ms(30), ms(40)]));
        assert_eq!(shogi.moves_to_go, Some(5));
        assert_eq!(clock(Protocol::Uci).left, BySide([ms(2000), ms(1000)]));
    }

    #[test]
    fn byoyomi_nodes_depth_and_time_are_limits() {
        let limits = usi_go("btime 0 wtime 0 byoyomi 500 nodes 7 depth 3 movetime 20").limits;
        assert_eq!(limits.clock.unwrap().byoyomi, ms(500));
        assert_eq!((limits.nodes, limits.depth), (Some(7), Some(3)));
        assert_eq!(limits.move_time, Some(ms(20)));
        assert!(usi_go("infinite").limits.infinite);
        assert!(usi_go("ponder btime 1 wtime 1").limits.ponder);
        assert_eq!(usi_go(""), Go::default());
    }

    #[test]
    fn a_mate_is_sought_for_some_time_or_until_told_to_stop() {
        assert_eq!(usi_go("mate 3000").mate, Some(Some(ms(3000))));
        assert_eq!(usi_go("mate infinite").mate, Some(None));
        assert_eq!(usi_go("mate").mate, Some(None));
        let chess = Go::parse(Protocol::Uci, "mate 3");
        assert_eq!((chess.mate, chess.limits.depth), (None, Some(5)));
    }

    #[test]
    fn strange_numbers_are_brought_into_reach() {
        let limits = usi_go("btime -5 wtime 99999999999999999999999 nodes 0 depth 0").limits;
        assert_eq!(limits.clock.unwrap().left, BySide([ms(0), ms(A_YEAR)]));
        assert_eq!((limits.nodes, limits.depth), (Some(1), Some(1)));
    }

    #[test]
    fn what_is_not_understood_is_named_and_the_rest_is_heeded() {
        let go = Go::parse(Protocol::Uci, "searchmoves e2e4 d2d4 movetime x fast nodes 9 depth");
        let search_moves = ["e2e4", "d2d4"].map(str::to_owned).to_vec();
        assert_eq!(go.limits, Limits { search_moves, ..Limits::nodes(9) });
        assert_eq!(
            go.complaints,
            [
                "go: movetime needs a number, not \"x\"",
                "go: \"x\" is not understood",
                "go: \"fast\" is not understood",
                "go: a number is missing after depth",
            ]
        );
    }
}
