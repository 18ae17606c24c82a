//! Parses a filter as it is typed.

use super::amount::{AmountFault, Range};
use super::hint::closest;
use super::{Key, Measure, RowFilter, Term, Test};
use crate::kinds::row_kind::RowKind;
use traceloupe_core::model::CallOutcome;
use traceloupe_words::page::filter as words;

/// A filter, as far as it could be parsed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Parsed {
    /// The terms that could be parsed.
    pub query: RowFilter,
    /// The terms that could not be parsed.
    pub faults: Vec<Fault>,
}

/// A term that could not be parsed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The term as it was typed.
    pub term: String,
    /// What is wrong with it.
    pub what: Wrong,
}

/// What is wrong with a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// An unknown key, and a known one that is similar.
    Key(String, Option<&'static str>),
    /// A key without a value.
    Empty(&'static str),
    /// An unknown value for this key: the key, the value, a similar value, and all known values.
    Value(&'static str, String, Option<&'static str>, Vec<&'static str>),
    /// Not a number.
    Number(&'static str, String),
    /// A number with a missing or unknown unit, and whether it is a duration.
    Unit(&'static str, String, bool),
    /// An unterminated quote.
    Quote,
}

impl Fault {
    /// What is wrong, in words.
    #[must_use]
    pub fn words(&self) -> String {
        let term = &self.term;
        match &self.what {
            Wrong::Key(key, like) => words::no_such_key(term, key, *like, &keys()),
            Wrong::Empty(key) => words::no_value(term, key),
            Wrong::Value(key, value, like, known) => {
                words::no_such_value(term, [key, value], *like, known)
            }
            Wrong::Number(key, value) => words::no_number(term, [key, value]),
            Wrong::Unit(_, value, is_duration) => words::wrong_unit(term, value, *is_duration),
            Wrong::Quote => words::open_quote(term),
        }
    }
}

/// All keys as written.
#[must_use]
pub fn keys() -> Vec<&'static str> {
    let words = Key::ALL.iter().map(|key| key.word());
    words.chain(Measure::ALL.iter().map(|measure| measure.word())).collect()
}

/// The values of a key that has only a few.
#[must_use]
pub fn values_of(key: Key) -> Vec<&'static str> {
    match key {
        Key::Kind => RowKind::all().map(RowKind::word).collect(),
        Key::Status => STATUSES.iter().map(|status| status.word()).collect(),
        Key::Loop => vec![YES, NO],
        _ => Vec::new(),
    }
}

/// The value of `loop:` for rows that are part of a possible loop.
pub const YES: &str = "yes";

/// The value of `loop:` for rows that are not part of one.
pub const NO: &str = "no";

const STATUSES: [CallOutcome; 11] = [
    CallOutcome::Failed,
    CallOutcome::Denied,
    CallOutcome::TimedOut,
    CallOutcome::UnknownTool,
    CallOutcome::BadArguments,
    CallOutcome::Ok,
    CallOutcome::NoMatch,
    CallOutcome::Missing,
    CallOutcome::Cancelled,
    CallOutcome::Rejected,
    CallOutcome::Unknown,
];

/// Aliases of keys.
const KEY_ALIASES: [(&str, &str); 7] = [
    ("type", "kind"),
    ("lane", "agent"),
    ("exit", "error"),
    ("path", "file"),
    ("duration", "dur"),
    ("tokens", "tok"),
    ("loops", "loop"),
];

/// Aliases of values.
const VALUE_ALIASES: [(Key, &str, &str); 12] = [
    (Key::Kind, "llm", "llm-call"),
    (Key::Kind, "tool", "tool-call"),
    (Key::Kind, "tools", "tool-call"),
    (Key::Kind, "message", "user"),
    (Key::Kind, "think", "thinking"),
    (Key::Kind, "subagent", "sub-agent"),
    (Key::Kind, "other", "other-tool"),
    (Key::Status, "failed", "error"),
    (Key::Status, "errors", "error"),
    (Key::Status, "none", "no-result"),
    (Key::Loop, "any", YES),
    (Key::Loop, "none", NO),
];

/// Parses a filter.
#[must_use]
pub fn parse(text: &str) -> Parsed {
    let mut parsed = Parsed::default();
    for word in words_of(text) {
        match term_of(&word) {
            Ok(Some(term)) => parsed.query.add(term),
            Ok(None) => {}
            Err(what) => parsed.faults.push(Fault { term: word.raw, what }),
        }
    }
    parsed
}

/// A character of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Letter {
    /// Outside quotes.
    Plain(char),
    /// Inside quotes.
    Quoted(char),
    /// Empty quotes.
    Nothing,
}

/// The text of some characters.
fn text_of(letters: &[Letter]) -> String {
    let letters = letters.iter().filter_map(|it| match it {
        Letter::Plain(it) | Letter::Quoted(it) => Some(*it),
        Letter::Nothing => None,
    });
    letters.collect()
}

/// A word of the filter.
#[derive(Debug, Default)]
pub(super) struct Word {
    /// Where it begins in the text, in bytes.
    pub at: usize,
    /// As typed.
    pub raw: String,
    /// Without quotes.
    letters: Vec<Letter>,
    is_open: bool,
}

impl Word {
    /// Whether the word is a known key: `None` if it is not, `true` if its value is missing.
    pub fn is_without_value(&self) -> Option<bool> {
        let (_, letters) = self.signed();
        let (key, value) = key_and_value(letters)?;
        let name = key_name(&key);
        keys().contains(&name.as_str()).then_some(value.is_empty())
    }

    /// Whether it is negated, and the rest after the sign.
    fn signed(&self) -> (bool, &[Letter]) {
        let sign = matches!(self.letters.first(), Some(Letter::Plain('-' | '!')));
        let is_not = sign && self.letters.len() > 1;
        (is_not, self.letters.get(usize::from(is_not)..).unwrap_or_default())
    }
}

/// The canonical key for a word.
fn key_name(word: &str) -> String {
    let lower = word.to_ascii_lowercase();
    let alias = KEY_ALIASES.iter().find(|(other, _)| *other == lower);
    alias.map_or(lower, |(_, name)| (*name).to_owned())
}

/// Splits at white space, except between quotes.
pub(super) fn words_of(text: &str) -> Vec<Word> {
    let (mut words, mut word, mut in_quotes) = (Vec::new(), Word::default(), false);
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        if word.raw.is_empty() {
            word.at = at;
        }
        match letter {
            '"' => {
                if in_quotes && word.raw.ends_with('"') {
                    word.letters.push(Letter::Nothing);
                }
                in_quotes = !in_quotes;
                word.raw.push(letter);
            }
            '\\' if in_quotes => {
                word.raw.push(letter);
                if let Some((_, next)) = letters.next() {
                    word.raw.push(next);
                    word.letters.push(Letter::Quoted(next));
                }
            }
            _ if letter.is_whitespace() && !in_quotes => {
                if !word.raw.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => {
                word.raw.push(letter);
                word.letters.push(match in_quotes {
                    true => Letter::Quoted(letter),
                    false => Letter::Plain(letter),
                });
            }
        }
    }
    word.is_open = in_quotes;
    if !word.raw.is_empty() {
        words.push(word);
    }
    words
}

fn term_of(word: &Word) -> Result<Option<Term>, Wrong> {
    if word.is_open {
        return Err(Wrong::Quote);
    }
    let (is_not, letters) = word.signed();
    let Some((key, value)) = key_and_value(letters) else {
        let text = text_of(letters);
        return Ok((!text.is_empty()).then_some(Term { is_not, test: Test::Text(text) }));
    };
    let name = key_name(&key);
    let test = if let Some(key) = Key::ALL.into_iter().find(|it| it.word() == name) {
        let values = values(value);
        if values.is_empty() {
            return Err(Wrong::Empty(key.word()));
        }
        let values: Result<Vec<String>, Wrong> =
            values.into_iter().map(|it| known_value(key, it)).collect();
        Test::Words(key, values?)
    } else if let Some(measure) = Measure::ALL.into_iter().find(|it| it.word() == name) {
        let values = values(value);
        if values.is_empty() {
            return Err(Wrong::Empty(measure.word()));
        }
        let ranges: Result<Vec<Range>, Wrong> =
            values.into_iter().map(|it| range(measure, it)).collect();
        Test::Numbers(measure, ranges?)
    } else {
        let like = closest(&name, keys().into_iter());
        return Err(Wrong::Key(key, like));
    };
    Ok(Some(Term { is_not, test }))
}

/// The key before the first colon, and the rest after it. A URL is not a key with a value.
fn key_and_value(letters: &[Letter]) -> Option<(String, &[Letter])> {
    let at = letters.iter().position(|it| *it == Letter::Plain(':'))?;
    let (key, rest) = letters.split_at_checked(at)?;
    let value = rest.get(1..)?;
    let is_letter = |it: &Letter| matches!(it, Letter::Plain(it) if it.is_ascii_alphabetic());
    let is_key = !key.is_empty() && key.iter().all(is_letter);
    let is_address = matches!(value, [Letter::Plain('/'), Letter::Plain('/'), ..]);
    (is_key && !is_address).then(|| (text_of(key), value))
}

/// The values between commas. A quoted empty value is also a value: the name of something without a name.
fn values(letters: &[Letter]) -> Vec<String> {
    let parts = letters.split(|it| *it == Letter::Plain(','));
    parts.filter(|part| !part.is_empty()).map(text_of).collect()
}

fn known_value(key: Key, value: String) -> Result<String, Wrong> {
    let known = values_of(key);
    let is_number = key == Key::Loop && value.parse::<u32>().is_ok_and(|it| it > 0);
    if known.is_empty() || is_number {
        return Ok(value);
    }
    let lower = value.to_ascii_lowercase();
    let alias = VALUE_ALIASES.iter().find(|(of, other, _)| *of == key && *other == lower);
    let lower = alias.map_or(lower.as_str(), |(_, _, word)| word);
    match known.iter().find(|it| **it == lower) {
        Some(word) => Ok((*word).to_owned()),
        None => {
            let like = closest(lower, known.iter().copied());
            Err(Wrong::Value(key.word(), value, like, known))
        }
    }
}

fn range(measure: Measure, value: String) -> Result<Range, Wrong> {
    Range::parse(measure, &value).map_err(|fault| match fault {
        AmountFault::Number => Wrong::Number(measure.word(), value),
        AmountFault::Unit => Wrong::Unit(measure.word(), value, measure == Measure::Duration),
    })
}
