//! Training as a whole: configuration, learning, resuming, evaluating.

mod config;
mod learning;
mod linear;
mod resume;
