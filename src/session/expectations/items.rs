//! Numbers for the tool names in calls and expectations.

use rustc_hash::FxHashMap;

/// Names by number, in order of first appearance.
#[derive(Debug, Default)]
pub(super) struct ToolNames {
    names: Vec<String>,
    ids: FxHashMap<String, u32>,
}

impl ToolNames {
    /// The number of a name, which is assigned if it is new.
    pub fn id(&mut self, name: &str) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The name for a number.
    pub fn name(&self, id: u32) -> &str {
        self.names.get(id as usize).map_or("", String::as_str)
    }
}

/// A call, reduced to what the rules need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Id of the event.
    pub event: u32,
    /// The number of the tool's name.
    pub tool: u32,
    /// Duration in milliseconds.
    pub duration_ms: Option<f64>,
}

/// For each call, the indices of the expected items that it matches.
#[derive(Debug, Default)]
pub(super) struct Fits {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Fits {
    /// Adds the items that the next call matches, in ascending order.
    pub fn push(&mut self, items: impl Iterator<Item = usize>) {
        self.items.extend(items.map(|it| u32::try_from(it).unwrap_or(u32::MAX)));
        self.ends.push(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
    }

    /// Whether a call matches an item.
    pub fn has(&self, call: usize, item: usize) -> bool {
        let item = u32::try_from(item).unwrap_or(u32::MAX);
        self.of(call).binary_search(&item).is_ok()
    }

    /// The items that a call matches.
    pub fn of(&self, call: usize) -> &[u32] {
        let end = |at: usize| self.ends.get(at).copied().unwrap_or(0) as usize;
        let start = call.checked_sub(1).map_or(0, end);
        self.items.get(start..end(call)).unwrap_or_default()
    }
}
