//! Drawings as PNG.

use tiny_skia::{
    FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform,
};

use crate::drawing::{Anchor, Drawing, Point, SHADE_OPACITY, Shape, Text};
use crate::font;
use crate::style::{Color, PAPER};

/// How many pixels of the picture a pixel of the drawing becomes, so that it is sharp on screens of
/// today.
pub(crate) const SCALE: u32 = 2;

/// The drawing as a file.
pub(crate) fn write(drawing: &Drawing) -> Vec<u8> {
    let size = (drawing.width * SCALE, drawing.height * SCALE);
    let mut canvas = Pixmap::new(size.0, size.1).expect("a drawing has a size");
    canvas.fill(opaque(PAPER));
    let scale = SCALE as f32;
    let view = Transform::from_scale(scale, scale);
    drawing.shapes.iter().for_each(|shape| draw(&mut canvas, shape, view));
    canvas.encode_png().expect("a picture in memory can be encoded")
}

fn draw(canvas: &mut Pixmap, shape: &Shape, view: Transform) {
    match shape {
        Shape::Line { points, color, width, dash } => {
            let Some(path) = path(points, false) else { return };
            let stroke = Stroke {
                width: *width as f32,
                line_join: LineJoin::Round,
                dash: StrokeDash::new(dash.to_vec(), 0.0),
                ..Stroke::default()
            };
            canvas.stroke_path(&path, &paint(*color, 1.0), &stroke, view, None);
        }
        Shape::Shade { outline, color } => {
            let Some(path) = path(outline, true) else { return };
            fill(canvas, &path, &paint(*color, SHADE_OPACITY as f32), view);
        }
        Shape::Dot { center, radius, color } => {
            let circle = PathBuilder::from_circle(center.x as f32, center.y as f32, *radius as f32);
            let circle = circle.expect("a dot has a radius");
            fill(canvas, &circle, &paint(*color, 1.0), view);
        }
        Shape::Text(text) => draw_text(canvas, text, view),
    }
}

fn draw_text(canvas: &mut Pixmap, text: &Text, view: Transform) {
    let Some(path) = font::outline(&text.text, text.size) else { return };
    let back = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    };
    let shift = -(font::width(&text.text, text.size) * back) as f32;
    let mut place = view.pre_translate(text.at.x as f32, text.at.y as f32);
    if text.upwards {
        place = place.pre_rotate(-90.0);
    }
    fill(canvas, &path, &paint(text.color, 1.0), place.pre_translate(shift, 0.0));
}

fn fill(canvas: &mut Pixmap, path: &Path, paint: &Paint<'_>, place: Transform) {
    canvas.fill_path(path, paint, FillRule::Winding, place, None);
}

fn path(points: &[Point], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (index, Point { x, y }) in points.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        if index == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn paint(color: Color, opacity: f32) -> Paint<'static> {
    let mut color = opaque(color);
    color.apply_opacity(opacity);
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(color);
    paint
}

fn opaque(Color(red, green, blue): Color) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(red, green, blue, 0xff)
}
