#![doc = include_str!("../README.md")]
#![allow(missing_docs, reason = "the macros make items of their own")]
#![allow(deprecated, reason = "tsify leaks an argument only where a caller breaks the types")]

pub mod board;
pub mod error;
pub mod explanation;
pub mod game;
pub mod games;
pub mod library;
pub mod mark;
pub mod mate;
pub mod network;
pub mod player;
pub mod record;
pub mod rules;
pub mod setup;
pub mod tree;
pub mod usi;

use wasm_bindgen::prelude::wasm_bindgen;

/// A panic is a bug: its message becomes that of the error that a caller sees.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
