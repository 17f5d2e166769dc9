//! `keisei export` and `keisei import`: networks as ONNX models and back.

use std::borrow::Cow;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use keisei_encode::{Actions, Encode, ForActions};
use keisei_engine::network_player::{SHIPPED, find_weights, shipped_weights};
use keisei_game::random_game;
use keisei_games::{GameName, with_game};
use keisei_net::onnx::{OnnxModel, export, samples};
use keisei_net::{Header, StateError};

use crate::pick::game_name;
use crate::record_file::replace;

/// Write a network as an ONNX model, for other people's programs
///
/// The model takes any number of positions at once. It has the inputs and
/// outputs of its encoding:
///
///   planes [N, PLANES, ROWS, COLUMNS]  what the side to move sees
///   policy [N, ACTIONS]                a logit for each action, by number
///   value  [N, 1]                      from -1, lost, to 1, won, for the
///                                      side to move
///
/// The documentation of `keisei-encode` describes planes and actions. Whoever
/// uses the model masks the logits of moves that are not legal. Its metadata
/// names game, encoding and network; `keisei import` makes the same weights
/// file of it again, bit for bit.
#[derive(Args)]
#[command(verbatim_doc_comment, after_help = EXPORTS)]
pub(crate) struct Export {
    /// A weights file, the folder of a run, whose newest model is taken, or `shipped`
    #[arg(value_name = "MODEL")]
    model: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT.onnx")]
    output: PathBuf,
    /// The game of a built-in network; weights files name theirs
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
    /// Also write positions with what the network says of them, to test a program that runs the
    /// model: `planes`, `policy` (probabilities over all actions, legal or not) and `value` as
    /// safetensors
    #[arg(long, value_name = "FILE")]
    samples: Option<PathBuf>,
    /// How many positions those are
    #[arg(long, value_name = "N", default_value_t = 100, requires = "samples")]
    count: usize,
}

const EXPORTS: &str = "\
Examples:
  keisei export shipped shogi.onnx
  keisei export runs/NAME agent.onnx --samples agent.safetensors
  keisei import agent.onnx agent.safetensors";

/// Make a weights file of an ONNX model that was exported
///
/// Other programs may have changed the numbers of the model meanwhile; its tensors must still have
/// the names and shapes with which it was exported, and its metadata must be there.
#[derive(Args)]
#[command(after_help = "Examples:\n  keisei import agent.onnx agent.safetensors")]
pub(crate) struct Import {
    /// The model
    #[arg(value_name = "IN.onnx")]
    model: PathBuf,
    /// The weights file to write
    #[arg(value_name = "OUT.safetensors")]
    output: PathBuf,
}

impl Export {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let (name, weights) = weights(&self.model, self.game)?;
        let refused = || format!("{name} cannot be exported");
        let header = Header::read(&weights).with_context(refused)?;
        let game: GameName = header.game.parse().with_context(refused)?;
        let exported = with_game!(game, G => {
            let samples = self.samples.as_ref().map(|_| self.count);
            let exporting = Exporting { weights: &weights, samples };
            <G as Encode>::with_actions(header.action_count, exporting)
        });
        let (model, samples) = exported.with_context(refused)?;
        replace(&self.output, &model)?;
        writeln!(
            out,
            "{}: a network of {game}, {} blocks of {} channels, in {} bytes",
            self.output.display(),
            header.network.blocks,
            header.network.channels,
            model.len()
        )?;
        if let (Some(file), Some(samples)) = (&self.samples, samples) {
            replace(file, &samples)?;
            writeln!(out, "{}: {} positions with its answers", file.display(), self.count)?;
        }
        Ok(())
    }
}

impl Import {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        struct Importing<'a>(&'a OnnxModel);

        impl<G: Encode> ForActions<G> for Importing<'_> {
            type Output = Result<Vec<u8>, StateError>;

            fn visit<A: Actions<Game = G>>(self) -> Self::Output {
                self.0.weights::<A>()
            }
        }

        let name = self.model.display();
        let refused = || format!("{name} cannot be imported");
        let bytes = fs::read(&self.model).with_context(|| format!("cannot read {name}"))?;
        let model = OnnxModel::read(&bytes).with_context(refused)?;
        let header = model.header();
        let game: GameName = header.game.parse().with_context(refused)?;
        let weights = with_game!(game, G => {
            <G as Encode>::with_actions(header.action_count, Importing(&model))
        })
        .with_context(refused)?;
        replace(&self.output, &weights)?;
        writeln!(
            out,
            "{}: a network of {game} after {} steps of its optimiser",
            self.output.display(),
            header.step
        )?;
        Ok(())
    }
}

/// The bytes of the weights file that `model` means, and what to call it.
fn weights(model: &Path, game: GameName) -> Result<(String, Cow<'static, [u8]>)> {
    if model.starts_with(SHIPPED) {
        let bytes = with_game!(game, G => shipped_weights::<G>(model))?;
        return Ok((model.display().to_string(), Cow::Borrowed(bytes)));
    }
    let path = find_weights(model)?;
    let name = path.display().to_string();
    let bytes = fs::read(&path).with_context(|| format!("cannot read {name}"))?;
    Ok((name, Cow::Owned(bytes)))
}

/// How many moves lead to a sample, at most.
const LONGEST: usize = 150;

struct Exporting<'a> {
    weights: &'a [u8],
    samples: Option<usize>,
}

impl<G: Encode> ForActions<G> for Exporting<'_> {
    type Output = Result<(Vec<u8>, Option<Vec<u8>>), StateError>;

    fn visit<A: Actions<Game = G>>(self) -> Self::Output {
        let model = export::<A>(self.weights)?;
        let samples = |count| samples::<A>(self.weights, &positions::<G>(count));
        Ok((model, self.samples.map(samples).transpose()?))
    }
}

/// Positions of random games.
fn positions<G: Encode>(count: usize) -> Vec<G::Packed> {
    let position = |i: usize| {
        let mut game = G::new();
        random_game(&mut game, i as u64, i % LONGEST);
        game.pack()
    };
    (0..count).map(position).collect()
}
