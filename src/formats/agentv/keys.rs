//! The values of an object by their keys, in `snake_case` or in `camelCase`: AgentV writes one and accepts both.

use traceloupe_core::json::{Json, Kind};

/// An object. Any other value has no keys.
#[derive(Debug)]
pub(super) struct Keys<'a> {
    pub json: Json<'a>,
    /// The marks of its keys: a cheap check, because most of the requested keys are missing.
    marks: u64,
    /// Whether any of its keys is in `camelCase`.
    is_camel: bool,
}

/// The mark of a key: one of 64 bits.
fn mark(key: &str) -> u64 {
    let bytes = key.as_bytes();
    let ends =
        bytes.first().zip(bytes.last()).map_or(0, |(first, last)| first ^ last.rotate_left(3));
    1 << ((usize::from(ends) + bytes.len()) & 63)
}

impl<'a> Keys<'a> {
    #[inline(never)]
    pub fn new(json: Json<'a>) -> Self {
        let mut keys = Self { json, marks: 0, is_camel: false };
        for (key, _) in json.members() {
            keys.marks |= mark(&key);
            keys.is_camel |= key.bytes().any(|byte| byte.is_ascii_uppercase());
        }
        keys
    }

    /// The first value other than `null` at some paths, with `|` between them.
    #[inline(never)]
    pub fn at(&self, paths: &str) -> Json<'a> {
        for path in paths.split('|') {
            // The keys of attributes have dots themselves.
            let mut found = self.member(path);
            if let (false, Some((key, path))) = (found.is_given(), path.split_once('.')) {
                found = self.member(key);
                if found.is_given() {
                    found = Self::new(found).at(path);
                }
            }
            if found.is_given() {
                return found;
            }
        }
        Json::ABSENT
    }

    /// The last member with a key.
    fn member(&self, key: &str) -> Json<'a> {
        match self.is_camel {
            true => {
                let same = self.json.members().filter(|it| is_same_name(&it.0, key));
                same.last().unwrap_or_default().1
            }
            false if self.marks & mark(key) == 0 => Json::ABSENT,
            false => self.json.field(key),
        }
    }

    /// The object at a path.
    pub fn inner(&self, path: &str) -> Self {
        Self::new(self.at(path))
    }

    /// The list at a path.
    pub fn list(&self, path: &str) -> Option<Json<'a>> {
        Some(self.at(path)).filter(|value| value.kind() == Kind::Array)
    }

    /// Whether there is a value other than `null` at one of some paths, for each `&` between such.
    #[inline(never)]
    pub fn has(&self, paths: &str) -> bool {
        paths.split('&').all(|paths| self.at(paths).is_given())
    }
}

/// Whether two names differ only in case and underscores: `knowledgeSearch` and `knowledge_search`. AgentV's converter
/// rewrote even the names of tools, where they were keys.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    letters(one).eq(letters(other))
}

fn letters(name: &str) -> impl Iterator<Item = u8> {
    name.bytes().filter(|byte| *byte != b'_').map(|byte| byte.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_both_cases() {
        let text =
            r#"{"testId": "a", "token_usage": {"x": 1}, "score": null, "trace": {"traceId": 2}}"#;
        let keys = Keys::new(Json::new(text));
        assert_eq!(keys.at("test_id").raw(), "\"a\"");
        assert_eq!(keys.inner("tokenUsage").at("x").raw(), "1");
        assert_eq!(keys.at("trace.trace_id").raw(), "2");
        assert!(!keys.has("score") && keys.at("score|test_id").is_given());
        assert!(is_same_name("knowledgeSearch", "knowledge_search"));
        assert!(!is_same_name("search", "searches"));
        assert!(!Keys::new(Json::new("[]")).has("score"));
        let inner = Keys::new(Json::new(r#"{"trace": {"traceId": 2}, "a.b": 3, "c": 4}"#));
        assert_eq!(inner.at("trace.trace_id").raw(), "2");
        assert_eq!(inner.at("x|a.b").raw(), "3");
        assert!(inner.has("x|c&trace") && !inner.has("x|c&y"));
    }
}
