//! `keisei config`: shows, explains and checks the settings of training.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use keisei_encode::{Actions, Encode, ForActions};
use keisei_engine::Arena;
use keisei_games::with_game;
use keisei_train::Config;
use keisei_train::config::Sources;

use crate::train::{PRESET, Prepared};

/// Show, explain or check the settings of training.
#[derive(Args)]
pub(crate) struct ConfigCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print every setting as training would see it
    Show(Chosen),
    /// Say what settings mean: all of them, a section, or one as section.name. The values are those
    /// that hold where neither a preset nor anything else sets another
    Explain {
        /// A section or a setting
        key: Option<String>,
    },
    /// Say whether training can begin with the settings, in all that can be known before
    Check(Chosen),
}

/// Where settings come from.
#[derive(Args)]
struct Chosen {
    /// A TOML or YAML file
    file: Option<PathBuf>,
    /// Settings that come with the program, below those of the file
    #[arg(long, value_name = "NAME", default_value = PRESET)]
    preset: String,
    /// One more setting (may be given several times)
    #[arg(long, value_name = "SECTION.NAME=VALUE")]
    set: Vec<String>,
}

impl Chosen {
    fn load(&self) -> Result<Config> {
        let (file, overrides) = (self.file.clone(), self.set.clone());
        let (preset, environment) = (Some(self.preset.clone()), Sources::environment());
        Ok(Config::load(&Sources { preset, file, environment, overrides })?)
    }
}

/// What the values of an explanation are.
const DEFAULTS: &str = "\
These are the values where neither a preset nor anything else sets another. Training begins with the
preset cpu, if no other is named: `keisei config show` prints what then holds.
";

impl ConfigCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        match &self.action {
            Action::Show(chosen) => write!(out, "{}", chosen.load()?.to_toml())?,
            Action::Explain { key } => {
                write!(out, "{}{DEFAULTS}", Config::explain(key.as_deref())?)?
            }
            Action::Check(chosen) => {
                let config = chosen.load()?;
                let (game, actions) = (config.env.game, config.env.action_space_size);
                with_game!(game, G => G::with_actions(actions, Check(&config)))?;
                writeln!(out, "the settings can be used")?;
            }
        }
        Ok(())
    }
}

/// Makes all that a run needs, and nothing of it.
struct Check<'a>(&'a Config);

impl<G: Arena> ForActions<G> for Check<'_> {
    type Output = Result<()>;

    fn visit<A: Actions<Game = G>>(self) -> Result<()> {
        Prepared::<A>::new(self.0).map(|_| ())
    }
}
