//! What is drawn, before it is an SVG or a PNG.

use crate::style::Color;

/// A place on the drawing, in pixels from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// A part of the drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    pub(crate) fn right(self) -> f64 {
        self.left + self.width
    }

    pub(crate) fn bottom(self) -> f64 {
        self.top + self.height
    }
}

/// Where a text stands beside its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Something on the drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    Line {
        points: Vec<Point>,
        color: Color,
        width: f64,
        dash: &'static [f32],
    },
    /// What the outline encloses, faintly.
    Shade {
        outline: Vec<Point>,
        color: Color,
    },
    Dot {
        center: Point,
        radius: f64,
        color: Color,
    },
    Text(Text),
}

/// A text on the drawing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Text {
    /// On the base line.
    pub(crate) at: Point,
    pub(crate) text: String,
    pub(crate) size: f64,
    pub(crate) anchor: Anchor,
    pub(crate) color: Color,
    /// Whether it reads upwards.
    pub(crate) upwards: bool,
}

/// How opaque a shade is.
pub(crate) const SHADE_OPACITY: f64 = 0.2;

/// A picture with its words for those who do not see it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Drawing {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) shapes: Vec<Shape>,
}

impl Drawing {
    /// Adds a text.
    pub(crate) fn text(
        &mut self,
        at: (f64, f64),
        text: &str,
        size: f64,
        anchor: Anchor,
        color: Color,
    ) {
        let at = Point { x: at.0, y: at.1 };
        let text = text.to_owned();
        self.shapes.push(Shape::Text(Text { at, text, size, anchor, color, upwards: false }));
    }

    /// Adds a straight line.
    pub(crate) fn rule(
        &mut self,
        from: (f64, f64),
        to: (f64, f64),
        color: Color,
        dash: &'static [f32],
    ) {
        let points = [from, to].map(|(x, y)| Point { x, y }).to_vec();
        self.shapes.push(Shape::Line { points, color, width: 1.0, dash });
    }
}
