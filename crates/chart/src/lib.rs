//! Line charts as SVG and PNG.
//!
//! A [`Chart`] has axes and [`Series`]; a [`Sheet`] sets several charts side by side. Both are drawn
//! the same way everywhere: the same numbers give the same bytes, and no font of the system is
//! needed.
//!
//! ```
//! use keisei_chart::{Chart, Series};
//!
//! let score = Series::line("sampled", [(0.0, 0.51), (50_000.0, 0.8), (100_000.0, 0.97)])
//!     .band([(0.45, 0.57), (0.74, 0.85), (0.94, 0.99)]);
//! let chart = Chart::new("Score against random play").x("moves").y("score").series(score);
//! assert!(chart.svg().starts_with("<svg "));
//! assert_eq!(&chart.png()[1..4], b"PNG");
//! ```

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
