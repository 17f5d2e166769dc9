//! Writing so that what was written is there after a crash.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

/// Writes a new file and brings it to the disk.
pub(super) fn write_synced(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(content)?;
    file.sync_all()
}

/// Brings the names in a folder to the disk.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    // Windows cannot open folders, and writes names through.
    if cfg!(windows) { Ok(()) } else { File::open(path)?.sync_all() }
}

/// The SHA-256 of `content` in hexadecimal.
pub(super) fn sha256(content: &[u8]) -> String {
    Sha256::digest(content).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256(b"abc"), expected);
    }
}
