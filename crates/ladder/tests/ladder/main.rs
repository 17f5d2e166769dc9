//! Matches with real and with misbehaving players.

mod faults;
mod matches;
mod players;
mod ranks;
mod resume;
