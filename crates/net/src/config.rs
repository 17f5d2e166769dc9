//! What a network looks like.

use keisei_encode::{Encode, View};
use serde::{Deserialize, Serialize};

/// The shape of a network.
///
/// A 3×3 convolution leads from the planes to `channels` features a square. Each block adds to
/// them what two 3×3 convolutions find; a policy head and a value head read the result. The
/// default is small enough to learn on any CPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetConfig {
    /// Which planes the network reads. Default the game's own.
    #[serde(skip_serializing_if = "Encoding::is_own")]
    pub encoding: Encoding,
    /// How many residual blocks, at most 100. Default 3.
    pub blocks: usize,
    /// How many channels every block has, 1 to 4096. Default 32. Multiples of 32 waste nothing.
    pub channels: usize,
    /// Whether each block also adds, to all squares alike, what a linear layer makes of the mean
    /// and the maximum of each channel over the board. Default true: it shows a small network the
    /// whole board at once.
    pub global_pool: bool,
    /// What keeps the features in scale. Default none.
    pub normalization: Normalization,
    /// How features become actions. Default planes.
    pub policy_head: PolicyHead,
    /// How many planes the value head makes of the features before its hidden layer, 1 to 64.
    /// Default 1.
    #[serde(skip_serializing_if = "is_one")]
    pub value_planes: usize,
    /// How many units the hidden layer of the value head has, 1 to 65536. Default 64.
    pub value_hidden: usize,
}

/// Headers of networks with a single value plane do not say so.
fn is_one(planes: &usize) -> bool {
    *planes == 1
}

/// Which planes of a position a network reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// The game's own.
    #[default]
    Own,
    /// Those of dlshogi, for networks of shogi that dlshogi and FukauraOu can run.
    Dlshogi,
    /// The game's own and what the pieces attack, for shogi and chess.
    Attacks,
}

impl Encoding {
    /// All names.
    pub const NAMES: &[&str] = &["own", "dlshogi", "attacks"];

    /// The name in settings and headers.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Whether these are the game's own planes. Headers of such networks do not name them.
    fn is_own(&self) -> bool {
        *self == Self::Own
    }

    /// The planes of this encoding for the game `G`.
    ///
    /// # Errors
    ///
    /// If the game has none of this name.
    pub fn view<G: Encode>(self) -> Result<View<G>, ConfigError> {
        match self {
            Self::Own => Ok(View::own()),
            other => {
                let (encoding, game) = (other.name(), G::NAME);
                G::view(encoding).ok_or(ConfigError::NoEncoding { encoding, game })
            }
        }
    }
}

/// What keeps the features in scale.
///
/// Whatever it is, acting and learning compute the same function of a position: no position's
/// result depends on the others in its batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Normalization {
    /// Nothing but the start: what the blocks add begins small.
    #[default]
    None,
    /// Batch normalisation after each convolution, always with the stored statistics, in acting
    /// and learning alike. An update moves them, after its step, a little towards those of its
    /// minibatch, just as it moves the weights.
    Batch,
}

/// How features become actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyHead {
    /// A 1×1 convolution to planes of actions: each square says what happens there. Only for
    /// numberings made of planes.
    #[default]
    Planes,
    /// A 1×1 convolution to two planes, then a linear layer to all actions. For any numbering.
    Linear,
}

impl Default for NetConfig {
    fn default() -> Self {
        Self {
            encoding: Encoding::Own,
            blocks: 3,
            channels: 32,
            global_pool: true,
            normalization: Normalization::None,
            policy_head: PolicyHead::Planes,
            value_planes: 1,
            value_hidden: 64,
        }
    }
}

/// Why a [`NetConfig`] is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A number is out of its range.
    #[error("{key} is {value}, but must be from {least} to {most}")]
    Range {
        /// The field.
        key: &'static str,
        /// Its value.
        value: usize,
        /// The least allowed.
        least: usize,
        /// The most allowed.
        most: usize,
    },
    /// The game has no such encoding.
    #[error("encoding is {encoding:?}, but {game} is not encoded so")]
    NoEncoding {
        /// The encoding.
        encoding: &'static str,
        /// The game.
        game: &'static str,
    },
    /// Planes of actions are asked for, but the actions are none.
    #[error(
        "policy_head is \"planes\", but the actions {actions:?} are not made of planes: use \"linear\""
    )]
    NoPlanes {
        /// The name of the numbering.
        actions: &'static str,
    },
}

impl NetConfig {
    /// The large network of the training document: 10 blocks of 256 channels with batch
    /// normalisation, two policy planes with a linear layer, 256 hidden units for the value.
    pub fn document() -> Self {
        Self {
            encoding: Encoding::Own,
            blocks: 10,
            channels: 256,
            global_pool: false,
            normalization: Normalization::Batch,
            policy_head: PolicyHead::Linear,
            value_planes: 1,
            value_hidden: 256,
        }
    }

    /// Checks that every number is in its range.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let numbers = [
            ("blocks", self.blocks, 0, 100),
            ("channels", self.channels, 1, 4096),
            ("value_planes", self.value_planes, 1, 64),
            ("value_hidden", self.value_hidden, 1, 65_536),
        ];
        match numbers.into_iter().find(|(_, value, least, most)| !(least..=most).contains(&value)) {
            Some((key, value, least, most)) => Err(ConfigError::Range { key, value, least, most }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused_with_key_value_and_range() {
        assert_eq!(NetConfig::default().validate(), Ok(()));
        assert_eq!(NetConfig::document().validate(), Ok(()));
        let config = NetConfig { channels: 0, ..NetConfig::default() };
        let message = config.validate().unwrap_err().to_string();
        assert_eq!(message, "channels is 0, but must be from 1 to 4096");
        let config = NetConfig { value_planes: 65, ..NetConfig::default() };
        let message = config.validate().unwrap_err().to_string();
        assert_eq!(message, "value_planes is 65, but must be from 1 to 64");
    }

    #[test]
    fn a_single_value_plane_is_not_written_and_several_are() {
        let text = |value_planes| {
            let config = NetConfig { value_planes, ..NetConfig::default() };
            let text = serde_json::to_string(&config).unwrap();
            assert_eq!(serde_json::from_str::<NetConfig>(&text).unwrap(), config);
            text
        };
        assert!(!text(1).contains("value_planes"));
        assert!(text(4).contains("\"value_planes\":4,\"value_hidden\":64"));
    }

    #[test]
    fn unknown_keys_are_refused_and_missing_ones_have_their_default() {
        let config: NetConfig = toml::from_str("blocks = 6\npolicy_head = \"linear\"").unwrap();
        let expected =
            NetConfig { blocks: 6, policy_head: PolicyHead::Linear, ..NetConfig::default() };
        assert_eq!(config, expected);
        assert!(toml::from_str::<NetConfig>("block = 6").is_err());
    }
}
