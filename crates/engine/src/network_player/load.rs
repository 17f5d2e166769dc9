//! Finding and reading the weights of a network.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use keisei_encode::Actions;
use keisei_net::{InferencePrecision, NetEvaluator, StateError};
use keisei_runs::{MODEL_EXTENSION, RunFolder, step_of};

use super::SearchPlayer;
use crate::Arena;
use crate::models;
use crate::search::SearchSettings;

/// The name of the built-in network, where a file could be named.
pub const SHIPPED: &str = "shipped";

/// Why there is no network.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The disk refuses.
    #[error("{path}: {error}")]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// None is built in.
    #[error("there is no built-in network for {game}: name a weights file or the folder of a run")]
    NoneShipped {
        /// The game.
        game: &'static str,
    },
    /// No age of this name is built in.
    #[error("there is no built-in network {id:?} for {game}; there are {}", known.join(", "))]
    UnknownAge {
        /// The name.
        id: PathBuf,
        /// The game.
        game: &'static str,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// A folder without weights.
    #[error(
        "{folder} has no network: there is no file *.{MODEL_EXTENSION} in it or among a run's \
         models"
    )]
    NoneInFolder {
        /// The folder.
        folder: PathBuf,
    },
    /// The weights are damaged, or of another game or encoding.
    #[error("{path}: {problem}")]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: StateError,
    },
}

/// The network at `path`: a weights file, or the folder of a run, whose newest model is taken, or
/// a built-in one if the path is [`SHIPPED`] or in it. It is computed in f32 until it is told
/// otherwise.
pub fn load_network<G: Arena>(path: &Path) -> Result<NetEvaluator<G::Actions>, LoadError> {
    if path.starts_with(SHIPPED) {
        return Ok(whole(shipped_weights::<G>(path)?));
    }
    let path = find_weights(path)?;
    let bytes = fs::read(&path).map_err(disk(&path))?;
    NetEvaluator::from_weights(&bytes).map_err(|problem| LoadError::Weights { path, problem })
}

impl<G: Arena> SearchPlayer<G> {
    /// A player with the network at `path`, as [`load_network`] finds it, in the precision of
    /// play.
    pub fn open(
        name: impl Into<String>,
        path: &Path,
        settings: SearchSettings,
    ) -> Result<Self, LoadError> {
        let network = load_network::<G>(path)?.with_precision(InferencePrecision::default());
        Ok(Self::new(name, network, settings))
    }
}

/// The built-in network, if there is one for the game.
pub fn shipped_network<G: Arena>() -> Option<NetEvaluator<G::Actions>> {
    shipped_weights::<G>(Path::new(SHIPPED)).ok().map(whole)
}

/// The weights of the built-in network that `path` names, [`SHIPPED`] or an age in it.
pub fn shipped_weights<G: Arena>(path: &Path) -> Result<&'static [u8], LoadError> {
    let network = models::network(G::NAME, path);
    network.and_then(|network| models::weights(&network.file)).ok_or_else(|| {
        let networks = models::models().networks.iter().filter(|network| network.game == G::NAME);
        let known: Vec<_> = networks.map(|network| network.id.as_str()).collect();
        match path.strip_prefix(SHIPPED) {
            Ok(id) if !known.is_empty() => {
                LoadError::UnknownAge { id: id.to_owned(), game: G::NAME, known }
            }
            _ => LoadError::NoneShipped { game: G::NAME },
        }
    })
}

fn whole<A: Actions>(weights: &[u8]) -> NetEvaluator<A> {
    NetEvaluator::from_weights(weights).expect("built-in weights are whole")
}

/// The weights file at `path`, which is that file or the folder of a run.
pub fn find_weights(path: &Path) -> Result<PathBuf, LoadError> {
    if !fs::metadata(path).map_err(disk(path))?.is_dir() {
        return Ok(path.to_owned());
    }
    for folder in [RunFolder::new(path).models(), path.to_owned()] {
        if let Some(newest) = newest_in(&folder)? {
            return Ok(newest);
        }
    }
    Err(LoadError::NoneInFolder { folder: path.to_owned() })
}

/// The weights in `folder` with the most moves of training in their name; of those that do not
/// tell, the file written last.
fn newest_in(folder: &Path) -> Result<Option<PathBuf>, LoadError> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        entries => entries.map_err(disk(folder))?,
    };
    let mut newest: Option<(Option<u64>, SystemTime, PathBuf)> = None;
    for entry in entries {
        let entry = entry.map_err(disk(folder))?;
        let path = entry.path();
        // A file that begins with a dot is being written.
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if hidden || path.extension() != Some(OsStr::new(MODEL_EXTENSION)) {
            continue;
        }
        let written = entry.metadata().and_then(|data| data.modified()).map_err(disk(&path))?;
        let candidate = (step_of(&path), written, path);
        if newest.as_ref().is_none_or(|newest| candidate > *newest) {
            newest = Some(candidate);
        }
    }
    Ok(newest.map(|(.., path)| path))
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> LoadError {
    move |error| LoadError::Disk { path: path.to_owned(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_animal::Animal;
    use keisei_encode::{Encode, legal_actions};
    use keisei_game::{Game, likeliest, random_game};
    use keisei_net::Evaluator;
    use keisei_shogi::Shogi;

    #[test]
    fn the_network_that_comes_with_the_program_prefers_some_moves_to_others() {
        let mut network = load_network::<Shogi>(Path::new(SHIPPED)).unwrap();
        let game = Shogi::new();
        let actions = legal_actions::<<Shogi as Encode>::Actions>(game.position());
        let legal: Vec<_> = actions.iter().map(|&(action, _)| action as u32).collect();
        let policy = network.evaluate(&[game.pack()], &[&legal]).remove(0).policy;
        let likeliest = policy.iter().copied().fold(0.0, f32::max);
        assert!(likeliest > 3.0 / legal.len() as f32, "{likeliest} of {}", legal.len());
    }

    #[test]
    fn in_integers_the_built_in_network_says_nearly_the_same() {
        let exact = &mut shipped_network::<Shogi>().unwrap();
        let rounded = &mut exact.clone().with_precision(InferencePrecision::Int16);
        let (mut same, mut divergence, mut error) = (0, 0.0, 0.0_f32);
        let count = 200;
        for seed in 0..count {
            let mut game = Shogi::new();
            random_game(&mut game, seed, 20 + seed as usize % 100);
            if game.outcome().is_some() {
                game = Shogi::new();
            }
            let actions = legal_actions::<<Shogi as Encode>::Actions>(game.position());
            let legal: Vec<_> = actions.iter().map(|&(action, _)| action as u32).collect();
            let exact = exact.evaluate(&[game.pack()], &[&legal]).remove(0);
            let rounded = rounded.evaluate(&[game.pack()], &[&legal]).remove(0);
            same += u32::from(likeliest(&exact.policy) == likeliest(&rounded.policy));
            let pairs = exact.policy.iter().zip(&rounded.policy);
            let terms = pairs.map(|(&p, &q)| f64::from(p) * (f64::from(p) / f64::from(q)).ln());
            divergence += terms.sum::<f64>() / count as f64;
            error = error.max((exact.value - rounded.value).abs());
        }
        assert!(same >= 199, "the likeliest move is the same {same} times in {count}");
        assert!(divergence < 1e-4, "the policies diverge by {divergence}");
        assert!(error < 0.02, "the values differ by {error}");
    }

    #[test]
    fn a_number_in_a_name_counts_only_where_a_run_writes_its_moves() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["shogi_ppo_agent_step_900", "shogi_ppo_agent_step_1000", "best-20250101"];
        let files = names.map(|name| folder.path().join(format!("{name}.{MODEL_EXTENSION}")));
        files.iter().for_each(|file| fs::write(file, "").unwrap());
        assert_eq!(find_weights(folder.path()).unwrap(), files[1]);
    }

    #[test]
    fn a_game_without_a_shipped_network_says_so() {
        let problem = load_network::<Animal>(Path::new(SHIPPED)).unwrap_err().to_string();
        assert!(problem.starts_with("there is no built-in network for animal"), "{problem}");
    }
}
