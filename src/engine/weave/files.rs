//! Files that a run names as part of itself.

use crate::kit::RunInfo;
use traceloupe_core::json::Json;
use traceloupe_core::model::{EventId, Link, TraceBuilder, key_hash};

/// The key for the links of files until all files have been read.
const FILES: &str = "files of runs";

/// The key that a named file and an opened file have in common.
#[must_use]
pub fn file_key(path: &str) -> u64 {
    key_hash(&["file", path.trim_start_matches("./")])
}

/// Keeps the files that a record of a run names, with an event of the run.
pub(super) fn name(info: &RunInfo<'_>, event: EventId, out: &mut TraceBuilder) {
    for path in info.about.files.iter().copied().filter_map(Json::word) {
        out.link(FILES, Link { key: file_key(&path), time_ns: 0, event });
    }
}

/// Removes and returns the files that runs of a format name: [`file_key`]s, each with an event of its run.
pub fn named_files(format: &str, out: &mut TraceBuilder) -> Vec<Link> {
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for link in out.take_links(FILES) {
        let run = out.trace().event(link.event).and_then(|event| out.trace().run(event.run));
        let is_own = run.is_some_and(|run| run.format == format);
        if is_own { own.push(link) } else { others.push(link) }
    }
    others.into_iter().for_each(|link| out.link(FILES, link));
    own
}
