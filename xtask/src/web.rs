//! The web client: its package, its build beside the committed one, and its tests in a browser.

use anyhow::{Result, bail};

use crate::check::Step;
use crate::command::Command;

/// Where the fresh build goes, to be compared with the committed one in `web/dist`.
const FRESH: &str = "target/web";

/// The programs that the steps need, with Debian's packages that have them.
const TOOLS: [(&str, &str); 3] = [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")];

/// Says which program is missing before anything is built.
pub(crate) fn require_tools() -> Result<()> {
    for (program, package) in TOOLS {
        if Command::new(program, "--version").output().is_none() {
            bail!("the web client's checks need {program}: apt-get install {package}");
        }
    }
    Ok(())
}

/// What is part of every check.
pub(crate) fn steps() -> Vec<Step> {
    let npm = |line: &str| Command::new("npm", &format!("--prefix web {line}"));
    let node_tests = |files: &str| Command::new("node", &format!("--test {files}"));
    vec![
        ("browser package", Command::cargo("xtask wasm")),
        ("tests of the package", node_tests("crates/wasm/tests/")),
        (
            "tests of the package without vectors",
            node_tests("crates/wasm/tests/games.test.mjs crates/wasm/tests/players.test.mjs")
                .env("KEISEI_WASM", "keisei_plain_bg.wasm"),
        ),
        // `npm ci` refuses a lock file without the bindings of every other platform, which npm
        // itself leaves out when it writes one.
        ("web dependencies", npm("install --no-save --no-audit --no-fund")),
        ("web types", npm("run check")),
        ("web build", npm(&format!("run build -- --outDir ../{FRESH} --emptyOutDir"))),
        (
            "web build is the committed one",
            Command::new("diff", "--recursive --brief web/dist").arg(FRESH),
        ),
        ("browser tests", npm("run test")),
    ]
}
