//! Which events are evidence for something that the user copies, and their contents as texts.

use crate::brief::text_of;
use crate::finding_list::{FindingList, Part};
use crate::list::line_view::row_name;
use crate::outline::Outline;
use traceloupe_core::model::{BlockRole, EventKind, Side};
use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::detail::{ShownBlock, ShownDetail};
use traceloupe_protocol::value::Shown;
use traceloupe_words::brief::EventRef;
use traceloupe_words::llm_text::{Passage, PassagePart};
use traceloupe_words::pieces::Sentence;
use traceloupe_words::{self as words};

/// How many events are copied with their contents.
const MAX_EVENTS: usize = 32;

/// What is copied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Subject {
    /// The brief of the run, with the events of its loops and failures.
    Brief,
    /// A row, with what is nested in it.
    Row(u32),
    /// The turn that contains a row.
    Turn(u32),
    /// A finding, by its key.
    Finding(u64),
}

/// The rows that are evidence for a subject, in order, and how many more there are.
#[must_use]
pub fn rows_of(outline: &Outline, findings: &FindingList, subject: Subject) -> (Vec<u32>, u64) {
    let mut rows: Vec<u32> = match subject {
        Subject::Brief => of_brief(findings),
        Subject::Row(row) => (row..=row + outline.rows.nested.get(row)).collect(),
        Subject::Turn(row) => {
            let turn = outline.turns.around(row);
            turn.map_or(row..row + 1, |turn| turn.row..turn.end).collect()
        }
        Subject::Finding(key) => {
            let entry = findings.entries().iter().find(|entry| entry.key == key);
            let lines = entry.map(|entry| findings.lines(entry)).unwrap_or_default();
            lines.iter().flat_map(|line| line.rows.as_slice()).copied().collect()
        }
    };
    traceloupe_core::sorting::sort(&mut rows);
    rows.dedup();
    let n_all = rows.len();
    if n_all > MAX_EVENTS {
        // How it ended says more than what came in between.
        rows.drain(MAX_EVENTS / 2..n_all - MAX_EVENTS / 2);
    }
    let n_more = (n_all - rows.len()) as u64;
    (rows, n_more)
}

/// The first and the last repetition of each possible loop, and the first of similar failures that were never fixed.
fn of_brief(findings: &FindingList) -> Vec<u32> {
    let mut rows = Vec::new();
    for entry in findings.loud() {
        let repeated = findings.rows(entry);
        rows.extend(repeated.first().into_iter().chain(repeated.last()));
    }
    for entry in findings.of(Part::Errors) {
        let never = findings.first(entry).filter(|line| line.n_never_fixed() > 0);
        rows.extend(never.filter(|line| !line.is_fixed()).map(|line| line.mark));
    }
    rows
}

/// An event as evidence: its arguments, its result, its texts, with the line that says why it failed as their focus.
#[must_use]
pub fn passage(outline: &Outline, row: u32, detail: &ShownDetail, causes: &Causes) -> Passage {
    let first = outline.run_of(row).map_or(0, |(_, run)| run.first_row);
    let mut heading = Sentence::default().code(row_name(outline, row));
    let outcome = words::call_outcome(outline.rows.outcome(row));
    let facts = [outcome.to_owned(), words::duration(outline.rows.durations_ms.get(row))];
    for fact in facts.into_iter().filter(|it| !it.is_empty()) {
        heading = heading.text(format!(", {fact}"));
    }
    let is_call = outline.rows.kinds.get(row) == EventKind::LlmCall as u8;
    let mut parts = Vec::new();
    // What a model was sent is in the events before it.
    let blocks = detail.blocks.iter();
    blocks.for_each(|block| add(block, is_call, &mut parts));
    let id = outline.rows.ids.get(row);
    let failure = causes.failures.iter().find(|failure| failure.id == id);
    let line = failure.map_or("", |failure| failure.reason.line.as_str());
    for part in parts.iter_mut().filter(|_| !line.is_empty()) {
        part.focus = part.text.find(line).map(|at| at..at + line.len());
    }
    Passage { event: EventRef { row, number: row - first + 1 }, heading, parts }
}

fn add(block: &ShownBlock, without_input: bool, parts: &mut Vec<PassagePart>) {
    let mut push = |label: String, (text, n_unsent_bytes): (String, u64)| {
        if !text.trim().is_empty() {
            parts.push(PassagePart { label, text, n_unsent_bytes, focus: None });
        }
    };
    let titled = |role: &BlockRole| words::role(role).into_owned();
    let is_left_out = |role: &BlockRole| {
        let is_data = matches!(
            role,
            BlockRole::Record | BlockRole::Meta | BlockRole::Usage | BlockRole::OtherFields
        );
        is_data || without_input && role.side() == Side::Input
    };
    match block {
        ShownBlock::Value(role, _, shown) if !is_left_out(role) => {
            push(titled(role), text_of(shown))
        }
        ShownBlock::Code(role, _, shown) if !is_left_out(role) => {
            push(titled(role), text_of(shown))
        }
        ShownBlock::Messages(role, _, new) if !is_left_out(role) => {
            for message in new {
                message.content.iter().for_each(|block| add(block, without_input, parts));
            }
        }
        ShownBlock::Table(role @ BlockRole::Arguments, facts) => {
            let line = |(kind, shown): &(_, Shown)| {
                format!("{}: {}", words::fact(kind), text_of(shown).0.trim_end())
            };
            push(titled(role), (facts.iter().map(line).collect::<Vec<_>>().join("\n"), 0));
        }
        ShownBlock::Diff(role, lines) => {
            let line = |(sign, text): &(char, String)| format!("{sign}{text}");
            push(titled(role), (lines.iter().map(line).collect::<Vec<_>>().join("\n"), 0));
        }
        ShownBlock::Patch(patch) => push(String::new(), (patch.clone(), 0)),
        ShownBlock::Command(shown) => push(String::new(), text_of(shown)),
        ShownBlock::Error(label, message, stack) => {
            let label = words::error_label(label.as_str()).into_owned();
            let (message, stack) = (message.as_ref().map(text_of), stack.as_ref().map(text_of));
            match message.or(stack) {
                Some(text) => push(label, text),
                None => push(String::new(), (label, 0)),
            }
        }
        ShownBlock::Tasks(tasks) => {
            let line = |(status, text): &(String, String)| format!("[{status}] {text}");
            push(String::new(), (tasks.iter().map(line).collect::<Vec<_>>().join("\n"), 0));
        }
        ShownBlock::Value(..)
        | ShownBlock::Code(..)
        | ShownBlock::Messages(..)
        | ShownBlock::Table(..)
        | ShownBlock::Grid(..)
        | ShownBlock::Media(_)
        | ShownBlock::Note(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_kinds;
    use traceloupe_core::model::{ErrorLabel, FactKind};
    use traceloupe_core::reason::Reason;
    use traceloupe_protocol::causes::Failure;
    use traceloupe_protocol::detail::ValueForm;

    fn value(role: BlockRole, text: &str) -> ShownBlock {
        ShownBlock::Value(role, ValueForm::Text, Shown::text(text, None))
    }

    #[test]
    fn a_call_is_its_arguments_and_its_result_with_the_reason_in_focus() {
        let outline = with_kinds(&[0, 0], [EventKind::LlmCall, EventKind::ToolCall].into_iter());
        let fact = (FactKind::Other("path".to_owned()), Shown::text("a.rs", None));
        let detail = ShownDetail {
            blocks: vec![
                ShownBlock::Table(BlockRole::Arguments, vec![fact]),
                value(BlockRole::Result, "one\nno such file\ntwo"),
                value(BlockRole::Record, "{}"),
            ],
            ..ShownDetail::default()
        };
        let reason = Reason::of(ErrorLabel::None, "no such file");
        let failure = Failure { id: 1, reason, ..Failure::default() };
        let causes = Causes { failures: vec![failure], ..Causes::default() };
        let found = passage(&outline, 1, &detail, &causes);
        let said: Vec<_> =
            found.parts.iter().map(|it| (it.label.as_str(), it.text.as_str())).collect();
        assert_eq!(said, [("Arguments", "path: a.rs"), ("Result", "one\nno such file\ntwo")]);
        assert_eq!((found.event.number, found.parts[1].focus.clone()), (2, Some(4..16)));
    }

    #[test]
    fn of_an_llm_call_only_the_response_is_copied() {
        let outline = with_kinds(&[0], [EventKind::LlmCall].into_iter());
        let blocks = vec![value(BlockRole::Prompt, "asked"), value(BlockRole::Response, "said")];
        let detail = ShownDetail { blocks, ..ShownDetail::default() };
        let found = passage(&outline, 0, &detail, &Causes::default());
        let texts: Vec<&str> = found.parts.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(texts, ["said"]);
    }

    #[test]
    fn of_many_events_the_first_and_the_last_are_copied() {
        let mut depths = [1; 100];
        depths[0] = 0;
        let outline = with_kinds(&depths, std::iter::repeat_n(EventKind::ToolCall, 100));
        let (rows, n_more) = rows_of(&outline, &FindingList::default(), Subject::Row(0));
        assert_eq!((rows.len(), n_more), (MAX_EVENTS, 100 - MAX_EVENTS as u64));
        assert_eq!((rows[0], rows[MAX_EVENTS - 1]), (0, 99));
        let one = rows_of(&outline, &FindingList::default(), Subject::Row(7));
        assert_eq!(one, (vec![7], 0));
    }
}
