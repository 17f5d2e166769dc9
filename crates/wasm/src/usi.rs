//! The engine behind USI, for ShogiHome and whoever else speaks it from JavaScript.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use keisei_engine::protocol::{EngineOptions, HostedEngine, NetworkEngine};
use keisei_net::NetEvaluator;
use keisei_shogi::Shogi;
use wasm_bindgen::prelude::wasm_bindgen;
use web_time::{Duration, Instant};

use crate::error::Result;

/// What the engine is called, in every greeting and manifest.
const NAME: &str = concat!("Keisei ", env!("CARGO_PKG_VERSION"));

/// A tree of this size suits a phone too.
const MEMORY: usize = 128;

/// Files that the host has handed over, by their names.
type Files = Arc<Mutex<HashMap<PathBuf, Vec<u8>>>>;

/// A shogi engine that speaks USI, line by line.
#[wasm_bindgen]
pub struct UsiEngine {
    engine: HostedEngine<Shogi>,
    files: Files,
}

#[wasm_bindgen]
impl UsiEngine {
    /// An engine that plays with the network in the file `model`, once that was written, unless the
    /// option `EvalFile` names another.
    #[wasm_bindgen(constructor)]
    pub fn new(model: String) -> UsiEngine {
        let files = Files::default();
        let (source, usual) = (Arc::clone(&files), PathBuf::from(model));
        let open = move |named: Option<&Path>| {
            let files = source.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(bytes) = files.get(named.unwrap_or(&usual)) else {
                return match named {
                    Some(path) => Err(format!("there is no file {}", path.display())),
                    None => Ok(None),
                };
            };
            NetEvaluator::from_weights(bytes).map(Some).map_err(|error| error.to_string())
        };
        let engine = NetworkEngine::with_source(NAME, Box::new(open));
        let options = EngineOptions { hash: MEMORY, ..EngineOptions::default() };
        UsiEngine { engine: HostedEngine::new(engine, options), files }
    }

    /// Hands a file over.
    #[wasm_bindgen(js_name = writeFile)]
    pub fn write_file(&mut self, path: String, bytes: Vec<u8>) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.insert(path.into(), bytes);
    }

    /// Takes a line, and gives back the lines that are said at once.
    pub fn tell(&mut self, line: &str) -> Vec<String> {
        lines(&self.engine.tell(line))
    }

    /// Whether there is something to advance.
    #[wasm_bindgen(getter, js_name = hasWork)]
    pub fn has_work(&self) -> bool {
        self.engine.has_work()
    }

    /// Thinks for about so many milliseconds, and gives back the lines that are said.
    pub fn advance(&mut self, milliseconds: f64) -> Result<Vec<String>> {
        let deadline = Instant::now() + Duration::try_from_secs_f64(milliseconds / 1000.0)?;
        Ok(lines(&self.engine.advance(&mut || Instant::now() >= deadline)))
    }
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}
