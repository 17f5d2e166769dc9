//! Several processes, started by a real `mpirun`: the same bytes on any number of them, and one
//! message when one is lost.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use keisei_train::checkpoint;
use keisei_train::metrics::{names, read_records};

const KEISEI: &str = env!("CARGO_BIN_EXE_keisei");

/// A new folder.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// `mpirun` of so many ranks, more than there are cores if need be.
fn mpirun(ranks: usize) -> Command {
    let mut command = Command::new("mpirun");
    command.args(["--oversubscribe", "--bind-to", "none", "-n", &ranks.to_string()]);
    command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    command.env("RAYON_NUM_THREADS", "1");
    // Open MPI 4.1 shares the machine's topology at an address that is sometimes taken, and dies.
    command.env("OMPI_MCA_rtc", "^hwloc");
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    // A test that fails leaves nobody behind.
    command.process_group(0);
    command
}

const SETTINGS: [&str; 9] = [
    "env.mirror=true",
    "env.min_moves_per_game=20",
    "training.learning_rate_end=1e-4",
    "training.checkpoint_interval=2",
    "evaluation.eval_interval=5",
    "evaluation.eval_games=2",
    "evaluation.mate_positions=5",
    "rewind.share_end=0.8",
    "checkpoint.keep_last=20",
];

/// Trains the run at `run`, with everything that a run can have, in small.
fn train(command: &mut Command, run: &Path, steps: &str, more: &[&str]) {
    let (runs, name) = (run.parent().unwrap(), run.file_name().unwrap());
    command.args([KEISEI, "train", "--preset", "cpu-smoke", "--steps", steps, "--runs"]);
    command.arg(runs).arg("--run").arg(name);
    for setting in SETTINGS.iter().chain(more) {
        command.args(["--set", setting]);
    }
}

fn text(output: &Output) -> String {
    let Output { stdout, stderr, .. } = output;
    format!("{}{}", String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr))
}

/// Trains on so many ranks to the end.
#[track_caller]
fn trains(ranks: usize, run: &Path, steps: &str, more: &[&str]) {
    let mut command = mpirun(ranks);
    train(&mut command, run, steps, more);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
}

/// All that must not depend on how many ranks there were: weights, learner, games, metrics, log.
fn result(run: &Path, updates: u64) -> BTreeMap<String, Vec<u8>> {
    let newest = checkpoint::read(&run.join(format!("checkpoints/update-{updates:010}"))).unwrap();
    let mut result = BTreeMap::new();
    let mut games = Vec::new();
    for (name, content) in newest.files {
        if name.starts_with("games-") {
            games.extend(serde_json::from_slice::<Vec<serde_json::Value>>(&content).unwrap());
        } else if name == "trainer.json" {
            let mut trainer: serde_json::Value = serde_json::from_slice(&content).unwrap();
            (trainer["progress"]["seconds"], trainer["files"]) = Default::default();
            result.insert(name, trainer.to_string().into());
        } else {
            result.insert(name, content);
        }
    }
    assert_eq!(games.len(), 16);
    result.insert("games".to_owned(), serde_json::to_vec(&games).unwrap());
    let mut records = read_records(&run.join("metrics.jsonl"));
    // The sum over all ranks of what the teacher said is rounded in another order.
    let other = |name: &str| names::is_timed(name) || name == names::TEACHER_KL;
    records.iter_mut().for_each(|record| record.values.retain(|name, _| !other(name)));
    result.insert("metrics".to_owned(), format!("{records:#?}").into());
    result.insert("log".to_owned(), fs::read(run.join("logs/shogi_training_log.txt")).unwrap());
    result
}

#[track_caller]
fn assert_same(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    assert!(found.keys().eq(expected.keys()), "{:?} {:?}", found.keys(), expected.keys());
    for (name, content) in expected {
        assert!(&found[name] == content, "{name} differs");
    }
}

const OPPONENTS: &[&str] = &["opponents.share=0.4", "opponents.slots=2", "opponents.interval=3"];

#[test]
fn one_two_and_four_ranks_end_with_the_same_bytes() {
    let runs = folder("mpi-law");
    let search: &[&str] = &["training.teacher=search", "teacher.simulations=4"];
    for (kind, more) in [("ppo", OPPONENTS), ("search", search)] {
        let run = |ranks: usize| runs.join(format!("{kind}-{ranks}"));
        trains(1, &run(1), "2560", more);
        let expected = result(&run(1), 10);
        for ranks in [2, 4] {
            trains(ranks, &run(ranks), "2560", more);
            assert_same(&result(&run(ranks), 10), &expected);
        }
    }
}

#[test]
fn a_run_that_stops_on_four_ranks_goes_on_on_two_and_on_one() {
    let runs = folder("mpi-other-number");
    trains(1, &runs.join("whole"), "2560", OPPONENTS);
    // Schedules follow the moves that are planned, so the run is stopped, not planned shorter.
    let changing = runs.join("changing");
    for (ranks, updates) in [(4, 3), (2, 7)] {
        let mut job = Job::start(ranks, &changing, "2560", OPPONENTS);
        job.wait_for_updates(updates);
        job.signal(ranks - 1, "TERM");
        let (said, time) = job.end();
        assert!(said.contains("saved; go on with: mpirun -n"), "{said}");
        assert!(said.contains(&format!("rank={}", ranks - 1)), "{said}");
        assert!(time < Duration::from_secs(10), "{time:?}");
    }
    trains(1, &changing, "2560", OPPONENTS);
    assert_same(&result(&changing, 10), &result(&runs.join("whole"), 10));
}

/// A run on several ranks that goes on until something happens to it.
struct Job {
    child: Child,
    run: PathBuf,
    ranks: usize,
    hit: Instant,
}

impl Job {
    fn start(ranks: usize, run: &Path, steps: &str, more: &[&str]) -> Self {
        let mut command = mpirun(ranks);
        train(&mut command, run, steps, more);
        Self::spawn(command, ranks, run)
    }

    fn spawn(mut command: Command, ranks: usize, run: &Path) -> Self {
        let child = command.spawn().unwrap();
        Self { child, run: run.to_owned(), ranks, hit: Instant::now() }
    }

    fn wait_for_updates(&mut self, count: usize) {
        let start = Instant::now();
        while read_records(&self.run.join("metrics.jsonl")).len() < count {
            assert!(self.child.try_wait().unwrap().is_none(), "the run ended too early");
            assert!(start.elapsed() < Duration::from_secs(120), "the moment never came");
            sleep(Duration::from_millis(2));
        }
    }

    /// The processes of the ranks, in their order.
    fn processes(&self) -> Vec<String> {
        let mut found = BTreeMap::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let read = |file: &str| fs::read(entry.path().join(file)).unwrap_or_default();
            let words = |bytes: Vec<u8>| -> Vec<String> {
                bytes
                    .split(|&byte| byte == 0)
                    .map(|w| String::from_utf8_lossy(w).into_owned())
                    .collect()
            };
            let command = words(read("cmdline"));
            let ours = command.first().is_some_and(|program| program == KEISEI)
                && command.iter().any(|word| Path::new(word) == self.run.parent().unwrap());
            let rank = words(read("environ")).iter().find_map(|variable| {
                variable.strip_prefix("OMPI_COMM_WORLD_RANK=")?.parse::<usize>().ok()
            });
            if let Some(rank) = rank.filter(|_| ours) {
                found.insert(rank, name);
            }
        }
        found.into_values().collect()
    }

    fn signal(&mut self, rank: usize, signal: &str) {
        self.strike(rank, "kill", &["-s", signal]);
    }

    /// Does something to a rank, by a program that takes its process as the last word.
    fn strike(&mut self, rank: usize, program: &str, words: &[&str]) {
        let processes = self.processes();
        assert_eq!(processes.len(), self.ranks);
        self.hit = Instant::now();
        let done = Command::new(program).args(words).arg(&processes[rank]).status();
        assert!(done.unwrap().success());
    }

    /// What was said, and how long the end took. Nobody is left.
    fn end(mut self) -> (String, Duration) {
        while self.child.try_wait().unwrap().is_none() {
            if self.hit.elapsed() > Duration::from_secs(30) {
                let group = format!("-{}", self.child.id());
                let _ = Command::new("kill").args(["-s", "KILL", "--", &group]).status();
                panic!("the ranks did not end");
            }
            sleep(Duration::from_millis(5));
        }
        let time = self.hit.elapsed();
        let left = self.processes();
        assert!(left.is_empty(), "{left:?} are left");
        (text(&self.child.wait_with_output().unwrap()), time)
    }
}

/// All ranks end in time, with one message that says who, when and how to go on.
#[track_caller]
fn assert_ended(job: Job, expected: &[&str]) {
    let (said, time) = job.end();
    for part in expected.iter().chain(&[
        "after update",
        "last checkpoint: update-0000000",
        "all 2 ranks have ended; go on with: mpirun -n 2 keisei train --run run --runs ",
    ]) {
        assert!(said.contains(part), "{part:?} is not in: {said}");
    }
    assert_eq!(said.matches("error: ").count(), 1, "one message: {said}");
    assert!(time < Duration::from_secs(10), "{time:?}");
}

/// Loses a rank by `signal`; then the run goes on to its end.
#[track_caller]
fn is_lost(name: &str, rank: usize, signal: &str, expected: &[&str]) {
    let run = folder(name).join("run");
    let mut job = Job::start(2, &run, "1000000", &[]);
    job.wait_for_updates(4);
    job.signal(rank, signal);
    assert_ended(job, expected);
    let updates = read_records(&run.join("metrics.jsonl")).last().unwrap().update;
    trains(2, &run, &(256 * (updates + 2)).to_string(), &[]);
}

#[test]
fn a_killed_rank_ends_all_with_one_message() {
    is_lost("mpi-killed", 1, "KILL", &["error: rank 1 (process ", "has ended without a word"]);
}

#[test]
fn a_killed_first_rank_ends_all_with_one_message() {
    is_lost(
        "mpi-killed-first",
        0,
        "KILL",
        &["error: rank 0 (process ", "has ended without a word"],
    );
}

#[test]
fn a_stopped_rank_ends_all_with_one_message() {
    is_lost("mpi-stopped", 1, "STOP", &["error: rank 1 (process ", "no sign of life"]);
}

#[test]
fn a_stopped_first_rank_ends_all_with_one_message() {
    is_lost("mpi-stopped-first", 0, "STOP", &["error: rank 0 (process ", "no sign of life"]);
}

#[test]
fn a_full_disk_of_the_first_rank_ends_all_with_one_message_and_nothing_is_lost() {
    let runs = folder("mpi-full");
    let (whole, run) = (runs.join("whole"), runs.join("run"));
    trains(1, &whole, "2560", &[]);
    // From some moment on, files of rank 0 may not grow past 32 KiB, less than the learner's state;
    // the signal for it is ignored, so that writing fails as on a full disk.
    let mut command = mpirun(2);
    command.args(["bash", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""]);
    train(&mut command, &run, "2560", &[]);
    let mut job = Job::spawn(command, 2, &run);
    job.wait_for_updates(3);
    job.strike(0, "prlimit", &["--fsize=32768", "--pid"]);
    assert_ended(job, &["error: rank 0 (process ", "learner.safetensors: File too large"]);
    trains(2, &run, "2560", &[]);
    assert_same(&result(&run, 10), &result(&whole, 10));
}

#[test]
fn three_ranks_are_refused_with_the_numbers_that_can_be() {
    let mut command = mpirun(3);
    train(&mut command, &folder("mpi-three").join("run"), "512", &[]);
    let output = command.output().unwrap();
    let said = text(&output);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("3 ranks cannot share 8 shards equally: start 1, 2, 4"), "{said}");
}

/// The lines of a match's journal, in the order of its games, and what was said.
fn contest(ranks: usize, out: &Path) -> (Vec<String>, String) {
    let mut command = mpirun(ranks);
    command.args([KEISEI, "match", "greedy", "mate1", "--rounds", "6", "--max-moves", "60"]);
    let output = command.args(["--game", "animal", "--out"]).arg(out).output().unwrap();
    let said = text(&output);
    assert!(output.status.success() && said.contains("finished"), "{said}");
    let journal = fs::read_to_string(out.join("match.jsonl")).unwrap();
    let mut lines: Vec<_> = journal.lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!((lines.len(), fs::read_dir(out.join("games")).unwrap().count()), (13, 12));
    (lines, said)
}

#[test]
fn the_games_of_a_match_do_not_depend_on_the_number_of_ranks_and_it_resumes_on_any() {
    let folder = folder("mpi-match");
    let (expected, said) = contest(1, &folder.join("1"));
    for ranks in [2, 3, 4] {
        let out = folder.join(ranks.to_string());
        assert_eq!(contest(ranks, &out), (expected.clone(), said.clone()), "{ranks} ranks");
    }
    // The match loses all but its first five games, and goes on.
    let out = folder.join("3");
    let journal = fs::read_to_string(out.join("match.jsonl")).unwrap();
    let kept: Vec<_> = journal.lines().take(6).collect();
    fs::write(out.join("match.jsonl"), kept.join("\n") + "\n").unwrap();
    assert_eq!(contest(2, &out), (expected, said));
}

/// What a ladder of a run on so many ranks said, its table, and the games of its matches in order.
fn climbs(ranks: usize, run: &Path, out: &Path) -> (String, BTreeMap<String, Vec<String>>) {
    let words = "--as policy,greedy --checkpoints 2 --rounds 2 --rungs mate1 --max-moves 40 --out";
    let mut command = mpirun(ranks);
    command.args([KEISEI, "ladder"]).arg(run).args(words.split(' ')).arg(out);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let said = text(&output).replace(&out.display().to_string(), "OUT");
    let lines = |file: PathBuf| -> Vec<String> {
        fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
    };
    let mut found = BTreeMap::from([("table".to_owned(), lines(out.join("ladder.json")))]);
    for entry in fs::read_dir(out.join("matches")).unwrap().flatten() {
        let mut journal = lines(entry.path().join("match.jsonl"));
        journal.sort();
        assert_eq!(journal.len(), 5, "{journal:?}");
        found.insert(entry.file_name().to_string_lossy().into_owned(), journal);
    }
    (said, found)
}

#[test]
fn a_ladder_does_not_depend_on_the_number_of_ranks_and_it_resumes_on_any() {
    let folder = folder("mpi-ladder");
    let run = folder.join("run");
    trains(1, &run, "1024", &[]);
    let out = |ranks: usize| folder.join(format!("ladder-{ranks}"));
    let expected = climbs(1, &run, &out(1));
    assert!(expected.1.len() > 4, "{:?}", expected.1.keys());
    for ranks in [2, 3] {
        assert_eq!(climbs(ranks, &run, &out(ranks)), expected, "{ranks} ranks");
    }
    // The ladder loses a whole match and most of another, and goes on.
    let mut matches: Vec<_> = fs::read_dir(out(3).join("matches")).unwrap().flatten().collect();
    matches.sort_by_key(fs::DirEntry::file_name);
    fs::remove_dir_all(matches[0].path()).unwrap();
    let journal = matches[1].path().join("match.jsonl");
    let kept: Vec<_> =
        fs::read_to_string(&journal).unwrap().lines().take(2).map(str::to_owned).collect();
    fs::write(&journal, kept.join("\n") + "\n").unwrap();
    assert_eq!(climbs(2, &run, &out(3)), expected);
}
