//! The built-in networks, and the levels at which they are played against: `models/models.json` and
//! the weights beside it. The web client reads the same list.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::network_player::SHIPPED;
use crate::{NetSpec, PlayerSpec};

/// The list of networks and levels.
pub const LISTING: &str = include_str!("../models/models.json");

/// How many levels a game has that has any.
pub const LEVELS: u8 = 10;

/// Every file of weights, by its name.
const FILES: &[(&str, &[u8])] = &[
    ("chess.safetensors", include_bytes!("../models/chess.safetensors")),
    ("shogi-1m.safetensors", include_bytes!("../models/shogi-1m.safetensors")),
    ("shogi-2m.safetensors", include_bytes!("../models/shogi-2m.safetensors")),
    ("shogi-4m.safetensors", include_bytes!("../models/shogi-4m.safetensors")),
    ("shogi-7m.safetensors", include_bytes!("../models/shogi-7m.safetensors")),
    ("shogi-11m.safetensors", include_bytes!("../models/shogi-11m.safetensors")),
    ("shogi-16m.safetensors", include_bytes!("../models/shogi-16m.safetensors")),
    ("shogi-25m.safetensors", include_bytes!("../models/shogi-25m.safetensors")),
    ("shogi-39m.safetensors", include_bytes!("../models/shogi-39m.safetensors")),
    ("shogi.safetensors", include_bytes!("../models/shogi.safetensors")),
];

/// Networks and levels.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Models {
    /// The networks, the oldest of a game first: the last is the present one.
    pub networks: Vec<Network>,
    /// The opponents, the weakest of a game first.
    pub levels: Vec<Level>,
}

/// A name in the languages of the web client.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Name {
    /// In English.
    pub en: String,
    /// In Japanese.
    pub ja: String,
}

/// A network at some age.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// What it is called in names of players: `policy:shipped/ID`.
    pub id: String,
    /// The game.
    pub game: String,
    /// The file of its weights.
    pub file: String,
    /// What people call it.
    pub name: Name,
    /// How many moves of self-play it learned from.
    pub moves: Option<u64>,
    /// How many minutes it learned.
    pub minutes: Option<f64>,
    /// The rating of its policy, likeliest moves, on the ladder.
    pub rating: Option<f64>,
    /// Half of the width of the rating's 95 % interval.
    pub error: Option<f64>,
}

/// An opponent of known strength: a network with more or less search, or a classical player.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// A name for programs.
    pub id: String,
    /// The game.
    pub game: String,
    /// What people call it.
    pub name: Name,
    /// Its number from 1 to [`LEVELS`], if it is one of those.
    pub level: Option<u8>,
    /// The network that plays.
    pub network: Option<String>,
    /// How many simulations a move gets; 0 plays by the policy alone.
    #[serde(default)]
    pub simulations: u64,
    /// How freely the policy alone chooses; without it, the likeliest move is played.
    pub temperature: Option<f32>,
    /// The classical player that plays, where no network does.
    pub named: Option<String>,
    /// Whether it is offered first.
    #[serde(default)]
    pub usual: bool,
    /// The rating on the ladder.
    pub rating: Option<f64>,
    /// Half of the width of the rating's 95 % interval.
    pub error: Option<f64>,
}

/// The networks and levels that are built in.
pub fn models() -> &'static Models {
    static MODELS: LazyLock<Models> =
        LazyLock::new(|| serde_json::from_str(LISTING).expect("the built-in list is whole"));
    &MODELS
}

/// The built-in file of weights of this name.
pub fn weights(file: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(name, _)| *name == file).map(|&(_, bytes)| bytes)
}

/// The network of `game` that `path` names: `shipped`, the present one, or `shipped/ID`.
pub fn network(game: &str, path: &Path) -> Option<&'static Network> {
    let mut known = models().networks.iter().filter(|network| network.game == game);
    let id = path.strip_prefix(SHIPPED).ok()?;
    match id.as_os_str().is_empty() {
        true => known.next_back(),
        false => known.find(|network| Path::new(&network.id) == id),
    }
}

/// The level of this number of `game`.
pub fn level(game: &str, number: u8) -> Option<&'static Level> {
    levels(game).find(|level| level.level == Some(number))
}

/// The level of `game` that is offered first.
pub fn usual_level(game: &str) -> Option<&'static Level> {
    models().levels.iter().find(|level| level.game == game && level.usual)
}

/// The numbered levels of `game`, the weakest first.
pub fn levels(game: &str) -> impl Iterator<Item = &'static Level> {
    models().levels.iter().filter(move |level| level.game == game && level.level.is_some())
}

impl Level {
    /// The player behind the level.
    pub fn player(&self) -> PlayerSpec {
        let Some(id) = &self.network else {
            let named = self.named.as_deref().unwrap_or_default();
            return named.parse().expect("a built-in level names a player");
        };
        let checkpoint: PathBuf = [SHIPPED, id.as_str()].iter().collect();
        match self.simulations {
            0 => PlayerSpec::Policy {
                checkpoint,
                greedy: self.temperature.is_none(),
                temperature: self.temperature,
                mirror: false,
            },
            count => {
                let simulations = Some(count);
                PlayerSpec::Net(NetSpec { checkpoint, simulations, ..NetSpec::default() })
            }
        }
    }

    /// The player to offer: by its number, if it has one.
    pub fn spec(&self) -> PlayerSpec {
        self.level.map_or_else(|| self.player(), PlayerSpec::Level)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_network_is_built_in_and_every_file_is_listed_once() {
        let listed: Vec<_> =
            models().networks.iter().map(|network| network.file.as_str()).collect();
        assert_eq!(listed.iter().collect::<HashSet<_>>().len(), listed.len());
        assert!(listed.iter().all(|file| weights(file).is_some()));
        assert_eq!(FILES.len(), listed.len());
        for network in &models().networks {
            let header = keisei_net::Header::read(weights(&network.file).unwrap()).unwrap();
            assert_eq!(header.game, network.game, "{}", network.id);
        }
    }

    #[test]
    fn the_built_in_weights_take_a_few_megabytes() {
        let bytes: usize = FILES.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(bytes < 12_000_000, "{bytes} bytes");
    }

    #[test]
    fn levels_are_numbered_from_one_to_ten_in_the_order_of_their_ratings() {
        for game in ["shogi", "chess", "animal"] {
            let numbers: Vec<_> = levels(game).filter_map(|level| level.level).collect();
            assert!(numbers.is_empty() || numbers == Vec::from_iter(1..=LEVELS), "{game}");
            let ratings: Vec<_> = levels(game).map(|level| level.rating.unwrap()).collect();
            assert!(ratings.is_sorted_by(|weak, strong| weak < strong), "{game}: {ratings:?}");
            assert!(usual_level(game).is_some(), "{game}");
        }
        assert_eq!(levels("shogi").count(), usize::from(LEVELS));
    }

    #[test]
    fn every_level_is_somebody_who_can_play() {
        for level in &models().levels {
            match level.player() {
                PlayerSpec::Policy { checkpoint, .. }
                | PlayerSpec::Net(NetSpec { checkpoint, .. }) => {
                    assert!(network(&level.game, &checkpoint).is_some(), "{}", level.id);
                }
                other => assert_eq!(Some(other.to_string()), level.named, "{}", level.id),
            }
        }
        assert_eq!(network("shogi", Path::new("shipped")).unwrap().id, "shogi");
        assert!(network("shogi", Path::new("shipped/none")).is_none());
        assert!(network("shogi", Path::new("runs/shogi")).is_none());
    }
}
