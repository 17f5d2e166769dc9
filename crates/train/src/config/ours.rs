//! The sections that the design document does not have.

use keisei_net::{NetConfig, Normalization, PolicyHead};

use super::field::Limits::{Any, AtLeast, Between, OneOf};
use super::field::Setting;
use super::section::{choice, section};

impl Setting for PolicyHead {
    const KIND: &'static str = "a name";
}

const POLICY_HEADS: &[&str] = &["planes", "linear"];

impl Setting for Normalization {
    const KIND: &'static str = "a name";
}

const NORMALIZATIONS: &[&str] = &["none", "batch"];

section! {
    /// The network.
    Network {
        /// How many residual blocks.
        blocks: usize = 3, Between(0.0, 100.0);
        /// How many channels each block has. Multiples of 32 waste nothing.
        channels: usize = 32, Between(1.0, 4096.0);
        /// Whether each block also sees the mean and the maximum of each channel over the board.
        global_pool: bool = true, Any;
        /// What keeps the features in scale: `none`, or `batch` (always by the stored statistics,
        /// so that acting and learning compute the same).
        normalization: Normalization = Normalization::None, OneOf(NORMALIZATIONS);
        /// How features become actions: `planes`, or `linear` (two planes and a linear layer).
        policy_head: PolicyHead = PolicyHead::Planes, OneOf(POLICY_HEADS);
        /// How many units the hidden layer of the value head has.
        value_hidden: usize = 64, Between(1.0, 65_536.0);
    }
}

impl From<&Network> for NetConfig {
    fn from(network: &Network) -> Self {
        let &Network { blocks, channels, global_pool, normalization, policy_head, value_hidden } =
            network;
        Self { blocks, channels, global_pool, normalization, policy_head, value_hidden }
    }
}

section! {
    /// How experience is gathered.
    Rollout {
        /// How many games are played at once.
        games: usize = 16, Between(1.0, 1_048_576.0);
        /// How many moves are played in each before the network learns from them. Together,
        /// `games` × `steps` must be a multiple of `training.minibatch_size`.
        steps: usize = 128, Between(1.0, 65_536.0);
    }
}

choice! {
    /// What the shares of a mixture are shares of.
    Mixture {
        /// The games that are played at once: about the shares of all moves.
        Games = "games",
        /// The episodes that begin: long ones fill most of the moves.
        Episodes = "episodes",
    }
}

section! {
    /// Episodes that begin shortly before the end of a finished game, so that rewards are met from
    /// the first minute.
    Rewind {
        /// Whether episodes begin there at all; if not, all begin at the start.
        enabled: bool = true, Any;
        /// How many finished games are kept, by their last moves.
        capacity: usize = 10_000, Between(1.0, 10_000_000.0);
        /// How many random games are played before the first move; those that somebody wins are kept.
        seed_games: usize = 2_000, Between(0.0, 1_000_000.0);
        /// The share of rewound games with a winner that are kept in turn; of all other games with a
        /// winner, every one is. Rewound games end so often that they would soon be all there is.
        keep_rewound: f64 = 0.1, Between(0.0, 1.0);
        /// What the shares below are shares of: `games` (those played at once, so about the shares
        /// of all moves) or `episodes` (those that begin, of which the long ones from the start
        /// fill most of the moves).
        mixture: Mixture = Mixture::Games, OneOf(Mixture::NAMES);
        /// The share that begins shortly before the end of a kept game, at the beginning.
        share: f64 = 0.8, Between(0.0, 1.0);
        /// That share at the end, reached along a straight line.
        share_end: f64 = 0.4, Between(0.0, 1.0);
        /// The share that begins after random moves from the start. The rest begins at the start.
        random_share: f64 = 0.1, Between(0.0, 1.0);
        /// Those episodes begin after at most this many random moves.
        random_plies: usize = 60, Between(1.0, 1000.0);
        /// How many moves before the end episodes begin, at most, at the beginning.
        depth: usize = 3, Between(1.0, 10_000.0);
        /// That number never grows past this.
        depth_max: usize = 30, Between(1.0, 10_000.0);
        /// It grows by one with each so many moves of updates whose values explain enough of the
        /// returns' variance and whose rewound games are decided often enough, as follows.
        grow_moves: u64 = 8192, AtLeast(1.0);
        /// An update counts whose values explain more than this share of the returns' variance...
        grow_above_explained_variance: f64 = 0.3, Between(-1.0, 1.0);
        /// ...and of whose games that began there more than this share had a winner.
        grow_above_decisive: f64 = 0.5, Between(0.0, 1.0);
        /// An episode that began k moves before an end is cut off after `cut_factor`·k +
        /// `cut_extra` moves.
        cut_factor: usize = 2, Between(1.0, 100.0);
        /// See `cut_factor`.
        cut_extra: usize = 6, Between(0.0, 10_000.0);
    }
}

section! {
    /// Earlier selves of the network as opponents.
    Opponents {
        /// The share of episodes that are played against an earlier self. Only the network's own
        /// moves are learned from there.
        share: f64 = 0.0, Between(0.0, 1.0);
        /// How many earlier selves are kept; the oldest goes first.
        slots: usize = 12, Between(1.0, 256.0);
        /// How many updates lie between two that are kept.
        interval: u64 = 50, AtLeast(1.0);
    }
}

section! {
    /// Saving a run so that it goes on exactly where it stopped.
    Checkpoint {
        /// How many of the newest checkpoints are kept.
        keep_last: usize = 3, Between(1.0, 100_000.0);
        /// Whether the checkpoint with the best evaluation is kept as well.
        keep_best: bool = true, Any;
        /// A checkpoint is also written when the last one is this many seconds old.
        seconds: f64 = 300.0, AtLeast(1.0);
    }
}
