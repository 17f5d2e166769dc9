//! Records: the files of a folder, read and written as they are.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use keisei_records::{Format, Limits, read_within};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::blocking;
use super::extract::Parameters;
use crate::problem::{Problem, Refusals};
use crate::run_folders::is_inside;
use crate::server::Shared;

/// The most entries of a folder that are listed.
const MOST_ENTRIES: usize = 10_000;

/// A record or a folder of records.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Entry {
    /// Its name in the folder.
    name: String,
    /// Its path in the folder of all records.
    path: String,
    /// Whether it is a folder.
    folder: bool,
    /// Its size in bytes.
    bytes: u64,
    /// When it was last written.
    modified: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Listed {
    /// The folder's path in the folder of all records.
    #[serde(default)]
    folder: String,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// The record's path in the folder of all records.
    path: String,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Written {
    /// The record's path in the folder of all records.
    path: String,
    /// Whether a record that is there already is replaced.
    #[serde(default)]
    replace: bool,
}

/// The records in a folder, folders first.
#[utoipa::path(get, path = "/api/records", tag = "records", params(Listed),
    responses((status = 200, body = [Entry]), Refusals))]
pub(super) async fn list(
    State(shared): State<Arc<Shared>>,
    Parameters(Listed { folder }): Parameters<Listed>,
) -> Result<Json<Vec<Entry>>, Problem> {
    blocking(move || {
        let root = root(&shared)?;
        let path = if folder.is_empty() { root.to_owned() } else { inside(root, &folder)? };
        if path == root && !root.exists() {
            return Ok(Vec::new());
        }
        if !is_inside(root, &path) {
            return Err(Problem::NoFile { name: folder });
        }
        let entries = fs::read_dir(&path).map_err(Problem::reading(&folder))?;
        let mut found: Vec<_> = entries
            .flatten()
            .filter_map(|entry| described(&folder, &entry))
            .take(MOST_ENTRIES)
            .collect();
        found.sort_by(|a, b| (!a.folder, &a.name).cmp(&(!b.folder, &b.name)));
        Ok(found)
    })
    .await
    .map(Json)
}

/// An entry of a folder, if it is a record or a folder that clients may name.
fn described(folder: &str, entry: &fs::DirEntry) -> Option<Entry> {
    let name = entry.file_name().into_string().ok()?;
    let data = entry.metadata().ok()?;
    let record = data.is_file() && Format::from_path(Path::new(&name)).is_some();
    if !is_part(&name) || !(record || data.is_dir()) {
        return None;
    }
    let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
    let modified = data.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    let modified = modified.map(|time| time.to_string());
    Some(Entry { name, path, folder: data.is_dir(), bytes: data.len(), modified })
}

/// A record as it is.
#[utoipa::path(get, path = "/api/record", tag = "records", params(Wanted),
    responses((status = 200, body = Vec<u8>, content_type = "application/octet-stream"), Refusals))]
pub(super) async fn read(
    State(shared): State<Arc<Shared>>,
    Parameters(Wanted { path }): Parameters<Wanted>,
) -> Result<Response, Problem> {
    let bytes = blocking(move || {
        let root = root(&shared)?;
        let file = record(root, &path)?;
        if !is_inside(root, &file) {
            return Err(Problem::NoFile { name: path });
        }
        let limit = shared.settings.bounds.record_bytes;
        let data = fs::metadata(&file).map_err(Problem::reading(&path))?;
        if !data.is_file() || data.len() > limit as u64 {
            let problem = format!("it is no file of at most {limit} bytes");
            return Err(Problem::Record { name: path, problem });
        }
        fs::read(&file).map_err(Problem::reading(&path))
    })
    .await?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response())
}

/// Write a record. What cannot be read as one is refused, with its line and column.
#[utoipa::path(put, path = "/api/record", tag = "records", params(Written),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses((status = 201, description = "It was written"),
        (status = 409, description = "There is one already", content_type = "application/problem+json", body = crate::problem::ProblemDetails),
        Refusals))]
pub(super) async fn write(
    State(shared): State<Arc<Shared>>,
    Parameters(Written { path, replace }): Parameters<Written>,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Result<StatusCode, Problem> {
    let limit = shared.settings.bounds.record_bytes;
    let bytes = body.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::TooLarge { limit },
        _ => Problem::Request(rejection.body_text()),
    })?;
    blocking(move || {
        let root = root(&shared)?;
        let file = record(root, &path)?;
        let limits = Limits { bytes: limit, ..Limits::default() };
        read_within(&bytes, Format::from_path(&file), limits)
            .map_err(|error| Problem::Record { name: path.clone(), problem: error.to_string() })?;
        save(root, &file, &bytes, replace).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => Problem::Exists { name: path },
            io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => {
                Problem::RecordName { name: path }
            }
            io::ErrorKind::PermissionDenied => Problem::NoFile { name: path },
            _ => Problem::Disk(error.to_string()),
        })
    })
    .await?;
    Ok(StatusCode::CREATED)
}

/// Writes a file as a whole, in a folder that is made if need be. No link is followed out of `root`.
fn save(root: &Path, file: &Path, bytes: &[u8], replace: bool) -> io::Result<()> {
    fs::create_dir_all(root)?;
    let folder = file.parent().unwrap_or(root);
    let existing = folder.ancestors().find(|folder| folder.exists()).unwrap_or(root);
    if !is_inside(root, existing) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    match fs::symlink_metadata(file) {
        Ok(data) if !data.is_file() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(_) if !replace => return Err(io::ErrorKind::AlreadyExists.into()),
        _ => {}
    }
    fs::create_dir_all(folder)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let unfinished = folder.join(format!(".{name}.{:?}", std::thread::current().id()));
    let written = fs::File::create(&unfinished)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&unfinished, file));
    if written.is_err() {
        // The first error says more.
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn root(shared: &Shared) -> Result<&Path, Problem> {
    shared.settings.records.as_deref().ok_or(Problem::NoRecords)
}

/// The record at `path` in `root`.
fn record(root: &Path, path: &str) -> Result<PathBuf, Problem> {
    let file = inside(root, path)?;
    match Format::from_path(&file) {
        Some(_) => Ok(file),
        None => Err(Problem::RecordName { name: path.to_owned() }),
    }
}

/// The place of `path` in `root`: plain names only, so that it cannot lead out.
fn inside(root: &Path, path: &str) -> Result<PathBuf, Problem> {
    let parts: Vec<_> = path.split('/').collect();
    match parts.len() <= 8 && parts.iter().all(|part| is_part(part)) {
        true => Ok(parts.iter().fold(root.to_owned(), |place, part| place.join(part))),
        false => Err(Problem::RecordName { name: path.to_owned() }),
    }
}

fn is_part(name: &str) -> bool {
    let allowed = |letter: char| letter.is_alphanumeric() || " -_.,()+=ー・々".contains(letter);
    !name.is_empty()
        && name.len() <= 200
        && !name.starts_with(['.', ' '])
        && !name.ends_with(['.', ' '])
        && name.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_plain_names_below_the_folder() {
        let root = Path::new("/records");
        for path in ["a.kif", "2024/名人戦 第1局.kif", "a+b (1).csa"] {
            assert_eq!(record(root, path).unwrap(), root.join(path), "{path}");
        }
        for path in [
            "",
            "/etc/passwd",
            "../a.kif",
            "a/../b.kif",
            "a//b.kif",
            ".a.kif",
            "a\\b.kif",
            "a\0.kif",
            "a.exe",
            "a",
            "a.kif/",
            "1/2/3/4/5/6/7/8/a.kif",
            "a:b.kif",
            "a.kif ",
        ] {
            assert!(record(root, path).is_err(), "{path:?}");
        }
    }

    #[test]
    fn nothing_is_written_through_a_link_or_over_a_record_unasked() {
        let folder = tempfile::tempdir().unwrap();
        let (root, outside) = (folder.path().join("in"), folder.path().join("out"));
        [&root, &outside].iter().for_each(|folder| fs::create_dir(folder).unwrap());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, root.join("way")).unwrap();
            std::os::unix::fs::symlink(outside.join("b.kif"), root.join("b.kif")).unwrap();
            assert!(save(&root, &root.join("way/a.kif"), b"", true).is_err());
            assert!(save(&root, &root.join("way/deeper/a.kif"), b"", true).is_err());
            assert!(save(&root, &root.join("b.kif"), b"", true).is_err());
        }
        let file = root.join("deep/er/a.kif");
        save(&root, &file, b"one", false).unwrap();
        let again = save(&root, &file, b"two", false).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&file).unwrap(), b"one");
        save(&root, &file, b"two", true).unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }
}
