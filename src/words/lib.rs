//! All words: sentences, labels, numbers and units, made from values. `page` has what only the page shows, by area of the
//! screen; the rest is shared with exports and with what the worker writes.

pub mod brief;
pub mod column_headings;
pub mod command;
pub mod context;
pub mod counts;
mod css;
pub mod expectations;
mod exports;
mod facts;
mod failure_reasons;
pub mod findings;
mod folds;
mod kinds;
pub mod llm_text;
mod money;
mod names;
mod notes;
mod numbers;
mod outcomes;
pub mod page;
pub mod pieces;
pub mod problems;
pub mod report;
mod roles;
mod shortening;
mod shown_notes;
pub mod summary;
pub mod suspicious_chars;
mod time;
mod waits;
mod warnings;

pub use counts::events;
pub use css::{css_percent, css_px};
pub use exports::{export_form, export_note};
pub use facts::{fact, fact_value};
pub use failure_reasons::{error_label, reason};
pub use folds::{
    bookkeeping, copied, done, failed_of, kinds_of_steps, misses, more_steps, quick_spans,
    with_more,
};
pub use kinds::{calls_of, kind, plural};
pub use money::{cost, cost_or_bound, dollars, dollars_about, price};
pub use names::{mcp_parts, tool_name};
pub use notes::{event_note, run_note};
pub use numbers::{about, at_least, bytes, count, counted, percent, tokens};
pub use outcomes::{call_outcome, no_end, outcome_words, score, short_outcome};
pub use roles::role;
pub use shortening::{
    end_of_dotted, end_of_path, folder_and_name, one_line, past_common, without_marks,
};
pub use shown_notes::{compared, shown_note};
pub use time::{
    clock, day_and_minute, duration, minutes, short_time, stamp, stamp_of_minute, time_of_day,
    time_of_day_ms, written,
};
pub use waits::{at_most, pause, waited, whole_pause};
pub use warnings::{stopped, warning};
