//! Players with a network: by its policy alone, or with search.

mod load;
mod policy;
mod searching;

pub use load::{LoadError, SHIPPED, find_weights, load_network, shipped_network};
pub use policy::{PolicyChoice, PolicyPlayer};
pub use searching::SearchPlayer;
