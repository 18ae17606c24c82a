//! Collects the exhibits of a trace.

use rustc_hash::FxHashMap;

use traceloupe_core::model::{EventId, NameId, RunId, Trace};
use traceloupe_protocol::exhibits::{Exhibits, MAX_DEFINITIONS, MAX_RESULTS, ResultLine};

/// Collects the exhibits of a trace.
#[must_use]
pub fn exhibits(trace: &Trace) -> Exhibits {
    let found = trace.exhibits();
    if found.is_empty() {
        return Exhibits::default();
    }
    let run_of = |id: EventId| trace.event(id).map(|event| event.run);
    let mut sources: FxHashMap<(RunId, NameId), EventId> = FxHashMap::default();
    for (id, name) in &found.solutions {
        if let Some(run) = run_of(*id) {
            sources.entry((run, *name)).or_insert(*id);
        }
    }
    let mut evaluated: FxHashMap<EventId, ()> = FxHashMap::default();
    let mut best: FxHashMap<RunId, f64> = FxHashMap::default();
    let mut results = Vec::new();
    for evaluation in &found.evaluations {
        let Some(run) = run_of(evaluation.event) else { continue };
        let source = sources.get(&(run, evaluation.name)).copied();
        if let Some(source) = source {
            evaluated.insert(source, ());
        }
        if let Some(speedup) = evaluation.speedup.filter(|_| evaluation.passed != Some(false)) {
            let best = best.entry(run).or_insert(speedup);
            *best = best.max(speedup);
        }
        if results.len() < MAX_RESULTS {
            let own = evaluation.has_code.then_some(evaluation.event);
            results.push(ResultLine {
                event: evaluation.event.number(),
                code: own.or(source).map(EventId::number),
                run: run.number(),
                name: trace.name(evaluation.name).to_owned(),
                workload: trace.name(evaluation.workload).to_owned(),
                status: trace.name(evaluation.status).to_owned(),
                passed: evaluation.passed,
                latency_ms: evaluation.latency_ms,
                speedup: evaluation.speedup,
                best_speedup: best.get(&run).copied(),
                max_diff: evaluation.max_diff,
            });
        }
    }
    let alone = found.solutions.iter().filter(|(id, _)| !evaluated.contains_key(id));
    for (id, name) in alone.take(MAX_RESULTS.saturating_sub(results.len())) {
        results.push(ResultLine {
            event: id.number(),
            code: Some(id.number()),
            run: run_of(*id).map_or(u32::MAX, RunId::number),
            name: trace.name(*name).to_owned(),
            ..ResultLine::default()
        });
    }
    let n_alone = found.solutions.len().saturating_sub(evaluated.len());
    let n_results = found.evaluations.len() + n_alone;
    let ids = found.definitions.iter().copied();
    let ids = ids.chain(found.solutions.iter().map(|(id, _)| *id));
    let ids = ids.chain(found.evaluations.iter().map(|it| it.event));
    let mut runs: Vec<u32> = ids.filter_map(run_of).map(RunId::number).collect();
    traceloupe_core::sorting::sort(&mut runs);
    runs.dedup();
    Exhibits {
        definitions: found
            .definitions
            .iter()
            .take(MAX_DEFINITIONS)
            .filter_map(|id| Some((run_of(*id)?.number(), id.number())))
            .collect(),
        definitions_dropped: found.definitions.len().saturating_sub(MAX_DEFINITIONS) as u64,
        results_dropped: n_results.saturating_sub(results.len()) as u64,
        results,
        runs,
    }
}
