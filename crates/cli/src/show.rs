//! `keisei show`: a position and its legal moves.

use std::collections::BTreeMap;
use std::io::Write;

use anyhow::Result;
use clap::Args;
use keisei_game::{Position, Side};
use keisei_games::GameName;
use serde::Serialize;

use crate::pick::{ForAnyGame, game_name};
use crate::start::usage;
use crate::text_game::{SpellingArgs, Style, TextGame, from_text, result};
use crate::words::columns;

/// Print a position: board, side to move, hands, check, and the legal moves
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// The position: SFEN or FEN, `startpos`, a handicap's name, or a whole `position` line with
    /// moves; quotes are not needed
    #[arg(value_name = "POSITION", default_value = "startpos")]
    position: Vec<String>,
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
    /// How the board is printed
    #[arg(long, value_enum, default_value_t)]
    style: Style,
    #[command(flatten)]
    spelling: SpellingArgs,
    /// Print no position, but the game's pieces and their numbers
    #[arg(long, conflicts_with = "json")]
    pieces: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei show
  keisei show two --style kanji --king 王
  keisei show startpos moves 7g7f 3c3d
  keisei show '4k4/9/4P4/9/9/9/9/9/4K4 b G 1' --json
  keisei show --game chess r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

/// What `keisei show --json` prints.
#[derive(Serialize)]
struct Shown {
    game: &'static str,
    position: String,
    turn: &'static str,
    hands: BTreeMap<&'static str, BTreeMap<char, u8>>,
    in_check: bool,
    checkers: Vec<String>,
    outcome: Option<String>,
    moves: Vec<String>,
}

impl ForAnyGame for Show {
    fn game(&self) -> GameName {
        self.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        if self.pieces {
            return Ok(write!(out, "{}", G::piece_table().map_err(usage)?)?);
        }
        let game = from_text::<G>(&self.position.join(" ")).map_err(usage)?;
        let moves = game.legal_moves();
        if self.json {
            let shown = Shown {
                game: G::NAME,
                position: game.notation(),
                turn: G::color(game.turn()),
                hands: Side::ALL
                    .map(|side| (G::color(side), game.hand(side).into_iter().collect()))
                    .into(),
                in_check: game.position().in_check(),
                checkers: game.checkers(),
                outcome: game.outcome().map(result::<G>),
                moves: moves.iter().map(G::Move::to_string).collect(),
            };
            return Ok(writeln!(out, "{}", serde_json::to_string_pretty(&shown)?)?);
        }
        let board = game.board(self.style.into()).map_err(usage)?;
        writeln!(out, "{}", self.spelling.spell(&board))?;
        writeln!(out, "Position: {}", game.notation())?;
        writeln!(out, "Side to move: {}", G::color(game.turn()))?;
        match game.checkers()[..] {
            [] => writeln!(out, "In check: no")?,
            ref squares => writeln!(out, "In check: yes, from {}", squares.join(" and "))?,
        }
        if let Some(outcome) = game.outcome() {
            writeln!(out, "The game is over: {}", result::<G>(outcome))?;
        }
        writeln!(out, "Legal moves: {}", moves.len())?;
        Ok(write!(out, "{}", columns(&game.listed_moves(), G::MOVES_PER_LINE))?)
    }
}
