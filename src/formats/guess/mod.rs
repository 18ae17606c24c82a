//! Guesses how to read JSON of no known format: finds the list that looks like messages, events or spans, and the
//! meaning of each key of its records. Both are guessed from the names of the keys and from their values.
//!
//! A guess is made only if there is evidence of a trace: roles of a conversation, tool calls with arguments or results,
//! LLM calls with a model, or spans that name each other. All other files stay plain records.

mod keys;
mod slots;
mod words;

pub use slots::{has_failed, names_failure, names_output, names_role, names_tool, unit_ns};
pub use words::{Class, End, class, is_failure};

use super::{Probe, ProbeRecord};
use traceloupe_core::json::Json;
use traceloupe_core::model::{Mapping, Reading, Shape, key_hash};

/// How many lists are offered to the user.
const MAX_TOLD: usize = 6;

/// The user's choices for files of no known format.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// For the files that are being opened.
    pub mapping: Option<Mapping>,
    /// For all files with the same keys, by [`Shape::fingerprint`].
    pub known: Vec<(String, Mapping)>,
}

/// How to read the records of a file of no known format. The user's choice comes first, if it fits.
#[must_use]
pub fn reading(probe: &Probe<'_>, choices: &Choices) -> Reading {
    let records: Vec<Json<'_>> = probe.records.iter().map(ProbeRecord::json).collect();
    let mut lists = keys::lists(&records);
    let found: Vec<slots::Found> = lists.iter().map(slots::find).collect();
    // Of lists that explain equally many records, the outermost one.
    let best = found.iter().enumerate().rev().max_by_key(|(_, it)| it.n_told);
    // The input of a model in each of its rounds is not a list of messages, but a part of these rounds.
    let around = best.and_then(|(at, _)| {
        let inner = lists.get(at).filter(|list| slots::names_input(&list.path))?;
        let outer = |list: &keys::List<'_>| {
            !list.path.is_empty() && inner.path.starts_with(&format!("{}.", list.path))
        };
        let mut told = lists.iter().zip(&found).enumerate();
        let (at, (_, it)) = told.find(|(_, (list, it))| it.n_told > 0 && outer(list))?;
        Some((at, it))
    });
    let best =
        around.or(best).filter(|(_, it)| it.n_told > 0).map(|(at, it)| (at, it.mapping.clone()));
    let (at, guessed) = best.unwrap_or_default();
    let fingerprint = lists.get(at).map_or(0, |list| key_hash(&list.common_keys()));
    let fingerprint = format!("{fingerprint:016x}");
    let fits = |mapping: &&Mapping| {
        let list = lists.iter().find(|list| list.path == mapping.list);
        let has = |path: &str| list.is_some_and(|it| it.keys.iter().any(|key| key.path == path));
        mapping.is_plain() || mapping.keys().any(|(_, path)| has(path))
    };
    let known = choices.known.iter().find(|(of, _)| *of == fingerprint).map(|(_, mapping)| mapping);
    let chosen = choices.mapping.as_ref().filter(fits).or(known.filter(fits)).cloned();
    let is_chosen = chosen.is_some();
    let mapping = chosen.unwrap_or(guessed);
    if let Some(first) = lists.get_mut(..=at) {
        first.rotate_right(1);
    }
    let lists = lists.iter().take(MAX_TOLD).map(keys::List::shape).collect();
    Reading { mapping, is_chosen, shape: Shape { fingerprint, lists } }
}

/// Keys for the kind of an event, in logs that have LLM calls beside tool calls.
const EVENTS: [&str; 4] = ["event", "event_type", "eventType", "event_name"];

/// Whether records name their events, and LLM calls are among them beside tool calls or user input: `llm_call`,
/// `tool_call`, `user_input`. The shape of a single record of such a log is weaker evidence.
#[must_use]
pub fn names_calls(probe: &Probe<'_>) -> bool {
    EVENTS.iter().any(|key| {
        let of = |is: fn(Class) -> bool| {
            probe.any(|record| record.at(key).text().is_some_and(|word| is(class(&word))))
        };
        let says_user = || {
            probe.any(|record| {
                let word = record.at(key).text().unwrap_or_default();
                class(&word) == Class::User && words::parts(&word).iter().any(|it| it == "user")
            })
        };
        of(|class| class == Class::Model)
            && (of(|class| matches!(class, Class::Tool(Some(_)))) || says_user())
    })
}

#[cfg(test)]
mod tests;
