//! Reading lines of metrics into columns, fast: a week's run has hundreds of megabytes of them.

mod plain;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// The numbers of some records, a column a metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Columns {
    /// The number of updates at each record.
    pub(crate) updates: Vec<u32>,
    /// The number of moves at each record.
    pub(crate) steps: Vec<u64>,
    /// The metrics, in the order in which they first appear.
    pub(crate) metrics: Vec<Column>,
    /// The place of each metric.
    places: HashMap<String, usize>,
}

/// The numbers of one metric.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// The records that have the metric, ascending.
    pub(crate) rows: Vec<u32>,
    /// Its value in each of them.
    pub(crate) values: Vec<f32>,
}

impl Columns {
    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// How many numbers there are.
    pub(crate) fn points(&self) -> usize {
        self.metrics.iter().map(|column| column.rows.len()).sum()
    }

    /// A metric by its name.
    pub(crate) fn metric(&self, name: &str) -> Option<&Column> {
        self.places.get(name).map(|&place| &self.metrics[place])
    }

    /// Adds the records in `text`, whole lines. A line that is no record is passed over.
    pub(crate) fn read(&mut self, text: &[u8]) {
        let mut line = Line::default();
        for bytes in lines(text) {
            // Lines as training writes them are read without a parser that knows all of JSON.
            line.clear();
            let mut whole = plain::read(bytes, self, &mut line).is_some();
            if !whole {
                line.clear();
                let filler = Filler { columns: self, line: &mut line };
                whole = serde_json::Deserializer::from_slice(bytes).deserialize_map(filler).is_ok();
            }
            if let (true, Some(update), Some(step)) = (whole, line.update, line.step) {
                let row = self.len() as u32;
                self.updates.push(update.min(u64::from(u32::MAX)) as u32);
                self.steps.push(step);
                for &(place, value) in &line.values {
                    let column = &mut self.metrics[place];
                    column.rows.push(row);
                    column.values.push(value);
                }
                std::mem::swap(&mut line.values, &mut line.before);
            }
        }
    }

    /// Adds the records of `later`.
    pub(super) fn append(&mut self, later: Self) {
        let before = self.len() as u32;
        self.updates.extend(later.updates);
        self.steps.extend(later.steps);
        for column in later.metrics {
            let place = self.place(&column.name);
            let own = &mut self.metrics[place];
            own.rows.extend(column.rows.iter().map(|row| row + before));
            own.values.extend(column.values);
        }
    }

    fn place(&mut self, name: &str) -> usize {
        if let Some(&place) = self.places.get(name) {
            return place;
        }
        let place = self.metrics.len();
        self.places.insert(name.to_owned(), place);
        self.metrics.push(Column { name: name.to_owned(), ..Column::default() });
        place
    }
}

/// The lines of a text.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        let line = &rest[..end];
        rest = rest.get(end + 1..).unwrap_or_default();
        Some(line)
    })
}

/// One record.
#[derive(Default)]
struct Line {
    update: Option<u64>,
    step: Option<u64>,
    /// Places of metrics with their values.
    values: Vec<(usize, f32)>,
    /// Those of the record before: its metrics are mostly the same, in the same order.
    before: Vec<(usize, f32)>,
}

impl Line {
    fn clear(&mut self) {
        self.values.clear();
        (self.update, self.step) = (None, None);
    }

    /// Notes a value; its place is mostly where the record before had it.
    fn note(&mut self, columns: &mut Columns, name: &str, value: f64) {
        let expected = self.before.get(self.values.len()).map(|&(place, _)| place);
        let place = expected
            .filter(|&place| columns.metrics[place].name == name)
            .unwrap_or_else(|| columns.place(name));
        self.values.push((place, value as f32));
    }
}

/// Fills a line while its object is read.
struct Filler<'a> {
    columns: &'a mut Columns,
    line: &'a mut Line,
}

impl<'de> Visitor<'de> for Filler<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record of metrics")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<(), M::Error> {
        let Self { columns, line } = self;
        while let Some(Name(name)) = map.next_key()? {
            match &*name {
                "update" => line.update = Some(map.next_value()?),
                "step" => line.step = Some(map.next_value()?),
                name => {
                    let Some(value) = map.next_value::<Number>()?.0 else { continue };
                    line.note(columns, name, value);
                }
            }
        }
        Ok(())
    }
}

/// A key, borrowed from the text where that is possible.
struct Name<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Name<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Cow<'de, str>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Cow::Borrowed(text))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Cow::Owned(text.to_owned()))
            }
        }
        deserializer.deserialize_str(Text).map(Self)
    }
}

/// A finite number; whatever else stands there is none.
struct Number(Option<f64>);

impl<'de> serde::Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Option<f64>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number")
            }

            fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
                Ok(Some(value).filter(|value| value.is_finite()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
                Ok(Some(value as f64))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
                Ok(Some(value as f64))
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(None)
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(None)
            }

            fn visit_str<E>(self, _: &str) -> Result<Self::Value, E> {
                Ok(None)
            }

            fn visit_seq<S: serde::de::SeqAccess<'de>>(
                self,
                mut items: S,
            ) -> Result<Self::Value, S::Error> {
                while items.next_element::<IgnoredAny>()?.is_some() {}
                Ok(None)
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(None)
            }
        }
        deserializer.deserialize_any(Any).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Columns {
        let mut columns = Columns::default();
        columns.read(text.as_bytes());
        columns
    }

    #[test]
    fn records_become_columns_and_what_is_no_record_is_passed_over() {
        let columns = read(concat!(
            r#"{"a":1.5,"b":null,"step":10,"update":1}"#,
            "\n",
            r#"{"eval/x":0.25,"step":10,"update":1}"#,
            "\nnonsense\n{\"a\":2}\n",
            r#"{"a":[1],"b":{"c":2},"d":"e","step":11,"update":2,"f":true}"#,
            "\n",
            r#"{"a":-3,"step":20,"update":2}"#,
            "\n",
        ));
        assert_eq!(columns.steps, [10, 10, 11, 20]);
        assert_eq!(columns.updates, [1, 1, 2, 2]);
        let a = columns.metric("a").unwrap();
        assert_eq!((&a.rows[..], &a.values[..]), (&[0, 3][..], &[1.5, -3.0][..]));
        assert_eq!(columns.metric("eval/x").unwrap().rows, [1]);
        assert_eq!(columns.metric("c"), None);
    }

    #[test]
    fn lines_are_read_alike_however_their_json_is_written() {
        let plain = read(concat!(
            r#"{"a":-1.5e-3,"b":0,"c":123456789012345680,"step":7,"update":2}"#,
            "\n",
            r#"{"a":0.30000000000000004,"b":1E5,"d":1.0,"step":9,"update":3}"#,
            "\n",
        ));
        let spaced = read(concat!(
            r#" { "a" : -1.5e-3, "b": 0, "c": 123456789012345680, "step": 7, "update": 2, "x": null }"#,
            "\n",
            r#"{"\u0061":0.30000000000000004,"b":1E5,"d":1.0,"step":9,"update":3}"#,
            "\r\n",
        ));
        assert_eq!(plain, spaced);
        assert_eq!(plain.metric("a").unwrap().values, [-0.0015, 0.3]);
        assert_eq!(plain.metric("b").unwrap().values, [0.0, 100_000.0]);
    }

    #[test]
    fn what_only_looks_like_a_number_spoils_its_line() {
        for bad in ["01", "1.", ".5", "+1", "-", "1e", "1e999", "NaN", "1_0", "0x1"] {
            let columns = read(&format!("{{\"a\":{bad},\"step\":1,\"update\":1}}\n"));
            assert_eq!(columns.len(), 0, "{bad}");
        }
    }

    #[test]
    fn records_read_in_parts_are_those_read_at_once() {
        let line = |n: u64| format!("{{\"a\":{n},\"b{}\":1,\"step\":{n},\"update\":{n}}}\n", n % 3);
        let lines: Vec<_> = (0..1000).map(line).collect();
        let whole = read(&lines.concat());
        for part in [1, 7, 400] {
            let mut joined = Columns::default();
            lines.chunks(part).for_each(|part| joined.append(read(&part.concat())));
            assert_eq!(joined, whole, "{part} lines each");
        }
        assert_eq!(whole.points(), 2000);
    }
}
