//! Settings of learning: the network, the rollout and the algorithm.

use keisei_net::{Encoding, NetConfig, Normalization, PolicyHead};

use super::field::Limits::{Above, Any, AtLeast, Between, OneOf};
use super::field::Setting;
use super::section::{choice, section};

impl Setting for Encoding {
    const KIND: &'static str = "a name";
}

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
        /// Which planes the network reads: `own`, those of the game; for shogi also `attacks`, which
        /// adds the squares that the pieces attack, or `dlshogi` for a network that dlshogi and
        /// FukauraOu can run once it is exported.
        encoding: Encoding = Encoding::Own, OneOf(Encoding::NAMES);
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
        /// How many planes the value head makes of the features before its hidden layer, which
        /// reads them all.
        value_planes: usize = 1, Between(1.0, 64.0);
        /// How many units the hidden layer of the value head has.
        value_hidden: usize = 64, Between(1.0, 65_536.0);
    }
}

impl From<&Network> for NetConfig {
    fn from(network: &Network) -> Self {
        let &Network {
            encoding,
            blocks,
            channels,
            global_pool,
            normalization,
            policy_head,
            value_planes,
            value_hidden,
        } = network;
        Self {
            encoding,
            blocks,
            channels,
            global_pool,
            normalization,
            policy_head,
            value_planes,
            value_hidden,
        }
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
    /// Who shows the network what to play.
    Teaching {
        /// Nobody: it learns from its own rewards, by PPO.
        None = "none",
        /// A small search from every position.
        Search = "search",
    }
}

section! {
    /// The algorithm: PPO, or learning from a search.
    Training {
        /// What the network learns from: `none`, its rewards, by PPO; or `search`, a search that
        /// improves on its policy and its values in every position (see `teacher`). What is said
        /// of ratios, entropy, advantages and `target_kl` below concerns PPO alone.
        teacher: Teaching = Teaching::None, OneOf(Teaching::NAMES);
        /// Adam's step size at the beginning.
        learning_rate: f64 = 3e-4, Above(0.0);
        /// The step size at the end, reached along a straight line; without one it stays.
        learning_rate_end: Option<f64> = None, AtLeast(0.0);
        /// The step size rises from 0 during this many updates.
        warmup_updates: u64 = 0, Any;
        /// How much a reward one move later counts. Below 1, a quick win is worth more.
        gamma: f64 = 0.99, Between(0.0, 1.0);
        /// How far the probability ratio may leave 1 before it stops counting.
        clip_epsilon: f64 = 0.2, Between(0.001, 1.0);
        /// How often each rollout is learned from.
        ppo_epochs: usize = 10, Between(1.0, 1000.0);
        /// How many positions one step of the optimiser sees.
        minibatch_size: usize = 64, AtLeast(1.0);
        /// The weight of the entropy bonus at the beginning.
        entropy_coeff: f64 = 0.01, Between(0.0, 1.0);
        /// The weight of the entropy bonus at the end, reached along a straight line; without one
        /// it stays.
        entropy_coeff_end: Option<f64> = None, Between(0.0, 1.0);
        /// Whether the entropy is divided by the logarithm of the number of legal moves, so that
        /// the bonus does not depend on how many there are.
        relative_entropy: bool = false, Any;
        /// How far advantages look ahead: 0 one move, 1 to the end of the game.
        lambda_gae: f64 = 0.95, Between(0.0, 1.0);
        /// The weight of the value loss.
        value_coeff: f64 = 0.5, Between(0.0, 100.0);
        /// Whether the value loss is clipped around the acting network's values.
        clip_value: bool = false, Any;
        /// Advantages are divided by their deviation, but by no less than this: where all games
        /// are alike, noise must not become a lesson.
        advantage_floor: f64 = 1e-8, Above(0.0);
        /// The largest norm of the gradient; longer ones are shortened to it.
        gradient_clip_norm: f64 = 0.5, Above(0.0);
        /// An update stops when the policy has moved this far from the one that acted.
        target_kl: Option<f64> = None, Above(0.0);
        /// Whether a game that is cut off counts as the network values its last position. If not,
        /// it counts as a draw, unless its episode began shortly before the end of an earlier game
        /// (see `rewind`): those always count as the network values them.
        bootstrap_cut_games: bool = true, Any;
        /// Whether the network computes in 16 bits where that is safe: on a GPU. A CPU computes in
        /// 32 bits, and says so.
        mixed_precision: bool = false, Any;
        /// Whether several processes learn together. True is refused: they do when `mpirun` or
        /// `srun` starts them.
        distributed: bool = false, Any;
        /// Into how many shards the games are cut, a power of two. Every minibatch takes its share
        /// of each, and gradients are added up shard by shard, so that a run gives the same weights
        /// on any number of ranks up to this one. Without a number: 16, or fewer where games or
        /// minibatches are few.
        shards: Option<usize> = None, Between(1.0, 65_536.0);
        /// How many updates lie between two checkpoints.
        checkpoint_interval: u64 = 1000, AtLeast(1.0);
        /// The run ends after this many moves.
        total_steps: u64 = 10_000_000, AtLeast(1.0);
        /// If given, the run ends after this many minutes, and schedules follow the time. As no two
        /// runs take the same time, a run that is interrupted then does not go on exactly as it
        /// would have; with `total_steps` alone it does, bit by bit.
        minutes: Option<f64> = None, Above(0.0);
    }
}

section! {
    /// The search that teaches, if `training.teacher` is `search`.
    Teacher {
        /// How many positions are looked at for each move. Twice as many take twice as long.
        simulations: usize = 16, Between(1.0, 10_000.0);
        /// How many moves are considered, at most. They are tried equally often, then the better
        /// half of them, and so on.
        candidates: usize = 8, Between(1.0, 1024.0);
        /// How much the searched values count against the policy. A difference of d in value, from
        /// -1 to 1, weighs as much as one of about 50 · `value_scale` · d in the logarithms of the
        /// probabilities.
        value_scale: f64 = 0.25, Above(0.0);
        /// What the logits of the policy are divided by before the search reads them. Above 1 the
        /// search trusts the policy less, and what it teaches forgets a preference that no value
        /// bears out; with 1 a policy can only become surer of itself.
        policy_temperature: f64 = 1.0, Above(0.0);
    }
}
