//! What the search remembers of positions, within a fixed amount of memory.

/// More than any proof or disproof number of an open position.
pub(super) const INFINITE: u32 = u32::MAX / 2;

/// The plies of a search that has no limit of plies.
pub(super) const UNLIMITED: u16 = u16::MAX;

/// How many places a position may be kept at.
const PLACES: usize = 16;

/// A position as the table knows it: a key of the board and what the attacker holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) key: u64,
    pub(super) held: u64,
}

impl Node {
    /// Whether this is the same board and the attacker holds at least what it holds in `other`.
    pub(super) const fn covers(self, other: Self) -> bool {
        // A byte a kind, none above 127: a borrow clears the bit that is set above each count.
        const GUARD: u64 = 0x8080_8080_8080_8080;
        self.key == other.key && ((self.held | GUARD) - other.held) & GUARD == GUARD
    }
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The attacker mates within this many plies.
    Mate {
        /// The plies.
        plies: u16,
    },
    /// The attacker does not mate within the plies it was asked about.
    NoMate,
    /// Nothing is decided yet.
    Open {
        /// How many positions have to be proven at least to prove this one.
        proof: u32,
        /// How many positions have to be disproven at least to disprove this one.
        disproof: u32,
    },
}

#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    proof: u32,
    disproof: u32,
    /// The plies of the mate, or else the plies that the search of the position could look ahead.
    plies: u16,
    generation: u16,
    /// How many positions were visited to find this out.
    effort: u32,
}

const VACANT: Entry = Entry {
    node: Node { key: 0, held: 0 },
    proof: 1,
    disproof: 1,
    plies: 0,
    generation: 0,
    effort: 0,
};

/// A table of positions. A new generation forgets everything at once.
pub(super) struct Table {
    entries: Vec<Entry>,
    generation: u16,
}

impl Table {
    pub(super) fn new(bytes: usize) -> Self {
        let count = (bytes / size_of::<Entry>()).max(4 * PLACES);
        Self { entries: vec![VACANT; count], generation: 0 }
    }

    pub(super) fn forget(&mut self) {
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.entries.fill(VACANT);
            self.generation = 1;
        }
    }

    /// What is known of `node` for a search that looks `plies` ahead.
    pub(super) fn get(&self, node: Node, plies: u16) -> Option<Known> {
        let mut open = None;
        for entry in &self.entries[self.places(node)] {
            if entry.generation != self.generation || entry.node.key != node.key {
                continue;
            }
            if entry.proof == 0 {
                if entry.plies <= plies && node.covers(entry.node) {
                    return Some(Known::Mate { plies: entry.plies });
                }
            } else if entry.disproof == 0 {
                if entry.plies >= plies && entry.node.covers(node) {
                    return Some(Known::NoMate);
                }
            } else if entry.plies == plies && entry.node == node {
                open = Some(Known::Open { proof: entry.proof, disproof: entry.disproof });
            }
        }
        open
    }

    /// Remembers what is known of `node` after a search that looked `plies` ahead.
    pub(super) fn put(&mut self, node: Node, plies: u16, known: Known, effort: u64) {
        let (proof, disproof, plies) = match known {
            Known::Mate { plies } => (0, INFINITE, plies),
            Known::NoMate => (INFINITE, 0, plies),
            Known::Open { proof, disproof } => (proof, disproof, plies),
        };
        let generation = self.generation;
        let effort = effort.min(u64::from(u32::MAX)) as u32;
        let new = Entry { node, proof, disproof, plies, generation, effort };
        let places = self.places(node);
        let places = &mut self.entries[places];
        if let Some(same) = places.iter_mut().find(|old| old.is_replaced_by(&new)) {
            let effort = same.effort.saturating_add(new.effort);
            *same = Entry { effort, ..new };
        } else if let Some(cheapest) = places.iter_mut().min_by_key(|old| old.worth(generation)) {
            *cheapest = new;
        }
    }

    fn places(&self, node: Node) -> std::ops::Range<usize> {
        let starts = self.entries.len() - PLACES + 1;
        let start =
            (u128::from(node.key.wrapping_mul(0x9e37_79b9_7f4a_7c15)) * starts as u128) >> 64;
        start as usize..start as usize + PLACES
    }
}

impl Entry {
    /// Whether `new` says all that this entry says.
    fn is_replaced_by(&self, new: &Self) -> bool {
        if self.generation != new.generation || self.node != new.node {
            return false;
        }
        let exact = self.plies == new.plies;
        match (self.proof, self.disproof) {
            (0, _) => new.proof == 0,
            (_, 0) => new.disproof == 0,
            _ if new.proof == 0 => exact || self.plies >= new.plies,
            _ if new.disproof == 0 => exact || self.plies <= new.plies,
            _ => exact,
        }
    }

    /// What is lost with this entry.
    fn worth(&self, generation: u16) -> u32 {
        if self.generation == generation { self.effort.saturating_add(1) } else { 0 }
    }
}
