//! Sessions of which two files in one folder tell: a history, and a summary that has the id.

use rustc_hash::FxHashMap;

use super::weave::is_nameless;
use crate::model::{EventId, EventKind, RunId, TraceBuilder};

/// A history without an id of its own is that of the session whose summary is the only one in the same folder. A summary
/// is a record that begins a run.
pub fn join(format: &str, out: &mut TraceBuilder) {
    let mut histories: FxHashMap<String, Vec<RunId>> = FxHashMap::default();
    let mut summaries: FxHashMap<String, Vec<(RunId, EventId)>> = FxHashMap::default();
    let trace = out.trace();
    for at in 0..trace.events().len() {
        let id = EventId::from_index(at);
        let (Some(event), Some(place)) = (trace.event(id), trace.place_of(id)) else { continue };
        let Some(run) = trace.run(event.run).filter(|run| run.format == format) else {
            continue;
        };
        let path = out.path(place.span.source);
        let folder = path.rsplit_once('/').map_or("", |it| it.0);
        if event.kind == EventKind::RunStart {
            summaries.entry(folder.to_owned()).or_default().push((event.run, id));
        } else if is_nameless(&run.key) {
            let runs = histories.entry(folder.to_owned()).or_default();
            if runs.last() != Some(&event.run) {
                runs.push(event.run);
            }
        }
    }
    for (folder, found) in summaries {
        let ([(run, start)], Some([history])) =
            (found.as_slice(), histories.get(&folder).map(Vec::as_slice))
        else {
            continue;
        };
        // The summary is read after the history, and says how that began.
        let rows: Vec<EventId> = (0..out.trace().events().len())
            .map(EventId::from_index)
            .filter(|id| out.trace().event(*id).is_some_and(|event| event.run == *history))
            .collect();
        out.merge_runs(*history, *run);
        for (position, row) in (0..).zip(std::iter::once(*start).chain(rows)) {
            out.set_position(row, position);
        }
    }
}
