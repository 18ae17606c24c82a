//! `agentv.normalized_transcript.v1`: turns with content blocks, in a document or one on each line.
//!
//! In a turn the text stands before the calls even where it is the answer after them; it then comes
//! again as a turn of its own. It is shown once, as that turn.

use super::events::{At, Call, event, fill, only_text, retitle, summary, times, usage, words};
use super::members::{Lines, Members};
use super::messages::kind_of;
use crate::formats::Record;
use crate::formats::by_hand::add_facts;
use crate::formats::fields::{count, text, word};
use crate::formats::shapes::openai::gist;
use crate::json::{Json, Kind};
use crate::model::{EventId, EventKind, Flags, TraceBuilder};
use crate::notice::NoticeCode;

/// The turns of one transcript.
#[derive(Default)]
pub(super) struct Turns {
    /// The last turn of the model that had text and calls: its event, and the text's hash.
    with_calls: Option<(EventId, u64)>,
}

/// Reads a document of turns.
pub(super) fn read_document(record: &Record<'_>, own_key: &str, out: &mut TraceBuilder) {
    let Some(document) = Members::new(record.json) else { return };
    let at = At::of_run(own_key, out);
    facts(at, &document, out);
    let mut lines = Lines::new(record);
    let mut turns = Turns::default();
    for value in document.value("turns").unwrap_or_default().items() {
        let inner = lines.inner(value);
        turns.read(&inner, at, out);
    }
    let summed = document.get("transcript_summary");
    super::events::note(record, "transcript summary", summed, at, out);
}

fn facts(at: At, document: &Members<'_>, out: &mut TraceBuilder) {
    let summed = document.object("transcript_summary");
    let joined = |name: &str| {
        let list = summed.value(name).unwrap_or_default();
        let words: Vec<_> = list.items().filter_map(Json::word).collect();
        words.join(", ")
    };
    add_facts(
        at.run,
        &[("Provider", document.get("provider_id")), ("Target", document.get("target"))],
        out,
    );
    for (label, name) in [("Files read", "files_read"), ("Files modified", "files_modified")] {
        super::events::add_fact(at.run, label, joined(name), out);
    }
    let by_category: Vec<String> = summed
        .value("tool_calls")
        .unwrap_or_default()
        .members()
        .filter_map(|(name, value)| {
            count(Some(value)).filter(|n| *n > 0).map(|n| format!("{name} ×{n}"))
        })
        .collect();
    super::events::add_fact(at.run, "Tool categories", by_category.join(", "), out);
    retitle(at.run, out);
}

impl Turns {
    /// Reads a turn.
    pub fn read(&mut self, record: &Record<'_>, at: At, out: &mut TraceBuilder) {
        let Some(turn) = Members::new(record.json) else {
            return out.warn(NoticeCode::UnknownRecord, &record.place(), "");
        };
        let role = text(turn.any(&["type", "role"])).unwrap_or_default();
        let kind = kind_of(&role);
        let (id, _) = event(kind, at, record, None, out);
        let (start, took) = times(&turn);
        let name = match kind {
            EventKind::LlmCall => word(turn.get("model")),
            EventKind::Note => Some(role),
            _ => None,
        };
        fill(id, &name.unwrap_or_default(), start, took, out);
        let tokens = usage(Some(record.json));
        if !tokens.is_empty() {
            out.set_usage(id, tokens);
        }
        let content = turn.value("content").unwrap_or(Json::new("\"\""));
        let mut lines = Lines::new(record);
        let mut n_calls = 0;
        let mut told = (content.kind() == Kind::String).then_some(content);
        let mut thought = None;
        for value in content.items() {
            let Some(block) = Members::new(value) else { continue };
            match text(block.get("type")).as_deref() {
                Some("tool_use") => {
                    let inner = lines.inner(value);
                    if let Some(call) = Call::new(value) {
                        call.push(at.below(id), &inner, None, out);
                        n_calls += 1;
                    }
                }
                Some("text") => {
                    told = told.or_else(|| only_text(block.value("text")?));
                }
                Some("thinking") => thought = thought.or(block.any_value(&["thinking", "text"])),
                _ => {}
            }
        }
        words(id, told, out);
        let shown = told.or(thought).map_or_else(|| gist(content), Json::raw);
        summary(id, record, Some(shown), out);
        if told.is_none()
            && thought.is_some()
            && let Some(event) = out.event_mut(id)
        {
            event.flags.set(Flags::THINKING);
        }
        if kind == EventKind::LlmCall {
            self.repeated(id, told, n_calls, out);
        }
    }

    /// Takes the text of a turn with calls back, if it comes again as a turn of its own.
    fn repeated(
        &mut self,
        id: EventId,
        told: Option<Json<'_>>,
        n_calls: usize,
        out: &mut TraceBuilder,
    ) {
        let hash = told.map_or(0, Json::fingerprint);
        if n_calls > 0 {
            self.with_calls = told.map(|_| (id, hash));
            return;
        }
        let Some((earlier, of_earlier)) = self.with_calls else { return };
        if hash == of_earlier && hash != 0 {
            out.set_summary(earlier, 0, 0);
            if let Some(event) = out.event_mut(earlier) {
                event.flags = clear_answer(event.flags);
                event.result_hash = 0;
                event.selector = REPEATED;
            }
            self.with_calls = None;
        }
    }
}

/// Marks a turn whose text comes again behind its calls.
pub(super) const REPEATED: u32 = 1;

fn clear_answer(flags: Flags) -> Flags {
    Flags::from_bits(flags.bits() & !Flags::ANSWER.bits())
}
