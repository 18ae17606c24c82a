//! The steps of two runs, for alignment, and the files that the runs changed.

use rustc_hash::FxHashMap;

use super::previews::previews;
use super::store::Store;
use crate::answers::Answers;
use crate::render::aligned::{Step, align};
use crate::render::call_preview::directory_of_run;
use crate::render::net_changes::NetChanges;
use traceloupe_core::model::{Event, EventId, EventKind, Flags, RunId, hash_of};
use traceloupe_protocol::preview::Preview;
use traceloupe_protocol::run_comparison::RunComparison;

/// How many steps of a run are compared.
const MAX_STEPS: usize = 5_000;

/// How many calls of a run that change files are read to compute their net effect.
const MAX_EDITS: usize = 500;

/// Aligns two runs of the trace.
pub(super) fn compare_runs<S: Store>(answers: &Answers<'_, S>, runs: (u32, u32)) -> RunComparison {
    let (first, n_first) = steps(answers, runs.0);
    let (second, n_second) = steps(answers, runs.1);
    let lines = align(&first, &second);
    let n_left_out = (n_first - first.len() + n_second - second.len()) as u64;
    let files = net_changes(answers, runs.0, &first).beside(&net_changes(answers, runs.1, &second));
    RunComparison { runs, lines, n_left_out, files }
}

/// The steps of a run, and their total number. Notes and records of unknown kind are not steps.
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
    let mut previews: FxHashMap<u32, Preview> = previews(answers, &ids).into_iter().collect();
    let mut was_message = false;
    let step = |(id, event): &(EventId, &Event)| {
        let name = trace.name(event.name);
        let Preview { text: words, changed_lines, .. } =
            previews.remove(&id.number()).unwrap_or_default();
        let words_are_none = words.is_empty();
        let is_call = event.kind == EventKind::ToolCall && event.args_hash != 0;
        // The name of the model is ignored: two models with the same text count as the same.
        let named = if event.kind == EventKind::LlmCall { "" } else { name };
        // Steps of a sub-agent are never paired with steps of the main agent.
        let is_main = trace.lane(event.lane).is_none_or(|lane| lane.key.is_empty());
        let is_message = event.kind == EventKind::UserMessage && is_main;
        // Several consecutive messages begin a single turn.
        let is_next = std::mem::replace(&mut was_message, is_message);
        let begins_turn = is_message && !is_next;
        let alike = hash_of((event.kind, named, is_main));
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
            // A failed edit has no effect.
            changed_lines: changed_lines.filter(|_| !event.status.is_error()),
            begins_turn,
            is_reply: event.kind == EventKind::LlmCall && !words_are_none,
            is_text: event.kind != EventKind::ToolCall,
        }
    };
    (all.iter().take(MAX_STEPS).map(step).collect(), n_all)
}

/// The net effect of the steps of a run on the files that they change.
fn net_changes<'a, S: Store>(answers: &Answers<'a, S>, run: u32, steps: &[Step]) -> NetChanges<'a> {
    let run = RunId::from_index(run as usize);
    let mut files = NetChanges::new(directory_of_run(answers.trace, run));
    let edits = steps.iter().filter(|step| step.changed_lines.is_some());
    for step in edits.take(MAX_EDITS) {
        let id = EventId::from_index(step.id as usize);
        let Some(event) = answers.trace.event(id) else { continue };
        if let Ok(detail) = answers.blocks_of(id, event) {
            files.add(&detail, &|span| answers.read(span));
        }
    }
    files
}
