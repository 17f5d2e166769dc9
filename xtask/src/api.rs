//! Requests that schemathesis makes of the server's own description of its API.

use crate::check::Step;
use crate::command::Command;

/// A Python environment with schemathesis.
const FOLDER: &str = "target/api";
const PYTHON: &str = "target/api/bin/python";
const SCRIPTS: &str = "crates/serve/python";

/// What is part of every check, once the program is built.
pub(crate) fn steps() -> [Step; 3] {
    let requirements = format!("{SCRIPTS}/requirements.txt");
    [
        ("environment of the API's fuzzer", Command::new("python3", "-m venv").arg(FOLDER)),
        (
            "the API's fuzzer",
            Command::new(PYTHON, "-m pip install --quiet --disable-pip-version-check")
                .args(&["--requirement".to_owned(), requirements]),
        ),
        ("API", Command::new(PYTHON, &format!("{SCRIPTS}/api_fuzz.py --examples 30"))),
    ]
}
