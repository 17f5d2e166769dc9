//! The openings that a match asks for on the command line.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use clap::Args;
use keisei_ladder::contest::Openings;
use keisei_records::Format;

use crate::start::usage;
use crate::text_game::TextGame;

/// Where the games begin.
#[derive(Args)]
pub(super) struct OpeningArgs {
    /// Take the openings from FILE: SFEN, FEN or EPD lines, `position` lines, or games in any
    /// record format; more words: order=random, start=N, plies=N, format=NAME
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "random_plies")]
    openings: Vec<String>,
    /// Start with this many random moves from the standard position
    #[arg(long, value_name = "N", default_value_t = 4)]
    random_plies: usize,
}

impl OpeningArgs {
    /// The openings, and what a match says of them.
    pub(super) fn read<G: TextGame>(&self, seed: u64) -> Result<(Openings, String)> {
        let Some((file, words)) = self.openings.split_first() else {
            let openings = Openings::Random { plies: self.random_plies };
            let described = openings.describe();
            return Ok((openings, described));
        };
        let file = file.strip_prefix("file=").unwrap_or(file);
        let (mut shuffled, mut start, mut plies, mut format) = (false, 1, None, None);
        for word in words {
            let refuse = || {
                usage(format!(
                    "{word:?} is no setting of openings: order=random|sequential, start=N, plies=N, format=NAME"
                ))
            };
            match word.split_once('=').ok_or_else(refuse)? {
                ("order", "random") => shuffled = true,
                ("order", "sequential") => shuffled = false,
                ("start", n) => start = n.parse().ok().filter(|&n| n > 0).ok_or_else(refuse)?,
                ("plies", n) => plies = Some(n.parse().map_err(|_| refuse())?),
                ("format", name) => format = Some(name.parse::<Format>().map_err(usage)?),
                _ => return Err(refuse()),
            }
        }
        let bytes = fs::read(file).with_context(|| format!("cannot read {file}"))?;
        let by_name = || Format::from_path(Path::new(file));
        let openings = Openings::read::<G>(&bytes, format.or_else(by_name), plies);
        let openings = openings.with_context(|| file.to_owned())?;
        let openings = if shuffled { openings.shuffled(seed) } else { openings };
        let openings: Openings = openings.starting_at(start - 1);
        let described = openings.describe();
        Ok((openings, described))
    }
}
