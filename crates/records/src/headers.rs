//! The headers of a record: players, event, dates.

use keisei_game::Side;

/// Ordered pairs of key and value. A key may occur more than once, as it may in a file.
///
/// Keys are those of the game's main format: `先手`, `後手`, `棋戦` as KIF writes them in shogi,
/// `White`, `Black`, `Event` as PGN writes them in chess. The other formats translate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers(Vec<(String, String)>);

impl Headers {
    /// The value of the first header named `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Gives the first header named `key` a new value, or adds it at the end.
    pub fn set(&mut self, key: &str, value: impl Into<String>) {
        match self.0.iter_mut().find(|(name, _)| name == key) {
            Some((_, old)) => *old = value.into(),
            None => self.push(key, value),
        }
    }

    /// Adds a header at the end, even if one of that name exists.
    pub fn push(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.0.push((key.into(), value.into()));
    }

    /// Removes all headers named `key` and gives back the first one's value.
    pub fn remove(&mut self, key: &str) -> Option<String> {
        let value = self.get(key).map(str::to_owned);
        self.0.retain(|(name, _)| name != key);
        value
    }

    /// All headers in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether both have the same headers, in whatever order.
    pub fn same_as(&self, other: &Self) -> bool {
        let sorted = |headers: &Self| {
            let mut pairs = headers.0.clone();
            pairs.sort();
            pairs
        };
        self == other || sorted(self) == sorted(other)
    }

    /// The name of the player of `side`, given the two keys of the game.
    pub(crate) fn player(&self, keys: [&str; 2], side: Side) -> Option<&str> {
        self.get(keys[side as usize])
    }
}
