//! An answer that is being read: what is open in it.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::formats::Record;
use crate::formats::by_hand::set_summary;
use crate::formats::fields::{JsonValue, count, fields, given};
use crate::model::{
    EventId, Flags, LaneId, MaybeNs, RunId, RunStatus, SourceId, Status, TraceBuilder, Usage,
    key_hash,
};

use super::ID;
use super::text::AnswerText;

/// One answer of the agent, which is a run.
pub(super) struct Answer {
    pub(super) run: RunId,
    pub(super) arms: FxHashMap<String, Arm>,
    pub(super) calls: FxHashMap<u64, EventId>,
    /// Calls whose output may still come, the oldest first.
    pub(super) waiting: VecDeque<EventId>,
    /// Whether it is a stream, which has an event at its end.
    pub(super) is_stream: bool,
    pub(super) end: Option<EventId>,
    pub(super) has_events: bool,
}

/// What is under way in an answer, or in one of two that are compared.
pub(super) struct Arm {
    pub(super) lane: LaneId,
    pub(super) text: AnswerText,
    pub(super) open: Option<Open>,
    /// The LLM calls, of which the last one asks for the calls that follow.
    pub(super) llm_calls: Vec<EventId>,
    /// The last one with words to the person.
    pub(super) last_words: Option<EventId>,
    /// How many of them have the name of their model.
    pub(super) n_named: usize,
    /// Whether it has come to its end.
    pub(super) is_over: bool,
}

/// The LLM call at hand.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) event: EventId,
    pub(super) has_text: bool,
    pub(super) has_thinking: bool,
    /// Whether its last record holds all of its text so far: a longer one takes its place.
    pub(super) is_growing: bool,
    /// How many pieces of text it is made of.
    pub(super) n_pieces: u32,
}

/// An event of the stream, with what all of them have.
#[derive(Clone, Copy)]
pub(super) struct Sent<'a, 'r> {
    pub(super) record: &'r Record<'a>,
    pub(super) kind: &'r str,
    pub(super) time: MaybeNs,
    pub(super) arm: &'r str,
}

impl Answer {
    /// Begins a run. Without a key of the producer's it is known by its place in the source.
    pub(super) fn begin(
        source: SourceId,
        n_runs: &mut u32,
        key: Option<&str>,
        is_stream: bool,
        out: &mut TraceBuilder,
    ) -> Self {
        *n_runs += 1;
        let (n, source) = (*n_runs, source.index());
        let own_key = match n {
            1 => format!("source {source}"),
            n => format!("source {source}, answer {n}"),
        };
        let n_known = out.trace().runs().len();
        let mut run = out.run(ID, key.unwrap_or(&own_key));
        if out.trace().runs().len() == n_known {
            // The same trace in two files: both are shown.
            run = out.run(ID, &format!("{} ({own_key})", key.unwrap_or_default()));
        }
        if n > 1 {
            out.run_mut(run).title = Some(format!("Answer {n}"));
        }
        if is_stream {
            out.run_mut(run).status = RunStatus::Running;
        }
        Self {
            run,
            arms: FxHashMap::default(),
            calls: FxHashMap::default(),
            waiting: VecDeque::new(),
            is_stream,
            end: None,
            has_events: false,
        }
    }

    #[inline(never)]
    pub(super) fn arm(&mut self, key: &str, out: &mut TraceBuilder) -> &mut Arm {
        let run = self.run;
        self.arms.entry(key.to_owned()).or_insert_with(|| {
            let lane = out.lane(run, key);
            let name = out.name(key);
            if let Some(lane) = out.lane_mut(lane) {
                lane.name = name;
            }
            Arm {
                lane,
                text: AnswerText::default(),
                open: None,
                llm_calls: Vec::new(),
                last_words: None,
                n_named: 0,
                is_over: false,
            }
        })
    }

    /// Whether an event begins another answer.
    pub(super) fn ends_before(&self, kind: &str, arm: &str) -> bool {
        const STARTS: [&str; 6] =
            ["thinking_start", "thinking", "tool_start", "chunk", "text", "step"];
        match kind {
            "meta" => self.has_events,
            _ => STARTS.contains(&kind) && self.arms.get(arm).is_some_and(|arm| arm.is_over),
        }
    }
}

pub(super) fn is_waiting(id: EventId, out: &TraceBuilder) -> bool {
    out.trace().event(id).is_some_and(|event| event.status == Status::NoResult)
}

pub(super) fn set_cancelled(id: Option<EventId>, out: &mut TraceBuilder) {
    if let Some(event) = id.and_then(|id| out.event_mut(id))
        && event.status == Status::NoResult
    {
        event.status = Status::Cancelled;
    }
}

pub(super) fn name(id: EventId, text: &str, out: &mut TraceBuilder) {
    let name = out.name(text);
    if let Some(event) = out.event_mut(id) {
        event.name = name;
    }
}

pub(super) fn set_id(id: EventId, native: Option<&str>, out: &mut TraceBuilder) {
    if let (Some(event), Some(native)) = (out.event_mut(id), native) {
        event.id_hash = key_hash(&[native]);
    }
}

/// The summary of an LLM call: its text from a place in the string on.
pub(super) fn set_words(
    id: EventId,
    record: &Record<'_>,
    string: &str,
    from: usize,
    out: &mut TraceBuilder,
) {
    let rest = if from == 0 { Some(string) } else { string.get(from + 1..) };
    let Some(rest) = rest else { return };
    set_summary(id, record, Some(rest), out);
    if let Some(event) = out.event_mut(id) {
        event.flags.clear(Flags::THINKING);
        event.selector = u32::try_from(from).unwrap_or(0);
        if from == 0 {
            event.flags.clear(Flags::MID_STRING);
        } else {
            event.flags.set(Flags::MID_STRING);
        }
    }
}

/// Usage of a whole answer, once: it stands at its last LLM call.
pub(super) fn set_usage<'a>(
    run: RunId,
    id: EventId,
    raw: Option<impl JsonValue<'a>>,
    out: &mut TraceBuilder,
) {
    let keys = ["prompt_tokens", "completion_tokens", "context_window"];
    let Some([input, output, window]) = given(raw).and_then(|raw| fields(raw.json(), keys)) else {
        return;
    };
    let usage = Usage { input: count(input), output: count(output), ..Usage::default() };
    out.set_usage(id, usage);
    // The producer writes 0 where it does not know.
    if let Some(window) = count(window).filter(|window| *window > 0) {
        out.run_mut(run).context_window = Some(window);
    }
}
