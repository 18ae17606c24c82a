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
                    let (changes, command, commits) = changes(&detail, &|span| answers.read(span));
                    let has_effect = !event.status.is_error() && !event.status.is_stopped();
                    changes.iter().for_each(|it| self.take(self.at - 1, it, has_effect));
                    if let Some(command) = command {
                        self.take_command(self.at - 1, &command);
                    }
                    self.batch.commits.extend(commits.then_some(self.at - 1));
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

    /// A call without an effect neither puts anything back nor leaves anything to put back.
    fn take(&mut self, id: u32, change: &Change, has_effect: bool) {
        let (path, is_new) = index_of(&mut self.paths, &change.path);
        if is_new {
            self.batch.paths.push(change.path.clone());
        }
        let is_undone =
            |(before, after): &(u64, u64)| self.parts.contains(&(path, *after, *before));
        let undoes = has_effect && !change.parts.is_empty() && change.parts.iter().all(is_undone);
        let parts = change.parts.iter().filter(|_| has_effect);
        self.parts.extend(parts.map(|(before, after)| (path, *before, *after)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::touched::Access;

    #[test]
    fn a_refused_edit_leaves_nothing_to_put_back() {
        let edit = |before: u64, after: u64| Change {
            path: "a.rs".to_owned(),
            access: Access::Edits,
            parts: vec![(before, after)],
            ..Change::default()
        };
        let undone = |edits: &[(u64, u64, bool)]| {
            let mut job = Touched::new(RunId::from_index(0), 0);
            for (before, after, has_effect) in edits {
                job.take(0, &edit(*before, *after), *has_effect);
            }
            job.batch.touches.iter().map(|it| it.undoes).collect::<Vec<_>>()
        };
        assert_eq!(undone(&[(1, 2, true), (2, 1, true)]), [false, true]);
        assert_eq!(undone(&[(1, 2, false), (2, 1, true)]), [false, false]);
        assert_eq!(undone(&[(1, 2, true), (2, 1, false)]), [false, false]);
        assert_eq!(undone(&[(1, 2, true), (2, 1, false), (2, 1, true)]), [false, false, true]);
    }
}
