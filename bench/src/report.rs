//! The report of a benchmark: tables to read, or JSON to keep.

use clap::ValueEnum;

use crate::movegen::Work;

/// Rates by kind of work, position and engine.
pub(crate) struct Report {
    engines: Vec<&'static str>,
    sections: Vec<Section>,
    notes: Vec<String>,
}

struct Section {
    work: Work,
    /// The name of a position and the rate of each engine.
    rows: Vec<(String, Vec<Option<f64>>)>,
}

impl Section {
    /// The geometric mean of each engine over the positions.
    fn means(&self, engines: usize) -> Vec<Option<f64>> {
        (0..engines).map(|i| geometric_mean(self.rows.iter().map(|(_, rates)| rates[i]))).collect()
    }
}

/// The geometric mean, or `None` if a value is missing or there is none.
fn geometric_mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let logs: Vec<f64> = values.map(|value| value.map(f64::ln)).collect::<Option<_>>()?;
    (!logs.is_empty()).then(|| (logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// The rate of the first engine by the best rate of the others.
fn ratio_to_fastest_peer(rates: &[Option<f64>]) -> Option<f64> {
    let (own, peers) = rates.split_first()?;
    let fastest = peers.iter().flatten().copied().reduce(f64::max)?;
    Some((*own)? / fastest)
}

impl Report {
    /// An empty report on `engines`; the first is compared with the others.
    pub(crate) fn new(engines: Vec<&'static str>) -> Self {
        Self { engines, sections: Vec::new(), notes: Vec::new() }
    }

    /// Opens the section of `work`.
    pub(crate) fn begin(&mut self, work: Work) {
        self.sections.push(Section { work, rows: Vec::new() });
    }

    /// Adds the rates of a position, one an engine, to the open section.
    pub(crate) fn add(&mut self, position: &str, rates: Vec<Option<f64>>) {
        let section = self.sections.last_mut().expect("a section is open");
        section.rows.push((position.to_owned(), rates));
    }

    /// Adds a remark, once.
    pub(crate) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Prints the report on stdout.
    pub(crate) fn print(&self, json: bool) {
        println!("{}", if json { self.json() } else { self.text() });
    }

    fn text(&self) -> String {
        let mut lines = Vec::new();
        for section in &self.sections {
            let names: String = self.engines.iter().map(|name| format!("{name:>16}")).collect();
            let title = format!("{} ({})", name_of(section.work), section.work.unit());
            lines.push(format!("{title:<28}{names}{:>16}", "ratio"));
            let means = section.means(self.engines.len());
            let mean = ("geometric mean".to_owned(), means);
            for (position, rates) in section.rows.iter().chain([&mean]) {
                let cells: String = rates.iter().map(|&rate| cell(rate, 2)).collect();
                let ratio = cell(ratio_to_fastest_peer(rates), 3);
                lines.push(format!("  {position:<26}{cells}{ratio}"));
            }
            lines.push(String::new());
        }
        lines.push(format!("ratio: {} to the fastest of the others", self.engines[0]));
        lines.extend(self.notes.iter().map(|note| format!("note: {note}")));
        lines.join("\n")
    }

    fn json(&self) -> String {
        let mut rows = Vec::new();
        for section in &self.sections {
            let mean = ("geometric mean".to_owned(), section.means(self.engines.len()));
            for (position, rates) in section.rows.iter().chain([&mean]) {
                for (engine, rate) in self.engines.iter().zip(rates) {
                    let rate = rate.map_or("null".to_owned(), |rate| format!("{rate:.4}"));
                    rows.push(format!(
                        r#"    {{"work": "{}", "position": "{position}", "engine": "{engine}", "rate": {rate}}}"#,
                        name_of(section.work)
                    ));
                }
            }
        }
        let notes: Vec<_> = self.notes.iter().map(|note| format!("    {note:?}")).collect();
        format!(
            "{{\n  \"unit\": \"million/s\",\n  \"rates\": [\n{}\n  ],\n  \"notes\": [\n{}\n  ]\n}}",
            rows.join(",\n"),
            notes.join(",\n")
        )
    }
}

fn name_of(work: Work) -> String {
    work.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn cell(value: Option<f64>, digits: usize) -> String {
    value.map_or(format!("{:>16}", "–"), |value| format!("{value:>16.digits$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let mut report = Report::new(vec!["own", "peer", "other"]);
        report.begin(Work::Count);
        report.add("one", vec![Some(8.0), None, Some(2.0)]);
        report.add("two", vec![Some(2.0), None, Some(8.0)]);
        report
    }

    #[test]
    fn means_are_geometric_and_missing_rates_stay_missing() {
        let section = &report().sections[0];
        let means = section.means(3);
        assert!((means[0].unwrap() - 4.0).abs() < 1e-12);
        assert_eq!(means[1], None);
    }

    #[test]
    fn the_ratio_is_to_the_fastest_engine_that_has_a_rate() {
        assert_eq!(ratio_to_fastest_peer(&[Some(6.0), Some(2.0), Some(3.0)]), Some(2.0));
        assert_eq!(ratio_to_fastest_peer(&[Some(6.0), None, Some(3.0)]), Some(2.0));
        assert_eq!(ratio_to_fastest_peer(&[None, Some(2.0)]), None);
        assert_eq!(ratio_to_fastest_peer(&[Some(6.0), None]), None);
    }

    #[test]
    fn a_note_appears_once_in_text_and_json() {
        let mut report = report();
        report.note("off by one".to_owned());
        report.note("off by one".to_owned());
        assert_eq!(report.text().matches("off by one").count(), 1);
        assert_eq!(report.json().matches("off by one").count(), 1);
        assert!(report.json().contains("null"));
    }
}
