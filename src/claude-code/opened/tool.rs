//! The content of an opened tool call: arguments, result, and the producer's notes on both.

use super::{Opened, push_fields};
use crate::blocks::{Block as Part, BlockKind, contents};
use crate::tolerant::Raw;
use crate::wire::ToolUseResult;
use traceloupe_core::model::{
    Block, BlockRole, Content, Detail, EventNote, FactKind, Flags, Status, Value, key_hash,
};
use traceloupe_engine::EventRecords;

pub(super) fn tool_call(event: &EventRecords<'_>, records: &[Opened<'_>], out: &mut Detail) {
    let is_ours =
        |id: Raw<'_>| id.filled().is_some_and(|id| key_hash(&[&id]) == event.event.id_hash);
    let mut is_called = false;
    let mut is_answered = false;
    let mut n_progress = 0;
    let mut id = None;
    for record in records {
        let parts = record.parts();
        let n_results = parts.iter().filter(|part| part.kind() == BlockKind::ToolResult).count();
        // A call without an id is the only one of its record that the hash cannot identify.
        for part in &parts {
            match part.kind() {
                BlockKind::ToolUse if is_ours(part.id) && !is_called => {
                    is_called = true;
                    id = part.id.filled();
                    if let Some(input) = record.value(part.input) {
                        out.blocks.push(Block::Arguments(input));
                    }
                }
                BlockKind::ToolResult if is_ours(part.tool_use_id) && !is_answered => {
                    is_answered = true;
                    id = part.tool_use_id.filled();
                    result(event, record, part, out);
                    if n_results == 1 {
                        rich_result(record, out);
                    }
                }
                _ => {}
            }
        }
        if record.kind.is_empty() {
            // Data about the agent from a file of its own.
            out.blocks.push(Block::Json(
                BlockRole::Named("Sub-agent"),
                Value::Json(record.text.place.span),
            ));
        }
        if matches!(&*record.kind, "progress" | "attachment") {
            n_progress += 1;
        }
    }
    if !is_called && let Some(record) = records.first().filter(|_| event.event.id_hash == 0) {
        // The producer gave the call no id: only its record identifies it.
        let place = record.text.place.span;
        out.blocks.push(Block::Json(BlockRole::Record, Value::Json(place)));
    }
    if event.event.status == Status::Missing {
        note(EventNote::NoResult, out);
    } else if event.event.status.is_stopped() {
        let stopped = match is_answered {
            true => EventNote::RefusedOrInterrupted,
            false => EventNote::InterruptedWithoutResult,
        };
        note(stopped, out);
    }
    if event.event.flags.has(Flags::TRUNCATED) {
        note(EventNote::CutIntoOwnFile, out);
    }
    if n_progress > 0 {
        note(EventNote::ProgressRecords(n_progress), out);
    }
    out.native_id = id.map(std::borrow::Cow::into_owned).or(out.native_id.take());
}

fn note(note: EventNote, out: &mut Detail) {
    out.blocks.push(Block::Note(note));
}

fn result(event: &EventRecords<'_>, record: &Opened<'_>, part: &Part<'_>, out: &mut Detail) {
    let content = record.value(part.content);
    if event.event.status.is_error() {
        let kind = event.trace.error(event.event.error).map(str::to_owned);
        out.blocks.push(Block::Error { kind, message: content, stack: None });
    } else if let Some(content) = content {
        out.blocks.push(Block::Result(content));
    }
    for piece in contents(part.content, |json| record.span(json)) {
        if let Content::Media(media, span) = piece {
            out.blocks.push(Block::Media(media, span));
        }
    }
}

/// The members of `toolUseResult` besides the text that the model got.
fn rich_result(record: &Opened<'_>, out: &mut Detail) {
    let rich: ToolUseResult<'_> = record.tool_use_result.object();
    if !rich.stderr.is_blank() {
        // Standard output is already the result; the two are shown apart only if there are errors.
        for (title, stream) in [("Standard output", rich.stdout), ("Standard error", rich.stderr)] {
            if let Some(value) = record.value(stream).filter(|_| !stream.is_blank()) {
                out.blocks.push(Block::Text(title.into(), value));
            }
        }
    }
    if rich.structured_patch.json().is_some_and(|patch| patch.len() > 2)
        && let Some(patch) = record.value(rich.structured_patch)
    {
        out.blocks.push(Block::Json(BlockRole::Named("Patch"), patch));
    }
    let fields = [
        (FactKind::Other("Return code"), record.value(rich.return_code_interpretation)),
        (FactKind::Amount("Duration (ms)"), record.value(rich.duration_ms)),
        (FactKind::Amount("Duration (s)"), record.value(rich.duration_s)),
    ];
    push_fields(BlockRole::Result, fields, out);
    if rich.agent_id.is_some() {
        let fields = [
            (FactKind::Other("Agent"), record.value(rich.agent_id)),
            (FactKind::Other("Status"), record.value(rich.status)),
            (FactKind::Other("Started in the background"), record.value(rich.is_async)),
            (FactKind::Amount("Duration (ms)"), record.value(rich.total_duration_ms)),
            (FactKind::Amount("Tokens"), record.value(rich.total_tokens)),
            (FactKind::Other("Tool calls"), record.value(rich.total_tool_use_count)),
        ];
        push_fields(BlockRole::Named("Sub-agent"), fields, out);
    }
}
