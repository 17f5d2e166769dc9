//! Processes that work together, which MPI calls ranks: how they talk, how they add up numbers, and
//! how they notice that one of them is gone.
//!
//! Whoever works among ranks sees a [`Communicator`]. [`Alone`] is that of a single process and
//! costs nothing; [`Threads`] are ranks within one process, for tests; the crate `keisei-mpi` has
//! those that `mpirun` or `srun` started. All collective operations are written once, over messages
//! between two ranks, so that what holds for one kind of ranks holds for all.
//!
//! # The order of sums
//!
//! Floating-point sums depend on their order. [`Sums`] are added up along a fixed binary tree over
//! *shards*, of which each rank has an equal, aligned part: it adds up its own subtree
//! ([`tree_sum`]), and [`Communicator::all_reduce`](trait.Communicator.html#method.all_reduce)
//! finishes the top. The result is the same, bit by bit, for 1, 2, 4 … ranks.

mod alone;
mod communicator;
mod sums;
mod threads;
#[cfg(not(target_family = "wasm"))]
mod watch;

pub use alone::Alone;
pub use communicator::{Communicator, Traffic};
pub use sums::{Sums, tree_sum};
pub use threads::Threads;
#[cfg(not(target_family = "wasm"))]
pub use watch::{Ending, Identity, Watch, WatchError};
