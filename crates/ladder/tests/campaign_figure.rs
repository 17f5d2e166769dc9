//! The figure in the README: how strong the shogi network was after each minute of learning.

use std::path::Path;

use keisei_chart::{Chart, Series};
use keisei_engine::models::models;
use keisei_ladder::ladder::{Calibration, rungs};

/// Rungs that go across the figure, with names that the reader may know.
const MARKS: [(&str, &str); 5] = [
    ("greedy", "greedy"),
    ("ab:2", "ab:2"),
    ("ab:3", "ab:3"),
    ("SF d3", "Fairy-Stockfish, depth 3"),
    ("SF d5", "depth 5"),
];

fn figure() -> String {
    let ages: Vec<_> = (models().networks.iter())
        .filter(|network| network.game == "shogi")
        .map(|age| (age.minutes.unwrap(), age.rating.unwrap(), age.error.unwrap()))
        .collect();
    let last = ages.last().expect("there is a network").0;
    let bars = ages.iter().map(|(_, rating, error)| (rating - error, rating + error));
    let line =
        Series::line("policy alone", ages.iter().map(|&(minutes, rating, _)| (minutes, rating)));
    let mut chart = Chart::new("Shogi from nothing on one H200")
        .x("minutes of learning")
        .y("Elo above random play")
        .series(line.bars(bars))
        .size(860, 430);
    let known = Calibration::shipped("shogi").ratings(rungs("shogi")[0].name);
    for (rung, name) in MARKS {
        let rated = known.iter().find(|rated| rated.name == rung).expect("a rung");
        let elo = rated.rating.expect("a rung is rated").elo;
        chart = chart.series(Series::line(name, [(0.0, elo), (last, elo)]));
    }
    chart.svg()
}

/// With `KEISEI_BLESS` set, the figure is drawn anew.
#[test]
fn the_figure_in_the_readme_shows_the_ratings_of_the_built_in_networks() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/campaign.svg");
    let figure = figure();
    if std::env::var_os("KEISEI_BLESS").is_some() {
        std::fs::write(&path, &figure).unwrap();
    }
    let shown = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        shown == figure,
        "docs/images/campaign.svg is out of date: KEISEI_BLESS=1 draws it anew"
    );
}
