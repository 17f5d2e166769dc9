//! `keisei csa`: a player on a server that speaks the CSA protocol.

use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::net::{Ipv6Addr, ToSocketAddrs};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use keisei_csa::{Event, Finished, Settings, Tally, Verdict, play};
use keisei_engine::PlayerSpec;
use keisei_game::Side;
use keisei_records::{Encoding, Format, Record, Recorded, write_encoded};
use keisei_shogi::Shogi;

use crate::interrupt::Interrupt;
use crate::players::{help, program};
use crate::record_file::replace;
use crate::start::usage;
use crate::words::counted;

/// The port of the protocol.
const PORT: u16 = 4081;

/// Play shogi on a server over the CSA protocol, such as Floodgate
///
/// Logs in, agrees to the games that the server proposes, and plays them one after the other. Times
/// are those of the game: byoyomi and increments as the server says. With every move goes what the
/// player thinks of it, a score and the line it expects, as Floodgate shows them. A lost connection
/// is tried again, and a game that the server still holds goes on.
///
/// The first Ctrl-C resigns at the next turn and logs out; a second one ends at once.
#[derive(Args)]
#[command(after_help = help(EXAMPLES))]
pub(crate) struct Csa {
    /// The server, with a port unless it is 4081
    #[arg(value_name = "HOST[:PORT]", value_parser = address)]
    server: String,
    /// The name to log in with
    #[arg(long)]
    name: String,
    /// The password, for Floodgate with the kind of game before it: floodgate-300-10F,SECRET
    ///
    /// A password on the command line can be seen by everybody on this machine; in the environment
    /// it cannot.
    #[arg(long, env = "KEISEI_CSA_PASSWORD", hide_env_values = true)]
    password: String,
    /// Who plays
    #[arg(long, value_name = "PLAYER", default_value = "net:shipped", value_parser = program)]
    player: PlayerSpec,
    /// Log out after N games [default: never]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// The folder for the records of the games, as CSA files
    #[arg(long, value_name = "FOLDER", default_value = "csa")]
    records: PathBuf,
    /// Also write every line that is sent and received to FILE
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// How many milliseconds of a turn are kept back for the way to the server
    #[arg(long, value_name = "MS", default_value_t = 500)]
    margin: u64,
    /// After how many seconds of silence an empty line keeps the connection alive
    #[arg(long, value_name = "SECONDS", default_value_t = 40, value_parser = clap::value_parser!(u64).range(30..))]
    keep_alive: u64,
    /// How often in a row a lost connection is tried again, after 1, 2, 4 … 64 seconds
    #[arg(long, value_name = "N", default_value_t = 10)]
    reconnect: u32,
}

const EXAMPLES: &str = "\
Examples:
  keisei csa localhost --name black --password test --player ab:3,quiescence --games 2
  KEISEI_CSA_PASSWORD=floodgate-300-10F,secret \\
      keisei csa wdoor.c.u-tokyo.ac.jp --name keisei_test
  keisei analyze csa/*.csa";

impl Csa {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let seed = RandomState::new().hash_one(0);
        let mut player = self.player.build::<Shogi>(seed).map_err(usage)?;
        // A connection is tried again; a name that nobody knows is a mistake.
        let found = self.server.to_socket_addrs().map(drop);
        found.with_context(|| format!("cannot find the server {}", self.server))?;
        fs::create_dir_all(&self.records)
            .with_context(|| format!("cannot make the folder {}", self.records.display()))?;
        let mut log = self.log.as_deref().map(open_log).transpose()?;
        let interrupt = Interrupt::catch(
            || eprintln!("resigning at the next turn; Ctrl-C again ends at once"),
            || {},
        )?;
        let settings = self.settings();
        let mut failure = Ok(());
        let mut observe = |event: &Event<'_>| {
            if failure.is_ok() {
                failure = self.show(event, log.as_mut(), out);
                if failure.is_err() {
                    interrupt.ask();
                }
            }
        };
        let tally = play(&settings, &mut *player, &|| interrupt.asked(), &mut observe);
        failure?;
        let Tally { wins, losses, draws, others } = tally?;
        let games = counted((wins + losses + draws + others) as usize, "game");
        writeln!(
            out,
            "{games}: {wins} won, {losses} lost, {draws} drawn, {others} without a result"
        )?;
        Ok(())
    }

    fn settings(&self) -> Settings {
        Settings {
            server: self.server.clone(),
            name: self.name.clone(),
            password: self.password.clone(),
            games: self.games,
            keep_alive: Duration::from_secs(self.keep_alive),
            attempts: self.reconnect,
            first_wait: Duration::from_secs(1),
            margin: Duration::from_millis(self.margin),
        }
    }

    fn show(&self, event: &Event<'_>, log: Option<&mut File>, out: &mut dyn Write) -> Result<()> {
        match event {
            Event::Sent(line) => write_log(log, '>', line)?,
            Event::Received(line) => write_log(log, '<', line)?,
            Event::Lost { reason, wait } => {
                writeln!(out, "connection lost: {reason}; again in {} s", wait.as_secs())?;
            }
            Event::Begun(summary) => {
                let color = Shogi::color(summary.side);
                let opponent = &summary.names[!summary.side];
                writeln!(out, "{}: {color} against {opponent}", summary.id)?;
            }
            Event::BrokenOff { id, record } => {
                let path = self.save(id, record)?;
                writeln!(out, "{id}: broke off, saved to {}", path.display())?;
            }
            Event::Over(finished) => {
                let path = self.save(&finished.id, &finished.record)?;
                writeln!(out, "{}, saved to {}", result(finished), path.display())?;
            }
        }
        Ok(out.flush()?)
    }

    /// Writes a record under the name that the server gave the game.
    fn save(&self, id: &str, record: &Record<Shogi>) -> Result<PathBuf> {
        let plain = |c: char| if c.is_alphanumeric() || "-_+.".contains(c) { c } else { '_' };
        let name: String = id.chars().map(plain).collect();
        let path = self.records.join(format!("{}.csa", name.trim_start_matches('.')));
        let written = write_encoded(&record.clone().into(), Format::Csa, Encoding::Utf8)?;
        replace(&path, &written.bytes)?;
        Ok(path)
    }
}

/// Reads the name of a server, and gives it the usual port if it has none.
fn address(text: &str) -> Result<String, String> {
    if text.parse::<Ipv6Addr>().is_ok() {
        return Ok(format!("[{text}]:{PORT}"));
    }
    match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => match port.parse() {
            Ok(1..=u16::MAX) if !host.is_empty() => Ok(text.to_owned()),
            Ok(1..=u16::MAX) => Err("name a host before the port".to_owned()),
            _ => Err(format!("{port:?} is no port: they go from 1 to 65535")),
        },
        _ if text.is_empty() => Err("name a host".to_owned()),
        _ => Ok(format!("{text}:{PORT}")),
    }
}

fn result(finished: &Finished) -> String {
    let Finished { id, side, verdict, reason, record } = finished;
    let verdict = match verdict {
        Verdict::Win => "won",
        Verdict::Loss => "lost",
        Verdict::Draw => "drawn",
        Verdict::Censored => "without a result",
        Verdict::Stopped => "stopped by the server",
    };
    let side = if *side == Side::First { "black" } else { "white" };
    let moves = counted(record.main_moves().count(), "move");
    format!("{id}: {verdict} as {side} after {moves} ({reason})")
}

fn open_log(path: &Path) -> Result<File> {
    File::options()
        .create(true)
        .append(true)
        .open(path)
        .with_context(|| format!("cannot write {}", path.display()))
}

fn write_log(log: Option<&mut File>, direction: char, line: &str) -> Result<()> {
    if let Some(log) = log {
        writeln!(log, "{direction} {line}").context("cannot write the log")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_have_the_usual_port_unless_they_name_another() {
        for (text, expected) in [
            ("localhost", "localhost:4081"),
            ("localhost:1", "localhost:1"),
            ("::1", "[::1]:4081"),
            ("[::1]", "[::1]:4081"),
            ("[::1]:65535", "[::1]:65535"),
        ] {
            assert_eq!(address(text).as_deref(), Ok(expected));
        }
        for text in ["", ":4081", "localhost:", "localhost:0", "localhost:99999", "localhost:x"] {
            assert!(address(text).is_err(), "{text}");
        }
    }
}
