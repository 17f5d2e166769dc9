//! Charts.

use crate::drawing::{Area, Drawing};
use crate::scale::{Range, in_words};
use crate::{Series, panel, png, svg};

/// A chart: lines over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    pub(crate) title: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) y_range: Option<Range>,
    pub(crate) levels: Vec<f64>,
    pub(crate) series: Vec<Series>,
    size: (u32, u32),
}

/// The least width and height of a chart, in pixels.
const LEAST: (u32, u32) = (200, 150);

impl Chart {
    /// A chart without data, 720 pixels wide and 405 high.
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            x: String::new(),
            y: String::new(),
            y_range: None,
            levels: Vec::new(),
            series: Vec::new(),
            size: (720, 405),
        }
    }

    /// What the numbers along the lower edge are.
    pub fn x(mut self, label: impl Into<String>) -> Self {
        self.x = label.into();
        self
    }

    /// What the numbers along the left edge are.
    pub fn y(mut self, label: impl Into<String>) -> Self {
        self.y = label.into();
        self
    }

    /// Shows the heights from `low` to `high`, whatever the data. What lies beyond is drawn on the
    /// edge.
    pub fn y_range(mut self, low: f64, high: f64) -> Self {
        assert!(low < high, "a range goes upwards, not from {low} to {high}");
        self.y_range = Some(Range { low, high });
        self
    }

    /// Draws a dotted line across at the height `y`, if that is in sight.
    pub fn level(mut self, y: f64) -> Self {
        self.levels.push(y);
        self
    }

    /// Adds a series.
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// Sets width and height in pixels of the SVG; a PNG has twice as many.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width.max(LEAST.0), height.max(LEAST.1));
        self
    }

    /// The chart as an SVG file.
    pub fn svg(&self) -> String {
        svg::write(&self.drawing())
    }

    /// The chart as a PNG file.
    pub fn png(&self) -> Vec<u8> {
        png::write(&self.drawing())
    }

    fn drawing(&self) -> Drawing {
        let (width, height) = self.size;
        let mut drawing = Drawing {
            width,
            height,
            title: self.title.clone(),
            description: self.description(),
            shapes: Vec::new(),
        };
        let (width, height) = (f64::from(width), f64::from(height));
        panel::draw(self, Area { left: 0.0, top: 0.0, width, height }, &mut drawing);
        drawing
    }

    /// The chart in words.
    pub(crate) fn description(&self) -> String {
        let axes = match (&self.y[..], &self.x[..]) {
            ("", "") => self.title.clone(),
            (y, "") => y.to_owned(),
            ("", x) => format!("{} over {x}", self.title),
            (y, x) => format!("{y} over {x}"),
        };
        let lines: String =
            self.series.iter().map(|series| format!(" {}.", in_a_sentence(series))).collect();
        format!("{axes}.{lines}")
    }
}

/// A series in words.
fn in_a_sentence(series: &Series) -> String {
    let name = if series.name.is_empty() { "values" } else { &series.name };
    let heights: Vec<_> = series.drawable().map(|(_, y)| y).collect();
    let least = heights.iter().copied().reduce(f64::min).map(in_words);
    let most = heights.iter().copied().reduce(f64::max).map(in_words);
    match (&heights[..], least, most) {
        ([alone], ..) => format!("{name}: one point at {}", in_words(*alone)),
        ([.., last], Some(least), Some(most)) => {
            let (count, last) = (heights.len(), in_words(*last));
            format!("{name}: {count} points from {least} to {most}, the last {last}")
        }
        _ => format!("{name}: no data"),
    }
}
