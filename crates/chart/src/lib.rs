#![doc = include_str!("../README.md")]

mod chart;
mod drawing;
mod font;
mod legend;
mod panel;
mod png;
mod scale;
mod series;
mod sheet;
mod style;
mod svg;

pub use chart::Chart;
pub use series::Series;
pub use sheet::Sheet;
