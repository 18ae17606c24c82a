//! Which event goes by which key.

use rustc_hash::FxHashMap;

use super::EventId;

/// So many maps share the keys. Each grows on its own, so that never all of them are there twice.
const SHARDS: usize = 64;

/// The upper and the lower half of a key: as a `u64` it would want four bytes more in each place.
type Halves = [u32; 2];

/// Events by hashed key.
#[derive(Debug, Default)]
pub(super) struct Keys(Vec<FxHashMap<Halves, EventId>>);

impl Keys {
    /// Remembers an event under a key. The first event of a key keeps it.
    pub fn add(&mut self, key: u64, event: EventId) {
        if self.0.is_empty() {
            self.0.resize_with(SHARDS, FxHashMap::default);
        }
        let (halves, shard) = place(key);
        if let Some(map) = self.0.get_mut(shard) {
            map.entry(halves).or_insert(event);
        }
    }

    /// The event of a key.
    pub fn get(&self, key: u64) -> Option<EventId> {
        let (halves, shard) = place(key);
        self.0.get(shard)?.get(&halves).copied()
    }
}

fn place(key: u64) -> (Halves, usize) {
    let halves = [(key >> 32) as u32, key as u32];
    (halves, (key >> 32) as usize % SHARDS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::key_hash;

    #[test]
    fn the_first_event_of_a_key_keeps_it() {
        let mut keys = Keys::default();
        let key = |at: usize| key_hash(&[&at.to_string()]);
        assert_eq!(keys.get(key(0)), None);
        for at in 0..10_000 {
            keys.add(key(at), EventId::from_index(at));
            keys.add(key(at), EventId::from_index(at + 1));
        }
        for at in 0..10_000 {
            assert_eq!(keys.get(key(at)), Some(EventId::from_index(at)));
        }
        assert_eq!(keys.get(key(10_000)), None);
    }
}
