//! The same conversation in two files of one run: the events of the fuller file stay, and the records of their copies
//! are added to them.

use traceloupe_core::model::{
    Event, EventId, EventKind, NameId, SourceId, Status, TraceBuilder, hash_of,
};
use traceloupe_core::sorting::Index;

/// Finds copies among the events of one run, and merges each into its original.
pub(super) fn absorb_copies(events: &[EventId], out: &mut TraceBuilder) {
    let mut spoken: Vec<(SourceId, EventId)> = Vec::new();
    for id in events {
        use EventKind::{LlmCall, SystemMessage, ToolCall, UserMessage};
        let kind = out.trace().event(*id).map(|event| event.kind);
        if let (Some(UserMessage | SystemMessage | LlmCall | ToolCall), Some(place)) =
            (kind, out.trace().place_of(*id))
        {
            spoken.push((place.span.source, *id));
        }
    }
    traceloupe_core::sorting::sort(&mut spoken);
    let by_source: Vec<_> = spoken.chunk_by(|one, other| one.0 == other.0).collect();
    let size = |own: &[(SourceId, EventId)]| {
        (own.iter().filter(|it| is_call(it.1, out)).count(), own.len())
    };
    let fullest = by_source.iter().enumerate().rev().max_by_key(|it| size(it.1)).map(|it| it.0);
    let Some(first) = fullest.filter(|_| by_source.len() > 1) else { return };
    let known = keyed(by_source.get(first).copied().unwrap_or_default(), out);
    for (at, own) in by_source.iter().enumerate() {
        if at != first {
            absorb_source(own, &known, out);
        }
    }
}

/// Events by the properties that copies share: kind, name of the tool, text or arguments.
fn keyed(events: &[(SourceId, EventId)], out: &TraceBuilder) -> Index {
    let keyed = events.iter().filter_map(|(_, id)| {
        let event = out.trace().event(*id)?;
        let (name, hash) = match event.kind {
            EventKind::ToolCall => (event.name, event.args_hash),
            _ => (NameId::NONE, event.result_hash),
        };
        (hash != 0).then(|| (hash_of((event.kind as u8, name, hash)), id.index()))
    });
    Index::new(keyed.collect())
}

fn absorb_source(own: &[(SourceId, EventId)], known: &Index, out: &mut TraceBuilder) {
    let mut originals = Vec::new();
    for equal in keyed(own, out).groups() {
        let same = known.at(equal.first().map_or(0, |it| it.0));
        for (nth, (_, copy)) in equal.iter().enumerate() {
            // Further copies go to the last of equal events: a final answer is in many files.
            let original = same.get(nth).or(same.last());
            originals.extend(original.map(|(_, original)| (*copy as u64, *original)));
        }
    }
    let originals = Index::new(originals);
    // Messages whose tool calls turned out to be copies, each with the message that has the original calls.
    let mut owners = Vec::new();
    let parent = |id: usize, out: &TraceBuilder| {
        out.trace().event(EventId::from_index(id)).and_then(Event::parent)
    };
    for (copy, original) in originals.pairs().iter().map(|it| (it.0 as usize, it.1)) {
        if is_call(EventId::from_index(copy), out) {
            let both = parent(copy, out).zip(parent(original, out));
            owners.extend(both.map(|(copy, owner)| (copy.index() as u64, owner.index())));
            absorb(copy, original, out);
        }
    }
    let owners = Index::new(owners);
    for (_, id) in own.iter().filter(|it| !is_call(it.1, out)).collect::<Vec<_>>() {
        let key = id.index() as u64;
        if let Some((_, original)) = originals.at(key).first().or(owners.at(key).first()) {
            absorb(id.index(), *original, out);
        }
    }
}

fn absorb(copy: usize, original: usize, out: &mut TraceBuilder) {
    let (id, original) = (EventId::from_index(copy), EventId::from_index(original));
    let Some(copy) = out.trace().event(id).cloned() else { return };
    let usage = out.trace().usage(&copy);
    let has_usage = out.trace().event(original).and_then(|it| out.trace().usage(it)).is_some();
    if let Some(event) = out.event_mut(original) {
        if event.result_hash == 0 {
            event.result_hash = copy.result_hash;
        }
        if matches!(event.status, Status::Unknown | Status::Missing) {
            event.status = copy.status;
        }
        if !event.start.is_known() {
            event.start = copy.start;
        }
        if !event.duration.is_known() {
            event.set_duration(copy.duration, copy.time_basis());
        }
    }
    if let (Some(usage), false) = (usage, has_usage) {
        out.set_usage(original, usage);
    }
    out.absorb(id, original);
}

fn is_call(id: EventId, out: &TraceBuilder) -> bool {
    out.trace().event(id).is_some_and(|event| event.kind == EventKind::ToolCall)
}
