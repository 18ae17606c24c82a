//! Long work that is done in steps: searching, downloads, exports, checks, unpacking. Between steps, the worker handles
//! other requests.

use std::collections::VecDeque;

use super::annotation_export::AnnotationExport;
use super::excerpt::{Excerpt, Outcome};
use super::matches::Matches;
use super::pace::{Pace, Progress};
use super::run_check::RunCheck;
use super::run_export::RunExport;
use super::search::Search;
use super::state::State;
use super::store::{Handle, Store};
use super::touched::Touched;
use super::value_file::ValueFile;
use crate::answers::Answers;
use crate::intake::files::Files;
use crate::render::values::ReadError;
use traceloupe_core::model::Trace;
use traceloupe_protocol::messages::{MadeFile, Problem, Response};

/// A job.
#[derive(Debug)]
pub(super) enum Job {
    Unpack,
    Search(Box<Search>),
    Match(Box<Matches>),
    Files(Box<Touched>),
    ValueFile(Ticket, ValueFile),
    RunExport(Ticket, Box<RunExport>),
    RunCheck(Ticket, Box<RunCheck>),
    AnnotationExport(Ticket, AnnotationExport),
    Excerpt(Ticket, Box<Excerpt>),
}

/// The number that the page assigned to a request, to match the response to it.
pub(super) type Ticket = u32;

/// Jobs take turns: each step is one step of the next job.
#[derive(Debug, Default)]
pub(super) struct Jobs(VecDeque<Job>);

impl Jobs {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(&mut self, job: Job) {
        self.0.push_back(job);
    }

    pub(super) fn stop_search(&mut self) {
        self.0.retain(|job| !matches!(job, Job::Search(_)));
    }

    pub(super) fn stop_matching(&mut self) {
        self.0.retain(|job| !matches!(job, Job::Match(_)));
    }

    pub(super) fn stop_files(&mut self) {
        self.0.retain(|job| !matches!(job, Job::Files(_)));
    }

    /// Adapts to the complete trace. Events have been joined and the order of runs has changed, so exports and checks
    /// start again.
    pub(super) fn follow<S: Store>(&mut self, files: &mut Files<S>, trace: &Trace) {
        for job in &mut self.0 {
            match job {
                Job::RunExport(_, export) => export.restart(files, trace),
                Job::Excerpt(_, excerpt) => excerpt.restart(files),
                Job::RunCheck(_, check) => check.restart(&Answers::new(files, trace)),
                Job::Search(search) => search.follow(trace),
                Job::Match(matches) => matches.restart(),
                // The page requests files again.
                Job::Unpack | Job::ValueFile(..) | Job::AnnotationExport(..) | Job::Files(_) => {}
            }
        }
    }

    /// Does one step of the next job that has work to do, and adds its responses. Returns [`Progress::Finished`] if
    /// there are no jobs, and [`Progress::Waiting`] if all of them wait.
    pub(super) fn step<S: Store>(
        &mut self,
        files: &mut Files<S>,
        state: &mut State,
        pace: Pace,
        answers: &mut Vec<Response>,
    ) -> Progress {
        for _ in 0..self.0.len() {
            let Some(mut job) = self.0.pop_front() else { break };
            match job.step(files, state, pace, answers) {
                Progress::Waiting => self.0.push_back(job),
                Progress::Working => {
                    self.0.push_back(job);
                    return Progress::Working;
                }
                Progress::Finished if self.is_empty() => return Progress::Finished,
                Progress::Finished => return Progress::Working,
            }
        }
        if self.is_empty() { Progress::Finished } else { Progress::Waiting }
    }
}

impl Job {
    fn step<S: Store>(
        &mut self,
        files: &mut Files<S>,
        state: &mut State,
        pace: Pace,
        answers: &mut Vec<Response>,
    ) -> Progress {
        match self {
            Self::Unpack => match state {
                State::Reading(intake) => intake.unpack_step(files),
                State::Done(_) => Progress::Finished,
            },
            Self::Search(search) => search.step(files, state, pace, answers),
            Self::Match(matches) => matches.step(files, state, pace, answers),
            Self::Files(touched) => {
                touched.step(&Answers::new(files, state.trace()), pace, answers)
            }
            Self::ValueFile(ticket, job) => {
                let step = job.step(files);
                file_answer(*ticket, step, job.made(), files, answers)
            }
            Self::RunExport(ticket, job) => {
                let step = job.step(files, state.trace());
                file_answer(*ticket, step, job.made(), files, answers)
            }
            Self::AnnotationExport(ticket, job) => {
                let step = job.step(files, state.trace());
                file_answer(*ticket, step, job.made(), files, answers)
            }
            Self::Excerpt(ticket, job) => {
                let are_lines = match job.step(files, state.trace()) {
                    Ok(Outcome::Working) => return Progress::Working,
                    Ok(Outcome::Files(made)) => {
                        answers.extend(made.into_iter().map(|file| Response::File(*ticket, file)));
                        true
                    }
                    Ok(Outcome::NotLines) => {
                        job.drop_files(files);
                        false
                    }
                    Err(error) => {
                        job.drop_files(files);
                        answers.push(Response::RequestFailed(*ticket, Problem::NotMade(error)));
                        return Progress::Finished;
                    }
                };
                answers.push(Response::Excerpted(*ticket, are_lines));
                Progress::Finished
            }
            Self::RunCheck(ticket, job) => {
                match job.step(&Answers::new(files, state.trace())) {
                    Ok(None) => return Progress::Working,
                    Ok(Some(report)) => {
                        answers.push(Response::Checked(*ticket, Box::new(report)));
                    }
                    Err(error) => {
                        answers.push(Response::RequestFailed(*ticket, Problem::NotMade(error)));
                    }
                }
                Progress::Finished
            }
        }
    }
}

/// Responds with a file when it is complete. A file that cannot be completed is dropped, and the response gives the
/// reason.
fn file_answer<S: Store>(
    ticket: Ticket,
    step: Result<Option<MadeFile>, ReadError>,
    made: Option<Handle>,
    files: &mut Files<S>,
    answers: &mut Vec<Response>,
) -> Progress {
    match step {
        Ok(None) => return Progress::Working,
        Ok(Some(file)) => answers.push(Response::File(ticket, file)),
        Err(error) => {
            if let Some(made) = made {
                files.store.remove(made);
            }
            answers.push(Response::RequestFailed(ticket, Problem::NotMade(error)));
        }
    }
    Progress::Finished
}
