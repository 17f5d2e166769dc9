//! Charts as files.

use keisei_chart::{Chart, Series, Sheet};
use tiny_skia::Pixmap;

fn score() -> Chart {
    let sampled = [(0.0, 0.5), (20_000.0, 0.62), (40_000.0, 0.9)];
    let greedy = [(0.0, 0.48), (20_000.0, f64::NAN), (40_000.0, 0.97)];
    Chart::new("Score <against> random")
        .x("moves")
        .y("score")
        .y_range(0.0, 1.0)
        .level(0.5)
        .series(Series::line("sampled", sampled).band([(0.4, 0.6), (0.5, 0.7), (0.85, 0.95)]))
        .series(Series::line("greedy", greedy))
        .series(Series::dots("best", [(40_000.0, 0.97)]).bars([(0.93, 0.99)]))
}

/// The colours of a PNG and how many pixels have each.
fn colors(png: &[u8]) -> (Pixmap, Vec<[u8; 3]>) {
    let picture = Pixmap::decode_png(png).unwrap();
    let colors = picture.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]);
    let mut colors: Vec<_> = colors.collect();
    colors.sort_unstable();
    colors.dedup();
    (picture, colors)
}

#[test]
fn the_svg_of_a_chart_is_always_the_same() {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/score.svg");
    let svg = score().svg();
    if std::env::var_os("KEISEI_BLESS").is_some() {
        std::fs::write(golden, &svg).unwrap();
    }
    assert_eq!(svg, std::fs::read_to_string(golden).unwrap(), "KEISEI_BLESS=1 writes it anew");
}

#[test]
fn a_png_has_the_size_of_the_chart_twice_and_every_colour_of_it() {
    let (picture, colors) = colors(&score().size(400, 300).png());
    assert_eq!((picture.width(), picture.height()), (800, 600));
    for color in [[255, 255, 255], [0x00, 0x72, 0xb2], [0x00, 0x9e, 0x73], [0x22, 0x22, 0x22]] {
        assert!(colors.contains(&color), "{color:?}");
    }
    assert_eq!(score().png(), score().png());
}

#[test]
fn a_chart_tells_what_it_shows_to_those_who_do_not_see_it() {
    let svg = score().svg();
    assert!(svg.contains("role=\"img\""), "{svg}");
    assert!(svg.contains("<title>Score &lt;against&gt; random</title>"), "{svg}");
    assert!(svg.contains("score over moves. sampled: 3 points from 0.5 to 0.9, the last 0.9."));
    assert!(svg.contains("greedy: 2 points from 0.48 to 0.97, the last 0.97."), "{svg}");
}

#[test]
fn a_gap_in_a_line_leaves_its_ends_as_dots() {
    let (lines, dots) = (score().svg().matches("<polyline").count(), score().svg());
    let whole = Chart::new("").y_range(0.0, 1.0).series(Series::line("", [(0.0, 0.1), (1.0, 0.2)]));
    assert_eq!(dots.matches("<circle").count(), 2 + 2, "two ends, the dot and its sample");
    assert_eq!(whole.svg().matches("<circle").count(), 0);
    assert!(lines > 2);
}

#[test]
fn the_interval_of_a_point_alone_is_a_bar() {
    let alone = Series::line("", [(1.0, 0.5)]).band([(0.25, 0.75)]);
    let svg = Chart::new("").y_range(0.0, 1.0).series(alone).svg();
    assert_eq!(svg.matches("<polygon").count(), 0);
    assert_eq!(svg.matches("stroke=\"#0072b2\"").count(), 3, "a line with two ends: {svg}");
}

#[test]
fn a_chart_without_data_says_so() {
    let empty = Chart::new("Nothing").x("moves").series(Series::line("a", [(f64::NAN, 1.0)]));
    let svg = empty.svg();
    assert!(svg.contains("no data yet") && svg.contains("a: no data."), "{svg}");
    assert!(colors(&empty.png()).1.len() > 2);
}

#[test]
fn long_series_make_small_files_that_keep_their_peaks() {
    let points = (0..200_000).map(|n| (f64::from(n), if n == 77_777 { 9.0 } else { 0.0 }));
    let svg = Chart::new("").y_range(0.0, 9.0).series(Series::line("", points)).svg();
    assert!(svg.len() < 60_000, "{}", svg.len());
    let frame_top = "38";
    let line = svg.lines().find(|line| line.contains("#0072b2")).unwrap();
    assert!(line.contains(&format!(",{frame_top} ")), "the peak is drawn");
}

#[test]
fn a_sheet_holds_charts_in_rows_of_two() {
    let sheet = Sheet::new("Run").subtitle("three charts").chart(score()).chart(score());
    let sheet = sheet.chart(Chart::new("Empty"));
    let (picture, _) = colors(&sheet.png());
    assert_eq!((picture.width(), picture.height()), (2 * 960, 2 * (56 + 2 * 280)));
    let svg = sheet.svg();
    assert_eq!(svg.matches("<svg ").count(), 1);
    for text in [">Run</text>", ">three charts</text>", ">Empty</text>"] {
        assert!(svg.contains(text), "{text}");
    }
}

#[test]
#[should_panic(expected = "every point has one interval")]
fn a_band_with_another_number_of_points_is_a_mistake() {
    let _ = Series::line("", [(0.0, 1.0), (1.0, 1.0)]).band([(0.0, 1.0)]);
}
