//! A game at the terminal, from the first move to the last.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use keisei_analysis::evaluation_after;
use keisei_engine::{Answer, Limits, Report};
use keisei_game::{BoardStyle, BySide, Reason, Side};

use super::command::Command;
use super::record::Recorder;
use super::seat::{Seat, thought};
use super::terminal::{Event, Terminal};
use crate::record_file::Target;
use crate::text_game::{SpellingArgs, TextGame, result};
use crate::words::{columns, counted};

/// A game with its players, and the terminal they sit at.
pub(super) struct Session<'a, G: TextGame> {
    pub(super) game: G,
    pub(super) players: BySide<Seat<G>>,
    /// The limits of the programs.
    pub(super) limits: Limits,
    pub(super) style: BoardStyle,
    pub(super) spelling: SpellingArgs,
    /// Whether to print what programs think.
    pub(super) eval: bool,
    /// The seed to tell, if nobody chose it.
    pub(super) told_seed: Option<u64>,
    pub(super) recorder: Recorder<G>,
    pub(super) save: Option<Target>,
    pub(super) terminal: Terminal,
    pub(super) out: &'a mut dyn Write,
}

/// Whether the session goes on.
#[derive(PartialEq)]
enum Next {
    Go,
    Leave,
}

impl<G: TextGame> Session<'_, G> {
    /// Plays until the game is over or the person leaves.
    pub(super) fn run(mut self) -> Result<()> {
        // A file that cannot be written is better known before the game than after it.
        self.autosave()?;
        if let Some(seed) = self.told_seed {
            writeln!(self.out, "The random moves are those of --seed {seed}.\n")?;
        }
        let played = self.play_on();
        // Whatever went wrong, the game is kept as far as it came.
        let saved = match self.save.take() {
            Some(target) => self.save_to(&target),
            None => Ok(()),
        };
        played.and(saved)
    }

    fn play_on(&mut self) -> Result<()> {
        for seat in &mut self.players.0 {
            if let Seat::Program(player) = seat {
                player.new_game()?;
            }
        }
        if self.has_human() {
            writeln!(self.out, "Type a move, or `help`.")?;
        }
        self.print_board()?;
        self.announce_ending()?;
        loop {
            let next = if self.is_human_turn() {
                self.ask()?
            } else if self.game.outcome().is_none() {
                self.think()?
            } else {
                Next::Leave
            };
            if next == Next::Leave {
                return Ok(());
            }
            self.autosave()?;
        }
    }

    /// Lets the program whose turn it is choose.
    fn think(&mut self) -> Result<Next> {
        let turn = self.game.turn();
        let Seat::Program(player) = &mut self.players[turn] else { return Ok(Next::Go) };
        let signal = self.terminal.signal();
        let mut last: Option<Report<G::Move>> = None;
        let mut note = |report: &Report<G::Move>| {
            if report.line == 1 {
                last = Some(report.clone());
            }
        };
        let answer = player.think(&self.game, &self.limits, &signal, &mut note)?;
        if self.terminal.was_interrupted() {
            return Ok(Next::Leave);
        }
        let color = G::color(turn);
        if let Some(report) = last.as_ref().filter(|_| self.eval) {
            writeln!(self.out, "{color} thinks: {}", thought(report))?;
        }
        match answer {
            Answer::Play { mv, .. } => {
                let evaluation = last.and_then(|report| evaluation_after::<G>(&report, turn, mv));
                self.recorder.note(self.game.moves().len(), evaluation);
                self.play(mv)?;
            }
            Answer::Resign => self.resign()?,
            Answer::Win => {
                writeln!(self.out, "{color} declares a win.")?;
                self.game.claim()?;
                self.announce_ending()?;
            }
        }
        Ok(Next::Go)
    }

    /// The side to move gives up.
    fn resign(&mut self) -> Result<()> {
        let turn = self.game.turn();
        writeln!(self.out, "{} resigns.", G::color(turn))?;
        self.game.resign(turn);
        self.announce_ending()
    }

    /// Keeps the file up to date, so that an interruption loses nothing.
    fn autosave(&self) -> Result<()> {
        let Some(target) = &self.save else { return Ok(()) };
        self.recorder.save(&self.game, false, target).map(drop)
    }

    /// Writes the game and says so, with what the format cannot hold.
    fn save_to(&mut self, target: &Target) -> Result<()> {
        let lost = self.recorder.save(&self.game, true, target)?;
        for loss in lost {
            writeln!(self.out, "{} cannot hold: {loss}", target.format)?;
        }
        Ok(writeln!(self.out, "saved to {}", target.path.display())?)
    }

    fn has_human(&self) -> bool {
        self.players.0.iter().any(Seat::is_person)
    }

    /// Whether a person is to do something: move, or look at a finished game.
    fn is_human_turn(&self) -> bool {
        match self.game.outcome() {
            None => self.players[self.game.turn()].is_person(),
            Some(_) => self.has_human(),
        }
    }

    /// Plays `mv` and says so, or leaves the game as it is.
    fn play(&mut self, mv: G::Move) -> Result<()> {
        let before = self.game.clone();
        self.game.play(mv)?;
        let played = self.game.moves().last().copied().unwrap_or(mv);
        let color = G::color(before.turn());
        let announced = self.spelling.spell(&before.announced(played, self.style));
        writeln!(self.out, "{color} moves: {announced}")?;
        // A person needs the board once, when it is their turn.
        if !self.has_human() || self.is_human_turn() {
            self.print_board()?;
        }
        self.announce_ending()
    }

    fn print_board(&mut self) -> Result<()> {
        let board = self.spelling.spell(&self.game.board(self.style)?);
        Ok(writeln!(self.out, "{board}")?)
    }

    fn announce_ending(&mut self) -> Result<()> {
        let Some(outcome) = self.game.outcome() else { return Ok(()) };
        for side in Side::ALL {
            if let Seat::Program(player) = &mut self.players[side] {
                player.end_game(&self.game, side)?;
            }
        }
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
        match self.terminal.next() {
            Event::Line(line) => self.obey(Command::read(&String::from_utf8_lossy(&line))),
            Event::Leave => {
                writeln!(self.out)?;
                Ok(Next::Leave)
            }
        }
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
            (Command::Resign, None) => self.resign()?,
            (Command::Claim, _) => match self.game.claim() {
                Ok(_) => self.announce_ending()?,
                Err(error) => writeln!(self.out, "{error:#}")?,
            },
            (Command::Moves(part), _) => self.list_moves(part)?,
            (Command::Undo, _) => self.undo()?,
            (Command::Board, _) => self.print_board()?,
            (Command::Help, _) => {
                writeln!(self.out, "Moves:\n{}\nCommands:\n{}", G::MOVE_HELP, Command::HELP)?;
            }
            (Command::Save(""), _) => writeln!(self.out, "save FILE: name a file")?,
            (Command::Save(file), _) => {
                let target = Target::for_game::<G>(Path::new(file));
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
            if self.players[earlier.turn()].is_person() {
                self.game = earlier;
                return self.print_board();
            }
        }
        Ok(writeln!(self.out, "There is no move of yours to take back.")?)
    }
}
