//! `agentv.normalized_transcript.v1`: turns with content blocks, in a document or one on each line.
//!
//! In a turn the text stands before the calls even where it is the answer after them; it then comes
//! again as a turn of its own. It is shown once, as that turn.

use super::events::{At, Call, event, fill, only_text, retitle, summary, times, usage, words};
use super::members::{Lines, Members};
use super::messages::kind_of;
use crate::formats::Record;
use crate::formats::agentdbg::add_facts;
use crate::formats::fields::{count, entries, items, text, word};
use crate::formats::shapes::openai::gist;
use crate::json::fingerprint;
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
    for raw in document.get("turns").map(items).unwrap_or_default() {
        let inner = lines.inner(raw);
        turns.read(&inner, at, out);
    }
    let summed = document.get("transcript_summary");
    super::events::note(record, "transcript summary", summed, at, out);
}

fn facts(at: At, document: &Members<'_>, out: &mut TraceBuilder) {
    let summed = document.object("transcript_summary");
    let joined = |name: &str| {
        let list = summed.get(name).map(items).unwrap_or_default();
        let words: Vec<_> = list.into_iter().filter_map(|raw| word(Some(raw))).collect();
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
        .get("tool_calls")
        .map(entries)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|(name, raw)| {
            count(Some(raw)).filter(|n| *n > 0).map(|n| format!("{name} ×{n}"))
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
        let tokens = usage(Some(record.text));
        if !tokens.is_empty() {
            out.set_usage(id, tokens);
        }
        let content = turn.get("content").unwrap_or("\"\"");
        let blocks = items(content);
        let mut lines = Lines::new(record);
        let mut n_calls = 0;
        let mut told = content.starts_with('"').then_some(content);
        let mut thought = None;
        for raw in &blocks {
            let Some(block) = Members::new(raw) else { continue };
            match text(block.get("type")).as_deref() {
                Some("tool_use") => {
                    let inner = lines.inner(raw);
                    if let Some(call) = Call::new(raw) {
                        call.push(at.below(id), &inner, None, out);
                        n_calls += 1;
                    }
                }
                Some("text") => {
                    told = told.or_else(|| Some(only_text(block.value("text")?)?.raw()));
                }
                Some("thinking") => thought = thought.or(block.any(&["thinking", "text"])),
                _ => {}
            }
        }
        words(id, told, out);
        summary(id, record, told.or(thought).or_else(|| Some(gist(content))), out);
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
        told: Option<&str>,
        n_calls: usize,
        out: &mut TraceBuilder,
    ) {
        let hash = told.map_or(0, fingerprint);
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
