//! `keisei serve`: the web client, and what it needs of this machine.

use std::fs;
use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use keisei_engine::PlayerSpec;
use keisei_serve::{Bounds, Settings, Stop, fresh_token};
use tracing_subscriber::filter::LevelFilter;

use crate::interrupt::Interrupt;
use crate::players::program;
use crate::runs::RunsFolder;

/// The port unless another is named.
const PORT: u16 = 8700;

/// Play, study games and watch training in a browser
///
/// Serves the web client and its API (described at /api) until Ctrl-C. Training goes on in other
/// processes: the server only reads what runs write.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Where to listen: a port, an address, or both. Addresses that other machines can reach need a
    /// token, which is made up and printed if there is no --token-file
    #[arg(long, value_name = "[ADDRESS:]PORT", value_parser = listen, default_value = "127.0.0.1:8700")]
    listen: SocketAddr,
    /// A file with the token that clients must know: 16 or more letters, digits, '-' and '_'
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A name of this machine that browsers may use, besides localhost and addresses; repeatable
    #[arg(long, value_name = "HOST")]
    name: Vec<String>,
    #[command(flatten)]
    runs: RunsFolder,
    /// Where records are kept
    #[arg(long, value_name = "FOLDER", default_value = "records")]
    records: PathBuf,
    /// An engine that clients may play against, such as usi:COMMAND; repeatable. No other program is
    /// ever started
    #[arg(long, value_name = "PLAYER", value_parser = engine)]
    engine: Vec<PlayerSpec>,
    /// How many players think at the same time [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    thinkers: Option<u16>,
}

const EXAMPLES: &str = "\
Examples:
  keisei serve                             then open http://127.0.0.1:8700/
  keisei serve --runs /data/runs --records ~/kifu
  keisei serve --engine 'usi:fairy-stockfish;option.Skill_Level=-5'
  keisei serve --thinkers 1                leave the other cores to training
  keisei serve --listen 0.0.0.0:8700 --name shogi.example
                                           for other machines too: prints the address with its
                                           token, to be opened once in each browser
  ssh -L 8700:127.0.0.1:8700 gpu-machine   watch a run elsewhere without opening a port";

impl Serve {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<()> {
        let token = self.token()?;
        let bounds = Bounds::default();
        let settings = Settings {
            listen: self.listen,
            token: token.clone(),
            names: self.name.clone(),
            runs: self.runs.usual()?,
            records: Some(self.records.clone()),
            engines: self.engine.clone(),
            bounds: Bounds {
                thinkers: self.thinkers.map_or(bounds.thinkers, usize::from),
                ..bounds
            },
        };
        let log =
            tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(LevelFilter::WARN);
        let log = log.finish();
        // Somebody else's log is as good as ours.
        let _ = tracing_subscriber::util::SubscriberInitExt::try_init(log);
        let stop = Stop::default();
        let asked = stop.clone();
        let _interrupt = Interrupt::catch(move || asked.ask(), || ())?;
        let mut said = Ok(());
        keisei_serve::serve(settings, &stop, |address| {
            said = self.say(address, token.as_deref(), out);
            if said.is_err() {
                stop.ask();
            }
        })?;
        Ok(said?)
    }

    /// The token, where one is needed or wanted.
    fn token(&self) -> Result<Option<String>> {
        match &self.token_file {
            Some(file) => {
                let name = file.display();
                let text =
                    fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
                Ok(Some(text.trim().to_owned()))
            }
            None if self.listen.ip().is_loopback() => Ok(None),
            None => Ok(Some(fresh_token()?)),
        }
    }

    /// Says where to look.
    fn say(&self, address: SocketAddr, token: Option<&str>, out: &mut dyn Write) -> io::Result<()> {
        let host = match (self.name.first(), address.ip()) {
            (Some(name), _) => name.clone(),
            (None, ip) if ip.is_unspecified() => "localhost".to_owned(),
            (None, IpAddr::V6(ip)) => format!("[{ip}]"),
            (None, ip) => ip.to_string(),
        };
        let token = token.map_or(String::new(), |token| format!("?token={token}"));
        writeln!(out, "Keisei is at http://{host}:{}/{token}", address.port())?;
        writeln!(out, "Ctrl-C ends it")?;
        out.flush()
    }
}

/// Reads where to listen.
fn listen(text: &str) -> Result<SocketAddr, String> {
    let here = IpAddr::from(Ipv4Addr::LOCALHOST);
    let port = text.parse().map(|port: u16| SocketAddr::new(here, port)).ok();
    let address = text.parse().map(|address: IpAddr| SocketAddr::new(address, PORT)).ok();
    let found = text.parse().ok().or(port).or(address);
    found.ok_or_else(|| "this should be a port, an address or both: 127.0.0.1:8700".to_owned())
}

/// Reads the name of an engine.
fn engine(text: &str) -> Result<PlayerSpec, String> {
    match program(text)? {
        spec @ PlayerSpec::Engine(_) => Ok(spec),
        _ => Err("all players but engines can be had anyway: usi:, uci: or gnushogi".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_to_listen_is_a_port_an_address_or_both() {
        let read = |text: &str| listen(text).map(|address| address.to_string());
        assert_eq!(read("9000").unwrap(), "127.0.0.1:9000");
        assert_eq!(read("0.0.0.0").unwrap(), "0.0.0.0:8700");
        assert_eq!(read("[::1]:80").unwrap(), "[::1]:80");
        assert!(read("here").unwrap_err().contains("should be a port"));
    }

    #[test]
    fn only_engines_have_to_be_named() {
        assert!(matches!(engine("usi:fairy-stockfish"), Ok(PlayerSpec::Engine(_))));
        assert!(engine("ab:2").unwrap_err().contains("can be had anyway"));
    }
}
