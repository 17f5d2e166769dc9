//! USI and UCI: one loop, two dialects.
//!
//! [`serve`] reads commands, an [`Engine`] thinks on a thread of its own, and only the thread that
//! called `serve` writes. So `stop`, `ponderhit`, `isready` and `quit` are heard during a search,
//! and lines never mix. Every `go` is answered by exactly one `bestmove` or `checkmate`: with
//! `infinite` and `ponder` not before `stop` or `ponderhit`, and at once when another `go`
//! follows. Mates are looked for by the crate's own solver, whoever the player is.
//!
//! | File | What it does |
//! |---|---|
//! | `session.rs` | the conversation: commands in, lines out, answers held until they are due |
//! | `command.rs` | what a GUI says, `go` and its limits included |
//! | `situation.rs` | `position`: the game that a GUI speaks of |
//! | `options.rs` | `setoption`: values, and the rules that follow from them |
//! | `thinker.rs` | the thread that thinks |
//! | `engine.rs` | who thinks: a network with search, or any player |
//! | `speech.rs` | what is said to the GUI |

mod command;
mod engine;
mod options;
mod session;
mod situation;
mod speech;
mod thinker;

use std::io::{self, BufRead, Write};

use crate::Arena;
use session::Session;

pub use engine::{Engine, NetworkEngine, PlayerEngine};
pub use options::{EngineOption, EngineOptions, EnteringKing, OptionError};

/// Serves a GUI until it says `quit` or leaves. `options` are those that hold until it changes
/// them.
pub fn serve<G: Arena>(
    engine: Box<dyn Engine<G>>,
    options: EngineOptions,
    input: impl BufRead + Send + 'static,
    out: &mut dyn Write,
) -> io::Result<()> {
    Session::new(engine, options, input, out).run()
}
