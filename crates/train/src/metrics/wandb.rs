//! Metrics to Weights & Biases, through its own Python client in a process beside this one.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

use serde_json::{Value, json};

use super::jsonl::object;
use super::{Record, Sink};
use crate::config::{Config, Wandb};
use crate::trainer::OutputError;

/// What the Python process does: the first line sets the client up, each further line is a record.
const CLIENT: &str = "
import json, sys
import wandb
run = wandb.init(**json.loads(sys.stdin.readline()))
for line in sys.stdin:
    record = json.loads(line)
    run.log(record, step=record['step'])
run.finish()
";

/// A client that is told every record.
#[derive(Debug)]
pub struct WeightsAndBiases {
    client: Child,
    input: Option<ChildStdin>,
}

impl WeightsAndBiases {
    /// Starts the client for the run called `name` in `folder`. What the client says is
    /// added to `wandb.log` there; `config` is shown beside the curves.
    pub fn start(
        settings: &Wandb,
        config: &Config,
        name: &str,
        folder: &Path,
    ) -> Result<Self, OutputError> {
        let in_folder = |source| OutputError { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(in_folder)?;
        let log = OpenOptions::new().create(true).append(true).open(folder.join("wandb.log"));
        let log = log.map_err(in_folder)?;
        let errors = log.try_clone().map_err(in_folder)?;
        let python = &settings.python;
        let client = Command::new(python)
            .args(["-c", CLIENT])
            .stdin(Stdio::piped())
            .stdout(log)
            .stderr(errors)
            .spawn();
        let mut client = client.map_err(|error| OutputError {
            path: python.into(),
            source: io::Error::new(
                error.kind(),
                format!("this Python (wandb.python) cannot be started: {error}"),
            ),
        })?;
        let mut input = client.stdin.take();
        if let Some(input) = &mut input {
            writeln!(input, "{}", setup(settings, config, name, folder)).map_err(in_folder)?;
        }
        Ok(Self { client, input })
    }
}

/// What the client is set up with. The id lets a resumed run go on where it was.
fn setup(settings: &Wandb, config: &Config, name: &str, folder: &Path) -> Value {
    let Wandb { project, entity, run_name, tags, notes, mode, .. } = settings;
    json!({
        "project": project,
        "entity": entity,
        "name": run_name.as_deref().unwrap_or(name),
        "id": name,
        "resume": "allow",
        "tags": tags,
        "notes": notes,
        "mode": mode,
        "dir": folder,
        "config": config,
    })
}

impl Sink for WeightsAndBiases {
    fn name(&self) -> &'static str {
        "Weights & Biases"
    }

    fn write(&mut self, record: &Record) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        writeln!(input, "{}", Value::Object(object(record)))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.input.as_mut().map_or(Ok(()), ChildStdin::flush)
    }

    fn file(&self) -> Option<(&Path, u64)> {
        None
    }
}

impl Drop for WeightsAndBiases {
    /// Tells the client that this was all, and waits until it has written it.
    fn drop(&mut self) {
        drop(self.input.take());
        match self.client.wait() {
            Ok(status) if status.success() => {}
            ended => tracing::warn!(?ended, "the W&B client failed; see wandb.log"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::WandbMode;

    #[test]
    fn the_client_is_set_up_by_the_configuration_and_goes_on_with_a_resumed_run() {
        let mut config = Config::default();
        config.wandb.tags = vec!["small".to_owned()];
        config.wandb.mode = WandbMode::Offline;
        let settings = setup(&config.wandb, &config, "shogi-1", Path::new("runs/shogi-1"));
        assert_eq!(settings["project"], "keisei-shogi");
        assert_eq!((&settings["name"], &settings["id"]), (&json!("shogi-1"), &json!("shogi-1")));
        assert_eq!((&settings["mode"], &settings["tags"]), (&json!("offline"), &json!(["small"])));
        assert_eq!(settings["config"]["training"]["gamma"], 0.99);
        config.wandb.run_name = Some("mine".to_owned());
        assert_eq!(setup(&config.wandb, &config, "shogi-1", Path::new("x"))["name"], "mine");
    }
    #[test]
    fn a_python_that_is_not_there_is_named_and_not_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let wandb = Wandb { python: "python-that-is-not-there".to_owned(), ..Wandb::default() };
        let place = folder.path().join("wandb");
        let error = WeightsAndBiases::start(&wandb, &Config::default(), "a", &place).unwrap_err();
        let message = error.to_string();
        let expected = "python-that-is-not-there: this Python (wandb.python) cannot be started";
        assert!(message.starts_with(expected), "{message}");
    }
}
