//! The Python clients of TensorBoard and Weights & Biases, which read what training writes.

use crate::command::{Command, root};

/// A Python environment with both clients.
const FOLDER: &str = "target/trackers";
const PYTHON: &str = "target/trackers/bin/python";

/// Makes the environment, then lets the clients read our metrics.
pub(crate) fn steps() -> [(&'static str, Command); 3] {
    let python = root().join(PYTHON).display().to_string();
    [
        ("environment of the trackers", Command::new("python3", "-m venv").arg(FOLDER)),
        (
            "clients of the trackers",
            Command::new(PYTHON, "-m pip install --quiet --disable-pip-version-check")
                .args(&["tensorboard", "wandb", "setuptools<81"].map(str::to_owned)),
        ),
        (
            "trackers",
            Command::cargo("nextest run --package keisei-train --features python-clients")
                .args(&["--test", "clients"].map(str::to_owned))
                .env("KEISEI_PYTHON", python),
        ),
    ]
}
