//! The browser's package under `web/pkg`: the library compiled with and without vector
//! instructions, JavaScript and types around it, and an engine for ShogiHome.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::command::{Command, root};

const FOLDER: &str = "web/pkg";
const NAME: &str = "keisei";
/// What goes to ShogiHome's `public/engines`, with the built-in network.
const SHOGIHOME: &str = "target/shogihome/keisei";
const WEIGHTS: &str = "crates/engine/models/shogi.safetensors";
/// The tool that makes JavaScript and types, and the one that makes compiled code smaller.
const BINDGEN: &str = "target/bindgen/release/keisei-bindgen";
const NPM_FOLDER: &str = "crates/wasm";
const OPTIMISER: &str = "crates/wasm/node_modules/.bin/wasm-opt";

/// One way to compile the library.
struct Build {
    /// The file in the package.
    file: &'static str,
    target_dir: &'static str,
    /// What the compiler may use beyond what every browser has.
    features: &'static [&'static str],
}

const BUILDS: [Build; 2] = [
    Build {
        file: "keisei_bg.wasm",
        target_dir: "target/wasm",
        features: &["bulk-memory", "nontrapping-fptoint", "sign-ext", "mutable-globals", "simd128"],
    },
    Build {
        file: "keisei_plain_bg.wasm",
        target_dir: "target/wasm-plain",
        features: &["bulk-memory", "nontrapping-fptoint", "sign-ext", "mutable-globals"],
    },
];

/// Builds the package and says how large it is.
pub(crate) fn run() -> Result<()> {
    tools()?;
    let folder = root().join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    for build in &BUILDS {
        build.make(&folder)?;
    }
    Command::new("node", "crates/wasm/shogihome/build.mjs")
        .args(&[FOLDER, WEIGHTS, ".", SHOGIHOME].map(str::to_owned))
        .run()?;
    for (name, bytes, packed) in sizes(&folder)? {
        println!(
            "{name:24} {:>5} KiB, {:>4} KiB compressed",
            bytes.div_ceil(1024),
            packed.div_ceil(1024)
        );
    }
    Ok(())
}

fn tools() -> Result<()> {
    Command::cargo("build --quiet --release --locked --manifest-path xtask/bindgen/Cargo.toml")
        .option("--target-dir", Some("target/bindgen"))
        .run()?;
    if !root().join(OPTIMISER).exists() {
        Command::new("npm", "ci --no-audit --no-fund --prefix").arg(NPM_FOLDER).run()?;
    }
    Ok(())
}

impl Build {
    fn make(&self, folder: &Path) -> Result<()> {
        Command::cargo("build --quiet --locked --profile wasm --target wasm32-unknown-unknown")
            .option("--package", Some("keisei-wasm"))
            .option("--target-dir", Some(self.target_dir))
            .env("RUSTFLAGS", self.flags())
            .run()?;
        let library = format!("{}/wasm32-unknown-unknown/wasm/keisei_wasm.wasm", self.target_dir);
        let bound = format!("{}/bound", self.target_dir);
        Command::new(BINDGEN, "").args(&[library, bound.clone(), NAME.to_owned()]).run()?;
        let bound = root().join(bound);
        self.optimise(&bound.join("keisei_bg.wasm"), &folder.join(self.file))?;
        for file in ["keisei.js", "keisei.d.ts"] {
            let (from, to) = (bound.join(file), folder.join(file));
            // Both builds share one module around them.
            if to.exists() {
                ensure!(fs::read(&from)? == fs::read(&to)?, "{file} differs between the builds");
            }
            fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
        }
        Ok(())
    }

    /// Panics name source files: without the paths of this machine, so that everybody builds the
    /// same bytes.
    fn flags(&self) -> String {
        let home = |variable: &str, usual: &str| {
            let usual = || Some(PathBuf::from(std::env::var_os("HOME")?).join(usual));
            std::env::var_os(variable).map(PathBuf::from).or_else(usual).unwrap_or_default()
        };
        let cargo = home("CARGO_HOME", ".cargo");
        // Each registry has a folder, whose name depends on where it is reached.
        let registries = fs::read_dir(cargo.join("registry/src")).into_iter().flatten().flatten();
        let registries = registries.map(|registry| (registry.path(), "/cargo"));
        let mut paths = vec![(root().to_path_buf(), "/keisei"), (cargo.clone(), "/cargo")];
        paths.extend(registries);
        let mut flags: Vec<_> = paths
            .iter()
            .map(|(path, name)| format!("--remap-path-prefix={}={name}", path.display()))
            .collect();
        let features: Vec<_> = self.features.iter().map(|name| format!("+{name}")).collect();
        flags.push(format!("-Ctarget-feature={}", features.join(",")));
        flags.join(" ")
    }

    fn optimise(&self, from: &Path, to: &Path) -> Result<()> {
        let command = self.features.iter().fold(
            Command::new(OPTIMISER, "-O3 --strip-debug --strip-producers"),
            |command, feature| command.arg(format!("--enable-{}", name_for_optimiser(feature))),
        );
        command.arg(from.display()).arg("-o").arg(to.display()).run()
    }
}

fn name_for_optimiser(feature: &str) -> &str {
    match feature {
        "simd128" => "simd",
        "nontrapping-fptoint" => "nontrapping-float-to-int",
        other => other,
    }
}

/// The files of the package with their sizes, plain and compressed.
fn sizes(folder: &Path) -> Result<Vec<(String, u64, u64)>> {
    let mut sizes = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let packed = Command::new("gzip", "-9 --stdout").arg(path.display()).bytes()?;
        sizes.push((name, fs::metadata(&path)?.len(), packed));
    }
    sizes.sort();
    Ok(sizes)
}
