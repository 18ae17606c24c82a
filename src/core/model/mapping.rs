//! Which key of a record has which meaning, for files of no known format.

use serde::{Deserialize, Serialize};

/// A meaning that a key can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Slot {
    /// The sender of the message, or the kind of event.
    Kind,
    /// The text.
    Text,
    /// The name of the tool.
    Tool,
    /// The arguments of a tool call, or the prompt of an LLM call.
    Arguments,
    /// The result of a tool call, or the answer of an LLM call.
    Result,
    /// The id that a call and its result share.
    Call,
    /// The time, or the start time.
    Time,
    /// The end time.
    End,
    /// The duration.
    Duration,
    /// The id of the record.
    Id,
    /// The id of the record that it is nested in.
    Parent,
    /// The model.
    Model,
    /// Input tokens.
    TokensIn,
    /// Output tokens.
    TokensOut,
    /// The error, or whether there was one.
    Error,
}

impl Slot {
    /// All slots, in the order in which they are shown.
    pub const ALL: [Self; 15] = [
        Self::Kind,
        Self::Text,
        Self::Tool,
        Self::Arguments,
        Self::Result,
        Self::Call,
        Self::Time,
        Self::End,
        Self::Duration,
        Self::Id,
        Self::Parent,
        Self::Model,
        Self::TokensIn,
        Self::TokensOut,
        Self::Error,
    ];

    /// The word for the slot in links and reports. It never changes.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Kind => "role",
            Self::Text => "text",
            Self::Tool => "tool",
            Self::Arguments => "args",
            Self::Result => "result",
            Self::Call => "call",
            Self::Time => "time",
            Self::End => "end",
            Self::Duration => "duration",
            Self::Id => "id",
            Self::Parent => "parent",
            Self::Model => "model",
            Self::TokensIn => "tokens-in",
            Self::TokensOut => "tokens-out",
            Self::Error => "error",
        }
    }
}

/// The text of a mapping without keys.
const PLAIN: &str = "records";

/// The word before the path of the list.
const LIST: &str = "list";

/// Longer texts are not accepted as mappings, and deeper paths are ignored, because each path is looked up in every
/// record.
const MAX_TEXT_BYTES: usize = 4_000;
const MAX_STEPS: usize = 16;

/// Where the records of a file are, and which of their keys has which meaning. Paths are keys separated by dots; a `*`
/// stands for every item of a list. Without any keys, records are shown as they are.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Mapping {
    /// The path of the list of records in a document. Empty if the records are lines or documents, or if the document
    /// itself is the list.
    pub list: String,
    keys: [String; Slot::ALL.len()],
}

impl Mapping {
    /// A mapping without keys, for the list at a path.
    #[must_use]
    pub fn of_list(path: &str) -> Self {
        Self { list: path.to_owned(), ..Self::default() }
    }

    /// The path of the key with a meaning; empty if no key has it.
    #[must_use]
    pub fn get(&self, slot: Slot) -> &str {
        self.keys.get(slot as usize).map_or("", String::as_str)
    }

    /// Sets the path of the key with a meaning.
    pub fn set(&mut self, slot: Slot, path: &str) {
        if let Some(key) = self.keys.get_mut(slot as usize) {
            path.clone_into(key);
        }
    }

    /// Whether a key has a meaning.
    #[must_use]
    pub fn has(&self, slot: Slot) -> bool {
        !self.get(slot).is_empty()
    }

    /// The keys that have a meaning.
    pub fn keys(&self) -> impl Iterator<Item = (Slot, &str)> {
        Slot::ALL
            .into_iter()
            .map(|slot| (slot, self.get(slot)))
            .filter(|(_, path)| !path.is_empty())
    }

    /// Whether no key has a meaning, in which case records are shown as they are.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.keys().next().is_none()
    }

    /// A description of what the records look like.
    #[must_use]
    pub fn looks_like(&self) -> &'static str {
        let has = |slot| self.has(slot) && !self.get(slot).contains(".*.");
        if has(Slot::Parent) {
            "as a list of spans"
        } else if has(Slot::Text) && !has(Slot::Arguments) && !has(Slot::Result) {
            "as a list of messages"
        } else if has(Slot::Model) && !has(Slot::Tool) {
            "as a list of LLM calls"
        } else {
            "as a list of events"
        }
    }

    /// Parses the output of [`Display`](std::fmt::Display). `None` if the text is not a mapping. Unknown words are
    /// ignored.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut mapping = Self::default();
        if text == PLAIN {
            return Some(mapping);
        }
        if text.len() > MAX_TEXT_BYTES {
            return None;
        }
        for pair in text.split('~') {
            let (word, path) = pair.split_once(':')?;
            let path = path.replace("%7E", "~").replace("%25", "%");
            if path.split('.').count() > MAX_STEPS {
                continue;
            }
            if word == LIST {
                mapping.list = path;
            } else if let Some(slot) = Slot::ALL.into_iter().find(|slot| slot.word() == word) {
                mapping.set(slot, &path);
            }
        }
        (!mapping.is_plain()).then_some(mapping)
    }
}

impl std::fmt::Display for Mapping {
    /// Writes the mapping for links and storage: `list:turns~role:author~text:body.text`, or `records`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_plain() {
            return f.write_str(PLAIN);
        }
        let list = (!self.list.is_empty()).then_some((LIST, self.list.as_str()));
        let keys = self.keys().map(|(slot, path)| (slot.word(), path));
        for (at, (word, path)) in list.into_iter().chain(keys).enumerate() {
            let path = path.replace('%', "%25").replace('~', "%7E");
            write!(f, "{}{word}:{path}", if at > 0 { "~" } else { "" })?;
        }
        Ok(())
    }
}

/// The keys of a file of no known format.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Shape {
    /// A hash of the keys that most records have. It is the same for all files of one producer.
    pub fingerprint: String,
    /// The lists that may contain the records, the likeliest first.
    pub lists: Vec<ListShape>,
}

/// A list of records.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ListShape {
    /// Its path, see [`Mapping::list`].
    pub path: String,
    /// How many records were examined.
    pub n_records: u32,
    /// The keys of the records, in the order of the file.
    pub keys: Vec<KeyShape>,
}

/// A key of the records of a list.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct KeyShape {
    /// Its path.
    pub path: String,
    /// How many values were examined.
    pub n_values: u32,
    /// The types of the values, as JSON names them.
    pub types: Vec<String>,
    /// Bytes of the shortest and of the longest value, as written in the file.
    pub len_bytes: (u32, u32),
    /// The beginning of the first value.
    pub example: String,
}

/// How the records of a file of no known format are read.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reading {
    /// The mapping of its keys.
    pub mapping: Mapping,
    /// Whether the user chose the mapping, now or for an earlier file with the same keys.
    pub is_chosen: bool,
    /// The keys.
    pub shape: Shape,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_is_written_and_read_again() {
        let mut mapping = Mapping::of_list("a.*.turns");
        mapping.set(Slot::Kind, "who: ~%7E");
        mapping.set(Slot::TokensOut, "usage.out");
        let text = mapping.to_string();
        assert_eq!(text, "list:a.*.turns~role:who: %7E%257E~tokens-out:usage.out");
        assert_eq!(Mapping::parse(&text), Some(mapping));
        let later = Mapping::parse("color:red~text:body").unwrap();
        assert_eq!(later.to_string(), "text:body");
    }

    #[test]
    fn records_can_be_shown_as_they_are() {
        let plain = Mapping::parse("records").unwrap();
        assert!(plain.is_plain());
        assert_eq!(plain.to_string(), "records");
        for text in ["", "role", "list:a", "x:y"] {
            assert_eq!(Mapping::parse(text), None, "{text}");
        }
    }

    #[test]
    fn absurd_mappings_are_passed_over() {
        let deep = "a.".repeat(40);
        let mapping = Mapping::parse(&format!("text:{deep}b~tool:x")).unwrap();
        assert_eq!(mapping.to_string(), "tool:x");
        assert_eq!(Mapping::parse(&format!("text:{}", "a".repeat(5_000))), None);
    }

    #[test]
    fn slots_stand_in_the_order_of_their_numbers() {
        for (at, slot) in Slot::ALL.into_iter().enumerate() {
            assert_eq!(slot as usize, at);
        }
    }
}
