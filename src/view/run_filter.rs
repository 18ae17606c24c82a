//! Filters the list of runs with Invariant Explorer's syntax: `is:annotated`, `not:annotated`,
//! `is:invariant`, `meta:key=value`, and words of a name.

use traceloupe_core::case::lowercase;
use traceloupe_core::number;
use traceloupe_core::number::shortest;
use traceloupe_protocol::outline::RunLine;
use traceloupe_words as words;

/// A parsed filter.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunFilter {
    terms: Vec<Term>,
    /// Parts of the filter that could not be understood.
    pub faults: Vec<String>,
}

#[derive(Clone, PartialEq, Debug)]
enum Term {
    /// Has annotations (`true`) or has none (`false`).
    Annotated(bool),
    /// Has findings of an analysis.
    Analysed,
    /// A fact that is compared with a value.
    Fact(String, Compare, String),
    /// The name or a group contains this text, in lower case.
    Words(String),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Compare {
    Equal,
    Contains,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Longer operators come first, because some operators are prefixes of others.
const COMPARES: [(&str, Compare); 6] = [
    (">=", Compare::GreaterOrEqual),
    ("<=", Compare::LessOrEqual),
    (">", Compare::Greater),
    ("<", Compare::Less),
    ("=", Compare::Equal),
    ("%", Compare::Contains),
];

impl RunFilter {
    /// Parses a filter. All terms must match; quotes keep words together.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut filter = Self::default();
        for word in words_of(text) {
            let lower = lowercase(&word);
            let term = match lower.as_str() {
                "is:annotated" => Some(Term::Annotated(true)),
                "not:annotated" | "no:annotated" => Some(Term::Annotated(false)),
                "is:invariant" => Some(Term::Analysed),
                _ if lower.starts_with("meta:") => word.get("meta:".len()..).and_then(fact_term),
                _ if lower.starts_with("is:")
                    || lower.starts_with("not:")
                    || lower.starts_with("no:") =>
                {
                    None
                }
                _ => Some(Term::Words(lower)),
            };
            match term {
                Some(term) => filter.terms.push(term),
                None => filter.faults.push(word),
            }
        }
        filter
    }

    /// Whether the filter matches every run.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether a run matches. `n_own` is the number of the user's own annotations on it.
    #[must_use]
    pub fn fits(&self, run: &RunLine, n_own: u32) -> bool {
        self.terms.iter().all(|term| match term {
            Term::Annotated(wanted) => (run.annotations.all + n_own > 0) == *wanted,
            Term::Analysed => run.annotations.analyzer + run.annotations.guardrails > 0,
            Term::Fact(key, compare, wanted) => {
                // The key is a label that the user saw among the facts.
                let mut facts = run.facts.iter().filter(|it| words::fact(&it.kind) == *key);
                facts.any(|it| compare.holds(&words::fact_value(&it.value), wanted))
                    || graded(run, key).is_some_and(|value| compare.holds(&value, wanted))
            }
            Term::Words(words) => {
                let mut texts = std::iter::once(&run.title).chain(&run.groups);
                texts.any(|text| lowercase(text).contains(words))
            }
        })
    }
}

/// A grader's score or verdict, under the keys that other runs use among their facts.
fn graded(run: &RunLine, key: &str) -> Option<String> {
    match key {
        "score" => run.score.map(shortest),
        "verdict" => run.verdict.map(|it| it.word().to_owned()),
        _ => None,
    }
}

impl Compare {
    fn holds(self, value: &str, wanted: &str) -> bool {
        let numbers = || Some((number::parse(value)?, number::parse(wanted)?));
        match self {
            Self::Equal => {
                value.eq_ignore_ascii_case(wanted)
                    || numbers().is_some_and(|(a, b)| a.total_cmp(&b).is_eq())
            }
            Self::Contains => lowercase(value).contains(&lowercase(wanted)),
            Self::Less => numbers().is_some_and(|(a, b)| a < b),
            Self::LessOrEqual => numbers().is_some_and(|(a, b)| a <= b),
            Self::Greater => numbers().is_some_and(|(a, b)| a > b),
            Self::GreaterOrEqual => numbers().is_some_and(|(a, b)| a >= b),
        }
    }
}

/// Parses `key=value` and other comparisons.
fn fact_term(text: &str) -> Option<Term> {
    let at = text.find(['=', '<', '>', '%'])?;
    let (key, rest) = text.split_at_checked(at)?;
    let (sign, compare) = COMPARES.iter().find(|(sign, _)| rest.starts_with(sign))?;
    let value = rest.get(sign.len()..)?;
    (!key.is_empty()).then(|| Term::Fact(key.to_owned(), *compare, value.to_owned()))
}

/// Splits at white space, except inside quotes.
fn words_of(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for char in text.chars() {
        match (char, quote) {
            ('"' | '\'', None) => quote = Some(char),
            (char, Some(open)) if char == open => quote = None,
            (char, None) if char.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            (char, _) => word.push(char),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::{AnnotationTally, Fact, RunVerdict};

    fn run() -> RunLine {
        let facts = [("success", "true"), ("score", "0.75"), ("model", "GPT-4 turbo")];
        RunLine {
            title: "Banking Task 11".to_owned(),
            groups: vec!["suite".to_owned()],
            facts: facts.map(|(key, value)| Fact::new(key.into(), value.to_owned())).to_vec(),
            annotations: AnnotationTally { all: 2, analyzer: 1, ..AnnotationTally::default() },
            ..RunLine::default()
        }
    }

    #[test]
    fn all_terms_must_hold() {
        let fits = |text: &str| RunFilter::parse(text).fits(&run(), 0);
        for text in [
            "",
            "banking",
            "TASK suite",
            "\"task 11\"",
            "is:annotated",
            "is:invariant",
            "meta:success=true",
            "meta:success=True",
            "meta:score=0.750",
            "meta:score>0.5 meta:score<1",
            "meta:score>=0.75 meta:score<=0.75",
            "meta:model%gpt",
            "meta:model='gpt-4 turbo' is:annotated banking",
        ] {
            assert!(fits(text), "{text}");
        }
        for text in [
            "other",
            "not:annotated",
            "no:annotated",
            "meta:success=false",
            "meta:score>0.75",
            "meta:score<0.75",
            "meta:model>1",
            "meta:missing=1",
            "meta:model%claude",
            "banking is:annotated other",
        ] {
            assert!(!fits(text), "{text}");
        }
        assert!(RunFilter::parse("not:annotated").fits(&RunLine::default(), 0));
        assert!(RunFilter::parse("is:annotated").fits(&RunLine::default(), 1));
        let graded = RunLine {
            score: Some(0.5),
            verdict: Some(RunVerdict::Borderline),
            ..RunLine::default()
        };
        let fits = |text: &str| RunFilter::parse(text).fits(&graded, 0);
        assert!(fits("meta:score<0.6 meta:verdict=borderline"));
        assert!(!fits("meta:score>0.5") && !fits("meta:verdict=fail"));
    }

    #[test]
    fn what_cannot_be_understood_is_said() {
        let filter = RunFilter::parse("is:nothing meta:x meta:=1 name");
        assert_eq!(filter.faults, ["is:nothing", "meta:x", "meta:=1"]);
        assert!(!filter.is_empty());
        assert!(RunFilter::parse("  ").is_empty());
    }
}
