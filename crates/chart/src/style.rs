//! Colours, sizes and distances.

/// A colour as red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Color(pub(crate) u8, pub(crate) u8, pub(crate) u8);

pub(crate) const PAPER: Color = Color(0xff, 0xff, 0xff);
pub(crate) const INK: Color = Color(0x22, 0x22, 0x22);
pub(crate) const FAINT_INK: Color = Color(0x59, 0x59, 0x59);
pub(crate) const FRAME: Color = Color(0x99, 0x99, 0x99);
pub(crate) const GRID: Color = Color(0xe4, 0xe4, 0xe4);

/// The colours of series, in their order: those of Okabe and Ito, which people who see colours
/// differently can tell apart.
const SERIES: [Color; 7] = [
    Color(0x00, 0x72, 0xb2),
    Color(0xd5, 0x5e, 0x00),
    Color(0x00, 0x9e, 0x73),
    Color(0xcc, 0x79, 0xa7),
    Color(0xe6, 0x9f, 0x00),
    Color(0x56, 0xb4, 0xe9),
    Color(0x00, 0x00, 0x00),
];

/// The dashes of series: they also tell lines apart where there is no colour.
const DASHES: [&[f32]; 4] = [&[], &[7.0, 3.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];

/// The colour of the series at `index`.
pub(crate) fn color(index: usize) -> Color {
    SERIES[index % SERIES.len()]
}

/// The dashes of the series at `index`.
pub(crate) fn dash(index: usize) -> &'static [f32] {
    DASHES[index % DASHES.len()]
}

/// The families that may draw the words of an SVG file; the last with Japanese.
pub(crate) const FAMILY: &str =
    "Roboto, 'Helvetica Neue', Arial, 'Liberation Sans', 'Noto Sans CJK JP', sans-serif";

pub(crate) const TITLE_SIZE: f64 = 15.0;
pub(crate) const LABEL_SIZE: f64 = 12.0;
pub(crate) const TICK_SIZE: f64 = 11.0;
pub(crate) const LINE_WIDTH: f64 = 1.8;
pub(crate) const DOT_RADIUS: f64 = 3.5;
