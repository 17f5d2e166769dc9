//! Curves of as few points as a chart can show, whatever the length of the run.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::parse::{Column, Columns};

/// What curves are drawn over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Axis {
    /// The number of moves made in training.
    #[default]
    Step,
    /// Seconds of training.
    Seconds,
}

/// How points are spread over the axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scale {
    /// Evenly.
    #[default]
    Linear,
    /// Evenly in the logarithm: the beginning of a run gets as much room as its end.
    Log,
}

/// A curve with at most as many points as were asked for. Every point stands for the values of a
/// stretch of the axis: nothing between its least and its greatest value is lost.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub(crate) struct Curve {
    /// The metric.
    pub name: String,
    /// Where the points are: in the middle of what they stand for.
    pub x: Vec<f64>,
    /// The mean of the values that a point stands for.
    pub mean: Vec<f32>,
    /// The least of them.
    pub min: Vec<f32>,
    /// The greatest of them.
    pub max: Vec<f32>,
    /// How many values the curve stands for.
    pub count: usize,
}

/// Which part of the curves, and how finely.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    /// From where, this included.
    pub from: f64,
    /// To where, this included.
    pub to: f64,
    /// How many points at most.
    pub points: usize,
    /// How they are spread.
    pub scale: Scale,
}

/// The records of each point: ends of ranges of rows.
pub(crate) struct Buckets<'a> {
    axis: &'a [f64],
    first: usize,
    ends: Vec<usize>,
}

impl<'a> Buckets<'a> {
    /// Cuts the rows in the window, whose places on the axis are `axis`, ascending.
    pub(crate) fn new(axis: &'a [f64], window: Window) -> Self {
        let row = |x: f64| axis.partition_point(|&at| at < x);
        let first = row(window.from);
        let last = axis.partition_point(|&at| at <= window.to).max(first);
        let points = window.points.max(1);
        let ends = if last - first <= points {
            (first + 1..=last).collect()
        } else {
            let bend = |x: f64| if window.scale == Scale::Log { (x + 1.0).ln() } else { x };
            let back = |x: f64| if window.scale == Scale::Log { x.exp() - 1.0 } else { x };
            let (low, high) = (bend(axis[first].max(0.0)), bend(axis[last - 1].max(0.0)));
            let cut = |n: usize| back(low + (high - low) * n as f64 / points as f64);
            (1..points).map(|n| row(cut(n)).clamp(first, last)).chain([last]).collect()
        };
        Self { axis, first, ends }
    }

    /// A metric over these rows.
    pub(crate) fn curve(&self, column: &Column) -> Curve {
        let mut curve = Curve { name: column.name.clone(), ..Curve::default() };
        let mut place = column.rows.partition_point(|&row| (row as usize) < self.first);
        for &end in &self.ends {
            let begin = place;
            place += column.rows[begin..].partition_point(|&row| (row as usize) < end);
            let (rows, values) = (&column.rows[begin..place], &column.values[begin..place]);
            let ([first, ..], [.., last]) = (rows, rows) else { continue };
            let at = |row: &u32| self.axis[*row as usize];
            let sum: f64 = values.iter().copied().map(f64::from).sum();
            curve.x.push((at(first) + at(last)) / 2.0);
            curve.mean.push((sum / values.len() as f64) as f32);
            curve.min.push(values.iter().copied().fold(f32::INFINITY, f32::min));
            curve.max.push(values.iter().copied().fold(f32::NEG_INFINITY, f32::max));
            curve.count += values.len();
        }
        curve
    }
}

impl Columns {
    /// The place of every record on the axis, ascending. Records without a time have that of the
    /// one before.
    pub(crate) fn axis(&self, axis: Axis, seconds: &str) -> Vec<f64> {
        let mut places = match axis {
            Axis::Step => self.steps.iter().map(|&step| step as f64).collect(),
            Axis::Seconds => {
                let mut places = vec![f64::NAN; self.len()];
                if let Some(column) = self.metric(seconds) {
                    for (&row, &value) in column.rows.iter().zip(&column.values) {
                        places[row as usize] = f64::from(value);
                    }
                }
                places
            }
        };
        let mut last: f64 = 0.0;
        for place in &mut places {
            // A run that went back in time after a breakdown never goes back on the axis.
            last = if place.is_nan() { last } else { last.max(*place) };
            *place = last;
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(records: usize) -> Columns {
        let line = |n: usize| {
            let spike = if n == 777 { 1000.0 } else { (n % 10) as f64 };
            format!("{{\"a\":{spike},\"step\":{},\"update\":{n},\"time/seconds\":{n}}}\n", n * 5)
        };
        let mut columns = Columns::default();
        columns.read((0..records).map(line).collect::<String>().as_bytes());
        columns
    }

    fn everything(points: usize, scale: Scale) -> Window {
        Window { from: 0.0, to: f64::INFINITY, points, scale }
    }

    fn curve(columns: &Columns, window: Window) -> Curve {
        let axis = columns.axis(Axis::Step, "time/seconds");
        Buckets::new(&axis, window).curve(columns.metric("a").unwrap())
    }

    #[test]
    fn few_points_are_given_as_they_are() {
        let curve = curve(&columns(4), everything(10, Scale::Linear));
        assert_eq!(curve.x, [0.0, 5.0, 10.0, 15.0]);
        assert_eq!((curve.mean.clone(), curve.min), (curve.max, curve.mean));
        assert_eq!(curve.count, 4);
    }

    #[test]
    fn a_reduced_curve_keeps_every_spike_and_stands_for_every_value() {
        for scale in [Scale::Linear, Scale::Log] {
            let curve = curve(&columns(10_000), everything(50, scale));
            assert!(curve.x.len() <= 50 && curve.x.is_sorted(), "{:?}", curve.x);
            assert_eq!(curve.count, 10_000);
            assert_eq!(curve.max.iter().copied().fold(0.0, f32::max), 1000.0);
            assert_eq!(curve.min[20], 0.0);
        }
    }

    #[test]
    fn a_logarithmic_axis_gives_the_beginning_more_points() {
        let early = |scale| {
            let curve = curve(&columns(10_000), everything(100, scale));
            curve.x.iter().filter(|&&x| x < 500.0).count()
        };
        assert_eq!(early(Scale::Linear), 1);
        assert!(early(Scale::Log) > 20);
    }

    #[test]
    fn a_window_shows_only_its_part_in_more_detail() {
        let window = Window { from: 100.0, to: 200.0, points: 1000, scale: Scale::Linear };
        let curve = curve(&columns(10_000), window);
        assert_eq!((curve.x[0], curve.x.last().copied(), curve.count), (100.0, Some(200.0), 21));
        let nothing = Window { from: 9.0, to: 3.0, ..window };
        let axis = columns(10).axis(Axis::Step, "");
        assert!(Buckets::new(&axis, nothing).curve(&columns(10).metrics[0]).x.is_empty());
    }

    #[test]
    fn records_without_a_time_have_that_of_the_one_before() {
        let mut columns = columns(2);
        columns.read(b"{\"b\":1,\"step\":9,\"update\":2}\n");
        assert_eq!(columns.axis(Axis::Seconds, "time/seconds"), [0.0, 1.0, 1.0]);
    }
}
