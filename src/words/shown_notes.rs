//! The sentences for notes among the blocks of opened rows and comparisons.

use std::borrow::Cow;

use traceloupe_core::model::EventKind;
use traceloupe_protocol::notes::{
    CacheLoss, CacheLossReason, Compared, ComparedLabel, MessageFates, ShownNote,
};

use crate::{count, counted, duration, event_note, fact, kind, plural, role};

/// A note among the blocks of an opened row or of a comparison.
#[must_use]
pub fn shown_note(note: &ShownNote) -> Cow<'_, str> {
    match note {
        ShownNote::Event(note) => event_note(*note),
        ShownNote::HiddenThinking => "Thinking, hidden or encrypted by the producer".into(),
        ShownNote::MoreFields(n) => {
            format!("{}: see JSON", counted(*n, "more field", "more fields")).into()
        }
        ShownNote::MoreRows(n) => {
            format!("{}: see JSON", counted(*n, "more row", "more rows")).into()
        }
        ShownNote::Heading(heading) => role(heading),
        ShownNote::Messages(fates) => message_fates(*fates).into(),
        ShownNote::OnlyAfter(label) => format!("Only after: {}", compared(label)).into(),
        ShownNote::OnlyBefore(label) => format!("Only before: {}", compared(label)).into(),
        ShownNote::Same(labels) => format!("The same: {}", all(labels)).into(),
        ShownNote::CacheLoss(loss) => cache_loss(loss).into(),
        ShownNote::Between { tools, others } => between(tools, others).into(),
        ShownNote::Deleted => "The file was eventually deleted.".into(),
        ShownNote::EditsCancel(n) => {
            format!("{} that cancel each other out are left out.", counted(*n, "edit", "edits"))
                .into()
        }
        ShownNote::WrittenWhole => {
            "The whole file was written. Its earlier content is not in the trace.".into()
        }
        ShownNote::FailedLeftOut(n) => {
            let calls = counted(*n, "call that failed is", "calls that failed are");
            format!("{calls} left out.").into()
        }
        ShownNote::LongText => "A very long text is shown in part.".into(),
    }
}

/// A value of an event, with its number if it is not the first of its kind: the second result is `Result 2`.
#[must_use]
pub fn compared(label: &ComparedLabel) -> String {
    let what = match &label.what {
        Compared::Role(it) => role(it),
        Compared::Field(kind) => fact(kind),
        Compared::Form(form) => form.word().into(),
        Compared::Error => "Error".into(),
        Compared::Image => "Image".into(),
        Compared::Patch => "Patch".into(),
        Compared::Command => "Command".into(),
        Compared::Tasks => "Tasks".into(),
    };
    match label.number {
        1 => what.into_owned(),
        number => format!("{what} {number}"),
    }
}

fn all(labels: &[ComparedLabel]) -> String {
    labels.iter().map(compared).collect::<Vec<_>>().join(", ")
}

fn message_fates(fates: MessageFates) -> String {
    let parts = [
        (fates.same, "the same"),
        (fates.changed, "changed"),
        (fates.removed, "removed"),
        (fates.new, "new"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}"));
    let all = counted(fates.all, "message", "messages");
    format!("{all}: {}", parts.collect::<Vec<_>>().join(", "))
}

fn between(tools: &[(String, u64)], others: &[(EventKind, u64)]) -> String {
    let mut parts = Vec::new();
    let n_calls = tools.iter().map(|(_, n)| n).sum();
    if n_calls > 0 {
        let named = tools.iter().filter(|(name, _)| !name.is_empty());
        let named = named.map(|(name, n)| match n {
            1 => name.clone(),
            n => format!("{name} ×{n}"),
        });
        let named: Vec<String> = named.collect();
        let calls = counted(n_calls, "tool call", "tool calls");
        parts.push(format!("{calls} ({})", named.join(", ")));
    }
    parts.extend(others.iter().map(|(of, n)| {
        let inside = |words: &str| words.to_ascii_lowercase().replace("llm", "LLM");
        counted(*n, &inside(kind(*of)), &inside(plural(*of)))
    }));
    format!("Between the two calls: {}", parts.join(", "))
}

fn cache_loss(loss: &CacheLoss) -> String {
    let (read, cached) = (count(loss.read), count(loss.cached));
    let said = format!("Only {read} tokens came from the cache, after {cached} had been in it");
    if loss.reasons.is_empty() {
        return format!("{said}. The file does not show why.");
    }
    let reasons = loss.reasons.iter().map(|reason| match reason {
        CacheLossReason::Compacted => "the context was compacted".to_owned(),
        CacheLossReason::OtherModel => "a different model was used".to_owned(),
        CacheLossReason::Changed(labels) => {
            format!("earlier content of the prompt changed ({})", all(labels))
        }
        CacheLossReason::Pause(ms) => format!(
            "{} passed between the two answers, and caches often expire after 5 minutes",
            duration(*ms)
        ),
    });
    format!("{said}. Possible reasons: {}.", reasons.collect::<Vec<_>>().join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::BlockRole;

    #[test]
    fn the_fates_of_messages_are_counted() {
        let fates = MessageFates { all: 5, same: 2, changed: 1, removed: 1, new: 2 };
        assert_eq!(
            shown_note(&ShownNote::Messages(fates)),
            "5 messages: 2 the same, 1 changed, 1 removed, 2 new"
        );
    }

    #[test]
    fn values_that_are_the_same_have_numbers() {
        let label = |number| ComparedLabel { what: Compared::Role(BlockRole::Result), number };
        let same = ShownNote::Same(vec![label(1), label(2)]);
        assert_eq!(shown_note(&same), "The same: Result, Result 2");
    }

    #[test]
    fn what_happened_between_two_calls() {
        let tools = vec![("read".to_owned(), 2), (String::new(), 1)];
        let note = ShownNote::Between { tools, others: vec![(EventKind::LlmCall, 1)] };
        assert_eq!(shown_note(&note), "Between the two calls: 3 tool calls (read ×2), 1 LLM call");
    }

    #[test]
    fn a_loss_of_the_cache_has_its_reasons() {
        let loss = |reasons| {
            shown_note(&ShownNote::CacheLoss(CacheLoss { read: 0, cached: 8_000, reasons }))
                .into_owned()
        };
        let said = "Only 0 tokens came from the cache, after 8,000 had been in it";
        assert_eq!(loss(Vec::new()), format!("{said}. The file does not show why."));
        assert_eq!(
            loss(vec![CacheLossReason::Compacted, CacheLossReason::OtherModel]),
            format!(
                "{said}. Possible reasons: the context was compacted; a different model was used."
            )
        );
    }
}
