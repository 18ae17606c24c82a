//! The tools that calls and expectations name, as numbers.

use rustc_hash::FxHashMap;

/// Names by number, in the order in which they came up.
#[derive(Debug, Default)]
pub(super) struct ToolNames {
    names: Vec<String>,
    ids: FxHashMap<String, u32>,
}

impl ToolNames {
    /// The number of a name.
    pub fn id(&mut self, name: &str) -> u32 {
        if let Some(id) = self.ids.get(name) {
            return *id;
        }
        let id = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), id);
        id
    }

    /// The name of a number.
    pub fn name(&self, id: u32) -> &str {
        self.names.get(id as usize).map_or("", String::as_str)
    }
}

/// A call as the rules see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The event.
    pub event: u32,
    /// The number of its tool's name.
    pub tool: u32,
    /// How long it took, in milliseconds.
    pub duration_ms: Option<f64>,
}

/// Which expected items each call fits: for every call a stretch of item numbers.
#[derive(Debug, Default)]
pub(super) struct Fits {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Fits {
    /// Adds the items that the next call fits, the lower ones first.
    pub fn push(&mut self, items: impl Iterator<Item = usize>) {
        self.items.extend(items.map(|it| u32::try_from(it).unwrap_or(u32::MAX)));
        self.ends.push(u32::try_from(self.items.len()).unwrap_or(u32::MAX));
    }

    /// Whether a call fits an item.
    pub fn has(&self, call: usize, item: usize) -> bool {
        let item = u32::try_from(item).unwrap_or(u32::MAX);
        self.of(call).binary_search(&item).is_ok()
    }

    /// The items that a call fits.
    pub fn of(&self, call: usize) -> &[u32] {
        let end = |at: usize| self.ends.get(at).copied().unwrap_or(0) as usize;
        let start = call.checked_sub(1).map_or(0, end);
        self.items.get(start..end(call)).unwrap_or_default()
    }
}
