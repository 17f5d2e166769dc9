//! Several charts on one sheet.

use crate::drawing::{Anchor, Area, Drawing};
use crate::style::{FAINT_INK, INK, LABEL_SIZE};
use crate::{Chart, panel, png, svg};

/// Charts side by side, in rows of two.
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    title: String,
    subtitle: String,
    charts: Vec<Chart>,
}

const COLUMNS: usize = 2;
const CELL: (u32, u32) = (480, 280);
const HEAD: u32 = 56;

impl Sheet {
    /// A sheet without charts.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), subtitle: String::new(), charts: Vec::new() }
    }

    /// Adds a line below the title.
    pub fn subtitle(mut self, text: impl Into<String>) -> Self {
        self.subtitle = text.into();
        self
    }

    /// Adds a chart. Its size is that of its place.
    pub fn chart(mut self, chart: Chart) -> Self {
        self.charts.push(chart);
        self
    }

    /// The sheet as an SVG file.
    pub fn svg(&self) -> String {
        svg::write(&self.drawing())
    }

    /// The sheet as a PNG file.
    pub fn png(&self) -> Vec<u8> {
        png::write(&self.drawing())
    }

    fn drawing(&self) -> Drawing {
        let rows = self.charts.len().div_ceil(COLUMNS) as u32;
        let describe = |chart: &Chart| format!("{}: {}", chart.title, chart.description());
        let described: Vec<_> = self.charts.iter().map(describe).collect();
        let mut drawing = Drawing {
            width: COLUMNS as u32 * CELL.0,
            height: HEAD + rows * CELL.1,
            title: self.title.clone(),
            description: described.join("\n"),
            shapes: Vec::new(),
        };
        drawing.text((12.0, 26.0), &self.title, 20.0, Anchor::Start, INK);
        drawing.text((12.0, 46.0), &self.subtitle, LABEL_SIZE, Anchor::Start, FAINT_INK);
        let (width, height) = (f64::from(CELL.0), f64::from(CELL.1));
        for (index, chart) in self.charts.iter().enumerate() {
            let (row, column) = ((index / COLUMNS) as f64, (index % COLUMNS) as f64);
            let (left, top) = (column * width, f64::from(HEAD) + row * height);
            panel::draw(chart, Area { left, top, width, height }, &mut drawing);
        }
        drawing
    }
}
