//! The outline of a trace, with what only the session has: the sources, and how far they have been read.

use crate::intake::source::Source;
use crate::render::outline_builder;
use traceloupe_analysis::{CallTexts, Settings, findings};
use traceloupe_core::model::{RunStatus, Trace};
use traceloupe_protocol::messages::{LoopSettings, OpenRequest};
use traceloupe_protocol::outline::OutlineHead;

/// The progress of reading.
#[derive(Clone, Copy)]
pub(super) struct Status {
    pub(super) is_complete: bool,
    pub(super) is_stopped: bool,
    pub(super) bytes_read: u64,
}

/// The outline of a trace. `texts` reads calls again that may be part of a loop.
pub(super) fn outline(
    trace: &Trace,
    request: &OpenRequest,
    sources: &[Source],
    status: Status,
    texts: &dyn CallTexts,
) -> OutlineHead {
    let LoopSettings { window, repetitions, with_names } = request.rule;
    let settings = Settings::new(window as usize, repetitions as usize).with_names(with_names);
    let found = findings(trace, &settings, texts);
    let mut outline = outline_builder::outline(trace, &found.list, found.dropped);
    outline.complete = status.is_complete;
    let total_bytes = match request.grows {
        Some(growth) => growth.total_bytes,
        None => request.inputs.iter().map(|input| input.len_bytes).sum(),
    };
    let is_cut = status.is_stopped && (total_bytes == 0 || status.bytes_read < total_bytes);
    outline.stopped = is_cut.then_some((status.bytes_read, total_bytes));
    let is_live = request.grows.is_some_and(|growth| growth.is_live);
    outline.is_live = is_live && !status.is_complete;
    if outline.is_live
        && let Some(run) = outline.runs.last_mut()
        && run.status == RunStatus::Unknown
    {
        run.status = RunStatus::Running;
    }
    outline.sources = sources.iter().map(Source::line).collect();
    // Runs without a name are named after their file.
    for run in &mut outline.runs {
        let number = run.key.strip_prefix("source ").or_else(|| run.key.strip_prefix("record "));
        let number = number.map(|it| it.split_once(' ').map_or(it, |(source, _)| source));
        let index = number.and_then(|at| at.parse::<usize>().ok());
        if let Some(source) = index.and_then(|at| outline.sources.get(at))
            && run.title == run.key
        {
            run.title.clone_from(&source.path);
        }
    }
    outline
}
