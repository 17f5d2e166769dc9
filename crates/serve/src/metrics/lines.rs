//! Reading whole lines of a file into columns: the many of a long run by all cores, and without ever
//! holding the file in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::parse::Columns;

/// How much is read at once.
const BLOCK: usize = 1 << 20;
/// How much is worth a thread.
const WORTH_A_THREAD: u64 = 4 << 20;

/// Where the last whole line ends before `length`, but not before `from`. A line longer than a block
/// is none of ours.
pub(super) fn last_end(file: &mut File, from: u64, length: u64) -> io::Result<Option<u64>> {
    let begin = from.max(length.saturating_sub(BLOCK as u64));
    let bytes = read_between(file, begin, length)?;
    Ok(bytes.iter().rposition(|&byte| byte == b'\n').map(|at| begin + at as u64 + 1))
}

/// The bytes between two places.
pub(super) fn read_between(file: &mut File, from: u64, to: u64) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (to - from) as usize];
    file.seek(SeekFrom::Start(from))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The records between two places where lines begin.
pub(super) fn read_columns(path: &Path, from: u64, to: u64) -> io::Result<Columns> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let parts = cores.min((to - from) / WORTH_A_THREAD).max(1);
    let cuts = cuts(path, from, to, parts)?;
    let mut ranges = cuts.windows(2).map(|range| (range[0], range[1]));
    let first = ranges.next().unwrap_or((from, to));
    std::thread::scope(|scope| {
        let read = |(from, to)| scope.spawn(move || read_part(path, from, to));
        let threads: Vec<_> = ranges.map(read).collect();
        let mut columns = read_part(path, first.0, first.1)?;
        for thread in threads {
            match thread.join() {
                Ok(later) => columns.append(later?),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(columns)
    })
}

/// About even parts, each of whole lines: where they begin, and where the last one ends.
fn cuts(path: &Path, from: u64, to: u64, parts: u64) -> io::Result<Vec<u64>> {
    let mut file = File::open(path)?;
    let mut cuts = vec![from];
    for part in 1..parts {
        let near = from + (to - from) * part / parts;
        let bytes = read_between(&mut file, near, to.min(near + BLOCK as u64))?;
        if let Some(at) = bytes.iter().position(|&byte| byte == b'\n') {
            cuts.push(near + at as u64 + 1);
        }
    }
    cuts.push(to);
    cuts.dedup();
    Ok(cuts)
}

/// The records of one part, a block at a time.
fn read_part(path: &Path, from: u64, to: u64) -> io::Result<Columns> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut columns = Columns::default();
    let mut left = (to - from) as usize;
    // A line that a block cuts in two waits at the beginning for its other half.
    let mut bytes = Vec::new();
    while left > 0 {
        let waiting = bytes.len();
        bytes.resize(waiting + left.min(BLOCK), 0);
        file.read_exact(&mut bytes[waiting..])?;
        left -= bytes.len() - waiting;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        columns.read(&bytes[..whole]);
        bytes.drain(..whole);
    }
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn parts_and_blocks_lose_no_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.jsonl");
        let line = |n: usize| {
            let filler = "x".repeat(n % 300);
            format!("{{\"a\":{n},\"note\":\"{filler}\",\"step\":{n},\"update\":{n}}}\n")
        };
        let text: String = (0..20_000).map(line).collect();
        assert!(text.len() > 3 * BLOCK, "several blocks");
        fs::write(&path, text.clone() + "{\"a\":1,").unwrap();
        let mut file = File::open(&path).unwrap();
        let length = file.metadata().unwrap().len();
        let end = last_end(&mut file, 0, length).unwrap().unwrap();
        assert_eq!(end, text.len() as u64);
        let whole = read_part(&path, 0, end).unwrap();
        assert_eq!(whole.steps, (0..20_000).collect::<Vec<_>>());
        for parts in [2, 3, 8] {
            let mut joined = Columns::default();
            for range in cuts(&path, 0, end, parts).unwrap().windows(2) {
                joined.append(read_part(&path, range[0], range[1]).unwrap());
            }
            assert_eq!(joined, whole, "{parts} parts");
        }
        assert_eq!(last_end(&mut file, end, length).unwrap(), None);
    }
}
