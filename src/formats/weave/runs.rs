//! What the records of a run say of it: title, times, status, facts.

use crate::formats::kit::RunInfo;
use crate::json::{Json, Kind};
use crate::model::{Run, RunCounts, RunId, RunStatus, TraceBuilder};
use crate::plain;

/// The first line of a text that says anything, at most so long as a title may be. `text` may have tags of programs.
fn headline(text: &str) -> String {
    const MAX_CHARS: usize = 100;
    // A whole document may be given as the first words.
    const MAX_BYTES: usize = 64 << 10;
    let text = text.get(..text.floor_char_boundary(MAX_BYTES)).unwrap_or(text);
    let words = plain::words(text);
    let line = words.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or(line).trim_end()),
        None => line.to_owned(),
    }
}

/// Adds what a record says of its run. The first title stays, the last end counts.
pub(super) fn describe(id: RunId, info: &RunInfo<'_>, out: &mut TraceBuilder) {
    let run = out.run_mut(id);
    run.is_by_start |= info.is_by_start;
    count(run, info);
    let is_known = |is_known: bool| info.gives_way && is_known;
    if let Some(title) = info.title.word().filter(|_| !is_known(run.title.is_some())) {
        run.title = Some(plain::words(&title).into_owned());
    } else if let Some(words) = info.first_words.word() {
        run.title.get_or_insert_with(|| headline(&words));
    }
    if let Some(status) = info.status
        && (status != RunStatus::Running || run.status == RunStatus::Unknown)
        && !is_known(!matches!(run.status, RunStatus::Unknown | RunStatus::Running))
    {
        run.status = status;
    }
    if info.start.is_known() && !run.start.is_known() {
        run.start = info.start;
    }
    if info.end.is_known() {
        run.end = info.end;
    }
    if info.duration.is_known() && !is_known(run.duration.is_known()) {
        run.duration = info.duration;
    }
    run.context_window = info.context_window.or(run.context_window);
    (run.score, run.verdict) = match info.gives_way {
        true => (run.score.or(info.score), run.verdict.or(info.verdict)),
        false => (info.score.or(run.score), info.verdict.or(run.verdict)),
    };
    if !info.usage.is_empty() {
        run.usage = info.usage;
    }
    run.groups
        .extend(info.groups.items().take(MAX_GROUPS).filter_map(|it| Some(it.word()?.into())));
    for note in info.notes.iter().take(MAX_NOTES) {
        if run.notes.len() < MAX_NOTES && !run.notes.iter().any(|known| known == note) {
            run.notes.push(note.to_string());
        }
    }
    for (label, value) in &info.totals {
        let value = fact_of(*value);
        match run.facts.iter_mut().find(|(known, _)| known == label) {
            Some(known) if !value.is_empty() => known.1 = value,
            None if !value.is_empty() => run.facts.push(((*label).to_owned(), value)),
            _ => {}
        }
    }
    for (label, value) in &info.facts {
        // Some producers say the same in every record.
        if run.facts.iter().any(|(known, _)| known == label) {
            continue;
        }
        let value = fact_of(*value);
        if !value.is_empty() {
            run.facts.push((label.to_string(), value));
        }
    }
}

/// What the producer counted.
fn count(run: &mut Run, info: &RunInfo<'_>) {
    let (known, told) = (run.counts, info.counts);
    let (first, second) = if info.gives_way { (known, told) } else { (told, known) };
    run.counts = RunCounts {
        llm_calls: first.llm_calls.or(second.llm_calls),
        tool_calls: first.tool_calls.or(second.tool_calls),
        errors: first.errors.or(second.errors),
        loop_warnings: first.loop_warnings.or(second.loop_warnings),
    };
}

/// How many sentences about a run are kept.
const MAX_NOTES: usize = 20;

/// How many groups around a run are kept.
const MAX_GROUPS: usize = 16;

/// A fact in words: a list of words with spaces between them, anything else as it is written. Only the
/// beginning of a long one.
pub(super) fn fact_of(value: Json<'_>) -> String {
    const MAX_CHARS: usize = 4_000;
    let words = || value.items().map(Json::word).collect::<Option<Vec<_>>>();
    let fact = match (value.word(), value.kind()) {
        (Some(word), _) => word,
        (None, Kind::Array) => words().map_or(value.raw().into(), |words| words.join(" ").into()),
        (None, Kind::Object | Kind::Bool) => value.raw().into(),
        _ => "".into(),
    };
    match fact.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", fact.get(..end).unwrap_or(&fact)),
        None => fact.into_owned(),
    }
}
