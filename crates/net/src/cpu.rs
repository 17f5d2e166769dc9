//! The arithmetic of the network on a CPU, written for boards.

mod arrangement;
mod backward;
mod floats;
mod moments;
mod network;
mod pool;
mod product;
pub(crate) mod simd;
mod sparse;
mod tape;
mod winograd;

pub(crate) use backward::{Slopes, add};
pub(crate) use floats::Floats;
pub(crate) use moments::Moments;
pub(crate) use network::Network;
pub(crate) use tape::{BATCH, Tape};
