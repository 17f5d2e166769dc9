//! Other people's programs read what ours writes: onnxruntime runs exported networks, cshogi and
//! rsshogi read positions, planes and labels.

use crate::check::Step;
use crate::clients::PYTHON;
use crate::command::Command;

/// Where everything is written.
const FOLDER: &str = "target/interop";

/// What is part of every check, once the programs are built and the clients installed.
pub(crate) fn steps() -> Vec<Step> {
    let keisei = |line: &str| Command::new("target/release/keisei", line);
    let python = |line: &str| Command::new(PYTHON, line);
    let mut steps = vec![
        ("interop: old files", Command::new("rm", "-rf").arg(FOLDER)),
        (
            "interop: a network of dlshogi's encoding",
            keisei(
                "train --plain --preset cpu-smoke --set network.encoding=dlshogi --run dlshogi \
                 --runs target/interop/runs",
            ),
        ),
    ];
    let models = [
        ("interop: export", "interop: onnxruntime", "shipped", "shogi"),
        (
            "interop: export for dlshogi",
            "interop: onnxruntime as dlshogi",
            "target/interop/runs/dlshogi",
            "dlshogi",
        ),
    ];
    for (export, check, model, name) in models {
        let (onnx, samples) =
            (format!("{FOLDER}/{name}.onnx"), format!("{FOLDER}/{name}.safetensors"));
        let line = format!("export {model} {onnx} --samples {samples}");
        steps.push((export, keisei(&line)));
        steps.push((check, python(&format!("crates/net/python/check_onnx.py {onnx} {samples}"))));
    }
    steps.push(("interop: packed positions and planes", python("bench/python/agreement.py")));
    let games = "match ab:1 greedy --rounds 3 --max-moves 200 --out target/interop/match";
    steps.push(("interop: games", keisei(games)));
    let [hcpe, psv, lines] =
        ["hcpe", "psv", "jsonl"].map(|extension| format!("{FOLDER}/games.{extension}"));
    let convert = |to: &str| keisei(&format!("convert {FOLDER}/match/games {to}"));
    steps.push(("interop: games to HCPE", convert(&hcpe)));
    steps.push(("interop: games to PSV", convert(&psv)));
    steps.push(("interop: games to JSON lines", convert(&lines)));
    let check = format!("crates/records/python/check_samples.py {hcpe} {psv} {lines}");
    steps.push(("interop: cshogi and rsshogi", python(&check)));
    steps
}
