//! The column on the left: runs, and what the rows of the chosen run are, to filter by.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::actions;
use super::state::state;
use crate::model::{EventKind, Status};
use crate::view::look::{look, plural};
use crate::view::outline::RunLine;
use crate::view::words;

/// So many tools are listed.
const MAX_TOOLS: usize = 15;

/// So many runs are listed; beyond that a list of runs needs its own search.
const MAX_RUNS: usize = 500;

/// The column.
#[component]
pub fn Side() -> impl IntoView {
    let state = state();
    let runs = Memo::new(move |_| state.outline.get().runs.clone());
    let kinds = Memo::new(move |_| {
        let outline = state.outline.get();
        let Some(run) = outline.runs.get(state.run.get() as usize).cloned() else {
            return (Vec::new(), Vec::new(), 0);
        };
        let mut kinds: BTreeMap<u8, u64> = BTreeMap::new();
        let mut tools: BTreeMap<u32, u64> = BTreeMap::new();
        let mut errors = 0;
        for row in run.first_row..run.first_row + run.n_rows {
            let kind = outline.rows.kinds.get(row);
            *kinds.entry(kind).or_default() += 1;
            if kind == EventKind::ToolCall as u8 {
                *tools.entry(outline.rows.names.get(row)).or_default() += 1;
            }
            let status = Status::from_code(outline.rows.statuses.get(row));
            errors += u64::from(status == Status::Error || kind == EventKind::Error as u8);
        }
        let kinds: Vec<(EventKind, u64)> =
            kinds.into_iter().map(|(kind, n)| (EventKind::from_code(kind), n)).collect();
        let name = |at: u32| outline.names.get(at as usize).cloned().unwrap_or_default();
        let mut tools: Vec<(u32, String, u64)> =
            tools.into_iter().map(|(at, n)| (at, name(at), n)).collect();
        tools.sort_by(|a, b| b.2.cmp(&a.2).then_with(|| a.1.cmp(&b.1)));
        (kinds, tools, errors)
    });
    let n_hidden_runs = move || runs.with(|runs| runs.len().saturating_sub(MAX_RUNS));
    let is_filtered = move || state.choice.with(crate::view::rows::Choice::is_filtered);
    view! { class="tl",
        <nav class="side" aria-label="Runs and filters">
            <h2 class="tl">"Runs"</h2>
            <ul class="side__list" role="list" aria-label="Runs">
                {move || (0..).zip(runs.get()).take(MAX_RUNS).map(|(at, run)| run_view(at, run)).collect_view()}
            </ul>
            <Show when=move || { n_hidden_runs() > 0 }>
                <p class="side__more tl">{move || format!("{} more runs are not listed", words::count(n_hidden_runs() as u64))}</p>
            </Show>
            <Show when=is_filtered>
                <button class="quiet side__clear" on:click=move |_| actions::clear_filter(state)>"Show all rows"</button>
            </Show>
            <h2 class="tl">"Kind"</h2>
            <ul class="side__list" role="list" aria-label="Kinds">
                {move || kinds.get().0.into_iter().map(|(kind, n)| {
                    let (_, colour, _) = look(kind, "");
                    let pressed = move || state.choice.with(|choice| choice.kinds.contains(&kind)).to_string();
                    facet(plural(kind).to_owned(), n, colour, pressed, move || actions::toggle_kind(state, kind))
                }).collect_view()}
                {move || {
                    let errors = kinds.get().2;
                    (errors > 0).then(|| {
                        let pressed = move || state.choice.with(|choice| choice.errors_only).to_string();
                        facet("Failed".to_owned(), errors, "error", pressed, move || actions::toggle_errors(state))
                    })
                }}
            </ul>
            <Show when=move || kinds.with(|it| !it.1.is_empty())>
                <h2 class="tl">"Tool"</h2>
                <ul class="side__list" role="list" aria-label="Tools">
                    {move || kinds.get().1.into_iter().take(MAX_TOOLS).map(|(at, name, n)| {
                        let (_, colour, _) = look(EventKind::ToolCall, &name);
                        let pressed = move || state.choice.with(|choice| choice.names.contains(&at)).to_string();
                        let words = if name.is_empty() { "(no name)".to_owned() } else { name };
                        facet(words, n, colour, pressed, move || actions::toggle_name(state, at))
                    }).collect_view()}
                </ul>
            </Show>
        </nav>
    }
}

fn run_view(at: u32, run: RunLine) -> impl IntoView {
    let state = state();
    let is_current = move || (state.run.get() == at).then_some("true");
    let counts = run.given.unwrap_or(run.counts);
    let has_loops = state.outline.with_untracked(|outline| {
        outline.findings.iter().any(|it| it.run == at && it.severity != "info")
    }) || run.given.is_some_and(|given| given.loop_warnings > 0);
    let own_status = run.status.clone();
    let status = match own_status.as_str() {
        "ok" if has_loops => "warning",
        "unknown" if counts.errors > 0 => "failed",
        "ok" => "ok",
        "error" => "error",
        "running" => "running",
        "cancelled" => "cancelled",
        _ => "unknown",
    };
    let status_words = match status {
        "ok" => "ok",
        "warning" => "ok, with possible loops",
        "error" => "ended with an error",
        "running" => "no end in the file",
        "cancelled" => "stopped",
        "failed" => "has errors",
        _ => "no status in the file",
    };
    let mut title = run.title.clone();
    for words in [
        words::stamp(run.start_ms),
        words::counted(counts.llm_calls, "LLM call", "LLM calls"),
        words::counted(counts.tool_calls, "tool call", "tool calls"),
    ] {
        if !words.is_empty() {
            title.push_str(&format!("\n{words}"));
        }
    }
    title.push_str(&format!("\n{status_words}"));
    let start = words::stamp(run.start_ms);
    let second = if run.given.is_some() {
        "summary only".to_owned()
    } else {
        words::counted(run.counts.events, "event", "events")
    };
    let second = if start.is_empty() { second } else { format!("{start} · {second}") };
    view! { class="tl",
        <li class="tl">
            <button class="side__run tl" data-status=status aria-current=is_current title=title
                on:click=move |_| actions::choose_run(state, at)>
                <span class="dot" aria-hidden="true"></span>
                <span class="side__name tl">{run.title}</span>
                <span class="side__n tl">{words::duration(run.duration_ms)}</span>
                <span class="side__second tl">{second}</span>
                <span class="sr">{status_words}</span>
            </button>
        </li>
    }
}

fn facet(
    words: String,
    n: u64,
    colour: &'static str,
    pressed: impl Fn() -> String + Send + 'static,
    act: impl Fn() + 'static,
) -> impl IntoView {
    view! { class="tl",
        <li class="tl">
            <button class="side__facet tl" data-look=colour aria-pressed=pressed on:click=move |_| act()>
                <span class="dot" aria-hidden="true"></span>
                <span class="side__name tl">{words}</span>
                <span class="side__n tl">{crate::view::words::count(n)}</span>
            </button>
        </li>
    }
}
