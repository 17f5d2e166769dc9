//! Speed beside other libraries.

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::command::Command;

/// What is measured.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Move generation, making moves and random games of shogi, with rsshogi and haitaka
    Movegen(Movegen),
    /// Training end to end: moves a second, and where the time goes
    Train(Train),
    /// Networks in f32 and in integers, with onnxruntime
    Inference(Inference),
}

/// How the benchmark is built and what it is told.
#[derive(Args)]
pub(crate) struct Movegen {
    /// Build for any processor of this kind instead of for the one at hand
    #[arg(long)]
    portable: bool,
    /// Passed on: --seconds, --rounds, --work, --position, --json
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// What is trained, and for how long.
#[derive(Args)]
pub(crate) struct Train {
    /// The settings
    #[arg(long, default_value = "cpu")]
    preset: String,
    /// How many moves are played and learned from
    #[arg(long, default_value_t = 163_840)]
    steps: u64,
}

/// The network that is measured.
#[derive(Args)]
pub(crate) struct Inference {
    /// How many residual blocks
    #[arg(long, default_value_t = 6)]
    blocks: usize,
    /// How many channels
    #[arg(long, default_value_t = 64)]
    channels: usize,
}

/// Builds and runs a benchmark.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    match bench {
        Bench::Movegen(movegen) => run_movegen(movegen),
        Bench::Train(train) => run_training(train),
        Bench::Inference(inference) => run_inference(inference),
    }
}

/// Training as anybody starts it; the end of what it prints is the result.
fn run_training(train: &Train) -> Result<()> {
    Command::cargo("run --quiet --release --package keisei -- train --plain --new --seed 1")
        .option("--preset", Some(&train.preset))
        .option("--steps", Some(train.steps))
        .option("--runs", Some("target/bench-train"))
        .run()
}

/// A Python environment with onnxruntime, then our networks and its in turns.
fn run_inference(inference: &Inference) -> Result<()> {
    const FOLDER: &str = "target/onnxruntime";
    const PYTHON: &str = "target/onnxruntime/bin/python";
    Command::new("python3", "-m venv").arg(FOLDER).run()?;
    Command::new(PYTHON, "-m pip install --quiet --disable-pip-version-check")
        .args(&["numpy", "onnx", "onnxruntime", "safetensors"].map(str::to_owned))
        .run()?;
    Command::cargo("build --quiet --release --package keisei-net --example inference").run()?;
    Command::new(PYTHON, "crates/net/python/compare_onnx.py")
        .arg(inference.blocks)
        .arg(inference.channels)
        .run()
}

/// Builds for one processor have their own folder, so that they and the ordinary builds do not undo
/// each other.
fn run_movegen(movegen: &Movegen) -> Result<()> {
    let command = Command::cargo("run --quiet --release --package keisei-bench");
    let command = if movegen.portable {
        command
    } else {
        command.arg("--target-dir").arg("target/native").env("RUSTFLAGS", "-C target-cpu=native")
    };
    command.arg("--").arg("movegen").args(&movegen.options).run()
}
