//! Training as a whole: configuration, learning, resuming, evaluating.

mod config;
