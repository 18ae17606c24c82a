//! Completions of the word that is being typed.

use super::facets::Facets;
use super::parse::{keys, values_of};
use super::split::split;
use super::{Key, Measure, RowFilter, Term, Test};
use crate::kinds::row_kind::RowKind;
use traceloupe_core::case::lowercase;
use traceloupe_core::model::EventKind;

/// A word that is offered.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Suggestion {
    /// The typed text, with the word completed.
    pub text: String,
    /// The completed word.
    pub word: String,
    /// How many rows match, if known.
    pub n: Option<u64>,
    /// Whether a value is still missing.
    pub is_key: bool,
    /// Whether it is the whole typed text, to be searched for as text.
    pub is_text: bool,
}

/// The most values that are offered.
const MAX_OFFERED: usize = 16;

/// Completions for the end of a text, taken from the values in a run, and the text itself where it could be searched
/// for.
#[must_use]
pub fn suggest(typed: &str, facets: &Facets) -> Vec<Suggestion> {
    let mut found = terms(typed, facets);
    if !split(typed).filter.is_empty() {
        let (text, word) = (typed.to_owned(), typed.to_owned());
        found.push(Suggestion { text, word, n: None, is_key: false, is_text: true });
    }
    found
}

/// The terms that could complete it.
fn terms(typed: &str, facets: &Facets) -> Vec<Suggestion> {
    let n_quotes = typed.matches('"').count();
    let begin = match n_quotes % 2 {
        0 => typed.rfind(char::is_whitespace).map_or(0, |at| {
            at + typed.get(at..).and_then(|it| it.chars().next()).map_or(1, char::len_utf8)
        }),
        // Inside quotes.
        _ => return Vec::new(),
    };
    let (before, word) = typed.split_at_checked(begin).unwrap_or(("", typed));
    let sign = if word.starts_with('-') { "-" } else { "" };
    let bare = word.strip_prefix(['-', '!']).unwrap_or(word);
    let make = |word: String, n: Option<u64>, is_key: bool| Suggestion {
        text: format!("{before}{word}"),
        word,
        n,
        is_key,
        is_text: false,
    };
    let Some((key, part)) = bare.split_once(':') else {
        let lower = lowercase(bare);
        let fits = |key: &&str| key.starts_with(&lower);
        let found = keys().into_iter().filter(fits);
        let found = found.map(|key| make(format!("{sign}{key}:"), None, true));
        return found.collect();
    };
    let key = lowercase(key);
    // The part after the last comma is being typed.
    let (given, part) = part.rsplit_once(',').map_or(("", part), |(given, part)| (given, part));
    let given = if given.is_empty() { String::new() } else { format!("{given},") };
    let part = lowercase(part.trim_matches('"'));
    let values: Vec<(String, Option<u64>)> = if let Some(measure) =
        Measure::ALL.into_iter().find(|it| it.word() == key)
    {
        examples(measure).iter().map(|it| ((*it).to_owned(), None)).collect()
    } else {
        let Some(key) = Key::ALL.into_iter().find(|it| it.word() == key) else { return Vec::new() };
        values(key, facets)
    };
    let lower = |it: &(String, Option<u64>)| lowercase(&it.0);
    let mut found: Vec<(String, Option<u64>)> =
        values.into_iter().filter(|it| lower(it).contains(&part)).collect();
    // Values that begin with the typed text come first.
    traceloupe_core::sorting::sort_by_key(&mut found, |it| !lower(it).starts_with(&part));
    found.truncate(MAX_OFFERED);
    let found = found.into_iter();
    found.map(|(value, n)| make(format!("{sign}{key}:{given}{value}"), n, false)).collect()
}

fn examples(measure: Measure) -> &'static [&'static str] {
    match measure {
        Measure::Duration => &[">1s", ">10s", ">1m", "<1s", "1s..10s"],
        Measure::Tokens | Measure::TokensIn => &[">1k", ">10k", ">100k", "<1k", "1k..10k"],
        Measure::TokensOut => &[">100", ">1k", ">10k", "<100", "100..1k"],
    }
}

/// The known values of a key, as typed.
fn values(key: Key, facets: &Facets) -> Vec<(String, Option<u64>)> {
    let typed = |names: &[(String, u64)]| {
        let words = names.iter().map(|(name, n)| (in_filter(key, name), Some(*n)));
        words.collect::<Vec<_>>()
    };
    match key {
        Key::Tool => typed(&facets.tools),
        Key::Model => typed(&facets.models),
        Key::Agent => typed(&facets.agents),
        Key::Name => [typed(&facets.tools), typed(&facets.models)].concat(),
        Key::Kind => {
            let is_tool = |kind: &RowKind| matches!(kind, RowKind::Tool(_));
            let tools = facets.kinds.iter().filter(|(kind, _)| is_tool(kind)).map(|it| it.1);
            // The kind of all tool calls has no line of its own in the list.
            let all =
                Some((RowKind::Event(EventKind::ToolCall), tools.sum())).filter(|it| it.1 > 0);
            let kinds = facets.kinds.iter().copied().chain(all);
            kinds.map(|(kind, n)| (kind.word().to_owned(), Some(n))).collect()
        }
        _ => values_of(key).into_iter().map(|it| (it.to_owned(), None)).collect(),
    }
}

/// A value as typed after its key.
fn in_filter(key: Key, value: &str) -> String {
    let mut query = RowFilter::default();
    query.add(Term { is_not: false, test: Test::Words(key, vec![value.to_owned()]) });
    let printed = query.print();
    printed.split_once(':').map_or_else(String::new, |(_, value)| value.to_owned())
}
