//! Words of the list of files that calls name.

use crate::counted;
use crate::counts;
use traceloupe_protocol::touched::Access;

pub const FILES: &str = "Files";
pub const FILE: &str = "File";
pub const FILES_OF_THE_RUN: &str = "Files of the run";
pub const LOOKING: &str = "Reading the calls…";
pub const NONE: &str = "No call in this run mentions a file in its arguments";
pub const ABOUT: &str = "Based on the arguments of the calls. Changes made by shell commands are not included. The row of a call shows whether it failed.";
pub const FILTERED: &str = "Only calls that match the filters are counted";
pub const NET_CHANGE: &str = "Net change";
pub const UNDOES: &str = "reverts an earlier edit";

/// What was found in all.
#[must_use]
pub fn said(n_changed: usize, n_named: usize, n_unread: u32, done: bool) -> String {
    let files = |n: usize| counts::files(n as u64);
    let mut words = match (n_changed, n_named) {
        (0, n) => format!("{} mentioned, none changed.", files(n)),
        (n, 0) => format!("{} changed.", files(n)),
        (n, others) => format!("{} changed, {others} more mentioned.", files(n)),
    };
    if n_unread > 0 {
        let calls = counted(u64::from(n_unread), "call", "calls");
        words.push_str(&format!(" {calls} could not be read."));
    }
    if !done {
        words.push(' ');
        words.push_str(LOOKING);
    }
    words
}

/// The folder that paths are shown without.
#[must_use]
pub fn below(folder: &str) -> String {
    format!("Paths are relative to {folder}")
}

/// How many calls change a file, and how many only name it. A file that is written before anything else may be new.
#[must_use]
pub fn what(n_changes: u32, n_others: u32, is_new: bool) -> String {
    let changes = match (is_new, n_changes) {
        (true, 0 | 1) => "written".to_owned(),
        (true, n) => format!("written, {}", counted(u64::from(n - 1), "change", "changes")),
        (false, n) => counted(u64::from(n), "change", "changes"),
    };
    let others = counted(u64::from(n_others), "other call", "other calls");
    match (n_changes, n_others) {
        (0, _) => counted(u64::from(n_others), "call", "calls"),
        (_, 0) => changes,
        _ => format!("{changes}, {others}"),
    }
}

/// How many calls name a file.
#[must_use]
pub fn calls_that_name_it(n: u64) -> String {
    counted(n, "call mentions it", "calls mention it")
}

/// How often an earlier edit was put back.
#[must_use]
pub fn undone(n: u32) -> String {
    counted(u64::from(n), "edit reverted", "edits reverted")
}

/// A call, by what it does to the file. `reads` is whether a tool that only names the file reads it, by its own name.
#[must_use]
pub fn call(access: Access, reads: bool, number: u32) -> String {
    let what = match access {
        Access::Names if reads => "read",
        Access::Names => "mentioned",
        Access::Edits => "edited",
        Access::Writes => "written",
        Access::Deletes => "deleted",
    };
    format!("Event {number}: {what}")
}

/// Files beyond those that are listed.
#[must_use]
pub fn more(n: usize) -> String {
    counted(n as u64, "more file", "more files")
}

/// Calls beyond those that are listed.
#[must_use]
pub fn more_calls(n: usize) -> String {
    format!(
        "{}; filter by the name of the file to see them",
        counted(n as u64, "more call", "more calls")
    )
}
