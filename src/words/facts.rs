//! The words for facts and labelled values.

use std::borrow::Cow;

use traceloupe_core::model::{FactKind, FactValue};
use traceloupe_core::number::shortest;

/// What a fact or a labelled value is called.
#[must_use]
pub fn fact<T: AsRef<str>>(kind: &FactKind<T>) -> Cow<'_, str> {
    match kind {
        FactKind::Cost => "Cost in USD".into(),
        FactKind::Folder => "Folder".into(),
        FactKind::Branch => "Branch".into(),
        FactKind::Model => "Model".into(),
        FactKind::Provider => "Provider".into(),
        FactKind::Version => "Version".into(),
        FactKind::Suite => "Suite".into(),
        FactKind::Test => "Test".into(),
        FactKind::Target => "Target".into(),
        FactKind::Question => "Sample input".into(),
        FactKind::Answer => "Sample answer".into(),
        FactKind::Attempt => "Attempt".into(),
        FactKind::Sample => "Sample".into(),
        FactKind::Epoch => "Epoch".into(),
        FactKind::Task => "Task".into(),
        FactKind::Trial => "Trial".into(),
        FactKind::Score => "Score".into(),
        FactKind::TraceId => "Trace id".into(),
        FactKind::TraceFile => "Trace file".into(),
        FactKind::OfDataSet(key) => format!("data set: {}", key.as_ref()).into(),
        // Metadata has the producer's own keys.
        FactKind::Success
        | FactKind::Failures
        | FactKind::Warnings
        | FactKind::TestKey(_)
        | FactKind::Own(_)
        | FactKind::Amount(_)
        | FactKind::Other(_) => kind.key().unwrap_or_default().into(),
    }
}

/// The value of a fact.
#[must_use]
pub fn fact_value(value: &FactValue) -> Cow<'_, str> {
    match value {
        FactValue::Text(text) => text.into(),
        FactValue::Dollars(dollars) => shortest(*dollars).into(),
        FactValue::Count(count) => count.to_string().into(),
        FactValue::Truth(true) => "true".into(),
        FactValue::Truth(false) => "false".into(),
    }
}
