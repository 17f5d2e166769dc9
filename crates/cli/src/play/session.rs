//! A game at the terminal, from the first move to the last.

use std::io::{BufRead, Write};
use std::path::Path;

use anyhow::Result;
use keisei_game::{BySide, Reason};

use super::command::Command;
use super::{Player, record};
use crate::record_file::Target;
use crate::text_game::{Style, TextGame, result};
use crate::words::{columns, counted};

/// A game with its players, and the terminal they sit at.
pub(super) struct Session<'a, G> {
    pub(super) game: G,
    pub(super) players: BySide<Player>,
    pub(super) style: Style,
    pub(super) save: Option<Target>,
    pub(super) input: &'a mut dyn BufRead,
    pub(super) out: &'a mut dyn Write,
}

/// Whether the session goes on.
enum Next {
    Go,
    Leave,
}

impl<G: TextGame> Session<'_, G> {
    /// Plays until the game is over or the person leaves.
    pub(super) fn run(mut self) -> Result<()> {
        // A file that cannot be written is better known before the game than after it.
        self.autosave()?;
        if self.has_human() {
            writeln!(self.out, "Type a move, or `help`.")?;
        }
        self.print_board()?;
        self.announce_ending()?;
        loop {
            let moves = self.game.legal_moves();
            match self.players[self.game.turn()].choose(&moves) {
                Some(mv) => self.play(mv)?,
                None if self.has_human() => match self.ask()? {
                    Next::Go => {}
                    Next::Leave => break,
                },
                None => break,
            }
            self.autosave()?;
        }
        match self.save.take() {
            Some(target) => self.save_to(&target),
            None => Ok(()),
        }
    }

    /// Keeps the file up to date, so that an interruption loses nothing.
    fn autosave(&self) -> Result<()> {
        let Some(target) = &self.save else { return Ok(()) };
        record::save(&self.game, &self.names(), false, target).map(drop)
    }

    /// Writes the game and says so, with what the format cannot hold.
    fn save_to(&mut self, target: &Target) -> Result<()> {
        let lost = record::save(&self.game, &self.names(), true, target)?;
        for loss in lost {
            writeln!(self.out, "{} cannot hold: {loss}", target.format)?;
        }
        Ok(writeln!(self.out, "saved to {}", target.path.display())?)
    }

    fn names(&self) -> BySide<String> {
        let [first, second] = &self.players.0;
        BySide([first.to_string(), second.to_string()])
    }

    fn has_human(&self) -> bool {
        self.players.0.iter().any(|player| matches!(player, Player::Human))
    }

    /// Whether a person is to do something: move, or look at a finished game.
    fn is_human_turn(&self) -> bool {
        let to_move = matches!(self.players[self.game.turn()], Player::Human);
        to_move || self.game.outcome().is_some() && self.has_human()
    }

    /// Plays `mv` and says so, or leaves the game as it is.
    fn play(&mut self, mv: G::Move) -> Result<()> {
        let before = self.game.clone();
        self.game.play(mv)?;
        let played = self.game.moves().last().copied().unwrap_or(mv);
        let color = G::color(before.turn());
        writeln!(self.out, "{color} moves: {}", before.announced(played, self.style))?;
        // A person needs the board once, when it is their turn.
        if !self.has_human() || self.is_human_turn() {
            self.print_board()?;
        }
        self.announce_ending()
    }

    fn print_board(&mut self) -> Result<()> {
        Ok(writeln!(self.out, "{}", self.game.board(self.style)?)?)
    }

    fn announce_ending(&mut self) -> Result<()> {
        let Some(outcome) = self.game.outcome() else { return Ok(()) };
        if matches!(outcome.reason(), Reason::Checkmate | Reason::NoMoves) {
            let color = G::color(self.game.turn());
            write!(self.out, "No legal moves left for {color}. ")?;
        }
        Ok(writeln!(self.out, "Game over!\n{}", result::<G>(outcome))?)
    }

    /// Asks the person for one line and does what it says.
    fn ask(&mut self) -> Result<Next> {
        match self.game.outcome() {
            Some(_) => write!(self.out, "undo, save FILE, or Enter to leave> ")?,
            None => write!(self.out, "{} to move> ", G::color(self.game.turn()))?,
        }
        self.out.flush()?;
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(Next::Leave);
        }
        self.obey(Command::read(&String::from_utf8_lossy(&line)))
    }

    fn obey(&mut self, command: Command<'_>) -> Result<Next> {
        let over = self.game.outcome();
        match (command, over) {
            (Command::Quit, _) | (Command::Nothing, Some(_)) => return Ok(Next::Leave),
            (Command::Nothing, None) => {}
            (Command::Move(_) | Command::Resign, Some(outcome)) => {
                writeln!(self.out, "The game is over: {}.", result::<G>(outcome))?;
            }
            (Command::Move(text), None) => match self.read_move(text) {
                Ok(mv) => self.play(mv)?,
                Err(error) => writeln!(self.out, "{error:#}")?,
            },
            (Command::Resign, None) => {
                let turn = self.game.turn();
                writeln!(self.out, "{} resigns.", G::color(turn))?;
                self.game.resign(turn);
                self.announce_ending()?;
            }
            (Command::Claim, _) => match self.game.claim() {
                Ok(()) => self.announce_ending()?,
                Err(error) => writeln!(self.out, "{error:#}")?,
            },
            (Command::Moves(part), _) => self.list_moves(part)?,
            (Command::Undo, _) => self.undo()?,
            (Command::Board, _) => self.print_board()?,
            (Command::Help, _) => {
                writeln!(self.out, "Moves:\n{}\nCommands:\n{}", G::MOVE_HELP, Command::HELP)?;
            }
            (Command::Save(file), _) => {
                let target = Target::new(Path::new(file), None, None);
                if let Err(error) = target.and_then(|target| self.save_to(&target)) {
                    writeln!(self.out, "{error:#}")?;
                }
            }
        }
        Ok(Next::Go)
    }

    /// Reads a move and makes sure that it can be played.
    fn read_move(&self, text: &str) -> Result<G::Move> {
        let mv = self.game.read_move(text)?;
        self.game.clone().play(mv)?;
        Ok(mv)
    }

    fn list_moves(&mut self, part: &str) -> Result<()> {
        let moves = self.game.legal_moves().into_iter().map(|mv| mv.to_string());
        let mut moves: Vec<_> = moves.filter(|mv| mv.contains(part)).collect();
        moves.sort();
        writeln!(self.out, "{}", counted(moves.len(), "legal move"))?;
        Ok(write!(self.out, "{}", columns(&moves, 10))?)
    }

    /// Goes back to the last position in which a person was to move.
    fn undo(&mut self) -> Result<()> {
        let mut earlier = self.game.clone();
        while earlier.undo().is_some() {
            if matches!(self.players[earlier.turn()], Player::Human) {
                self.game = earlier;
                return self.print_board();
            }
        }
        Ok(writeln!(self.out, "There is no move of yours to take back.")?)
    }
}
