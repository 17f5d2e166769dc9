//! Matches: games between two players, in pairs from the same opening with colours exchanged.
//!
//! A match with a folder can be stopped at any moment and goes on where it was. Given a seed and
//! limits other than time, its games are the same however many are played at once.

mod adjudicate;
mod clock;
mod contestant;
mod control;
mod fingerprint;
mod journal;
mod openings;
mod play;
mod record;
mod report;
mod runner;
mod standing;
mod watchdog;

pub use adjudicate::{DrawRule, ResignRule, RuleParseError};
pub use control::{ControlParseError, TimeControl};
pub use fingerprint::identity;
pub use journal::{FinishedGame, Journal, JournalError};
pub use openings::{Opening, Openings, OpeningsError, TooLong};
pub use play::Fault;
pub use record::Contested;
pub use report::{Summary, text};
pub use runner::{Contestant, MakePlayer, Match, MatchError, MatchSettings};
pub use standing::{Faults, Standing};
