//! The games among the rungs, by which the scale is fixed.

use serde::{Deserialize, Serialize};

use crate::stats::Games;

/// The games among rungs, and how they were played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// How they were played: programs with their versions, and the command.
    pub how: String,
    /// The games.
    pub games: Vec<Met>,
}

/// Games between two players, from the first one's view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Met {
    /// One player.
    pub first: String,
    /// The other.
    pub second: String,
    /// Their games.
    #[serde(flatten)]
    pub games: Games,
}

/// Why a text is no calibration.
#[derive(Debug, thiserror::Error)]
#[error("it is no calibration: {0}")]
pub struct CalibrationError(#[from] serde_json::Error);

impl Calibration {
    /// The games among the rungs of a game that come with the program: none for a game whose rungs
    /// were never calibrated.
    pub fn shipped(game: &str) -> Self {
        let text = match game {
            "shogi" => include_str!("../../data/shogi.json"),
            "chess" => include_str!("../../data/chess.json"),
            "animal" => include_str!("../../data/animal.json"),
            _ => return Self::default(),
        };
        Self::from_json(text).expect("what comes with the program is whole")
    }

    /// Reads a calibration.
    pub fn from_json(text: &str) -> Result<Self, CalibrationError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The calibration as a text that [`Calibration::from_json`] reads.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a calibration is plain JSON");
        text.push('\n');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::rungs;
    use super::*;
    use crate::stats::{Pairing, rate};

    #[test]
    fn what_is_shipped_rates_every_rung_in_their_order() {
        for game in ["shogi", "chess", "animal"] {
            let rungs = rungs(game);
            let calibration = Calibration::shipped(game);
            let index = |name: &str| rungs.iter().position(|rung| rung.name == name).unwrap();
            let pairings: Vec<_> = calibration
                .games
                .iter()
                .map(|met| Pairing {
                    first: index(&met.first),
                    second: index(&met.second),
                    games: met.games,
                })
                .collect();
            let ratings = rate(rungs.len(), &pairings, 0);
            let elo: Vec<_> = ratings.iter().map(|rating| rating.unwrap().elo).collect();
            assert!(elo.is_sorted(), "{game}: {elo:?}");
        }
    }

    #[test]
    fn reading_and_writing_are_inverse() {
        let games = Games { wins: 1, draws: 2, losses: 3 };
        let met = Met { first: "a".to_owned(), second: "b".to_owned(), games };
        let calibration = Calibration { how: "by hand".to_owned(), games: vec![met] };
        assert_eq!(Calibration::from_json(&calibration.to_json()).unwrap(), calibration);
        let message = Calibration::from_json("{\"who\": 1}").unwrap_err().to_string();
        assert!(message.contains("no calibration: unknown field `who`"), "{message}");
    }
}
