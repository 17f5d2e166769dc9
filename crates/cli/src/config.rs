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

use crate::train::Prepared;

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
    /// Say what settings mean: all of them, a section, or one as section.name
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
    /// Settings that come with the program
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// One more setting (may be given several times)
    #[arg(long, value_name = "SECTION.NAME=VALUE")]
    set: Vec<String>,
}

impl Chosen {
    fn load(&self) -> Result<Config> {
        let (preset, file, overrides) = (self.preset.clone(), self.file.clone(), self.set.clone());
        let environment = Sources::environment();
        Ok(Config::load(&Sources { preset, file, environment, overrides })?)
    }
}

impl ConfigCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        match &self.action {
            Action::Show(chosen) => write!(out, "{}", chosen.load()?.to_toml())?,
            Action::Explain { key } => write!(out, "{}", Config::explain(key.as_deref())?)?,
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
