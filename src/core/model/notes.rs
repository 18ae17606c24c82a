//! Notes on runs and events, as values. The sentences for them are made in `words`.

use serde::{Deserialize, Serialize};

/// A note on a run: what the files lack, or how they were read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RunNote {
    /// It is no run itself: its rows are about an evaluation whose runs are listed.
    AboutRuns,
    /// Some events are in several files; each is shown once.
    EventsInSeveralFiles,
    /// The file has metadata and no trace.
    OnlyMetadata,
    /// The spans of the run describe neither models nor tools.
    NoAgentData,
    /// The number of spans whose parents are in no opened file.
    ParentsNotOpened(u64),
    /// The trace of the run is in a file that was not opened: its path.
    TraceNotOpened(String),
    /// AgentV warned of something when it converted the trace: its words.
    AgentvWarned(String),
    /// Only the summary of the run was opened, not its events.
    OnlySummary,
    /// The number of events after the end of the run, which is how agentdbg 0.1.0 wrote async runs.
    EventsAfterEnd(u64),
    /// The file was read as plain records.
    PlainRecords,
    /// A HAR file without LLM calls.
    NoLlmTraffic,
    /// The run failed: the reason that the file states.
    Failed(String),
    /// The run was cancelled.
    Cancelled {
        /// Who or what cancelled it, if the file states it.
        by: Option<String>,
        /// The reason that the file states.
        reason: String,
    },
    /// The trace was stored while the agent was running.
    StoredWhileRunning,
    /// The number of sub-agents whose transcripts are not among the files.
    TranscriptsMissing(u64),
    /// How often the conversation was forked: messages were edited or rewound.
    Forks(u64),
    /// The number of events that are copies from another session.
    Copies(u64),
}

/// A note on an event, shown in its opened row.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum EventNote {
    /// The file has no end of this LLM call.
    NoEndOfLlmCall,
    /// The file has no result of this tool call.
    NoResult,
    /// The user refused or interrupted the call.
    RefusedOrInterrupted,
    /// The user interrupted the call before it had a result.
    InterruptedWithoutResult,
    /// The producer cut the result, and kept the whole in a file of its own.
    CutIntoOwnFile,
    /// The number of progress and hook records of the call, which only the raw bytes show.
    ProgressRecords(u64),
    /// The time of the event is inferred from those of the records.
    InferredTime,
    /// The number of further messages in files that were not opened.
    MessagesNotOpened(u64),
    /// The user ran this command.
    RunByUser,
    /// A workload without an evaluated solution.
    OnlyWorkload,
    /// The number of generations of a kernel, which have rows of their own.
    GenerationsElsewhere(u64),
    /// The producer did not record which events a warning is about.
    NoEvidence,
    /// The producer redacted some values.
    Redacted,
    /// The producer cut some values, at 20,000 bytes or below ten levels unless set otherwise.
    CutByDefault,
    /// The chat shows another version of this message.
    OtherVersionShown,
    /// Whether the injected task was done, so that the attack succeeded.
    InjectedTask {
        /// Whether it was.
        is_done: bool,
    },
    /// The padding of a stream is not shown.
    PaddingNotShown,
    /// The producer cut the rest of an output.
    RestCut,
    /// The producer cut an output.
    CharsCut {
        /// How many characters it kept.
        kept: u64,
        /// How many there were.
        all: u64,
    },
    /// The events of this sample are in other files, which are not read.
    EventsInOtherFiles,
    /// The image is in the storage of Explorer's server.
    ImageOnServer,
    /// The image is elsewhere on the network, and is not loaded.
    ImageNotLoaded,
    /// AgentV also wrote the answer before the calls; it is shown as the next message.
    AnswerRepeated,
}
