//! The members of an object by name, whether the name is written `snake_case` or `camelCase`: AgentV
//! writes the one and accepts both.

use std::borrow::Cow;

use crate::format::ProbeRecord;
use crate::format::fields::{JsonValue, given};
use crate::json::{Json, Kind};

/// The members of one object.
pub(super) struct Members<'a>(Vec<(Cow<'a, str>, Json<'a>)>);

impl<'a> Members<'a> {
    /// Takes an object apart. `None` for a value that is not an object.
    pub fn new(value: impl JsonValue<'a>) -> Option<Self> {
        let json = value.json();
        (json.kind() == Kind::Object).then(|| Self(json.members().collect()))
    }

    /// The top-level fields of a record that detection looks at.
    pub fn of_probe(record: &ProbeRecord<'a>) -> Self {
        Self(record.json().members().collect())
    }

    /// The value of a member, the last one of that name; `null` counts as absent.
    #[inline(never)]
    pub fn value(&self, name: &str) -> Option<Json<'a>> {
        let found = self.0.iter().rev().find(|(key, _)| is_same_name(key, name));
        given(found.map(|(_, value)| *value))
    }

    /// The value of the first of several names that is there; absent if none is.
    pub fn at(&self, names: &[&str]) -> Json<'a> {
        self.any_value(names).unwrap_or_default()
    }

    /// The raw value of a member, like [`Members::value`].
    #[inline(never)]
    pub fn get(&self, name: &str) -> Option<&'a str> {
        self.value(name).map(Json::raw)
    }

    /// The value of the first of several names that is there.
    pub fn any_value(&self, names: &[&str]) -> Option<Json<'a>> {
        names.iter().find_map(|name| self.value(name))
    }

    /// The value of a member, if it is a list.
    pub fn list(&self, name: &str) -> Option<Json<'a>> {
        self.value(name).filter(|value| value.kind() == Kind::Array)
    }

    /// The raw value of the first of several names that is there.
    pub fn any(&self, names: &[&str]) -> Option<&'a str> {
        self.any_value(names).map(Json::raw)
    }

    /// Whether a member is there and not `null`.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The members of an object member; none where it is no object.
    #[inline(never)]
    pub fn object(&self, name: &str) -> Self {
        self.value(name).and_then(Self::new).unwrap_or(Self(Vec::new()))
    }

    /// The members whose names are not among the known ones.
    pub fn others<'m>(
        &'m self,
        known: &'m [&str],
    ) -> impl Iterator<Item = (Cow<'a, str>, Json<'a>)> + 'm {
        let is_known = |key: &str| known.iter().any(|name| is_same_name(key, name));
        self.0.iter().filter(move |(key, _)| !is_known(key)).cloned()
    }
}

/// Whether two names are the same but for case and underscores: `knowledgeSearch` and
/// `knowledge_search`. AgentV's converter rewrote even the names of tools, where they were keys.
pub(super) fn is_same_name(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    // Most names differ in their first or their last letter.
    let ends = |name: &str| {
        let ends = name.as_bytes().first().zip(name.as_bytes().last());
        ends.map(|(first, last)| (first.to_ascii_lowercase(), last.to_ascii_lowercase()))
    };
    if ends(one) != ends(other) {
        return false;
    }
    let mut other = other.bytes().filter(|it| *it != b'_');
    let mut one = one.bytes().filter(|it| *it != b'_');
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a.eq_ignore_ascii_case(&b) => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_both_cases() {
        let members = Members::new(r#"{"testId": "a", "token_usage": {"x": 1}, "score": null}"#);
        let members = members.unwrap();
        assert_eq!(members.get("test_id"), Some("\"a\""));
        assert_eq!(members.object("tokenUsage").get("x"), Some("1"));
        assert!(!members.has("score") && members.any(&["score", "test_id"]).is_some());
        let rest: Vec<_> = members.others(&["test_id"]).map(|(key, _)| key).collect();
        assert_eq!(rest, ["token_usage", "score"]);
        assert!(is_same_name("knowledgeSearch", "knowledge_search"));
        assert!(!is_same_name("search", "searches"));
        assert!(Members::new("[]").is_none());
    }
}
