//! Which event goes by which key.

use super::{EventId, Table};

/// So many tables share the keys. Each grows on its own, so that never all of them are there twice.
const SHARDS: usize = 64;

/// Places of a new table.
const FIRST_PLACES: usize = 64;

/// A key in two halves (as a `u64` it would want four bytes more) and its event. Without a key the
/// place is free.
type Place = (u32, u32, EventId);

const FREE: Place = (0, 0, EventId(0));

/// Events by hashed key. Keys are hashes already, and nothing is ever taken out: so the place of a key
/// is told by its own bits, or it is the next free one behind.
#[derive(Debug, Default)]
pub(super) struct Keys {
    shards: Vec<Shard>,
    /// What is put in its place when the first late key is asked for.
    late: Table<Place>,
}

impl Keys {
    /// Remembers an event under a key. The first event of a key keeps it.
    pub fn add(&mut self, key: u64, event: EventId) {
        let (upper, lower) = halves(key);
        self.put((upper, lower, event));
    }

    fn put(&mut self, new: Place) {
        if self.shards.is_empty() {
            self.shards.resize_with(SHARDS, Shard::default);
        }
        if let Some(shard) = self.shards.get_mut(new.0 as usize % SHARDS) {
            shard.add(new);
        }
    }

    /// The event of a key.
    pub fn get(&self, key: u64) -> Option<EventId> {
        let (upper, lower) = halves(key);
        self.shards.get(upper as usize % SHARDS)?.get(upper, lower)
    }

    /// Like [`Keys::add`], for keys that are seldom asked for.
    pub fn add_late(&mut self, key: u64, event: EventId) {
        let (upper, lower) = halves(key);
        self.late.push((upper, lower, event));
    }

    /// The event of a key that was added late.
    pub fn get_late(&mut self, key: u64) -> Option<EventId> {
        let late = std::mem::take(&mut self.late);
        late.iter().for_each(|place| self.put(*place));
        self.get(key)
    }
}

/// 0 is what free places have.
fn halves(key: u64) -> (u32, u32) {
    let key = key.max(1);
    ((key >> 32) as u32, key as u32)
}

#[derive(Debug, Default)]
struct Shard {
    /// A power of two of them, or none.
    places: Vec<Place>,
    taken: usize,
}

impl Shard {
    fn get(&self, upper: u32, lower: u32) -> Option<EventId> {
        let place = self.places.get(self.find(upper, lower)?)?;
        ((place.0, place.1) == (upper, lower)).then_some(place.2)
    }

    /// The index of the place that has a key, or of the free one where it would stand.
    fn find(&self, upper: u32, lower: u32) -> Option<usize> {
        let mask = self.places.len().checked_sub(1)?;
        let mut at = lower as usize & mask;
        loop {
            let place = self.places.get(at)?;
            if (place.0, place.1) == (upper, lower) || (place.0, place.1) == (0, 0) {
                return Some(at);
            }
            at = (at + 1) & mask;
        }
    }

    fn add(&mut self, new: Place) {
        if self.taken >= self.places.len() / 4 * 3 {
            self.grow();
        }
        if let Some(at) = self.find(new.0, new.1)
            && let Some(place) = self.places.get_mut(at)
            && (place.0, place.1) == (0, 0)
        {
            *place = new;
            self.taken += 1;
        }
    }

    fn grow(&mut self) {
        let len = (self.places.len() * 2).max(FIRST_PLACES);
        let old = std::mem::replace(&mut self.places, vec![FREE; len]);
        self.taken = 0;
        old.into_iter()
            .filter(|place| (place.0, place.1) != (0, 0))
            .for_each(|place| self.add(place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::key_hash;

    #[test]
    fn the_first_event_of_a_key_keeps_it() {
        let mut keys = Keys::default();
        let key = |at: usize| key_hash(&[&at.to_string()]);
        assert_eq!((keys.get(key(0)), keys.get(0)), (None, None));
        for at in 0..10_000 {
            keys.add(key(at), EventId::from_index(at));
            keys.add(key(at), EventId::from_index(at + 1));
        }
        for at in 0..10_000 {
            assert_eq!(keys.get(key(at)), Some(EventId::from_index(at)));
        }
        assert_eq!(keys.get(key(10_000)), None);
        for at in [10_000, 10_001, 10_000] {
            keys.add_late(key(at), EventId::from_index(at));
        }
        assert_eq!(keys.get_late(key(10_000)), Some(EventId::from_index(10_000)));
        assert_eq!(keys.get_late(key(10_001)), Some(EventId::from_index(10_001)));
        keys.add(0, EventId::from_index(7));
        assert_eq!(keys.get(0), Some(EventId::from_index(7)));
    }
}
