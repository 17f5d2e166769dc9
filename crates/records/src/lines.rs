//! Lines of text, joined as they come.

/// Lines joined by `\n`. No line at all is not the same as one empty line.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lines(Option<String>);

impl Lines {
    pub(crate) fn add(&mut self, line: &str) {
        match &mut self.0 {
            Some(text) => text.extend(["\n", line]),
            None => self.0 = Some(line.to_owned()),
        }
    }

    /// The lines so far, if there are any; none are left behind.
    pub(crate) fn take(&mut self) -> Option<String> {
        self.0.take()
    }
}
