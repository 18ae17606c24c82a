//! Finds the files that the calls of a run name and the commands that they run, a few events at a time.

use rustc_hash::{FxHashMap, FxHashSet};

use super::pace::{Pace, Progress};
use super::store::Store;
use crate::answers::Answers;
use crate::render::touched::{Change, changes};
use traceloupe_core::model::{EventId, EventKind, RunId};
use traceloupe_protocol::messages::Response;
use traceloupe_protocol::touched::{Touch, TouchBatch};

/// How many calls are examined in one step. The records of each are read and described again.
const CALLS_PER_STEP: usize = 32;

/// The job.
#[derive(Debug)]
pub(super) struct Touched {
    run: RunId,
    /// The next event to examine.
    at: u32,
    /// Indices of the paths so far.
    paths: FxHashMap<String, u32>,
    /// Indices of the commands so far.
    commands: FxHashMap<String, u32>,
    /// For each path, the sides of the edits so far.
    parts: FxHashSet<(u32, u64, u64)>,
    /// Results that have not been reported yet.
    batch: TouchBatch,
}

impl Touched {
    /// Starts the job. `generation` is returned with the results.
    pub(super) fn new(run: RunId, generation: u32) -> Self {
        let batch = TouchBatch { generation, ..TouchBatch::default() };
        let (paths, commands) = (FxHashMap::default(), FxHashMap::default());
        Self { run, at: 0, paths, commands, parts: FxHashSet::default(), batch }
    }

    /// Examines some events. Reports results when a report is due, and at the end.
    pub(super) fn step<S: Store>(
        &mut self,
        answers: &Answers<'_, S>,
        pace: Pace,
        out: &mut Vec<Response>,
    ) -> Progress {
        let n_events = u32::try_from(answers.trace.events().len()).unwrap_or(u32::MAX);
        let mut left = CALLS_PER_STEP;
        while self.at < n_events && left > 0 {
            let id = EventId::from_index(self.at as usize);
            self.at += 1;
            let Some(event) = answers.trace.event(id) else { continue };
            if event.run != self.run || event.kind != EventKind::ToolCall {
                continue;
            }
            left -= 1;
            match answers.blocks_of(id, event) {
                Ok(detail) => {
                    let (changes, command) = changes(&detail, &|span| answers.read(span));
                    changes.iter().for_each(|change| self.take(self.at - 1, change));
                    if let Some(command) = command {
                        self.take_command(self.at - 1, &command);
                    }
                }
                Err(_) => self.batch.n_unread += 1,
            }
        }
        self.batch.done = self.at >= n_events;
        if self.batch.done || pace.is_report_due {
            let next = TouchBatch { generation: self.batch.generation, ..TouchBatch::default() };
            let batch = std::mem::replace(&mut self.batch, next);
            let is_done = batch.done;
            out.push(Response::Files(Box::new(batch)));
            return if is_done { Progress::Finished } else { Progress::Working };
        }
        Progress::Working
    }

    fn take_command(&mut self, id: u32, command: &str) {
        let (at, is_new) = index_of(&mut self.commands, command);
        if is_new {
            self.batch.commands.push(command.to_owned());
        }
        self.batch.ran.push((id, at));
    }

    fn take(&mut self, id: u32, change: &Change) {
        let (path, is_new) = index_of(&mut self.paths, &change.path);
        if is_new {
            self.batch.paths.push(change.path.clone());
        }
        let is_undone =
            |(before, after): &(u64, u64)| self.parts.contains(&(path, *after, *before));
        let undoes = !change.parts.is_empty() && change.parts.iter().all(is_undone);
        self.parts.extend(change.parts.iter().map(|(before, after)| (path, *before, *after)));
        let Change { access, added, removed, .. } = *change;
        self.batch.touches.push(Touch { id, path, access, added, removed, undoes });
    }
}

/// The index of a text among the texts so far, and whether it is new.
fn index_of(known: &mut FxHashMap<String, u32>, text: &str) -> (u32, bool) {
    let n_known = u32::try_from(known.len()).unwrap_or(u32::MAX);
    let at = *known.entry(text.to_owned()).or_insert(n_known);
    (at, at == n_known)
}
