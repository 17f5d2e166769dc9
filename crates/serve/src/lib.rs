#![doc = include_str!("../README.md")]

mod api;
mod connection;
mod guard;
mod metrics;
mod problem;
mod run_folders;
mod server;
mod settings;
mod site;
mod thinker;

pub use api::document;
pub use server::{Server, StartError, Stop, fresh_token, serve};
pub use settings::{Bounds, Settings};
