//! The font of PNG files, which is part of the program: its widths also place the words of SVG
//! files.

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

static FACE: LazyLock<Face<'static>> = LazyLock::new(|| {
    let bytes = include_bytes!("../fonts/Roboto-Subset.ttf");
    Face::parse(bytes, 0).expect("the font of this crate is sound")
});

/// The glyphs of a text, each with how far from the text's start it stands. A letter that the font
/// lacks is a box.
fn glyphs(text: &str, size: f64) -> impl Iterator<Item = (GlyphId, f64)> {
    let scale = size / f64::from(FACE.units_per_em());
    text.chars().scan(0.0, move |x, letter| {
        let glyph = FACE.glyph_index(letter).unwrap_or(GlyphId(0));
        let at = *x;
        *x += f64::from(FACE.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
        Some((glyph, at))
    })
}

/// How wide `text` is.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    // A space stands where the text ends.
    glyphs(&format!("{text} "), size).last().map_or(0.0, |(_, at)| at)
}

/// The outlines of `text` from the origin to the right, with y downwards.
pub(crate) fn outline(text: &str, size: f64) -> Option<tiny_skia::Path> {
    let scale = size as f32 / f32::from(FACE.units_per_em());
    let mut pen = Pen { path: tiny_skia::PathBuilder::new(), scale, x: 0.0 };
    for (glyph, at) in glyphs(text, size) {
        pen.x = at as f32;
        FACE.outline_glyph(glyph, &mut pen);
    }
    pen.path.finish()
}

/// Draws glyphs, whose y goes upwards.
struct Pen {
    path: tiny_skia::PathBuilder,
    scale: f32,
    x: f32,
}

impl Pen {
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.place(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.place(x1, y1), self.place(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2)) = (self.place(x1, y1), self.place(x2, y2));
        let (x, y) = self.place(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_as_wide_as_their_letters() {
        assert_eq!(width("", 12.0), 0.0);
        assert!((width("moves", 24.0) - 2.0 * width("moves", 12.0)).abs() < 1e-9);
        assert!(width("mm", 12.0) > width("ii", 12.0));
    }

    #[test]
    fn every_sign_of_charts_has_a_glyph() {
        for letter in "azAZ09%.,−–±äßéŁЖα≤".chars() {
            assert!(FACE.glyph_index(letter).is_some(), "{letter}");
        }
        assert!(outline("将", 12.0).is_some(), "a letter that the font lacks is a box");
    }
}
