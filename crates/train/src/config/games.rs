//! Settings of the games that are played: which, from where, how long, against whom.

use keisei_games::GameName;

use super::field::Limits::{Any, AtLeast, Between, OneOf};
use super::section::{choice, section};

choice! {
    /// Where the network runs.
    Device {
        /// The GPU where there is one, otherwise the CPU.
        Auto = "auto",
        /// The CPU.
        Cpu = "cpu",
        /// The GPU; without one, the CPU after a warning.
        Cuda = "cuda",
    }
}

section! {
    /// The games: which, how long, how the network sees them.
    Env {
        /// The game that is learned.
        game: GameName = GameName::Shogi, OneOf(GameName::NAMES);
        /// Where the network runs: `cuda` takes the GPU and falls back to the CPU with a warning,
        /// `auto` falls back silently.
        device: Device = Device::Cuda, OneOf(Device::NAMES);
        /// How many planes an observation has. It must be the game's number: 46 for shogi. Another
        /// `network.encoding` reads the same observations as planes of its own.
        input_channels: usize = 46, AtLeast(1.0);
        /// How many actions the policy has. It must be the number of the game's action map: for
        /// shogi 2187 (by destination and direction) or 13527 (by both squares).
        action_space_size: usize = 2187, AtLeast(1.0);
        /// All that is random follows from this number; without one it is drawn when a run begins,
        /// and written into the run's configuration.
        seed: Option<u64> = None, Any;
        /// A game is cut off after this many moves, unless its last move ended it otherwise.
        max_moves_per_game: usize = 500, Between(1.0, 65_535.0);
        /// If given, each game's limit is drawn between this and `max_moves_per_game`, so that a
        /// network cannot know when a game will be cut off.
        min_moves_per_game: Option<usize> = None, Between(1.0, 65_535.0);
        /// Whether each episode is seen in a left–right mirror with probability one half (shogi
        /// has this symmetry; chess does not).
        mirror: bool = false, Any;
        /// Whether observations have a plane with the number of moves made. They have none: a game
        /// is truncated at a limit that players must not play for. True is refused.
        move_count_plane: bool = false, Any;
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
        /// How many random games are played before the first move; those that somebody wins are
        /// kept, with `keep_stalemates` stalemates as well.
        seed_games: usize = 2_000, Between(0.0, 1_000_000.0);
        /// The share of rewound games that are kept in turn, of those with a winner and with
        /// `keep_stalemates` of stalemates; of all other such games, every one is. Rewound games
        /// end so often that they would soon be all there is.
        keep_rewound: f64 = 0.1, Between(0.0, 1.0);
        /// Whether games are kept, too, that ended in a draw because a side that was not in check
        /// had no legal move: a few moves before, somebody could have won most of them.
        keep_stalemates: bool = false, Any;
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
