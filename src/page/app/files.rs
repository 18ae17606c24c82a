//! Files that the worker makes, saved as downloads.

use crate::app::handoff;
use crate::app::notice::say;
use crate::app::trace::Trace;
use traceloupe_protocol::messages::MadeFile;
use traceloupe_words::export_note;

/// Saves a file from the worker, and reports what it does not contain.
pub fn saved(trace: Trace, file: &MadeFile, blob: &web_sys::Blob) {
    let notes: Vec<String> = file.notes.iter().map(|note| export_note(*note)).collect();
    handoff::save(trace.page, blob.clone(), file.name.clone(), move |said| {
        let said: Vec<String> = std::iter::once(said).chain(notes).collect();
        say(trace.page, &said.join(". "));
        if trace.is_open() {
            trace.export.notes.set(said);
        }
    });
}
