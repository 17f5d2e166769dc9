//! Training as a whole: configuration, learning, resuming, evaluating, and trouble.

mod config;
mod evaluation;
mod hooks;
mod learning;
mod linear;
mod network;
mod resume;
mod trouble;
