//! Spans of BeeAI's instrumentation, which are events of its emitters.
//!
//! Read from `openinference-instrumentation-beeai`. Its spans are made from events once the run has ended. The path of
//! an event (`tool.search.wikipedia.start`) is the attribute `target`, its last part the attribute `name`, and the span
//! is named `<path>-<number>`. It ends when the trace is written. A span with many attributes lacks both, because the SDK
//! of OpenTelemetry keeps 128 of them. Later versions write spans of calls.

use super::dialects::SpanKind;
use crate::kit::{CallEvent, CallStage, Item, What};
use traceloupe_core::json::Json;
use traceloupe_core::model::{MaybeNs, hash_of};

/// An event of an emitter, or a group of them.
pub struct Emitted {
    /// The path of the emitter: `tool.search.wikipedia`. Empty for a group.
    emitter: String,
    call_event: Option<CallEvent>,
}

const STAGES: &[(&str, CallStage)] = &[
    ("start", CallStage::Start),
    ("success", CallStage::Success),
    ("error", CallStage::Error),
    ("finish", CallStage::Finish),
];

/// How the paths of BeeAI's emitters begin.
const EMITTERS: &[&str] = &["backend.", "tool.", "agent."];

impl Emitted {
    /// The event of a span with a name, if its attributes `target` and `name` are those of an event.
    #[must_use]
    pub fn of(span: Json<'_>, target: Json<'_>, name: Json<'_>) -> Option<Self> {
        let span = span.word()?;
        if target.is("groupId") {
            return name.is(&span).then(|| Self { emitter: String::new(), call_event: None });
        }
        let (path, number) = span.rsplit_once('-')?;
        let (emitter, event) = path.rsplit_once('.')?;
        let number = number.parse().ok()?;
        let stage = STAGES.iter().find(|(word, _)| *word == event).map(|(_, stage)| *stage);
        let is_named = EMITTERS.iter().any(|it| emitter.starts_with(it)) && stage.is_some();
        if !(target.is(path) && name.is(event) || target.is_absent() && is_named) {
            return None;
        }
        let path_hash = u32::try_from(hash_of(emitter) >> 32).unwrap_or(0);
        let call_event = stage.map(|stage| CallEvent { path_hash, number, stage });
        Some(Self { emitter: emitter.to_owned(), call_event })
    }

    /// The kind of its span. The agent is the root of the trace, and its events are steps.
    #[must_use]
    pub const fn kind(&self, kind: SpanKind) -> SpanKind {
        match (kind, self.call_event) {
            (SpanKind::Llm | SpanKind::Tool, Some(_)) => kind,
            _ => SpanKind::Step,
        }
    }

    /// Adds what is known about the event to the item of its span. The time until the trace was written is no duration.
    pub fn tell(&self, item: &mut Item<'_>) {
        item.time.duration = MaybeNs::UNKNOWN;
        item.time.has_begun = true;
        item.span.call_event = self.call_event.map(Box::new);
        let tool = self.emitter.rsplit('.').next();
        if let Some(tool) = tool.filter(|_| item.what() == What::Call) {
            item.name(tool.to_owned());
        }
    }
}
