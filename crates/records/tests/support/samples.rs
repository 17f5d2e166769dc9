//! The sample files.

use std::path::{Path, PathBuf};

use keisei_records::Format;

/// The sample files, in the order of their names.
pub(crate) fn samples() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let list = |folder: &PathBuf| {
        let entries = std::fs::read_dir(folder).expect("the folder of samples");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths
    };
    list(&folder).iter().flat_map(list).collect()
}

/// The format that the extension of a sample names.
pub(crate) fn format_of(path: &Path) -> Format {
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(Format::from_extension).expect("samples have known extensions")
}
