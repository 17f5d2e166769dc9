//! Walking over text while knowing where one is.

use crate::{Problem, ReadError};

/// A place in a text, with an end that it does not pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    source: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        Self { source, at: 0, end: source.len() }
    }

    /// The lines of the text, without their line ends.
    pub(crate) fn lines(source: &'a str) -> impl Iterator<Item = Self> {
        let mut start = 0;
        source.split_inclusive('\n').map(move |line| {
            let at = start;
            start += line.len();
            let text = line.strip_suffix('\n').unwrap_or(line);
            let text = text.strip_suffix('\r').unwrap_or(text);
            Self { source, at, end: at + text.len() }
        })
    }

    /// What is left.
    pub(crate) fn rest(&self) -> &'a str {
        &self.source[self.at..self.end]
    }

    pub(crate) fn is_done(&self) -> bool {
        self.at == self.end
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Takes the next character.
    pub(crate) fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Takes the next character if `wanted` maps it to something.
    pub(crate) fn take<T>(&mut self, wanted: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let next = self.peek()?;
        let value = wanted(next)?;
        self.at += next.len_utf8();
        Some(value)
    }

    /// Takes `text` if it comes next.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Takes characters as long as `wanted` holds.
    pub(crate) fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Takes everything up to `end`, and `end` too; `None`, and nothing taken, if it never comes.
    pub(crate) fn take_until(&mut self, end: char) -> Option<&'a str> {
        let rest = self.rest();
        let length = rest.find(end)?;
        self.at += length + end.len_utf8();
        Some(&rest[..length])
    }

    /// What is left, cut in two at the first `separator`; without one there is no second part.
    pub(crate) fn split_at(self, separator: &str) -> (Self, Option<Self>) {
        match self.rest().find(separator) {
            None => (self, None),
            Some(length) => {
                let end = self.at + length;
                let second = Self { at: end + separator.len(), ..self };
                (Self { end, ..self }, Some(second))
            }
        }
    }

    /// What is left, cut at every `separator`.
    pub(crate) fn split(self, separator: &str) -> impl Iterator<Item = Self> {
        let mut rest = Some(self);
        std::iter::from_fn(move || {
            let (part, more) = rest?.split_at(separator);
            rest = more;
            Some(part)
        })
    }

    /// Takes white space, the ideographic space included.
    pub(crate) fn skip_spaces(&mut self) -> &mut Self {
        self.take_while(char::is_whitespace);
        self
    }

    /// Takes ASCII digits as a number; `None`, and nothing taken, without digits or past `u32`.
    pub(crate) fn number(&mut self) -> Option<u32> {
        let before = self.at;
        let value = self.take_while(|c| c.is_ascii_digit()).parse().ok();
        if value.is_none() {
            self.at = before;
        }
        value
    }

    /// The place of `part`, a part of what is left.
    pub(crate) fn at(&self, part: &str) -> Self {
        let offset = part.as_ptr().addr() - self.rest().as_ptr().addr();
        Self { at: self.at + offset, ..*self }
    }

    /// An error about `text`, which comes next.
    pub(crate) fn error_about(&self, text: &str, problem: Problem) -> ReadError {
        ReadError::at(self.source, self.at, text, problem)
    }

    /// An error about the text from here on.
    pub(crate) fn error(&self, problem: Problem) -> ReadError {
        ReadError::at(self.source, self.at, self.rest(), problem)
    }

    /// An error about `text`, which was taken just before.
    pub(crate) fn error_behind(&self, text: &str, problem: Problem) -> ReadError {
        ReadError::at(self.source, self.at - text.len(), text, problem)
    }
}

impl ReadError {
    /// An error at byte `at` of `source`, about `text`.
    pub(crate) fn at(source: &str, at: usize, text: &str, problem: Problem) -> Self {
        let before = &source[..at];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let shown = text.lines().next().unwrap_or_default();
        Self {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            text: shown.chars().take(40).collect(),
            problem,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_give_line_and_column_in_characters_and_the_offending_text() {
        let source = "一行目\r\n  ７六歩(77)\n";
        let mut line = Cursor::lines(source).nth(1).unwrap();
        line.skip_spaces().bump();
        let error = line.error(Problem::Expected("a rank"));
        assert_eq!((error.line, error.column), (2, 4));
        assert_eq!(error.text, "六歩(77)");
        assert_eq!(error.to_string(), "line 2, column 4: expected a rank: \"六歩(77)\"");
    }

    #[test]
    fn lines_end_at_either_line_end_and_the_last_may_have_none() {
        let lines: Vec<_> = Cursor::lines("a\r\n\nb").map(|line| line.rest()).collect();
        assert_eq!(lines, ["a", "", "b"]);
    }
}
