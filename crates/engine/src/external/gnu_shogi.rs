//! GNU Shogi, which speaks a language of its own.
//!
//! Before every move the entire position is set up with its `edit` command, so that it never
//! follows another game than ours. An empty line makes it move at once.

use std::time::Duration;

use super::clock::{Deadline, Say, move_time};
use super::process::Process;
use super::{Launch, Patience, illegal, other};
use crate::time::plan;
use crate::{Answer, Arena, Limits, Player, PlayerError, Protocol, Report, Signal};

/// The depth that is never reached.
const DEEPEST: u32 = 39;
/// The line after which it takes in a position.
const PROMPT: &str = "enter piece & location:";
/// How often it is looked after while it thinks.
const LOOK: Duration = Duration::from_millis(5);

/// GNU Shogi in a child process.
pub struct GnuShogi {
    name: String,
    process: Process,
    patience: Patience,
}

impl GnuShogi {
    /// Starts the program, which is told to speak as to a graphical board (`-X`).
    pub fn start(launch: &Launch) -> Result<Self, PlayerError> {
        let Launch { name, command, options, patience } = launch;
        if let Some((option, _)) = options.first() {
            return Err(other(name, format!("it has no options, so {option:?} is none")));
        }
        let command: Vec<_> = command.iter().cloned().chain(["-X".to_owned()]).collect();
        let process = Process::start(name, &command, patience.quit)?;
        Ok(Self { name: name.clone(), process, patience: *patience })
    }

    fn answer<G: Arena>(&self, text: &str, game: &G) -> Result<Answer<G::Move>, PlayerError> {
        let mv = game.parse_move(text).map_err(|error| illegal(&self.name, text, error))?;
        Ok(Answer::play(mv))
    }
}

impl<G: Arena> Player<G> for GnuShogi {
    fn name(&self) -> &str {
        &self.name
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        _: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        if G::PROTOCOL != Protocol::Usi {
            return Err(other(&self.name, format!("it does not play {}", G::NAME)));
        }
        let sfen = game.notation();
        let position = position_commands(&sfen)
            .ok_or_else(|| other(&self.name, format!("the position {sfen:?} cannot be told")))?;
        let depth = limits.depth.unwrap_or(DEEPEST).clamp(1, DEEPEST);
        let edit = format!("depth\n{depth}\nnew\nedit");
        // What it says before it asks for the position belongs to an earlier game.
        let asks = |line: &str| line.contains(PROMPT).then_some(());
        self.process.ask(&edit, self.patience.ready, asks)?;
        self.process.send(&position)?;
        // It is told nothing of clocks: we say when its time is up.
        let known = Limits {
            move_time: move_time(&Limits { nodes: None, ..limits.clone() }),
            ..limits.clone()
        };
        let plan = plan(&known, game.turn(), game.ply());
        let timed = Limits { move_time: plan.map(|plan| plan.soft), ..known };
        let mut deadline = Deadline::new(&timed, signal, game.turn(), self.patience);
        loop {
            if let Some(line) = self.process.line_within(LOOK)? {
                match Said::read(&line) {
                    Said::Move(text) => return self.answer(text, game),
                    Said::NoMove => return Ok(Answer::Resign),
                    Said::Refusal => return Err(other(&self.name, line)),
                    Said::Other => {}
                }
            }
            match deadline.say() {
                None | Some(Say::PonderHit) => {}
                Some(Say::Stop) => self.process.send("")?,
                Some(Say::GiveUp) => return Err(self.process.silent("go", deadline.limit())),
            }
        }
    }
}

/// What a line of GNU Shogi means.
#[derive(Debug, PartialEq, Eq)]
enum Said<'a> {
    Move(&'a str),
    /// The game is over in its eyes.
    NoMove,
    /// It does not accept something.
    Refusal,
    Other,
}

impl<'a> Said<'a> {
    fn read(line: &'a str) -> Self {
        let words: Vec<_> = line.split_ascii_whitespace().collect();
        match words[..] {
            [_, "...", text, ..] => Self::Move(text),
            ["Illegal", ..] => Self::Refusal,
            [_, "mates!"] | ["Drawn", "game!"] | [.., "Resigns." | "Resigns"] => Self::NoMove,
            _ => Self::Other,
        }
    }
}

/// The commands that put the pieces of `sfen` on an empty board and let the side to move think.
fn position_commands(sfen: &str) -> Option<String> {
    let mut fields = sfen.split(' ');
    let (board, turn, hands) = (fields.next()?, fields.next()?, fields.next()?);
    let mut pieces = Vec::new();
    for (row, rank) in board.split('/').zip('a'..='i') {
        let mut file: u32 = 9;
        let mut promoted = "";
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                file = file.checked_sub(empty)?;
            } else if letter == '+' {
                promoted = "+";
            } else {
                pieces.push((letter, format!("{file}{rank}{promoted}")));
                (file, promoted) = (file.checked_sub(1)?, "");
            }
        }
    }
    let mut count = 0;
    for letter in hands.chars().filter(|letter| *letter != '-') {
        match letter.to_digit(10) {
            Some(digit) => count = count * 10 + digit,
            None => {
                for _ in 0..std::mem::take(&mut count).max(1) {
                    pieces.push((letter, "*".to_owned()));
                }
            }
        }
    }
    let of = |black: bool| {
        let own = pieces.iter().filter(move |(letter, _)| letter.is_uppercase() == black);
        own.map(|(letter, place)| format!("{}{place}\n", letter.to_ascii_uppercase()))
            .collect::<String>()
    };
    let turn = if turn == "b" { "black" } else { "white" };
    Some(format!("#\n{}c\n{}.\n{turn}\ngo", of(true), of(false)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_become_commands_piece_by_piece() {
        let commands = position_commands("4k4/9/4+P4/9/9/9/9/9/4K3+l w 2Pg 1").unwrap();
        let lines: Vec<_> = commands.lines().collect();
        let expected =
            ["#", "P5c+", "K5i", "P*", "P*", "c", "K5a", "L1i+", "G*", ".", "white", "go"];
        assert_eq!(lines, expected);
        assert!(position_commands("4k4").is_none());
    }

    #[test]
    fn its_lines_are_understood() {
        assert_eq!(Said::read("12. ... 9b9i+ 298980"), Said::Move("9b9i+"));
        assert_eq!(Said::read("White mates!"), Said::NoMove);
        assert_eq!(Said::read("Illegal move (no match) bogus"), Said::Refusal);
        assert_eq!(Said::read("depth = .   Exit to main"), Said::Other);
        assert_eq!(Said::read(""), Said::Other);
    }
}
