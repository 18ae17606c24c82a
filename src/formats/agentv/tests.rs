//! Each shape in a few lines, and the pitfalls.

use super::AGENTV;
use crate::testing::{Read, read, sniff};
use crate::{FORMATS, Verdict};
use traceloupe_core::model::{
    Block, EventKind, FactKind, FactValue, Flags, RunStatus, Status, Value, fact_text, facts_of,
};

mod hostile;
mod shapes;
mod traps;

fn one(record: &str) -> Read {
    read(&AGENTV, &[&[record]])
}

fn event(read: &Read, at: usize) -> &traceloupe_core::model::Event {
    read.trace.events().get(at).unwrap()
}

fn fact<'a>(read: &'a Read, label: &str) -> Option<&'a str> {
    fact_text(&read.trace.runs()[0].facts, &label.into())
}

fn is_certain(record: &str) -> bool {
    matches!(sniff(&AGENTV, "x", &[record]), Verdict::Certain(_))
}
