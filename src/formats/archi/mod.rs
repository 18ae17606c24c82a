//! archi (formerly A2rchi): the stream of its chat endpoint, and the traces that it stores.
//!
//! Seen: `POST /api/get_chat_response_stream` of archi at f4775da and main (NDJSON, one event a line),
//! `GET /api/trace/<id>` (`{"success": true, "trace": {…}}`), the trace alone, its `events` alone, and
//! loaded conversations, whose messages have their traces in them. Of the design document that the
//! stream was made from: server-sent events with `text` (`delta`), `thinking`, `tool_end`, `cancelled`
//! and `error`; and the older `step` events.
//!
//! One answer of the agent is a run. A thinking step with the text that follows it is one LLM call; the
//! calls that it asked for hang on it. Text comes **cumulative**: each `chunk` has all words of the
//! answer so far, across tool calls. So an LLM call keeps the place of its last chunk, and of that only
//! what the calls before had not said yet ([`text`]). `tool_start` is sent together with its output, so
//! how long a tool took is not known unless `tool_end` says so or the two stamps differ. A stream that was
//! cancelled simply stops. In a comparison of two answers each `arm` is a lane.

mod answer;
mod calls;
mod claim;
mod detail;
mod ends;
mod llm_calls;
mod reader;
mod stored;
#[cfg(test)]
mod tests;
mod text;

use super::{EventRecords, Format, Probe, ProbeRecord, Reader, Verdict};
use crate::catalog;
use crate::input::SplitAt;
use crate::model::{Detail, RunStatus, SourceId, TraceBuilder};

/// The id of the format.
const ID: &str = "archi";

/// The note on a stream that simply stops.
const NO_FINAL: &str = "The stream ends without a `final` event: it was cancelled or cut off";

/// The note on a trace that was stored while the agent was at work.
const STILL_RUNNING: &str = "The trace was stored while the agent was still running";

/// The format of archi.
#[derive(Clone, Copy, Debug)]
pub struct Archi;

impl Format for Archi {
    fn id(&self) -> &'static str {
        catalog::ARCHI.id
    }

    fn name(&self) -> &'static str {
        catalog::ARCHI.name
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        claim::verdict(probe)
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(reader::ArchiReader::new(source))
    }

    fn split(&self, beginning: &ProbeRecord<'_>) -> SplitAt {
        claim::split(beginning)
    }

    fn join(&self, out: &mut TraceBuilder) {
        if out.is_partial() {
            return;
        }
        for at in 0..out.trace().runs().len() {
            let run = out.run_mut(crate::model::RunId::from_index(at));
            if run.format == ID && run.status == RunStatus::Running {
                if run.key.starts_with("source ") {
                    run.no_end = Some(NO_FINAL);
                } else {
                    run.notes.push(STILL_RUNNING.to_owned());
                }
            }
        }
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        detail::event_detail(event, out);
    }
}
