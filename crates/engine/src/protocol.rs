//! USI and UCI: one loop, two dialects.
//!
//! A session hears commands and says when each `go` is answered: by exactly one `bestmove` or
//! `checkmate`, with `infinite` and `ponder` not before `stop` or `ponderhit`, and at once when
//! another `go` follows. Who thinks is apart from it. At a terminal, `serve` listens and thinks on
//! threads, and only the thread that called it writes, so that `stop`, `ponderhit`, `isready` and
//! `quit` are heard during a search and lines never mix. In a browser a [`HostedEngine`] thinks
//! while its host lets it. Mates are looked for by the crate's own solver, whoever the player is.
//!
//! | File | What it does |
//! |---|---|
//! | `session.rs` | the conversation: commands in, lines and jobs out, answers held until they are due |
//! | `command.rs` | what a GUI says, `go` and its limits included |
//! | `situation.rs` | `position`: the game that a GUI speaks of |
//! | `question.rs` | a `go` made ready to be thought about, and its answer checked |
//! | `options.rs` | `setoption`: values, and the rules that follow from them |
//! | `serve.rs`, `thinker.rs` | a session at a terminal, and the thread that thinks |
//! | `hosted.rs` | a session without threads |
//! | `engine.rs` | who thinks: a network with search, or any player |
//! | `speech.rs` | what is said to the GUI |

mod command;
mod engine;
mod hosted;
mod options;
mod question;
#[cfg(not(target_family = "wasm"))]
mod serve;
mod session;
mod situation;
mod speech;
#[cfg(not(target_family = "wasm"))]
mod thinker;

pub use engine::{Engine, NetworkEngine, NetworkSource, PlayerEngine};
pub use hosted::HostedEngine;
pub use options::{EngineOption, EngineOptions, EnteringKing, OptionError};
#[cfg(not(target_family = "wasm"))]
pub use serve::serve;
