//! The sample files.

use std::path::PathBuf;

use keisei_records::Format;

/// A file of the folder of samples, with the format that its extension names.
#[allow(dead_code, reason = "not every test looks at all of it")]
pub(crate) struct Sample {
    pub(crate) name: String,
    pub(crate) format: Format,
    pub(crate) bytes: Vec<u8>,
}

/// The sample files, in the order of their names.
pub(crate) fn samples() -> Vec<Sample> {
    let list = |folder: &PathBuf| {
        let entries = std::fs::read_dir(folder).expect("the folder of samples");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths
    };
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let sample = |path: PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let format = extension.and_then(Format::from_extension).expect("a known extension");
        let bytes = std::fs::read(&path).expect("a readable sample");
        Sample { name: path.display().to_string(), format, bytes }
    };
    list(&folder).iter().flat_map(list).map(sample).collect()
}
