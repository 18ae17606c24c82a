//! What is said about opened files besides their rows: what is not shown of them, what was left out, and whether there is
//! an agent in them at all.

use crate::outline::Outline;
use traceloupe_core::model::RunNote;
use traceloupe_protocol::file_selection::{LeftOut, leave_out};
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::problem::{Problem, SourceFault};

/// The problems of an outline that is shown.
#[must_use]
pub fn problems(outline: &Outline) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut not_traces: Vec<(String, SourceFault)> = Vec::new();
    let mut left_out = LeftOut::new();
    for source in &outline.sources {
        for (ending, n) in &source.left_out {
            leave_out(&mut left_out, ending, *n);
        }
        match &source.problem {
            // The problem of an archive replaces those of its entries.
            Some(_) if is_inside_failed(outline, &source.path) => {}
            Some(fault) if fault.code().is_no_trace() => {
                not_traces.push((source.path.clone(), fault.clone()));
            }
            Some(fault) => {
                problems.push(Problem::SourceNotShown(source.path.clone(), fault.clone()));
            }
            None => {}
        }
    }
    problems.extend(no_agent(outline));
    if !not_traces.is_empty() {
        problems.push(Problem::NotTraces(not_traces));
    }
    if !left_out.is_empty() {
        problems.push(Problem::LeftOut(left_out));
    }
    problems
}

/// Whether a source comes from an archive that has a problem itself.
fn is_inside_failed(outline: &Outline, path: &str) -> bool {
    let mut failed = outline.sources.iter().filter(|it| it.is_container && it.problem.is_some());
    failed.any(|archive| {
        path.strip_prefix(archive.path.as_str()).is_some_and(|rest| rest.starts_with('/'))
    })
}

/// Says so if no run describes an agent.
fn no_agent(outline: &Outline) -> Option<Problem> {
    let mut runs = outline.runs.iter();
    if outline.runs.is_empty() || !runs.clone().all(RunLine::has_no_agent) {
        return None;
    }
    let is_records = runs.all(|run| run.notes.contains(&RunNote::PlainRecords));
    let n_events = outline.runs.iter().map(|run| run.counts.events).sum();
    Some(Problem::NoAgent { n_runs: outline.runs.len() as u64, n_events, is_records })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::outline;
    use traceloupe_protocol::outline::SourceLine;

    fn source(path: &str, problem: Option<SourceFault>) -> SourceLine {
        let left_out = vec![("png".to_owned(), 2)];
        SourceLine { path: path.to_owned(), problem, left_out, ..SourceLine::default() }
    }

    fn run(note: Option<RunNote>) -> RunLine {
        RunLine { notes: note.into_iter().collect(), ..RunLine::default() }
    }

    #[test]
    fn files_without_a_trace_and_files_left_out_are_one_problem_each() {
        let mut outline = outline(&[0]);
        outline.runs = vec![run(None)];
        outline.sources = vec![
            source("a", Some(SourceFault::NoJson)),
            source("b", Some(SourceFault::Stopped)),
            source("c", Some(SourceFault::EmptyFile)),
            source("d", None),
        ];
        let fault = |path: &str, fault| (path.to_owned(), fault);
        assert_eq!(
            problems(&outline),
            [
                Problem::SourceNotShown("b".to_owned(), SourceFault::Stopped),
                Problem::NotTraces(vec![
                    fault("a", SourceFault::NoJson),
                    fault("c", SourceFault::EmptyFile)
                ]),
                Problem::LeftOut(vec![("png".to_owned(), 8)]),
            ]
        );
    }

    #[test]
    fn runs_without_an_agent_are_said_to_have_none_unless_one_has() {
        let problem = |notes: &[Option<RunNote>]| {
            let mut outline = outline(&[0]);
            outline.sources = Vec::new();
            outline.runs = notes.iter().cloned().map(run).collect();
            problems(&outline).pop()
        };
        let plain = || Some(RunNote::PlainRecords);
        let spans = || Some(RunNote::NoAgentData);
        let none = |n_runs, is_records| Some(Problem::NoAgent { n_runs, n_events: 0, is_records });
        assert_eq!(problem(&[plain()]), none(1, true));
        assert_eq!(problem(&[plain(), spans()]), none(2, false));
        assert_eq!(problem(&[spans(), None]), None);
        assert_eq!(problem(&[]), None);
    }
}
