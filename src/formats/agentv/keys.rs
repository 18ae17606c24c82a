//! The values of an object by their keys, in `snake_case` or in `camelCase`: AgentV writes the one and accepts both.

use crate::json::{Json, Kind};

/// An object. Any other value has no keys.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Keys<'a> {
    pub json: Json<'a>,
    /// Whether any of its keys may be in `camelCase`.
    is_camel: bool,
}

impl<'a> Keys<'a> {
    #[inline(never)]
    pub fn new(json: Json<'a>) -> Self {
        let has_capitals = |key: &str| key.bytes().any(|byte| byte.is_ascii_uppercase());
        let is_camel = json.members().any(|(key, value)| {
            has_capitals(&key) || value.members().any(|(key, _)| has_capitals(&key))
        });
        Self { json, is_camel }
    }

    /// The first value other than `null` at some paths, with `|` between them.
    #[inline(never)]
    pub fn at(self, paths: &str) -> Json<'a> {
        let step = |value: Json<'a>, step: &str| {
            value.members().filter(|(key, _)| is_same_name(key, step)).last().unwrap_or_default().1
        };
        let mut found = paths.split('|').map(|path| {
            let value = match self.is_camel {
                true => path.split('.').fold(self.json, step),
                false => self.json.get(path),
            };
            // The keys of attributes have dots themselves.
            let is_path = path.contains('.') && !value.is_given();
            if is_path { self.json.field(path) } else { value }
        });
        found.find(|value| value.is_given()).unwrap_or_default()
    }

    /// The object at a path.
    pub fn inner(self, path: &str) -> Self {
        Self::new(self.at(path))
    }

    /// The list at a path.
    pub fn list(self, path: &str) -> Option<Json<'a>> {
        Some(self.at(path)).filter(|value| value.kind() == Kind::Array)
    }

    /// Whether there is a value at a path.
    pub fn has(self, path: &str) -> bool {
        self.at(path).is_given()
    }
}

/// Whether two names are the same but for case and underscores: `knowledgeSearch` and
/// `knowledge_search`. AgentV's converter rewrote even the names of tools, where they were keys.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    let letters = |name: &str| {
        let letters = name.bytes().filter(|byte| *byte != b'_');
        letters.map(|byte| byte.to_ascii_lowercase()).collect::<Vec<_>>()
    };
    // Most names differ in their first letter.
    let first = |name: &str| name.bytes().next().map(|byte| byte.to_ascii_lowercase());
    first(one) == first(other) && letters(one) == letters(other)
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
        let inner = Keys::new(Json::new(r#"{"trace": {"traceId": 2}}"#));
        assert_eq!(inner.at("trace.trace_id").raw(), "2");
    }
}
