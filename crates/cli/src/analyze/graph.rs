//! The chances over a game as a chart.

use std::ffi::OsStr;
use std::path::Path;

use keisei_analysis::{Analysis, Judged, Mark};
use keisei_chart::{Chart, Series};
use keisei_game::Side;

use crate::text_game::TextGame;

/// What a file holds.
pub(super) enum Kind {
    Svg,
    Png,
}

impl Kind {
    /// What the name of a file says it holds.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension().and_then(OsStr::to_str)?.to_ascii_lowercase().as_str() {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}

/// The chances of the side that opens, with the moves that deserve a mark.
pub(super) fn graph<G: TextGame>(analysis: &Analysis<G::Move>) -> Chart {
    let percent = |ply: usize| {
        let opinion = analysis.opinions[ply].as_ref()?;
        Some((ply as f64, 100.0 * opinion.chance))
    };
    let chances = (0..analysis.opinions.len()).filter_map(percent);
    let first = G::color(Side::First);
    let chart = Chart::new(format!("Chances of {first} to win"))
        .x("moves")
        .y("percent")
        .y_range(0.0, 100.0)
        .level(50.0)
        .series(Series::line("chances", chances));
    Mark::ALL.into_iter().fold(chart, |chart, mark| {
        let marked = |judged: &&Judged<G::Move>| judged.mark() == Some(mark);
        let plies = analysis.moves.iter().filter(marked).filter_map(|judged| percent(judged.ply));
        chart.series(Series::dots(format!("{} {mark}", mark.sign()), plies))
    })
}
