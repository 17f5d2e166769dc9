//! The screen of the view: numbers, curves, a board, the time, the log.

use std::time::Duration;

use keisei_train::metrics::names;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Stylize};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::{
    Axis, Block, Borders, Chart, Dataset, Gauge, GraphType, Paragraph, Sparkline,
};

use super::model::{Evaluated, Model, Scored};

/// How the screen is shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Look {
    /// Whether the run was asked to end.
    pub(super) stopping: bool,
    /// Whether the board is shown instead of the curves where there is no room for both.
    pub(super) board_first: bool,
}

/// How wide the numbers are.
const NUMBERS: u16 = 30;
/// How wide a board is.
const BOARD: u16 = 36;
/// How wide the curves are at least.
const CURVES: u16 = 40;
/// How many lines the numbers take.
const BODY: u16 = 17;

const SAMPLED: Color = Color::Cyan;
const GREEDY: Color = Color::Yellow;

/// Draws everything.
pub(super) fn draw(frame: &mut Frame<'_>, model: &Model, lines: &[String], look: Look) {
    let [title, progress, body, time, log, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(1),
        Constraint::Fill(BODY),
        Constraint::Length(1),
        Constraint::Fill(6),
        Constraint::Length(1),
    ])
    .areas(frame.area());
    let name = Span::from(format!("{}  ", model.about.name)).bold();
    frame.render_widget(Line::from(vec![name, model.about.description.as_str().into()]), title);
    draw_progress(frame, model, progress);
    let [numbers, rest] =
        Layout::horizontal([Constraint::Length(NUMBERS), Constraint::Fill(1)]).areas(body);
    draw_numbers(frame, model, numbers);
    let both = rest.width >= CURVES + BOARD;
    let board_width = if both { BOARD } else { 0 };
    let [curves, board] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Length(board_width)]).areas(rest);
    match (both, look.board_first) {
        (true, _) => {
            draw_curves(frame, model, curves);
            draw_board(frame, model, board);
        }
        (false, true) => draw_board(frame, model, curves),
        (false, false) => draw_curves(frame, model, curves),
    }
    frame.render_widget(Line::from(time_line(model)).dim(), time);
    draw_log(frame, lines, log);
    let hint = match (look.stopping, both) {
        (true, _) => "saving after this update; Ctrl-C stops at once",
        (false, true) => "q saves and ends",
        (false, false) => "q saves and ends, b changes between curves and board",
    };
    frame.render_widget(Line::from(hint).style(Modifier::REVERSED), keys);
}

fn draw_progress(frame: &mut Frame<'_>, model: &Model, area: Rect) {
    let done = model.newest.get(names::PROGRESS).unwrap_or(0.0).clamp(0.0, 1.0);
    let left = model.time_left().map_or(String::new(), |left| format!(", {} left", clock(left)));
    let gauge = Gauge::default().ratio(done).label(format!("{:.0} %{left}", 100.0 * done));
    frame.render_widget(gauge.gauge_style(Color::Blue).use_unicode(true), area);
}

fn draw_numbers(frame: &mut Frame<'_>, model: &Model, area: Rect) {
    let newest = &model.newest;
    let number = |name, decimals| {
        newest.get(name).map_or("–".to_owned(), |value| format!("{value:.decimals$}"))
    };
    let rate = newest.get(names::LEARNING_RATE);
    let rows = [
        ("moves", grouped(newest.step)),
        ("moves a second", newest.get(names::SPS).map_or("–".to_owned(), |n| grouped(n as u64))),
        ("games", grouped(model.games)),
        ("updates", grouped(newest.update)),
        ("policy loss", number(names::POLICY_LOSS, 4)),
        ("value loss", number(names::VALUE_LOSS, 4)),
        ("entropy", number(names::ENTROPY, 3)),
        ("explained variance", number(names::EXPLAINED_VARIANCE, 3)),
        ("KL divergence", number(names::APPROX_KL, 4)),
        ("clipped", number(names::CLIP_FRACTION, 3)),
        ("learning rate", rate.map_or("–".to_owned(), |rate| format!("{rate:.1e}"))),
        ("rewind k", number(names::REWIND_DEPTH, 0)),
        ("moves a game", number(names::LENGTH, 1)),
        ("games won", number(names::DECISIVE_RATE, 3)),
        ("games cut off", number(names::TRUNCATION_RATE, 3)),
    ];
    let width = usize::from(area.width.saturating_sub(2));
    let row = |(name, value): (&str, String)| {
        let gap = width.saturating_sub(name.chars().count());
        Line::from(format!("{name}{value:>gap$}"))
    };
    let rows: Vec<_> = rows.into_iter().map(row).collect();
    frame.render_widget(Paragraph::new(rows).block(Block::bordered().title("numbers")), area);
}

fn draw_curves(frame: &mut Frame<'_>, model: &Model, area: Rect) {
    let [scores, mates, explained] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(4), Constraint::Length(4)])
            .areas(area);
    draw_scores(frame, &model.evaluations, scores);
    let found: Vec<_> = model.evaluations.iter().filter_map(|found| found.mates).collect();
    let title = match found.last() {
        Some((share, chance)) => format!("mates in one {share:.3} (by chance {chance:.3})"),
        None => "mates in one".to_owned(),
    };
    draw_line(frame, &title, found.iter().map(|&(share, _)| share), mates);
    let newest = model.explained.back().map_or(String::new(), |newest| format!(" {newest:.3}"));
    let values = model.explained.iter().copied();
    draw_line(frame, &format!("explained variance{newest}"), values, explained);
}

/// Scores against random play over the moves of the run.
fn draw_scores(frame: &mut Frame<'_>, evaluations: &[Evaluated], area: Rect) {
    type Of = fn(&Evaluated) -> Option<Scored>;
    let kinds: [(&str, Color, Of); 2] =
        [("sampled", SAMPLED, |found| found.sampled), ("greedy", GREEDY, |found| found.greedy)];
    let mut curves = Vec::new();
    let [sampled, greedy] = kinds.map(|(name, color, of)| {
        let newest = evaluations.iter().rev().find_map(of);
        let score = newest.map_or("–".to_owned(), |Scored { mean, low, high }| {
            format!("{mean:.2} [{low:.2}, {high:.2}]")
        });
        let points = evaluations.iter().filter_map(|found| Some((found.step as f64, of(found)?)));
        curves.push((color, points.map(|(step, score)| (step, score.mean)).collect::<Vec<_>>()));
        Line::styled(format!("{name} against random {score}"), color)
    });
    let last = evaluations.last().map_or(1.0, |found| found.step as f64);
    let line = Dataset::default().graph_type(GraphType::Line).marker(Marker::Braille);
    let curves = curves.iter().map(|(color, points)| line.clone().style(*color).data(points));
    let chart = Chart::new(curves.collect())
        .x_axis(Axis::default().bounds([0.0, last]).labels(["0".to_owned(), grouped(last as u64)]))
        .y_axis(Axis::default().bounds([0.0, 1.0]).labels(["0", ".5", "1"]))
        .block(Block::bordered().title(sampled).title_bottom(greedy));
    frame.render_widget(chart, area);
}

/// Numbers from 0 to 1 over time, the newest at the right; those below count as 0.
fn draw_line(
    frame: &mut Frame<'_>,
    title: &str,
    values: impl DoubleEndedIterator<Item = f64>,
    area: Rect,
) {
    let room = usize::from(area.width.saturating_sub(2));
    let mut newest: Vec<_> =
        values.rev().take(room).map(|value| (value.clamp(0.0, 1.0) * 1000.0) as u64).collect();
    newest.reverse();
    let line = Sparkline::default().data(newest).max(1000).style(Color::Green);
    frame.render_widget(line.block(Block::bordered().title(title)), area);
}

fn draw_board(frame: &mut Frame<'_>, model: &Model, area: Rect) {
    let scene = &model.scene;
    let last = scene.last_move.as_deref().unwrap_or("–");
    let title = format!("a game: move {}, {last}", scene.moves);
    let board = Paragraph::new(scene.board.as_str()).block(Block::bordered().title(title));
    frame.render_widget(board, area);
}

fn draw_log(frame: &mut Frame<'_>, lines: &[String], area: Rect) {
    let room = usize::from(area.height.saturating_sub(1));
    let newest = &lines[lines.len().saturating_sub(room)..];
    let lines: Vec<_> = newest.iter().map(|line| Line::from(line.as_str())).collect();
    let block = Block::new().borders(Borders::TOP).title("log");
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

/// Where the time goes.
fn time_line(model: &Model) -> String {
    let Some(network) = model.phases.network_share() else { return String::new() };
    let parts = model.phases.shares().map(|(name, share)| format!("{name} {:.0} %", 100.0 * share));
    format!("network {:.0} % of play and learning; time: {}", 100.0 * network, parts.join(", "))
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1:02:03` or `2:03`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

#[cfg(test)]
mod tests;
