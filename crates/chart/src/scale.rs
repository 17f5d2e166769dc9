//! Numbers along an axis: where they lie, and which of them are written beside it.

/// The numbers that an axis shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Range {
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Range {
    /// The least range with all `values` in it, never empty; `None` without values.
    pub(crate) fn around(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let grow = |range: Option<Self>, value: f64| {
            let Self { low, high } = range.unwrap_or(Self { low: value, high: value });
            Some(Self { low: low.min(value), high: high.max(value) })
        };
        let Self { low, high } = values.into_iter().fold(None, grow)?;
        let room = if low == high { (low.abs() * 0.1).max(0.5) } else { 0.0 };
        Some(Self { low: low - room, high: high + room })
    }

    /// A little more on both ends, so that no line runs along the frame.
    pub(crate) fn padded(self) -> Self {
        let room = (self.high - self.low) * 0.05;
        Self { low: self.low - room, high: self.high + room }
    }

    /// Where `value` lies: 0 at the low end, 1 at the high end, and nowhere beyond.
    pub(crate) fn share(self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// About `wanted` round numbers, each with its text.
    pub(crate) fn ticks(self, wanted: usize) -> Vec<(f64, String)> {
        let step = round_step((self.high - self.low) / wanted.max(1) as f64);
        let (first, last) = ((self.low / step).ceil(), (self.high / step).floor());
        let count = (last - first).max(-1.0) as usize + 1;
        let unit = Unit::of(self.low.abs().max(self.high.abs()));
        let tick = |index: usize| {
            let value = (first + index as f64) * step;
            (value, unit.write(value, step))
        };
        (0..count).map(tick).collect()
    }
}

/// The least of 1, 2 and 5 times a power of ten that is not below `step`.
fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * 0.999_999);
    factor.unwrap_or(10.0) * power
}

/// What large numbers are counted in.
struct Unit {
    size: f64,
    sign: &'static str,
}

impl Unit {
    fn of(largest: f64) -> Self {
        let units = [(1e9, "G"), (1e6, "M"), (1e4, "k")];
        let found = units.into_iter().find(|&(size, _)| largest >= size);
        found.map_or(Self { size: 1.0, sign: "" }, |(size, sign)| Self {
            size: if sign == "k" { 1e3 } else { size },
            sign,
        })
    }

    /// `value` with as many decimals as multiples of `step` need.
    fn write(&self, value: f64, step: f64) -> String {
        // The nearest multiple of the step to zero may be a negative nothing.
        let value = if value.abs() < step / 2.0 { 0.0 } else { value / self.size };
        let decimals = (-(step / self.size).log10().floor()).clamp(0.0, 9.0) as usize;
        if decimals > 4 && value != 0.0 {
            return format!("{value:.1e}").replace('-', "−");
        }
        let decimals = if decimals > 4 { 0 } else { decimals };
        let sign = if value == 0.0 { "" } else { self.sign };
        format!("{value:.decimals$}{sign}").replace('-', "−")
    }
}

/// `value` for a sentence: four digits that count.
pub(crate) fn in_words(value: f64) -> String {
    let digits = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let decimals = (3.0 - digits).clamp(0.0, 6.0) as usize;
    let text = format!("{value:.decimals$}");
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(low: f64, high: f64) -> Vec<String> {
        Range { low, high }.ticks(5).into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(texts(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(texts(-0.21, 0.19), ["−0.2", "−0.1", "0.0", "0.1"]);
        assert_eq!(texts(3.0, 47.0), ["10", "20", "30", "40"]);
        assert_eq!(texts(-1200.0, 1200.0), ["−1000", "−500", "0", "500", "1000"]);
    }

    #[test]
    fn large_numbers_are_counted_in_thousands_and_millions() {
        assert_eq!(texts(0.0, 50_000.0), ["0", "10k", "20k", "30k", "40k", "50k"]);
        assert_eq!(texts(0.0, 2_500_000.0), ["0.0", "0.5M", "1.0M", "1.5M", "2.0M", "2.5M"]);
    }

    #[test]
    fn tiny_numbers_are_written_with_their_power_of_ten() {
        assert_eq!(texts(0.0, 2.1e-6), ["0", "5.0e−7", "1.0e−6", "1.5e−6", "2.0e−6"]);
    }

    #[test]
    fn a_range_is_never_empty() {
        assert_eq!(Range::around([]), None);
        for value in [0.0, 0.3, -7.0, 1e9] {
            let range = Range::around([value, value]).unwrap();
            assert!(range.low < value && value < range.high, "{range:?}");
            assert_eq!(range.share(value), 0.5);
            assert!(!range.ticks(5).is_empty());
        }
    }

    #[test]
    fn values_beyond_the_range_lie_on_its_ends() {
        let range = Range { low: 0.0, high: 2.0 };
        assert_eq!([-1.0, 0.5, 9.0].map(|value| range.share(value)), [0.0, 0.25, 1.0]);
    }

    #[test]
    fn sentences_show_the_digits_that_count() {
        let words = [0.0, 0.5, 0.123_456, 1_234_567.8, -3.0].map(in_words);
        assert_eq!(words, ["0", "0.5", "0.1235", "1234568", "-3"]);
    }
}
