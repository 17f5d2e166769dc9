//! The Python clients of TensorBoard and Weights & Biases, which read what training writes.

use crate::check::{DEVELOPMENT, Step};
use crate::command::{Command, root};

/// A Python environment with both clients.
const FOLDER: &str = "target/trackers";
const PYTHON: &str = "target/trackers/bin/python";

/// Makes the environment, then lets the clients read our metrics.
pub(crate) fn steps() -> [Step; 3] {
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
            Command::cargo(&format!("nextest run {DEVELOPMENT} --filterset"))
                .arg("binary_id(keisei-train::clients)")
                .env("KEISEI_PYTHON", python),
        ),
    ]
}
