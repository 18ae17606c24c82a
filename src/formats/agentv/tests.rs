//! Each shape in a few lines, and the traps.

use super::AGENTV;
use crate::testing::{Read, read, sniff};
use crate::{FORMATS, Verdict};
use traceloupe_core::model::{Block, EventKind, Flags, RunStatus, RunVerdict, Status, Value};

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
    let facts = &read.trace.runs()[0].facts;
    facts.iter().find(|(known, _)| known == label).map(|(_, value)| value.as_str())
}

fn is_certain(record: &str) -> bool {
    matches!(sniff(&AGENTV, "x", &[record]), Verdict::Certain(_))
}
