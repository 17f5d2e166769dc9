//! One chart on a part of a drawing.

use crate::chart::Chart;
use crate::drawing::{Anchor, Area, Drawing, Point, Shape, Text};
use crate::scale::Range;
use crate::series::{Certainty, Look, Series, is_finite};
use crate::style::{
    Color, DOT_RADIUS, FAINT_INK, FRAME, GRID, INK, LABEL_SIZE, LINE_WIDTH, TICK_SIZE, TITLE_SIZE,
    color, dash,
};
use crate::{font, legend};

/// The room between the edge of a panel and anything on it.
const MARGIN: f64 = 12.0;
/// The room between ticks and their numbers.
const TICK_GAP: f64 = 6.0;

/// Draws `chart` into `area`.
pub(crate) fn draw(chart: &Chart, area: Area, drawing: &mut Drawing) {
    let (left, width) = (area.left + MARGIN, area.width - 2.0 * MARGIN);
    drawing.text((left, area.top + 22.0), &chart.title, TITLE_SIZE, Anchor::Start, INK);
    let names = Area { left, top: area.top + 30.0, width, height: legend::height(chart, width) };
    legend::draw(chart, names, drawing);
    let top = names.bottom() + 8.0;
    let lower = MARGIN + TICK_SIZE + TICK_GAP + if chart.x.is_empty() { 0.0 } else { 18.0 };
    let height = area.bottom() - top - lower;
    let (Some(x), Some(y)) = ranges(chart) else {
        let middle = (area.left + area.width / 2.0, top + height / 2.0);
        drawing.text(middle, "no data yet", LABEL_SIZE, Anchor::Middle, FAINT_INK);
        return;
    };
    let ticks = y.ticks((height / 36.0) as usize);
    let widest = ticks.iter().map(|(_, text)| font::width(text, TICK_SIZE)).fold(0.0, f64::max);
    let label = if chart.y.is_empty() { 0.0 } else { LABEL_SIZE + 6.0 };
    let left = left + label + widest + TICK_GAP;
    let frame = Area { left, top, width: area.right() - MARGIN - left, height };
    let plot = Plot { frame, x, y };
    plot.draw_axes(chart, &ticks, drawing);
    plot.draw_labels(chart, area, drawing);
    for (index, series) in chart.series.iter().enumerate() {
        plot.draw_bounds(series, index, drawing);
    }
    for (index, series) in chart.series.iter().enumerate() {
        plot.draw_points(series, index, drawing);
    }
}

/// The numbers along both axes, if there are any.
fn ranges(chart: &Chart) -> (Option<Range>, Option<Range>) {
    let x = chart.series.iter().flat_map(|series| series.drawable().map(|(x, _)| x));
    let y = chart.series.iter().flat_map(Series::heights);
    let x = Range::around(x);
    let y = Range::around(y).map(|range| chart.y_range.unwrap_or(range.padded()));
    (x, y)
}

/// Where the lines go.
struct Plot {
    frame: Area,
    x: Range,
    y: Range,
}

impl Plot {
    fn place(&self, (x, y): (f64, f64)) -> Point {
        let Area { left, width, height, .. } = self.frame;
        Point {
            x: left + width * self.x.share(x),
            y: self.frame.bottom() - height * self.y.share(y),
        }
    }

    fn draw_axes(&self, chart: &Chart, ticks: &[(f64, String)], drawing: &mut Drawing) {
        let frame = self.frame;
        let (left, right, bottom) = (frame.left, frame.right(), frame.bottom());
        for (value, text) in ticks {
            let y = self.place((self.x.low, *value)).y;
            drawing.rule((left, y), (right, y), GRID, &[]);
            let base = (left - TICK_GAP, y + 4.0);
            drawing.text(base, text, TICK_SIZE, Anchor::End, FAINT_INK);
        }
        for (value, text) in self.x.ticks((frame.width / 90.0) as usize) {
            let x = self.place((value, self.y.low)).x;
            drawing.rule((x, frame.top), (x, bottom), GRID, &[]);
            let base = (x, bottom + TICK_GAP + 9.0);
            drawing.text(base, &text, TICK_SIZE, Anchor::Middle, FAINT_INK);
        }
        drawing.rule((left, bottom), (right, bottom), FRAME, &[]);
        drawing.rule((left, frame.top), (left, bottom), FRAME, &[]);
        for &level in chart.levels.iter().filter(|&&y| self.y.low < y && y < self.y.high) {
            let y = self.place((self.x.low, level)).y;
            drawing.rule((left, y), (right, y), FAINT_INK, &[2.0, 4.0]);
        }
    }

    fn draw_labels(&self, chart: &Chart, area: Area, drawing: &mut Drawing) {
        let frame = self.frame;
        let below = (frame.left + frame.width / 2.0, area.bottom() - MARGIN);
        drawing.text(below, &chart.x, LABEL_SIZE, Anchor::Middle, INK);
        drawing.shapes.push(Shape::Text(Text {
            at: Point {
                x: area.left + MARGIN + LABEL_SIZE - 3.0,
                y: frame.top + frame.height / 2.0,
            },
            text: chart.y.clone(),
            size: LABEL_SIZE,
            anchor: Anchor::Middle,
            color: INK,
            upwards: true,
        }));
    }

    fn draw_bounds(&self, series: &Series, index: usize, drawing: &mut Drawing) {
        let bounded = series.points.iter().zip(&series.bounds);
        let bounded: Vec<_> = bounded.map(|(&(x, _), &(low, high))| (x, low, high)).collect();
        let is_whole = |&(x, low, high): &(f64, f64, f64)| is_finite(&(low, high)) && x.is_finite();
        let color = color(index);
        match series.certainty {
            Certainty::Band => {
                for run in bounded.split(|one| !is_whole(one)).filter(|run| !run.is_empty()) {
                    if let [alone] = run {
                        self.draw_bar(*alone, color, drawing);
                        continue;
                    }
                    let upper = self.thinned(run.iter().map(|&(x, _, high)| (x, high)));
                    let lower = self.thinned(run.iter().map(|&(x, low, _)| (x, low)));
                    let outline = upper.into_iter().chain(lower.into_iter().rev()).collect();
                    drawing.shapes.push(Shape::Shade { outline, color });
                }
            }
            Certainty::Bars => {
                for &bounds in bounded.iter().filter(|one| is_whole(one)) {
                    self.draw_bar(bounds, color, drawing);
                }
            }
        }
    }

    fn draw_bar(&self, (x, low, high): (f64, f64, f64), color: Color, drawing: &mut Drawing) {
        let ends = [self.place((x, low)), self.place((x, high))];
        drawing.rule((ends[0].x, ends[0].y), (ends[1].x, ends[1].y), color, &[]);
        for Point { x, y } in ends {
            drawing.rule((x - 3.0, y), (x + 3.0, y), color, &[]);
        }
    }

    fn draw_points(&self, series: &Series, index: usize, drawing: &mut Drawing) {
        let color = color(index);
        let dot = |center| Shape::Dot { center, radius: DOT_RADIUS, color };
        if series.look == Look::Dots {
            drawing.shapes.extend(series.drawable().map(|point| dot(self.place(point))));
            return;
        }
        for run in series.points.split(|point| !is_finite(point)) {
            match run {
                [] => (),
                // A line needs two ends.
                [alone] => drawing.shapes.push(dot(self.place(*alone))),
                run => drawing.shapes.push(Shape::Line {
                    points: self.thinned(run.iter().copied()),
                    color,
                    width: LINE_WIDTH,
                    dash: dash(index),
                }),
            }
        }
    }

    /// The places of the points. Of neighbours in the same column of pixels only the first, the
    /// last and the outermost are kept, so that long runs make small files that look the same.
    fn thinned(&self, points: impl Iterator<Item = (f64, f64)>) -> Vec<Point> {
        let places: Vec<_> = points.map(|point| self.place(point)).collect();
        let mut kept = Vec::new();
        for column in places.chunk_by(|one, next| one.x.floor() == next.x.floor()) {
            if column.len() <= 4 {
                kept.extend_from_slice(column);
                continue;
            }
            let by_height = |a: &usize, b: &usize| column[*a].y.total_cmp(&column[*b].y);
            let highest = (0..column.len()).min_by(by_height).expect("a column has points");
            let lowest = (0..column.len()).max_by(by_height).expect("a column has points");
            let mut indices = [0, highest, lowest, column.len() - 1];
            indices.sort_unstable();
            kept.extend(indices.map(|index| column[index]));
        }
        kept
    }
}
