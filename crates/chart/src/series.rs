//! The data of a chart.

/// Points of one kind, with a name and perhaps with how certain they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
    /// From where to where each point may lie, as long as `points` or empty.
    pub(crate) bounds: Vec<(f64, f64)>,
    pub(crate) look: Look,
    pub(crate) certainty: Certainty,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Line,
    Dots,
}

/// How bounds are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Certainty {
    Band,
    Bars,
}

impl Series {
    /// Points joined by a line. A number that is not finite is a gap in it.
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, points, Look::Line)
    }

    /// Points apart from each other.
    pub fn dots(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        Self::new(name, points, Look::Dots)
    }

    fn new(
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
        look: Look,
    ) -> Self {
        let points = points.into_iter().collect();
        let (name, bounds) = (name.into(), Vec::new());
        Self { name, points, bounds, look, certainty: Certainty::Band }
    }

    /// Shades from the low to the high end of every point's interval, in the order of the points.
    pub fn band(self, bounds: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.bounds(bounds, Certainty::Band)
    }

    /// Draws a bar from the low to the high end of every point's interval, in the order of the
    /// points.
    pub fn bars(self, bounds: impl IntoIterator<Item = (f64, f64)>) -> Self {
        self.bounds(bounds, Certainty::Bars)
    }

    fn bounds(
        mut self,
        bounds: impl IntoIterator<Item = (f64, f64)>,
        certainty: Certainty,
    ) -> Self {
        self.bounds = bounds.into_iter().collect();
        assert_eq!(self.bounds.len(), self.points.len(), "every point has one interval");
        self.certainty = certainty;
        self
    }

    /// The points that can be drawn.
    pub(crate) fn drawable(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> {
        self.points.iter().copied().filter(is_finite)
    }

    /// All heights that have to fit into a chart.
    pub(crate) fn heights(&self) -> impl Iterator<Item = f64> {
        let bounds = self.bounds.iter().flat_map(|&(low, high)| [low, high]);
        self.drawable().map(|(_, y)| y).chain(bounds).filter(|y| y.is_finite())
    }
}

/// Whether both numbers of a pair are finite.
pub(crate) fn is_finite(&(one, two): &(f64, f64)) -> bool {
    one.is_finite() && two.is_finite()
}
