//! The steps of two runs, to be aligned.

use rustc_hash::FxHashMap;

use super::answers::Answers;
use super::previews::previews;
use super::store::Store;
use crate::view::aligned::{Step, align};
use traceloupe::model::{Event, EventId, EventKind, Flags, RunId, hash_of};
use traceloupe::view::wire::run_comparison::RunComparison;

/// So many steps of a run are compared.
const MAX_STEPS: usize = 5_000;

/// Aligns two runs of the trace.
pub(super) fn compare_runs<S: Store>(answers: &Answers<'_, S>, runs: (u32, u32)) -> RunComparison {
    let (first, n_first) = steps(answers, runs.0);
    let (second, n_second) = steps(answers, runs.1);
    let lines = align(&first, &second);
    let n_left_out = (n_first - first.len() + n_second - second.len()) as u64;
    RunComparison { runs, lines, n_left_out }
}

/// The steps of a run, and how many it has in all. Notes and records without a kind are no steps.
fn steps<S: Store>(answers: &Answers<'_, S>, run: u32) -> (Vec<Step>, usize) {
    let trace = answers.trace;
    let is_step = |event: &Event| {
        !matches!(event.kind, EventKind::Note | EventKind::RunStart)
            && !event.flags.has(Flags::COPY)
    };
    let order = trace.order(RunId::from_index(run as usize)).iter();
    let all = order.filter_map(|id| Some((*id, trace.event(*id)?))).filter(|it| is_step(it.1));
    let all: Vec<(EventId, &Event)> = all.collect();
    let n_all = all.len();
    let ids: Vec<u32> = all.iter().take(MAX_STEPS).map(|it| it.0.number()).collect();
    let words = previews(answers, &ids).into_iter().map(|(id, it)| (id, it.text));
    let mut words: FxHashMap<u32, String> = words.collect();
    let step = |(id, event): &(EventId, &Event)| {
        let name = trace.name(event.name);
        let words = words.remove(&id.number()).unwrap_or_default();
        let is_call = event.kind == EventKind::ToolCall && event.args_hash != 0;
        // Two models that say the same say the same.
        let named = if event.kind == EventKind::LlmCall { "" } else { name };
        let alike = hash_of((event.kind, named));
        let same =
            if is_call { hash_of((alike, event.args_hash)) } else { hash_of((alike, &words)) };
        let label = match (name, words.as_str()) {
            (name, words) if words.is_empty() || words == name => name.to_owned(),
            ("", words) => words.to_owned(),
            (name, words) if event.kind == EventKind::ToolCall => format!("{name} · {words}"),
            (_, words) => words.to_owned(),
        };
        Step {
            id: id.number(),
            same,
            alike,
            result: hash_of((event.result_hash, event.status.word())),
            words: label,
            is_text: event.kind != EventKind::ToolCall,
        }
    };
    (all.iter().take(MAX_STEPS).map(step).collect(), n_all)
}
