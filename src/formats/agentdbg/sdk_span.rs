//! Times and nesting that the OpenAI Agents integration puts into `meta.openai_agents`: those of the SDK's own spans.

use traceloupe_core::json::Json;
use traceloupe_core::model::MaybeNs;
use traceloupe_engine::fields::between;
use traceloupe_engine::kit::{Item, time_of};

/// A span of the OpenAI Agents SDK.
#[derive(Clone, Copy, Default, Debug)]
pub struct SdkSpan<'a> {
    id: Json<'a>,
    /// Often the span of an agent, which has no event.
    parent: Json<'a>,
    start: MaybeNs,
    duration: MaybeNs,
    /// The source and the target agent of a handoff.
    pub handoff: Json<'a>,
}

impl<'a> SdkSpan<'a> {
    /// Reads the `meta` of an event.
    pub fn of(meta: Json<'a>) -> Self {
        let span = meta.get("openai_agents");
        let start = time_of(span.get("started_at"));
        Self {
            id: span.get("span_id"),
            parent: span.get("parent_id"),
            start,
            duration: between(start, time_of(span.get("ended_at"))),
            handoff: span.get("handoff"),
        }
    }

    /// Sets the start and the duration of the event from the span, whose times are more exact.
    pub fn time(&self, start: MaybeNs, duration: MaybeNs, item: &mut Item<'a>) {
        let ids = [self.id, self.parent];
        item.span.second = ids.iter().any(|it| it.is_given()).then(|| Box::new(ids));
        item.begins(if self.start.is_known() { self.start } else { start });
        item.took(if self.duration.is_known() { self.duration } else { duration });
    }
}
