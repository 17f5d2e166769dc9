//! Texts in which quotes protect separators, as in a shell: `'a b'`, `"it's"`.

/// A quote that is not closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unclosed;

/// The parts of `text` between separators that no quotes protect. Quotes stay.
pub(super) fn split(text: &str, separator: char) -> Result<Vec<&str>, Unclosed> {
    let mut parts = Vec::new();
    let (mut begin, mut open) = (0, None);
    for (at, letter) in text.char_indices() {
        match open {
            Some(quote) if letter == quote => open = None,
            Some(_) => {}
            None if letter == separator => {
                parts.push(&text[begin..at]);
                begin = at + letter.len_utf8();
            }
            None if is_quote(letter) => open = Some(letter),
            None => {}
        }
    }
    parts.push(&text[begin..]);
    if open.is_some() { Err(Unclosed) } else { Ok(parts) }
}

/// The words of a command, without their quotes.
pub(super) fn words(text: &str) -> Result<Vec<String>, Unclosed> {
    let parts = split(text, ' ')?;
    Ok(parts.into_iter().filter(|part| !part.is_empty()).map(without_quotes).collect())
}

/// `text` with what stands between quotes, but without them.
pub(super) fn without_quotes(text: &str) -> String {
    let mut open = None;
    let mut bare = String::new();
    for letter in text.chars() {
        match open {
            Some(quote) if letter == quote => open = None,
            None if is_quote(letter) => open = Some(letter),
            _ => bare.push(letter),
        }
    }
    bare
}

/// `text` with quotes if it holds one of `separators` or a quote, begins or ends with a blank, or
/// is empty.
pub(super) fn with_quotes(text: &str, separators: &[char]) -> String {
    let plain = |letter: char| !separators.contains(&letter) && !is_quote(letter);
    if !text.is_empty() && text.trim() == text && text.chars().all(plain) {
        return text.to_owned();
    }
    // What holds single quotes is put together from parts, as in a shell.
    let parts: Vec<_> = text.split('\'').map(|part| format!("'{part}'")).collect();
    parts.join("\"'\"")
}

const fn is_quote(letter: char) -> bool {
    matches!(letter, '\'' | '"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_protect_separators() {
        assert_eq!(split("a;'b;c';\"d;\"", ';').unwrap(), ["a", "'b;c'", "\"d;\""]);
        assert_eq!(
            words("  run  'my engine' --x=\"a b\" ''").unwrap(),
            ["run", "my engine", "--x=a b", ""]
        );
        assert_eq!(split("a 'b", ';'), Err(Unclosed));
    }

    #[test]
    fn what_is_quoted_comes_back() {
        for text in ["plain", "two words", "", "it's", "\"'", " blank ", "a;b", "''"] {
            let quoted = with_quotes(text, &[' ', ';']);
            assert_eq!(without_quotes(&quoted), text);
            assert_eq!(words(&quoted).unwrap(), [text]);
            assert_eq!(split(&quoted, ';').unwrap(), [quoted.as_str()]);
        }
        assert_eq!(with_quotes("plain", &[' ']), "plain");
    }
}
