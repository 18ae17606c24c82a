//! Holding a run against what was expected of it, some calls at a time.

use super::Session;
use super::store::Store;
use crate::expect::{CallValues, Checker, StepType, ToolCall, Unreadable, read};
use crate::export::normal::{Values, normal_event};
use crate::model::{Event, EventId, EventKind, Flags, RunId};
use crate::view::wire::protocol::{Problem, Report};

/// So many calls are looked at in one step; of those whose values matter fewer.
const STEP_EVENTS: usize = 4_096;

/// So many calls are read in one step.
const STEP_READ: usize = 32;

/// A check that is under way.
#[derive(Debug)]
pub struct RunCheck {
    run: RunId,
    /// The next event, in display order.
    at: usize,
    checker: Checker,
}

impl<S: Store> Session<S> {
    /// Begins to check a run.
    ///
    /// # Errors
    /// What of the expectations cannot be read, where, and what to do.
    pub fn begin_check(&self, run: u32, text: &str) -> Result<RunCheck, Problem> {
        let expectations = read(text).map_err(problem)?;
        let run = RunId::from_index(run as usize);
        let checker = Checker::new(expectations, &self.names_of(run));
        Ok(RunCheck { run, at: 0, checker })
    }

    /// Checks some calls. Returns the report when all have been looked at.
    pub fn check_some(&self, check: &mut RunCheck) -> Option<Report> {
        let order = self.trace().order(check.run);
        let mut n_read = 0;
        let step = order.iter().skip(check.at).take(STEP_EVENTS);
        for id in step {
            check.at += 1;
            let Some(event) = self.trace().event(*id) else { continue };
            // A copy is told by another file of the same session already.
            if event.flags.has(Flags::COPY) {
                continue;
            }
            if event.kind != EventKind::ToolCall {
                if check.checker.wants_others() {
                    check.checker.push_other(number(*id), step_type(event));
                }
                continue;
            }
            let name = self.trace().name(event.name);
            let wanted = check.checker.wants_values(name);
            let values = if wanted { self.values_of(*id, event) } else { CallValues::default() };
            check.checker.push(&tool_call(*id, event, name), &values);
            n_read += usize::from(wanted);
            if n_read >= STEP_READ {
                break;
            }
        }
        if check.at < order.len() {
            return None;
        }
        let mut report = std::mem::take(&mut check.checker).finish();
        report.run = u32::try_from(check.run.index()).unwrap_or(u32::MAX);
        Some(report)
    }

    fn values_of(&self, id: EventId, event: &Event) -> CallValues {
        let read = |span| self.read(span);
        let values = Values::new(&read);
        let detail = self.blocks_of(id, event);
        let normal = normal_event(self.trace(), id, event, &detail, &values);
        let outcome = normal.outcome().map(str::to_owned);
        CallValues { arguments: normal.arguments, outcome }
    }

    /// What a test of this run may be called.
    fn names_of(&self, id: RunId) -> Vec<String> {
        let Some(run) = self.trace().run(id) else { return Vec::new() };
        let told = run.facts.iter().filter(|(label, _)| label.eq_ignore_ascii_case("test"));
        let told = told.map(|(_, value)| value.clone());
        told.chain(run.title.clone()).chain([run.key.clone()]).collect()
    }
}

fn number(id: EventId) -> u32 {
    u32::try_from(id.index()).unwrap_or(u32::MAX)
}

/// What an event that is no call is among AgentV's steps.
fn step_type(event: &Event) -> StepType {
    match event.kind {
        EventKind::LlmCall if event.flags.has(Flags::THINKING) => StepType::Reasoning,
        EventKind::LlmCall | EventKind::UserMessage | EventKind::SystemMessage => StepType::Message,
        _ => StepType::Span,
    }
}

fn tool_call<'n>(id: EventId, event: &Event, name: &'n str) -> ToolCall<'n> {
    #[expect(clippy::cast_precision_loss)] // durations of calls
    let duration_ms = event.duration.get().map(|ns| ns as f64 / 1e6);
    let is_told = !event.flags.has(Flags::INFERRED_TIME);
    ToolCall { event: number(id), name, duration_ms: duration_ms.filter(|_| is_told) }
}

fn problem(fault: Unreadable) -> Problem {
    let Unreadable { what, place, next } = fault;
    Problem { code: "expectation".to_owned(), what, next, details: place }
}
