//! The sentences for exports: what each form is, and what it leaves out.

use traceloupe_protocol::export_form::ExportForm;
use traceloupe_protocol::notes::ExportNote;

use crate::counted;

/// A description of a form in one sentence.
#[must_use]
pub fn export_form(form: ExportForm) -> &'static str {
    match form {
        ExportForm::AgentvEvents => {
            "A list of TraceEvents, with tool calls and results as separate events"
        }
        ExportForm::OpenAiMessages => {
            "One assistant message with the tool calls of a turn, then one tool message per result"
        }
        ExportForm::AdkEvents => {
            "All tool calls of a turn as parts of one event, then all results as parts of one event"
        }
        ExportForm::MastraMessages => {
            "Tool calls with their results as tool-invocation parts of the assistant's message"
        }
        ExportForm::CompactInline => {
            "Messages whose tool calls have tool, input and output side by side"
        }
    }
}

/// What a file that was made does not contain.
#[must_use]
pub fn export_note(note: ExportNote) -> String {
    match note {
        ExportNote::EventsLeftOut(n) => counted(
            n,
            "event cannot be written in this format and was left out",
            "events cannot be written in this format and were left out",
        ),
        ExportNote::WithoutTime(n) => counted(
            n,
            "event has no time in the file; its timestamp is null",
            "events have no time in the file; their timestamps are null",
        ),
        ExportNote::ValuesCut(n) => {
            counted(n, "value of more than 4 MiB was cut", "values of more than 4 MiB were cut")
        }
        ExportNote::ImagesLeftOut(n) => counted(n, "image was left out", "images were left out"),
        ExportNote::TracesTooLong(n) => counted(
            n,
            "trace is too long and was left out",
            "traces are too long and were left out",
        ),
    }
}
