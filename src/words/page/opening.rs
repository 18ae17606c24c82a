//! Words of opening files, addresses and messages.

use crate as words;
use crate::counts;
use traceloupe_core::model::Slot;

pub const PAGE_INCOMPLETE: &str = "Part of this page could not be loaded";
pub const NO_WORKER: &str = "This browser does not let the page start its reader";
pub const NO_WORKER_NEXT: &str = "Open the page in a window of its own, or in another browser";
pub const STOPPED: &str = "Stopped";
pub const STOPPING: &str = "Stopping: what has been read is kept";
pub const CHOOSE_FILES: &str = "Choose files…";
pub const COMPARE_WITH_FILES: &str = "Compare the open trace with files…";
pub const CHOOSE_A_FOLDER: &str = "Choose a folder…";
pub const OPEN: &str = "Open";
pub const FORMAT: &str = "Format";
pub const VERSIONS: &str = "Versions";
pub const WHERE_TO_FIND_THE_FILES: &str = "Where to find the files";
pub const ASKING_FOR_THE_FORMATS: &str = "One moment…";
pub const NO_FORMATS: &str =
    "The table cannot be shown: the reader did not start. Fold and unfold to try again.";
pub const FILE_REPLACED: &str = "The file was replaced. It is read from the start";
pub const FILE_UNREADABLE: &str = "The file could not be read";
pub const REST_IS_OPENED: &str = "Everything else is opened";
pub const PASTED_TEXT: &str = "pasted text";
pub const NOT_ALLOWED: &str = "This window may not do that";
pub const KNOWN_COMMANDS: &str = "Known commands: load, append, close, getSummary, search";
pub const BAD_APPEND: &str = "text is a string, bytes an ArrayBuffer or a view of one";
pub const NOTHING_TO_APPEND_TO: &str = "No single trace is open that could grow";
pub const CANNOT_FETCH: &str =
    "The page is sealed and cannot fetch; send the bytes, or put the address into the link";
pub const BAD_TRACE: &str = "trace is an ArrayBuffer, a view of one, a Blob or a string";
pub const TOO_LARGE: &str = "The trace is larger than 2 GiB";
pub const BUSY_ASKING: &str = "The person is being asked about another trace";
pub const DECLINED: &str = "The person declined";
pub const REPLACED: &str = "Something else was opened, or the trace was closed";
pub const LINK_FOR_OTHER_FILES: &str = "The link may have been made for other files";
pub const REST_IS_SHOWN: &str = "Everything else is shown below";
pub const ADDRESS_OR_TRACE: &str = "Address, or the text of a trace";
pub const ADDRESS_EXAMPLE: &str = "https://… or paste a trace";
pub const OR_DROP_FILES: &str = "Or drop files on the page. The open trace is closed.";

pub const KEYS_ARE_GUESSED: &str = "No known format: what the keys mean is guessed by their names and values. The choice is kept in the link, and in this browser for files with the same keys.";
pub const LIST: &str = "Records";
pub const APPLY: &str = "Apply";
pub const PLAIN_RECORDS: &str = "Read as plain records";
pub const GUESS_AGAIN: &str = "Guess again";
pub const SAVE_A_REPORT: &str = "Save a report";
pub const REPORT_TITLE: &str = "A file with the keys, types and lengths, for a report that this file is read wrongly. It has no values";

/// What a key can mean.
#[must_use]
pub fn slot(slot: Slot) -> &'static str {
    match slot {
        Slot::Kind => "Role or kind",
        Slot::Text => "Text",
        Slot::Tool => "Tool name",
        Slot::Arguments => "Arguments or prompt",
        Slot::Result => "Result or answer",
        Slot::Call => "Id of the call",
        Slot::Time => "Time or start",
        Slot::End => "End",
        Slot::Duration => "Duration",
        Slot::Id => "Id",
        Slot::Parent => "Id of the parent",
        Slot::Model => "Model",
        Slot::TokensIn => "Tokens in",
        Slot::TokensOut => "Tokens out",
        Slot::Error => "Error",
    }
}

/// A key with the beginning of a value.
#[must_use]
pub fn key(path: &str, example: &str) -> String {
    format!("{path}: {example}")
}

/// A list of records.
#[must_use]
pub fn list(path: &str, n_records: u32) -> String {
    let path = if path.is_empty() { "the whole file" } else { path };
    format!("{path} ({n_records} looked at)")
}

pub const SEARCH_THE_FOLDER: &str = "Search titles, paths and producers";
pub const CHOOSE_ALL: &str = "Choose all that are listed";
pub const NOTHING_IN_THE_FOLDER: &str = "No run has these words";
pub const LIST_IS_INCOMPLETE: &str = "Reading the list stopped; the other files are listed by name";

/// How far a folder has been read.
#[must_use]
pub fn folder_state(n_runs: usize, n_read: usize, n_files: usize) -> String {
    if n_read < n_files {
        return format!(
            "{} of {} files looked at…",
            words::count(n_read as u64),
            words::count(n_files as u64)
        );
    }
    format!(
        "{} in {}",
        words::counted(n_runs as u64, "run", "runs"),
        words::counted(n_files as u64, "file", "files")
    )
}

/// Further files of a run.
#[must_use]
pub fn and_files(n: usize) -> String {
    if n == 0 {
        String::new()
    } else {
        format!(" and {}", words::counted(n as u64, "more file", "more files"))
    }
}

/// The box beside a run.
#[must_use]
pub fn choose_run(title: &str) -> String {
    format!("Choose {title}")
}

/// Further lines of a list.
#[must_use]
pub fn more_lines(n: usize) -> String {
    format!("Show more ({})", words::count(n as u64))
}

/// Files that are no traces.
#[must_use]
pub fn other_files(n: usize) -> String {
    format!("Show {} without a trace", words::counted(n as u64, "file", "files"))
}

/// Opens the chosen runs together, or all.
#[must_use]
pub fn open_together(n: usize, are_all: bool) -> String {
    let all = if are_all { "all " } else { "" };
    format!("Open {all}{} together", words::counted(n as u64, "run", "runs"))
}

/// Files or folders that could not be read.
#[must_use]
pub fn skipped(n: u32) -> String {
    format!("{n} files or folders could not be read and were left out")
}

/// Title of several files.
#[must_use]
pub fn and_more(first: &str, n: usize) -> String {
    format!("{first} and {n} more")
}

/// The trace is read.
#[must_use]
pub fn read(n_events: u64, n_loops: usize, stopped: Option<(u64, u64)>) -> String {
    let stopped = stopped.map_or(String::new(), |it| format!(", {}", words::stopped(it)));
    format!("{} read, {n_loops} possible loops{stopped}", counts::events(n_events))
}

/// The run of a link is missing.
#[must_use]
pub fn no_such_run(key: &str) -> String {
    format!("The linked run {key} is not in this trace. Its first run is shown")
}

/// A file broke off.
#[must_use]
pub fn not_read_to_its_end(path: &str, why: &str) -> String {
    format!("{path} could not be read to its end. {why}")
}

/// A file has nothing to show.
#[must_use]
pub fn not_shown(path: &str, why: &str) -> String {
    format!("{path} could not be shown. {why}")
}
