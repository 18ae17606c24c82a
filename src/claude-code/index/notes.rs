//! Records that are not messages: notes, system records, progress, attachments.

use super::link_keys;
use super::reader::{Item, SessionReader};
use super::run_info::{SummaryTitle, TitleRank, offer_title, one_line, see_cost};
use crate::blocks::first_text;
use crate::tolerant::Raw;
use crate::wire::{ApiError, Attachment, Envelope, Progress};
use traceloupe_core::model::{
    ErrorLabel, EventId, EventKind, Flags, LaneId, MaybeNs, NameId, NewEvent, Place, RunId,
    SourceId, Span, Status, TraceBuilder,
};
use traceloupe_engine::Record;

/// A record that names no session, held back until one is known.
pub(super) struct NoteLine {
    place: Place,
    kind: EventKind,
    name: NameId,
    summary: Option<Span>,
    time: Option<i64>,
    /// The agent that the record belongs to.
    pub(super) agent: Option<Box<str>>,
    /// The tool call that the record is a part of.
    pub(super) call: Option<Box<str>>,
    pub(super) summary_title: Option<SummaryTitle>,
}

impl NoteLine {
    /// A note of some type.
    pub(super) fn new(
        record: &Record<'_>,
        env: &Envelope<'_>,
        kind: &str,
        out: &mut TraceBuilder,
    ) -> Self {
        let said = what_it_says(env).json();
        let said = said.unwrap_or_else(|| record.json.any(&["result", "description"]).raw());
        let text = |key| record.json.get(key).text().map(Into::into);
        Self {
            place: record.place(),
            kind: EventKind::Note,
            name: out.name(kind),
            summary: record.span_of(said).filter(|_| !said.is_empty()),
            time: super::reader::time_of(env.timestamp),
            agent: env.agent_id.filled().map(Into::into),
            call: text("toolUseId"),
            summary_title: summary_title(env),
        }
    }

    /// A record of an unknown shape.
    pub(super) fn unknown(record: &Record<'_>) -> Self {
        Self {
            place: record.place(),
            kind: EventKind::Record,
            name: NameId::NONE,
            summary: None,
            time: None,
            agent: None,
            call: None,
            summary_title: None,
        }
    }

    /// The file that contains the record.
    pub(super) fn source(&self) -> SourceId {
        self.place.span.source
    }

    /// Adds the record to an event.
    pub(super) fn join(&self, event: EventId, out: &mut TraceBuilder) {
        out.add_record(event, self.place);
    }

    /// Adds the event.
    pub(super) fn push(&self, run: RunId, lane: LaneId, out: &mut TraceBuilder) -> EventId {
        let id = out.push(NewEvent { kind: self.kind, run, lane, place: self.place });
        if let Some(span) = self.summary {
            out.set_summary(id, span.start, span.len);
        }
        if let Some(event) = out.event_mut(id) {
            event.name = self.name;
            event.start = MaybeNs::from(self.time);
            if self.kind == EventKind::Note {
                event.flags.set(Flags::BOOKKEEPING);
            }
        }
        id
    }
}

fn summary_title(env: &Envelope<'_>) -> Option<SummaryTitle> {
    Some(SummaryTitle {
        text: one_line(&env.summary.filled()?),
        leaf: link_keys::any_record(&env.leaf_uuid.text().unwrap_or_default()),
    })
}

/// The field that best describes a small record.
fn what_it_says<'a>(env: &Envelope<'a>) -> Raw<'a> {
    [
        env.summary,
        env.ai_title,
        env.custom_title,
        env.last_prompt,
        env.content,
        env.agent_name,
        env.pr_url,
        env.permission_mode,
        env.mode,
    ]
    .into_iter()
    .find(|field| field.is_some())
    .unwrap_or_default()
}

impl SessionReader {
    /// A `system` record.
    pub(super) fn system(&mut self, item: &Item<'_, '_>, out: &mut TraceBuilder) -> EventId {
        let subtype = item.env.subtype.text().unwrap_or_default();
        let kind = match &*subtype {
            "compact_boundary" | "microcompact_boundary" => EventKind::Compaction,
            "api_error" => EventKind::Error,
            // 1.0 wrote hints without a subtype.
            "" | "local_command" | "informational" => EventKind::SystemMessage,
            _ => EventKind::Note,
        };
        let id = named(item, kind, if subtype.is_empty() { "system" } else { &subtype }, out);
        let mut says = item.env.content;
        if kind == EventKind::Error {
            says = ApiError::message(item.env.error);
            let class = ApiError::class(item.env.error).unwrap_or_default();
            let class = out.error(&ErrorLabel::from(class));
            if let Some(event) = out.event_mut(id) {
                event.status = Status::Failed;
                event.error = class;
            }
        }
        if let Some(json) = says.json() {
            item.summarize(id, json, out);
        }
        id
    }

    /// A `progress` record: a part of the call that it names, or a note.
    pub(super) fn progress(&mut self, item: &Item<'_, '_>, out: &mut TraceBuilder) -> EventId {
        let ids = [item.env.parent_tool_use_id, item.env.tool_use_id];
        if let Some(call) = ids.into_iter().find_map(|id| self.call_named(item, id, out)) {
            out.add_record(call, item.record.place());
            return call;
        }
        let progress: Progress<'_> = item.env.data.object();
        let kind = progress.kind.filled();
        named(item, EventKind::Note, kind.as_deref().unwrap_or("progress"), out)
    }

    /// An `attachment` record: data that the producer put beside a message.
    pub(super) fn attachment(&mut self, item: &Item<'_, '_>, out: &mut TraceBuilder) -> EventId {
        let attachment: Attachment<'_> = item.env.attachment.object();
        let kind = attachment.kind.text().unwrap_or_default();
        if kind.starts_with("hook")
            && let Some(call) = self.call_named(item, attachment.tool_use_id, out)
        {
            out.add_record(call, item.record.place());
            return call;
        }
        // Text that the user typed while the agent worked is only in an attachment (2.1).
        let mode = attachment.command_mode.text();
        let is_prompt =
            mode.is_none_or(|mode| mode == "prompt") && attachment.origin.name().is_none();
        let text = match attachment.prompt.json() {
            Some(json) if json.starts_with('[') => first_text(attachment.prompt),
            _ => attachment.prompt,
        };
        if kind == "queued_command" && text.filled().is_some() {
            let event_kind =
                if is_prompt { EventKind::UserMessage } else { EventKind::SystemMessage };
            let id = named(item, event_kind, &kind, out);
            item.summarize(id, text.json().unwrap_or_default(), out);
            return id;
        }
        let id =
            named(item, EventKind::Note, if kind.is_empty() { "attachment" } else { &kind }, out);
        if let Some(json) = item.env.attachment.json() {
            item.summarize(id, json, out);
        }
        id
    }

    /// A record of any other type.
    pub(super) fn other(
        &mut self,
        item: &Item<'_, '_>,
        kind: &str,
        out: &mut TraceBuilder,
    ) -> EventId {
        let id = named(item, EventKind::Note, kind, out);
        if let Some(json) = what_it_says(item.env).json() {
            item.summarize(id, json, out);
        }
        // Since August 2026: totals of the session so far.
        let cost = item.record.json.get("totalCostUSD");
        if let (Some(dollars), "cost-state") = (cost.word(), kind) {
            see_cost(&dollars, item.run, out);
            item.summarize(id, cost.raw(), out);
        }
        let titles =
            [(TitleRank::Ai, item.env.ai_title), (TitleRank::Custom, item.env.custom_title)];
        for (rank, title) in titles {
            if let Some(text) = title.filled() {
                offer_title(rank, &text, item.run, &item.run_key, id, out);
            }
        }
        if let (Some(summary), Some(info)) = (summary_title(item.env), self.info()) {
            info.offer_summary(summary, id);
        }
        id
    }
}

fn named(item: &Item<'_, '_>, kind: EventKind, name: &str, out: &mut TraceBuilder) -> EventId {
    let id = item.push(kind, out);
    let name = out.name(name);
    if let Some(event) = out.event_mut(id) {
        event.name = name;
        if kind == EventKind::Note {
            event.flags.set(Flags::BOOKKEEPING);
        }
    }
    id
}
