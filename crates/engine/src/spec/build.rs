//! From names to players.

use keisei_game::Side;

use super::{EngineKind, EngineSpec, NetSpec, OwnLimits, PlayerSpec};
use crate::external::{ExternalEngine, GnuShogi, Launch, Patience};
use crate::models;
use crate::network_player::{LoadError, PolicyChoice, PolicyPlayer, SearchPlayer, load_network};
use crate::search::SearchSettings;
use crate::{Answer, Arena, Limits, Player, PlayerError, Protocol, Report, Signal};

/// Why a player cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// People cannot be built.
    #[error("human is a person, who can only play at a board: name a player that is a program")]
    Human,
    /// The player plays another game.
    #[error("{player} does not play {game}")]
    OtherGame {
        /// Who.
        player: String,
        /// The game.
        game: &'static str,
    },
    /// There is no such level.
    #[error("there is no level {level} of {game}; {}", match known {
        0 => "it has no levels".to_owned(),
        known => format!("there are levels 1 to {known}"),
    })]
    NoLevel {
        /// The number that was asked for.
        level: u8,
        /// The game.
        game: &'static str,
        /// How many levels there are.
        known: usize,
    },
    /// A network cannot be read.
    #[error(transparent)]
    Network(#[from] LoadError),
    /// A program does not start as it should.
    #[error(transparent)]
    Engine(#[from] PlayerError),
}

impl PlayerSpec {
    /// The player of this name. What it does by chance is a function of `seed`. Programs are
    /// started and ready to play.
    pub fn build<G: Arena>(&self, seed: u64) -> Result<Box<dyn Player<G>>, BuildError> {
        self.resolved::<G>()?.build_named(self.to_string(), seed)
    }

    /// The player behind a level; whoever else it is, stays.
    pub fn resolved<G: Arena>(&self) -> Result<Self, BuildError> {
        let Self::Level(number) = *self else { return Ok(self.clone()) };
        let known = || models::levels(G::NAME).count();
        let missing = || BuildError::NoLevel { level: number, game: G::NAME, known: known() };
        Ok(models::level(G::NAME, number).ok_or_else(missing)?.player())
    }

    fn build_named<G: Arena>(
        &self,
        name: String,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, BuildError> {
        if let Some(player) = self.yardstick(seed) {
            return Ok(player);
        }
        Ok(match self {
            Self::Policy { checkpoint, greedy, temperature, mirror } => {
                let choice = match greedy {
                    true => PolicyChoice::Greedy,
                    false => PolicyChoice::Sampled(temperature.unwrap_or(1.0)),
                };
                let network = load_network::<G>(checkpoint)?;
                let player = PolicyPlayer::<G>::new(name, network, choice, seed);
                Box::new(if *mirror { player.with_mirror() } else { player })
            }
            Self::Net(net) => net.open(name, seed)?,
            Self::Engine(engine) => engine.start()?,
            _ => return Err(BuildError::Human),
        })
    }
}

impl NetSpec {
    /// How the search works: as usual, but for what is named.
    pub fn search_settings(&self) -> SearchSettings {
        let usual = SearchSettings::default();
        SearchSettings {
            simulations: self.simulations,
            threads: self.threads.unwrap_or(usual.threads),
            batch: self.batch.unwrap_or(usual.batch),
            policy_temperature: self.policy_temperature,
            exploration: self.exploration.unwrap_or(usual.exploration),
            fpu_reduction: self.fpu_reduction.unwrap_or(usual.fpu_reduction),
            gumbel_up_to: self.gumbel_up_to.unwrap_or(usual.gumbel_up_to),
            mirror: self.mirror,
            ..usual
        }
    }

    fn open<G: Arena>(&self, name: String, seed: u64) -> Result<Box<dyn Player<G>>, BuildError> {
        let settings = SearchSettings { seed, ..self.search_settings() };
        let network = load_network::<G>(&self.checkpoint)?;
        let network = network.with_precision(self.precision.unwrap_or_default());
        let player = SearchPlayer::<G>::new(name, network, settings);
        Ok(limited(Box::new(player), OwnLimits { seconds: self.seconds, ..OwnLimits::default() }))
    }
}

/// `player` with limits of its own, if there are some.
fn limited<G: Arena>(player: Box<dyn Player<G>>, limits: OwnLimits) -> Box<dyn Player<G>> {
    if limits == OwnLimits::default() { player } else { Box::new(Limited { player, limits }) }
}

impl EngineSpec {
    fn start<G: Arena>(&self) -> Result<Box<dyn Player<G>>, BuildError> {
        let launch = Launch {
            name: self.name.clone().unwrap_or_else(|| self.to_string()),
            command: self.command.clone(),
            options: self.options.clone(),
            patience: Patience::default(),
        };
        let protocol = match self.kind {
            EngineKind::Usi | EngineKind::GnuShogi => Protocol::Usi,
            EngineKind::Uci => Protocol::Uci,
        };
        if G::PROTOCOL != protocol {
            return Err(BuildError::OtherGame { player: launch.name, game: G::NAME });
        }
        let player: Box<dyn Player<G>> = match self.kind {
            EngineKind::GnuShogi => Box::new(GnuShogi::start(&launch)?),
            EngineKind::Usi | EngineKind::Uci => {
                Box::new(ExternalEngine::start(protocol, &launch)?)
            }
        };
        Ok(limited(player, self.limits))
    }
}

/// A player whose own limits come before those it is given.
struct Limited<G: Arena> {
    player: Box<dyn Player<G>>,
    limits: OwnLimits,
}

impl<G: Arena> Player<G> for Limited<G> {
    fn name(&self) -> &str {
        self.player.name()
    }

    fn new_game(&mut self) -> Result<(), PlayerError> {
        self.player.new_game()
    }

    fn end_game(&mut self, game: &G, side: Side) -> Result<(), PlayerError> {
        self.player.end_game(game, side)
    }

    fn think(
        &mut self,
        game: &G,
        limits: &Limits,
        signal: &Signal,
        report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Result<Answer<G::Move>, PlayerError> {
        self.player.think(game, &self.limits.over(limits), signal, report)
    }
}
