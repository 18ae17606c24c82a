//! Rules that match the names of a model or a provider.

use regex_lite::{Regex, RegexBuilder};
use traceloupe_core::case::lowercase;

use traceloupe_core::json::Json;

/// The largest compiled expression, in bytes.
const MAX_PROGRAM_BYTES: usize = 32 << 10;

/// The deepest nesting of rules; the list has three levels.
const MAX_DEPTH: u32 = 8;

/// A rule about a lower-case name.
#[derive(Debug)]
pub(super) enum Rule {
    Equals(String),
    StartsWith(String),
    EndsWith(String),
    Contains(String),
    Regex(Box<Regex>),
    Any(Vec<Self>),
    All(Vec<Self>),
    Not(Box<Self>),
}

impl Rule {
    /// Reads a rule: a text with a sign in front, or a list that begins with a sign. `None` if it cannot be parsed.
    pub(super) fn read(json: Json<'_>) -> Option<Self> {
        Self::at_depth(json, 0)
    }

    fn at_depth(json: Json<'_>, depth: u32) -> Option<Self> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(text) = json.text() {
            return Self::of_text(&text);
        }
        let mut items = json.items();
        let sign = items.next()?.text()?;
        // In a list of alternatives, one that cannot be parsed does not invalidate the others.
        let mut rules = items.map(|item| Self::at_depth(item, depth + 1));
        match sign.as_ref() {
            "|" => Some(Self::Any(rules.flatten().collect())),
            "&" => rules.collect::<Option<_>>().map(Self::All),
            "!" => Some(Self::Not(Box::new(rules.next()??))),
            _ => None,
        }
    }

    fn of_text(text: &str) -> Option<Self> {
        let mut rest = text.chars();
        let sign = rest.next()?;
        let rest = rest.as_str();
        let small = || lowercase(rest);
        Some(match sign {
            '=' => Self::Equals(small()),
            '^' => Self::StartsWith(small()),
            '$' => Self::EndsWith(small()),
            '*' => Self::Contains(small()),
            '/' => {
                let built = RegexBuilder::new(rest).size_limit(MAX_PROGRAM_BYTES).build();
                Self::Regex(Box::new(built.ok()?))
            }
            _ => return None,
        })
    }

    /// Whether a lower-case name matches.
    pub(super) fn is_match(&self, name: &str) -> bool {
        match self {
            Self::Equals(text) => name == text,
            Self::StartsWith(text) => name.starts_with(text),
            Self::EndsWith(text) => name.ends_with(text),
            Self::Contains(text) => name.contains(text),
            Self::Regex(regex) => regex.is_match(name),
            Self::Any(rules) => rules.iter().any(|rule| rule.is_match(name)),
            Self::All(rules) => rules.iter().all(|rule| rule.is_match(name)),
            Self::Not(rule) => !rule.is_match(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sign_means_its_comparison() {
        let is = |rule: &str, name| Rule::read(Json::new(rule)).unwrap().is_match(name);
        assert!(is(r#""=Model-1""#, "model-1") && !is(r#""=model""#, "model-1"));
        assert!(is(r#""^model""#, "model-1") && !is(r#""^1""#, "model-1"));
        assert!(is(r#""$-1""#, "model-1") && !is(r#""$model""#, "model-1"));
        assert!(is(r#""*del""#, "model-1"));
        assert!(is(r#""/^model-\\d$""#, "model-1") && !is(r#""/^model-\\d$""#, "model-12"));
        assert!(is(r#"["|","=a",["&","^b",["!","$c"]]]"#, "bd"));
        assert!(!is(r#"["|","=a",["&","^b",["!","$c"]]]"#, "bc"));
    }

    #[test]
    fn what_is_not_understood_matches_nothing() {
        for rule in
            [r#""model""#, r#""/(""#, "7", "[]", r#"["?","=a"]"#, r#"["!"]"#, r#"["&","=a","b"]"#]
        {
            assert!(Rule::read(Json::new(rule)).is_none(), "{rule}");
        }
        let some = Rule::read(Json::new(r#"["|","b","=a"]"#)).unwrap();
        assert!(some.is_match("a") && !some.is_match("b"));
        let deep = format!("{}\"=a\"{}", r#"["|","#.repeat(9), "]".repeat(9));
        assert!(Rule::read(Json::new(&deep)).is_none_or(|rule| !rule.is_match("a")));
    }
}
