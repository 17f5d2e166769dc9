//! Made-up input for the parsers.

use std::fs;

use anyhow::{Result, bail};
use clap::Args;

use crate::command::{Command, root};

/// How long each target runs.
#[derive(Args)]
pub(crate) struct Options {
    /// How long each target is fed
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    seconds: u64,
    /// Only this target (may be given several times) [default: all]
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
}

/// Runs the targets one after the other; a crash stops the run and leaves its input in
/// `fuzz/artifacts`.
pub(crate) fn run(options: &Options) -> Result<()> {
    if let Some(reason) = missing_tool() {
        bail!("fuzzing is not possible here: {reason}");
    }
    for target in targets(options)? {
        println!("==> {target}, {} s", options.seconds);
        // New inputs go to the corpus, which is not kept in the repository; the seeds are.
        let corpus = format!("fuzz/corpus/{target}");
        fs::create_dir_all(root().join(&corpus))?;
        Command::cargo("+nightly fuzz run")
            .arg(&target)
            .arg(corpus)
            .arg(format!("fuzz/seeds/{target}"))
            .args(&["--", "-dict=fuzz/shogi.dict", "-print_final_stats=1"].map(str::to_owned))
            .arg(format!("-max_total_time={}", options.seconds))
            .run()?;
    }
    Ok(())
}

/// Builds the targets without running them.
pub(crate) fn build() -> Command {
    Command::cargo("+nightly fuzz build")
}

/// Why fuzz targets cannot be built here, or `None` if they can.
pub(crate) fn missing_tool() -> Option<String> {
    let toolchains = Command::new("rustup", "toolchain list").output().unwrap_or_default();
    if !toolchains.lines().any(|line| line.starts_with("nightly")) {
        return Some("there is no nightly toolchain: rustup toolchain install nightly".to_owned());
    }
    match Command::cargo("fuzz --version").output() {
        None => Some("cargo-fuzz is not installed: cargo install --locked cargo-fuzz".to_owned()),
        Some(_) => None,
    }
}

fn targets(options: &Options) -> Result<Vec<String>> {
    let Some(all) = Command::cargo("+nightly fuzz list").output() else {
        bail!("cargo-fuzz finds no targets");
    };
    let all: Vec<_> = all.lines().map(str::to_owned).collect();
    if let Some(unknown) = options.target.iter().find(|name| !all.contains(name)) {
        bail!("there is no fuzz target {unknown:?}, only {}", all.join(", "));
    }
    Ok(if options.target.is_empty() { all } else { options.target.clone() })
}
