//! Annotations as Invariant Explorer writes them: `{content, address, extra_metadata: {source, …}}`.

use traceloupe_core::json::KeySet;
use traceloupe_core::model::{AnnotationKind, THUMBS_DOWN, THUMBS_UP};
use traceloupe_engine::fields::{entries, fields, given, text, word};

/// An annotation as it is written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Written {
    /// Its text.
    pub content: String,
    /// The place that it points at.
    pub address: String,
    /// Its creator: `user`, `analyzer`, `guardrails-error`…
    pub source: String,
    /// Its severity, where a program states one.
    pub severity: String,
    /// `proposed`, `accepted`, `rejected`.
    pub status: String,
    /// Who wrote it.
    pub author: String,
    /// The time, as written.
    pub time: String,
    /// All other fields of the annotation, as label and value.
    pub extra: Vec<(String, String)>,
}

/// How many other fields of an annotation are shown, and how much of each.
const MAX_EXTRA: usize = 20;
const MAX_EXTRA_CHARS: usize = 2_000;

/// The kind of an annotation in JSON; `None` if it has no content or no address, and so is not an annotation.
#[must_use]
pub fn kind_of(raw: &str) -> Option<AnnotationKind> {
    let [content, address, extra] =
        fields(raw, const { &KeySet::new(["content", "address", "extra_metadata"]) })?;
    let (content, _) = (content?, address?);
    let [source, passed] = extra
        .and_then(|extra| fields(extra, const { &KeySet::new(["source", "passed"]) }))
        .unwrap_or_default();
    let source = text(source).unwrap_or_default();
    let passed = match passed {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    };
    // A content longer than a vote is not a vote and need not be decoded.
    let content = Some(content).filter(|raw| raw.len() < 64);
    Some(kind(&text(content).unwrap_or_default(), &source, passed))
}

/// The kind, from content, source and `passed`.
#[must_use]
pub fn kind(content: &str, source: &str, passed: Option<bool>) -> AnnotationKind {
    match (content, source) {
        (THUMBS_UP, _) => AnnotationKind::ThumbsUp,
        (THUMBS_DOWN, _) => AnnotationKind::ThumbsDown,
        (_, "analyzer" | "analyzer-model" | "accepted-analyzer-model") => AnnotationKind::Analyzer,
        (_, "search") => AnnotationKind::Search,
        (_, source) if source.starts_with("guardrails-") => AnnotationKind::Guardrail,
        (_, source) if source.starts_with("test-") => {
            match passed.unwrap_or(source.ends_with("-passed")) {
                true => AnnotationKind::TestPassed,
                false => AnnotationKind::TestFailed,
            }
        }
        _ => AnnotationKind::Comment,
    }
}

/// Reads an annotation. Missing fields are empty.
#[must_use]
pub fn written(raw: &str) -> Written {
    let keys =
        const { &KeySet::new(["content", "address", "extra_metadata", "user", "time_created"]) };
    let Some([content, address, extra, user, time]) = fields(raw, keys) else {
        return Written::default();
    };
    let words = |raw: Option<&str>| match (text(raw), given(raw)) {
        (Some(text), _) => text.into_owned(),
        (None, Some(raw)) => raw.to_owned(),
        (None, None) => String::new(),
    };
    let author = match given(user)
        .and_then(|user| fields(user, const { &KeySet::new(["username", "id"]) }))
    {
        Some([name, id]) => words(name.or(id)),
        None => words(user),
    };
    let mut found = Written {
        content: words(content),
        address: words(address),
        author,
        time: words(time),
        ..Written::default()
    };
    for (key, value) in extra.map(entries).unwrap_or_default() {
        let shown = word(Some(value)).map_or_else(|| value.to_owned(), |word| word.into_owned());
        match key.as_ref() {
            "source" => found.source = shown,
            "severity" => found.severity = shown,
            "status" => found.status = shown,
            _ if found.extra.len() < MAX_EXTRA => {
                let shown = shown.chars().take(MAX_EXTRA_CHARS).collect();
                found.extra.push((key.into_owned(), shown));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_has_its_kind() {
        let cases = [
            ("user", None, AnnotationKind::Comment),
            ("", None, AnnotationKind::Comment),
            ("someone new", None, AnnotationKind::Comment),
            ("analyzer", None, AnnotationKind::Analyzer),
            ("analyzer-model", None, AnnotationKind::Analyzer),
            ("accepted-analyzer-model", None, AnnotationKind::Analyzer),
            ("guardrails-error", None, AnnotationKind::Guardrail),
            ("guardrails-failure", None, AnnotationKind::Guardrail),
            ("test-assertion", None, AnnotationKind::TestFailed),
            ("test-assertion-passed", None, AnnotationKind::TestPassed),
            ("test-expectation", Some(true), AnnotationKind::TestPassed),
            ("test-expectation-passed", Some(false), AnnotationKind::TestFailed),
            ("search", None, AnnotationKind::Search),
        ];
        for (source, passed, expected) in cases {
            assert_eq!(kind("words", source, passed), expected, "{source}");
        }
        assert_eq!(kind(THUMBS_UP, "user", None), AnnotationKind::ThumbsUp);
        assert_eq!(kind(THUMBS_DOWN, "", None), AnnotationKind::ThumbsDown);
    }

    #[test]
    fn an_annotation_is_read_whatever_its_types() {
        let raw = r#"{"content":"a\nb","address":"<root>","user":{"id":"7","username":"u"},"time_created":"2025-01-01","extra_metadata":{"source":"analyzer","severity":0.5,"status":"proposed","rule":{"x":1}}}"#;
        let found = written(raw);
        assert_eq!((found.content.as_str(), found.address.as_str()), ("a\nb", "<root>"));
        assert_eq!((found.severity.as_str(), found.status.as_str()), ("0.5", "proposed"));
        assert_eq!((found.author.as_str(), found.time.as_str()), ("u", "2025-01-01"));
        assert_eq!(found.extra, [("rule".to_owned(), "{\"x\":1}".to_owned())]);
        assert_eq!(kind_of(raw), Some(AnnotationKind::Analyzer));
        assert_eq!(kind_of(r#"{"content":"x"}"#), None);
        assert_eq!(kind_of("7"), None);
        assert_eq!(written(r#"{"content":{"a":1},"extra_metadata":[1]}"#).content, "{\"a\":1}");
    }
}
