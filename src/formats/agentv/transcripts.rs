//! `agentv.transcript.v1`: a row for each message; several tests and targets may share a file.
//!
//! Tokens, duration and cost of the whole transcript stand on every row and are taken once. A tool
//! without times of its own has those of the run.

use rustc_hash::FxHashMap;

use super::events::{At, add_fact, identify, retitle, run_totals};
use super::members::Members;
use super::messages::{self, Context};
use crate::formats::Record;
use crate::formats::by_hand::add_facts;
use crate::formats::fields::{count, millis, text, time, word};
use crate::model::{EventId, EventKind, Flags, MaybeNs, TraceBuilder};

/// The transcripts of one source.
#[derive(Default)]
pub(super) struct Transcripts {
    groups: FxHashMap<(String, String, String), Group>,
    /// The groups in the order in which they came up.
    order: Vec<(String, String, String)>,
}

struct Group {
    at: At,
    /// What the producer took for the run's start and duration, where messages have no times.
    stamp: MaybeNs,
    duration: MaybeNs,
    /// The first start and the last end of messages with times of their own.
    bounds: Option<(i64, i64)>,
    /// The calls of this source.
    calls: Vec<EventId>,
}

impl Transcripts {
    /// Reads a row. `own_key` is of its source.
    pub fn read(&mut self, record: &Record<'_>, own_key: &str, out: &mut TraceBuilder) {
        let Some(row) = Members::new(record.json) else { return };
        let trace = row.object("trace");
        let of = |raw: Option<&str>| word(raw).unwrap_or_default().into_owned();
        let (test, target) = (of(row.any(&["test_id", "eval_id"])), of(row.get("target")));
        let trace_id = of(trace.get("trace_id"));
        let name = (test, target, trace_id);
        if !self.groups.contains_key(&name) {
            let key = match name.2.as_str() {
                "" if self.groups.is_empty() => own_key.to_owned(),
                "" => format!("{own_key}/{}", self.groups.len() + 1),
                id => id.to_owned(),
            };
            let group = Group::new(&key, &row, &trace, out);
            self.groups.insert(name.clone(), group);
            self.order.push(name.clone());
        }
        let Some(group) = self.groups.get_mut(&name) else { return };
        let model = word(row.object("source").get("model"));
        let role = text(row.get("role")).unwrap_or_default();
        // Of messages that are no LLM call it is the span of the root.
        let span_id =
            word(trace.get("span_id")).filter(|_| messages::kind_of(&role) == EventKind::LlmCall);
        let context = Context {
            index: count(row.get("message_index")),
            model: model.as_deref(),
            span_id: span_id.as_deref(),
        };
        if let Some((id, calls)) = messages::push(record, group.at, context, out) {
            group.calls.extend(calls);
            let event = out.trace().event(id);
            let known = event.and_then(|it| Some((it.start.get()?, it.duration.get()?)));
            if let Some((start, took)) = known.filter(|_| row.has("start_time")) {
                let end = start.saturating_add(took);
                let (first, last) = group.bounds.unwrap_or((start, end));
                group.bounds = Some((first.min(start), last.max(end)));
            }
        }
    }

    /// The source has ended: takes back the times that calls got for want of any.
    pub fn finish(&mut self, out: &mut TraceBuilder) {
        for name in self.order.drain(..) {
            if let Some(group) = self.groups.remove(&name) {
                group.finish(out);
            }
        }
    }
}

impl Group {
    fn new(key: &str, row: &Members<'_>, trace: &Members<'_>, out: &mut TraceBuilder) -> Self {
        let at = At::of_run(key, out);
        let source = row.object("source");
        identify(at.run, row, out);
        let facts = [
            ("Provider", source.get("provider")),
            ("Session", source.get("session_id")),
            ("Directory", source.get("cwd")),
            ("Model", source.get("model")),
            ("Imported from", source.get("format").filter(|raw| *raw != "\"agentv_result\"")),
            ("Trace id", trace.get("trace_id")),
            ("Redaction", row.object("capture").get("redaction_level")),
        ];
        add_facts(at.run, &facts, out);
        retitle(at.run, out);
        let of = |name: &str| row.get(name);
        run_totals(
            at.run,
            of("transcript_duration_ms"),
            of("transcript_cost_usd"),
            row.value("transcript_token_usage"),
            out,
        );
        if text(source.get("kind")).as_deref() == Some("imported_transcript") {
            add_fact(at.run, "Kind", "imported transcript".to_owned(), out);
        }
        Self {
            at,
            stamp: time(source.get("timestamp")),
            duration: millis(of("transcript_duration_ms")),
            bounds: None,
            calls: Vec::new(),
        }
    }

    fn finish(self, out: &mut TraceBuilder) {
        let told = self.stamp.get().zip(self.duration.get());
        let of_run = self.bounds.or(told.map(|(start, took)| (start, start.saturating_add(took))));
        for id in self.calls {
            let Some(event) = out.event_mut(id) else { continue };
            let Some(start) = event.start.get() else { continue };
            let end = event.duration.get().map(|took| start.saturating_add(took));
            let is_inherited = of_run
                .is_some_and(|(first, last)| first == start && end.is_none_or(|end| end == last));
            if is_inherited {
                (event.start, event.duration) = (MaybeNs::UNKNOWN, MaybeNs::UNKNOWN);
            } else if of_run.is_some_and(|(first, _)| first == start) {
                event.flags.set(Flags::INFERRED_TIME);
            }
        }
        let run = out.run_mut(self.at.run);
        if !run.start.is_known() {
            run.start = of_run.map(|(start, _)| start).or(self.stamp.get()).into();
        }
        if !run.end.is_known() {
            run.end = of_run.map(|(_, end)| end).into();
        }
    }
}
