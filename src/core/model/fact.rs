//! Facts about runs, and the kinds of labelled values.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::cost::dollars_in;

/// The kind of a fact about a run, or of a labelled value of an event. Code matches on these; the words for them are
/// made where they are shown (`words::facts`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FactKind<T = String> {
    /// The cost in dollars.
    Cost,
    /// The working directory of the run.
    Folder,
    /// The branch of the repository.
    Branch,
    /// The model.
    Model,
    /// The provider that serves the model.
    Provider,
    /// The version of the agent.
    Version,
    /// The suite or data set that a test is part of.
    Suite,
    /// The test that the run executes.
    Test,
    /// What is tested.
    Target,
    /// What a sample of an evaluation asks.
    Question,
    /// What was answered to it.
    Answer,
    /// The number of the attempt at the test, counted from 0.
    Attempt,
    /// The id of the sample of an evaluation that the run answers.
    Sample,
    /// Which of the runs of the same sample it is, as the producer counts them.
    Epoch,
    /// The id of the task of a benchmark that the run attempts.
    Task,
    /// Which of the runs of the same task it is, as the producer counts them.
    Trial,
    /// What the grader gave, as written, if it is neither a verdict nor a number from 0 to 1.
    Score,
    /// The producer's id of the trace.
    TraceId,
    /// The path of the file with the trace of the run.
    TraceFile,
    /// Whether the run succeeded: `success` in the metadata of a run.
    Success,
    /// The number of failed tests that Invariant Explorer counted.
    Failures,
    /// The number of warnings that Invariant Explorer counted.
    Warnings,
    /// An item of the metadata of the data set to which the run belongs, by its key.
    OfDataSet(T),
    /// The test that the run is, by a key of the producer's metadata.
    TestKey(T),
    /// An id or a time, by the label that its format gives it: it differs between any two events.
    Own(T),
    /// What a call took (tokens, cost, time), by the label that its format gives it.
    Amount(T),
    /// Anything else, by the producer's key or the label that its format gives it. No code asks for one of these labels.
    Other(T),
}

impl<T> FactKind<T> {
    /// The same kind with another type of text.
    pub fn map<'k, U>(&'k self, into: impl FnOnce(&'k T) -> U) -> FactKind<U> {
        match self {
            Self::Cost => FactKind::Cost,
            Self::Folder => FactKind::Folder,
            Self::Branch => FactKind::Branch,
            Self::Model => FactKind::Model,
            Self::Provider => FactKind::Provider,
            Self::Version => FactKind::Version,
            Self::Suite => FactKind::Suite,
            Self::Test => FactKind::Test,
            Self::Target => FactKind::Target,
            Self::Question => FactKind::Question,
            Self::Answer => FactKind::Answer,
            Self::Attempt => FactKind::Attempt,
            Self::Sample => FactKind::Sample,
            Self::Epoch => FactKind::Epoch,
            Self::Task => FactKind::Task,
            Self::Trial => FactKind::Trial,
            Self::Score => FactKind::Score,
            Self::TraceId => FactKind::TraceId,
            Self::TraceFile => FactKind::TraceFile,
            Self::Success => FactKind::Success,
            Self::Failures => FactKind::Failures,
            Self::Warnings => FactKind::Warnings,
            Self::OfDataSet(key) => FactKind::OfDataSet(into(key)),
            Self::TestKey(key) => FactKind::TestKey(into(key)),
            Self::Own(label) => FactKind::Own(into(label)),
            Self::Amount(label) => FactKind::Amount(into(label)),
            Self::Other(key) => FactKind::Other(into(key)),
        }
    }
}

impl<'a> FactKind<Cow<'a, str>> {
    /// The kind of an item of a run's metadata, by its key.
    #[must_use]
    pub fn of_metadata(key: Cow<'a, str>) -> Self {
        let known = [Self::Success, Self::Failures, Self::Warnings];
        let known = known.into_iter().find(|it| it.key() == Some(&*key));
        known.unwrap_or_else(|| match key.eq_ignore_ascii_case("test") {
            true => Self::TestKey(key),
            false => Self::Other(key),
        })
    }
}

impl<T: AsRef<str>> FactKind<T> {
    /// The same kind with a borrowed text.
    #[must_use]
    pub fn borrowed(&self) -> FactKind<&str> {
        self.map(AsRef::as_ref)
    }

    /// Whether two kinds are the same, regardless of the type of their texts.
    #[must_use]
    pub fn is<U: AsRef<str>>(&self, other: &FactKind<U>) -> bool {
        self.borrowed() == other.borrowed()
    }

    /// The same kind with an owned text.
    #[must_use]
    pub fn to_owned(&self) -> FactKind {
        self.map(|text| text.as_ref().to_owned())
    }

    /// The key with which a producer writes it, if the kind stands for a key.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Success => Some("success"),
            Self::Failures => Some("invariant.num-failures"),
            Self::Warnings => Some("invariant.num-warnings"),
            Self::OfDataSet(key)
            | Self::TestKey(key)
            | Self::Own(key)
            | Self::Amount(key)
            | Self::Other(key) => Some(key.as_ref()),
            Self::Cost
            | Self::Folder
            | Self::Branch
            | Self::Model
            | Self::Provider
            | Self::Version
            | Self::Suite
            | Self::Test
            | Self::Target
            | Self::Question
            | Self::Answer
            | Self::Attempt
            | Self::Sample
            | Self::Epoch
            | Self::Task
            | Self::Trial
            | Self::Score
            | Self::TraceId
            | Self::TraceFile => None,
        }
    }
}

impl FactKind {
    /// The kind of the same fact about a data set instead of a run.
    #[must_use]
    pub fn of_data_set(self) -> Self {
        match self.key() {
            Some(key) => Self::OfDataSet(key.to_owned()),
            None => self,
        }
    }
}

impl<'a> From<FactKind<&'a str>> for FactKind<Cow<'a, str>> {
    fn from(kind: FactKind<&'a str>) -> Self {
        kind.map(|text| Cow::Borrowed(*text))
    }
}

impl<'a> From<&'a str> for FactKind<Cow<'a, str>> {
    fn from(label: &'a str) -> Self {
        Self::Other(Cow::Borrowed(label))
    }
}

impl<'a> From<Cow<'a, str>> for FactKind<Cow<'a, str>> {
    fn from(label: Cow<'a, str>) -> Self {
        Self::Other(label)
    }
}

impl From<String> for FactKind<Cow<'_, str>> {
    fn from(label: String) -> Self {
        Self::Other(Cow::Owned(label))
    }
}

impl From<&str> for FactKind {
    fn from(label: &str) -> Self {
        Self::Other(label.to_owned())
    }
}

/// The value of a fact.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum FactValue {
    /// As written in the file.
    Text(String),
    /// An amount in dollars.
    Dollars(f64),
    /// A number of things.
    Count(u64),
    /// Yes or no.
    Truth(bool),
}

/// A fact about a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Fact {
    /// The kind of fact.
    pub kind: FactKind,
    /// The value.
    pub value: FactValue,
}

impl Fact {
    /// The fact that a text in the file states. A text that is not a number where one is expected stays text.
    #[must_use]
    pub fn new(kind: FactKind, text: String) -> Self {
        let value = match kind {
            FactKind::Cost => dollars_in(&text).map(FactValue::Dollars),
            FactKind::Failures | FactKind::Warnings => text.parse().ok().map(FactValue::Count),
            FactKind::Success => text.parse().ok().map(FactValue::Truth),
            FactKind::Folder
            | FactKind::Branch
            | FactKind::Model
            | FactKind::Provider
            | FactKind::Version
            | FactKind::Suite
            | FactKind::Test
            | FactKind::Target
            | FactKind::Question
            | FactKind::Answer
            | FactKind::Attempt
            | FactKind::Sample
            | FactKind::Epoch
            | FactKind::Task
            | FactKind::Trial
            | FactKind::Score
            | FactKind::TraceId
            | FactKind::TraceFile
            | FactKind::OfDataSet(_)
            | FactKind::TestKey(_)
            | FactKind::Own(_)
            | FactKind::Amount(_)
            | FactKind::Other(_) => None,
        };
        Self { kind, value: value.unwrap_or(FactValue::Text(text)) }
    }
}

/// The values of the facts of a kind, in order.
pub fn facts_of<'f>(facts: &'f [Fact], kind: &FactKind) -> impl Iterator<Item = &'f FactValue> {
    facts.iter().filter(move |it| it.kind == *kind).map(|it| &it.value)
}

/// The text of the first fact of a kind.
#[must_use]
pub fn fact_text<'f>(facts: &'f [Fact], kind: &FactKind) -> Option<&'f str> {
    facts.iter().filter(|it| it.kind == *kind).find_map(|it| match &it.value {
        FactValue::Text(text) => Some(text.as_str()),
        FactValue::Dollars(_) | FactValue::Count(_) | FactValue::Truth(_) => None,
    })
}

/// The count of the first fact of a kind; 0 if there is none.
#[must_use]
pub fn fact_count(facts: &[Fact], kind: &FactKind) -> u64 {
    let first = facts.iter().find(|it| it.kind == *kind);
    first.map_or(0, |it| match it.value {
        FactValue::Count(n) => n,
        FactValue::Text(_) | FactValue::Dollars(_) | FactValue::Truth(_) => 0,
    })
}

/// The directory of a run, from its facts; empty if the file names none, or several.
#[must_use]
pub fn directory_of(facts: &[Fact]) -> &str {
    let mut named = facts_of(facts, &FactKind::Folder);
    match (named.next(), named.next()) {
        (Some(FactValue::Text(directory)), None) => directory.trim_end_matches(['/', '\\']),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_facts_are_numbers() {
        let value = |kind, text: &str| Fact::new(kind, text.to_owned()).value;
        assert_eq!(value(FactKind::Cost, "$1.5"), FactValue::Dollars(1.5));
        assert_eq!(value(FactKind::Cost, "0"), FactValue::Dollars(0.0));
        assert_eq!(value(FactKind::Cost, "much"), FactValue::Text("much".to_owned()));
        assert_eq!(value(FactKind::Failures, "3"), FactValue::Count(3));
        assert_eq!(value(FactKind::Success, "true"), FactValue::Truth(true));
        assert_eq!(value(FactKind::Model, "1"), FactValue::Text("1".to_owned()));
    }

    #[test]
    fn metadata_is_of_the_run_or_of_its_data_set() {
        let kind = |key: &'static str| FactKind::of_metadata(Cow::Borrowed(key)).to_owned();
        assert_eq!(kind("success"), FactKind::Success);
        assert_eq!(kind("success").of_data_set(), FactKind::OfDataSet("success".to_owned()));
        assert_eq!(kind("model"), FactKind::from("model"));
        assert_eq!(kind("Test"), FactKind::TestKey("Test".to_owned()));
    }
}
