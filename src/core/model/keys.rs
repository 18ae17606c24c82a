//! Finds events by key.

use super::{ChunkedVec, EventId};

/// The keys are distributed over this many tables. Each grows on its own, so growing never needs memory for all keys
/// twice.
const SHARDS: usize = 64;

/// Slots in a new table.
const FIRST_PLACES: usize = 64;

/// Up to this many slots, a table grows to four times its size, then to twice its size.
const FAST_PLACES: usize = 1_024;

/// A key in two halves (a `u64` would pad the slot by four bytes) and its event. A slot with key 0
/// is free.
type Place = (u32, u32, EventId);

const FREE: Place = (0, 0, EventId(0));

/// Events by hashed key: hash tables with open addressing. Keys are already hashes, so their own bits select the slot;
/// if it is taken, the next free slot is used. Nothing is ever removed.
#[derive(Debug, Default)]
pub(super) struct Keys {
    shards: Vec<Shard>,
    /// Keys that are not in a shard yet; the next lookup of a late key adds them all. Shards are larger than the
    /// processor's cache, so adding a key to one takes a hundred nanoseconds, whereas this list is written in order.
    late: ChunkedVec<Place>,
}

impl Keys {
    /// Binds a key to an event. If a key is bound twice, it stays bound to the first event.
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
    #[inline(never)]
    pub fn get(&self, key: u64) -> Option<EventId> {
        let (upper, lower) = halves(key);
        self.shards.get(upper as usize % SHARDS)?.get(upper, lower)
    }

    /// Like [`Keys::add`], for keys that few files look up.
    pub fn add_late(&mut self, key: u64, event: EventId) {
        let (upper, lower) = halves(key);
        self.late.push((upper, lower, event));
    }

    /// Makes the keys added with [`Keys::add_late`] so far visible to [`Keys::get`].
    pub fn settle(&mut self) {
        if self.late.is_empty() {
            return;
        }
        let mut late = std::mem::take(&mut self.late);
        late.iter().for_each(|place| self.put(*place));
        late.clear();
        self.late = late;
    }
}

/// Free slots have the key 0.
fn halves(key: u64) -> (u32, u32) {
    let key = key.max(1);
    ((key >> 32) as u32, key as u32)
}

#[derive(Debug, Default)]
struct Shard {
    /// A power of two, or zero slots.
    places: Vec<Place>,
    taken: usize,
}

impl Shard {
    #[inline(never)]
    fn get(&self, upper: u32, lower: u32) -> Option<EventId> {
        let place = self.places.get(self.find(upper, lower)?)?;
        ((place.0, place.1) == (upper, lower)).then_some(place.2)
    }

    /// The index of the slot that has a key, or of the free slot where it belongs.
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
        // Growing adds all keys again, so small tables grow faster.
        let factor = if self.places.len() < FAST_PLACES { 4 } else { 2 };
        let len = (self.places.len() * factor).max(FIRST_PLACES);
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
        assert_eq!(keys.get(key(10_000)), None, "not settled");
        keys.settle();
        assert_eq!(keys.get(key(10_000)), Some(EventId::from_index(10_000)));
        assert_eq!(keys.get(key(10_001)), Some(EventId::from_index(10_001)));
        keys.add(0, EventId::from_index(7));
        assert_eq!(keys.get(0), Some(EventId::from_index(7)));
    }
}
