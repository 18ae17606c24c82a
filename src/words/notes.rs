//! The sentences for notes on runs and events.

use std::borrow::Cow;

use traceloupe_core::model::{EventNote, RunNote};

use crate::{count, counted};

/// A note on a run.
#[must_use]
pub fn run_note(note: &RunNote) -> String {
    let fixed = match note {
        RunNote::AboutRuns => "About the whole evaluation; its runs are listed on their own",
        RunNote::EventsInSeveralFiles => "Some events are in several files; each is shown once",
        RunNote::OnlyMetadata => "The file has metadata but no trace",
        RunNote::NoAgentData => "No agent data: these spans describe neither models nor tools",
        RunNote::ParentsNotOpened(n) => {
            let spans = counted(*n, "span has a parent that is", "spans have parents that are");
            return format!("{spans} not in the opened files");
        }
        RunNote::TraceNotOpened(path) => {
            return format!("Its trace is in `{path}`, which was not opened");
        }
        RunNote::AgentvWarned(warning) => return format!("AgentV warned: {warning}"),
        RunNote::OnlySummary => "Only the summary of this run was opened, not its events",
        RunNote::EventsAfterEnd(n) => {
            let events = counted(*n, "event follows", "events follow");
            return format!("{events} RUN_END, which is how agentdbg 0.1.0 wrote async runs");
        }
        RunNote::PlainRecords => "Read as plain records: time, name and message are guesses",
        RunNote::NoLlmTraffic => "The HAR file contains no LLM traffic",
        RunNote::Failed(reason) => return format!("Failed: {reason}"),
        RunNote::Cancelled { by: Some(by), reason } => {
            return format!("Cancelled by {by}: {reason}");
        }
        RunNote::Cancelled { by: None, reason } => return format!("Cancelled: {reason}"),
        RunNote::StoredWhileRunning => "The trace was stored while the agent was still running",
        RunNote::TranscriptsMissing(1) => "The transcript of 1 sub-agent is not among the files",
        RunNote::TranscriptsMissing(n) => {
            return format!("The transcripts of {} sub-agents are not among the files", count(*n));
        }
        RunNote::Forks(1) => "1 fork: a message was edited, or the conversation was rewound",
        RunNote::Forks(n) => {
            return format!("{} forks: messages were edited or rewound", count(*n));
        }
        RunNote::Copies(1) => "1 event is a copy from another session",
        RunNote::Copies(n) => {
            return format!("{} events are copies from another session", count(*n));
        }
    };
    fixed.to_owned()
}

/// A note on an event.
#[must_use]
pub fn event_note(note: EventNote) -> Cow<'static, str> {
    Cow::Borrowed(match note {
        EventNote::NoEndOfLlmCall => "The end of this LLM call is not in the file",
        EventNote::NoResult => "The result of this call is not in the file",
        EventNote::RefusedOrInterrupted => "Refused or interrupted by the user",
        EventNote::InterruptedWithoutResult => "Interrupted by the user: there is no result",
        EventNote::CutIntoOwnFile => {
            "The producer truncated the result and saved the full text in a separate file"
        }
        EventNote::ProgressRecords(n) => {
            let records = counted(n, "record", "records");
            return format!("{records} of progress or hooks, in the raw bytes").into();
        }
        EventNote::InferredTime => "Its time is inferred from the timestamps of the records",
        EventNote::MessagesNotOpened(n) => {
            let messages = counted(n, "more message is", "more messages are");
            return format!("{messages} not in the opened files").into();
        }
        EventNote::RunByUser => "The user ran this command",
        EventNote::OnlyWorkload => "Only a workload: no solution was evaluated on it",
        EventNote::GenerationsElsewhere(n) => {
            return format!("Its {} generations are rows of their own", count(n)).into();
        }
        EventNote::NoEvidence => "The producer did not record which events the warning is about",
        EventNote::Redacted => "Some values were redacted by the producer",
        EventNote::CutByDefault => {
            "Some values were truncated by the producer, by default at 20,000 bytes or below ten levels"
        }
        EventNote::OtherVersionShown => "The chat shows another version of this message",
        EventNote::InjectedTask { is_done: true } => {
            "The injected task was done: the attack succeeded"
        }
        EventNote::InjectedTask { is_done: false } => {
            "The injected task was not done: the attack failed"
        }
        EventNote::PaddingNotShown => "Padding is not shown",
        EventNote::RestCut => "The producer cut the rest",
        EventNote::CharsCut { kept, all } => {
            let (kept, all) = (count(kept), count(all));
            return format!("Showing {kept} of {all} characters: the producer cut the rest").into();
        }
        EventNote::EventsInOtherFiles => {
            "The events of this sample are in separate files, which are not supported yet"
        }
        EventNote::ImageOnServer => "An image stored on Explorer's server, not in this file",
        EventNote::ImageNotLoaded => "An image elsewhere on the network: it is not loaded",
        EventNote::AnswerRepeated => {
            "AgentV also wrote the answer before the calls; it is shown as the next message"
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_have_their_verbs() {
        let run = |note| run_note(&note);
        assert_eq!(
            run(RunNote::EventsAfterEnd(2)),
            "2 events follow RUN_END, which is how agentdbg 0.1.0 wrote async runs"
        );
        assert_eq!(
            run(RunNote::ParentsNotOpened(1)),
            "1 span has a parent that is not in the opened files"
        );
        assert_eq!(run(RunNote::Copies(2)), "2 events are copies from another session");
        assert_eq!(
            run(RunNote::Forks(1)),
            "1 fork: a message was edited, or the conversation was rewound"
        );
        assert_eq!(
            event_note(EventNote::MessagesNotOpened(1)),
            "1 more message is not in the opened files"
        );
        assert_eq!(
            event_note(EventNote::CharsCut { kept: 3, all: 4_523 }),
            "Showing 3 of 4,523 characters: the producer cut the rest"
        );
    }

    #[test]
    fn a_cancelled_run_says_by_whom_if_the_file_does() {
        let cancelled = |by: Option<&str>| {
            let by = by.map(str::to_owned);
            run_note(&RunNote::Cancelled { by, reason: "late".to_owned() })
        };
        assert_eq!(cancelled(Some("user")), "Cancelled by user: late");
        assert_eq!(cancelled(None), "Cancelled: late");
    }
}
