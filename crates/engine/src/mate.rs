//! Mates: short ones found on the spot, long ones by searching checks alone.

mod short;

pub use short::{mate_in_one, mate_in_three};
