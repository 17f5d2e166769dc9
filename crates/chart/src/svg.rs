//! Drawings as SVG.

use std::fmt::Write as _;

use crate::drawing::{Anchor, Drawing, Point, SHADE_OPACITY, Shape, Text};
use crate::style::{Color, FAMILY, PAPER};

/// The drawing as a file.
pub(crate) fn write(drawing: &Drawing) -> String {
    let Drawing { width, height, title, description, shapes } = drawing;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FAMILY}\">\n\
         <title>{}</title>\n<desc>{}</desc>\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        escaped(title),
        escaped(description),
        hex(PAPER)
    );
    shapes.iter().for_each(|shape| out.push_str(&element(shape)));
    out.push_str("</svg>\n");
    out
}

fn element(shape: &Shape) -> String {
    match shape {
        Shape::Line { points, color, width, dash } => {
            let dash = match dash {
                [] => String::new(),
                dash => {
                    let lengths: Vec<_> = dash.iter().map(ToString::to_string).collect();
                    format!(" stroke-dasharray=\"{}\"", lengths.join(" "))
                }
            };
            format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" \
                 stroke-linejoin=\"round\"{dash}/>\n",
                places(points),
                hex(*color)
            )
        }
        Shape::Shade { outline, color } => format!(
            "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"{SHADE_OPACITY}\"/>\n",
            places(outline),
            hex(*color)
        ),
        Shape::Dot { center, radius, color } => format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\" fill=\"{}\"/>\n",
            number(center.x),
            number(center.y),
            hex(*color)
        ),
        Shape::Text(text) => text_element(text),
    }
}

fn text_element(Text { at, text, size, anchor, color, upwards }: &Text) -> String {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let (x, y) = (number(at.x), number(at.y));
    let turn = if *upwards { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    format!(
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
         fill=\"{}\"{turn}>{}</text>\n",
        hex(*color),
        escaped(text)
    )
}

fn places(points: &[Point]) -> String {
    let mut out = String::new();
    for (index, point) in points.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        let _ = write!(out, "{space}{},{}", number(point.x), number(point.y));
    }
    out
}

/// A tenth of a pixel is as fine as anybody sees.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

fn hex(Color(red, green, blue): Color) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// `text` as XML takes it: with its signs escaped, without what XML has no place for.
fn escaped(text: &str) -> String {
    let allowed = |letter: &char| {
        !(letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}')) || *letter == '\n'
    };
    let mut out = String::with_capacity(text.len());
    for letter in text.chars().filter(allowed) {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_xml_are_escaped_and_control_characters_left_out() {
        assert_eq!(escaped("a<b> & \u{0}\u{1b}c"), "a&lt;b&gt; &amp; c");
    }

    #[test]
    fn numbers_have_at_most_one_decimal() {
        assert_eq!([1.0, 2.25, -0.04, 10.06].map(number), ["1", "2.2", "-0", "10.1"]);
    }
}
