//! Repetitions among the records of an event: texts, calls and results that other records of the event also contain.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::Describer;
use crate::EventRecords;
use crate::kit::{Part, Room, on_tape, word_of};
use traceloupe_core::json::Inspector;
use traceloupe_core::model::hash_of;

/// The texts that appear for the first time in the event's records, to be omitted where they are repeated, and the
/// texts of the results among them.
pub(super) fn words_of(
    format: &dyn Describer,
    event: &EventRecords<'_>,
) -> (FxHashSet<u64>, String) {
    let (mut words, mut results) = (FxHashSet::default(), String::new());
    if event.records.len() < 2 {
        return (words, results);
    }
    for record in event.records {
        let (room, mut inspector) = (Room::default(), Inspector::default());
        let description = format.shown(on_tape(&record.text, &mut inspector), &room);
        let item = description.items.get(usize::from(record.item));
        if let Some(item) = item.filter(|item| !item.repeats.is_again) {
            words.extend(item.parts.iter().filter_map(word_of));
            results.extend(item.parts.iter().filter_map(result_in));
        }
    }
    (words, results)
}

/// The text of a part.
pub(super) fn words_in<'a>(part: &Part<'a>) -> Option<Cow<'a, str>> {
    match part {
        Part::Text(words) => words.text(),
        _ => None,
    }
}

/// The text of a result.
pub(super) fn result_in<'a>(part: &Part<'a>) -> Option<Cow<'a, str>> {
    match part {
        Part::Result(value) => value.text(),
        _ => None,
    }
}

/// The key by which a repeated part is compared.
pub(super) fn told_of(part: &Part<'_>) -> Option<u64> {
    match part {
        Part::Call(name, arguments) => Some(hash_of((name, arguments.fingerprint()))),
        Part::Result(value) => Some(value.fingerprint()),
        _ => word_of(part),
    }
}
