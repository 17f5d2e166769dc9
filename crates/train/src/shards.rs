//! How the games of a run are cut into shards, and dealt to ranks.
//!
//! A shard is a range of games. All that is random in a game follows from its number; every
//! minibatch has its share of each shard; sums are taken shard by shard, then along a binary tree.
//! So nothing depends on which rank plays a shard and learns from it.

use std::ops::Range;

use keisei_cluster::Communicator;

use crate::config::Config;

/// How many shards there are, unless there is too little to share.
const USUAL: usize = 16;
/// How many positions of a minibatch a shard should have at least: as many as a CPU takes at once.
const POSITIONS: usize = 8;

/// The shards of one rank among those of all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shards {
    /// How many games all ranks together play.
    games: usize,
    /// How many shards there are in all.
    count: usize,
    /// Those of this rank.
    own: Range<usize>,
}

/// The number of ranks does not fit the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{ranks} ranks cannot share {shards} shards equally: start 1, 2, 4 … up to {shards}, or begin a \
     run with another training.shards"
)]
pub struct RanksError {
    ranks: usize,
    shards: usize,
}

impl Shards {
    /// All of `games` in one shard.
    pub fn whole(games: usize) -> Self {
        Self { games, count: 1, own: 0..1 }
    }

    /// What this rank has of the games of a run.
    ///
    /// # Errors
    ///
    /// If the shards cannot be dealt out equally.
    pub fn of(config: &Config, ranks: &dyn Communicator) -> Result<Self, RanksError> {
        let games = config.rollout.games;
        let count = config.training.shards.unwrap_or_else(|| {
            let most = games.min(config.training.minibatch_size / POSITIONS).clamp(1, USUAL);
            1 << most.ilog2()
        });
        let (rank, size) = (ranks.rank(), ranks.size());
        if !count.is_multiple_of(size) {
            return Err(RanksError { ranks: size, shards: count });
        }
        let each = count / size;
        Ok(Self { games, count, own: rank * each..(rank + 1) * each })
    }

    /// How many games all ranks together play.
    pub fn all_games(&self) -> usize {
        self.games
    }

    /// The games of this rank.
    pub fn own_games(&self) -> Range<usize> {
        self.first_of(self.own.start)..self.first_of(self.own.end)
    }

    /// The number of this rank's first shard.
    pub(crate) fn first(&self) -> usize {
        self.own.start
    }

    /// The games of each shard of this rank, counted from the rank's first.
    pub(crate) fn local(&self) -> Vec<Range<usize>> {
        let start = self.own_games().start;
        let range = |shard| self.first_of(shard) - start..self.first_of(shard + 1) - start;
        self.own.clone().map(range).collect()
    }

    fn first_of(&self, shard: usize) -> usize {
        shard * self.games / self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_cluster::Threads;

    fn config(games: usize, minibatch: usize, shards: Option<usize>) -> Config {
        let mut config = Config::default();
        config.rollout.games = games;
        (config.training.minibatch_size, config.training.shards) = (minibatch, shards);
        config
    }

    #[test]
    fn shards_cover_all_games_whatever_the_number_of_ranks() {
        let config = config(100, 2048, None);
        for size in [1, 2, 4, 8, 16] {
            let dealt = Threads::run(size, |ranks| Shards::of(&config, &*ranks).unwrap());
            let whole = Shards::of(&config, &keisei_cluster::Alone).unwrap();
            let mut games = 0;
            let mut shards = Vec::new();
            for own in dealt {
                assert_eq!((own.own_games().start, own.first()), (games, shards.len()));
                let first = own.own_games().start;
                shards.extend(own.local().iter().map(|at| at.start + first..at.end + first));
                games = own.own_games().end;
            }
            assert_eq!((games, shards), (100, whole.local()));
        }
    }

    #[test]
    fn there_are_fewer_shards_where_there_is_little_to_share() {
        let count = |games, minibatch, shards| {
            let config = config(games, minibatch, shards);
            Shards::of(&config, &keisei_cluster::Alone).unwrap().count
        };
        assert_eq!((count(256, 2048, None), count(16, 64, None), count(5, 640, None)), (16, 8, 4));
        assert_eq!((count(1, 4, None), count(256, 2048, Some(64))), (1, 64));
    }

    #[test]
    fn a_number_of_ranks_that_does_not_fit_is_refused_with_those_that_do() {
        let refused = |size, config: &Config| {
            let found = Threads::run(size, |ranks| Shards::of(config, &*ranks).map(|_| ()));
            found[0].unwrap_err().to_string()
        };
        let said = refused(3, &config(256, 2048, None));
        assert!(
            said.starts_with("3 ranks cannot share 16 shards equally: start 1, 2, 4"),
            "{said}"
        );
        assert!(refused(32, &config(256, 2048, None)).contains("training.shards"));
    }
}
