//! The folder of a match, from which it goes on after being stopped.
//!
//! ```text
//! match.jsonl   the settings, then a line for every finished game
//! games/        the same games as records
//! result.json   how the match stands
//! ```
//!
//! A line counts once it is complete. A game that was under way when the match was stopped is
//! played again.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fingerprint::same_contents;
use super::{Fault, MatchSettings, Opening};

const LINES: &str = "match.jsonl";
const GAMES: &str = "games";
const RESULT: &str = "result.json";

/// What settings are.
const PLAIN: &str = "settings are plain JSON";

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FinishedGame {
    /// Which game of the match, from 0.
    pub game: u64,
    /// Which of the two players had the first side: 0 or 1.
    pub first: usize,
    /// Which of the two players won: 0, 1 or nobody.
    pub winner: Option<usize>,
    /// The rule that ended the game.
    pub reason: String,
    /// Whether it was cut off by the limit of moves.
    pub cut_off: bool,
    /// Why the loser lost, if not on the board.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub fault: Option<Fault>,
    /// What went wrong, in words.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub problem: Option<String>,
    /// Where it began.
    pub opening: Opening,
    /// All moves, those of the opening too.
    pub moves: Vec<String>,
}

impl FinishedGame {
    /// What the match's first player got, in half points.
    pub fn half_points(&self) -> u8 {
        match self.winner {
            Some(0) => 2,
            None => 1,
            Some(_) => 0,
        }
    }

    /// Which of the two players lost.
    pub fn loser(&self) -> Option<usize> {
        self.winner.map(|winner| 1 - winner)
    }
}

/// Why the folder of a match cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The disk refuses.
    #[error("{path}: {error}")]
    Disk {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// Another process plays this match.
    #[error("the match in {0} is being played by another process")]
    InUse(PathBuf),
    /// The match there has other settings.
    #[error("{path} holds another match: {differences}; give another folder")]
    Settings {
        /// The folder.
        path: PathBuf,
        /// Which settings differ, and how.
        differences: String,
    },
    /// A player there played with other weights.
    #[error(
        "{path} holds a match in which {player} played with other weights: {found}, now {asked}; \
         give another folder"
    )]
    Weights {
        /// The folder.
        path: PathBuf,
        /// Who.
        player: String,
        /// The weights that the match was begun with.
        found: String,
        /// The weights it would go on with.
        asked: String,
    },
    /// A line cannot be read.
    #[error("{path}, line {line}: {problem}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// Why it cannot be read.
        problem: String,
    },
}

/// The folder of a match, held by this process alone.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    lines: File,
}

impl Journal {
    /// Opens the folder, made if it is not there, and gives back the games that are finished.
    pub fn open(
        folder: &Path,
        settings: &MatchSettings,
    ) -> Result<(Self, Vec<FinishedGame>), JournalError> {
        let games = folder.join(GAMES);
        fs::create_dir_all(&games).map_err(disk(&games))?;
        let path = folder.join(LINES);
        let lines = OpenOptions::new().create(true).read(true).append(true).open(&path);
        let lines = lines.map_err(disk(&path))?;
        match lines.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(folder.to_owned())),
            Err(TryLockError::Error(error)) => return Err(disk(&path)(error)),
        }
        let mut text = fs::read(&path).map_err(disk(&path))?;
        // What follows the last line's end was being written when the match was stopped. It may end
        // amid a character.
        text.truncate(text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1));
        lines.set_len(text.len() as u64).map_err(disk(&path))?;
        let text = String::from_utf8(text).map_err(|error| {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
            JournalError::Line { path: path.clone(), line, problem: "it is not UTF-8".to_owned() }
        })?;
        let mut journal = Self { folder: folder.to_owned(), lines };
        let mut found = text.lines().enumerate();
        match found.next() {
            None => journal.write(settings)?,
            Some((_, line)) => journal.compare(line, settings)?,
        }
        let game = |(index, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| JournalError::Line {
                path: path.clone(),
                line: index + 1,
                problem: error.to_string(),
            })
        };
        let games = found.map(game).collect::<Result<_, _>>()?;
        Ok((journal, games))
    }

    /// Refuses settings other than those of the first line.
    fn compare(&self, line: &str, settings: &MatchSettings) -> Result<(), JournalError> {
        let found: Value = serde_json::from_str(line).map_err(|error| JournalError::Line {
            path: self.folder.join(LINES),
            line: 1,
            problem: error.to_string(),
        })?;
        let mut asked = serde_json::to_value(settings).expect(PLAIN);
        let path = self.folder.clone();
        let identities = found["identities"].clone();
        asked["identities"] = identities.clone();
        let differences = differences(&found, &asked);
        if !differences.is_empty() {
            return Err(JournalError::Settings { path, differences });
        }
        for (which, asked) in settings.identities.iter().enumerate() {
            let found = identities[which].as_str().unwrap_or_default();
            if !same_contents(found, asked) {
                let known = |identity: &str| match identity {
                    "" => "unknown ones".to_owned(),
                    identity => identity.to_owned(),
                };
                let (found, asked) = (known(found), known(asked));
                let player = settings.players[which].clone();
                return Err(JournalError::Weights { path, player, found, asked });
            }
        }
        Ok(())
    }

    /// Adds a finished game.
    pub fn add(&mut self, game: &FinishedGame) -> Result<(), JournalError> {
        self.write(game)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(line).expect("lines are plain JSON");
        line.push(b'\n');
        // One write, so that the line is there as a whole or not at all.
        self.lines.write_all(&line).map_err(disk(&self.folder.join(LINES)))
    }

    /// Writes the record of a game.
    pub fn write_record(&self, name: &str, bytes: &[u8]) -> Result<(), JournalError> {
        self.replace(&Path::new(GAMES).join(name), bytes)
    }

    /// Writes how the match stands.
    pub fn write_result(&self, result: &impl Serialize) -> Result<(), JournalError> {
        let mut text = serde_json::to_vec_pretty(result).expect("a result is plain JSON");
        text.push(b'\n');
        self.replace(Path::new(RESULT), &text)
    }

    /// Whatever happens meanwhile, the file holds what it held before or all of `bytes`.
    fn replace(&self, name: &Path, bytes: &[u8]) -> Result<(), JournalError> {
        let path = self.folder.join(name);
        let mut unfinished = path.clone().into_os_string();
        unfinished.push(".part");
        let written = fs::write(&unfinished, bytes).and_then(|()| fs::rename(&unfinished, &path));
        written.map_err(disk(&path))
    }
}

/// Where two matches' settings differ, in words; nothing if they do not.
pub(super) fn differences(found: &impl Serialize, asked: &impl Serialize) -> String {
    let [found, asked] = [serde_json::to_value(found), serde_json::to_value(asked)];
    let mut differences = Vec::new();
    differ("", &found.expect(PLAIN), &asked.expect(PLAIN), &mut differences);
    differences.join("; ")
}

/// Lists where two JSON values differ.
fn differ(key: &str, found: &Value, asked: &Value, differences: &mut Vec<String>) {
    match (found, asked) {
        (Value::Object(found), Value::Object(asked)) => {
            let mut keys: Vec<_> = found.keys().chain(asked.keys()).collect();
            keys.sort();
            keys.dedup();
            for name in keys {
                let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                let of = |map: &serde_json::Map<_, Value>| map.get(name).cloned();
                let (found, asked) = (of(found).unwrap_or_default(), of(asked).unwrap_or_default());
                differ(&key, &found, &asked, differences);
            }
        }
        _ if found == asked => {}
        _ => differences.push(format!("its {key} is {found}, not {asked}")),
    }
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> JournalError {
    move |error| JournalError::Disk { path: path.to_owned(), error }
}
