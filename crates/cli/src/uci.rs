//! `keisei uci`: a chess engine for GUIs.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use keisei_chess::Chess;

use crate::players::help;
use crate::usi::Who;

/// Play as an engine in a chess GUI, over UCI on standard input and output
#[derive(Args)]
#[command(after_help = help(EXAMPLES))]
pub(crate) struct Uci {
    #[command(flatten)]
    who: Who,
}

const EXAMPLES: &str = "\
Examples:
  keisei uci
  keisei uci --model runs/chess-1
  keisei uci --player ab:3,quiescence

Without --model and --player, the built-in network plays.
In a GUI that takes no arguments, add a script that starts the program so.";

impl Uci {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        self.who.serve::<Chess>(out)
    }
}
