//! Interned names, so that an event needs only four bytes for its tool or model.

use rustc_hash::FxHashMap;

use super::NameId;

/// Tool names, model names, error types. Id 0 is the empty name.
#[derive(Debug, Clone)]
pub struct Names {
    texts: Vec<Box<str>>,
    ids: FxHashMap<Box<str>, NameId>,
}

impl Default for Names {
    fn default() -> Self {
        Self { texts: vec![Box::from("")], ids: FxHashMap::default() }
    }
}

impl Names {
    /// The longest name that is kept, in bytes. A longer one is cut at a character boundary.
    pub const MAX_BYTES: usize = 300;

    /// Interns a name.
    #[inline(never)]
    pub fn intern(&mut self, text: &str) -> NameId {
        if text.is_empty() {
            return NameId::NONE;
        }
        let text = text.get(..text.floor_char_boundary(Self::MAX_BYTES)).unwrap_or(text);
        if let Some(id) = self.ids.get(text) {
            return *id;
        }
        let id = NameId::from_index(self.texts.len());
        self.texts.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }

    /// The text of a name; empty for an unknown id.
    #[must_use]
    pub fn get(&self, id: NameId) -> &str {
        self.texts.get(id.index()).map_or("", |text| text)
    }

    /// All names, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(AsRef::as_ref)
    }
}
