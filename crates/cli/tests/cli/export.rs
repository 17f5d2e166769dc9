//! `keisei export` and `keisei import`, and the encoding that is made for other programs.

use std::fs;

use crate::train::runs;
use crate::{fails, file, scratch, succeeds};

/// Trains the smallest network with these settings, and returns its newest model.
fn model(name: &str, settings: &[&str]) -> String {
    let runs = runs(name);
    let place = runs.to_str().unwrap();
    let mut arguments = vec!["train", "--preset", "cpu-smoke", "--run", "a", "--runs", place];
    arguments.extend(settings.iter().flat_map(|setting| ["--set", setting]));
    succeeds(&arguments);
    let models = fs::read_dir(runs.join("a/models")).unwrap().map(|entry| entry.unwrap().path());
    models.max().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn a_model_comes_back_from_onnx_bit_by_bit() {
    let model = model("export-back", &[]);
    let (onnx, back) = (scratch("export-back.onnx"), scratch("export-back.safetensors"));
    let (onnx, back) = (onnx.to_str().unwrap(), back.to_str().unwrap());
    let said = succeeds(&["export", &model, onnx]);
    assert!(said.contains("a network of shogi, 1 blocks of 8 channels"), "{said}");
    let said = succeeds(&["import", onnx, back]);
    assert!(said.contains("a network of shogi after 8 steps of its optimiser"), "{said}");
    assert!(fs::read(&model).unwrap() == fs::read(back).unwrap());
}

#[test]
fn samples_of_a_model_are_written_beside_it() {
    let samples = scratch("export-samples.safetensors");
    let onnx = scratch("export-samples.onnx");
    let said = succeeds(&[
        "export",
        "shipped",
        onnx.to_str().unwrap(),
        "--samples",
        samples.to_str().unwrap(),
        "--count",
        "3",
    ]);
    assert!(said.contains("3 positions with its answers"), "{said}");
    let bytes = fs::read(samples).unwrap();
    let len = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header = std::str::from_utf8(&bytes[8..8 + len]).unwrap();
    for tensor in [r#""planes":{"dtype":"F32","shape":[3,81,9,9]"#, r#""shape":[3,2187]"#] {
        assert!(header.contains(tensor), "{header}");
    }
}

#[test]
fn the_help_has_a_line_for_every_tensor() {
    let help = succeeds(&["export", "--help"]);
    for tensor in
        ["planes [N, PLANES, ROWS, COLUMNS]  ", "policy [N, ACTIONS]  ", "value  [N, 1]  "]
    {
        assert!(help.lines().any(|line| line.trim_start().starts_with(tensor)), "{help}");
    }
}

#[test]
fn what_is_no_model_is_refused_by_name() {
    let text = file("export-no.onnx", "no model");
    let error = fails(1, &["import", &text, "never.safetensors"]);
    assert!(error.contains("export-no.onnx cannot be imported: "), "{error}");
    let error = fails(1, &["export", &text, "never.onnx"]);
    assert!(error.contains("export-no.onnx cannot be exported: "), "{error}");
}

#[test]
fn a_network_in_the_encoding_of_dlshogi_learns_plays_and_is_exported_with_its_ports() {
    let model = model("export-dlshogi", &["network.encoding=dlshogi"]);
    let player = format!("policy:{model}");
    let said = succeeds(&["match", &player, "random", "--rounds", "1", "--max-moves", "40"]);
    assert!(said.contains("finished"), "{said}");
    let search = format!("net:{model},simulations=8");
    let said = succeeds(&["match", &search, "random", "--rounds", "1", "--max-moves", "20"]);
    assert!(said.contains("finished"), "{said}");
    let onnx = scratch("export-dlshogi.onnx");
    succeeds(&["export", &model, onnx.to_str().unwrap()]);
    let bytes = fs::read(&onnx).unwrap();
    for port in ["input1", "input2", "output_policy", "output_value", r#""encoding":"dlshogi""#] {
        let found = bytes.windows(port.len()).any(|window| window == port.as_bytes());
        assert!(found, "{port}");
    }
    let back = scratch("export-dlshogi.safetensors");
    succeeds(&["import", onnx.to_str().unwrap(), back.to_str().unwrap()]);
    assert!(fs::read(&model).unwrap() == fs::read(back).unwrap());
}

#[test]
fn a_network_that_sees_attacks_learns_plays_and_is_exported() {
    let model = model("export-attacks", &["network.encoding=attacks"]);
    let player = format!("policy:{model}");
    let said = succeeds(&["match", &player, "random", "--rounds", "1", "--max-moves", "40"]);
    assert!(said.contains("finished"), "{said}");
    let [onnx, back] = ["onnx", "safetensors"].map(|end| scratch(&format!("export-attacks.{end}")));
    succeeds(&["export", &model, onnx.to_str().unwrap()]);
    let bytes = fs::read(&onnx).unwrap();
    let encoding = r#""encoding":"attacks""#;
    assert!(bytes.windows(encoding.len()).any(|window| window == encoding.as_bytes()));
    succeeds(&["import", onnx.to_str().unwrap(), back.to_str().unwrap()]);
    assert!(fs::read(&model).unwrap() == fs::read(back).unwrap());
}

#[test]
fn a_wrong_pairing_of_game_network_and_encoding_is_refused_in_words() {
    let folder = runs("export-pairing");
    let runs = ["--runs", folder.to_str().unwrap(), "--plain", "--new", "--preset"];
    let train = |arguments: &[&str]| fails(1, &[&["train"][..], &runs, arguments].concat());
    let chess = ["animal", "--set", "network.encoding=dlshogi"];
    let error = train(&chess);
    assert!(error.contains("encoding is \"dlshogi\", but animal is not encoded so"), "{error}");
    let own = model("export-own", &[]);
    let error = train(&["cpu-smoke", "--from", &own, "--set", "network.encoding=dlshogi"]);
    assert!(error.contains("dlshogi"), "{error}");
}
