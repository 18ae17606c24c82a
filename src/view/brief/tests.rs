//! Parts of a brief, without a trace.

use super::*;
use crate::testing::{with_kinds, with_timed_kinds};

#[test]
fn a_text_is_cut_at_the_end_of_a_line_or_a_word() {
    assert_eq!(beginning("one two", 7), "one two");
    assert_eq!(beginning("one two three four", 16), "one two three");
    assert_eq!(beginning("one two\nthree four", 9), "one two");
    assert_eq!(beginning("onetwothree", 5), "onetw");
    assert_eq!(beginning("ääää", 3), "ä");
}

#[test]
fn what_was_asked_is_in_the_first_message_otherwise_in_the_first_request() {
    use EventKind::{LlmCall, Note, UserMessage};
    let of = |kinds: &[EventKind]| {
        let outline = with_kinds(&vec![0; kinds.len()], kinds.iter().copied());
        asked_row(&outline, &outline.runs[0])
    };
    assert_eq!(of(&[Note, UserMessage, LlmCall, UserMessage]), Some(1));
    assert_eq!(of(&[Note, LlmCall, LlmCall]), Some(1));
    assert_eq!(of(&[Note]), None);
}

#[test]
fn the_time_of_all_tools_is_one_share() {
    use EventKind::{LlmCall, ToolCall};
    let times = [(0, 0.0, 30.0), (0, 30.0, 10.0), (0, 40.0, 5.0)];
    let mut outline = with_timed_kinds(&times, &[LlmCall, ToolCall, ToolCall], &[]);
    outline.runs[0].columns.durations = true;
    let shares = time(&outline, &outline.runs[0]).unwrap().shares;
    assert_eq!(shares, [(TimeOn::Models, 30.0), (TimeOn::Tools, 15.0)]);
    outline.runs[0].columns.durations = false;
    assert_eq!(time(&outline, &outline.runs[0]), None);
}

#[test]
fn events_beyond_the_first_are_counted() {
    let outline = with_kinds(&[0; 9], std::iter::repeat_n(EventKind::ToolCall, 9));
    let refers = Refers { outline: &outline, run: &outline.runs[0] };
    let events = refers.events(&[0, 2, 4, 5, 6, 8]);
    let numbers: Vec<u32> = events.named.iter().map(|it| it.number).collect();
    assert_eq!((numbers, events.n_more), (vec![1, 3, 5, 6], 2));
}
