//! The messages of requests. Messages that an earlier request also had are collapsed.

use std::hash::{Hash, Hasher};

use super::Describer;
use crate::RecordText;
use crate::kit::{Item, Msg, Part, Room, on_tape};
use traceloupe_core::json::Inspector;
use traceloupe_core::model::{Block, KeyHasher, Role};

/// Lists of messages: the role of each list, and a key of each message.
pub(super) type Requests = Vec<(Role, Vec<u64>)>;

/// The lists of messages in an item.
pub(super) fn requests_in(item: &Item<'_>) -> Requests {
    let lists = item.parts.iter().filter_map(|part| match part {
        Part::Messages(title, messages) => Some((*title, messages.iter().map(key_of).collect())),
        _ => None,
    });
    lists.collect()
}

/// The lists of messages in the records of another event.
pub(super) fn requests_of(format: &dyn Describer, records: &[RecordText]) -> Requests {
    let mut found = Vec::new();
    for record in records {
        let (room, mut inspector) = (Room::default(), Inspector::default());
        let description = format.shown(on_tape(&record.text, &mut inspector), &room);
        found.extend(
            description.items.get(usize::from(record.item)).map(requests_in).unwrap_or_default(),
        );
    }
    found
}

/// The key by which a message is compared.
fn key_of(message: &Msg<'_>) -> u64 {
    let mut hasher = KeyHasher::default();
    message.role.hash(&mut hasher);
    for part in &message.parts {
        match part {
            Part::Call(name, arguments) => (name, arguments.fingerprint()).hash(&mut hasher),
            Part::Text(value)
            | Part::Thinking(value)
            | Part::Result(value)
            | Part::Media(_, value)
            | Part::Value(_, value) => value.fingerprint().hash(&mut hasher),
            _ => {}
        }
    }
    hasher.finish()
}

/// Counts the messages at the beginning of a list that an earlier request also had: they are collapsed.
pub(super) fn collapse_earlier(blocks: &mut [Block], requests: &Requests, earlier: &[Requests]) {
    let shown = blocks.iter_mut().filter_map(|block| match block {
        Block::Messages(title, messages, n_before) => Some((title, messages.len(), n_before)),
        _ => None,
    });
    let mut requests = requests.iter();
    for (shown_title, n_messages, n_before) in shown {
        let is_it = |it: &&(Role, Vec<u64>)| it.0 == *shown_title && it.1.len() == n_messages;
        let Some((title, keys)) = requests.by_ref().find(is_it) else { return };
        let before = earlier.iter().flatten().filter(|it| it.0 == *title).map(|it| &it.1);
        let common =
            before.map(|it| it.iter().zip(keys).take_while(|(one, other)| one == other).count());
        *n_before = common.max().unwrap_or(0);
    }
}
