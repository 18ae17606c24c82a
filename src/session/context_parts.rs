//! What filled the context of an LLM call.

use super::previews::previews;
use super::store::Store;
use crate::answers::Answers;
use crate::render::context_parts::{Context, Did, Layers, Step};
use traceloupe_core::model::{Event, EventId, EventKind, Trace};
use traceloupe_core::sorting::sort_by;
use traceloupe_protocol::context_parts::{ContextLayers, ContextParts, ContextSource};

/// How many of the largest steps are named.
const MAX_LARGEST: usize = 8;

/// A step that contributed a smaller share of the input is not named.
const MIN_SHARE: f64 = 0.01;

/// What filled the context of a call; empty if the event is not a call, or if its input is unknown.
pub(super) fn context_parts<S: Store>(answers: &Answers<'_, S>, call: u32) -> ContextParts {
    let trace = answers.trace;
    let id = EventId::from_index(call as usize);
    let nothing = ContextParts { call, ..ContextParts::default() };
    let Some(event) = trace.event(id) else { return nothing };
    let Some(tokens) = trace.usage(event).and_then(|usage| usage.total_input()) else {
        return nothing;
    };
    let mut context = Context::default();
    for other in trace.order(event.run) {
        let step = trace.event(*other).filter(|it| it.lane == event.lane);
        if let Some(step) = step.and_then(|event| step_of(trace, *other, event)) {
            context.take(step);
        }
        if *other == id {
            break;
        }
    }
    if context.call != Some(call) {
        return nothing;
    }
    let parts = context.parts();
    let mut items = std::mem::take(&mut context.items);
    items.retain(|it| it.2 >= context.tokens * MIN_SHARE && it.1 != ContextSource::Unseen);
    sort_by(&mut items, |a, b| b.2.total_cmp(&a.2));
    items.truncate(MAX_LARGEST);
    let ids: Vec<u32> = items.iter().map(|it| it.0).collect();
    let words = previews(answers, &ids).into_iter().map(|(_, preview)| preview.text);
    let largest = items.into_iter().zip(words).map(|((id, source, tokens), words)| {
        let label = match source {
            ContextSource::Tool(name) => format!("{name} {words}"),
            _ => words,
        };
        (id, label.trim_end().to_owned(), tokens)
    });
    ContextParts { call, tokens, parts, largest: largest.collect() }
}

/// What filled the contexts of some calls of an agent, in run order. Each event is visited once, however many calls
/// there are.
pub(super) fn context_layers(trace: &Trace, calls: &[u32]) -> ContextLayers {
    let mut found = ContextLayers::default();
    let mut wanted = calls.iter().copied().peekable();
    let first = wanted.peek().and_then(|id| trace.event(EventId::from_index(*id as usize)));
    let Some(first) = first else { return found };
    let mut layers = Layers::default();
    for id in trace.order(first.run) {
        let step = trace.event(*id).filter(|it| it.lane == first.lane);
        let Some(step) = step.and_then(|event| step_of(trace, *id, event)) else { continue };
        layers.take(&step);
        if layers.call == Some(step.id) && wanted.next_if_eq(&step.id).is_some() {
            found.calls.push(step.id);
            layers.tokens().into_iter().for_each(|tokens| found.tokens.push(tokens));
        }
    }
    found
}

/// The effect of an event on the context of its agent, if it has one.
fn step_of(trace: &Trace, id: EventId, event: &Event) -> Option<Step> {
    if !event.flags.usage_counts() {
        return None;
    }
    let what = match event.kind {
        EventKind::LlmCall => {
            let usage = trace.usage(event)?;
            // A count taken while the response was still streaming is too low, so the length of the record is used.
            Did::Call(usage.total_input()?, usage.final_output())
        }
        EventKind::UserMessage => Did::Added(ContextSource::Person),
        EventKind::SystemMessage => Did::Added(ContextSource::Instructions),
        EventKind::ToolCall | EventKind::Agent => {
            Did::Added(ContextSource::Tool(trace.name(event.name).to_owned()))
        }
        EventKind::Compaction => Did::Compacted,
        _ => return None,
    };
    // The first record of a call is the model's response that requested it. The last one contains its result.
    let len_bytes = trace.places(event).last().map_or(0, |place| u64::from(place.span.len));
    Some(Step { id: id.number(), what, len_bytes })
}
