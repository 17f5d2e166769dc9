//! What the real clients of TensorBoard and Weights & Biases make of our metrics.
//!
//! `KEISEI_PYTHON=… cargo test -p keisei-train --features python-clients`, where the variable names
//! a Python interpreter with the packages `tensorboard` and `wandb`.

use std::path::Path;
use std::process::Command;

use keisei_train::config::{Config, WandbMode};
use keisei_train::metrics::{Record, Sink, TensorBoard, WeightsAndBiases, names};
use serde_json::{Value, json};

fn python() -> String {
    std::env::var("KEISEI_PYTHON").unwrap_or_else(|_| "python3".to_owned())
}

/// Runs a script with a path as its argument; it prints JSON.
fn ask(script: &str, path: &Path) -> Value {
    let output = Command::new(python()).args(["-c", script]).arg(path).output().unwrap();
    let (text, errors) = (output.stdout.as_slice(), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(text).unwrap_or_else(|e| panic!("{e}: {errors}"))
}

fn records() -> Vec<Record> {
    let record = |update: u64| {
        let mut record = Record::new(update, 1000 * update);
        record.set(names::POLICY_LOSS, -0.25 * update as f64);
        record.set(names::ENTROPY, 4.5);
        record
    };
    (1..=3).map(record).collect()
}

#[test]
fn tensorboard_reads_every_number_with_its_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.out.tfevents.keisei");
    let mut sink = TensorBoard::open(&path, None).unwrap();
    let records = records();
    records[..2].iter().for_each(|record| sink.write(record).unwrap());
    let length = sink.file().map(|(_, length)| length);
    // What was written after a checkpoint is taken back when a run resumes.
    sink.write(&Record { step: 9, ..records[2].clone() }).unwrap();
    let mut sink = TensorBoard::open(&path, length).unwrap();
    sink.write(&records[2]).unwrap();
    sink.flush().unwrap();
    let script = "
import json, sys
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
events = EventAccumulator(sys.argv[1])
events.Reload()
read = lambda tag: [[event.step, event.value] for event in events.Scalars(tag)]
print(json.dumps({tag: read(tag) for tag in events.Tags()['scalars']}))
";
    let expected = json!({
        "losses/policy_loss": [[1000, -0.25], [2000, -0.5], [3000, -0.75]],
        "losses/entropy": [[1000, 4.5], [2000, 4.5], [3000, 4.5]],
    });
    assert_eq!(ask(script, folder.path()), expected);
}

#[test]
fn the_wandb_client_records_every_number_offline() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.wandb.enabled = true;
    config.wandb.mode = WandbMode::Offline;
    config.wandb.python = python();
    config.wandb.tags = vec!["test".to_owned()];
    let mut sink =
        WeightsAndBiases::start(&config.wandb, &config, "shogi-1", folder.path()).unwrap();
    records().iter().for_each(|record| sink.write(record).unwrap());
    sink.flush().unwrap();
    // The client has written everything once the sink is gone.
    drop(sink);
    let script = "
import glob, json, struct, sys
from wandb.proto import wandb_internal_pb2
[path] = glob.glob(sys.argv[1] + '/wandb/offline-run-*/*.wandb')
data = open(path, 'rb').read()
# The client's file: seven bytes that name it, then LevelDB's log format. Blocks of 32 KiB hold
# chunks with a checksum, a length and a kind: 1 whole, 2 first, 3 middle, 4 last.
place, chunks, history, run = 7, b'', [], None
while place + 7 <= len(data):
    left = 32768 - place % 32768
    if left < 7:
        place += left
        continue
    length, kind = struct.unpack('<HB', data[place + 4:place + 7])
    chunks += data[place + 7:place + 7 + length]
    place += 7 + length
    if kind in (2, 3):
        continue
    record = wandb_internal_pb2.Record()
    record.ParseFromString(chunks)
    chunks = b''
    if record.WhichOneof('record_type') == 'run':
        run = record.run
    if record.WhichOneof('record_type') == 'history':
        items = {item.key or '.'.join(item.nested_key): item.value_json for item in record.history.item}
        history.append({key: json.loads(value) for key, value in items.items() if key[0] != '_'})
print(json.dumps({'id': run.run_id, 'project': run.project, 'tags': list(run.tags), 'history': history}))
";
    let found = ask(script, folder.path());
    assert_eq!(found["id"], "shogi-1");
    assert_eq!((&found["project"], &found["tags"]), (&json!("keisei-shogi"), &json!(["test"])));
    let history = found["history"].as_array().unwrap();
    assert_eq!(history.len(), 3, "{found}");
    for (row, record) in history.iter().zip(records()) {
        assert_eq!(row["step"], record.step);
        assert_eq!(row[names::POLICY_LOSS].as_f64(), record.get(names::POLICY_LOSS));
    }
}

#[test]
fn a_client_that_is_not_installed_fails_without_harm() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.wandb.python = "python-that-is-not-there".to_owned();
    assert!(WeightsAndBiases::start(&config.wandb, &config, "shogi-1", folder.path()).is_err());
}
