//! Words of annotations.

use crate::{count, counted};

pub const THE_SELECTED_TEXT: &str = "The selected text";
pub const THIS_EVENT: &str = "This event";
pub const THE_WHOLE_TRACE: &str = "The whole trace";
pub const ANNOTATED: &str = "Annotated";
pub const THIS_CANNOT_BE_ANNOTATED: &str = "This cannot be annotated";
pub const ANNOTATION_DELETED: &str = "Annotation deleted";
pub const POINTS_AT_NO_EVENT: &str = "This annotation does not refer to an event";
pub const THERE_IS_NO_ANNOTATION: &str = "There are no annotations";
pub const COMMENT: &str = "Comment";
pub const VOTE_UP: &str = "Vote up";
pub const VOTE_DOWN: &str = "Vote down";
pub const FINDING_OF_AN_ANALYZER: &str = "Analyzer finding";
pub const GUARDRAIL_FAILED: &str = "Guardrail failed";
pub const TEST_PASSED: &str = "Test passed";
pub const TEST_FAILED: &str = "Test failed";
pub const SEARCH_MATCH: &str = "Search match";
pub const ANNOTATIONS: &str = "Annotations";
pub const PREVIOUS_ANNOTATION: &str = "Previous annotation";
pub const PREVIOUS_ANNOTATION_B: &str = "Previous annotation (B)";
pub const NEXT_ANNOTATION: &str = "Next annotation";
pub const NEXT_ANNOTATION_B: &str = "Next annotation (b)";
pub const ANNOTATE_THE_WHOLE_TRACE: &str = "Annotate the whole trace";
pub const SAVE_AS_JSON_TITLE: &str = "Annotations of all traces as JSON";
pub const SAVE_AS_JSON: &str = "Save as JSON";
pub const SAVE_TRACES_TITLE: &str =
    "Annotated traces as a data set that Invariant Explorer imports (JSONL)";
pub const SAVE_TRACES: &str = "Save traces";
pub const WHOLE_TRACE: &str = "whole trace";
pub const ANNOTATE_TITLE: &str = "Annotate the selected text, its line, or this event";
pub const ANNOTATE: &str = "Annotate";
pub const EDIT_THIS_ANNOTATION: &str = "Edit this annotation";
pub const EDIT: &str = "Edit";
pub const DELETE_THIS_ANNOTATION: &str = "Delete this annotation";
pub const DELETE: &str = "Delete";
pub const ANNOTATION: &str = "Annotation";
pub const WHAT_IT_IS_ABOUT: &str = "Applies to";
pub const WHAT_YOU_WANT_TO_SAY: &str = "Your comment";
pub const KEPT_IN_THIS_BROWSER_ONLY: &str = "Stored in this browser only";
pub const GOOD: &str = "▲ Good";
pub const BAD: &str = "▼ Bad";
pub const SAVE: &str = "Save";
pub const CANCEL: &str = "Cancel";

/// A line of an event's text.
#[must_use]
pub fn line(number: u32) -> String {
    format!("Line {number}")
}

/// The rest of the list, on the button that shows it.
#[must_use]
pub fn more_annotations(n: usize) -> String {
    format!("+{}", counted(n as u64, "more annotation", "more annotations"))
}

/// Annotations that are left out of the list.
#[must_use]
pub fn more_not_listed(n: u32) -> String {
    format!("{} more are not listed", count(u64::from(n)))
}

/// An event by its number in the run.
#[must_use]
pub fn event(number: Option<u64>) -> String {
    number.map_or("event".to_owned(), |number| format!("event {}", count(number)))
}

/// A part of an event's text.
#[must_use]
pub fn text_of(event: &str) -> String {
    format!("{event}, text")
}

/// A line of an event's text; `line` counts from 0.
#[must_use]
pub fn line_of(event: &str, line: u32) -> String {
    format!("{event}, line {}", u64::from(line) + 1)
}

/// A part of an image.
#[must_use]
pub fn area_of(event: &str) -> String {
    format!("{event}, area")
}
