//! Files that the worker makes, saved as downloads.

use crate::app::handoff;
use crate::app::notice::say;
use crate::app::trace::Trace;
use traceloupe_protocol::messages::MadeFile;
use traceloupe_words::export_note;

/// Saves a file from the worker, and reports what it does not contain.
pub fn saved(trace: Trace, file: &MadeFile, blob: &web_sys::Blob) {
    handoff::save(trace.page, blob.clone(), file.name.clone());
    let said: Vec<String> = file.notes.iter().map(|note| export_note(*note)).collect();
    if !said.is_empty() {
        say(trace.page, &said.join(". "));
    }
    trace.export.notes.set(said);
}
