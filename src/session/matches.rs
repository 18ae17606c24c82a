//! Searches for texts in the summaries of all events, a few events at a time. While files are still being read, it
//! keeps up with the last event.

use super::pace::{Pace, Progress};
use super::previews::previews;
use super::state::State;
use super::store::Store;
use crate::answers::Answers;
use crate::intake::files::Files;
use traceloupe_core::case::lowercase;
use traceloupe_protocol::matches::{MatchBatch, Needle};
use traceloupe_protocol::messages::Response;

/// How many events are searched in one step. They are close together in their file, so they are read together.
const EVENTS_PER_STEP: u32 = 512;

/// The job.
#[derive(Debug)]
pub(super) struct Matches {
    needles: Vec<Needle>,
    /// The next event to search.
    at: u32,
    /// Results that have not been reported yet.
    batch: MatchBatch,
}

impl Matches {
    /// Starts searching for texts. `generation` is returned with the results.
    pub(super) fn new(needles: Vec<Needle>, generation: u32) -> Self {
        let mut matches = Self { needles, at: 0, batch: MatchBatch::default() };
        matches.batch = matches.empty(generation);
        matches
    }

    fn empty(&self, generation: u32) -> MatchBatch {
        let ids = self.needles.iter().map(|_| Default::default()).collect();
        MatchBatch { generation, ids, ..MatchBatch::default() }
    }

    /// Starts again with the complete trace, because events have been joined.
    pub(super) fn restart(&mut self) {
        self.at = 0;
    }

    /// Searches some events. Reports results when a report is due, and before it waits or ends.
    pub(super) fn step<S: Store>(
        &mut self,
        files: &Files<S>,
        state: &State,
        pace: Pace,
        answers: &mut Vec<Response>,
    ) -> Progress {
        let trace = state.trace();
        let n_events = u32::try_from(trace.events().len()).unwrap_or(u32::MAX);
        let end = n_events.min(self.at.saturating_add(EVENTS_PER_STEP));
        let ids: Vec<u32> = (self.at..end).collect();
        let has_news = !ids.is_empty();
        for (id, summary) in previews(&Answers::new(files, trace), &ids) {
            let summary = lowercase(&summary.text);
            for (needle, found) in self.needles.iter().zip(&mut self.batch.ids) {
                if needle.is_in(&summary) {
                    found.push(id);
                }
            }
        }
        self.at = end;
        let progress = match state {
            _ if end < n_events => Progress::Working,
            State::Reading(_) => Progress::Waiting,
            State::Done(_) => Progress::Finished,
        };
        let is_due = progress == Progress::Finished
            || has_news && (pace.is_report_due || progress == Progress::Waiting);
        if is_due {
            let next = self.empty(self.batch.generation);
            let mut batch = std::mem::replace(&mut self.batch, next);
            (batch.looked_at, batch.n_events) = (end, n_events);
            batch.done = progress == Progress::Finished;
            answers.push(Response::Matches(Box::new(batch)));
        }
        progress
    }
}
