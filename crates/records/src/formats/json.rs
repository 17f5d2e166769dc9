//! JSON with the place of every value, and without recursion: a record may nest as deep as its
//! variations do, and an error must say where it is.

use crate::scan::Cursor;
use crate::{Problem, ReadError};

/// The most values that are read, against hostile files.
const MAX_VALUES: usize = 2_000_000;

/// A parsed text.
pub(crate) struct Document<'a> {
    source: &'a str,
    /// The values in the order in which they begin: the outermost first.
    values: Vec<Value>,
}

struct Value {
    /// The byte where it begins.
    at: usize,
    content: Content,
}

enum Content {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<u32>),
    Object(Vec<(String, u32)>),
}

/// A value in its document.
#[derive(Clone, Copy)]
pub(crate) struct Json<'a> {
    document: &'a Document<'a>,
    index: u32,
}

impl<'a> Document<'a> {
    pub(crate) fn parse(source: &'a str) -> Result<Self, ReadError> {
        let mut parser =
            Parser { cursor: Cursor::new(source), values: Vec::new(), open: Vec::new(), key: None };
        parser.run(source)?;
        Ok(Self { source, values: parser.values })
    }

    /// The outermost value.
    pub(crate) fn root(&'a self) -> Json<'a> {
        Json { document: self, index: 0 }
    }
}

impl<'a> Json<'a> {
    fn content(self) -> &'a Content {
        &self.document.values[self.index as usize].content
    }

    fn other(self, index: u32) -> Self {
        Self { index, ..self }
    }

    /// An error about this value.
    pub(crate) fn error(self, problem: Problem) -> ReadError {
        let at = self.document.values[self.index as usize].at;
        ReadError::at(self.document.source, at, &self.document.source[at..], problem)
    }

    pub(crate) fn is_null(self) -> bool {
        matches!(self.content(), Content::Null)
    }

    /// The member `key`, unless it is missing or null.
    pub(crate) fn get(self, key: &str) -> Option<Self> {
        let member = self.members().ok()?.find(|(name, _)| *name == key)?.1;
        (!member.is_null()).then_some(member)
    }

    pub(crate) fn members(self) -> Result<impl Iterator<Item = (&'a str, Self)>, ReadError> {
        match self.content() {
            Content::Object(members) => {
                Ok(members.iter().map(move |(key, value)| (key.as_str(), self.other(*value))))
            }
            _ => Err(self.error(Problem::Expected("an object"))),
        }
    }

    pub(crate) fn items(self) -> Result<&'a [u32], ReadError> {
        match self.content() {
            Content::List(items) => Ok(items),
            _ => Err(self.error(Problem::Expected("a list"))),
        }
    }

    /// The item that [`Json::items`] numbers.
    pub(crate) fn item(self, index: u32) -> Self {
        self.other(index)
    }

    pub(crate) fn text(self) -> Result<&'a str, ReadError> {
        match self.content() {
            Content::Text(text) => Ok(text),
            _ => Err(self.error(Problem::Expected("a text"))),
        }
    }

    pub(crate) fn bool(self) -> Result<bool, ReadError> {
        match self.content() {
            Content::Bool(value) => Ok(*value),
            _ => Err(self.error(Problem::Expected("true or false"))),
        }
    }

    /// A whole number from `least` to `most`.
    pub(crate) fn whole(self, least: i64, most: i64) -> Result<i64, ReadError> {
        match *self.content() {
            Content::Number(value) if value.fract() == 0.0 => Some(value as i64),
            _ => None,
        }
        .filter(|value| (least..=most).contains(value))
        .ok_or_else(|| self.error(Problem::Expected("a whole number in range")))
    }
}

struct Parser<'a> {
    cursor: Cursor<'a>,
    values: Vec<Value>,
    /// The lists and objects that are not closed yet.
    open: Vec<u32>,
    /// The key that the next value belongs to.
    key: Option<String>,
}

impl Parser<'_> {
    fn run(&mut self, source: &str) -> Result<(), ReadError> {
        self.value(source)?;
        while let Some(&open) = self.open.last() {
            self.cursor.skip_spaces();
            let (list, empty) = match &self.values[open as usize].content {
                Content::List(items) => (true, items.is_empty()),
                Content::Object(members) => (false, members.is_empty()),
                _ => unreachable!("only lists and objects are open"),
            };
            if self.cursor.eat(if list { "]" } else { "}" }) {
                self.open.pop();
                continue;
            }
            if !empty && !self.cursor.eat(",") {
                let problem = Problem::Expected(if list { ", or ]" } else { ", or }" });
                return Err(self.cursor.error(problem));
            }
            self.cursor.skip_spaces();
            if !list {
                if !self.cursor.eat("\"") {
                    return Err(self.cursor.error(Problem::Expected("a key")));
                }
                self.key = Some(self.string()?);
                if !self.cursor.skip_spaces().eat(":") {
                    return Err(self.cursor.error(Problem::Expected(":")));
                }
            }
            self.value(source)?;
        }
        if self.cursor.skip_spaces().is_done() {
            Ok(())
        } else {
            Err(self.cursor.error(Problem::Expected("the end of the file")))
        }
    }

    /// Takes a value, or the beginning of a list or an object.
    fn value(&mut self, source: &str) -> Result<(), ReadError> {
        let start = *self.cursor.skip_spaces();
        let index = self.values.len();
        if index >= MAX_VALUES {
            let problem = Problem::Limit { limit: MAX_VALUES, what: "JSON values" };
            return Err(start.error(problem));
        }
        let content = match self.cursor.peek() {
            Some('{') => Content::Object(Vec::new()),
            Some('[') => Content::List(Vec::new()),
            Some('"') => {
                self.cursor.bump();
                Content::Text(self.string()?)
            }
            Some('-' | '0'..='9') => {
                let digits = |c: char| matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E');
                let number = self.cursor.take_while(digits).parse().ok();
                let number = number.filter(|value: &f64| value.is_finite());
                Content::Number(number.ok_or_else(|| start.error(Problem::Expected("a number")))?)
            }
            _ if self.cursor.eat("null") => Content::Null,
            _ if self.cursor.eat("true") => Content::Bool(true),
            _ if self.cursor.eat("false") => Content::Bool(false),
            _ => return Err(start.error(Problem::Expected("a JSON value"))),
        };
        let opens = matches!(content, Content::Object(_) | Content::List(_));
        let at = source.len() - start.rest().len();
        self.values.push(Value { at, content });
        let index = index as u32;
        let key = self.key.take();
        if let Some(&parent) = self.open.last() {
            match (&mut self.values[parent as usize].content, key) {
                (Content::List(items), _) => items.push(index),
                (Content::Object(members), Some(key)) => members.push((key, index)),
                _ => unreachable!("a value stands in a list or after a key"),
            }
        }
        if opens {
            self.cursor.bump();
            self.open.push(index);
        }
        Ok(())
    }

    /// Takes a text after its opening quote, and the closing one.
    fn string(&mut self) -> Result<String, ReadError> {
        let mut text = String::new();
        loop {
            text.push_str(self.cursor.take_while(|c| c != '"' && c != '\\' && c >= ' '));
            let at = self.cursor;
            match self.cursor.bump() {
                Some('"') => return Ok(text),
                Some('\\') => {
                    let escape = self.escape();
                    text.push(escape.ok_or_else(|| at.error(Problem::Expected("an escape")))?);
                }
                _ => return Err(at.error(Problem::Expected("\""))),
            }
        }
    }

    fn escape(&mut self) -> Option<char> {
        Some(match self.cursor.bump()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            same @ ('"' | '\\' | '/') => same,
            'u' => {
                let first = self.hex()?;
                if !(0xd800..0xdc00).contains(&first) {
                    return char::from_u32(first);
                }
                let second = (self.cursor.eat("\\u")).then(|| self.hex())??;
                let low = second.checked_sub(0xdc00).filter(|&low| low < 0x400)?;
                char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + low)?
            }
            _ => return None,
        })
    }

    fn hex(&mut self) -> Option<u32> {
        (0..4).try_fold(0, |value, _| Some(value * 16 + self.cursor.bump()?.to_digit(16)?))
    }
}

/// `text` as a JSON string.
pub(crate) fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            c if c < ' ' => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> (usize, usize) {
        let error = Document::parse(text).err().unwrap_or_else(|| panic!("{text} is no JSON"));
        (error.line, error.column)
    }

    #[test]
    fn values_of_every_kind_are_read() {
        let text = r#" {"a": [1, -2.5e1, true, null], "b": {"c": "x\n\u00e9\ud83d\ude00\"/"}} "#;
        let document = Document::parse(text).unwrap();
        let root = document.root();
        let list = root.get("a").unwrap();
        let items: Vec<_> = list.items().unwrap().iter().map(|&item| list.item(item)).collect();
        assert_eq!(items[0].whole(0, 9).unwrap(), 1);
        assert_eq!(items[1].whole(-99, 0).unwrap(), -25);
        assert!(items[2].bool().unwrap() && items[3].is_null());
        let inner = root.get("b").and_then(|b| b.get("c")).unwrap();
        assert_eq!(inner.text().unwrap(), "xé😀\"/".replacen('x', "x\n", 1));
        assert!(root.get("z").is_none());
    }

    #[test]
    fn what_is_no_json_is_refused_where_it_stops_being_json() {
        assert_eq!(error(""), (1, 1));
        assert_eq!(error("[1,\n 2"), (2, 3));
        assert_eq!(error("{\"a\" 1}"), (1, 6));
        assert_eq!(error("[1 2]"), (1, 4));
        assert_eq!(error("\"a\nb\""), (1, 3));
        assert_eq!(error("\"\\x\""), (1, 2));
        assert_eq!(error("\"\\ud800\""), (1, 2));
        assert_eq!(error("[] []"), (1, 4));
        assert_eq!(error("[,1]"), (1, 2));
        assert_eq!(error("[1,]"), (1, 4));
        assert_eq!(error("1e999"), (1, 1));
    }

    #[test]
    fn nesting_as_deep_as_a_file_is_long_is_no_danger() {
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        assert!(Document::parse(&deep).is_ok());
    }

    #[test]
    fn quoted_texts_read_back() {
        for text in ["", "a\"b\\c", "行\n\t\r\u{1}", "😀"] {
            let quoted = quote(text);
            let document = Document::parse(&quoted).unwrap();
            assert_eq!(document.root().text().unwrap(), text);
        }
    }
}
