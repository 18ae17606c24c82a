//! Sessions that are stored in two files of one folder: a history, and a summary that has the id.

use traceloupe_core::model::{EventId, EventKind, RunId, TraceBuilder, key_hash};
use traceloupe_core::sorting::Index;
use traceloupe_engine::weave::is_nameless;

/// A history without an id of its own belongs to the session of the only summary in the same folder. A summary is a
/// record that begins a run.
pub fn join(format: &str, out: &mut TraceBuilder) {
    let (mut histories, mut summaries) = (Vec::new(), Vec::new());
    let trace = out.trace();
    for (at, event) in trace.events().iter().enumerate() {
        let place = trace.place_of(EventId::from_index(at));
        let (Some(run), Some(place)) = (trace.run(event.run), place) else { continue };
        let is_summary = event.kind == EventKind::RunStart;
        if run.format == format && (is_summary || is_nameless(&run.key)) {
            let path = out.path(place.span.source);
            let folder = key_hash(&[path.rsplit_once('/').map_or("", |it| it.0)]);
            let history = (folder, event.run.index());
            if is_summary {
                summaries.push((folder, at));
            } else if histories.last() != Some(&history) {
                histories.push(history);
            }
        }
    }
    let histories = Index::new(histories);
    for found in Index::new(summaries).groups() {
        let [(folder, start)] = found else { continue };
        let [(_, history)] = histories.at(*folder) else { continue };
        let (start, history) = (EventId::from_index(*start), RunId::from_index(*history));
        let Some(run) = out.trace().event(start).map(|event| event.run) else { continue };
        // The summary is read after the history, and states when the history began.
        let events = out.trace().events().iter().enumerate();
        let rows = events.filter(|(_, event)| event.run == history);
        let rows: Vec<_> = rows.map(|(at, _)| EventId::from_index(at)).collect();
        out.merge_runs(history, run);
        for (position, row) in (0..).zip(std::iter::once(start).chain(rows)) {
            out.set_position(row, position);
        }
    }
}
