//! The filter of rows: `tool:bash status:error dur:>5s file:src/ "some text"`.
//!
//! Terms are combined with *and*. Values of a term, separated by commas, are combined with *or*, and so are terms with
//! the same key. `-` or `!` before a term negates it. Text without a key is searched for in the names and summaries of
//! rows.

pub mod amount;
pub mod facets;
pub mod hint;
pub mod link;
pub mod matching;
pub mod parse;
mod print;
pub mod split;
pub mod suggest;
pub mod texts;

use amount::Range;
use traceloupe_core::case::lowercase;

/// A filter. Terms with the same key and sign are merged.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RowFilter {
    terms: Vec<Term>,
}

/// A condition on rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    /// Whether matching rows are excluded.
    pub is_not: bool,
    /// The test.
    pub test: Test,
}

/// What a term compares.
#[derive(Clone, PartialEq, Debug)]
pub enum Test {
    /// Text without a key.
    Text(String),
    /// A key with words, any of which must match.
    Words(Key, Vec<String>),
    /// A number within any of some ranges.
    Numbers(Measure, Vec<Range>),
}

impl Test {
    /// Whether another test compares the same thing, so that its values can be merged into this one.
    fn is_of_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(text), Self::Text(more)) => text == more,
            (Self::Words(key, _), Self::Words(more, _)) => key == more,
            (Self::Numbers(measure, _), Self::Numbers(more, _)) => measure == more,
            _ => false,
        }
    }

    /// This test without values. A text is its own key.
    fn without_values(&self) -> Self {
        match self {
            Self::Text(text) => Self::Text(text.clone()),
            Self::Words(key, _) => Self::Words(*key, Vec::new()),
            Self::Numbers(measure, _) => Self::Numbers(*measure, Vec::new()),
        }
    }

    /// Adds the values of a test that compares the same thing.
    fn join(&mut self, more: Self) {
        match (self, more) {
            (Self::Words(_, known), Self::Words(_, more)) => join(known, more),
            (Self::Numbers(_, known), Self::Numbers(_, more)) => join(known, more),
            _ => {}
        }
    }

    /// Whether there are no values to compare with.
    fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Words(_, words) => words.is_empty(),
            Self::Numbers(_, ranges) => ranges.is_empty(),
        }
    }
}

/// A key whose values are words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Key {
    /// The kind of event.
    Kind,
    /// The status of the event.
    Status,
    /// The name of a tool.
    Tool,
    /// The name of a model.
    Model,
    /// The name of a row of any kind.
    Name,
    /// The name of an agent.
    Agent,
    /// The type of an error, or an exit code.
    Error,
    /// Whether the row is part of a possible loop, or the number of that loop.
    Loop,
    /// Part of a path named in a tool call.
    File,
    /// Part of the name or the summary.
    Text,
}

impl Key {
    /// All keys, in the order in which they are offered.
    pub const ALL: [Self; 10] = [
        Self::Tool,
        Self::Model,
        Self::Status,
        Self::Kind,
        Self::File,
        Self::Text,
        Self::Agent,
        Self::Loop,
        Self::Error,
        Self::Name,
    ];

    /// The key as written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Status => "status",
            Self::Tool => "tool",
            Self::Model => "model",
            Self::Name => "name",
            Self::Agent => "agent",
            Self::Error => "error",
            Self::Loop => "loop",
            Self::File => "file",
            Self::Text => "text",
        }
    }
}

/// A key whose values are numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// The duration.
    Duration,
    /// Tokens in and out.
    Tokens,
    /// Tokens in.
    TokensIn,
    /// Tokens out.
    TokensOut,
}

impl Measure {
    /// All measures, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Duration, Self::Tokens, Self::TokensIn, Self::TokensOut];

    /// The key as written.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Duration => "dur",
            Self::Tokens => "tok",
            Self::TokensIn => "in",
            Self::TokensOut => "out",
        }
    }
}

impl RowFilter {
    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// Whether every row matches.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Adds a term. Its values are merged into a term with the same key and sign.
    pub fn add(&mut self, term: Term) {
        let Term { is_not, test } = term;
        let same = |it: &&mut Term| it.is_not == is_not && it.test.is_of_same(&test);
        if let Some(known) = self.terms.iter_mut().find(same) {
            return known.test.join(test);
        }
        let mut own = test.without_values();
        own.join(test);
        if !own.is_empty() {
            self.terms.push(Term { is_not, test: own });
        }
    }

    /// Adds all terms of another filter.
    pub fn extend(&mut self, other: Self) {
        other.terms.into_iter().for_each(|term| self.add(term));
    }

    /// Removes a term by its index.
    pub fn remove(&mut self, at: usize) -> Option<Term> {
        (at < self.terms.len()).then(|| self.terms.remove(at))
    }

    /// Whether a word is among the values of a key.
    #[must_use]
    pub fn has(&self, key: Key, word: &str) -> bool {
        self.terms.iter().any(|term| match &term.test {
            Test::Words(other, words) => {
                !term.is_not
                    && *other == key
                    && words.iter().any(|it| lowercase(it) == lowercase(word))
            }
            _ => false,
        })
    }

    /// Adds a word to the values of a key, or removes it.
    pub fn toggle(&mut self, key: Key, word: &str) {
        if !self.has(key, word) {
            return self.add(Term { is_not: false, test: Test::Words(key, vec![word.to_owned()]) });
        }
        for term in &mut self.terms {
            if let Test::Words(other, words) = &mut term.test
                && !term.is_not
                && *other == key
            {
                words.retain(|it| lowercase(it) != lowercase(word));
            }
        }
        self.terms.retain(|term| !term.test.is_empty());
    }

    /// Whether a range is among the values of a measure.
    #[must_use]
    pub fn has_range(&self, measure: Measure, range: Range) -> bool {
        let wanted = Test::Numbers(measure, vec![range]);
        self.terms.iter().any(|term| !term.is_not && term.test == wanted)
    }

    /// Adds a range to the values of a measure, or removes it.
    pub fn toggle_range(&mut self, measure: Measure, range: Range) {
        let had = self.has_range(measure, range);
        let is_other = |term: &Term| !matches!(term.test, Test::Numbers(of, _) if of == measure && !term.is_not);
        self.terms.retain(is_other);
        if !had {
            self.add(Term { is_not: false, test: Test::Numbers(measure, vec![range]) });
        }
    }
}

/// Adds the values that are not present yet.
fn join<T: PartialEq>(known: &mut Vec<T>, more: Vec<T>) {
    for value in more {
        if !known.contains(&value) {
            known.push(value);
        }
    }
}

#[cfg(test)]
mod tests;
