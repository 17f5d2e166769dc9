//! Engines: players with options.

#[cfg(not(target_family = "wasm"))]
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use keisei_encode::Encode;
use keisei_game::Game;
use keisei_net::{Evaluation, Evaluator, InferencePrecision, NetEvaluator, Uniform};

use super::{EngineOption, EngineOptions};
use crate::network_player::SearchPlayer;
#[cfg(not(target_family = "wasm"))]
use crate::network_player::{load_network, shipped_network};
use crate::search::{SearchSettings, win_rate_of};
use crate::{Arena, Player, Protocol, Score};
#[cfg(not(target_family = "wasm"))]
use crate::{PlayerSpec, models};

/// A player with options, as a protocol shows it.
pub trait Engine<G: Game>: Send {
    /// The name under which the engine presents itself.
    fn name(&self) -> &str;

    /// The options that make a difference to this engine. Those that set the rules are offered
    /// whatever it says.
    fn options(&self) -> &[EngineOption];

    /// The player by these options. Called before every search: what an option does not concern,
    /// above all a loaded network, stays as it is. What a person should know is handed to `say`.
    fn player(
        &mut self,
        options: &EngineOptions,
        say: &mut dyn FnMut(&str),
    ) -> Result<&mut dyn Player<G>, String>;

    /// A game begins that has nothing to do with the one before.
    fn new_game(&mut self) -> Result<(), String>;
}

/// A search over the network that a GUI names, or over the built-in one.
pub struct NetworkEngine<G: Arena> {
    name: String,
    source: NetworkSource<G>,
    loaded: Option<Loaded<G>>,
    #[cfg(not(target_family = "wasm"))]
    level: Option<(u8, Box<dyn Player<G>>)>,
}

/// Where networks come from: that of a name, or else the one to play with unless one is named, if
/// there is such a network.
pub type NetworkSource<G> = Box<
    dyn Fn(Option<&Path>) -> Result<Option<NetEvaluator<<G as Encode>::Actions>>, String> + Send,
>;

struct Loaded<G: Arena> {
    player: SearchPlayer<G, Knowledge<G>>,
    /// The model that it plays with.
    model: Option<PathBuf>,
    precision: InferencePrecision,
}

/// What can be set, with what not all engines have at both ends: levels of the game first, giving up
/// last.
const OPTIONS: [EngineOption; 12] = [
    EngineOption::Level,
    EngineOption::Model,
    EngineOption::Hash,
    EngineOption::Ponder,
    EngineOption::Threads,
    EngineOption::Batch,
    EngineOption::Precision,
    EngineOption::Simulations,
    EngineOption::MultiPv,
    EngineOption::Latency,
    EngineOption::PolicyTemperature,
    EngineOption::ResignValue,
];

/// What a search asks about positions.
pub(super) enum Knowledge<G: Arena> {
    Network(Box<NetEvaluator<G::Actions>>),
    Nothing,
}

impl<G: Arena> Knowledge<G> {
    /// Without a network the search finds its way by the ends of games alone.
    fn new(network: Option<NetEvaluator<G::Actions>>, say: &mut dyn FnMut(&str)) -> Self {
        if let Some(network) = network {
            return Self::Network(Box::new(network));
        }
        let option = EngineOption::Model.name(G::PROTOCOL);
        say(&format!("no network: every position looks even until {option} names one"));
        Self::Nothing
    }

    fn with_precision(self, precision: InferencePrecision) -> Self {
        match self {
            Self::Network(network) => Self::Network(Box::new(network.with_precision(precision))),
            Self::Nothing => Self::Nothing,
        }
    }
}

impl<G: Arena> Clone for Knowledge<G> {
    fn clone(&self) -> Self {
        match self {
            Self::Network(network) => Self::Network(network.clone()),
            Self::Nothing => Self::Nothing,
        }
    }
}

impl<G: Arena> Evaluator<G::Packed> for Knowledge<G> {
    fn evaluate(&mut self, observations: &[G::Packed], legal: &[&[u32]]) -> Vec<Evaluation> {
        match self {
            Self::Network(network) => network.evaluate(observations, legal),
            Self::Nothing => Uniform.evaluate(observations, legal),
        }
    }

    fn knows_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

impl<G: Arena> NetworkEngine<G> {
    /// An engine of this name, with networks from files and the built-in one. Nothing is loaded
    /// before it is needed.
    #[cfg(not(target_family = "wasm"))]
    pub fn new(name: impl Into<String>) -> Self {
        let source = |model: Option<&Path>| match model {
            Some(path) => load_network::<G>(path).map(Some).map_err(|error| error.to_string()),
            None => Ok(shipped_network::<G>()),
        };
        Self::with_source(name, Box::new(source))
    }

    /// An engine of this name, with networks from `source`.
    pub fn with_source(name: impl Into<String>, source: NetworkSource<G>) -> Self {
        Self {
            name: name.into(),
            source,
            loaded: None,
            #[cfg(not(target_family = "wasm"))]
            level: None,
        }
    }

    /// Whether there are opponents of known strength to choose from.
    fn has_levels() -> bool {
        #[cfg(target_family = "wasm")]
        return false;
        #[cfg(not(target_family = "wasm"))]
        return models::levels(G::NAME).next().is_some();
    }

    /// The built-in opponent of this number.
    #[cfg(not(target_family = "wasm"))]
    fn level_player(&mut self, number: u8) -> Result<&mut dyn Player<G>, String> {
        let before = self.level.take().filter(|(loaded, _)| *loaded == number);
        let level = match before {
            Some(level) => level,
            None => {
                let seed = RandomState::new().hash_one(number);
                let player = PlayerSpec::Level(number).build(seed);
                (number, player.map_err(|error| error.to_string())?)
            }
        };
        Ok(&mut *self.level.insert(level).1)
    }

    fn load(
        &self,
        options: &EngineOptions,
        say: &mut dyn FnMut(&str),
    ) -> Result<Loaded<G>, String> {
        let knowledge = Knowledge::<G>::new((self.source)(options.model.as_deref())?, say);
        let precision = options.precision;
        let knowledge = knowledge.with_precision(precision);
        let player = SearchPlayer::new(&self.name, knowledge, SearchSettings::default());
        Ok(Loaded { player, model: options.model.clone(), precision })
    }

    /// The player by these options, as [`Engine::player`] gives it.
    pub(super) fn search_player(
        &mut self,
        options: &EngineOptions,
        say: &mut dyn FnMut(&str),
    ) -> Result<&mut SearchPlayer<G, Knowledge<G>>, String> {
        let fits = |loaded: &Loaded<G>| {
            loaded.model == options.model && loaded.precision == options.precision
        };
        let before = self.loaded.take().filter(fits);
        let loaded = match before {
            Some(loaded) => loaded,
            None => self.load(options, say)?,
        };
        let Loaded { player, .. } = self.loaded.insert(loaded);
        let search = player.settings_mut();
        search.threads = options.threads;
        search.memory = options.hash;
        search.batch = options.batch;
        search.multi_pv = options.multi_pv;
        let temperature = options.policy_temperature;
        search.policy_temperature = (temperature > 0).then_some(temperature as f32 / 100.0);
        let least = || win_rate_of::<G>(Score::Centipawns(-(options.resign_value as i32)));
        let resigns = options.resign_value < EngineOptions::NEVER_RESIGN;
        player.resign_below(resigns.then(least));
        Ok(player)
    }
}

impl<G: Arena> Engine<G> for NetworkEngine<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn options(&self) -> &[EngineOption] {
        let first = usize::from(!Self::has_levels());
        match G::PROTOCOL {
            Protocol::Usi => &OPTIONS[first..],
            // There is no way to give up.
            Protocol::Uci => &OPTIONS[first..OPTIONS.len() - 1],
        }
    }

    fn player(
        &mut self,
        options: &EngineOptions,
        say: &mut dyn FnMut(&str),
    ) -> Result<&mut dyn Player<G>, String> {
        #[cfg(not(target_family = "wasm"))]
        if let Some(number) = options.level {
            return self.level_player(number);
        }
        Ok(self.search_player(options, say)?)
    }

    fn new_game(&mut self) -> Result<(), String> {
        #[cfg(not(target_family = "wasm"))]
        if let Some((_, player)) = &mut self.level {
            player.new_game().map_err(|error| error.to_string())?;
        }
        match &mut self.loaded {
            Some(Loaded { player, .. }) => player.new_game().map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }
}

/// A player that is as it is: a GUI sets nothing but how time is counted.
pub struct PlayerEngine<G: Game> {
    name: String,
    make: Make<G>,
    player: Option<Box<dyn Player<G>>>,
}

/// How a player comes to be.
type Make<G> = Box<dyn FnMut() -> Result<Box<dyn Player<G>>, String> + Send>;

impl<G: Game> PlayerEngine<G> {
    /// An engine of this name that plays like the player that `make` makes when it is needed.
    pub fn new(
        name: impl Into<String>,
        make: impl FnMut() -> Result<Box<dyn Player<G>>, String> + Send + 'static,
    ) -> Self {
        Self { name: name.into(), make: Box::new(make), player: None }
    }
}

impl<G: Game> Engine<G> for PlayerEngine<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn options(&self) -> &[EngineOption] {
        // Of these, GUIs set memory and pondering whether they are offered or not.
        &[EngineOption::Hash, EngineOption::Ponder, EngineOption::Latency]
    }

    fn player(
        &mut self,
        _: &EngineOptions,
        _: &mut dyn FnMut(&str),
    ) -> Result<&mut dyn Player<G>, String> {
        let player = match self.player.take() {
            Some(player) => player,
            None => (self.make)()?,
        };
        Ok(&mut **self.player.insert(player))
    }

    fn new_game(&mut self) -> Result<(), String> {
        match &mut self.player {
            Some(player) => player.new_game().map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_chess::Chess;

    #[test]
    fn an_engine_without_a_network_searches_without_asking_one() {
        let mut said = Vec::new();
        let knowledge = Knowledge::<Chess>::new(None, &mut |text: &str| said.push(text.to_owned()));
        assert!(knowledge.knows_nothing());
        assert!(said[0].starts_with("no network"), "{said:?}");
    }
}
