//! `keisei match`: games between two players, and what they say about their strength.

mod openings;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use keisei_cluster::{Communicator, Watch};
use keisei_engine::PlayerSpec;
use keisei_games::GameName;
use keisei_ladder::contest::{Contestant, Match, MatchSettings, Summary, TimeControl, text};
use keisei_records::Format;

use crate::cluster::Cluster;
use crate::interrupt::Interrupt;
use crate::pick::{ForAnyGame, game_name};
use crate::players::{help, program};
use crate::start::usage;
use crate::text_game::TextGame;
use openings::OpeningArgs;

/// Play a match between two players to find out which is stronger
///
/// Games come in rounds of two: the same opening with colours exchanged. Words such as
/// `nodes=100` are those of fastchess. With --out, every game is kept as a record, and a match that
/// was interrupted (Ctrl-C) resumes when the same command is run again. Started by mpirun or srun
/// (in a build with the feature mpi), several processes share the rounds; docs/cluster.md tells how.
#[derive(Args)]
#[command(after_help = help(EXAMPLES))]
pub(crate) struct MatchCommand {
    /// The first player
    #[arg(value_name = "A", value_parser = program)]
    a: PlayerSpec,
    /// The second player
    #[arg(value_name = "B", value_parser = program)]
    b: PlayerSpec,
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
    /// How many rounds to play
    #[arg(long, value_name = "N", default_value_t = 50,
        value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// Games per round: 2 from the same opening, or 1
    #[arg(long, value_name = "1|2", default_value_t = 2,
        value_parser = clap::value_parser!(u64).range(1..=2))]
    games: u64,
    /// How many games to play at once
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// The limits of both players: tc=[MOVES/]SECONDS[+INCREMENT], byoyomi=SECONDS, st=SECONDS,
    /// nodes=N, depth=N, timemargin=MILLISECONDS
    #[arg(long, value_name = "LIMIT", num_args = 1..)]
    each: Vec<String>,
    /// Limits of the first player only
    #[arg(long, value_name = "LIMIT", num_args = 1..)]
    first: Vec<String>,
    /// Limits of the second player only
    #[arg(long, value_name = "LIMIT", num_args = 1..)]
    second: Vec<String>,
    #[command(flatten)]
    openings: OpeningArgs,
    /// Stop the match as soon as this test is decided: elo0=0 elo1=10 alpha=0.05 beta=0.05
    /// model=normalized|logistic
    #[arg(long, value_name = "WORD", num_args = 1..)]
    sprt: Vec<String>,
    /// Adjudicate draws: movenumber=40 movecount=8 score=10
    #[arg(long, value_name = "WORD", num_args = 1..)]
    draw: Vec<String>,
    /// Adjudicate wins: movecount=3 score=400 twosided=true
    #[arg(long, value_name = "WORD", num_args = 1..)]
    resign: Vec<String>,
    /// Draw a game after this many moves, counting both sides
    #[arg(long, alias = "maxmoves", value_name = "N", default_value_t = 512)]
    max_moves: usize,
    /// The seed of everything random
    #[arg(long, alias = "srand", value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Report after every N rounds
    #[arg(long, alias = "ratinginterval", value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..))]
    report_interval: u64,
    /// Keep the match in this folder: match.jsonl, games/ and result.json
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The format of the records [default: csa for shogi, pgn for chess]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei match mate1 random --rounds 50
  keisei match ab:2 ab:1 --rounds 100 --concurrency 2 --out matches/ab2-ab1
  keisei match net:new.safetensors net:old.safetensors --each nodes=64 --sprt elo0=0 elo1=10
  keisei match ab:3 'usi:fairy-stockfish;option.USI_Variant=shogi' --each tc=10+0.1 byoyomi=1
  keisei match uci:stockfish ab:3 --game chess --each st=0.1 --openings book.epd order=random";

impl ForAnyGame for MatchCommand {
    fn game(&self) -> GameName {
        self.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        Cluster::join()?.run(out, |cluster, out| self.run_on::<G>(cluster, out))
    }
}

impl MatchCommand {
    fn run_on<G: TextGame>(&self, cluster: &Cluster, out: &mut dyn Write) -> Result<()> {
        let contest = self.contest::<G>(&*cluster.ranks)?;
        let stop = stop_on_interrupt(cluster)?;
        let mut written = Ok(());
        let mut tell = |summary: &Summary| {
            if !self.json && summary.rounds.is_multiple_of(self.report_interval) {
                written = write_block(out, summary);
            }
            if written.is_err() {
                // Nobody reads what is said; the match is kept as far as it is.
                stop.ask();
            }
        };
        let folder = self.out.as_deref();
        let summary = contest.play_among(&*cluster.ranks, folder, stop.flag(), &mut tell)?;
        written?;
        if self.json {
            return Ok(writeln!(out, "{}", serde_json::to_string_pretty(&summary)?)?);
        }
        write_block(out, &summary)?;
        match (&self.out, summary.finished) {
            (_, true) => writeln!(out, "finished")?,
            (Some(_), false) => writeln!(out, "stopped; run the same command again to resume")?,
            (None, false) => writeln!(out, "stopped; give --out DIR to be able to resume")?,
        }
        Ok(())
    }

    fn contest<G: TextGame>(&self, ranks: &dyn Communicator) -> Result<Match<G>> {
        let each = limits(TimeControl::default(), &self.each)?;
        let controls = [limits(each.clone(), &self.first)?, limits(each, &self.second)?];
        let limits = controls.each_ref().map(ToString::to_string);
        let [first, second] = controls;
        let (first, first_identity) = Contestant::named(ranks, &self.a, first)?;
        let (second, second_identity) = Contestant::named(ranks, &self.b, second)?;
        let (openings, described) = self.openings.read::<G>(self.seed)?;
        let settings = MatchSettings {
            game: G::NAME.to_owned(),
            players: [&self.a, &self.b].map(ToString::to_string),
            identities: [first_identity, second_identity],
            limits,
            openings: described,
            seed: self.seed,
            games_per_round: self.games,
            max_moves: Some(self.max_moves),
            draw: rule(&self.draw)?,
            resign: rule(&self.resign)?,
            sprt: rule(&self.sprt)?,
        };
        Ok(Match {
            settings,
            contestants: [first, second],
            openings,
            rounds: self.rounds,
            concurrency: usize::from(self.concurrency),
            format: self.format.unwrap_or(G::MATCH_FORMAT),
        })
    }
}

fn limits(base: TimeControl, words: &[String]) -> Result<TimeControl> {
    base.with(words.iter().map(String::as_str)).map_err(usage)
}

/// A rule from its words, if there are any.
fn rule<T: std::str::FromStr<Err: std::fmt::Display>>(words: &[String]) -> Result<Option<T>> {
    let text = words.join(" ");
    (!words.is_empty()).then(|| text.parse().map_err(usage)).transpose()
}

fn write_block(out: &mut dyn Write, summary: &Summary) -> std::io::Result<()> {
    writeln!(out, "{}{}", text(summary), "-".repeat(50))?;
    out.flush()
}

/// Lets Ctrl-C stop a match. Finished games stay.
pub(crate) fn stop_on_interrupt(cluster: &Cluster) -> Result<Interrupt> {
    cluster.watch.tell(|watch| watch.set_hint("run the same command again to resume".to_owned()));
    let watch = cluster.watch.clone();
    let asked = move || {
        eprintln!("stopping; games under way are not counted");
        watch.tell(Watch::ask_to_end);
    };
    Interrupt::catch(asked, || ())
}
