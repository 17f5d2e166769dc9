//! The engine that plays unless another is named: a search over a network.

use std::path::{Path, PathBuf};
use std::time::Duration;

use keisei_net::{Evaluation, Evaluator, NetEvaluator, Uniform};

use super::{Engine, Setting, Settings};
use crate::network_player::{SearchPlayer, load_network, shipped_network};
use crate::search::SearchSettings;
use crate::{Arena, Player, Protocol};

/// A search over the network that a GUI names, or over the one that comes with the program.
pub struct NetworkEngine<G: Arena> {
    name: String,
    loaded: Option<Loaded<G>>,
}

struct Loaded<G: Arena> {
    player: SearchPlayer<G, Knowledge<G>>,
    /// The model that it plays with.
    model: Option<PathBuf>,
}

/// What can be set, with what only some protocols have at the end.
const SETTINGS: [Setting; 9] = [
    Setting::Model,
    Setting::Hash,
    Setting::Ponder,
    Setting::Threads,
    Setting::Batch,
    Setting::Simulations,
    Setting::MultiPv,
    Setting::Overhead,
    Setting::ResignValue,
];

/// What a search asks about positions.
enum Knowledge<G: Arena> {
    Network(NetEvaluator<G::Actions>),
    Nothing,
}

impl<G: Arena> Knowledge<G> {
    fn load(path: &Path) -> Result<Self, String> {
        load_network::<G>(path).map(Self::Network).map_err(|error| error.to_string())
    }

    /// The network that comes with the program. Where there is none, the search finds its way by
    /// the ends of games alone.
    fn shipped(say: &mut dyn FnMut(&str)) -> Self {
        if let Some(network) = shipped_network::<G>() {
            return Self::Network(network);
        }
        let option = Setting::Model.name(G::PROTOCOL);
        say(&format!("no network: every position looks even until {option} names one"));
        Self::Nothing
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
}

impl<G: Arena> NetworkEngine<G> {
    /// An engine of this name. Nothing is loaded before it is needed.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), loaded: None }
    }

    fn load(&self, settings: &Settings, say: &mut dyn FnMut(&str)) -> Result<Loaded<G>, String> {
        let knowledge = match &settings.model {
            Some(path) => Knowledge::load(path)?,
            None => Knowledge::shipped(say),
        };
        // The protocol has taken the time on the way off the clocks already.
        let search = SearchSettings { overhead: Duration::ZERO, ..SearchSettings::default() };
        let player = SearchPlayer::new(&self.name, knowledge, search);
        Ok(Loaded { player, model: settings.model.clone() })
    }
}

impl<G: Arena> Engine<G> for NetworkEngine<G> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn settings(&self) -> &[Setting] {
        match G::PROTOCOL {
            Protocol::Usi => &SETTINGS,
            // There is no way to give up.
            Protocol::Uci => &SETTINGS[..SETTINGS.len() - 1],
        }
    }

    fn player(
        &mut self,
        settings: &Settings,
        say: &mut dyn FnMut(&str),
    ) -> Result<&mut dyn Player<G>, String> {
        let before = self.loaded.take().filter(|loaded| loaded.model == settings.model);
        let loaded = match before {
            Some(loaded) => loaded,
            None => self.load(settings, say)?,
        };
        let Loaded { player, .. } = self.loaded.insert(loaded);
        let search = player.settings_mut();
        search.threads = settings.threads;
        search.memory = settings.hash;
        search.batch = settings.batch;
        search.multi_pv = settings.multi_pv;
        let least = settings.resign_value as f32 / 1000.0;
        player.resign_below((settings.resign_value > 0).then_some(least));
        Ok(player)
    }

    fn new_game(&mut self) -> Result<(), String> {
        match &mut self.loaded {
            Some(Loaded { player, .. }) => player.new_game().map_err(|error| error.to_string()),
            None => Ok(()),
        }
    }
}
