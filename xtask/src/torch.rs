//! The learner for GPUs against the CPU's, in libtorch's arithmetic for CPUs.

use crate::check::Step;
use crate::command::{Command, root};

/// A Python environment with libtorch.
const FOLDER: &str = "target/torch";
pub(crate) const PYTHON: &str = "target/torch/bin/python";

/// PyTorch without most of what it depends on: its part for CPUs loads these two CUDA libraries
/// only, and the rest is some gigabytes. The last compiles kernels.
const PACKAGES: [&str; 4] = [
    "torch==2.11.0",
    "nvidia-cuda-runtime==13.0.*",
    "nvidia-cuda-cupti==13.0.*",
    "nvidia-cuda-nvrtc==13.0.*",
];

/// Makes the environment, then builds and tests the learner.
pub(crate) fn steps() -> Vec<Step> {
    let cargo = |line: &str| {
        let torch = root().join(FOLDER).join("lib").join(python_version());
        let torch = torch.join("site-packages/torch").display().to_string();
        Command::cargo(line)
            .env("LD_LIBRARY_PATH", format!("{torch}/lib:{torch}/../nvidia/cu13/lib"))
            .env("LIBTORCH", torch)
            .env("LIBTORCH_CPU_ONLY", "1")
    };
    vec![
        ("environment of libtorch", Command::new("python3", "-m venv").arg(FOLDER)),
        (
            "libtorch",
            Command::new(PYTHON, "-m pip install --quiet --disable-pip-version-check")
                .args(&["--no-deps", "--no-compile"].map(str::to_owned))
                .args(&PACKAGES.map(str::to_owned)),
        ),
        (
            "clippy of the GPU learner",
            cargo("clippy --package keisei-net --features torch --all-targets -- -D warnings"),
        ),
        (
            "parity of the GPU learner",
            cargo("nextest run --package keisei-net --features torch --lib torch::"),
        ),
    ]
}

/// The folder that `python3` names after its version.
fn python_version() -> String {
    let program = "import sys; print('python%d.%d' % sys.version_info[:2])";
    let version = Command::new("python3", "-c").arg(program).output();
    version.map_or("python3".to_owned(), |version| version.trim().to_owned())
}
