//! What the evaluator said of positions: one that is reached again by another order of moves need
//! not be asked about again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem;

/// Which observation an evaluation is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key(u64);

impl Key {
    /// Of the bytes of an observation that the network sees.
    pub(super) fn of(shown: &[u8]) -> Self {
        let mut hasher = DefaultHasher::new();
        shown.hash(&mut hasher);
        Self(hasher.finish())
    }
}

/// How the evaluator is asked: what it said when it was asked in another way is no use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Way {
    pub(super) mirror: bool,
    pub(super) policy_temperature: f32,
}

/// A value for the side to move, and its moves with their priors, the best first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Known<M> {
    pub(super) value: f32,
    pub(super) moves: Box<[(M, f32)]>,
}

impl<M> Known<M> {
    /// About how many bytes it takes to remember.
    fn bytes(&self) -> usize {
        size_of::<(Key, Self)>() + size_of_val(&*self.moves)
    }
}

/// Evaluations, the newest of them. When those of the young half fill half of the room, they
/// become the old half, and what was old is forgotten.
#[derive(Debug)]
pub(super) struct Evaluations<M> {
    young: HashMap<Key, Known<M>>,
    young_bytes: usize,
    old: HashMap<Key, Known<M>>,
    room: usize,
    way: Way,
}

impl<M> Evaluations<M> {
    /// None yet, and no room for any.
    pub(super) fn new() -> Self {
        let way = Way { mirror: false, policy_temperature: 1.0 };
        Self { young: HashMap::new(), young_bytes: 0, old: HashMap::new(), room: 0, way }
    }

    pub(super) fn clear(&mut self) {
        *self = Self { room: self.room, way: self.way, ..Self::new() };
    }

    /// Sets how many bytes there are, and how the evaluator is asked from now on.
    pub(super) fn set(&mut self, room: usize, way: Way) {
        self.room = room;
        if self.way != way {
            self.way = way;
            self.clear();
        }
    }

    /// How the evaluator is asked.
    pub(super) fn way(&self) -> Way {
        self.way
    }

    pub(super) fn get(&self, key: Key) -> Option<&Known<M>> {
        self.young.get(&key).or_else(|| self.old.get(&key))
    }

    /// Remembers an evaluation. What is forgotten for it is handed out, because to free it takes
    /// long enough that nobody should wait for it.
    #[must_use]
    pub(super) fn keep(&mut self, key: Key, known: Known<M>) -> HashMap<Key, Known<M>> {
        let mut forgotten = HashMap::new();
        if self.young_bytes + known.bytes() > self.room / 2 {
            forgotten = mem::replace(&mut self.old, mem::take(&mut self.young));
            self.young_bytes = 0;
        }
        self.young_bytes += known.bytes();
        self.young.insert(key, known);
        forgotten
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(value: f32) -> Known<u16> {
        Known { value, moves: vec![(7, 0.75), (3, 0.25)].into() }
    }

    #[test]
    fn observations_that_differ_in_a_byte_have_keys_of_their_own() {
        assert_eq!(Key::of(&[1, 2, 3]), Key::of(&[1, 2, 3]));
        assert_ne!(Key::of(&[1, 2, 3]), Key::of(&[1, 2, 4]));
    }

    const WAY: Way = Way { mirror: false, policy_temperature: 1.0 };

    #[test]
    fn the_oldest_are_forgotten_when_the_room_is_full() {
        let mut evaluations = Evaluations::new();
        evaluations.set(4 * known(0.0).bytes(), WAY);
        let keys: Vec<_> = (0..5).map(|number: u8| Key::of(&[number])).collect();
        for (&key, value) in keys.iter().zip([0.0, 0.1, 0.2, 0.3, 0.4]) {
            drop(evaluations.keep(key, known(value)));
            assert_eq!(evaluations.get(key), Some(&known(value)));
        }
        let left: Vec<_> = keys.iter().map(|&key| evaluations.get(key).is_some()).collect();
        assert_eq!(left, [false, false, true, true, true]);
    }

    #[test]
    fn what_was_said_when_asked_in_another_way_is_forgotten() {
        let mut evaluations = Evaluations::new();
        evaluations.set(1 << 20, WAY);
        let key = Key::of(&[1]);
        drop(evaluations.keep(key, known(0.5)));
        evaluations.set(1 << 10, WAY);
        assert!(evaluations.get(key).is_some());
        evaluations.set(1 << 10, Way { mirror: true, ..WAY });
        assert_eq!(evaluations.get(key), None);
    }
}
