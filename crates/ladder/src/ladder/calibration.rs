//! The games among the rungs, by which the scale is fixed.

use serde::{Deserialize, Serialize};

use crate::stats::{Games, Pairing, Rating, rate};

/// The games among rungs, and how they were played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibration {
    /// How they were played: programs with their versions, and the command.
    pub how: String,
    /// The games.
    pub games: Vec<Met>,
}

/// A player of a calibration and what is known of its strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// The player.
    pub name: String,
    /// Its rating; none without games that connect it with the anchor.
    pub rating: Option<Rating>,
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

    /// Everybody who played, the first rung of the game (the anchor) at 0, the weakest first.
    pub fn ratings(&self, anchor: &str) -> Vec<Rated> {
        let mut names = vec![anchor];
        for name in self.games.iter().flat_map(|met| [met.first.as_str(), met.second.as_str()]) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let index = |name: &str| names.iter().position(|&known| known == name);
        let pairing = |met: &Met| {
            let (first, second) = (index(&met.first)?, index(&met.second)?);
            Some(Pairing { first, second, games: met.games })
        };
        let pairings: Vec<_> = self.games.iter().filter_map(pairing).collect();
        let ratings = rate(names.len(), &pairings, 0);
        let rated =
            |(name, rating): (&&str, Option<Rating>)| Rated { name: name.to_string(), rating };
        let mut rated: Vec<_> = names.iter().zip(ratings).map(rated).collect();
        let elo = |rated: &Rated| rated.rating.map_or(f64::INFINITY, |rating| rating.elo);
        rated.sort_by(|weak, strong| elo(weak).total_cmp(&elo(strong)));
        rated
    }

    /// These games and those of `newer`, which replace the ones between the same two players.
    #[must_use]
    pub fn with(mut self, newer: Vec<Met>) -> Self {
        let same = |old: &Met, new: &Met| {
            let pair = [&new.first, &new.second];
            pair == [&old.first, &old.second] || pair == [&old.second, &old.first]
        };
        self.games.retain(|old| !newer.iter().any(|new| same(old, new)));
        self.games.extend(newer);
        self
    }

    /// These games without those of `names`.
    #[must_use]
    pub fn without(mut self, names: &[String]) -> Self {
        self.games.retain(|met| !names.contains(&met.first) && !names.contains(&met.second));
        self
    }

    /// Reads a calibration.
    pub fn from_json(text: &str) -> Result<Self, CalibrationError> {
        Ok(serde_json::from_str(text)?)
    }

    /// The calibration as a text that [`Calibration::from_json`] reads, a line for each pair.
    pub fn to_json(&self) -> String {
        let how = serde_json::to_string(&self.how).expect("a text is plain JSON");
        let line = |met: &Met| serde_json::to_string(met).expect("games are plain JSON");
        let games: Vec<_> = self.games.iter().map(line).collect();
        format!("{{\n  \"how\": {how},\n  \"games\": [\n    {}\n  ]\n}}\n", games.join(",\n    "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Rung, rungs};
    use super::*;

    fn shipped(game: &str) -> Vec<Rated> {
        Calibration::shipped(game).ratings(rungs(game)[0].name)
    }

    #[test]
    fn what_is_shipped_rates_every_rung_in_their_order() {
        for game in ["shogi", "chess", "animal"] {
            let rated = shipped(game);
            let place = |rung: &Rung| rated.iter().position(|rated| rated.name == rung.name);
            let places: Vec<_> = rungs(game).iter().map(|rung| place(rung).unwrap()).collect();
            assert!(places.is_sorted(), "{game}: {rated:?}");
            assert!(rated.iter().all(|rated| rated.rating.is_some()), "{game}: {rated:?}");
        }
    }

    #[test]
    fn no_rung_of_shogi_is_known_by_a_bound_alone() {
        for Rated { name, rating } in shipped("shogi") {
            assert_eq!(rating.unwrap().bound, None, "{name}");
        }
    }

    #[test]
    fn the_list_of_models_has_the_ratings_that_the_games_give() {
        for level in &keisei_engine::models::models().levels {
            let (Some(rating), spec) = (level.rating, level.spec().to_string()) else { continue };
            let rated = shipped(&level.game);
            let Some(found) = rated.iter().find(|rated| rated.name == spec) else {
                panic!("{spec} of {} has a rating but played no games", level.game)
            };
            let found = found.rating.unwrap();
            assert!((found.elo - rating).abs() <= 1.0, "{spec}: {found:?}, listed {rating}");
            assert!((found.error - level.error.unwrap()).abs() <= 1.0, "{spec}: {found:?}");
        }
        for network in &keisei_engine::models::models().networks {
            let Some(rating) = network.rating else { continue };
            let player = format!("policy:shipped/{},greedy", network.id);
            let mut levels = keisei_engine::models::levels(&network.game);
            let level = levels.find(|level| level.player().to_string() == player);
            let name = level.map_or(player, |level| level.spec().to_string());
            let rated = shipped(&network.game);
            let found = rated.iter().find(|rated| rated.name == name).unwrap().rating.unwrap();
            assert!((found.elo - rating).abs() <= 1.0, "{name}: {found:?}, listed {rating}");
        }
    }

    #[test]
    fn newer_games_replace_those_of_the_same_players() {
        let met = |first: &str, second: &str, wins| {
            let games = Games { wins, draws: 0, losses: 1 };
            Met { first: first.to_owned(), second: second.to_owned(), games }
        };
        let old = vec![met("b", "a", 1), met("c", "b", 1), met("d", "c", 1)];
        let old = Calibration { how: String::new(), games: old };
        let new = old.without(&["d".to_owned()]).with(vec![met("a", "b", 5)]);
        assert_eq!(new.games, [met("c", "b", 1), met("a", "b", 5)]);
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
