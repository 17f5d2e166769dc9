//! Earlier selves of the network.

use std::cmp::Reverse;

use keisei_net::{Evaluator, LoadEvaluator, StateError};

use crate::config::Opponents;

/// Earlier selves, each in a slot. A full pool replaces its oldest; games against that slot go on
/// against the newcomer.
pub struct Pool<P> {
    slots: Vec<Frozen<P>>,
    capacity: usize,
}

/// The network as it once was.
pub struct Frozen<P> {
    /// After which update it was frozen.
    pub update: u64,
    /// Its weights.
    pub weights: Vec<u8>,
    /// The player with these weights.
    pub player: Box<dyn Evaluator<P>>,
}

impl<P> Pool<P> {
    /// An empty pool.
    pub fn new(settings: &Opponents) -> Self {
        Self { slots: Vec::new(), capacity: settings.slots }
    }

    /// How many earlier selves there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Adds the network with these weights, as it is after `update`.
    pub fn add(
        &mut self,
        update: u64,
        weights: Vec<u8>,
        load: &LoadEvaluator<P>,
    ) -> Result<(), StateError> {
        let player = load(&weights)?;
        let frozen = Frozen { update, weights, player };
        if self.slots.len() < self.capacity {
            self.slots.push(frozen);
        } else if let Some(oldest) = self.slots.iter_mut().min_by_key(|slot| slot.update) {
            *oldest = frozen;
        }
        Ok(())
    }

    /// Which of the stored selves there is room for, by their slots: the newest. Each is told by the
    /// update after which it was frozen.
    pub(crate) fn newest(&self, stored: &[u64]) -> Vec<usize> {
        let mut slots: Vec<_> = (0..stored.len()).collect();
        slots.sort_by_key(|&slot| Reverse(stored[slot]));
        slots.truncate(self.capacity);
        slots.sort();
        slots
    }

    /// The earlier selves by slot.
    pub fn slots(&self) -> &[Frozen<P>] {
        &self.slots
    }

    /// The player in `slot`.
    pub fn player(&mut self, slot: usize) -> &mut dyn Evaluator<P> {
        &mut *self.slots[slot].player
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use keisei_net::Uniform;

    #[test]
    fn a_full_pool_replaces_its_oldest_in_place() {
        let mut pool = Pool::<()>::new(&Opponents { slots: 3, ..Opponents::default() });
        let load = |_: &[u8]| Ok(Box::new(Uniform) as Box<dyn Evaluator<()>>);
        let updates = |pool: &Pool<()>| pool.slots().iter().map(|s| s.update).collect::<Vec<_>>();
        for update in [10, 20, 30] {
            pool.add(update, vec![update as u8], &load).unwrap();
        }
        assert_eq!(updates(&pool), [10, 20, 30]);
        pool.add(40, vec![40], &load).unwrap();
        pool.add(50, vec![50], &load).unwrap();
        assert_eq!(updates(&pool), [40, 50, 30]);
        assert_eq!(pool.slots()[1].weights, [50]);
    }

    #[test]
    fn of_more_selves_than_there_is_room_for_the_newest_stay() {
        let pool = |slots| Pool::<()>::new(&Opponents { slots, ..Opponents::default() });
        assert_eq!(pool(3).newest(&[40, 50, 30]), [0, 1, 2]);
        assert_eq!(pool(2).newest(&[40, 20, 30]), [0, 2]);
        assert_eq!(pool(1).newest(&[40, 50, 30]), [1]);
        assert!(pool(1).newest(&[]).is_empty());
    }

    #[test]
    fn weights_that_no_player_can_be_made_of_leave_the_pool_as_it_was() {
        let mut pool = Pool::<()>::new(&Opponents::default());
        let load = |_: &[u8]| Err(StateError::Format("no".to_owned()));
        assert!(pool.add(1, Vec::new(), &load).is_err());
        assert!(pool.is_empty());
    }
}
