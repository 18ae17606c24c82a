//! Words of opening files, addresses and messages.

use crate as words;
use crate::counts;
use traceloupe_core::model::Slot;

pub const DISCARDED: &str = "Discarded";
pub const STOPPING: &str = "Stopping; what has been read is kept";
pub const CHOOSE_FILES: &str = "Choose files…";
pub const COMPARE_WITH_FILES: &str = "Compare the open trace with files…";
pub const CHOOSE_A_FOLDER: &str = "Choose a folder…";
pub const OPEN: &str = "Open";
pub const FORMAT: &str = "Format";
pub const VERSIONS: &str = "Versions";
pub const WHERE_TO_FIND_THE_FILES: &str = "Where to find the files";
pub const ASKING_FOR_THE_FORMATS: &str = "One moment…";
pub const NO_FORMATS: &str = "The table cannot be shown because the worker did not start. Close and open this section to try again.";
pub const FILE_REPLACED: &str = "The file was replaced; reading it again from the start";
pub const FILE_UNREADABLE: &str = "The file could not be read";
pub const PASTED_TEXT: &str = "pasted text";
pub const NOT_ALLOWED: &str = "This window is not allowed to do that";
pub const KNOWN_COMMANDS: &str = "Known commands: load, append, close, getSummary, search";
pub const BAD_APPEND: &str = "text must be a string; bytes must be an ArrayBuffer or a view of one";
pub const NOTHING_TO_APPEND_TO: &str = "There is no single open trace to append to";
pub const CANNOT_FETCH: &str =
    "The page is sealed and cannot fetch; send the bytes, or put the address in the link";
pub const BAD_TRACE: &str = "trace must be an ArrayBuffer, a view of one, a Blob or a string";
pub const TOO_LARGE: &str = "The trace is larger than 2 GiB";
pub const BUSY_ASKING: &str = "The user is being asked about another trace";
pub const DECLINED: &str = "The user declined";
pub const REPLACED: &str = "Something else was opened, or the trace was closed";
pub const ADDRESS_OR_TRACE: &str = "Address, or the text of a trace";
pub const ADDRESS_EXAMPLE: &str = "https://… or paste a trace";
pub const OR_DROP_FILES: &str = "Or drop files on the page. This closes the open trace.";

pub const KEYS_ARE_GUESSED: &str = "No known format: the meaning of the keys is guessed from their names and values. Your choice is kept in the link, and in this browser for files with the same keys.";
pub const LIST: &str = "Records";
pub const APPLY: &str = "Apply";
pub const PLAIN_RECORDS: &str = "Read as plain records";
pub const GUESS_AGAIN: &str = "Guess again";
pub const SAVE_A_REPORT: &str = "Save a report";
pub const REPORT_TITLE: &str =
    "Save the keys, types and lengths, but no values, to attach to a bug report about this file";

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
    format!("{path} ({n_records} examined)")
}

pub const SEARCH_THE_FOLDER: &str = "Search titles, paths and producers";
pub const CHOOSE_ALL: &str = "Select all that are listed";
pub const NOTHING_IN_THE_FOLDER: &str = "No matching runs";
pub const LIST_IS_INCOMPLETE: &str =
    "Reading the folder stopped; the remaining files are listed by name only";

/// How far a folder has been read.
#[must_use]
pub fn folder_state(n_runs: usize, n_read: usize, n_files: usize) -> String {
    if n_read < n_files {
        return format!(
            "{} of {} files read…",
            words::count(n_read as u64),
            words::count(n_files as u64)
        );
    }
    match n_runs {
        0 => format!("No agent trace in {}", counts::files(n_files as u64)),
        _ => format!("{} in {}", counts::runs(n_runs as u64), counts::files(n_files as u64)),
    }
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
    format!("Select {title}")
}

/// Further lines of a list.
#[must_use]
pub fn more_lines(n: usize) -> String {
    format!("Show more ({})", words::count(n as u64))
}

/// Files that are no traces.
#[must_use]
pub fn other_files(n: usize) -> String {
    format!("Show {} without a trace", counts::files(n as u64))
}

/// Opens the chosen runs together, or all. Without any run in the list, they are files.
#[must_use]
pub fn open_together(n: usize, are_all: bool, are_files: bool) -> String {
    let all = if are_all { "all " } else { "" };
    let n = n as u64;
    let named = if are_files { counts::files(n) } else { counts::runs(n) };
    format!("Open {all}{named} together")
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
    let loops = counts::possible_loops(n_loops as u64);
    format!("{} read, {loops}{stopped}", counts::events(n_events))
}
