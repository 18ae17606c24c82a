//! Words of the export of a run.

use crate::counted;
use crate::numbers::bytes;

pub const FORMAT: &str = "Format";
pub const FILE_TYPE: &str = "File type";
pub const FILE_BEGINNING: &str = "Beginning of the file";
pub const DOWNLOAD: &str = "Download";

pub const SAVE_AS_HTML: &str = "Save as HTML…";
pub const SAVE_AS_HTML_TITLE: &str = "Save this page and the trace as one HTML file (Ctrl+S)";
pub const SAVE_HTML: &str = "Save as HTML";
pub const HTML_IS: &str = "One file with this page and the trace: it opens from disk and offline, and makes no request. \
    All of the saved trace is in it, also what the page does not show.";
pub const CONTENTS: &str = "Contents";
pub const WHOLE_FILES: &str = "All opened files, byte for byte";
pub const THIS_RUN: &str = "This run";
pub const THIS_TURN: &str = "The turn of the selected row";
pub const LISTED_ROWS: &str = "The rows of this run that match the filter";
pub const WEIGHING: &str = "Weighing…";
pub const NOT_LINES: &str = "The records of this trace are not lines of a file, so parts of it cannot be saved. Save all files instead";
pub const STILL_ARRIVING: &str = "The trace is still arriving. Save it once all of it is there";
pub const ORIGINAL: &str = "Download the original";
pub const ORIGINAL_TITLE: &str = "Save the opened files as they are, byte for byte";
pub const NEEDS_SCRIPTS: &str = "This is a summary. To show the whole trace, which is in this file, Traceloupe needs JavaScript and WebAssembly.";

/// Files above this size are slow to open, and too large for many hosts.
const LARGE_BYTES: u64 = 50_000_000;

/// Files above this size may not open at all.
const TOO_LARGE_BYTES: u64 = 100_000_000;

/// The size of a file that is about to be saved, and of the trace in it before compression.
#[must_use]
pub fn weight(file_bytes: u64, trace_bytes: u64) -> String {
    let (file, trace) = (bytes(file_bytes), bytes(trace_bytes));
    let warning = match file_bytes {
        0..LARGE_BYTES => "",
        LARGE_BYTES..TOO_LARGE_BYTES => {
            ". Files of this size are slow to open, and many hosts refuse them"
        }
        _ => {
            ". Many browsers, hosts and mail programs cannot handle a file of this size: save only a run or a turn"
        }
    };
    format!("The file weighs {file}; it contains {trace} of trace{warning}")
}

/// The HTML file could not be made: the browser's words.
#[must_use]
pub fn not_made(words: &str) -> String {
    format!("The HTML file could not be made: {words}")
}

/// The open trace came with the HTML file, which has this size.
#[must_use]
pub fn in_this_file(file_bytes: u64) -> String {
    format!("In this HTML file of {}", bytes(file_bytes))
}

/// Failed events.
#[must_use]
pub fn errors(n: u64) -> String {
    counted(n, "error", "errors")
}

/// Rows that a summary does not list.
#[must_use]
pub fn more_rows(n: u64) -> String {
    counted(n, "further row", "further rows")
}
