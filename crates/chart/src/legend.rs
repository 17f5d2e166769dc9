//! The names of the series above a chart.

use crate::Chart;
use crate::drawing::{Anchor, Area, Drawing, Point, Shape};
use crate::font;
use crate::series::Look;
use crate::style::{DOT_RADIUS, INK, LINE_WIDTH, TICK_SIZE, color, dash};

/// The height of a row of names.
const ROW: f64 = 16.0;
/// The length of the line before a name, with the room after it.
const SAMPLE: f64 = 28.0;
/// The room between two names.
const GAP: f64 = 16.0;

/// Where each name goes: its row and how far from the left it begins.
fn places(chart: &Chart, width: f64) -> Vec<(usize, f64)> {
    let (mut row, mut x) = (0, 0.0);
    let place = |name: &str| {
        let needed = SAMPLE + font::width(name, TICK_SIZE);
        if x > 0.0 && x + needed > width {
            (row, x) = (row + 1, 0.0);
        }
        let at = (row, x);
        x += needed + GAP;
        at
    };
    chart.series.iter().map(|series| &series.name[..]).map(place).collect()
}

/// How much room the names need. One series needs no name beside the title.
pub(crate) fn height(chart: &Chart, width: f64) -> f64 {
    if chart.series.len() < 2 {
        return 0.0;
    }
    places(chart, width).last().map_or(0.0, |(row, _)| ROW * (row + 1) as f64)
}

/// Draws the names into `area`.
pub(crate) fn draw(chart: &Chart, area: Area, drawing: &mut Drawing) {
    if area.height == 0.0 {
        return;
    }
    let series = chart.series.iter().zip(places(chart, area.width));
    for (index, (series, (row, x))) in series.enumerate() {
        let (left, base) = (area.left + x, area.top + ROW * row as f64 + 11.0);
        let middle = base - 4.0;
        drawing.shapes.push(match series.look {
            Look::Line => Shape::Line {
                points: [left, left + SAMPLE - 6.0].map(|x| Point { x, y: middle }).to_vec(),
                color: color(index),
                width: LINE_WIDTH,
                dash: dash(index),
            },
            Look::Dots => Shape::Dot {
                center: Point { x: left + (SAMPLE - 6.0) / 2.0, y: middle },
                radius: DOT_RADIUS,
                color: color(index),
            },
        });
        drawing.text((left + SAMPLE, base), &series.name, TICK_SIZE, Anchor::Start, INK);
    }
}
