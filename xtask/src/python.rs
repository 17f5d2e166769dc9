//! The Python package: built as anybody installs it, tested by its own tests and by those of the
//! projects whose form its environments have, its types checked, its examples run.

use crate::check::Step;
use crate::command::Command;
use crate::torch;

/// A Python environment with the package and what tests it.
const FOLDER: &str = "target/python";
const PYTHON: &str = "target/python/bin/python";
const PACKAGE: &str = "crates/python";

/// Makes the environment, builds and installs the package, and tests it.
pub(crate) fn steps() -> Vec<Step> {
    let pip = |line: &str| Command::new(PYTHON, &format!("{PIP} {line}"));
    let python = |line: &str| Command::new(PYTHON, line);
    vec![
        ("environment of the Python package", Command::new("python3", "-m venv").arg(FOLDER)),
        (
            "tools of the Python package",
            pip(&format!("--requirement {PACKAGE}/tests/requirements.txt")),
        ),
        ("Python package", pip(&format!("--no-deps --force-reinstall ./{PACKAGE}"))),
        ("tests of the Python package", python(&format!("-m pytest --quiet {PACKAGE}/tests"))),
        (
            "types of the Python package",
            python(&format!("-m pyright --pythonpath {PYTHON} --project {PACKAGE}")),
        ),
        ("stubs of the Python package", python("-m mypy.stubtest keisei._native --concise")),
        ("example of a tree in Python", python(&format!("{PACKAGE}/examples/alpha_zero.py"))),
    ]
}

/// The examples that learn with PyTorch, in the environment that has its libraries.
pub(crate) fn torch_steps() -> Vec<Step> {
    let example =
        |name: &str| Command::new(torch::PYTHON, &format!("{PACKAGE}/examples/{name}.py"));
    let needs = format!("--no-deps --no-compile --requirement {PACKAGE}/examples/requirements.txt");
    vec![
        ("PyTorch for the examples", Command::new(torch::PYTHON, &format!("{PIP} {needs}"))),
        (
            "Python package for the examples",
            Command::new(torch::PYTHON, &format!("{PIP} --no-deps --no-index --force-reinstall"))
                .args(&["--find-links", "target/wheels", "keisei"].map(str::to_owned)),
        ),
        ("example of PPO in Python", example("ppo")),
        ("example of MaskablePPO", example("maskable_ppo")),
    ]
}

const PIP: &str = "-m pip install --quiet --disable-pip-version-check";
