//! The curves of a run.

use keisei_chart::{Chart, Series, Sheet};
use keisei_train::metrics::{Record, names};

use super::summary::score_name;

/// All curves on one sheet.
pub(super) fn sheet(run: &str, subtitle: &str, records: &[Record]) -> Sheet {
    let curve = |title: &str, lines: &[(&str, &str)]| {
        let chart = Chart::new(title).x("moves");
        lines.iter().fold(chart, |chart, (legend, name)| chart.series(line(records, legend, name)))
    };
    let share = |title: &str, lines: &[(&str, &str)]| curve(title, lines).y_range(0.0, 1.0);
    let mut charts = vec![
        scores(records),
        share(
            "Mates in one found",
            &[
                ("greedy", names::EVAL_MATE),
                ("sampled", names::EVAL_MATE_SAMPLED),
                ("by chance", names::EVAL_MATE_CHANCE),
            ],
        ),
        share(
            "How games end",
            &[
                ("with a winner", names::DECISIVE_RATE),
                ("drawn", names::DRAW_RATE),
                ("cut off", names::TRUNCATION_RATE),
            ],
        ),
        curve("Length of games in moves", &[("", names::LENGTH)]),
        curve("Value loss", &[("", names::VALUE_LOSS)]),
        curve("Policy loss", &[("", names::POLICY_LOSS)]).level(0.0),
        curve("Explained variance", &[("", names::EXPLAINED_VARIANCE)])
            .y_range(-1.0, 1.0)
            .level(0.0),
        curve("Entropy of the policy", &[("", names::ENTROPY)]),
        curve(
            "Change by an update",
            &[("divergence", names::APPROX_KL), ("share clipped", names::CLIP_FRACTION)],
        ),
        curve("Moves rewound before the end, at most", &[("", names::REWIND_DEPTH)]),
        curve("Moves a second", &[("", names::SPS)]),
    ];
    // In a short run nobody may have won a game.
    if records.iter().any(|record| record.get(names::SIGN_ACCURACY[0]).is_some()) {
        charts.push(share(
            "Sign of the value right, by moves to the end",
            &[
                ("1 to 10", names::SIGN_ACCURACY[0]),
                ("11 to 30", names::SIGN_ACCURACY[1]),
                ("31 and more", names::SIGN_ACCURACY[2]),
            ],
        ));
    }
    charts.extend(others(records));
    charts.into_iter().fold(Sheet::new(format!("Run {run}")).subtitle(subtitle), Sheet::chart)
}

/// A metric over the moves made.
fn line(records: &[Record], legend: &str, name: &str) -> Series {
    let known = records.iter().filter_map(|record| Some((record.step as f64, record.get(name)?)));
    Series::line(legend, known)
}

/// The score against random play, each with its interval.
fn scores(records: &[Record]) -> Chart {
    let series = |legend: &str, name: &str| {
        let [low, high] = [names::EVAL_LOW, names::EVAL_HIGH].map(|end| format!("{name}{end}"));
        let known = || records.iter().filter(|record| record.get(name).is_some());
        let bound = |record: &Record, end: &str| record.get(end).unwrap_or(f64::NAN);
        line(records, legend, name).band(known().map(|one| (bound(one, &low), bound(one, &high))))
    };
    let chart = Chart::new("Score against random play").x("moves").y_range(0.0, 1.0).level(0.5);
    let [sampled, greedy] = [false, true].map(score_name);
    chart.series(series("sampled", &sampled)).series(series("greedy", &greedy))
}

/// The scores against everybody else, if somebody else was met.
fn others(records: &[Record]) -> Option<Chart> {
    let is_other = |name: &&str| {
        let endings = [names::EVAL_LOW, names::EVAL_HIGH, names::EVAL_GREEDY];
        name.starts_with(names::EVAL_SCORE)
            && **name != score_name(false)
            && !endings.iter().any(|ending| name.ends_with(ending))
    };
    let all = records.iter().flat_map(|record| record.values.keys().map(String::as_str));
    let mut met: Vec<_> = all.filter(is_other).collect();
    met.sort_unstable();
    met.dedup();
    let chart = Chart::new("Score against others").x("moves").y_range(0.0, 1.0).level(0.5);
    let add = |chart: Chart, name: &str| {
        chart.series(line(records, &name[names::EVAL_SCORE.len()..], name))
    };
    (!met.is_empty()).then(|| met.into_iter().fold(chart, add))
}
