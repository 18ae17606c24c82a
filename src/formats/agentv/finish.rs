//! Completes a run after all its files are read: its title, one grade at its end, everything below its root, nothing
//! twice.

use super::duplicates::absorb_copies;
use super::grading::GRADING;
use super::join::fact;
use traceloupe_core::model::{
    Block, BlockRole, Detail, Event, EventId, EventKind, EventNote, FactKind, Flags, RunId,
    SourceId, TraceBuilder,
};
use traceloupe_engine::EventRecords;

/// In the selector of an LLM call: its text is repeated after its calls.
const REPEATED: u32 = 1;

/// Makes a title of suite, test, target and attempt, as far as they are known.
pub(super) fn retitle(run: usize, out: &mut TraceBuilder) {
    let fact = |kind: FactKind| fact(run, &kind, out);
    let (test, target) = (fact(FactKind::Test), fact(FactKind::Target));
    let Some(name) = test.or(target) else { return };
    let mut title = match fact(FactKind::Suite).filter(|_| test.is_some()) {
        Some(suite) => format!("{suite} / {name}"),
        None => name.to_owned(),
    };
    if let Some(target) = target.filter(|target| *target != name) {
        title += " · ";
        title += target;
    }
    // Attempts are counted from 0; the first one is not worth a mention.
    if let Some(attempt) = fact(FactKind::Attempt).filter(|attempt| *attempt != "0") {
        title += " · attempt ";
        title += attempt;
    }
    out.run_mut(RunId::from_index(run)).title = Some(title);
}

/// Orders a run: one grade at its end, everything below its root span, nothing twice.
pub(super) fn settle_run(events: &[EventId], out: &mut TraceBuilder) {
    let first = |is_it: &dyn Fn(&Event) -> bool, out: &TraceBuilder| {
        events.iter().copied().find(|id| out.trace().event(*id).is_some_and(is_it))
    };
    // The error that ended a run is on its root span and on its row.
    let is_error = |event: &Event| event.kind == EventKind::Error;
    let error = first(&|event| is_error(event) && event.parent().is_some(), out);
    let mut grade = None;
    for id in events {
        let Some(event) = out.trace().event(*id).filter(|it| it.parent().is_none()) else {
            continue;
        };
        let is_grade = event.kind == EventKind::Note && out.trace().name(event.name) == GRADING;
        let is_other = |error: &EventId| source_of(*id, out) != source_of(*error, out);
        let into = match is_grade {
            true => Some(*grade.get_or_insert(*id)),
            false => error.filter(|error| is_error(event) && is_other(error)),
        };
        if let Some(into) = into {
            out.absorb(*id, into);
        }
    }
    mark_repeated(events, out);
    absorb_copies(events, out);
    let Some(root) = first(&|event| event.kind == EventKind::RunStart, out) else { return };
    for id in events {
        if *id != root
            && let Some(event) = out.event_mut(*id)
            && event.parent().is_none()
            && event.kind != EventKind::Note
        {
            event.set_parent(Some(root));
        }
    }
    agents(events, out);
}

/// In a turn the text is placed before the calls even if it is the answer after them; it is then repeated as a turn of
/// its own. It is shown once, as that turn.
fn mark_repeated(events: &[EventId], out: &mut TraceBuilder) {
    let calls = events.iter().filter_map(|id| out.trace().event(*id));
    let calls = calls.filter(|event| event.kind == EventKind::ToolCall);
    let mut asking: Vec<EventId> = calls.filter_map(Event::parent).collect();
    traceloupe_core::sorting::sort(&mut asking);
    let mut with_calls = None;
    for id in events {
        let event = out.trace().event(*id);
        let Some(event) =
            event.filter(|event| event.kind == EventKind::LlmCall && event.result_hash != 0)
        else {
            continue;
        };
        let words = (event.result_hash, source_of(*id, out));
        if asking.binary_search(id).is_ok() {
            with_calls = Some((*id, words));
        } else if let Some((earlier, _)) = with_calls.take().filter(|it| it.1 == words) {
            out.set_summary(earlier, 0, 0);
            if let Some(event) = out.event_mut(earlier) {
                event.flags.clear(Flags::ANSWER);
                (event.result_hash, event.selector) = (0, REPEATED);
            }
        }
    }
}

/// Notes in the opened row of a turn that its text is shown elsewhere.
pub(super) fn opened(event: &EventRecords<'_>, out: &mut Detail) {
    if event.event.selector == REPEATED {
        out.blocks.retain(|block| !matches!(block, Block::Text(BlockRole::Response, _)));
        out.blocks.push(Block::Note(EventNote::AnswerRepeated));
    }
}

/// Events of an agent below the root go to a lane of their own.
fn agents(events: &[EventId], out: &mut TraceBuilder) {
    const MAX_LEVELS: usize = 100;
    let is_agent = |event: &&Event| event.kind == EventKind::Agent;
    let mut lanes = Vec::new();
    for id in events {
        let Some(event) = out.trace().event(*id).filter(is_agent) else { continue };
        let (run, name, parent) = (event.run, event.name, event.parent());
        let key = out.trace().place_of(*id).map_or(0, |place| place.span.start);
        let lane = out.lane(run, &format!("agent {key}"));
        if let Some(known) = out.lane_mut(lane) {
            (known.name, known.parent) = (name, parent);
        }
        lanes.push((*id, lane));
    }
    if lanes.is_empty() {
        return;
    }
    for id in events {
        let mut at = Some(*id);
        for _ in 0..MAX_LEVELS {
            let Some(around) = at else { break };
            if let Ok(found) = lanes.binary_search_by_key(&around, |it| it.0) {
                if let (Some(event), Some((_, lane))) = (out.event_mut(*id), lanes.get(found)) {
                    event.lane = *lane;
                }
                break;
            }
            at = out.trace().event(around).and_then(Event::parent);
        }
    }
}

fn source_of(id: EventId, out: &TraceBuilder) -> Option<SourceId> {
    out.trace().place_of(id).map(|place| place.span.source)
}
