//! Reports of runs.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::{fails, scratch, succeeds};

/// A small run called `a` in an empty folder for runs.
fn small_run(name: &str) -> (PathBuf, String) {
    let runs = scratch(name);
    let _ = fs::remove_dir_all(&runs);
    let place = runs.to_str().unwrap().to_owned();
    let train = ["train", "--preset", "cpu-smoke", "--run", "a", "--runs", &place];
    succeeds(&[&train[..], &["--steps", "1280"]].concat());
    (runs, place)
}

#[test]
fn a_run_is_summed_up_and_drawn_even_while_its_last_line_is_written() {
    let (runs, place) = small_run("report-files");
    let run = runs.join("a");
    let mut metrics = fs::OpenOptions::new().append(true).open(run.join("metrics.jsonl")).unwrap();
    metrics.write_all(b"{\"update\": 3, \"st").unwrap();
    let said = succeeds(&["report", "a", "--runs", &place]);
    for expected in [
        "run           a\n",
        "finished: 5 updates, 1280 moves, ",
        "preset cpu-smoke with training.total_steps = 1280\n",
        "best 0.",
        "checkpoint    ",
        "update-",
    ] {
        assert!(said.contains(expected), "{expected:?}\n{said}");
    }
    let markdown = fs::read_to_string(run.join("report.md")).unwrap();
    assert!(markdown.starts_with("# Run a\n") && markdown.contains("](report.svg)"), "{markdown}");
    let svg = fs::read_to_string(run.join("report.svg")).unwrap();
    for title in ["Score against random play", "Mates in one found", "Value loss", "Moves a second"]
    {
        assert!(svg.contains(&format!(">{title}</text>")), "{title}");
    }
    assert!(!svg.contains("no data yet"), "every curve of a run has data");
    assert!(fs::read(run.join("report.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_report_is_written_where_it_is_wanted_and_a_run_is_also_known_by_its_folder() {
    let (runs, _) = small_run("report-out");
    let out = runs.join("elsewhere");
    let run = runs.join("a");
    succeeds(&["report", run.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    for name in ["report.md", "report.svg", "report.png"] {
        assert!(out.join(name).exists() && !run.join(name).exists(), "{name}");
    }
}

#[test]
fn a_run_without_numbers_is_reported_as_such() {
    let runs = scratch("report-empty");
    fs::create_dir_all(runs.join("new")).unwrap();
    fs::write(runs.join("new/config.toml"), "").unwrap();
    let said = succeeds(&["report", "new", "--runs", runs.to_str().unwrap()]);
    assert!(said.contains("not finished: 0 updates"), "{said}");
    let svg = fs::read_to_string(runs.join("new/report.svg")).unwrap();
    assert!(svg.contains("no data yet"));
}

#[test]
fn a_run_that_is_not_there_is_answered_with_those_that_are() {
    let runs = scratch("report-names");
    let _ = fs::remove_dir_all(&runs);
    let place = runs.to_str().unwrap();
    let said = fails(1, &["report", "c", "--runs", place]);
    assert!(said.contains("no run \"c\"") && said.contains("has no runs"), "{said}");
    for name in ["a", "b"] {
        fs::create_dir_all(runs.join(name)).unwrap();
        fs::write(runs.join(name).join("config.toml"), "").unwrap();
    }
    let said = fails(1, &["report", "c", "--runs", place]);
    assert!(said.contains("there are: a, b"), "{said}");
}
