//! Files saved as downloads.

use crate::app::notice::say;
use crate::app::trace::Trace;
use crate::browser;
use traceloupe_protocol::messages::MadeFile;
use traceloupe_words::export_note;
use traceloupe_words::page::app as text;

/// Saves a file from the worker, and reports what it does not contain.
pub fn saved(trace: Trace, file: &MadeFile, blob: &web_sys::Blob) {
    browser::save(blob, &file.name);
    let mut said = vec![text::saved_as(file.len, &file.name)];
    said.extend(file.notes.iter().map(|note| export_note(*note)));
    say(trace.page, &said.join(". "));
    trace.export.notes.set(said);
}
