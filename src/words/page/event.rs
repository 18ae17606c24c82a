//! Words of opened rows.

use crate::counts;
use crate::{bytes, count, counted};
use traceloupe_core::number::fixed;
use traceloupe_core::text::patch::FileFate;
use traceloupe_protocol::comparison::CompareReason;

pub const DETAILS: &str = "Details";
pub const CHANGES: &str = "Changes";
pub const RAW: &str = "Raw";
pub const COMPARED_WITH: &str = "Compared with ";
pub const CHOSEN_TO_COMPARE: &str =
    "Selected. The Changes tab of other events now compares them with this one";
pub const COMPARE_OTHERS: &str = "Compare other events with this one";
pub const IS_COMPARED_WITH: &str = "Other events are compared with this one. ";
pub const COMPARE_AS_BEFORE: &str = "Compare with the previous event";
pub const NOTHING_TO_COMPARE: &str = "There is no earlier event like this one to compare with";
pub const NOTHING_DIFFERS: &str = "Only ids and times differ";
pub const NO_CHANGE_OF_THE_PROMPT: &str =
    "No earlier LLM call has a prompt that differs from that of the call before it";
pub const VIEW_OF_THIS_EVENT: &str = "View of this event";
pub const CLOSE_THIS_EVENT: &str = "Close this event";
pub const CLOSE: &str = "Close";
pub const LINK_TITLE: &str = "Copy a link to this event";
pub const LINK: &str = "Link";
pub const BEYOND_DETAILS: &str = "This match is in data that Details does not show";
pub const HIT_NOT_SHOWN: &str = "The match is in this event, but in a part that cannot be marked";
pub const NOTHING_MORE: &str = "There is nothing more to show; the raw text has everything";
pub const ERROR: &str = "Error";
pub const STACK: &str = "Stack";
pub const POINT_AT_IMAGE: &str = "Point at the image to see coordinates";
pub const READING: &str = "Reading…";
pub const WORKER_STOPPED: &str = "The worker has stopped. Open the file again to see this";
pub const SOURCE_CODE: &str = "Source code";
pub const SHOW_AS_TEXT: &str = "Show as text";
pub const SHOW_MORE: &str = "Show more";
pub const FOLD: &str = "Fold or unfold";
pub const SHOW_100_MORE: &str = "Show 100 more";
pub const SHOW: &str = "Show";
pub const IMAGE_TITLE: &str = "Switch between full size and small";
pub const SHOW_THE_IMAGE: &str = "Show the image";
pub const DECODE: &str = "Decode";
pub const DECODE_TITLE: &str =
    "Show what the string contains: JSON, base64-encoded text, or escaped text";
pub const FULL_SCREEN: &str = "Full screen";
pub const PLAY_THE_RECORDING: &str = "Play the recording";
pub const PREVIOUS_IMAGE: &str = "← Previous";
pub const NEXT_IMAGE: &str = "Next →";
pub const COPIED: &str = "Copied";
pub const JSON: &str = "JSON";
pub const COPY_PATH: &str = "Copy path";
pub const COPY_VALUE: &str = "Copy value";
pub const COPY_SHOWN: &str = "Copy visible part";
pub const TABLE_TITLE: &str = "Show the list as a table, or as a tree";
pub const TO_ITEM: &str = "Show this item in the tree";
pub const COPY: &str = "Copy";
pub const COPY_SHOWN_TITLE: &str = "Copy what is shown here";
pub const COMMAND: &str = "Command";
pub const SOURCE: &str = "Source";
pub const SOURCE_TITLE: &str = "Show the text as written";
pub const DONE: &str = "done";
pub const NOT_DONE: &str = "not done";
pub const TABLE: &str = "Table";
pub const IMAGE_IN_TEXT: &str = "Image: ";
pub const ADDED: &str = "added: ";
pub const REMOVED: &str = "removed: ";
pub const CHANGED_LINES: &str = "Changed lines";
/// Around the host that a link leads to.
pub const LINK_LEADS_TO: [&str; 2] = [
    "This link in the trace leads to ",
    ". It opens in a new tab, which gets no information about this page.",
];
pub const STAY_HERE: &str = "Stay here";
pub const OPEN_IN_A_NEW_TAB: &str = "Open in a new tab";
pub const COPY_THE_ADDRESS: &str = "Copy the address";

/// An event by its number and name.
#[must_use]
pub fn event_by_number(number: u32, name: &str) -> String {
    let number = count(u64::from(number));
    if name.is_empty() { format!("event {number}") } else { format!("event {number}, {name}") }
}

/// Why two events are compared. `is_earlier` is whether the other one is the earlier.
#[must_use]
pub fn reason(reason: CompareReason, is_earlier: bool) -> &'static str {
    match reason {
        CompareReason::Chosen if is_earlier => "chosen; earlier than this one",
        CompareReason::Chosen => "chosen; later than this one",
        CompareReason::PreviousCall => "the previous LLM call of this agent",
        CompareReason::SameArguments => "the last call with the same arguments",
        CompareReason::SameName => "the last one with this name",
    }
}

/// What a patch does to a file; empty where it only changes the file.
#[must_use]
pub fn fate_of(fate: &FileFate) -> String {
    match fate {
        FileFate::Changed => String::new(),
        FileFate::Added => "added".to_owned(),
        FileFate::Deleted => "deleted".to_owned(),
        FileFate::MovedFrom(path) => format!("moved from {path}"),
        FileFate::RenamedFrom(path) => format!("renamed from {path}"),
    }
}

/// Name of a diff, for screen readers.
#[must_use]
pub fn change_of(path: &str) -> String {
    if path.is_empty() { "Change".to_owned() } else { format!("Change of {path}") }
}

/// A download is being made.
#[must_use]
pub fn preparing(len_bytes: u64) -> String {
    format!("Preparing {}", bytes(len_bytes))
}

/// Name of an open body, for screen readers.
#[must_use]
pub fn event_opened(number: u32) -> String {
    format!("Event {number}, opened")
}

/// A link from a call to the LLM call that asked for it, by its number in the run.
#[must_use]
pub fn asked_by(number: u32) -> String {
    format!("Requested by event {number}")
}

/// What stands before the links to the other repetitions of a call.
#[must_use]
pub fn repeats(fails: bool) -> &'static str {
    if fails { "Same failure at" } else { "Repeated at" }
}

/// The place of an event: line, byte, how many more records it has, and the path, where there are several.
#[must_use]
pub fn place(line: u32, byte: u64) -> String {
    format!("line {} · byte {}", count(u64::from(line)), count(byte))
}

/// A place in a file.
#[must_use]
pub fn in_file(place: &str, file: &str) -> String {
    format!("{place} · {file}")
}

/// How many more records an event has.
#[must_use]
pub fn and_more_records(n: usize) -> String {
    match n {
        0 => String::new(),
        n => format!(" and {}", counts::more_records(n as u64)),
    }
}

/// The heading of a record.
#[must_use]
pub fn record(line: u32, byte: u64, len_bytes: u32) -> String {
    let line = count(u64::from(line));
    format!("Line {line}, byte {}, {}", count(byte), bytes(u64::from(len_bytes)))
}

/// The button over earlier messages.
#[must_use]
pub fn earlier_messages(n: u64, is_open: bool) -> String {
    let messages = counts::earlier_messages(n);
    if is_open { format!("Hide {messages}") } else { format!("Show {messages}") }
}

/// The button that shows all of a text: its characters, if all of them are loaded.
#[must_use]
pub fn show_all(n_chars: Option<u64>) -> String {
    n_chars.map_or_else(
        || "Show all that is loaded".to_owned(),
        |n| format!("Show all {}", counts::characters(n)),
    )
}

/// Between two parts of a diff.
#[must_use]
pub fn lines_left_out(n: u32) -> String {
    format!("{} unchanged  ", counts::lines(n.into()))
}

/// The button that shows all lines.
#[must_use]
pub fn show_all_lines(n: u64) -> String {
    format!("Show all {}", counts::lines(n))
}

/// The button for the next part of a long text.
#[must_use]
pub fn show_next(left_bytes: u64, total_bytes: u64) -> String {
    format!("Show more: {} of {} not shown", bytes(left_bytes), bytes(total_bytes))
}

/// How many lines are shown.
#[must_use]
pub fn showing_lines(n: u64, of: u64) -> String {
    format!("Showing {} of {} lines", count(n), count(of))
}

/// How many lines are folded.
#[must_use]
pub fn folded(n: usize) -> String {
    format!("… {}", counts::lines(n as u64))
}

/// How many characters of a text are shown.
#[must_use]
pub fn showing_chars(n: u64, of: u64) -> String {
    format!("Showing {} of {} characters", count(n), count(of))
}

/// How much of a long text is shown, of which only the size is known.
#[must_use]
pub fn showing_bytes(n: u64, of: u64) -> String {
    format!("Showing {} of {}", bytes(n), bytes(of))
}

/// The button that saves a whole value.
#[must_use]
pub fn download_all(len_bytes: u64) -> String {
    format!("Download all {}", bytes(len_bytes))
}

/// Description of an image: its type and size.
#[must_use]
pub fn image(what: &str) -> String {
    format!("Image in the trace: {what}")
}

/// The label of a recording.
#[must_use]
pub fn recording(what: &str) -> String {
    format!("Recording in the trace: {what}")
}

/// Which of several images it is.
#[must_use]
pub fn image_of(number: usize, all: usize) -> String {
    format!("{number} of {all}")
}

/// Description of an image of a type that is not displayed.
#[must_use]
pub fn hidden_image(what: &str) -> String {
    format!("Image, not shown: {what}")
}

/// A point of an image: in pixels and as shares, from the shares and the size in pixels.
#[must_use]
pub fn coordinates((left, top): (f64, f64), (width, height): (f64, f64)) -> String {
    let (x, y) = (left * width, top * height);
    let [x, y, width, height] = [x, y, width, height].map(|px| fixed(px, 0));
    let [left, top] = [left, top].map(|share| fixed(share, 3));
    format!("{x}, {y} of {width} × {height} px ({left}, {top})")
}

/// A mark on a screenshot.
#[must_use]
pub fn pointed_at(x: f64, y: f64) -> String {
    format!("The call pointed here: {}, {}", fixed(x, 0), fixed(y, 0))
}

/// The heading of a list of tasks.
#[must_use]
pub fn tasks(n_done: u64, n: u64) -> String {
    format!("Tasks: {} of {} done", count(n_done), count(n))
}

/// Keys of a table without room.
#[must_use]
pub fn more_columns(n: usize) -> String {
    format!("and {} in the tree", counted(n as u64, "more key", "more keys"))
}
