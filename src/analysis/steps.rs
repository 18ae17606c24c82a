//! The recorded events of each lane as a sequence of steps.
//!
//! A step is an LLM call, a state, or all tool calls that one LLM call requested: calls made in one message run in
//! parallel, and reading twelve files at once is not a loop. Calls that follow each other with their results are steps of
//! their own. A user message ends a sequence, because a repeated request
//! may justify repeated calls.

use std::ops::Range;

use traceloupe_core::model::{EventId, EventKind, Flags, Trace};

/// One step of a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// LLM call, tool call or state.
    pub(super) kind: EventKind,
    /// Whether it is an LLM call that requested the tool calls of the next step.
    pub(super) carries_calls: bool,
    first: u32,
    end: u32,
}

/// The steps of one lane.
#[derive(Debug, Default)]
pub(super) struct LaneSteps {
    /// The steps, in order of reading.
    pub(super) list: Vec<Step>,
    events: Vec<EventId>,
    cuts: Vec<usize>,
    /// The LLM call that the tool calls of the last step belong to.
    asked_by: Option<EventId>,
    last_llm: Option<(EventId, usize)>,
}

/// The steps of every lane of a trace. Copies of events do not count.
pub(super) fn lanes(trace: &Trace) -> Vec<LaneSteps> {
    let mut lanes: Vec<LaneSteps> = Vec::new();
    lanes.resize_with(trace.lanes().len(), LaneSteps::default);
    for (at, event) in trace.events().iter().enumerate() {
        let Some(lane) = lanes.get_mut(event.lane.index()) else { continue };
        if event.flags.has(Flags::COPY) {
            continue;
        }
        let id = EventId::from_index(at);
        match event.kind {
            EventKind::UserMessage => lane.cut(),
            EventKind::State => lane.push(id, event.kind),
            EventKind::LlmCall => {
                lane.last_llm = Some((id, lane.list.len()));
                lane.push(id, event.kind);
            }
            EventKind::ToolCall => {
                let asked_by = event.parent().filter(|parent| {
                    trace.event(*parent).is_some_and(|it| it.kind == EventKind::LlmCall)
                });
                let is_next = lane.events.last().is_some_and(|last| is_next(trace, *last, id));
                lane.push_call(id, asked_by, is_next);
            }
            _ => {}
        }
    }
    lanes
}

/// Whether a call was made after another one had its result: each of them is one record with its result, so nothing shows
/// that they were requested together, unless they ran at the same time.
fn is_next(trace: &Trace, before: EventId, call: EventId) -> bool {
    let times = |id: EventId| {
        let event = trace.event(id)?;
        let start = event.start.get()?;
        Some((start, start.saturating_add(event.duration.get()?)))
    };
    if times(before).zip(times(call)).is_some_and(|(before, call)| call.0 < before.1) {
        return false;
    }
    let record = |id: EventId| {
        let event = trace.event(id).filter(|it| it.result_hash != 0)?;
        let mut places = trace.places(event);
        places.next().filter(|_| places.next().is_none())
    };
    let (before, call) = (record(before), record(call));
    before.zip(call).is_some_and(|(before, call)| before != call)
}

impl LaneSteps {
    /// The stretches between user messages, as ranges of steps.
    pub(super) fn segments(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let ends = self.cuts.iter().copied().chain([self.list.len()]);
        let mut start = 0;
        ends.map(move |end| std::mem::replace(&mut start, end)..end)
    }

    /// The events of a range of steps.
    pub(super) fn events(&self, steps: Range<usize>) -> &[EventId] {
        let steps = self.list.get(steps).unwrap_or_default();
        let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return &[] };
        self.events.get(first.first as usize..last.end as usize).unwrap_or_default()
    }

    fn cut(&mut self) {
        self.asked_by = None;
        if self.cuts.last() != Some(&self.list.len()) {
            self.cuts.push(self.list.len());
        }
    }

    fn push(&mut self, event: EventId, kind: EventKind) {
        let first = u32::try_from(self.events.len()).unwrap_or(u32::MAX);
        self.asked_by = None;
        self.events.push(event);
        self.list.push(Step { kind, carries_calls: false, first, end: first.saturating_add(1) });
    }

    /// `is_next`: whether the previous call had ended before this one was made.
    fn push_call(&mut self, event: EventId, asked_by: Option<EventId>, is_next: bool) {
        if asked_by.is_some()
            && asked_by == self.asked_by
            && !is_next
            && let Some(step) = self.list.last_mut()
        {
            step.end = step.end.saturating_add(1);
            self.events.push(event);
            return;
        }
        if let Some((llm, at)) = self.last_llm
            && asked_by == Some(llm)
            && let Some(step) = self.list.get_mut(at)
        {
            step.carries_calls = true;
        }
        self.push(event, EventKind::ToolCall);
        self.asked_by = asked_by;
    }
}
