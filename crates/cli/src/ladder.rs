//! `keisei ladder`: how strong checkpoints are, measured by players of known strength.

mod candidates;
mod report;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use keisei_cluster::Communicator;
use keisei_engine::models::{self, Level};
use keisei_engine::{NetSpec, PlayerSpec};
use keisei_games::GameName;
use keisei_ladder::contest::{Contestant, Match, MatchSettings, Openings, TimeControl};
use keisei_ladder::ladder::{Calibration, Candidate, Met, Rung, Table, climb, next_start, rungs};
use keisei_ladder::stats::Games;
use keisei_train::run::RunFolder;

use crate::cluster::Cluster;
use crate::interrupt::Interrupt;
use crate::match_command::stop_on_interrupt;
use crate::pick::{ForAnyGame, game_name};
use crate::players::program;
use crate::start::usage;
use crate::text_game::TextGame;
use candidates::{Selected, select_among};

/// Rate a checkpoint, or the checkpoints of a run, on a ladder of players of known strength
///
/// Each checkpoint plays the rungs within its reach: random, mate1, greedy, Fairy-Stockfish at
/// several skills and depths, alpha-beta, GNU Shogi, GPS Shogi. Ratings are in Elo, with random play
/// at 0. Results go to ladder.txt, ladder.md, ladder.json and ladder.svg, with all games beside them.
/// An interrupted ladder resumes when the same command is run again. Started by mpirun or srun (in a
/// build with the feature mpi), several processes share the games.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Ladder {
    /// A weights file, or the folder of a run
    #[arg(value_name = "CHECKPOINT|RUN", required_unless_present = "calibrate")]
    path: Option<PathBuf>,
    /// The game
    #[arg(long, value_name = "GAME", value_parser = game_name(), default_value_t)]
    game: GameName,
    /// How the checkpoints play
    #[arg(long = "as", value_name = "KIND", value_delimiter = ',', default_value = "policy,net")]
    kinds: Vec<Kind>,
    /// Simulations per move for `net`
    #[arg(long, value_name = "N", default_value_t = 32,
        value_parser = clap::value_parser!(u64).range(1..))]
    simulations: u64,
    /// How many checkpoints of a run to rate, evenly spread from the first to the last
    #[arg(long, value_name = "N", default_value_t = 6,
        value_parser = clap::value_parser!(u16).range(1..))]
    checkpoints: u16,
    /// Rounds of two games against each rung
    #[arg(long, value_name = "N", default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..))]
    rounds: u64,
    /// How many games to play at once
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Play only these rungs; random is always included
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    rungs: Vec<String>,
    /// Draw a game after this many moves, counting both sides
    #[arg(long, value_name = "N", default_value_t = 512)]
    max_moves: usize,
    /// How many random moves open each game
    #[arg(long, value_name = "N", default_value_t = 4)]
    random_plies: usize,
    /// The seed of everything random
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    /// Where to keep everything [default: `ladder` in the run's folder, or next to the checkpoint]
    #[arg(long, value_name = "DIR", required_if_eq("calibrate", "true"))]
    out: Option<PathBuf>,
    /// The games between the rungs [default: built in]
    #[arg(long, value_name = "FILE")]
    calibration: Option<PathBuf>,
    /// Play the rungs and the levels against each other instead, each against the next ones, and
    /// write calibration.json
    #[arg(long, conflicts_with_all = ["path", "calibration"])]
    calibrate: bool,
    /// When calibrating, let these players connect the rungs [default: the levels of the game, unless
    /// rungs are named]
    #[arg(long, value_name = "PLAYER", value_delimiter = ' ', value_parser = program,
        requires = "calibrate")]
    with: Option<Vec<PlayerSpec>>,
    /// When calibrating, how many stronger ones everybody plays against
    #[arg(long, value_name = "N", default_value_t = 2,
        value_parser = clap::value_parser!(u8).range(1..))]
    reach: u8,
    /// When calibrating, play only the games of these, which replace all their games that are built
    /// in; the others' are kept
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "calibrate")]
    only: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  keisei ladder runs/first                       six checkpoints of a run
  keisei ladder model.safetensors --as net --simulations 64 --rounds 50
  keisei ladder runs/first --rungs mate1,greedy,ab:1 --concurrency 2
  keisei ladder --calibrate --rounds 50 --out ladders/rungs
  keisei ladder --calibrate --only level:9,level:10 --reach 4 --out ladders/levels";

/// How a checkpoint plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Moves drawn by the policy
    Policy,
    /// The policy's likeliest move
    Greedy,
    /// With search
    Net,
}

impl ForAnyGame for Ladder {
    fn game(&self) -> GameName {
        self.game
    }

    fn run<G: TextGame>(&self, out: &mut dyn Write) -> Result<()> {
        Cluster::join()?.run(out, |cluster, out| self.run_on::<G>(cluster, out))
    }
}

/// Who plays the games of a ladder, and how they are stopped.
struct Hall<'a> {
    cluster: &'a Cluster,
    stop: Interrupt,
}

impl Ladder {
    fn run_on<G: TextGame>(&self, cluster: &Cluster, out: &mut dyn Write) -> Result<()> {
        let rungs = self.asked_rungs::<G>()?;
        let (playable, left_out) = playable::<G>(&*cluster.ranks, &rungs)?;
        let hall = Hall { cluster, stop: stop_on_interrupt(cluster)? };
        if self.calibrate {
            return self.play_rungs::<G>(&playable, &left_out, &hall, out);
        }
        let path = self.path.as_deref().context("name a checkpoint or a run to rate")?;
        let mut table = self.rate::<G>(path, &playable, &hall, out)?;
        table.left_out = left_out;
        let folder = self.folder(path);
        if cluster.is_first() {
            report::write(&folder, &table)?;
        }
        if self.json {
            return Ok(writeln!(out, "{}", serde_json::to_string_pretty(&table)?)?);
        }
        write!(out, "{}", table.text())?;
        Ok(writeln!(out, "kept in {}", folder.display())?)
    }
}

/// Where a match of the ladder is kept, and who plays it.
struct Meeting<'a> {
    folder: PathBuf,
    specs: [&'a PlayerSpec; 2],
    names: [&'a str; 2],
}

impl Ladder {
    /// The rungs that are asked for, from weak to strong.
    fn asked_rungs<G: TextGame>(&self) -> Result<Vec<Rung>> {
        let known = rungs(G::NAME);
        if let Some(name) =
            self.rungs.iter().find(|name| known.iter().all(|rung| rung.name != **name))
        {
            let names: Vec<_> = known.iter().map(|rung| rung.name).collect();
            return Err(usage(format!(
                "there is no rung {name:?}; the rungs are {}",
                names.join(", ")
            )));
        }
        let asked = |rung: &&Rung| {
            self.rungs.is_empty()
                || rung.name == known[0].name
                || self.rungs.iter().any(|name| name == rung.name)
        };
        Ok(known.iter().filter(asked).copied().collect())
    }

    fn folder(&self, path: &Path) -> PathBuf {
        let usual = || match path.is_dir() {
            true => RunFolder::new(path).ladder(),
            false => path.with_extension("ladder"),
        };
        self.out.clone().unwrap_or_else(usual)
    }

    /// Plays everybody's games and rates them.
    fn rate<G: TextGame>(
        &self,
        path: &Path,
        playable: &[(Rung, PlayerSpec)],
        hall: &Hall<'_>,
        out: &mut dyn Write,
    ) -> Result<Table> {
        let calibration = self.calibration::<G>()?;
        let selected = select_among(&*hall.cluster.ranks, path, self.checkpoints.into())?;
        let matches = self.folder(path).join("matches");
        let (mut candidates, mut games) = (Vec::new(), Vec::new());
        for &kind in &self.kinds {
            let mut start = 0;
            for checkpoint in &selected {
                let spec = self.player(kind, checkpoint);
                let candidate = checkpoint.candidate(kind_name(kind, self.simulations));
                let played = climb(playable.len(), start, |place| {
                    let (rung, opponent) = &playable[place];
                    let folder = matches.join(format!("{} vs {}", candidate.name, rung.name));
                    let names = [candidate.name.as_str(), rung.name];
                    let meeting = Meeting { folder, specs: [&spec, opponent], names };
                    let met = self.meet::<G>(&meeting, hall, out)?;
                    games.push(met.clone());
                    anyhow::Ok(met.games)
                })?;
                start = next_start(&played);
                candidates.push(candidate);
            }
        }
        let rungs: Vec<_> = rungs(G::NAME).to_vec();
        let mut table = Table::new(&rungs, &candidates, &calibration.games, &games);
        table.game = G::NAME.to_owned();
        table.conditions = format!(
            "{} games against each rung, {} random plies, cut off after {} moves, seed {}",
            2 * self.rounds,
            self.random_plies,
            self.max_moves,
            self.seed
        );
        Ok(table)
    }

    fn player(&self, kind: Kind, checkpoint: &Selected) -> PlayerSpec {
        let checkpoint = checkpoint.path.clone();
        let policy = |checkpoint, greedy| PlayerSpec::Policy {
            checkpoint,
            greedy,
            temperature: None,
            mirror: false,
        };
        match kind {
            Kind::Policy => policy(checkpoint, false),
            Kind::Greedy => policy(checkpoint, true),
            Kind::Net => {
                let simulations = Some(self.simulations);
                PlayerSpec::Net(NetSpec { checkpoint, simulations, ..NetSpec::default() })
            }
        }
    }

    fn calibration<G: TextGame>(&self) -> Result<Calibration> {
        let Some(file) = &self.calibration else { return Ok(Calibration::shipped(G::NAME)) };
        let name = file.display();
        let text = fs::read_to_string(file).with_context(|| format!("cannot read {name}"))?;
        Calibration::from_json(&text).with_context(|| name.to_string())
    }

    /// Everybody who takes part in a calibration, the weakest first by what was known before.
    fn calibrated<G: TextGame>(
        &self,
        playable: &[(Rung, PlayerSpec)],
        known: &Calibration,
    ) -> Result<Vec<(String, PlayerSpec)>> {
        let levels = || match self.rungs.is_empty() {
            true => models::levels(G::NAME).map(Level::spec).collect(),
            false => Vec::new(),
        };
        let connecting = self.with.clone().unwrap_or_else(levels);
        let rungs = playable.iter().map(|(rung, spec)| (rung.name.to_owned(), spec.clone()));
        let connecting = connecting.into_iter().map(|spec| (spec.to_string(), spec));
        let mut everybody: Vec<_> = rungs.chain(connecting).collect();
        if let Some(name) =
            self.only.iter().find(|name| everybody.iter().all(|(known, _)| known != *name))
        {
            return Err(usage(format!("{name:?} is neither a rung nor connects them")));
        }
        let ratings = known.ratings(rungs_of::<G>()[0].name);
        let place = |name: &str| ratings.iter().position(|rated| rated.name == name);
        everybody.sort_by_key(|(name, _)| place(name).unwrap_or(usize::MAX));
        Ok(everybody)
    }

    /// Plays each rung, and whoever connects them, against the next ones.
    fn play_rungs<G: TextGame>(
        &self,
        playable: &[(Rung, PlayerSpec)],
        left_out: &[(String, String)],
        hall: &Hall<'_>,
        out: &mut dyn Write,
    ) -> Result<()> {
        let folder = self.out.as_deref().context("a calibration needs --out")?;
        let known = Calibration::shipped(G::NAME);
        let everybody = self.calibrated::<G>(playable, &known)?;
        let asked = |name: &String| self.only.is_empty() || self.only.contains(name);
        let mut games = Vec::new();
        for (place, (weaker, weak)) in everybody.iter().enumerate() {
            for (stronger, strong) in everybody.iter().skip(place + 1).take(self.reach.into()) {
                if !asked(weaker) && !asked(stronger) {
                    continue;
                }
                // A level's network may be replaced, and its name may hold a file's.
                let name = format!("{stronger} vs {weaker}").replace(['/', ':'], "-");
                let folder = folder.join("matches").join(name);
                let names = [stronger.as_str(), weaker.as_str()];
                let meeting = Meeting { folder, specs: [strong, weak], names };
                games.push(self.meet::<G>(&meeting, hall, out)?);
            }
        }
        let mut how = format!(
            "keisei ladder --calibrate --game {} --rounds {} --random-plies {} --max-moves {} \
             --seed {} --reach {}",
            G::NAME,
            self.rounds,
            self.random_plies,
            self.max_moves,
            self.seed,
            self.reach
        );
        if !self.only.is_empty() {
            how = format!("{how} --only {}; before that: {}", self.only.join(","), known.how);
            games = known.without(&self.only).with(games).games;
        }
        let calibration = Calibration { how: how.clone(), games };
        let games = &calibration.games;
        let mut table =
            Table::new(rungs_of::<G>(), &connecting(&everybody, playable), games, games);
        table.game = G::NAME.to_owned();
        table.conditions.clone_from(&how);
        table.left_out = left_out.to_vec();
        let file = folder.join("calibration.json");
        if hall.cluster.is_first() {
            crate::record_file::replace(&file, calibration.to_json().as_bytes())?;
            report::write(folder, &table)?;
        }
        write!(out, "{}", table.text())?;
        Ok(writeln!(out, "written to {}", file.display())?)
    }

    /// Plays the games of two players, or takes those that were played before.
    fn meet<G: TextGame>(
        &self,
        meeting: &Meeting<'_>,
        hall: &Hall<'_>,
        out: &mut dyn Write,
    ) -> Result<Met> {
        let openings = Openings::Random { plies: self.random_plies };
        let (ranks, stop) = (&*hall.cluster.ranks, hall.stop.flag());
        let [first, second] = meeting.specs;
        let (first, first_identity) = Contestant::named(ranks, first, TimeControl::default())?;
        let (second, second_identity) = Contestant::named(ranks, second, TimeControl::default())?;
        let contest: Match<G> = Match {
            settings: MatchSettings {
                game: G::NAME.to_owned(),
                players: meeting.names.map(str::to_owned),
                identities: [first_identity, second_identity],
                limits: Default::default(),
                openings: openings.describe(),
                seed: self.seed,
                games_per_round: 2,
                max_moves: Some(self.max_moves),
                draw: None,
                resign: None,
                sprt: None,
            },
            contestants: [first, second],
            openings,
            rounds: self.rounds,
            concurrency: usize::from(self.concurrency),
            format: G::MATCH_FORMAT,
        };
        let summary = contest.play_among(ranks, Some(&meeting.folder), stop, &mut |_| ())?;
        if !summary.finished {
            bail!("stopped; run the same command again to resume");
        }
        let Games { wins, draws, losses } = summary.games;
        if !self.json {
            let [first, second] = meeting.names;
            writeln!(out, "{first} vs {second}: +{wins} ={draws} −{losses}")?;
            out.flush()?;
        }
        let [first, second] = meeting.names.map(str::to_owned);
        Ok(Met { first, second, games: summary.games })
    }
}

fn rungs_of<G: TextGame>() -> &'static [Rung] {
    rungs(G::NAME)
}

/// Those of a calibration who are no rungs, as the table shows them.
fn connecting(everybody: &[(String, PlayerSpec)], rungs: &[(Rung, PlayerSpec)]) -> Vec<Candidate> {
    let others =
        everybody.iter().filter(|(name, _)| rungs.iter().all(|(rung, _)| rung.name != name));
    let candidate = |(name, _): &(String, PlayerSpec)| Candidate {
        name: name.clone(),
        kind: "connecting".to_owned(),
        step: None,
        minutes: None,
    };
    others.map(candidate).collect()
}

fn kind_name(kind: Kind, simulations: u64) -> String {
    match kind {
        Kind::Policy => "policy".to_owned(),
        Kind::Greedy => "greedy policy".to_owned(),
        Kind::Net => format!("{simulations} simulations"),
    }
}

/// The rungs that can play here, and why the others cannot.
type Playable = (Vec<(Rung, PlayerSpec)>, Vec<(String, String)>);

/// Of several ranks, rank 0 decides, and the others have to do as it does.
fn playable<G: TextGame>(ranks: &dyn Communicator, rungs: &[Rung]) -> Result<Playable> {
    let mut left_out = Vec::new();
    for rung in rungs.iter().filter(|_| ranks.is_first()) {
        if let Err(error) = rung.player.parse::<PlayerSpec>()?.build::<G>(0) {
            left_out.push((rung.name.to_owned(), error.to_string()));
        }
    }
    let left_out = ranks.share(left_out);
    let mut able = Vec::new();
    for &rung in rungs.iter().filter(|rung| left_out.iter().all(|(name, _)| name != rung.name)) {
        let spec: PlayerSpec = rung.player.parse()?;
        if !ranks.is_first() {
            spec.build::<G>(0).with_context(|| {
                let name = rung.name;
                format!("the rung {name} can play at rank 0, but not here; name others by --rungs")
            })?;
        }
        able.push((rung, spec));
    }
    Ok((able, left_out))
}
