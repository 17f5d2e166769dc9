//! Training runs: their settings, metrics and checkpoints.

use std::path::{Path, PathBuf};

use keisei_train::checkpoint::Checkpoints;
use keisei_train::config::Checkpoint;
use keisei_train::metrics;
use keisei_train::run::RunFolder;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::no_run;

/// The folder of a training run, which may still be going on.
///
/// >>> import keisei, pathlib, tempfile
/// >>> folder = pathlib.Path(tempfile.mkdtemp()) / "first"
/// >>> folder.mkdir()
/// >>> _ = (folder / "config.toml").write_text("[training]\ngamma = 0.99\n")
/// >>> _ = (folder / "metrics.jsonl").write_text('{"update": 1, "step": 64, "loss": 0.5}\n')
/// >>> run = keisei.Run(folder)
/// >>> run.name, run.settings, run.metrics()["loss"]
/// ('first', {'training': {'gamma': 0.99}}, array([0.5]))
#[pyclass(frozen, module = "keisei")]
pub(crate) struct Run(RunFolder);

#[pymethods]
impl Run {
    #[new]
    fn new(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let found = RunFolder::at(&folder).map(Self);
        let shown = folder.display().to_string();
        found.ok_or_else(|| no_run(py, format!("{shown} is no run: it has no config.toml"), &shown))
    }

    /// The name of the folder.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// The folder.
    #[getter]
    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Whether the run has reached its end.
    #[getter]
    fn is_finished(&self) -> bool {
        self.0.is_finished()
    }

    /// The preset that the run began from, if it says so.
    #[getter]
    fn preset(&self) -> Option<String> {
        self.0.origin().map(|origin| origin.preset)
    }

    /// Every setting as the run resolved it: sections, and in each the settings by name.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let path = self.0.config_file();
        let problem =
            |error: &dyn ToString| no_run(py, error.to_string(), &path.display().to_string());
        let text = std::fs::read_to_string(&path).map_err(|error| problem(&error))?;
        let table: toml::Table = text.parse().map_err(|error| problem(&error))?;
        let json = serde_json::to_string(&table).map_err(|error| problem(&error))?;
        py.import("json")?.getattr("loads")?.call1((json,))
    }

    /// All numbers of the run as arrays by their names, with `update` and `step`; a number that was
    /// not measured at some step is NaN there.
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let records = py.detach(|| metrics::of_run(&self.0));
        let arrays = PyDict::new(py);
        let updates = records.iter().map(|record| record.update).collect();
        let steps = records.iter().map(|record| record.step).collect();
        arrays.set_item("update", PyArray1::<u64>::from_vec(py, updates))?;
        arrays.set_item("step", PyArray1::<u64>::from_vec(py, steps))?;
        let mut names: Vec<_> = records.iter().flat_map(|record| record.values.keys()).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            let column = records.iter().map(|record| record.get(name).unwrap_or(f64::NAN));
            arrays.set_item(name, PyArray1::from_vec(py, column.collect()))?;
        }
        Ok(arrays)
    }

    /// The folders of the checkpoints, oldest first.
    fn checkpoints(&self, py: Python<'_>) -> PyResult<Vec<PathBuf>> {
        let checkpoints = Checkpoints::new(self.0.checkpoints(), &Checkpoint::default());
        let path = self.0.checkpoints().display().to_string();
        checkpoints.list().map_err(|error| no_run(py, error, &path))
    }

    /// The folder of the models: each is a player's network, as in `net:PATH`.
    #[getter]
    fn models(&self) -> PathBuf {
        self.0.models()
    }

    fn __repr__(&self) -> String {
        format!("Run('{}')", self.0.path().display())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        (py.get_type::<Self>(), (self.0.path(),)).into_pyobject(py)
    }
}

/// The runs in a folder, by name.
#[pyfunction]
#[pyo3(signature = (folder = PathBuf::from("runs")))]
pub(crate) fn runs(py: Python<'_>, folder: PathBuf) -> PyResult<Vec<Run>> {
    let found = RunFolder::list(&folder);
    let found = found.map_err(|error| no_run(py, error, &folder.display().to_string()))?;
    Ok(found.into_iter().map(Run).collect())
}
