#![doc = include_str!("../README.md")]

mod arena;
#[cfg(not(target_family = "wasm"))]
pub mod external;
mod limits;
pub mod mate;
#[cfg(not(target_family = "wasm"))]
pub mod models;
pub mod network_player;
mod player;
mod players;
pub mod protocol;
mod report;
pub mod search;
pub mod spec;
mod time;

pub use arena::{Arena, Protocol};
pub use limits::{Clock, Limits, Signal};
pub use mate::{mate_in_one, mate_in_three};
pub use player::{Answer, Player, PlayerError};
pub use players::{AlphaBeta, Greedy, MateInOne, Random};
pub use report::{Report, Score};
#[cfg(not(target_family = "wasm"))]
pub use spec::BuildError;
pub use spec::{EngineKind, EngineSpec, NetSpec, OwnLimits, PlayerSpec, SpecError};
