//! Checks a run against expected calls.

use super::store::Store;
use crate::answers::Answers;
use crate::expectations::{CallValues, Checker, StepType, ToolCall, Unreadable, read};
use crate::export::normal::{Values, normal_event};
use crate::intake::problems::Code;
use crate::render::values::ReadError;
use traceloupe_core::model::{Event, EventId, EventKind, FactKind, Flags, RunId};
use traceloupe_protocol::messages::{Problem, Report};
use traceloupe_words as words;

/// How many events are examined in one step if none has to be read.
const STEP_EVENTS: usize = 4_096;

/// How many calls are read in one step.
const STEP_READ: usize = 32;

/// A job that checks a run.
#[derive(Debug)]
pub(super) struct RunCheck {
    run: RunId,
    /// The expectations, for starting again.
    text: String,
    /// The events of the run, in display order at the start of the check.
    order: Vec<EventId>,
    /// Index of the next event in `order`.
    at: usize,
    checker: Checker,
}

impl RunCheck {
    /// Starts checking a run.
    ///
    /// # Errors
    /// If the expectations cannot be parsed, with the position and how to fix them.
    pub(super) fn new<S: Store>(
        answers: &Answers<'_, S>,
        run: u32,
        text: &str,
    ) -> Result<Self, Problem> {
        let expectations = read(text).map_err(problem)?;
        let run = RunId::from_index(run as usize);
        let checker = Checker::new(expectations, &names_of(answers, run));
        let order = answers.trace.order(run).to_vec();
        Ok(Self { run, text: text.to_owned(), order, at: 0, checker })
    }

    /// Starts again, with the current order of the run.
    pub(super) fn restart<S: Store>(&mut self, answers: &Answers<'_, S>) {
        let run = self.run.number();
        // The expectations have been parsed successfully before.
        if let Ok(check) = Self::new(answers, run, &self.text) {
            *self = check;
        }
    }

    /// Checks some calls. Returns the report when all calls have been checked.
    pub(super) fn step<S: Store>(
        &mut self,
        answers: &Answers<'_, S>,
    ) -> Result<Option<Report>, ReadError> {
        let trace = answers.trace;
        let mut n_read = 0;
        for id in self.order.iter().skip(self.at).take(STEP_EVENTS) {
            self.at += 1;
            let Some(event) = trace.event(*id) else { continue };
            // Another file of the same session contains the original.
            if event.flags.has(Flags::COPY) {
                continue;
            }
            if event.kind != EventKind::ToolCall {
                if self.checker.wants_others() {
                    self.checker.push_other(id.number(), step_type(event));
                }
                continue;
            }
            let name = trace.name(event.name);
            let wanted = self.checker.wants_values(name);
            let values =
                if wanted { values_of(answers, *id, event)? } else { CallValues::default() };
            self.checker.push(&tool_call(*id, event, name), &values);
            n_read += usize::from(wanted);
            if n_read >= STEP_READ {
                break;
            }
        }
        if self.at < self.order.len() {
            return Ok(None);
        }
        let mut report = std::mem::take(&mut self.checker).finish();
        report.run = self.run.number();
        Ok(Some(report))
    }
}

fn values_of<S: Store>(
    answers: &Answers<'_, S>,
    id: EventId,
    event: &Event,
) -> Result<CallValues, ReadError> {
    let read = |span| answers.read(span);
    let values = Values::new(&read);
    let detail = answers.blocks_of(id, event)?;
    let normal = normal_event(answers.trace, id, event, &detail, &values);
    if let Some(error) = values.error() {
        return Err(error);
    }
    let outcome = normal.outcome().map(str::to_owned);
    Ok(CallValues { arguments: normal.arguments, outcome })
}

/// The names by which expectations may refer to this run.
fn names_of<S: Store>(answers: &Answers<'_, S>, id: RunId) -> Vec<String> {
    let Some(run) = answers.trace.run(id) else { return Vec::new() };
    // A producer's metadata may contain the name of the test under a key of its own.
    let is_test = |kind: &FactKind| match kind {
        FactKind::Test => true,
        FactKind::Other(key) => key.eq_ignore_ascii_case("test"),
        _ => false,
    };
    let tests = run.facts.iter().filter(|it| is_test(&it.kind));
    let tests = tests.map(|it| words::fact_value(&it.value).into_owned());
    tests.chain(run.title.clone()).chain([run.key.clone()]).collect()
}

/// The AgentV step type of an event that is not a tool call.
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
    ToolCall { event: id.number(), name, duration_ms: duration_ms.filter(|_| is_told) }
}

fn problem(fault: Unreadable) -> Problem {
    let Unreadable { what, place, next } = fault;
    Problem { code: Code::Expectation, what, next, details: place }
}
