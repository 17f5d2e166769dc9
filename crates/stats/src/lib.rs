//! What results say about strength: Elo and its error, SPRT, ratings.
//!
//! Everything here is a pure function of counts. The formulas are those that fastchess and fishtest
//! print, so that numbers can be compared.
//!
//! ```
//! use keisei_stats::{Games, Sprt, wilson};
//!
//! let games = Games { wins: 136, draws: 111, losses: 96 };
//! assert_eq!(format!("{:.1}", games.sample().unwrap().elo()), "+40.7 ± 30.4");
//! let (low, high) = wilson(games.score().unwrap(), games.count());
//! assert!(low > 0.5 && high < 0.62);
//! let test: Sprt = "elo0=0 elo1=10".parse()?;
//! assert_eq!(test.verdict(test.games_llr(games)), None, "not enough games yet");
//! # Ok::<(), keisei_stats::SprtParseError>(())
//! ```

mod counts;
mod elo;
mod normal;
mod rating;
mod sprt;

pub use counts::{Games, Pairs};
pub use elo::{Estimate, Sample, Z95, elo_of_score, score_of_elo, wilson};
pub use normal::cumulative as normal_cumulative;
pub use rating::{Bound, Pairing, Rating, rate};
pub use sprt::{Model, Sprt, SprtParseError, Verdict};
