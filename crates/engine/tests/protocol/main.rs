//! The loop of USI and UCI, as GUIs use it and as they should not.

mod fuzz;
mod gui;
mod hosted;
mod mishaps;
mod tester;
mod thinking;
mod transcripts;
